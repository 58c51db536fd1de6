/*
 * A filter over the rows of a trace: how many match, the n-th match, the match before or after a
 * row. It is decided by its own threads, from a starting row outward, so that no key waits for a
 * match. The caller gets what is known so far, may wait a while, and calls again.
 *
 *	q = query_new(...);			query_step(q, 8 ms) until it returns true
 *	n = query_hits_at(q, row, &set);	0: not known yet, but it is decided next
 *
 * All functions belong to the thread that made the query, and none of them matches anything.
 */
#ifndef TNAV_ENGINE_QUERY_H
#define TNAV_ENGINE_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/engine/filter.h"
#include "tnav/engine/trace.h"

struct query;

/* Rows [row0, row1) of the trace. Takes f. near: where to start. */
struct query *query_new(struct trace *t, struct filter *f, uint64_t row0, uint64_t row1,
    uint64_t near);
/* NULL if q is. */
const struct filter *query_filter(const struct query *q);
/* Stops running work after the current event, without waiting: its threads end in the background
   (trace_retire()). */
void	query_free(struct query *q);

/* Decide all rows, and wait for that up to budget_ns; true when it is done. */
bool	query_step(struct query *q, int64_t budget_ns);
/* Work only on requests, until the next query_step(). */
void	query_rest(struct query *q);
/* Wait until more is known about the requests, up to budget_ns. */
void	query_wait(struct query *q, int64_t budget_ns);
bool	query_done(const struct query *q);
/* An answer was "not known yet", and is not known since: what was drawn without it must be drawn
   again. */
bool	query_pending(const struct query *q);
uint64_t query_hits(const struct query *q);		/* so far */
double	query_share(const struct query *q);		/* decided, 0 to 1 */
/* What makes the hits unsure, in a few words; NULL: nothing. */
const char *query_remark(const struct query *q);

/* Hit number i (0-based, in row order, among decided slices): 1 and *row; 0: there is none, or it
   is not known yet (query_pending()). */
int	query_row(struct query *q, uint64_t i, uint64_t *row);
/* The number of decided hits before the row. */
uint64_t query_index(struct query *q, uint64_t row);
/*
 * The next hit at or after (dir > 0), or at or before (dir < 0) the row. Waits at most budget_ns
 * for slices to be decided. 1 and *out; 0: there is none; ERR_CANCELED: time is up, call again.
 */
int	query_seek(struct query *q, uint64_t row, int dir, int64_t budget_ns, uint64_t *out);
/*
 * The number of rows, from this one on and at most 64, that are decided; bit i of *set: row + i is
 * a hit. 0: not known yet and now requested, or there is no such row. q may be NULL.
 */
unsigned query_hits_at(struct query *q, uint64_t row, uint64_t *set);
/* Is the row a hit? 1, 0, or -1: not known yet, and now requested. */
int	query_is_hit(struct query *q, uint64_t row);

#endif

/*
 * A filter over the rows of a trace: how many match, the n-th match, the match before or after a
 * row. It works in steps from a starting row outward, so that the user's thread can call it
 * between keys; what it knows are counts a slice, never bits a row.
 */
#ifndef TNAV_ENGINE_QUERY_H
#define TNAV_ENGINE_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/engine/filter.h"
#include "tnav/engine/trace.h"

struct query;

/* Rows [row0, row1) of the trace; f may be NULL: all of them. Takes f. near: where to start. */
struct query *query_new(struct trace *t, struct filter *f, uint64_t row0, uint64_t row1,
    uint64_t near);
void	query_free(struct query *q);

/* Work for about budget_ns; true when all rows are decided. */
bool	query_step(struct query *q, int64_t budget_ns);
bool	query_done(const struct query *q);
uint64_t query_hits(const struct query *q);		/* so far */
double	query_share(const struct query *q);		/* decided, 0 to 1 */
/* How many events to ask about between two looks at the clock; q may be NULL. */
uint32_t query_batch(const struct query *q);
/* What makes the hits unsure, in a few words; NULL: nothing. */
const char *query_remark(const struct query *q);

/* The hit number i (0-based, in row order, among decided slices): 1 and *row; 0: none. */
int	query_row(struct query *q, uint64_t i, uint64_t *row);
/* How many decided hits lie before the row. */
uint64_t query_index(struct query *q, uint64_t row);
/*
 * The next hit at or after (dir > 0), or at or before (dir < 0) the row, deciding slices as
 * needed for at most budget_ns: 1 and *row, 0: none there, ERR_CANCELED: time is up, call again.
 */
int	query_seek(struct query *q, uint64_t row, int dir, int64_t budget_ns, uint64_t *out);
bool	query_matches(struct query *q, const struct event *e);

#endif

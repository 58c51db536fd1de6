/*
 * The gaps of a trace, to be asked which of them could hold an event that is missing.
 */
#ifndef ANALYSIS_SPANS_LOSS_H
#define ANALYSIS_SPANS_LOSS_H

#include "tnav/engine/trace.h"
#include "tnav/model/cell.h"

struct span_losses;

/* An interval of time, both ends excluded; ns. */
struct loss_query {
	uint32_t	thread;			/* EVENT_NONE: any */
	bool		has_from, has_to, last;	/* last: the last gap is asked for, not the first */
	int64_t		from, to;
};

/* Of one trace, or of this source of joined ones. */
struct span_losses	*losses_new(struct trace *t, uint32_t source);
void		 losses_free(struct span_losses *l);
bool		 losses_any(const struct span_losses *l);
/* How many gaps meet the interval; *out the first or last of them. */
uint64_t	 losses_find(const struct span_losses *l, const struct loss_query *a,
    struct gap *out);
/* Append {"tid":12,"lost":1,"from":5,"to":9,"candidates":1}: a gap, the id of its thread, and of
   how many gaps it is the first or last. */
void		 gap_json(struct buf *out, struct trace *t, const struct gap *g, struct cell tid,
    uint64_t candidates);

#endif

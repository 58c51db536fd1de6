/*
 * The state of a span: what its record says once it has ended, or when it is clear that it has not.
 *
 *	a stop			PAIRED		doubtful, if a gap may hide another one
 *	another start		REPLACED	LOST_IN_GAP, if a gap may hide the stop
 *	the end of the trace	OPEN		the same
 *
 * Invariant: a state is a function of the record and of the gaps, whoever finds the end.
 */
#include "analysis/spans/states.h"

#include "analysis/spans/loss.h"
#include "analysis/spans/private.h"

bool
record_has_gap(const struct spans *s, const struct span_record *r)
{
	struct span_gap	g;

	return spans_gap(s, r, &g);
}

void
mark_flags(const struct span_mark *k, struct span_record *r)
{
	r->flags = (uint8_t)((k->by_thread ? SPAN_BY_THREAD : 0) | (k->chosen ? SPAN_CHOSEN : 0));
}

void
record_native(struct span_record *r, uint64_t dur)
{
	r->state = SPAN_PAIRED;
	r->flags |= SPAN_NATIVE;
	r->stop_thread = r->thread;
	if (dur > INT64_MAX || __builtin_add_overflow(r->start, (int64_t)dur, &r->stop))
		r->stop = INT64_MAX;
}

void
record_stop(const struct spans *s, struct span_record *r, const struct span_mark *k)
{
	r->stop_row = k->row;
	r->stop = k->ts;
	r->stop_thread = k->thread;
	r->state = SPAN_PAIRED;
	r->flags &= (uint8_t)~SPAN_BY_THREAD;
	if (k->by_thread)
		r->flags |= SPAN_BY_THREAD;
	if (k->by_thread && losses_any(record_losses(s, r)) && record_has_gap(s, r))
		r->flags |= SPAN_DOUBTFUL;
}

void
record_throw_out(const struct spans *s, struct span_record *r, int64_t ts)
{
	r->stop_row = SPAN_NO_ROW;
	r->stop_thread = EVENT_NONE;
	r->stop = ts;
	r->flags |= SPAN_UNTIL;
	r->state = SPAN_LOST_IN_GAP;
	if (!record_has_gap(s, r))
		r->state = SPAN_REPLACED;
}

void
record_leave(const struct spans *s, struct span_record *r)
{
	r->state = SPAN_LOST_IN_GAP;
	if (!record_has_gap(s, r))
		r->state = SPAN_OPEN;
}

/*
 * From one end of a span to the other.
 */
#include "ui/view/mate.h"

#include "tnav/analysis/spans.h"
#include "ui/view/view.h"

/* The longest span that the event begins; NULL: it begins none. */
static const struct span_record *
longest_of(const struct spans *s, const struct event *e)
{
	const struct span_record	*best = NULL;
	int64_t				 most = -1;

	for (uint64_t i = spans_from_moment(s, e->ts, e->off); i < spans_count(s); i++) {
		const struct span_record	*r = spans_at(s, i);
		int64_t				 dur = 0;

		if (r->off != e->off)
			break;
		if (r->row == SPAN_NO_ROW)
			continue;
		if (best == NULL || (spans_dur(s, r, &dur) && dur > most)) {
			most = dur;
			best = r;
		}
	}
	return best;
}

enum mate
view_span_mate(struct view *v, const struct event *e, uint64_t *row)
{
	const struct spans		*s = spanning_spans(v->spanning);
	const struct span_record	*r;
	uint64_t			 at, span;

	spanning_ask(v->spanning);
	if (s == NULL)
		return MATE_LATER;
	r = longest_of(s, e);
	if (r != NULL) {
		*row = r->stop_row;
		return r->stop_row != SPAN_NO_ROW ? MATE_THERE : MATE_LOST;
	}
	if (trace_row_of(v->t, e->ts, e->off, &at) != 1 || !spans_stop_at(s, at, &span))
		return MATE_NONE;
	*row = spans_at(s, span)->row;
	return *row != SPAN_NO_ROW ? MATE_THERE : MATE_LOST;
}

/* The innermost span of the thread that is under way when the event comes; NULL: there is none. */
static const struct span_record *
innermost(const struct spans *s, const struct event *e, uint64_t row, uint32_t thread)
{
	const struct span_record	*in = NULL;
	uint64_t			 end = spans_from_row(s, row < UINT64_MAX ? row + 1 : row);

	for (uint64_t i = spans_reaching(s, 0, e->ts); i < end;
	    i = spans_reaching(s, i + 1, e->ts)) {
		const struct span_record	*r = spans_at(s, i);

		if (r->state == SPAN_PAIRED && r->thread == thread && r->stop_row >= row &&
		    (in == NULL || r->row > in->row || r->stop_row < in->stop_row))
			in = r;
	}
	return in;
}

enum mate
view_span_times(struct view *v, const struct event *e, uint32_t thread, int64_t *from,
    int64_t *to)
{
	const struct spans		*s = spanning_spans(v->spanning);
	const struct span_record	*r = NULL;
	uint64_t			 row, span;

	spanning_ask(v->spanning);
	if (s == NULL)
		return MATE_LATER;
	if (trace_row_of(v->t, e->ts, e->off, &row) != 1)
		return MATE_NONE;
	if (thread == EVENT_NONE || thread == e->thread) {
		thread = e->thread;
		r = longest_of(s, e);
		if (r == NULL && spans_stop_at(s, row, &span))
			r = spans_at(s, span);
	}
	if (r == NULL)
		r = innermost(s, e, row, thread);
	if (r == NULL)
		return MATE_NONE;
	if (r->state != SPAN_PAIRED)
		return MATE_LOST;
	*from = r->start;
	*to = r->stop < INT64_MAX ? r->stop + 1 : r->stop;
	return MATE_THERE;
}

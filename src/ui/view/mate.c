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

bool
view_span_end(struct view *v, const struct event *e, int64_t *ts)
{
	const struct spans		*s = spanning_spans(v->spanning);
	const struct span_record	*r;

	spanning_ask(v->spanning);
	r = s != NULL ? longest_of(s, e) : NULL;
	if (r == NULL || r->state != SPAN_PAIRED)
		return false;
	*ts = r->stop < INT64_MAX ? r->stop + 1 : r->stop;
	return true;
}

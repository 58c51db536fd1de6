/*
 * From one end of a span to the other.
 */
#include "ui/view/span_ends.h"

#include "tnav/analysis/spans.h"
#include "tnav/base/units.h"
#include "ui/view/view.h"

/* The longest span that begins at the event, or NULL. */
static const struct span_record *
longest_of(const struct spans *s, const struct event *e)
{
	const struct span_record	*best = NULL;
	int64_t				 most = -1;

	for (uint64_t i = spans_from_moment(s, e->ts, e->off, 0); i < spans_count(s); i++) {
		const struct span_record	*r = spans_at(s, i);
		int64_t				 dur = -1;

		if (r->off != e->off)
			break;
		if (r->row == SPAN_NO_ROW)
			continue;
		(void)spans_dur(s, r, &dur);
		if (best == NULL || dur > most) {
			most = dur;
			best = r;
		}
	}
	return best;
}

enum span_ends
view_span_other_end(struct view *v, const struct event *e, uint64_t *row)
{
	const struct spans		*s = v->deriving.now.of[DERIVED_SPANS];
	const struct span_record	*r = longest_of(s, e);
	uint64_t			 at, span;

	if (r != NULL) {
		*row = r->stop_row;
		return r->stop_row != SPAN_NO_ROW ? ENDS_THERE : ENDS_LOST;
	}
	if (trace_row_of(v->t, e->ts, e->off, &at) != 1 || !spans_stop_at(s, at, &span))
		return ENDS_NONE;
	*row = spans_at(s, span)->row;
	return *row != SPAN_NO_ROW ? ENDS_THERE : ENDS_LOST;
}

/* The innermost span of the thread that is in progress at the event, or NULL. */
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

enum span_ends
span_ends_of(const struct span_record *r, int64_t *from, int64_t *to)
{
	if (r == NULL)
		return ENDS_NONE;
	if (r->state != SPAN_PAIRED)
		return ENDS_LOST;
	*from = r->start;
	*to = r->stop < INT64_MAX ? r->stop + 1 : r->stop;
	return ENDS_THERE;
}

enum span_ends
view_span_times(struct view *v, const struct event *e, uint32_t thread, int64_t *from,
    int64_t *to)
{
	const struct spans		*s = v->deriving.now.of[DERIVED_SPANS];
	const struct span_record	*r = NULL;
	uint64_t			 row, span;

	if (trace_row_of(v->t, e->ts, e->off, &row) != 1)
		return ENDS_NONE;
	if (thread == EVENT_NONE || thread == e->thread) {
		thread = e->thread;
		r = longest_of(s, e);
		if (r == NULL && spans_stop_at(s, row, &span))
			r = spans_at(s, span);
	}
	if (r == NULL)
		r = innermost(s, e, row, thread);
	return span_ends_of(r, from, to);
}

/* ---- in words */

/* "3 events lost on thread 32, 3.203 926 s to 3.593 958 s, or in 8 other gaps" */
static void
put_gap(struct view *v, const struct span_gap *g, struct buf *out)
{
	buf_counts(out, "# event{s} lost on thread ", g->gap.lost);
	view_thread_text(v, g->gap.thread, out);
	buf_puts(out, ", ");
	view_secs(v, g->gap.from, out);
	buf_puts(out, " to ");
	view_secs(v, g->gap.to, out);
	if (g->candidates < 2)
		return;
	buf_counts(out, ", or in # other gap{s}", g->candidates - 1);
}

static void
put_lost(struct view *v, const struct span_record *r, const char *which, struct buf *out)
{
	struct span_gap	g;

	buf_printf(out, "its %s may be among ", which);
	if (spans_gap(v->deriving.now.of[DERIVED_SPANS], r, &g))
		put_gap(v, &g, out);
	else
		buf_puts(out, "lost events");
}

static void
put_paired(struct view *v, const struct span_record *r, struct buf *out)
{
	const struct spans	*s = v->deriving.now.of[DERIVED_SPANS];
	struct span_gap		 g;
	int64_t			 dur;

	if (spans_dur(s, r, &dur)) {
		units_dur(out, dur, v->display.ascii);
		buf_puts(out, ", self ");
		units_dur(out, r->self, v->display.ascii);
	}
	if ((r->flags & SPAN_BY_START) != 0)
		buf_puts(out, ", paired by thread: the stop lacks its activity id");
	if ((r->flags & SPAN_DOUBTFUL) == 0 || !spans_gap(s, r, &g))
		return;
	buf_puts(out, ", doubtful: ");
	put_gap(v, &g, out);
}

void
view_span_text(struct view *v, const struct span_record *r, struct buf *out)
{
	switch ((enum span_state)r->state) {
	case SPAN_PAIRED:
		put_paired(v, r, out);
		break;
	case SPAN_OPEN:
		buf_puts(out, "no end of it is found");
		break;
	case SPAN_LOST_IN_GAP:
		put_lost(v, r, "end", out);
		break;
	case SPAN_REPLACED:
		buf_puts(out, "the next one began before it ended");
		break;
	case SPAN_ORPHAN:
		buf_puts(out, "its start is not in the trace");
		break;
	case SPAN_ORPHAN_WITHOUT_ID:
		buf_puts(out, "it has no activity id of its own, and no single start fits");
		break;
	case SPAN_ORPHAN_AFTER_GAP:
		put_lost(v, r, "start", out);
		break;
	case SPAN_STATES:
		break;
	}
}

const struct span_record *
view_span_known(struct view *v, const struct event *e, unsigned n)
{
	const struct spans	*s = v->deriving.now.of[DERIVED_SPANS];
	uint64_t		 i = spans_from_moment(s, e->ts, e->off, 0) + n;

	return i < spans_count(s) && spans_at(s, i)->off == e->off ? spans_at(s, i) : NULL;
}

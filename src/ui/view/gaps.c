/*
 * Gaps of lost events in the list: where each stands, and going from one to the next.
 *
 *	event  a   b           c	a gap stands in front of the event behind it (anchors), and
 *	gap          >-------<		is known at the one before it, too (prevs)
 */
#include "ui/view/view.h"

#include <stdlib.h>

#include "tnav/base/mem.h"

static int
by_anchor(const void *a, const void *b)
{
	const struct gap_anchor	*x = a, *y = b;

	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	if (x->off != y->off)
		return x->off < y->off ? -1 : 1;
	return (x->gap > y->gap) - (x->gap < y->gap);
}

void
view_gaps_load(struct view *v)
{
	mem_free(v->gaps);
	mem_free(v->anchors);
	mem_free(v->prevs);
	v->gaps = NULL;
	v->nprevs = 0;
	trace_loss(v->t, &v->loss);
	v->ngaps = trace_gaps(v->t, &v->gaps);
	v->anchors = mem_zalloc(v->ngaps + 1, sizeof *v->anchors);
	v->prevs = mem_zalloc(v->ngaps + 1, sizeof *v->prevs);
	for (size_t i = 0; i < v->ngaps; i++) {
		const struct gap	*g = &v->gaps[i];
		bool			 at_after = g->next_off == 0 && g->has_prev;

		v->anchors[i] = (struct gap_anchor){ .ts = at_after ? g->prev_ts : g->to,
		    .off = at_after ? g->prev_off : g->next_off, .gap = (uint32_t)i };
		if (g->has_prev)
			v->prevs[v->nprevs++] = (struct gap_anchor){ .ts = g->prev_ts,
			    .off = g->prev_off, .gap = (uint32_t)i };
	}
	qsort(v->anchors, v->ngaps, sizeof *v->anchors, by_anchor);
	qsort(v->prevs, v->nprevs, sizeof *v->prevs, by_anchor);
}

static int
compare_anchor(const struct gap_anchor *a, int64_t ts, uint64_t off)
{
	if (a->ts != ts)
		return a->ts < ts ? -1 : 1;
	return (a->off > off) - (a->off < off);
}

/* The first of n anchors that is not before (or, with after, behind) the event. */
static size_t
anchor_bound(const struct gap_anchor *a, size_t n, int64_t ts, uint64_t off, bool after)
{
	size_t	lo = 0, hi = n;

	while (lo < hi) {
		size_t	mid = lo + (hi - lo) / 2;
		int	c = compare_anchor(&a[mid], ts, off);

		if (c < 0 || (after && c == 0))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct gap *
view_gap_before(const struct view *v, const struct event *e)
{
	size_t	i = anchor_bound(v->anchors, v->ngaps, e->ts, e->off, false);

	for (; i < v->ngaps; i++) {
		const struct gap	*g = &v->gaps[v->anchors[i].gap];

		if (compare_anchor(&v->anchors[i], e->ts, e->off) != 0)
			break;
		if (g->next_off == e->off)
			return g;
	}
	return NULL;
}

const struct gap *
view_gap_after(const struct view *v, const struct event *e)
{
	size_t	i = anchor_bound(v->prevs, v->nprevs, e->ts, e->off, false);

	if (i == v->nprevs || compare_anchor(&v->prevs[i], e->ts, e->off) != 0)
		return NULL;
	return &v->gaps[v->prevs[i].gap];
}

size_t
view_gaps_behind(const struct view *v, const struct event *e, const struct gap **out, size_t max)
{
	size_t	i = anchor_bound(v->anchors, v->ngaps, e->ts, e->off, false), n = 0;

	for (; i < v->ngaps && n < max; i++) {
		const struct gap	*g = &v->gaps[v->anchors[i].gap];

		if (compare_anchor(&v->anchors[i], e->ts, e->off) != 0)
			break;
		if (g->next_off == 0 && g->has_prev && g->prev_off == e->off)
			out[n++] = g;
	}
	return n;
}

size_t
view_gaps_alone(struct view *v, const struct event *a, const struct event *e,
    const struct gap **out, size_t max)
{
	size_t	i = a != NULL ? anchor_bound(v->anchors, v->ngaps, a->ts, a->off, true) : 0, n = 0;

	for (; v->q == NULL && i < v->ngaps && n < max; i++) {
		const struct gap_anchor	*at = &v->anchors[i];

		if (at->ts >= v->to || (e != NULL && compare_anchor(at, e->ts, e->off) > 0))
			break;
		if (at->off == 0 && at->ts >= v->from)
			out[n++] = &v->gaps[at->gap];
	}
	return n;
}

/* The row to stand on for this gap, if the view shows it, or may show it: then the nearest is. */
static bool
gap_row(struct view *v, const struct gap_anchor *a, uint64_t *row)
{
	if (a->off == 0 || trace_row_of(v->t, a->ts, a->off, row) != 1) {
		if (v->q != NULL)
			return false;
		*row = trace_row_at(v->t, a->ts);
	}
	if (*row < v->row0 || *row >= v->row1)
		return false;
	return v->q == NULL || query_is_hit(v->q, *row) != 0;
}

bool
view_gap_next(struct view *v, int dir, uint32_t thread)
{
	size_t	i = anchor_bound(v->anchors, v->ngaps, v->sel_ts, v->sel_off, dir > 0);
	size_t	hidden = 0;

	while (dir > 0 ? i < v->ngaps : i > 0) {
		const struct gap_anchor	*a = &v->anchors[dir > 0 ? i++ : --i];
		const struct gap	*g = &v->gaps[a->gap];
		struct buf		 text;
		uint64_t		 row;

		if (thread != EVENT_NONE && g->thread != thread)
			continue;
		if (!gap_row(v, a, &row)) {
			hidden++;
			continue;
		}
		if (dir > 0 ? row <= v->sel_row : row >= v->sel_row)
			continue;	/* one stands there already */
		view_remember(v);
		view_select_row(v, row);
		buf_init(&text);
		buf_puts(&text, "thread ");
		view_thread_text(v, g->thread, &text);
		buf_puts(&text, ": ");
		view_gap_text(v, g, &text);
		view_say(v, "%s", buf_str(&text));
		buf_release(&text);
		return true;
	}
	if (v->ngaps == 0) {
		view_say(v, "no events were lost, as far as the trace says");
		return false;
	}
	view_say(v, "no %s gap", dir > 0 ? "later" : "earlier");
	if (thread != EVENT_NONE) {
		buf_puts(&v->message, " on thread ");
		view_thread_text(v, thread, &v->message);
	}
	if (hidden > 0)
		buf_printf(&v->message, " in this window and filter (%zu outside)", hidden);
	return false;
}

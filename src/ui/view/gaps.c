/*
 * Gaps of lost events in the list: their places, and going from one to the next.
 *
 *	event  a   b           c	a gap is placed before the event that ends it (anchors), and
 *	gap          >-------<		is known at the event before it, too (prevs)
 */

#include "ui/view/gaps.h"


#include "tnav/base/array.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "ui/view/view.h"

static int
compare_anchor(const struct gap_anchor *a, int64_t ts, uint64_t off)
{
	if (a->ts != ts)
		return a->ts < ts ? -1 : 1;
	return (a->off > off) - (a->off < off);
}

static int
by_anchor(const void *a, const void *b)
{
	const struct gap_anchor	*x = a, *y = b;
	int			 r = compare_anchor(x, y->ts, y->off);

	return r != 0 ? r : (x->gap > y->gap) - (x->gap < y->gap);
}

void
gaps_release(struct gap_list *l)
{
	mem_free(l->v);
	mem_free(l->anchors);
	mem_free(l->prevs);
	*l = (struct gap_list){ .n = 0 };
}

void
gaps_load(struct gap_list *l, struct trace *t)
{
	gaps_release(l);
	trace_loss(t, &l->loss);
	l->n = trace_gaps(t, &l->v);
	l->anchors = mem_zalloc(l->n + 1, sizeof *l->anchors);
	l->prevs = mem_zalloc(l->n + 1, sizeof *l->prevs);
	for (size_t i = 0; i < l->n; i++) {
		const struct gap	*g = &l->v[i];
		bool			 at_prev = g->next_off == 0 && g->has_prev;

		l->anchors[i] = (struct gap_anchor){ .ts = at_prev ? g->prev_ts : g->to,
		    .off = at_prev ? g->prev_off : g->next_off, .gap = (uint32_t)i };
		if (g->has_prev)
			l->prevs[l->nprevs++] = (struct gap_anchor){ .ts = g->prev_ts,
			    .off = g->prev_off, .gap = (uint32_t)i };
	}
	sort_array(l->anchors, l->n, sizeof *l->anchors, by_anchor);
	sort_array(l->prevs, l->nprevs, sizeof *l->prevs, by_anchor);
}

/* The first of n anchors that is not before the event; with `after`: the first one after it. */
static size_t
anchor_bound(const struct gap_anchor *a, size_t n, int64_t ts, uint64_t off, bool after)
{
	size_t	at = 0;

	BISECT(at, n, i, compare_anchor(&a[i], ts, off) < (after ? 1 : 0));
	return at;
}

const struct gap *
gaps_before(const struct gap_list *l, const struct event *e)
{
	size_t	i = anchor_bound(l->anchors, l->n, e->ts, e->off, false);

	for (; i < l->n; i++) {
		const struct gap	*g = &l->v[l->anchors[i].gap];

		if (compare_anchor(&l->anchors[i], e->ts, e->off) != 0)
			break;
		if (g->next_off == e->off)
			return g;
	}
	return NULL;
}

const struct gap *
gaps_after(const struct gap_list *l, const struct event *e)
{
	size_t	i = anchor_bound(l->prevs, l->nprevs, e->ts, e->off, false);

	if (i == l->nprevs || compare_anchor(&l->prevs[i], e->ts, e->off) != 0)
		return NULL;
	return &l->v[l->prevs[i].gap];
}

size_t
gaps_open_after(const struct gap_list *l, const struct event *e, const struct gap **out, size_t max)
{
	size_t	i = anchor_bound(l->anchors, l->n, e->ts, e->off, false), n = 0;

	for (; i < l->n && n < max; i++) {
		const struct gap	*g = &l->v[l->anchors[i].gap];

		if (compare_anchor(&l->anchors[i], e->ts, e->off) != 0)
			break;
		if (g->next_off == 0 && g->has_prev && g->prev_off == e->off)
			out[n++] = g;
	}
	return n;
}

size_t
view_gaps_alone(const struct view *v, const struct event *a, const struct event *e,
    const struct gap **out, size_t max)
{
	const struct gap_list	*l = &v->gaps;
	size_t			 i = 0, n = 0;

	if (a != NULL)
		i = anchor_bound(l->anchors, l->n, a->ts, a->off, true);
	for (; v->filter.q == NULL && i < l->n && n < max; i++) {
		const struct gap_anchor	*at = &l->anchors[i];

		if (at->ts >= v->window.to || (e != NULL && compare_anchor(at, e->ts, e->off) > 0))
			break;
		if (at->off == 0 && at->ts >= v->window.from)
			out[n++] = &l->v[at->gap];
	}
	return n;
}

/*
 * The row for this gap, or the nearest in time if there is none. False: the window or the filter
 * hides it.
 */
static bool
gap_row(struct view *v, const struct gap_anchor *a, uint64_t *row)
{
	if (a->off == 0 || trace_row_of(v->t, a->ts, a->off, row) != 1) {
		if (v->filter.q != NULL)
			return false;
		*row = trace_row_at(v->t, a->ts);
	}
	if (*row < v->window.row0 || *row >= v->window.row1)
		return false;
	return v->filter.q == NULL || query_is_hit(v->filter.q, *row) != 0;
}

void
view_gap_next(struct view *v, int dir, uint32_t thread)
{
	size_t	i = anchor_bound(v->gaps.anchors, v->gaps.n, v->sel.ts, v->sel.off, dir > 0);
	size_t	hidden = 0;

	while (dir > 0 ? i < v->gaps.n : i > 0) {
		const struct gap_anchor	*a = &v->gaps.anchors[dir > 0 ? i++ : --i];
		const struct gap	*g = &v->gaps.v[a->gap];
		uint64_t		 row;

		if (thread != EVENT_NONE && g->thread != thread)
			continue;
		if (!gap_row(v, a, &row)) {
			hidden++;
			continue;
		}
		if (dir > 0 ? row <= v->sel.row : row >= v->sel.row)
			continue;	/* there is one already */
		view_remember(v);
		view_select_row(v, row);
		view_say(v, "thread ");
		view_thread_text(v, g->thread, &v->message);
		buf_puts(&v->message, ": ");
		view_gap_text(v, g, &v->message);
		return;
	}
	if (v->gaps.n == 0) {
		view_say(v, "no lost events detected");
		return;
	}
	view_say(v, "no %s gap", dir > 0 ? "later" : "earlier");
	if (thread != EVENT_NONE) {
		buf_puts(&v->message, " on thread ");
		view_thread_text(v, thread, &v->message);
	}
	if (hidden > 0)
		buf_printf(&v->message, " in this window and filter (%zu outside)", hidden);
}

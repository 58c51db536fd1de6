/*
 * The list: the rows of the window that the filter lets through, and the selection in it.
 *
 *	trace rows   0 ........ row0 [..........] row1 ........ rows
 *	filter                        . x . x x .             -> index 0 1 2
 *
 * Invariant: the selection stays an event of the window; while settling it may be one that the
 * filter hides, until the nearest shown one is found.
 */
#include "ui/view/view.h"

#include "tnav/base/err.h"

#define SEEK_NS	8000000		/* of a key's time that may go into looking */

uint64_t
view_count(const struct view *v)
{
	return v->filter != NULL ? (v->q != NULL ? query_hits(v->q) : 0) : v->row1 - v->row0;
}

int
view_row(struct view *v, uint64_t index, uint64_t *row)
{
	if (index >= view_count(v))
		return 0;
	if (v->q != NULL)
		return view_filtered_row(v, index, row);
	*row = v->row0 + index;
	return 1;
}

int
view_event(struct view *v, uint64_t index, struct event *e, uint64_t *row)
{
	return view_row(v, index, row) == 1 && trace_event(v->t, *row, e) == 1;
}

uint64_t
view_index(struct view *v)
{
	uint64_t	n = view_count(v), i;

	if (n == 0 || !v->has_sel)
		return 0;
	i = v->q != NULL ? query_index(v->q, v->sel_row) :
	    v->sel_row > v->row0 ? v->sel_row - v->row0 : 0;
	return i < n ? i : n - 1;
}

static void
select_exactly(struct view *v, uint64_t row)
{
	struct event	e;

	if (trace_event(v->t, row, &e) != 1)
		return;
	if (!v->has_sel || v->sel_ts != e.ts || v->sel_off != e.off || v->sel_row != row)
		view_change(v, VIEW_SELECTION);
	v->has_sel = true;
	v->sel_ts = e.ts;
	v->sel_off = e.off;
	v->sel_row = row;
}

static uint64_t
distance(int64_t a, int64_t b)
{
	return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

/* Of the shown events at or around the selection take the nearest in time. */
void
view_settle(struct view *v, int64_t budget_ns)
{
	struct event	ea, eb;
	uint64_t	ra, rb;
	int64_t		ts = v->sel_ts;
	int		a, b;

	a = query_seek(v->q, v->sel_row, 1, budget_ns, &ra);
	if (a == 1 && ra == v->sel_row) {
		v->settling = false;
		return;
	}
	b = query_seek(v->q, v->sel_row, -1, budget_ns, &rb);
	if (a == ERR_CANCELED || b == ERR_CANCELED)
		return;
	v->settling = false;
	a = a == 1 && trace_event(v->t, ra, &ea) == 1;
	b = b == 1 && trace_event(v->t, rb, &eb) == 1;
	if (a && (!b || distance(ea.ts, ts) <= distance(eb.ts, ts)))
		select_exactly(v, ra);
	else if (b)
		select_exactly(v, rb);
}

void
view_select_row(struct view *v, uint64_t row)
{
	if (v->row0 >= v->row1)
		return;
	if (row < v->row0)
		row = v->row0;
	if (row >= v->row1)
		row = v->row1 - 1;
	select_exactly(v, row);
	v->settling = v->q != NULL;
	if (v->settling)
		view_settle(v, SEEK_NS);
}

void
view_select_toward(struct view *v, uint64_t row, int dir)
{
	uint64_t	to;

	if (v->q != NULL && query_seek(v->q, row, dir, SEEK_NS, &to) == 1)
		row = to;
	view_select_row(v, row);
}

void
view_select(struct view *v, uint64_t index)
{
	uint64_t	row, n = view_count(v);

	if (n == 0)
		return;
	if (view_row(v, index < n ? index : n - 1, &row) == 1) {
		v->settling = false;
		select_exactly(v, row);
	}
}

void
view_select_event(struct view *v, int64_t ts, uint64_t off)
{
	uint64_t	row;

	if (trace_row_of(v->t, ts, off, &row) != 1)
		row = trace_row_at(v->t, ts);
	view_select_row(v, row);
}

int
view_selected(struct view *v, struct event *e)
{
	if (!v->has_sel || view_count(v) == 0)
		return 0;
	return trace_event(v->t, v->sel_row, e) == 1;
}

int64_t
view_now_ns(struct view *v)
{
	return v->has_sel ? trace_ns(v->t, v->sel_ts) : 0;
}

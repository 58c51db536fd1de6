/*
 * The selection: an event of the list.
 *
 * Invariant: it is an event of the window. While settling, the filter may hide it, until the
 * nearest visible one is found.
 */
#include "ui/view/selection.h"

#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "ui/view/view.h"

/* Time of a key for searching, in a small or a large window. */
#define SMALL_NS	8000000
#define LARGE_NS	1000000

static int64_t
seek_ns(const struct view *v)
{
	return v->window.row1 - v->window.row0 <= WINDOW_SMALL ? SMALL_NS : LARGE_NS;
}

uint64_t
view_index(struct view *v)
{
	uint64_t	n = view_count(v), i;

	if (n == 0 || !v->sel.has)
		return 0;
	i = v->filter.q != NULL ? query_index(v->filter.q, v->sel.row) :
	    v->sel.row > v->window.row0 ? v->sel.row - v->window.row0 : 0;
	return i < n ? i : n - 1;
}

static void
select_exactly(struct view *v, uint64_t row)
{
	struct event	e;

	if (trace_event(v->t, row, &e) != 1)
		return;
	if (!v->sel.has || v->sel.ts != e.ts || v->sel.off != e.off || v->sel.row != row)
		view_change(v, VIEW_SELECTION);
	v->sel.has = true;
	v->sel.to_last = false;
	v->sel.ts = e.ts;
	v->sel.off = e.off;
	v->sel.row = row;
}

static uint64_t
distance(int64_t a, int64_t b)
{
	return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

/* Select the visible event nearest in time to the selection. */
void
view_settle(struct view *v, int64_t budget_ns)
{
	struct event	ea, eb;
	uint64_t	ra, rb;
	int64_t		ts = v->sel.ts, until = job_now_ns() + budget_ns;
	int		a, b;

	a = query_seek(v->filter.q, v->sel.row, 1, budget_ns, &ra);
	if (a == 1 && ra == v->sel.row) {
		v->sel.settling = false;
		return;
	}
	b = query_seek(v->filter.q, v->sel.row, -1, until - job_now_ns(), &rb);
	if (a == ERR_CANCELED || b == ERR_CANCELED)
		return;
	v->sel.settling = false;
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
	if (v->window.row0 >= v->window.row1)
		return;
	if (row < v->window.row0)
		row = v->window.row0;
	if (row >= v->window.row1)
		row = v->window.row1 - 1;
	select_exactly(v, row);
	v->sel.settling = v->filter.q != NULL;
	if (v->sel.settling)
		view_settle(v, seek_ns(v));
}

void
view_select_toward(struct view *v, uint64_t row, int dir)
{
	uint64_t	to;

	if (v->filter.q != NULL && query_seek(v->filter.q, row, dir, seek_ns(v), &to) == 1)
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
		v->sel.settling = false;
		select_exactly(v, row);
	}
}

void
view_select_last_anew(struct view *v)
{
	if (!v->sel.to_last)
		return;
	view_select(v, UINT64_MAX);
	v->sel.to_last = (!v->complete && v->window.rows < v->sel.due) ||
	    (v->filter.q != NULL && !query_done(v->filter.q) && !v->stopped);
}

void
view_select_last(struct view *v)
{
	struct trace_progress	p;

	trace_progress(v->t, &p);
	v->sel.due = p.events > 0 ? p.events : 1;
	v->sel.to_last = true;
	view_select_last_anew(v);
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
	if (!v->sel.has || view_count(v) == 0)
		return 0;
	return trace_event(v->t, v->sel.row, e) == 1;
}

int64_t
view_now_ns(const struct view *v)
{
	return v->sel.has ? trace_ns(v->t, v->sel.ts) : 0;
}

struct filter *
view_compile(const struct view *v, struct span expr, int64_t now_ns, struct buf *why)
{
	struct filter_error	 err = { 0 };
	struct filter		*f;
	int			 r;

	r = filter_new(&f, (const char *)expr.p, expr.len, v->t, false, now_ns, &err);
	if (r < 0 && why != NULL)
		buf_puts(why, buf_str(&err.text));
	filter_error_release(&err);
	return f;
}

struct query *
view_query(struct view *v, struct span expr, int64_t now_ns, struct buf *why)
{
	struct filter	*f = view_compile(v, expr, now_ns, why);

	if (f == NULL)
		return NULL;
	deriving_need(&v->deriving, filter_needs(f, v->t));
	return query_new(v->t, f, v->window.row0, v->window.row1, v->sel.row);
}

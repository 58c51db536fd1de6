/*
 * The window of time: which rows lie in it, and what is asked anew when it or the filter changes.
 *
 * Invariant: row0 <= row1; q exists exactly when filter does and looks at rows of the window.
 */
#include "ui/view/view.h"

#include "tnav/base/mem.h"

#define WHOLE_NS	30000000	/* of a key's time that may go into another list */

bool
view_window_choose(struct view *v, bool whole, int64_t from, int64_t to)
{
	if (whole == v->whole && (whole || (from == v->from && to == v->to)))
		return false;
	v->whole = whole;
	v->from = from;
	v->to = to;
	view_change(v, VIEW_WINDOW | VIEW_ROWS);
	return true;
}

void
view_find_rows(struct view *v)
{
	int64_t		from = v->from, to = v->to;
	uint64_t	row0 = v->row0, row1 = v->row1;

	v->any = trace_range(v->t, &v->first, &v->last);
	if (v->whole && v->any) {
		v->from = v->first;
		v->to = v->last < INT64_MAX ? v->last + 1 : v->last;
	}
	/* A window asked for at the start may reach beyond the trace: now that is known. */
	if (!v->whole && v->any && v->complete) {
		if (v->from < v->first && v->to > v->first)
			v->from = v->first;
		if (v->to > v->last && v->from <= v->last && v->last < INT64_MAX)
			v->to = v->last + 1;
	}
	v->row0 = v->whole ? 0 : trace_row_at(v->t, v->from);
	v->row1 = v->whole ? trace_rows(v->t) : trace_row_at(v->t, v->to);
	if (v->row1 < v->row0)
		v->row1 = v->row0;
	if (v->from != from || v->to != to || v->row0 != row0 || v->row1 != row1)
		view_change(v, VIEW_ROWS);
}

static struct query *
query_of(struct view *v, const struct buf *expr, bool strict)
{
	struct filter_error	 err;
	struct filter		*f;
	struct query		*q = NULL;

	filter_error_init(&err);
	if (filter_new(&f, expr->p, expr->len, v->t, strict, view_now_ns(v), &err) == 0)
		q = query_new(v->t, f, v->row0, v->row1, v->sel_row);
	filter_error_release(&err);
	return q;
}

/* Ask anew, because the window or what is to be found has changed. */
void
view_ask_anew(struct view *v)
{
	struct buf	expr;

	query_free(v->q);
	query_free(v->search.hits);
	v->q = v->search.hits = NULL;
	view_walk_forget(v);
	view_rows_forget(v);
	v->search.seeking = v->stopped = false;
	view_change(v, VIEW_FILTER | VIEW_SEARCH);
	v->q_row0 = v->row0;
	v->q_row1 = v->row1;
	buf_init(&expr);
	if (v->filter != NULL) {
		buf_puts(&expr, v->filter);
		v->q = query_of(v, &expr, false);
	}
	if (v->search.pattern != NULL) {
		buf_clear(&expr);
		view_pattern_filter(v, v->search.pattern, &expr);
		v->search.hits = query_of(v, &expr, false);
	}
	buf_release(&expr);
}

/* The window or the filter is another: the same event stays, or the nearest. */
void
view_window_changed(struct view *v)
{
	view_find_rows(v);
	view_ask_anew(v);
	view_select_row(v, v->has_sel ? v->sel_row : v->row0);
	/* What is small is whole at once, so that keys typed ahead find it so. */
	(void)view_step(v, WHOLE_NS);
}

bool
view_window(struct view *v, int64_t from, int64_t to)
{
	int64_t	end = v->last < INT64_MAX ? v->last + 1 : v->last;
	bool	whole;

	if (!v->any)
		return false;
	if (from < v->first)
		from = v->first;
	if (to > end)
		to = end;
	if (to <= from)		/* one tick at the least, inside the trace */
		to = (from = from < end ? from : end - 1) + 1;
	whole = from <= v->first && to >= end;
	if (whole == v->whole && from == v->from && to == v->to)
		return false;
	view_remember(v);
	(void)view_window_choose(v, whole, from, to);
	view_window_changed(v);
	return true;
}

void
view_window_all(struct view *v)
{
	if (v->whole)
		return;
	view_remember(v);
	(void)view_window_choose(v, true, v->from, v->to);
	view_window_changed(v);
}

void
view_window_fixed(struct view *v, int64_t from, int64_t to)
{
	if (to <= from)
		to = from < INT64_MAX ? from + 1 : from;
	(void)view_window_choose(v, false, from, to);
	view_window_changed(v);
}

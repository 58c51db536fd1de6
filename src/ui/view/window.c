/*
 * The window of time: the rows in it, and what runs again when it or the filter changes.
 *
 * Invariant: row0 <= row1; q exists if and only if there is a filter, and covers the rows of the
 * window.
 */

#include "ui/view/window.h"

#include "tnav/base/job.h"
#include "tnav/base/units.h"
#include "tnav/engine/head.h"
#include "ui/view/view.h"

#define WHOLE_NS	100000000	/* time of a key that may be spent on a new list */

bool
view_window_choose(struct view *v, bool whole, int64_t from, int64_t to)
{
	struct window	*w = &v->window;

	if (whole == w->whole && (whole || (from == w->from && to == w->to)))
		return false;
	w->whole = whole;
	w->from = from;
	w->to = to;
	view_change(v, VIEW_WINDOW | VIEW_ROWS);
	return true;
}

void
view_window_text(struct trace *t, const struct window *w, struct buf *out)
{
	int64_t		from = trace_ns(t, w->from), to = trace_ns(t, w->to);
	double		len = (double)to - (double)from;
	unsigned	decimals = len > 1e8 ? 3 : len > 1e5 ? 6 : 9;

	units_secs(out, from, decimals);
	buf_puts(out, " \xe2\x80\xa6 ");
	units_secs(out, to, decimals);
	buf_puts(out, " s");
}

void
view_find_rows(struct view *v)
{
	struct window		*w = &v->window, old = *w;
	struct trace_head	 head;

	w->any = trace_range(v->t, &w->first, &w->last);
	if (w->whole && w->any) {
		w->from = w->first;
		w->to = w->last < INT64_MAX ? w->last + 1 : w->last;
	}
	/* A window that was requested at the start may extend beyond the trace, whose times are
	   known now. */
	if (!w->whole && w->any && v->complete) {
		if (w->from < w->first && w->to > w->first)
			w->from = w->first;
		if (w->to > w->last && w->from <= w->last && w->last < INT64_MAX)
			w->to = w->last + 1;
	}
	w->rows = trace_rows(v->t);
	trace_head(v->t, &head);
	w->head = head.row;
	w->row0 = w->whole ? w->head : trace_row_at(v->t, w->from);
	w->row1 = w->whole ? w->rows : trace_row_at(v->t, w->to);
	if (w->row1 < w->row0)
		w->row1 = w->row0;
	if (w->from != old.from || w->to != old.to || w->row0 != old.row0 || w->row1 != old.row1)
		view_change(v, VIEW_ROWS);
}

static void
ask(struct view *v, enum asking how)
{
	struct buf	expr = { 0 };

	if (how == ASK_ANEW)
		view_seek_stop(v);
	view_pause(v);
	query_free(v->filter.q);
	query_free(v->search.hits);
	v->filter.q = v->search.hits = NULL;
	walk_forget(&v->walk);
	view_rows_forget(v);
	v->stopped = false;
	v->begun_ns = job_now_ns();
	v->took_ns = -1;
	view_change(v, VIEW_FILTER | VIEW_SEARCH);
	v->filter.row0 = v->window.row0;
	v->filter.row1 = v->window.row1;
	if (v->filter.text != NULL)
		v->filter.q = view_query(v, span_of(v->filter.text), v->filter.now_ns, NULL);
	if (v->search.pattern != NULL) {
		view_pattern_filter(v, v->search.pattern, &expr);
		v->search.hits = view_query(v, span_of_buf(&expr), v->filter.now_ns, NULL);
	}
	buf_release(&expr);
}

static void
seek_on(struct view *v)
{
	view_walk_more(v);
	view_search_more(v, true);
}

void
view_ask(struct view *v, enum asking how)
{
	ask(v, how);
	seek_on(v);
}

/* Keep the selected event, or select the nearest. */
void
view_list_changed(struct view *v, enum asking how)
{
	view_change(v, VIEW_SCOPE);
	view_find_rows(v);
	ask(v, how);
	view_select_row(v, v->sel.has ? v->sel.row : v->window.row0);
	seek_on(v);
	/* A small window is complete immediately, so that keys typed ahead find it so. */
	if (v->window.row1 - v->window.row0 <= WINDOW_SMALL)
		(void)view_step(v, WORK_LIST, WHOLE_NS);
}

bool
view_window(struct view *v, int64_t from, int64_t to)
{
	const struct window	*w = &v->window;
	int64_t			 end = w->last < INT64_MAX ? w->last + 1 : w->last;
	bool			 whole;

	if (!w->any)
		return false;
	if (from < w->first)
		from = w->first;
	if (to > end)
		to = end;
	if (to <= from) {	/* at least one tick, inside the trace */
		from = from < end ? from : end - 1;
		to = from + 1;
	}
	whole = from <= w->first && to >= end;
	if (whole == w->whole && from == w->from && to == w->to)
		return false;
	view_remember(v);
	(void)view_window_choose(v, whole, from, to);
	view_list_changed(v, ASK_ANEW);
	return true;
}

void
view_window_all(struct view *v)
{
	if (v->window.whole)
		return;
	view_remember(v);
	(void)view_window_choose(v, true, v->window.from, v->window.to);
	view_list_changed(v, ASK_ANEW);
}

void
view_window_reach(struct view *v, int64_t ts)
{
	const struct window	*w = &v->window;
	uint64_t		 len = (uint64_t)w->to - (uint64_t)w->from;
	int64_t			 from, to;

	if (w->whole || (ts >= w->from && ts < w->to))
		return;
	if (__builtin_sub_overflow(ts, len / 2, &from))
		from = w->first;
	if (__builtin_add_overflow(from, len, &to))
		to = INT64_MAX;
	(void)view_window(v, from, to);
}

void
view_window_fixed(struct view *v, int64_t from, int64_t to)
{
	if (to <= from)
		to = from < INT64_MAX ? from + 1 : from;
	(void)view_window_choose(v, false, from, to);
	view_list_changed(v, ASK_ANEW);
}

/*
 * The state that all panes show: the window of time and the filter make a list of rows, and the
 * selection is an event in it.
 *
 *	trace rows   0 ........ row0 [..........] row1 ........ rows
 *	filter                        . x . x x .             -> index 0 1 2
 *
 * Invariant: row0 <= row1; q exists exactly when filter does and looks at rows of the window. The
 * selection stays an event of the window; while settling it may be one that the filter hides,
 * until the nearest shown one is found.
 */
#include "ui/view/view.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/mem.h"

#define SEEK_NS		8000000		/* of a key's time that may go into looking */
#define WHOLE_NS	30000000	/* ... likewise, for another list */
#define PLACES_MAX	200
#define LIST_MOST	400u		/* bytes of an array or object that stand in one line */

static void
place_release(struct place *p)
{
	mem_free(p->filter);
	p->filter = NULL;
}

static void
places_clear(struct places *ps)
{
	for (size_t i = 0; i < ps->n; i++)
		place_release(&ps->v[i]);
	ps->n = 0;
}

void
view_init(struct view *v, struct trace *t, bool ascii)
{
	*v = (struct view){ .t = t, .ascii = ascii, .whole = true, .tid_width = 3,
	    .lanes.of = TALLY_FILTERED, .ticks.of = TALLY_HITS, .bar.of = TALLY_PLACES };
	buf_init(&v->message);
	v->reader = field_reader_new(t, &(struct field_options){ .words = WORDS_ALL,
	    .most = LIST_MOST });
	v->gen = trace_generation(t) - 1;
	columns_default(&v->columns);
	v->columns.has = trace_info(t)->has;
	(void)view_refresh(v);
}

void
view_release(struct view *v)
{
	field_reader_free(v->reader);
	query_free(v->q);
	query_free(v->search.hits);
	glance_free(v->search.glance);
	view_tally_release(&v->tally);
	view_tally_release(&v->lanes);
	view_tally_release(&v->ticks);
	view_tally_release(&v->bar);
	marks_release(&v->marks);
	mem_free(v->search.pattern);
	mem_free(v->filter);
	view_filters_release(v);
	mem_free(v->gaps);
	mem_free(v->anchors);
	mem_free(v->prevs);
	places_clear(&v->back);
	places_clear(&v->forward);
	mem_free(v->back.v);
	mem_free(v->forward.v);
	view_walk_release(v);
	columns_release(&v->columns);
	rules_release(&v->rules);
	buf_release(&v->message);
}

void
view_say(struct view *v, const char *fmt, ...)
{
	va_list	ap;

	buf_clear(&v->message);
	va_start(ap, fmt);
	buf_vprintf(&v->message, fmt, ap);
	va_end(ap);
}

/* ---- filter and search as queries over the window */

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
static void
ask_anew(struct view *v)
{
	struct buf	expr;

	query_free(v->q);
	query_free(v->search.hits);
	v->q = v->search.hits = NULL;
	view_walk_forget(v);
	view_rows_forget(v);
	v->search.seeking = v->stopped = false;
	v->asked++;
	v->sought++;
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

/* ---- the selection */

static void
select_exactly(struct view *v, uint64_t row)
{
	struct event	e;

	if (trace_event(v->t, row, &e) != 1)
		return;
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
static void
settle(struct view *v, int64_t budget_ns)
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
		settle(v, SEEK_NS);
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

/* ---- the list */

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

/* ---- what the index brings */

static void
find_rows(struct view *v)
{
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
}

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

static void
load_gaps(struct view *v)
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

bool
view_several_processes(const struct thread_stat *st, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (st[i].has_pid && st[0].has_pid && st[i].pid != st[0].pid)
			return true;
	return false;
}

static void
measure_threads(struct view *v)
{
	struct thread_stat	*st;
	size_t			 n = trace_thread_stats(v->t, &st);

	for (size_t i = 0; i < n; i++) {
		unsigned	digits = 1;

		for (uint64_t id = st[i].has_tid ? st[i].tid : st[i].thread_index; id > 9; id /= 10)
			digits++;
		if (digits > v->tid_width)
			v->tid_width = digits > 10 ? 10 : digits;
		if (st[i].name != NULL)
			v->columns.has |= HAS_NAMES;
	}
	if (view_several_processes(st, n))
		v->columns.has |= HAS_PROCESSES;
	mem_free(st);
}

bool
view_order_stays(const struct view *v, uint64_t rows, size_t threads, size_t n)
{
	return !v->complete && threads == n && trace_rows(v->t) < rows * 2;
}

static void
count_providers(struct view *v)
{
	struct type_stat	*st;
	const char		*one = NULL;
	size_t			 n;

	if (v->several_providers)
		return;		/* for good */
	n = trace_type_stats(v->t, &st);
	for (size_t i = 0; i < n && !v->several_providers; i++) {
		const char	*name = trace_type(v->t, st[i].type)->provider;

		if (st[i].c.events == 0)
			continue;
		v->several_providers = one != NULL && strcmp(name, one) != 0;
		one = name;
	}
	mem_free(st);
}

bool
view_refresh(struct view *v)
{
	uint64_t	gen = trace_generation(v->t), row;
	bool		complete = trace_index_done(v->t);

	if (gen == v->gen && complete == v->complete)
		return false;
	v->gen = gen;
	v->complete = complete;
	find_rows(v);
	load_gaps(v);
	measure_threads(v);
	count_providers(v);
	if (v->has_sel && trace_row_of(v->t, v->sel_ts, v->sel_off, &row) == 1)
		v->sel_row = row;
	/* Growing twofold before asking anew keeps the work linear in the trace. */
	if ((v->filter != NULL || v->search.pattern != NULL) && (v->row1 != v->q_row1) &&
	    (complete || v->row1 - v->row0 >= 2 * (v->q_row1 - v->q_row0)))
		ask_anew(v);
	if (!v->has_sel)
		view_select_row(v, v->row0);
	return true;
}

bool
view_busy(const struct view *v)
{
	return v->settling || v->search.seeking || v->walk.seeking || view_tally_busy(v) ||
	    query_pending(v->q) || query_pending(v->search.hits) ||
	    glance_pending(v->rules.glance) || glance_pending(v->search.glance) ||
	    (!v->stopped && ((v->q != NULL && !query_done(v->q)) ||
	    (v->search.hits != NULL && !query_done(v->search.hits))));
}

/* ---- places */

static void
places_push(struct places *ps, struct place p)
{
	if (ps->n == PLACES_MAX) {
		place_release(&ps->v[0]);
		memmove(ps->v, ps->v + 1, (ps->n - 1) * sizeof *ps->v);
		ps->n--;
	}
	ps->v = mem_grow(ps->v, &ps->cap, ps->n + 1, sizeof *ps->v);
	ps->v[ps->n++] = p;
}

static struct place
place_here(const struct view *v)
{
	return (struct place){ .whole = v->whole, .from = v->from, .to = v->to,
	    .has_sel = v->has_sel, .ts = v->sel_ts, .off = v->sel_off,
	    .filter = v->filter != NULL ? mem_strdup(v->filter) : NULL };
}

/* Is the last of the places where one is already? */
static bool
stands_there(const struct view *v, const struct places *ps)
{
	const struct place	*top = ps->n > 0 ? &ps->v[ps->n - 1] : NULL;

	return top != NULL && top->whole == v->whole && top->from == v->from &&
	    top->to == v->to && top->ts == v->sel_ts && top->off == v->sel_off &&
	    (top->filter == NULL) == (v->filter == NULL) &&
	    (v->filter == NULL || strcmp(v->filter, top->filter) == 0);
}

void
view_remember(struct view *v)
{
	places_clear(&v->forward);
	if (!stands_there(v, &v->back))
		places_push(&v->back, place_here(v));
}

bool
view_back(struct view *v, bool forward)
{
	struct places	*from = forward ? &v->forward : &v->back;
	struct places	*to = forward ? &v->back : &v->forward;
	struct place	 p;

	while (stands_there(v, from))	/* a jump that led nowhere */
		place_release(&from->v[--from->n]);
	if (from->n == 0)
		return false;
	places_push(to, place_here(v));
	p = from->v[--from->n];
	v->whole = p.whole;
	v->from = p.from;
	v->to = p.to;
	mem_free(v->filter);
	v->filter = p.filter;		/* it moves */
	view_filters_sync(v);
	find_rows(v);
	ask_anew(v);
	if (p.has_sel)
		view_select_event(v, p.ts, p.off);
	return true;
}

/* ---- window and filter */

/* The window or the filter is another: the same event stays, or the nearest. */
static void
window_changed(struct view *v)
{
	find_rows(v);
	ask_anew(v);
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
	v->whole = whole;
	v->from = from;
	v->to = to;
	window_changed(v);
	return true;
}

void
view_window_all(struct view *v)
{
	if (v->whole)
		return;
	view_remember(v);
	v->whole = true;
	window_changed(v);
}

void
view_window_fixed(struct view *v, int64_t from, int64_t to)
{
	v->whole = false;
	v->from = from;
	v->to = to > from ? to : from < INT64_MAX ? from + 1 : from;
	window_changed(v);
}

void
view_stop(struct view *v)
{
	v->settling = v->search.seeking = v->walk.seeking = false;
	v->stopped = true;
	query_rest(v->q);
	query_rest(v->search.hits);
	query_rest(v->walk.q);
	view_tally_stop(v);
}

bool
view_set_filter(struct view *v, const char *text)
{
	struct filter_error	 err;
	struct filter		*f = NULL;
	bool			 none = text == NULL || text[strspn(text, " \t")] == '\0';
	int			 r;

	filter_error_init(&err);
	r = none ? 0 : filter_new(&f, text, strlen(text), v->t, v->complete, view_now_ns(v), &err);
	filter_free(f);
	if (r < 0)
		view_say(v, "filter, column %zu: %s", filter_error_column(&err, text),
		    buf_str(&err.text));
	else if (!none && err.text.len > 0)
		view_say(v, "%s", buf_str(&err.text));
	filter_error_release(&err);
	if (r < 0)
		return false;
	view_remember(v);
	mem_free(v->filter);
	v->filter = none ? NULL : mem_strdup(text);
	view_filters_sync(v);
	window_changed(v);
	return true;
}

bool
view_step(struct view *v, int64_t budget_ns)
{
	if (v->settling)
		settle(v, budget_ns);
	else if (v->search.seeking)
		view_search_next(v, 0);
	else if (v->walk.seeking)
		view_walk_on(v);
	else if (glance_pending(v->rules.glance))
		glance_wait(v->rules.glance, budget_ns);
	else if (glance_pending(v->search.glance))
		glance_wait(v->search.glance, budget_ns);
	else if (query_pending(v->q))
		query_wait(v->q, budget_ns);
	else if (query_pending(v->search.hits))
		query_wait(v->search.hits, budget_ns);
	else if (view_tally_busy(v) && v->turn++ % 2 == 0)	/* all get their share */
		view_tally_step(v, budget_ns);
	else if (v->stopped && !view_tally_busy(v))
		return false;
	else if (!v->stopped && v->q != NULL && !query_done(v->q))
		(void)query_step(v->q, budget_ns);
	else if (!v->stopped && v->search.hits != NULL && !query_done(v->search.hits))
		(void)query_step(v->search.hits, budget_ns);
	else
		view_tally_step(v, budget_ns);
	return view_busy(v);
}

/*
 * The state that all panes show, as a whole: its begin, its end, and what the index brings.
 *
 *	view.c -> filter.c -> window.c -> step.c -> search.c walk.c tally.c -> list.c
 *	                  -> history.c              all of them -> display.c
 *
 * Invariant: no file here uses one that stands to its left.
 */
#include "ui/view/view.h"

#include <stdlib.h>
#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/mem.h"

#define LIST_MOST	400u		/* bytes of an array or object that stand in one line */

void
view_init(struct view *v, struct trace *t, bool ascii)
{
	*v = (struct view){ .t = t, .ascii = ascii, .whole = true, .tid_width = 3,
	    .tally.tells = VIEW_COUNTS, .lanes.tells = VIEW_LANES,
	    .lanes.of = TALLY_FILTERED, .ticks.of = TALLY_HITS, .bar.of = TALLY_PLACES };
	view_change(v, ~0u);
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
	view_history_release(v);
	view_walk_release(v);
	columns_release(&v->columns);
	rules_release(&v->rules);
	buf_release(&v->message);
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
	view_change(v, VIEW_INDEX);
	view_find_rows(v);
	view_gaps_load(v);
	measure_threads(v);
	count_providers(v);
	if (v->has_sel && trace_row_of(v->t, v->sel_ts, v->sel_off, &row) == 1)
		v->sel_row = row;
	/* Growing twofold before asking anew keeps the work linear in the trace. */
	if ((v->filter != NULL || v->search.pattern != NULL) && (v->row1 != v->q_row1) &&
	    (complete || v->row1 - v->row0 >= 2 * (v->q_row1 - v->q_row0)))
		view_ask_anew(v);
	if (!v->has_sel)
		view_select_row(v, v->row0);
	return true;
}

static bool
same_text(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return strcmp(a, b) == 0;
}

bool
view_back(struct view *v, bool forward)
{
	struct place	p;
	bool		another;

	if (!view_take_place(v, forward, &p))
		return false;
	another = view_window_choose(v, p.whole, p.from, p.to) || !same_text(v->filter, p.filter);
	mem_free(v->filter);
	v->filter = p.filter;		/* it moves */
	view_filters_sync(v);
	view_find_rows(v);
	if (another)
		view_ask_anew(v);
	if (p.has_sel)
		view_select_event(v, p.ts, p.off);
	return true;
}

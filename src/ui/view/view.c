/*
 * The state that all panes show: creating and releasing it, and updating it from the index.
 *
 *	view.c -> tasks.c
 *	view.c -> filter.c -> window.c -> step.c -> search.c tally.c
 *	        range.c   -> history.c           -> selection.c -> list.c -> rows.c
 *	all of them -> words.c
 *
 * Invariant: no file here uses one to its left.
 */
#include "ui/view/view.h"

#include <string.h>

#include "tnav/analysis/origin.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"

#define ASK_SHARE	4		/* a followed trace is queried for at most a quarter of
					   the time */
#define MORE_NS		20000000	/* of a refresh, for querying more rows */

void
view_init(struct view *v, struct trace *t, bool ascii)
{
	*v = (struct view){ .t = t, .window.whole = true, .tasks = view_tasks,
	    .comparison.v = v, .reporting.v = v };
	view_frame_begin(v);
	view_change(v, ~0u);
	tallies_init(&v->tallies);
	display_init(&v->display, trace_info(t)->has, ascii);
	v->reader = field_reader_new(t, &field_at_options);
	deriving_init(&v->deriving, v);
	calls_init(&v->calls, v);
	v->gen = trace_generation(t) - 1;
	(void)view_refresh(v);
}

void
view_release(struct view *v)
{
	reporting_release(&v->reporting);
	calls_release(&v->calls);
	comparison_release(&v->comparison);
	field_reader_free(v->reader);
	view_filter_release(&v->filter);
	query_free(v->preview);
	search_release(&v->search);
	walk_release(&v->walk);
	if (v->origin != NULL)
		origin_release(v->origin);
	mem_free(v->origin);
	view_history_release(&v->history);
	tallies_release(&v->tallies);
	marks_release(&v->marks);
	gaps_release(&v->gaps);
	display_release(&v->display);
	buf_release(&v->message);
	messages_release(&v->messages);
	trace_settle(v->t);		/* jobs that were given up may read what is lent */
	deriving_release(&v->deriving);
}

bool
view_order_stays(const struct view *v, uint64_t rows, size_t threads, size_t n)
{
	return !v->complete && threads == n && trace_rows(v->t) < rows * 2;
}

/* Update the progress of the index, for input that still arrives. */
static void
take_progress(struct view *v)
{
	struct trace_progress	p;

	trace_progress(v->t, &p);
	v->following = p.following;
	v->rests = p.following && p.all_shown;
	v->sure = p.following || p.spooling ? p.rows_final : UINT64_MAX;
}

bool
view_may_ask(struct view *v)
{
	/* A short time after each change of the trace. */
	return !view_step(v, WORK_LIST, MORE_NS) && v->took_ns >= 0 &&
	    job_now_ns() - v->begun_ns >= ASK_SHARE * v->took_ns;
}

/*
 * Should the filter and the search run again, because there are more rows? Waiting until rows have
 * doubled keeps the work linear in the trace. A followed trace is queried more often, so that
 * matches appear soon, but not most of the time.
 */
static bool
ask_of_more(struct view *v)
{
	uint64_t	n = v->window.row1 - v->window.row0;

	v->behind = false;
	if ((v->filter.text == NULL && v->search.pattern == NULL) ||
	    v->window.row1 == v->filter.row1)
		return false;
	if (v->complete || n >= 2 * (v->filter.row1 - v->filter.row0))
		return true;
	if (!v->following)
		return false;
	v->behind = !view_may_ask(v);
	return !v->behind;
}

bool
view_refresh(struct view *v)
{
	uint64_t	gen = trace_generation(v->t), row;
	bool		complete = trace_index_done(v->t);

	if (gen == v->gen && complete == v->complete && !v->behind)
		return false;
	take_progress(v);
	v->gen = gen;
	v->complete = complete;
	view_change(v, VIEW_INDEX);
	view_find_rows(v);
	gaps_load(&v->gaps, v->t);
	display_follow(&v->display, v->t);
	if (v->sel.has && trace_row_of(v->t, v->sel.ts, v->sel.off, &row) == 1)
		v->sel.row = row;
	if (ask_of_more(v)) {
		view_ask(v, ASK_AGAIN);
		if (v->following)
			(void)view_step(v, WORK_LIST, MORE_NS);
	} else {
		view_walk_more(v);
		view_search_more(v, false);
	}
	view_select_last_anew(v);
	if (!v->sel.has && !v->sel.to_last)
		view_select_row(v, v->window.row0);
	return true;
}

bool
view_back(struct view *v, bool forward)
{
	struct position	p;
	bool		another;

	if (!view_take_place(v, forward, &p))
		return false;
	another = view_window_choose(v, p.whole, p.from, p.to) ||
	    !text_same(v->filter.text, p.filter);
	mem_free(v->filter.text);
	v->filter.text = p.filter;		/* ownership moves */
	view_filter_sync(&v->filter);
	view_find_rows(v);
	v->filter.now_ns = view_now_ns(v);
	if (another) {
		view_change(v, VIEW_SCOPE);
		view_ask(v, ASK_ANEW);
	}
	if (p.has_sel)
		view_select_event(v, p.ts, p.off);
	return true;
}

void
view_go_to(struct view *v, int64_t ts, uint64_t off)
{
	view_remember(v);
	view_window_reach(v, ts);
	view_select_event(v, ts, off);
	if (v->window.head > 0 && ts < v->window.first)
		view_say(v, "that event is no longer kept: at the first one that is");
}

/* Go to the last place at another event. The next call leads back here. */
bool
view_jump_back(struct view *v)
{
	for (size_t i = v->history.back.n; i-- > 0; ) {
		const struct position	*p = &v->history.back.v[i];

		if (!p->has_sel || (p->ts == v->sel.ts && p->off == v->sel.off))
			continue;
		view_go_to(v, p->ts, p->off);
		return true;
	}
	return false;
}

const struct origin *
view_origin(struct view *v)
{
	if (!v->complete || (v->origin != NULL &&
	    !view_changed(v, &v->origin_seen, VIEW_INDEX)))
		return v->origin;
	if (v->origin == NULL)
		v->origin = mem_zalloc(1, sizeof *v->origin);
	origin_read(v->origin, v->t);
	v->origin_seen = v->changes;
	return v->origin;
}

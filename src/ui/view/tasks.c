/*
 * The tasks between keys.
 *
 *	preview			the typed filter counts its events
 *	seek			the cursor goes where a key sent it
 *	marks, answers		what the last frame did not know yet
 *	counts by thread	in turn with the hits of filter and search
 *	awaited, report		counts, calls, shapes, bars, the report: for panes
 *
 * A task is done when it has nothing to do; whoever requested it takes the result at the next
 * frame.
 *
 * Invariant: a task does not change what a frame shows while the frame is drawn.
 */
#include "ui/view/tasks.h"

#include "ui/view/view.h"

static bool
is_undecided(const struct query *q)
{
	return q != NULL && !query_done(q);
}

static bool
is_previewing(const struct view *v)
{
	return is_undecided(v->preview);
}

static void
preview(struct view *v, int64_t budget_ns)
{
	(void)query_step(v->preview, budget_ns);
}

/* ---- the cursor */

static bool
is_seeking(const struct view *v)
{
	return v->sel.settling || v->search.seek.seeking || v->walk.seek.seeking;
}

static void
seek(struct view *v, int64_t budget_ns)
{
	if (v->sel.settling)
		view_settle(v, budget_ns);
	else if (v->search.seek.seeking)
		view_search_on(v, budget_ns);
	else
		view_walk_on(v, budget_ns);
}

/* ---- the list */

static bool
is_marking(const struct view *v)
{
	return glance_pending(v->display.rules.glance) || glance_pending(v->search.glance);
}

static void
mark(struct view *v, int64_t budget_ns)
{
	glance_wait(glance_pending(v->display.rules.glance) ? v->display.rules.glance :
	    v->search.glance, budget_ns);
}

static bool
is_list_pending(const struct view *v)
{
	return query_pending(v->filter.q) || query_pending(v->search.hits);
}

static void
answer(struct view *v, int64_t budget_ns)
{
	query_wait(query_pending(v->filter.q) ? v->filter.q : v->search.hits, budget_ns);
}

static bool
is_deciding(const struct view *v)
{
	return is_undecided(v->filter.q) || is_undecided(v->search.hits);
}

static void
decide(struct view *v, int64_t budget_ns)
{
	(void)query_step(is_undecided(v->filter.q) ? v->filter.q : v->search.hits, budget_ns);
}

/* ---- panes */

static bool
is_awaited(const struct view *v)
{
	return v->nawaited > 0;
}

static void
await(struct view *v, int64_t budget_ns)
{
	const struct awaited	*a = &v->awaited[v->nawaited - 1];

	if (!a->step(a->self, budget_ns))
		v->nawaited--;
}

static bool
is_reporting(const struct view *v)
{
	return reporting_wanted(&v->reporting);
}

static void
report(struct view *v, int64_t budget_ns)
{
	(void)reporting_step(&v->reporting, budget_ns);
}

const struct view_task	view_tasks[] = {
	{ WORK_PANES, .busy = is_previewing, .step = preview },
	{ WORK_SEEK, .busy = is_seeking, .step = seek },
	{ WORK_LIST, .busy = is_marking, .step = mark },
	{ WORK_LIST, .busy = is_list_pending, .step = answer },
	{ WORK_LIST, .in_turn = true, .busy = view_tally_busy, .step = view_tally_step },
	{ WORK_LIST, .stops = true, .busy = is_deciding, .step = decide },
	{ WORK_PANES, .busy = is_awaited, .step = await },
	{ WORK_PANES, .stops = true, .busy = is_reporting, .step = report },
	{ WORK_NONE, .step = NULL },
};

/*
 * Work between keys: first what a key could not find immediately, then the hits of filter and
 * search, then counts.
 */
#include "ui/view/view.h"

#include "tnav/base/job.h"

/* Everything requested is found: record how long that took. */
static void
note_answer(struct view *v)
{
	if (v->took_ns < 0 && (v->filter.q == NULL || query_done(v->filter.q)) &&
	    (v->search.hits == NULL || query_done(v->search.hits)))
		v->took_ns = job_now_ns() - v->asked;
}

bool
view_step(struct view *v, int64_t budget_ns)
{
	if (v->sel.settling)
		view_settle(v, budget_ns);
	else if (v->search.seeking)
		view_search_next(v, 0);
	else if (v->walk.seeking)
		view_walk_on(v);
	else if (glance_pending(v->display.rules.glance))
		glance_wait(v->display.rules.glance, budget_ns);
	else if (glance_pending(v->search.glance))
		glance_wait(v->search.glance, budget_ns);
	else if (query_pending(v->filter.q))
		query_wait(v->filter.q, budget_ns);
	else if (query_pending(v->search.hits))
		query_wait(v->search.hits, budget_ns);
	else if (view_tally_busy(v) && v->tallies.turn++ % 2 == 0)	/* take turns */
		view_tally_step(v, budget_ns);
	else if (v->stopped && !view_tally_busy(v))
		return false;
	else if (!v->stopped && v->filter.q != NULL && !query_done(v->filter.q))
		(void)query_step(v->filter.q, budget_ns);
	else if (!v->stopped && v->search.hits != NULL && !query_done(v->search.hits))
		(void)query_step(v->search.hits, budget_ns);
	else
		view_tally_step(v, budget_ns);
	note_answer(v);
	if (v->filter.q == NULL || query_done(v->filter.q))
		view_select_last_anew(v);
	return view_busy(v);
}

bool
view_busy(const struct view *v)
{
	return v->sel.settling || v->search.seeking || v->walk.seeking || view_tally_busy(v) ||
	    query_pending(v->filter.q) || query_pending(v->search.hits) ||
	    glance_pending(v->display.rules.glance) || glance_pending(v->search.glance) ||
	    (!v->stopped && ((v->filter.q != NULL && !query_done(v->filter.q)) ||
	    (v->search.hits != NULL && !query_done(v->search.hits))));
}

void
view_pause(struct view *v)
{
	query_rest(v->filter.q);
	query_rest(v->search.hits);
	query_rest(v->walk.q);
	counting_halt_all(v);
}

void
view_seek_stop(struct view *v)
{
	v->search.seeking = v->search.waits = v->walk.seeking = v->walk.waits = false;
}

void
view_stop(struct view *v)
{
	v->sel.settling = v->sel.to_last = false;
	view_seek_stop(v);
	v->stopped = true;
	view_tally_stop(v);
	view_pause(v);
}

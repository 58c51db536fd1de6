/*
 * Work between keys: the first task of the list that has something to do.
 *
 *	key, frame	-> requests -> view_step(), view_step() ... nothing left: another frame
 *	Esc		-> view_stop()
 *
 * Invariant: no file that a task belongs to is known here. A task is known by its functions.
 */
#include "ui/view/view.h"

#include "tnav/base/job.h"

/* The first task from x on that has something to do; else the end of the list. */
static const struct view_task *
find_busy(const struct view *v, const struct view_task *x, enum work_rank upto)
{
	while (x->step != NULL && (x->work > upto || (v->stopped && x->stops) || !x->busy(v)))
		x++;
	return x;
}

enum work_rank
view_work(const struct view *v)
{
	enum work_rank	least = WORK_NONE;

	for (const struct view_task *x = v->tasks; x->step != NULL && least > WORK_SEEK; x++)
		if (x->work < least && !(v->stopped && x->stops) && x->busy(v))
			least = x->work;
	return least;
}

/* Everything requested is found: record how long that took. */
static void
note_answer(struct view *v)
{
	if (v->took_ns < 0 && (v->filter.q == NULL || query_done(v->filter.q)) &&
	    (v->search.hits == NULL || query_done(v->search.hits)))
		v->took_ns = job_now_ns() - v->begun_ns;
}

bool
view_step(struct view *v, enum work_rank upto, int64_t budget_ns)
{
	const struct view_task	*x = find_busy(v, v->tasks, upto), *other;

	if (x->in_turn && v->turn++ % 2 != 0) {
		other = find_busy(v, x + 1, x->work);
		x = other->step != NULL ? other : x;
	}
	if (x->step != NULL)
		x->step(v, budget_ns);
	note_answer(v);
	if (v->filter.q == NULL || query_done(v->filter.q))
		view_select_last_anew(v);
	return view_work(v) <= upto;
}

/* ---- ending work */

void
view_pause(struct view *v)
{
	query_rest(v->filter.q);
	query_rest(v->search.hits);
	query_rest(v->walk.q);
	counting_halt_all(v);
	v->nawaited = 0;
}

void
view_seek_stop(struct view *v)
{
	seek_stop(&v->search.seek);
	seek_stop(&v->walk.seek);
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

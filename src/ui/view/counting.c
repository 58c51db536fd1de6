/*
 * Counting in the background.
 *
 *	keys	hold ............ step: let go, wait, hold ............ halt
 *	job	decode, count, (wait), merge, decode, count ...		end, after a while
 *
 * The drawing thread holds the job, so nothing is merged meanwhile. A count that is not stepped
 * does not progress. Each piece records where it ends, so that a count can continue after a halt. A
 * halt does not wait: the job merges nothing more, and is retired.
 *
 * Invariant: what a job reads lives as long as the job. It owns the filter; what the ops read from
 * the owner is retired after the job.
 */
#include "ui/view/counting.h"

#include "tnav/base/num.h"
#include "ui/view/view.h"

#define SMALL_NS	250000000	/* only a busy machine needs this long */

/* ---- the job */

static bool
make_filter(const struct counting *c, struct filter **out)
{
	const struct view	*v = c->v;
	struct buf		 expr = { 0 };
	const char		*shown = NULL;
	bool			 good;

	*out = NULL;
	if (c->by.of == COUNT_FOUND && v->search.pattern != NULL)
		view_pattern_filter(v, v->search.pattern, &expr);
	else if (c->by.of == COUNT_SHOWN)
		shown = v->filter.text;
	else if (c->by.of == COUNT_AROUND)
		shown = v->filter.around;
	filter_join(&expr, (const char *const[]){ c->by.events, shown }, 2);
	if (expr.len > 0)
		*out = view_compile(v, span_of_buf(&expr), v->filter.now_ns, NULL);
	good = expr.len == 0 || *out != NULL;
	buf_release(&expr);
	return good;
}

static void
job_begin(struct counting *c)
{
	struct pass_options	 o = window_pass(&c->v->window, NULL, NULL);
	struct filter		*filter = NULL;

	o.resume = &c->upto;
	if (c->by_rows)
		o = (struct pass_options){ .order = PASS_TIME, .resume = &c->upto,
		    .row0 = c->by.row0, .row1 = c->row1 };
	if ((c->by_rows && max_u64(c->by.row0, c->upto.at) >= c->row1) ||
	    !make_filter(c, &filter)) {
		c->done = true;
		return;
	}
	c->grown = false;
	c->job = pass_start(c->v->t, &o, filter, c->by.ops, c->by.arg);
	pass_hold(c->job);
}

/* Called by any thread. */
static void
job_end(void *arg)
{
	pass_stop(arg);
}

void
counting_halt(struct counting *c)
{
	struct pass_result	unused;

	if (c->job == NULL)
		return;
	c->share = counting_share(c);
	c->done = pass_done(c->job, &unused) && !c->grown;
	pass_close(c->job);
	trace_retire(c->v->t, job_end, c->job);
	c->job = NULL;
}

void
counting_forget(struct counting *c)
{
	counting_halt(c);
	if (c->by.end != NULL)
		trace_retire(c->v->t, c->by.end, c->by.owned);
	c->by.end = NULL;
}

void
counting_begin(struct counting *c, struct view *v, const struct counting_request *by)
{
	const struct filter	*f = by->of == COUNT_SHOWN ? query_filter(v->filter.q) : NULL;
	struct counting		*next = c->next;

	counting_forget(c);
	if (c->v == NULL) {
		next = v->counting;
		v->counting = c;
	}
	*c = (struct counting){ .v = v, .by = *by, .row1 = v->window.row1,
	    .upto.ts = v->window.from, .seen = v->changes, .next = next };
	c->by_rows = by->by_rows || (v->complete && (!v->window.whole ||
	    (by->needs & NEEDS_ORDER) != 0 || filter_needs_rows(f)));
	if (!by->by_rows)
		c->by.row0 = v->window.row0;
	deriving_need(&v->deriving, by->needs);
}

bool
counting_follow(struct counting *c)
{
	struct view	*v = c->v;

	if (v == NULL || view_changed(v, &c->seen, VIEW_SCOPE) ||
	    (c->by.of == COUNT_FOUND && view_changed(v, &c->seen, VIEW_SEARCH)) ||
	    (c->by_rows && view_changed(v, &c->seen, VIEW_ROWS)) ||
	    ((c->by.needs & NEEDS_NAMES) != 0 && view_changed(v, &c->seen, VIEW_NAMES)) ||
	    ((c->by.needs & NEEDS_OTHERS) != 0 && view_changed(v, &c->seen, VIEW_SPANS)))
		return true;
	if (view_changed(v, &c->seen, VIEW_INDEX)) {
		c->grown = !c->by_rows;
		c->done &= c->by_rows;
		c->seen = v->changes;
	}
	return false;
}

bool
counting_step(struct counting *c, int64_t budget_ns)
{
	if (!counting_busy(c))
		return false;
	if (c->job == NULL)
		job_begin(c);
	if (c->done)
		return false;
	pass_release(c->job);
	c->done = pass_await(c->job, budget_ns);
	if (c->done && c->grown) {
		pass_continue(c->job);
		c->grown = c->done = false;
	}
	pass_hold(c->job);
	if (c->done && c->v->complete)
		counting_halt(c);
	return !c->done;
}

bool
counting_first_step(struct counting *c)
{
	const struct window	*w = &c->v->window;
	uint64_t		 n = c->by_rows ? c->row1 - c->by.row0 : w->row1 - w->row0;

	return n <= WINDOW_SMALL ? counting_step(c, SMALL_NS) : counting_busy(c);
}

bool
counting_busy(const struct counting *c)
{
	return c->v != NULL && !c->done &&
	    deriving_state(&c->v->deriving, c->by.needs & NEEDS_OTHERS).made;
}

static bool
step(void *self, int64_t budget_ns)
{
	return counting_step(self, budget_ns);
}

void
counting_want(struct counting *c)
{
	if (!c->v->stopped && counting_busy(c))
		view_await(c->v, step, c);
}

double
counting_share(const struct counting *c)
{
	if (c->done)
		return 1;
	return c->job != NULL ? pass_share(c->job) : c->share;
}

void
counting_halt_all(struct view *v)
{
	for (struct counting *c = v->counting; c != NULL; c = c->next)
		counting_halt(c);
}

void
counting_release(struct counting *c)
{
	struct counting	**at;

	if (c->v == NULL)
		return;
	counting_forget(c);
	for (at = &c->v->counting; *at != c; at = &(*at)->next)
		;
	*at = c->next;
	c->v = NULL;
}

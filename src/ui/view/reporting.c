/*
 * A report in the background.
 *
 *	index complete; spans and names found, if the report needs them
 *	-> task: report_make() -> user's thread: replaces the previous report
 *	another window, filter or report -> again
 *	a followed trace has grown -> again, at the pace of task.h
 *
 * For a followed trace, the facts of final rows are kept, so only rows that may still move are read
 * again.
 *
 * Invariant: the task's filter lives as long as its result. The kept facts belong to the last
 * requested report and filter.
 */
#include "ui/view/reporting.h"

#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/engine/filter.h"
#include "ui/view/view.h"

#define AT_ONCE_NS	200000000	/* the user waits this long for a fast one */

static void
reported_release(struct reported *m)
{
	report_free(m->m);
	filter_free(m->filter);
	*m = (struct reported){ .m = NULL };
}

/* Stop the task. The next step begins again. */
static void
halt(struct reporting *r)
{
	if (!r->task.runs)
		return;
	r->requested = true;
	task_halt(&r->task);
	reported_release(&r->next);
}

void
reporting_forget(struct reporting *r)
{
	halt(r);
	report_memory_free(r->memory);
	mem_free(r->remembered);
	r->memory = NULL;
	r->remembered = NULL;
}

void
reporting_release(struct reporting *r)
{
	reporting_forget(r);
	reported_release(&r->shown);
	task_release(&r->task);
}

/* ---- the task */

static void
make(void *arg)
{
	struct reporting	*r = arg;
	struct pass_result	 result;

	if (report_make(&r->next.m, r->next.report, r->v->t, &r->o, &result) != ERR_OK)
		r->next.m = NULL;
}

/* The kept facts for the report and the filter, or NULL: results that depend on names, spans or
   deltas may change when these are found again. */
static struct report_memory *
memory_of(struct reporting *r)
{
	const struct view_filter	*f = &r->v->filter;

	if (r->v->complete || filter_needs(r->next.filter, r->v->t) != 0) {
		reporting_forget(r);
		return NULL;
	}
	if (r->memory != NULL && r->now_ns == f->now_ns &&
	    text_same(r->remembered, f->text))
		return r->memory;
	reporting_forget(r);
	r->memory = report_memory_new();
	r->remembered = f->text != NULL ? mem_strdup(f->text) : NULL;
	r->now_ns = f->now_ns;
	return r->memory;
}

static void
begin(struct reporting *r)
{
	const struct window	*w = &r->v->window;

	r->seen = r->v->changes;
	r->gen = r->v->gen;
	r->whole = r->v->complete;
	r->requested = false;
	r->next = (struct reported){ .report = r->report, .window = *w };
	if (!view_filter_again(r->v, &r->next.filter))
		return;
	r->o = (struct report_options){
		.pass = window_pass(w, r->next.filter, &r->task), .memory = memory_of(r),
		.ascii = r->v->display.ascii,
	};
	pace_begin(&r->pace, trace_rows(r->v->t), job_now_ns());
	task_start(&r->task, TASK_APART, make, r);
}

/* ---- when */

/* Has the request changed since the last result? */
static bool
is_other(const struct reporting *r)
{
	return r->requested || view_changed(r->v, &r->seen, VIEW_SCOPE);
}

/* Has the trace changed since the last result? Names may arrive after the request. */
static bool
is_stale(const struct reporting *r)
{
	if ((r->report->needs & NEEDS_NAMES) != 0 && view_changed(r->v, &r->seen, VIEW_NAMES))
		return true;
	return r->v->complete ? !r->whole : r->v->following && r->gen != r->v->gen;
}

static bool
is_due(const struct reporting *r)
{
	if (r->report == NULL)
		return false;
	if (is_other(r))
		return true;
	return is_stale(r) && (r->v->complete || pace_rested(&r->pace, job_now_ns()) ||
	    pace_grown(&r->pace, trace_rows(r->v->t)));
}

/* Are there rows for it? If a file is read that does not grow, wait for all of them. */
static bool
has_rows(const struct reporting *r)
{
	return r->v->complete || (r->v->following && trace_rows(r->v->t) > 0);
}

/* Is everything known that it needs? */
static bool
is_ready(const struct reporting *r)
{
	if (!has_rows(r))
		return false;
	return (r->report->needs & NEEDS_NAMES) == 0 ||
	    !deriving_state(&r->v->deriving, NEEDS_NAMES).busy;
}

static void
take_over(struct reporting *r)
{
	if (!task_take(&r->task))
		return;
	pace_end(&r->pace, job_now_ns());
	if (r->next.m == NULL) {
		reported_release(&r->next);
		return;
	}
	reported_release(&r->shown);
	r->shown = r->next;
	r->next = (struct reported){ .m = NULL };
	r->stamp++;
}

void
reporting_choose(struct reporting *r, const struct report *report)
{
	reporting_forget(r);
	r->report = report;
	r->requested = true;
	r->stamp++;
	(void)reporting_step(r, AT_ONCE_NS);
}

bool
reporting_step(struct reporting *r, int64_t budget_ns)
{
	bool	due = is_due(r), requested = r->requested;

	if (budget_ns == 0)
		r->wanted = r->v->frame;
	if (r->v->stopped) {
		halt(r);
		return false;
	}
	if (due && r->task.runs && is_other(r))
		halt(r);
	if (due && !r->task.runs && is_ready(r)) {
		begin(r);
		/* If rows keep arriving, keys do not wait. */
		if (budget_ns > 0 && (requested || !r->v->following))
			budget_ns = AT_ONCE_NS;
	}
	if (budget_ns > 0) {
		(void)task_wait(&r->task, budget_ns);
		take_over(r);
	}
	return r->task.runs;
}

struct report_made *
reporting_made(const struct reporting *r)
{
	return r->shown.report == r->report ? r->shown.m : NULL;
}

bool
reporting_busy(const struct reporting *r)
{
	return r->task.runs || (is_due(r) && !r->v->stopped);
}

bool
reporting_wanted(const struct reporting *r)
{
	return r->wanted == r->v->frame && (r->task.runs || (is_due(r) && is_ready(r)));
}

bool
reporting_behind(const struct reporting *r)
{
	if (r->report == NULL || r->wanted != r->v->frame || r->v->stopped ||
	    !has_rows(r))
		return false;
	return r->task.runs || is_stale(r) || is_due(r);
}

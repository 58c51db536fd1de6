/*
 * A report in the background.
 *
 *	index complete, spans and names there where the report needs them
 *	-> thread: report_make() -> done -> user's thread: shown in place of the one of before
 *	another window, filter or report, or a quarter more rows -> again
 *
 * Invariant: the job's filter lives as long as what it made.
 */
#include "ui/view/reporting.h"

#include <stdatomic.h>
#include <string.h>

#include "tnav/analysis/report.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/engine/filter.h"
#include "ui/view/view.h"

#define AT_ONCE_NS	200000000	/* that the one who asks waits for a small one */
#define NAMED		(REPORT_SYMBOLS | REPORT_WHO)	/* has names of frames, threads ... */

struct made {
	const struct report	*report;
	struct report_made	*m;
	struct filter		*filter;
};

struct reporting {
	struct view		*v;
	struct trace		*t;
	const struct report	*report;
	struct job		*job;
	struct lock		*lock;		/* wakes who waits for done */
	bool			 running, asked;
	atomic_bool		 stop, done;
	struct report_options	 o;
	struct made		 next, shown;	/* next: by the job */
	struct view_changes	 seen;
	uint64_t		 rows, stamp;	/* rows: of the trace when it was begun last */
};

struct reporting *
reporting_new(struct view *v)
{
	struct reporting	*r = mem_zalloc(1, sizeof *r);

	r->v = v;
	r->t = v->t;
	r->lock = lock_new();
	return r;
}

static void
made_free(struct made *m)
{
	report_free(m->m);
	filter_free(m->filter);
	*m = (struct made){ .m = NULL };
}

void
reporting_halt(struct reporting *r)
{
	if (!r->running)
		return;
	r->asked = true;
	atomic_store(&r->stop, true);
	job_join(r->job);
	r->job = NULL;
	r->running = false;
	made_free(&r->next);
}

void
reporting_free(struct reporting *r)
{
	if (r == NULL)
		return;
	reporting_halt(r);
	made_free(&r->shown);
	lock_free(r->lock);
	mem_free(r);
}

/* ---- the job */

static bool
reporting_tick(void *arg, uint64_t done, uint64_t all)
{
	(void)done;
	(void)all;
	return atomic_load(&((struct reporting *)arg)->stop);
}

static void
reporting_job(void *arg)
{
	struct reporting	*r = arg;
	struct pass_result	 result;

	if (report_make(&r->next.m, r->next.report, r->t, &r->o, &result) != ERR_OK)
		r->next.m = NULL;
	lock_take(r->lock);
	atomic_store(&r->done, true);
	lock_wake(r->lock);
	lock_drop(r->lock);
}

/* Rows that won't move: of a trace that is followed, those before its last sequence point. */
static uint64_t
rows_now(const struct reporting *r)
{
	if (r->v->complete)
		return trace_rows(r->t);
	return r->v->rests && r->v->sure != UINT64_MAX ? r->v->sure : 0;
}

/* False: the expression is none, and nothing matches it. */
static bool
make_filter(struct reporting *r)
{
	const struct view	*v = r->v;
	struct filter_error	 err;
	bool			 good = true;

	if (v->filter.text == NULL)
		return true;
	filter_error_init(&err);
	good = filter_new(&r->next.filter, v->filter.text, strlen(v->filter.text), v->t, false,
	    v->filter.now_ns, &err) == 0;
	filter_error_release(&err);
	return good;
}

static void
begin(struct reporting *r)
{
	const struct window	*w = &r->v->window;

	r->seen = r->v->changes;
	r->rows = rows_now(r);
	r->asked = false;
	r->next = (struct made){ .report = r->report };
	if (!make_filter(r))
		return;
	r->o = (struct report_options){
		.filter = r->next.filter, .from = w->from, .to = w->to,
		.has_from = !w->whole, .has_to = !w->whole,
		.spans = spanning_spans(r->v->spanning),
		.activities = spanning_activities(r->v->spanning),
		.rows = r->v->complete ? 0 : r->rows, .ascii = r->v->display.ascii,
		.tick = reporting_tick, .tick_arg = r,
	};
	atomic_store(&r->stop, false);
	atomic_store(&r->done, false);
	r->running = true;
	r->job = job_start(reporting_job, r);
	if (r->job == NULL)
		reporting_job(r);
}

/* ---- when */

/* What its rows depend on. Names may come after it was asked for. */
static unsigned
depends(const struct reporting *r)
{
	return VIEW_ASKED | ((r->report->flags & NAMED) != 0 ? VIEW_NAMES : 0u);
}

static bool
has_grown(const struct reporting *r)
{
	uint64_t	rows = rows_now(r);

	return rows > r->rows && rows - r->rows > r->rows / 4;
}

static bool
is_due(const struct reporting *r)
{
	if (r->report == NULL)
		return false;
	return r->asked || view_changed(r->v, &r->seen, depends(r)) || has_grown(r);
}

/* What has to be known before it can be begun. */
static bool
is_ready(const struct reporting *r)
{
	unsigned	flags = r->report->flags;

	if (!r->v->complete && rows_now(r) == 0)
		return false;
	if ((flags & (REPORT_SPANS | REPORT_ACTIVITIES)) != 0) {
		spanning_ask(r->v->spanning);
		if (spanning_spans(r->v->spanning) == NULL)
			return false;
	}
	return (flags & NAMED) == 0 || !naming_busy(r->v->naming);
}

static void
take_over(struct reporting *r)
{
	if (!r->running || !atomic_load(&r->done))
		return;
	job_join(r->job);
	r->job = NULL;
	r->running = false;
	if (r->next.m == NULL) {
		made_free(&r->next);
		return;
	}
	made_free(&r->shown);
	r->shown = r->next;
	r->next = (struct made){ .m = NULL };
	r->stamp++;
}

static void
wait_for(struct reporting *r, int64_t budget_ns)
{
	int64_t	until = job_now_ns() + budget_ns;

	lock_take(r->lock);
	while (!atomic_load(&r->done) && lock_wait_until(r->lock, until))
		;
	lock_drop(r->lock);
}

void
reporting_choose(struct reporting *r, const struct report *report)
{
	if (r->report == report)
		return;
	reporting_halt(r);
	r->report = report;
	r->asked = true;
	r->stamp++;
	(void)reporting_step(r, AT_ONCE_NS);
}

bool
reporting_step(struct reporting *r, int64_t budget_ns)
{
	bool	due = is_due(r);

	if (r->v->stopped) {
		reporting_halt(r);
		return false;
	}
	if (due && r->running && view_changed(r->v, &r->seen, depends(r)))
		reporting_halt(r);
	if (due && !r->running && is_ready(r)) {
		begin(r);
		budget_ns = budget_ns > 0 ? AT_ONCE_NS : 0;
	}
	if (r->running && budget_ns > 0)
		wait_for(r, budget_ns);
	take_over(r);
	return r->running;
}

const struct report *
reporting_report(const struct reporting *r)
{
	return r->report;
}

struct report_made *
reporting_made(const struct reporting *r)
{
	return r->shown.report == r->report ? r->shown.m : NULL;
}

uint64_t
reporting_stamp(const struct reporting *r)
{
	return r->stamp;
}

bool
reporting_busy(const struct reporting *r)
{
	return r->running || (is_due(r) && !r->v->stopped);
}

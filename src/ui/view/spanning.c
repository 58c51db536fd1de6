/*
 * Spans and deltas in the background.
 *
 *	requested, index complete -> thread: spans, then activities -> done -> user's thread: lend
 *				 deltas
 *	a followed trace has grown -> again, at the pace of task.h; earlier ones stay, since others
 *	may be reading them; if they need much memory, only after a quarter more rows
 *	Esc while nothing is found yet -> dropped; begun again with the next request
 *
 * Invariant: only the user's thread sets the spans and the deltas of the trace. They live until
 * spanning_free().
 */
#include "ui/view/spanning.h"

#include <stdatomic.h>

#include "tnav/analysis/activities.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/task.h"
#include "tnav/engine/deltas.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/spans.h"

#define SPARE_BYTES	(64u << 20)	/* limit of memory for replaced spans */

struct found {
	struct spans		*spans;
	struct activities	*activities;
	struct deltas		*deltas;
};

/* Spans with activities, or deltas. */
struct sought {
	bool		 asked, making, found;
	bool		 whole;		/* the index was complete when it was last begun */
	struct pace	 pace;		/* by rows of the trace */
	uint64_t	 spare;		/* bytes of replaced ones */
};

struct spanning {
	struct trace	*t;
	struct job	*job;
	bool		 running;
	bool		 follows, complete;	/* state of the trace when last checked */
	bool		 stopped;		/* by the user, before anything was found */
	struct sought	 spans, deltas;
	struct lock	*lock;		/* signals done */
	atomic_bool	 stop, done;
	unsigned	 passes, pass;		/* in all, and ended; of the job */
	atomic_uint	 percent;		/* of the job's work that is done */
	struct found	 made;		/* set by the job */
	struct found	*all;
	size_t		 n, cap;
	struct found	 now;		/* lent to the trace */
};

struct spanning *
spanning_new(struct trace *t)
{
	struct spanning	*s = mem_zalloc(1, sizeof *s);

	s->t = t;
	s->lock = lock_new();
	return s;
}

static void
found_free(struct found *f)
{
	activities_free(f->activities);
	spans_free(f->spans);
	deltas_free(f->deltas);
	*f = (struct found){ .spans = NULL };
}

static bool
spanning_tick(void *arg, uint64_t done, uint64_t all)
{
	struct spanning	*s = arg;
	double		 of_pass = all > 0 ? (double)done / (double)all : 0;

	atomic_store(&s->percent, (unsigned)((s->pass + of_pass) * 100 / s->passes));
	return atomic_load(&s->stop);
}

static void
make_spans(struct spanning *s)
{
	const struct spans_options		 so = { .tick = spanning_tick, .tick_arg = s };
	const struct activities_options		 ao = { .tick = spanning_tick, .tick_arg = s };
	struct pass_result			 result;

	bool					 found;

	s->made.spans = spans_new(s->t);
	found = spans_build(s->made.spans, &so, &result) == ERR_OK;
	s->pass++;
	found = found && activities_new(&s->made.activities, s->t, &ao, &result) == ERR_OK;
	s->pass++;
	if (found)
		activities_join(s->made.activities, s->made.spans);
	else
		found_free(&s->made);
}

static void
make_deltas(struct spanning *s)
{
	const struct deltas_options	o = { .tick = spanning_tick, .tick_arg = s };
	struct pass_result		result;

	(void)deltas_new(&s->made.deltas, s->t, &o, &result);
}

static void
spanning_job(void *arg)
{
	struct spanning	*s = arg;

	job_give_way();
	if (s->spans.making)
		make_spans(s);
	if (s->deltas.making)
		make_deltas(s);
	lock_take(s->lock);
	atomic_store(&s->done, true);
	lock_wake(s->lock);
	lock_drop(s->lock);
}

/* Are there rows that were not read for it? */
static bool
is_stale(const struct spanning *s, const struct sought *of)
{
	if (!of->asked || (s->stopped && !of->found))
		return false;
	return (s->complete && !of->whole) || trace_rows(s->t) > of->pace.n;
}

static bool
is_due(const struct spanning *s, const struct sought *of)
{
	if (!(s->complete || s->follows) || !is_stale(s, of))
		return false;
	return s->complete || pace_grown(&of->pace, trace_rows(s->t)) ||
	    (of->spare < SPARE_BYTES && pace_rested(&of->pace, job_now_ns()));
}

static void
sought_begin(struct spanning *s, struct sought *of)
{
	of->making = is_due(s, of);
	if (!of->making)
		return;
	of->whole = s->complete;
	pace_begin(&of->pace, trace_rows(s->t), job_now_ns());
}

static void
spanning_begin(struct spanning *s)
{
	sought_begin(s, &s->spans);
	sought_begin(s, &s->deltas);
	s->running = true;
	s->passes = s->spans.making ? 2 : 0;
	s->passes += s->deltas.making;
	s->pass = 0;
	atomic_store(&s->percent, 0);
	atomic_store(&s->stop, false);
	atomic_store(&s->done, false);
	s->job = job_start(spanning_job, s);
	if (s->job == NULL)
		spanning_job(s);
}

static bool
any_due(const struct spanning *s)
{
	return is_due(s, &s->spans) || is_due(s, &s->deltas);
}

void
spanning_ask(struct spanning *s)
{
	s->spans.asked = true;
}

void
spanning_ask_deltas(struct spanning *s)
{
	s->deltas.asked = true;
}

void
spanning_ask_for(struct spanning *s, const struct filter *f)
{
	unsigned	needs = filter_needs(f, s->t);

	if ((needs & (NEEDS_SPANS | NEEDS_ACTIVITIES)) != 0)
		spanning_ask(s);
	if ((needs & NEEDS_DELTAS) != 0)
		spanning_ask_deltas(s);
}

/* Lend the result, and keep it. */
static void
spanning_take(struct spanning *s)
{
	if (s->made.spans != NULL && s->now.spans != NULL)
		s->spans.spare += spans_bytes(s->now.spans) + activities_bytes(s->now.activities);
	if (s->made.deltas != NULL && s->now.deltas != NULL)
		s->deltas.spare += deltas_bytes(s->now.deltas);
	s->all = mem_grow(s->all, &s->cap, s->n + 1, sizeof *s->all);
	s->all[s->n++] = s->made;
	if (s->made.spans != NULL) {
		s->spans.found = true;
		s->now.spans = s->made.spans;
		s->now.activities = s->made.activities;
		spans_lend(s->made.spans);
		activities_lend(s->made.activities);
	}
	if (s->made.deltas != NULL) {
		s->deltas.found = true;
		s->now.deltas = s->made.deltas;
		trace_lend(s->t, DERIVED_DELTAS, s->made.deltas);
	}
	s->made = (struct found){ .spans = NULL };
}

/* Forget what was given up. */
static void
drop_stopped(struct spanning *s)
{
	found_free(&s->made);
	if (s->spans.making)
		s->spans.whole = false;
	if (s->deltas.making)
		s->deltas.whole = false;
}

bool
spanning_step(struct spanning *s, bool follows, bool complete, bool stopped)
{
	s->follows = follows;
	s->complete = complete;
	s->stopped = stopped;
	if (stopped && s->running && spanning_awaited(s))
		atomic_store(&s->stop, true);
	if (!s->running && any_due(s))
		spanning_begin(s);
	if (!s->running || !atomic_load(&s->done))
		return false;
	job_join(s->job);
	s->job = NULL;
	s->running = false;
	if (s->spans.making)
		pace_end(&s->spans.pace, job_now_ns());
	if (s->deltas.making)
		pace_end(&s->deltas.pace, job_now_ns());
	if (atomic_load(&s->stop))
		drop_stopped(s);
	if (s->made.spans == NULL && s->made.deltas == NULL)
		return false;
	spanning_take(s);
	return true;
}

void
spanning_wait(struct spanning *s, int64_t budget_ns)
{
	int64_t	until = job_now_ns() + budget_ns;

	if (!s->running)
		return;
	lock_take(s->lock);
	while (!atomic_load(&s->done) && lock_wait_until(s->lock, until))
		;
	lock_drop(s->lock);
}

bool
spanning_busy(const struct spanning *s)
{
	return s->running || any_due(s);
}

static bool
is_awaited(const struct spanning *s, const struct sought *of)
{
	return !of->found && (s->running ? of->making : is_due(s, of));
}

bool
spanning_awaited(const struct spanning *s)
{
	return is_awaited(s, &s->spans) || is_awaited(s, &s->deltas);
}

unsigned
spanning_percent(const struct spanning *s)
{
	return s->running ? atomic_load(&s->percent) : 0;
}

bool
spanning_behind(const struct spanning *s)
{
	return s->running || is_stale(s, &s->spans) || is_stale(s, &s->deltas);
}

struct spans *
spanning_spans(const struct spanning *s)
{
	return s->now.spans;
}

struct activities *
spanning_activities(const struct spanning *s)
{
	return s->now.activities;
}

void
spanning_free(struct spanning *s)
{
	if (s == NULL)
		return;
	atomic_store(&s->stop, true);
	job_join(s->job);
	trace_lend(s->t, DERIVED_SPANS, NULL);
	trace_lend(s->t, DERIVED_DELTAS, NULL);
	found_free(&s->made);
	for (size_t i = 0; i < s->n; i++)
		found_free(&s->all[i]);
	mem_free(s->all);
	lock_free(s->lock);
	mem_free(s);
}

/*
 * Spans in the background.
 *
 *	asked, index complete -> thread: spans, then activities -> done -> user's thread: lend
 *	the trace has grown by a quarter -> again; those of before stay, others may be reading them
 *
 * Invariant: the trace's source of spans is set by the user's thread only, and lives until
 * spanning_free().
 */
#include "ui/view/spanning.h"

#include <stdatomic.h>

#include "tnav/analysis/activities.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/engine/spans.h"

struct found {
	struct spans		*spans;
	struct activities	*activities;
};

struct spanning {
	struct trace	*t;
	struct job	*job;
	bool		 asked, running, complete;	/* complete: the index was */
	struct lock	*lock;		/* wakes who waits for done */
	atomic_bool	 stop, done;
	struct found	 made;		/* by the job */
	struct found	*all;		/* the last one is lent */
	size_t		 n, cap;
	uint64_t	 rows;		/* of the trace when they were begun last */
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
	*f = (struct found){ .spans = NULL };
}

static bool
spanning_tick(void *arg, uint64_t done, uint64_t all)
{
	(void)done;
	(void)all;
	return atomic_load(&((struct spanning *)arg)->stop);
}

static void
spanning_job(void *arg)
{
	struct spanning				*s = arg;
	const struct spans_options		 so = { .tick = spanning_tick, .tick_arg = s };
	const struct activities_options		 ao = { .tick = spanning_tick, .tick_arg = s };
	struct pass_result			 result;

	job_give_way();
	s->made.spans = spans_new(s->t);
	if (spans_build(s->made.spans, &so, &result) != ERR_OK ||
	    activities_new(&s->made.activities, s->t, s->made.spans, &ao, &result) != ERR_OK)
		found_free(&s->made);
	lock_take(s->lock);
	atomic_store(&s->done, true);
	lock_wake(s->lock);
	lock_drop(s->lock);
}

static void
spanning_begin(struct spanning *s)
{
	s->rows = trace_rows(s->t);
	s->running = true;
	atomic_store(&s->done, false);
	s->job = job_start(spanning_job, s);
	if (s->job == NULL)
		spanning_job(s);
}

static bool
is_due(const struct spanning *s, bool complete)
{
	uint64_t	rows = trace_rows(s->t);

	return complete && s->asked && rows > s->rows && rows - s->rows > s->rows / 4;
}

void
spanning_ask(struct spanning *s)
{
	s->asked = true;
}

bool
spanning_step(struct spanning *s, bool complete)
{
	s->complete = complete;
	if (!s->running && is_due(s, complete))
		spanning_begin(s);
	if (!s->running || !atomic_load(&s->done))
		return false;
	job_join(s->job);
	s->job = NULL;
	s->running = false;
	if (s->made.spans == NULL)
		return false;
	s->all = mem_grow(s->all, &s->cap, s->n + 1, sizeof *s->all);
	s->all[s->n++] = s->made;
	spans_lend(s->made.spans);
	s->made = (struct found){ .spans = NULL };
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
	return s->running || is_due(s, s->complete);
}

struct spans *
spanning_spans(const struct spanning *s)
{
	return s->n > 0 ? s->all[s->n - 1].spans : NULL;
}

struct activities *
spanning_activities(const struct spanning *s)
{
	return s->n > 0 ? s->all[s->n - 1].activities : NULL;
}

void
spanning_free(struct spanning *s)
{
	if (s == NULL)
		return;
	atomic_store(&s->stop, true);
	job_join(s->job);
	trace_set_spans(s->t, NULL);
	found_free(&s->made);
	for (size_t i = 0; i < s->n; i++)
		found_free(&s->all[i]);
	mem_free(s->all);
	lock_free(s->lock);
	mem_free(s);
}

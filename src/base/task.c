/*
 * A task: one job with a flag that stops it and one that says that it is done.
 *
 * Invariant: done is set under the lock and as the last thing, so a waiter misses no signal, and
 * who reads it as set sees what fn() made.
 */
#include "tnav/base/task.h"

#include "tnav/base/job.h"

static void
task_run(void *arg)
{
	struct task	*x = arg;

	x->fn(x->arg);
	lock_take(x->lock);
	atomic_store(&x->done, true);
	lock_wake(x->lock);
	lock_drop(x->lock);
}

static void
task_run_behind(void *arg)
{
	job_give_way();
	task_run(arg);
}

void
task_start(struct task *x, enum task_place place, void (*fn)(void *arg), void *arg)
{
	if (x->lock == NULL)
		x->lock = lock_new(LOCK_TASK);
	x->fn = fn;
	x->arg = arg;
	x->runs = true;
	x->step = 0;
	atomic_store(&x->stop, false);
	atomic_store(&x->done, false);
	atomic_store(&x->percent, 0);
	if (place != TASK_HERE)
		x->job = job_start(place == TASK_BEHIND ? task_run_behind : task_run, x);
	if (x->job == NULL)
		task_run(x);
}

bool
task_done(const struct task *x)
{
	return x->runs && atomic_load(&x->done);
}

bool
task_wait(struct task *x, int64_t budget_ns)
{
	int64_t	until = job_now_ns() + budget_ns;

	if (!x->runs)
		return false;
	lock_take(x->lock);
	while (!atomic_load(&x->done) && lock_wait_until(x->lock, until))
		;
	lock_drop(x->lock);
	return task_done(x);
}

static void
task_end(struct task *x)
{
	job_join(x->job);
	x->job = NULL;
	x->runs = false;
}

bool
task_take(struct task *x)
{
	if (!task_done(x))
		return false;
	task_end(x);
	return true;
}

void
task_halt(struct task *x)
{
	atomic_store(&x->stop, true);
	task_end(x);
}

void
task_release(struct task *x)
{
	task_halt(x);
	lock_free(x->lock);
	x->lock = NULL;
}

bool
task_tick(void *task, uint64_t done, uint64_t all)
{
	struct task	*x = task;
	double		 of_step = all > 0 ? (double)done / (double)all : 0;

	if (x->steps > 0)
		atomic_store(&x->percent, (unsigned)((x->step + of_step) * 100 / x->steps));
	return atomic_load(&x->stop);
}

unsigned
task_percent(const struct task *x)
{
	return x->runs ? atomic_load(&x->percent) : 0;
}

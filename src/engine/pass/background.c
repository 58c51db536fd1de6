/*
 * A pass in the background.
 *
 *	job	pass ... merge (hold) ... merge (hold) ... end | waits | continues ... end | ...
 *	keys	pass_hold, use what is merged, pass_release	 pass_continue
 *
 * A pass that is given up (pass_close()) merges nothing from then on, and ends at its own pace: the
 * user continues with what was merged, while workers may still call the other functions.
 *
 *	keys	pass_hold, pass_close ... other work	 another thread: pass_stop
 *	job	decode, add ...... decode, (no merge), free, end
 *
 * Invariant: merge() runs with hold taken, and no other function of the user does.
 */
#include "engine/pass/run.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/task.h"

struct pass_job {
	struct trace		*t;
	struct pass_options	 o, user;	/* as used, and as the user passed them */
	struct pass_ops		 ops;
	void			*arg;
	struct pass_gate	 gate;
	struct task		 task;		/* a round over the rows of its begin */
	struct pass_place	 resume;
	struct filter		*filter;
	_Atomic uint64_t	 done, all;
	/* Of the task while it runs: */
	bool			 ended;		/* merge() has ended the pass for good */
	struct pass_result	 result;
};

static bool
job_tick(void *arg, uint64_t done, uint64_t all)
{
	struct pass_job	*p = arg;

	atomic_store(&p->done, done);
	atomic_store(&p->all, all);
	return p->user.tick != NULL && p->user.tick(p->user.tick_arg, done, all);
}

static void
job_round(void *arg)
{
	struct pass_job		*p = arg;
	struct pass_result	 result;

	atomic_store(&p->all, 0);
	p->ended = pass_run_until(p->t, &p->o, &p->ops, p->arg, &p->task.stop, &p->gate,
	    &result) != 0;
	p->result.costly += result.costly;
	p->result.lost |= result.lost;
}

struct pass_job *
pass_start(struct trace *t, const struct pass_options *o, struct filter *f,
    const struct pass_ops *ops, void *arg)
{
	struct pass_job	*p = mem_zalloc(1, sizeof *p);

	p->t = t;
	p->o = p->user = *o;
	p->o.tick = job_tick;
	p->o.tick_arg = p;
	p->o.filter = p->filter = f;
	if (o->resume != NULL)
		p->resume = *o->resume;
	p->gate.resume = o->resume;
	if (o->order == PASS_ANY || o->resume != NULL)
		p->o.resume = &p->resume;
	p->ops = *ops;
	p->arg = arg;
	p->gate.hold = lock_new(LOCK_HOLD);
	task_start(&p->task, TASK_BEHIND, job_round, p);
	return p;
}

void
pass_close(struct pass_job *p)
{
	p->gate.closed = true;
	atomic_store(&p->task.stop, true);
	pass_release(p);
}

void
pass_stop(struct pass_job *p)
{
	if (p == NULL)
		return;
	task_release(&p->task);
	lock_free(p->gate.hold);
	filter_free(p->filter);
	mem_free(p);
}

void
pass_hold(struct pass_job *p)
{
	lock_take(p->gate.hold);
}

void
pass_release(struct pass_job *p)
{
	lock_drop(p->gate.hold);
}

bool
pass_done(struct pass_job *p, struct pass_result *result)
{
	if (!task_done(&p->task))
		return false;
	*result = p->result;
	return true;
}

bool
pass_await(struct pass_job *p, int64_t budget_ns)
{
	return task_wait(&p->task, budget_ns);
}

double
pass_share(struct pass_job *p)
{
	uint64_t	all = atomic_load(&p->all);

	if (task_done(&p->task))
		return 1;
	return all > 0 ? (double)atomic_load(&p->done) / (double)all : 0;
}

void
pass_continue(struct pass_job *p)
{
	if (p->o.order != PASS_ANY || !task_done(&p->task) || p->ended)
		return;
	(void)task_take(&p->task);
	task_start(&p->task, TASK_BEHIND, job_round, p);
}

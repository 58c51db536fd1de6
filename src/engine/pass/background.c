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
 * Invariant: merge() runs with hold taken, and no other function of the user does. lock protects
 * the requests; no thread keeps it while it works.
 */
#include "engine/pass/run.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"

struct pass_job {
	struct trace		*t;
	struct pass_options	 o, user;	/* as used, and as the user passed them */
	struct pass_ops		 ops;
	void			*arg;
	struct pass_gate	 gate;
	struct lock		*lock;
	struct job		*job;		/* NULL: no thread, the caller does the work */
	atomic_bool		 stop;
	struct pass_place	 resume;
	struct filter		*filter;
	bool			 go, quit;	/* requests: do a round; end the thread */
	bool			 ended;		/* merge() has ended the pass for good */
	uint64_t		 done, all;
	struct pass_result	 result;
};

static bool
job_tick(void *arg, uint64_t done, uint64_t all)
{
	struct pass_job	*p = arg;

	lock_take(p->lock);
	p->done = done;
	p->all = all;
	lock_drop(p->lock);
	return p->user.tick != NULL && p->user.tick(p->user.tick_arg, done, all);
}

/* Do a round over the rows of now. Called with the lock held, and drops it while working. */
static void
job_round(struct pass_job *p)
{
	struct pass_result	result;
	int			err;

	p->done = p->all = 0;
	lock_drop(p->lock);
	err = pass_run_until(p->t, &p->o, &p->ops, p->arg, &p->stop, &p->gate, &result);
	lock_take(p->lock);
	p->result.costly += result.costly;
	p->result.lost |= result.lost;
	p->ended |= err != 0;
	p->go = false;
	lock_wake(p->lock);
}

static void
job_main(void *arg)
{
	struct pass_job	*p = arg;

	job_give_way();
	lock_take(p->lock);
	while (!p->quit) {
		if (p->go)
			job_round(p);
		else
			lock_wait(p->lock);
	}
	lock_drop(p->lock);
}

/* Request a round; without a thread, do it here. */
static void
job_go(struct pass_job *p)
{
	lock_take(p->lock);
	p->go = true;
	if (p->job != NULL)
		lock_wake(p->lock);
	else
		job_round(p);
	lock_drop(p->lock);
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
	p->lock = lock_new(LOCK_TASK);
	p->gate.hold = lock_new(LOCK_HOLD);
	p->job = job_start(job_main, p);
	job_go(p);
	return p;
}

void
pass_close(struct pass_job *p)
{
	p->gate.closed = true;
	atomic_store(&p->stop, true);
	pass_release(p);
}

void
pass_stop(struct pass_job *p)
{
	if (p == NULL)
		return;
	atomic_store(&p->stop, true);
	lock_take(p->lock);
	p->quit = true;
	lock_wake(p->lock);
	lock_drop(p->lock);
	job_join(p->job);
	lock_free(p->lock);
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
	bool	done;

	lock_take(p->lock);
	done = !p->go;
	*result = p->result;
	lock_drop(p->lock);
	return done;
}

bool
pass_await(struct pass_job *p, int64_t budget_ns)
{
	int64_t	until = job_now_ns() + budget_ns;
	bool	done;

	lock_take(p->lock);
	while (p->go && lock_wait_until(p->lock, until))
		;
	done = !p->go;
	lock_drop(p->lock);
	return done;
}

double
pass_share(struct pass_job *p)
{
	double	share = 0;

	lock_take(p->lock);
	if (!p->go)
		share = 1;
	else if (p->all > 0)
		share = (double)p->done / (double)p->all;
	lock_drop(p->lock);
	return share;
}

void
pass_continue(struct pass_job *p)
{
	bool	can;

	lock_take(p->lock);
	can = !p->go && !p->ended && p->o.order == PASS_ANY;
	lock_drop(p->lock);
	if (can)
		job_go(p);
}

/*
 * A task: work in a thread, for an owner who goes on meanwhile.
 *
 *	owner	task_start() ... task_wait(), a moment ... task_take(): the result is the owner's
 *	thread	    fn(arg), which calls task_tick() ....... done
 *
 * task_halt() gives it up: fn() ends soon after task_tick() has returned true.
 */
#ifndef TNAV_BASE_TASK_H
#define TNAV_BASE_TASK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Zero it before use. What fn() makes belongs to the thread from the start until it is done. */
struct task {
	struct lock	*lock;		/* signals done; NULL: never started */
	struct job	*job;
	void		(*fn)(void *arg);
	void		*arg;
	bool		 runs;		/* started, and not yet taken over */
	unsigned	 steps, step;	/* passes that call task_tick(), in all and ended */
	atomic_bool	 stop, done;
	atomic_uint	 percent;
};

/* In the caller's thread; in a thread; in one of low priority, since nobody waits for it. */
enum task_place { TASK_HERE, TASK_APART, TASK_BEHIND };

/* Run fn(arg), also in the caller's thread if no other could be started. It must not run. */
void		 task_start(struct task *x, enum task_place place, void (*fn)(void *arg),
		    void *arg);
/* Is it done? */
bool		 task_done(const struct task *x);
/* The same after waiting for it at most this long. */
bool		 task_wait(struct task *x, int64_t budget_ns);
/* True, once: it is done, and the result is the owner's. */
bool		 task_take(struct task *x);
/* Stop it if it runs, and wait for its end. What it has made until then is the owner's. */
void		 task_halt(struct task *x);
void		 task_release(struct task *x);		/* halts */

/* For the tick of passes, with the task as arg: notes the progress. True: stop. */
bool		 task_tick(void *task, uint64_t done, uint64_t all);
/* How much of its steps is done. */
unsigned	 task_percent(const struct task *x);

/*
 * How often something is computed again while a trace grows.
 *
 *	made of 100 ......... 125: again			a quarter more: linear in the trace
 *	made of 100 . 103, a second later: again		for at most a tenth of the time
 *
 * So the total cost is at most five times that of the last computation, plus an eighth of the time
 * for which the trace has grown: linear in both, for a trace of any size. Times are as
 * job_now_ns().
 */
#define PACE_NS		INT64_C(1000000000)	/* least time between two computations */
#define PACE_SHARE	10	/* ... which is also this many times the duration of the last one */

struct pace {
	uint64_t	n;		/* amount when it was last begun */
	int64_t		begun, ended;
};

static inline void
pace_begin(struct pace *p, uint64_t n, int64_t now)
{
	p->n = n;
	p->begun = now;
}

static inline void
pace_end(struct pace *p, int64_t now)
{
	p->ended = now;
}

/* Is there a quarter more than when it was last begun? */
static inline bool
pace_grown(const struct pace *p, uint64_t n)
{
	return n > p->n && n - p->n > p->n / 4;
}

/* Was the last one so long ago that another one is cheap? */
static inline bool
pace_rested(const struct pace *p, int64_t now)
{
	int64_t	since = now - p->ended;

	return since >= PACE_NS && since / PACE_SHARE >= p->ended - p->begun;
}

#endif

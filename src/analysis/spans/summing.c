/*
 * Sums of the spans of a window, made by a thread of their own: who shows them goes on meanwhile.
 *
 * Invariant: the thread reads spans, which nobody changes any more, and ends before it is freed.
 */
#include <stdatomic.h>

#include "analysis/spans/sums.h"
#include "tnav/base/mem.h"

struct span_summing {
	const struct spans	*s;
	int64_t			 from, to;
	struct lock		*lock;		/* wakes who waits for done */
	struct job		*job;
	atomic_bool		 stop, done;
	struct sums		*sums;
};

static void
summing_job(void *arg)
{
	struct span_summing	*x = arg;

	x->sums = sums_until(x->s, x->from, x->to, &x->stop);
	lock_take(x->lock);
	atomic_store(&x->done, true);
	lock_wake(x->lock);
	lock_drop(x->lock);
}

struct span_summing *
span_summing_new(struct spans *s, int64_t from, int64_t to)
{
	struct span_summing	*x = mem_zalloc(1, sizeof *x);

	x->s = s;
	x->from = from;
	x->to = to;
	x->lock = lock_new();
	x->job = job_start(summing_job, x);
	if (x->job == NULL)
		summing_job(x);
	return x;
}

void
span_summing_free(struct span_summing *x)
{
	if (x == NULL)
		return;
	atomic_store(&x->stop, true);
	job_join(x->job);
	sums_free(x->sums);
	lock_free(x->lock);
	mem_free(x);
}

bool
span_summing_wait(struct span_summing *x, int64_t budget_ns)
{
	int64_t	until = job_now_ns() + budget_ns;

	lock_take(x->lock);
	while (!atomic_load(&x->done) && lock_wait_until(x->lock, until))
		;
	lock_drop(x->lock);
	return atomic_load(&x->done);
}

const struct sums *
span_summing_sums(const struct span_summing *x)
{
	return x->sums;
}

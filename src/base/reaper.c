/*
 * A thread that ends and frees the objects that others have given up, one after the other.
 *
 *	ring	[ending][waits][waits][ ][ ]		added at the end, at most LIMIT_RETIRED
 *
 * Invariant: an entry stays in the ring until it has ended, so n counts those that have not.
 */
#include "tnav/base/reaper.h"

#include <stdbool.h>
#include <stddef.h>

#include "tnav/base/job.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"

struct retired {
	void	(*end)(void *arg);
	void	*arg;
};

struct reaper {
	struct lock	*lock;
	struct job	*job;			/* NULL: not started yet */
	bool		 quit;
	struct retired	 ring[LIMIT_RETIRED];
	size_t		 first, n;
};

struct reaper *
reaper_new(void)
{
	struct reaper	*r = mem_zalloc(1, sizeof *r);

	r->lock = lock_new(LOCK_LEAF);
	return r;
}

/* Called with the lock held; releases it while the end function runs. */
static void
end_first(struct reaper *r)
{
	struct retired	one = r->ring[r->first];

	lock_drop(r->lock);
	one.end(one.arg);
	lock_take(r->lock);
	r->first = (r->first + 1) % LIMIT_RETIRED;
	r->n--;
	lock_wake(r->lock);
}

static void
reaper_main(void *arg)
{
	struct reaper	*r = arg;

	lock_take(r->lock);
	while (r->n > 0 || !r->quit) {
		if (r->n > 0)
			end_first(r);
		else
			lock_wait(r->lock);
	}
	lock_drop(r->lock);
}

void
reaper_give(struct reaper *r, void (*end)(void *arg), void *arg)
{
	lock_take(r->lock);
	if (r->job == NULL)
		r->job = job_start(reaper_main, r);
	while (r->n == LIMIT_RETIRED)
		lock_wait(r->lock);
	r->ring[(r->first + r->n) % LIMIT_RETIRED] = (struct retired){ end, arg };
	r->n++;
	if (r->job == NULL)
		end_first(r);
	else
		lock_wake(r->lock);
	lock_drop(r->lock);
}

void
reaper_settle(struct reaper *r)
{
	lock_take(r->lock);
	while (r->n > 0)
		lock_wait(r->lock);
	lock_drop(r->lock);
}

void
reaper_free(struct reaper *r)
{
	if (r == NULL)
		return;
	lock_take(r->lock);
	r->quit = true;
	lock_wake(r->lock);
	lock_drop(r->lock);
	job_join(r->job);
	lock_free(r->lock);
	mem_free(r);
}

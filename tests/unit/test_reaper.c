/*
 * Objects end in the order in which they were given, in another thread. The caller does not wait,
 * unless there are too many.
 */
#include <stdatomic.h>
#include <unistd.h>

#include "../support/test.h"
#include "tnav/base/job.h"
#include "tnav/base/limits.h"
#include "tnav/base/reaper.h"

#define MANY	(LIMIT_RETIRED * 4)

static _Thread_local bool	this_gives;

struct ends {
	atomic_bool	open;		/* the end functions wait until it is set */
	atomic_uint	given, n, mine;	/* mine: ended by the caller's thread */
	unsigned	order[MANY];
};

struct one {
	struct ends	*all;
	unsigned	 number;
};

static void
end_one(void *arg)
{
	struct one	*o = arg;

	while (!atomic_load(&o->all->open))
		usleep(200);
	atomic_fetch_add(&o->all->mine, this_gives);
	o->all->order[atomic_fetch_add(&o->all->n, 1)] = o->number;
}

static void
give(struct reaper *r, struct ends *all, struct one *o, unsigned i)
{
	o[i] = (struct one){ all, i };
	reaper_give(r, end_one, &o[i]);
	atomic_fetch_add(&all->given, 1);
}

static void
need_order(const struct ends *all, unsigned n)
{
	assert_int_equal(all->n, n);
	assert_int_equal(all->mine, 0);
	for (unsigned i = 0; i < n; i++)
		assert_int_equal(all->order[i], i);
}

TEST(who_gives_waits_for_no_end_and_they_keep_their_order)
{
	static struct ends	all;
	static struct one	one[LIMIT_RETIRED];
	struct reaper		*r = reaper_new();

	this_gives = true;
	for (unsigned i = 0; i < LIMIT_RETIRED; i++)
		give(r, &all, one, i);		/* or it would be here for ever */
	assert_int_equal(all.n, 0);
	atomic_store(&all.open, true);
	reaper_settle(r);
	need_order(&all, LIMIT_RETIRED);
	reaper_settle(r);
	reaper_free(r);
}

static void
open_when_full(void *arg)
{
	struct ends	*all = arg;

	while (atomic_load(&all->given) < LIMIT_RETIRED)
		usleep(200);
	atomic_store(&all->open, true);
}

TEST(no_more_than_the_limit_have_not_ended)
{
	static struct ends	 all;
	static struct one	 one[MANY];
	struct reaper		*r = reaper_new();
	struct job		*opens = job_start(open_when_full, &all);

	assert_non_null(opens);
	for (unsigned i = 0; i < MANY; i++) {
		give(r, &all, one, i);
		assert_true(i + 1 - atomic_load(&all.n) <= LIMIT_RETIRED);
	}
	reaper_free(r);			/* waits for all of them */
	need_order(&all, MANY);
	job_join(opens);
}

TEST(a_reaper_that_was_given_nothing_ends_nothing)
{
	reaper_free(reaper_new());
	reaper_free(NULL);
}

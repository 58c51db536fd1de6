/*
 * The next run of a program.
 *
 *	UNWANTED --again_want()--> WANTED --begin()--> BEGUN --again_go_on()--> UNWANTED
 *
 * Invariant: only the tender calls begin(), and only while the state is WANTED. The result belongs
 * to the tender until the state is BEGUN, and to the owner from then on.
 */
#include "app/again.h"

#include "tnav/base/job.h"

#define END_NS	INT64_C(1000000000)	/* to notice the end of the previous run */

void
again_init(struct again *a)
{
	*a = (struct again){ .lock = lock_new(LOCK_TASK) };
	buf_init(&a->why);
}

void
again_release(struct again *a)
{
	lock_free(a->lock);
	buf_release(&a->why);
}

static void
set_state(struct again *a, enum again_state from, enum again_state to)
{
	lock_take(a->lock);
	if (a->state == from)
		a->state = to;
	lock_wake(a->lock);
	lock_drop(a->lock);
}

void
again_want(struct again *a)
{
	set_state(a, AGAIN_UNWANTED, AGAIN_WANTED);
}

void
again_want_no_more(struct again *a)
{
	set_state(a, AGAIN_WANTED, AGAIN_UNWANTED);
}

void
again_go_on(struct again *a)
{
	set_state(a, AGAIN_BEGUN, AGAIN_UNWANTED);
}

bool
again_has_begun(struct again *a)
{
	bool	begun;

	lock_take(a->lock);
	begun = a->state == AGAIN_BEGUN;
	lock_drop(a->lock);
	return begun;
}

void
again_wait(struct again *a, int64_t wait_ns)
{
	int64_t	until = job_now_ns() + wait_ns;

	lock_take(a->lock);
	while (a->state != AGAIN_BEGUN && a->why.len == 0 && lock_wait_until(a->lock, until))
		;
	lock_drop(a->lock);
}

bool
again_take_problem(struct again *a, struct buf *why)
{
	bool	any;

	lock_take(a->lock);
	any = a->why.len > 0;
	buf_add(why, a->why.p, a->why.len);
	buf_clear(&a->why);
	lock_drop(a->lock);
	return any;
}

static bool
is_wanted(struct again *a)
{
	int64_t	until = job_now_ns() + END_NS;
	bool	wanted;

	lock_take(a->lock);
	while (a->state == AGAIN_UNWANTED && lock_wait_until(a->lock, until))
		;
	wanted = a->state == AGAIN_WANTED;
	lock_drop(a->lock);
	return wanted;
}

bool
again_take(struct again *a)
{
	struct buf	why;
	bool		begun;

	if (!is_wanted(a))
		return false;
	buf_init(&why);
	begun = a->begin(a->self, &why);
	lock_take(a->lock);
	if (begun)
		a->state = AGAIN_BEGUN;
	buf_clear(&a->why);
	buf_add(&a->why, why.p, begun ? 0 : why.len);
	lock_wake(a->lock);
	lock_drop(a->lock);
	buf_release(&why);
	return begun;
}

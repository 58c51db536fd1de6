/*
 * The next run of a program.
 *
 *	UNWANTED --next_run_want()--> WANTED --begin()--> BEGUN --next_run_go_on()--> UNWANTED
 *
 * Invariant: only the tender calls begin(), and only while the state is WANTED. The result belongs
 * to the tender until the state is BEGUN, and to the owner from then on.
 */
#include "app/next_run.h"

#include "tnav/base/job.h"

#define END_NS	INT64_C(1000000000)	/* to notice the end of the previous run */

void
next_run_init(struct next_run *a)
{
	*a = (struct next_run){ .lock = lock_new(LOCK_TASK) };
}

void
next_run_release(struct next_run *a)
{
	lock_free(a->lock);
	buf_release(&a->why);
}

static void
set_state(struct next_run *a, enum next_run_state from, enum next_run_state to)
{
	lock_take(a->lock);
	if (a->state == from)
		a->state = to;
	lock_wake(a->lock);
	lock_drop(a->lock);
}

void
next_run_want(struct next_run *a)
{
	set_state(a, NEXT_UNWANTED, NEXT_WANTED);
}

void
next_run_want_no_more(struct next_run *a)
{
	set_state(a, NEXT_WANTED, NEXT_UNWANTED);
}

void
next_run_go_on(struct next_run *a)
{
	set_state(a, NEXT_BEGUN, NEXT_UNWANTED);
}

bool
next_run_has_begun(struct next_run *a)
{
	bool	begun;

	lock_take(a->lock);
	begun = a->state == NEXT_BEGUN;
	lock_drop(a->lock);
	return begun;
}

void
next_run_wait(struct next_run *a, int64_t wait_ns)
{
	int64_t	until = job_now_ns() + wait_ns;

	lock_take(a->lock);
	while (a->state != NEXT_BEGUN && a->why.len == 0 && lock_wait_until(a->lock, until))
		;
	lock_drop(a->lock);
}

bool
next_run_take_problem(struct next_run *a, struct buf *why)
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
is_wanted(struct next_run *a)
{
	int64_t	until = job_now_ns() + END_NS;
	bool	wanted;

	lock_take(a->lock);
	while (a->state == NEXT_UNWANTED && lock_wait_until(a->lock, until))
		;
	wanted = a->state == NEXT_WANTED;
	lock_drop(a->lock);
	return wanted;
}

bool
next_run_take(struct next_run *a)
{
	struct buf	why = { 0 };
	bool		begun;

	if (!is_wanted(a))
		return false;
	begun = a->begin(a->self, &why);
	lock_take(a->lock);
	if (begun)
		a->state = NEXT_BEGUN;
	buf_clear(&a->why);
	buf_add(&a->why, why.p, begun ? 0 : why.len);
	lock_wake(a->lock);
	lock_drop(a->lock);
	buf_release(&why);
	return begun;
}

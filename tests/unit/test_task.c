/*
 * Tasks: what the thread makes is the owner's exactly once, whether it was awaited or given up.
 */
#include "../support/test.h"
#include "tnav/base/job.h"
#include "tnav/base/task.h"

#define AGES_NS	INT64_C(3600000000000)

struct work {
	struct task	 task;
	struct lock	*gate;
	bool		 open;		/* under the gate: may it go on? */
	int		 made;
};

static void
work_init(struct work *w)
{
	*w = (struct work){ .gate = lock_new(LOCK_LEAF) };
}

static void
work_release(struct work *w)
{
	task_release(&w->task);
	lock_free(w->gate);
}

static void
let_go(struct work *w)
{
	lock_take(w->gate);
	w->open = true;
	lock_wake(w->gate);
	lock_drop(w->gate);
}

static void
count_once_open(void *arg)
{
	struct work	*w = arg;

	lock_take(w->gate);
	while (!w->open)
		lock_wait(w->gate);
	lock_drop(w->gate);
	w->made++;
}

static void
count_until_stopped(void *arg)
{
	struct work	*w = arg;

	let_go(w);
	while (!task_tick(&w->task, 0, 0))
		;
	w->made++;
}

TEST(a_result_is_taken_over_once)
{
	struct work	w;

	work_init(&w);
	for (int place = TASK_APART; place <= TASK_BEHIND; place++) {
		w.open = false;
		w.made = 0;
		task_start(&w.task, (enum task_place)place, count_once_open, &w);
		assert_false(task_done(&w.task));
		assert_false(task_take(&w.task));
		assert_false(task_wait(&w.task, 1));
		assert_true(w.task.runs);
		let_go(&w);
		assert_true(task_wait(&w.task, AGES_NS));
		assert_true(task_done(&w.task));
		assert_true(task_take(&w.task));
		assert_int_equal(w.made, 1);
		assert_false(task_take(&w.task));
		assert_false(task_done(&w.task));
		assert_false(task_wait(&w.task, AGES_NS));
	}
	work_release(&w);
}

TEST(work_of_the_caller_is_done_at_once)
{
	struct work	w;

	work_init(&w);
	w.open = true;
	task_start(&w.task, TASK_HERE, count_once_open, &w);
	assert_int_equal(w.made, 1);
	assert_true(task_take(&w.task));
	work_release(&w);
}

TEST(a_halt_stops_and_waits_for_the_end)
{
	struct work	w;

	work_init(&w);
	task_halt(&w.task);			/* never started */
	for (int i = 1; i < 20; i++) {
		task_start(&w.task, TASK_APART, count_until_stopped, &w);
		task_halt(&w.task);
		assert_int_equal(w.made, i);
		assert_false(w.task.runs);
		assert_false(task_take(&w.task));
	}
	work_release(&w);
}

/* Of three passes, each with its own amounts. */
TEST(the_progress_is_that_of_all_steps)
{
	struct task	x = { .steps = 3, .runs = true };

	assert_int_equal(task_percent(&x), 0);
	assert_false(task_tick(&x, 1, 4));
	assert_int_equal(task_percent(&x), 8);
	x.step = 1;
	assert_false(task_tick(&x, 0, 0));
	assert_int_equal(task_percent(&x), 33);
	x.step = 2;
	assert_false(task_tick(&x, 7, 7));
	assert_int_equal(task_percent(&x), 100);
	x.stop = true;
	assert_true(task_tick(&x, 7, 7));
	x.runs = false;
	assert_int_equal(task_percent(&x), 0);
}

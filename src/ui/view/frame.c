/*
 * What the last frame awaits.
 *
 *	frame 41	draw: counts 60 %, no shape yet	  -> awaited: counts, shape
 *	between keys	step, step ... each until it is done
 *	frame 42	draw: counts, shape		  -> awaited: nothing
 *
 * Invariant: what is awaited lives until the next frame is drawn.
 */
#include "tnav/base/task.h"
#include "ui/view/view.h"

void
view_frame_begin(struct view *v)
{
	v->frame++;
	v->nawaited = 0;
}

void
view_await(struct view *v, bool (*step)(void *self, int64_t budget_ns), void *self)
{
	for (size_t i = 0; i < v->nawaited; i++)
		if (v->awaited[i].self == self)
			return;
	if (v->nawaited < AWAITED_MOST)
		v->awaited[v->nawaited++] = (struct awaited){ step, self };
}

static bool
wait_task(void *task, int64_t budget_ns)
{
	struct task	*x = task;

	return x->runs && !task_wait(x, budget_ns);
}

void
view_await_task(struct view *v, struct task *x)
{
	if (x->runs)
		view_await(v, wait_task, x);
}

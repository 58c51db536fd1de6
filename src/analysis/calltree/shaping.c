/*
 * Shapes of a call tree, in the background.
 *
 *	pane	take? begin		take? not yet		take: the shape
 *	thread		calltree_shape_new() ............. done
 *	tree	filled	unchanged			   filled
 *
 * A small tree is shaped immediately, which takes less than a frame.
 *
 * Invariant: a tree does not change while a shape is made from it.
 */
#include "tnav/analysis/shaping.h"

#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"

#define AT_ONCE		4096u		/* nodes and cells of a small tree */

/* ---- all of them */

bool
shapings_busy(const struct shapings *all)
{
	for (const struct calls_shape *s = all->first; s != NULL; s = s->next)
		if (s->task.runs && !task_done(&s->task))
			return true;
	return false;
}

void
shapings_wait(struct shapings *all, int64_t budget_ns)
{
	int64_t	until = job_now_ns() + budget_ns;

	for (struct calls_shape *s = all->first; s != NULL; s = s->next)
		(void)task_wait(&s->task, until - job_now_ns());
}

static void
forget(struct calls_shape *s)
{
	task_halt(&s->task);
	folding_free(s->folding);
	s->folding = NULL;
	calltree_shape_free(s->made);
	s->made = NULL;
	s->known = false;
}

void
shapings_forget(struct shapings *all)
{
	for (struct calls_shape *s = all->first; s != NULL; s = s->next)
		forget(s);
}

/* ---- one */

void
shaping_release(struct calls_shape *s)
{
	struct calls_shape	**at;

	if (s->all == NULL)
		return;
	forget(s);
	for (at = &s->all->first; *at != s; at = &(*at)->next)
		;
	*at = s->next;
	s->all = NULL;
	task_release(&s->task);
	mem_free(s->of);
}

static void
shape(void *arg)
{
	struct calls_shape	*s = arg;

	s->made = calltree_shape_new(s->tree, &s->o);
}

static bool
is_same(const struct calltree_shape_options *a, const struct calltree_shape_options *b)
{
	return a->form == b->form && a->group == b->group && a->threads == b->threads &&
	    a->by_id == b->by_id && a->most == b->most && text_same(a->of, b->of) &&
	    !(a->least < b->least) && !(a->least > b->least);
}

static void
begin(struct calls_shape *s, const struct calltree *tree, const struct calltree_shape_options *o,
    uint64_t stamp)
{
	struct calltree_totals	 t;
	char			*of = o->of != NULL ? mem_strdup(o->of) : NULL;

	forget(s);
	mem_free(s->of);
	s->tree = tree;
	s->stamp = stamp;
	s->known = true;
	s->folding = o->folding != NULL ? folding_copy(o->folding) : NULL;
	s->o = *o;
	s->o.of = s->of = of;
	s->o.folding = s->folding;
	s->o.stop = &s->task.stop;
	calltree_totals(tree, &t);
	if (t.stacks + calltree_cells(tree) > AT_ONCE) {
		task_start(&s->task, TASK_APART, shape, s);
		return;
	}
	task_start(&s->task, TASK_HERE, shape, s);
	s->all->steps += s->made->steps;
}

struct calltree_shape *
shaping_take(struct calls_shape *s, struct shapings *all, const struct calltree *tree,
    const struct calltree_shape_options *o, uint64_t stamp)
{
	struct calltree_shape	*made;

	if (s->all == NULL) {
		s->all = all;
		s->next = all->first;
		all->first = s;
	}
	if (!s->known || !is_same(&s->o, o) || (s->stamp != stamp && !s->task.runs))
		begin(s, tree, o, stamp);
	if (!task_take(&s->task))
		return NULL;
	made = s->made;
	s->made = NULL;
	return made;
}

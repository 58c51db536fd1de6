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
#include "ui/view/shaping.h"

#include <stdatomic.h>

#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "ui/view/words.h"

#define AT_ONCE		4096u		/* nodes and cells of a small tree */

struct shaping {
	struct shapings			*all;
	struct shaping			*next;
	const struct calltree		*tree;
	struct calltree_shape_options	 o;		/* options: */
	char				*of;
	struct folding			*folding;	/* the job's copy */
	uint64_t			 stamp;
	bool				 known;		/* o and stamp belong to the last request */
	struct job			*job;		/* NULL: none is being made */
	atomic_bool			 stop, done;
	struct calltree_shape		*made;		/* set by the job; taken by the thread
							   that has joined it */
};

/* ---- all of them */

void
shapings_init(struct shapings *all)
{
	*all = (struct shapings){ .lock = lock_new() };
}

void
shapings_release(struct shapings *all)
{
	shapings_forget(all);
	lock_free(all->lock);
}

bool
shapings_busy(const struct shapings *all)
{
	for (const struct shaping *s = all->first; s != NULL; s = s->next)
		if (s->job != NULL && !atomic_load(&s->done))
			return true;
	return false;
}

void
shapings_wait(struct shapings *all, int64_t budget_ns)
{
	int64_t	until = job_now_ns() + budget_ns;

	lock_take(all->lock);
	while (shapings_busy(all) && lock_wait_until(all->lock, until))
		;
	lock_drop(all->lock);
}

/* A job that was stopped too late has a shape. */
static void
halt(struct shaping *s)
{
	atomic_store(&s->stop, true);
	job_join(s->job);
	s->job = NULL;
	folding_free(s->folding);
	s->folding = NULL;
}

static void
forget(struct shaping *s)
{
	halt(s);
	calltree_shape_free(s->made);
	s->made = NULL;
	s->known = false;
}

void
shapings_forget(struct shapings *all)
{
	for (struct shaping *s = all->first; s != NULL; s = s->next)
		forget(s);
}

/* ---- one */

struct shaping *
shaping_new(struct shapings *all)
{
	struct shaping	*s = mem_zalloc(1, sizeof *s);

	s->all = all;
	s->next = all->first;
	all->first = s;
	return s;
}

void
shaping_free(struct shaping *s)
{
	struct shaping	**at;

	if (s == NULL)
		return;
	forget(s);
	for (at = &s->all->first; *at != s; at = &(*at)->next)
		;
	*at = s->next;
	mem_free(s->of);
	mem_free(s);
}

static void
shaping_job(void *arg)
{
	struct shaping	*s = arg;

	s->made = calltree_shape_new(s->tree, &s->o);
	lock_take(s->all->lock);
	atomic_store(&s->done, true);
	lock_wake(s->all->lock);
	lock_drop(s->all->lock);
}

static bool
is_same(const struct calltree_shape_options *a, const struct calltree_shape_options *b)
{
	return a->form == b->form && a->group == b->group && a->threads == b->threads &&
	    a->by_id == b->by_id && a->most == b->most && view_same_text(a->of, b->of) &&
	    !(a->least < b->least) && !(a->least > b->least);
}

static void
begin(struct shaping *s, const struct calltree *tree, const struct calltree_shape_options *o,
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
	s->o.stop = &s->stop;
	atomic_store(&s->stop, false);
	atomic_store(&s->done, false);
	calltree_totals(tree, &t);
	if (t.stacks + calltree_cells(tree) > AT_ONCE)
		s->job = job_start(shaping_job, s);
	if (s->job != NULL)
		return;
	shaping_job(s);
	s->all->steps += s->made->steps;
}

bool
shaping_is_made(const struct shaping *s)
{
	return s->job != NULL && atomic_load(&s->done);
}

struct calltree_shape *
shaping_take(struct shaping *s, const struct calltree *tree,
    const struct calltree_shape_options *o, uint64_t stamp)
{
	struct calltree_shape	*made;

	if (!s->known || !is_same(&s->o, o) ||
	    (s->stamp != stamp && s->job == NULL && s->made == NULL))
		begin(s, tree, o, stamp);
	if (s->job != NULL && !atomic_load(&s->done))
		return NULL;
	halt(s);
	made = s->made;
	s->made = NULL;
	return made;
}

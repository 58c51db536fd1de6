/*
 * States for reuse, the last returned one first: its memory is still in the caches.
 *
 * Invariant: a state in the list belongs to no thread.
 */
#include "tnav/base/spares.h"

#include <assert.h>

#include "tnav/base/job.h"
#include "tnav/base/mem.h"

void
spares_init(struct spares *s)
{
	*s = (struct spares){ .lock = lock_new(LOCK_LEAF) };
}

void
spares_release(struct spares *s)
{
	assert(s->n == 0);
	mem_free(s->v);
	lock_free(s->lock);
	*s = (struct spares){ .n = 0 };
}

void *
spares_take(struct spares *s)
{
	void	*state;

	lock_take(s->lock);
	state = s->n > 0 ? s->v[--s->n] : NULL;
	lock_drop(s->lock);
	return state;
}

void
spares_give(struct spares *s, void *state)
{
	lock_take(s->lock);
	ARRAY_ADD(s->v, s->n, s->cap, state);
	lock_drop(s->lock);
}

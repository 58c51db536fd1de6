/*
 * The plans of one path.
 *
 *	"Count"		type 0: absent   type 1: skip 4, read u32   type 2: not made yet
 *
 * Invariant: a plan never changes once made, because types never do.
 */
#include "engine/field/plans.h"

#include <string.h>

void
field_plans_init(struct field_plans *p, const char *path)
{
	*p = (struct field_plans){ .path = mem_strdup(path) };
}

void
field_plans_release(struct field_plans *p)
{
	for (size_t i = 0; i < p->n; i++)
		payload_plan_free(p->plan[i]);
	mem_free(p->plan);
	mem_free(p->path);
	*p = (struct field_plans){ .path = NULL };
}

const struct payload_plan *
field_plans_make(struct field_plans *p, const struct event_type *t, unsigned pointer_size)
{
	size_t	n = (size_t)t->index + 1;

	if (n > p->n) {
		p->plan = mem_grow(p->plan, &p->cap, n, sizeof *p->plan);
		memset(p->plan + p->n, 0, (n - p->n) * sizeof *p->plan);
		p->n = n;
	}
	p->plan[t->index] = payload_plan_new(t, p->path, pointer_size);
	return p->plan[t->index];
}

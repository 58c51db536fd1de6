/*
 * The plans of one path, by type, made when a type is first needed. Private to the engine.
 */
#ifndef ENGINE_FIELD_PLANS_H
#define ENGINE_FIELD_PLANS_H

#include "tnav/base/mem.h"
#include "tnav/model/payload_plan.h"

struct field_plans {
	char			*path;
	struct payload_plan	**plan;		/* by type; NULL: not yet */
	size_t			 n, cap;
};

/* Takes a copy of the path. */
void	field_plans_init(struct field_plans *p, const char *path);
void	field_plans_release(struct field_plans *p);
const struct payload_plan *field_plans_make(struct field_plans *p, const struct event_type *t,
	    unsigned pointer_size);

static inline const struct payload_plan *
field_plan(struct field_plans *p, const struct event_type *t, unsigned pointer_size)
{
	if (t->index < p->n && p->plan[t->index] != NULL)
		return p->plan[t->index];
	return field_plans_make(p, t, pointer_size);
}

#endif

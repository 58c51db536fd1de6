/*
 * Parts of a result as states of a pass.
 *
 *	state	[ ops | part ]		the pass knows the state, the caller knows the part
 */
#include "analysis/parts.h"

#include <stddef.h>

#include "tnav/base/mem.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/pass.h"

struct state {
	const struct part_ops	*ops;
	max_align_t		 part[];
};

struct reading {
	const struct part_ops	*ops;
	void			*arg;
};

static void *
state_begin(void *arg)
{
	const struct reading	*r = arg;
	struct state		*s = mem_zalloc(1, sizeof *s + r->ops->size);

	s->ops = r->ops;
	r->ops->begin(s->part, r->arg);
	return s;
}

static void
state_add(void *state, const struct pass_batch *b)
{
	struct state	*s = state;

	for (uint32_t i = 0; i < b->n; i++)
		s->ops->event(s->part, &b->ev[b->at[i]]);
}

static void
state_free(void *state)
{
	struct state	*s = state;

	s->ops->release(s->part);
	mem_free(s);
}

static int
state_merge(void *arg, void *state)
{
	const struct reading	*r = arg;

	r->ops->merge(r->arg, ((struct state *)state)->part);
	return 0;
}

static const struct pass_ops	state_ops = {
	.begin = state_begin, .add = state_add, .merge = state_merge, .free = state_free,
};

int
parts_read(struct trace *t, const char *events, const struct part_ops *ops, void *arg,
    bool (*tick)(void *arg, uint64_t done, uint64_t all), void *tick_arg)
{
	struct filter		*f = filter_own(events);
	struct pass_options	 o = { .order = PASS_ANY, .filter = f, .tick = tick,
				    .tick_arg = tick_arg };
	struct reading		 r = { ops, arg };
	struct pass_result	 result;
	int			 err = pass_run(t, &o, &state_ops, &r, &result);

	filter_free(f);
	return err;
}

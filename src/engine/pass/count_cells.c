/*
 * The cells of an event that is counted.
 *
 *	key	start of the time step | name | tid | ...
 *	values	payload.Size | ...		read by c->numbers, which may be another reader
 *
 * Invariant: the cells of an event are those of its key, then those of its values.
 */
#include "engine/pass/counter.h"

#include "tnav/engine/steps.h"

void
counter_cells_get(struct counter *c, const struct field_ref *refs, const struct event *e,
    uint64_t row)
{
	size_t	n = c->by->n;

	if (c->numbers == c->reader) {
		field_get(c->reader, refs, n + c->nvalues, e, row, c->cells);
		return;
	}
	field_get(c->reader, refs, n, e, row, c->cells);
	if (c->nvalues > 0)
		field_get(c->numbers, c->refs + n, c->nvalues, e, row, c->cells + n);
}

bool
counter_is_list(const struct counter *c, size_t field)
{
	return c->opt.each && c->refs[field].def->class != CLASS_STACK &&
	    field_is_list(&c->refs[field], &c->cells[field]);
}

void
counter_cells_step(struct counter *c)
{
	for (size_t i = 0; i < c->by->n && c->opt.steps; i++)
		if (!counter_is_list(c, i))
			steps_begin(&c->cells[i]);
}

void
counter_add_time(struct counter *c, struct key_bytes *key, const struct event *e)
{
	int64_t		ns, into;
	struct cell	cell;

	if (c->opt.every_ns == 0)
		return;
	ns = trace_ns(c->t, e->ts);
	into = ns % c->opt.every_ns;
	into = into < 0 ? into + c->opt.every_ns : into;
	if (__builtin_sub_overflow(ns, into, &ns))
		ns = INT64_MIN;
	cell = cell_time(ns);
	key_add(key, &cell, &c->key_options);
}

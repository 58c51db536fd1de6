/*
 * The values of a counter: sums, minima and maxima, percentiles and distinct values by key.
 *
 *	key 7, value 0		{ n, sum, least, greatest, ranks }	figure.c, ranks.c
 *	{ key 7, value 0, hash } ...	different values		distinct.c
 *
 * Invariant: memory is bounded by the limits of ranks and different values.
 */
#include "engine/pass/counter.h"

#include "tnav/base/mem.h"

/* ---- adding */

/* Are there too many numbers for exact percentiles? */
static bool
is_too_much(const struct counter *c, const struct ranks *s)
{
	return s->n > c->opt.limits.group || (c->rough && s->n > c->opt.limits.few);
}

/* Keep the ranks within their limits, after numbers were added to one of them. */
static void
ranks_bound(struct counter *c, struct ranks *s, uint64_t added)
{
	c->nranked += added;
	if (!c->rough && c->nranked > c->opt.limits.all) {
		c->rough = true;
		for (size_t i = 0; i < c->n * c->nvalues; i++) {
			struct ranks	*other = c->figure[i].ranks;

			if (other != NULL && is_too_much(c, other))
				ranks_roughen(other);
		}
	}
	if (is_too_much(c, s))
		ranks_roughen(s);
}

static struct ranks *
ranks_of(struct accumulator *f)
{
	if (f->ranks == NULL) {
		f->ranks = mem_alloc(sizeof *f->ranks);
		ranks_init(f->ranks);
	}
	return f->ranks;
}

static void
distinct_count(struct counter *c, uint32_t key, size_t value, uint64_t hash)
{
	struct accumulator	*f = counter_figure_of(c, key, value);
	enum distinct_is	 is;

	if (key == BEYOND)
		return;
	is = distinct_add(&c->distinct, (struct distinct_value){ hash, key, (uint32_t)value });
	f->different += is == DISTINCT_NEW;
	f->more |= is == DISTINCT_BEYOND;
}

void
counter_add_number(struct counter *c, uint32_t key, size_t value, const struct placed_number *n)
{
	struct accumulator	*f = counter_figure_of(c, key, value);

	if (c->ranked[value] && key != BEYOND)
		(void)ranks_of(f);
	figure_add(f, &n->num, n->kind);
	if (f->ranks != NULL)
		ranks_bound(c, f->ranks, 1);
}

static void
value_add(struct counter *c, uint32_t key, size_t value, const struct cell *cell)
{
	struct placed_number	n = { figure_number(cell), cell->kind };
	uint64_t		hash;

	if (c->different[value] && key_hash(cell, &hash))
		distinct_count(c, key, value, hash);
	if (n.num.kind != NUM_NONE)
		counter_add_number(c, key, value, &n);
	else
		counter_figure_of(c, key, value)->others += cell->kind != CELL_NONE &&
		    cell->kind != CELL_NULL;
}

struct value_arg {
	struct counter	*c;
	size_t		 value, i;	/* i: values so far */
};

/* One of several values. If the event has several keys, the i-th value belongs to the i-th key. */
static int
value_each(void *arg, const struct cell *cell)
{
	struct value_arg	*a = arg;
	size_t			 i = a->i++;

	if (a->c->nkeys == 1)
		i = 0;
	if (i >= a->c->nkeys)
		return 1;
	value_add(a->c, a->c->keys[i], a->value, cell);
	return 0;
}

/* Add the event's values of a field to its keys. */
void
counter_add_values(struct counter *c, size_t value, const struct event *e, uint64_t row)
{
	size_t	field = c->by->n + value;

	if (counter_is_list(c, field)) {
		(void)field_each(c->numbers, &c->refs[field], e, row, value_each,
		    &(struct value_arg){ .c = c, .value = value });
		return;
	}
	for (size_t i = 0; i < c->nkeys; i++)
		value_add(c, c->keys[i], value, &c->cells[field]);
}

/* ---- merging */

void
counter_merge_figures(struct counter *into, uint32_t key, const struct accumulator *from)
{
	for (size_t i = 0; i < into->nvalues; i++) {
		struct accumulator	*f = counter_figure_of(into, key, i);

		figure_merge(f, &from[i]);
		if (from[i].ranks == NULL || key == BEYOND)
			continue;
		ranks_merge(ranks_of(f), from[i].ranks);
		ranks_bound(into, f->ranks, from[i].ranks->n);
	}
}

void
counter_merge_distinct(struct counter *into, const struct counter *from, const uint32_t *keys)
{
	for (size_t i = 0; i < from->distinct.n; i++) {
		const struct distinct_value	*v = &from->distinct.v[i];

		distinct_count(into, keys[v->key], v->field, v->hash);
	}
}

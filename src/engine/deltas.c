/*
 * The deltas that were lent to a trace, and the lookup of a row's stretch.
 */
#include "tnav/engine/deltas.h"

#include "engine/stretches.h"
#include "tnav/base/mem.h"

void
trace_set_deltas(struct trace *t, const struct deltas *d)
{
	lock_take(t->lock);
	atomic_store(&t->deltas, d);
	atomic_fetch_add(&t->generation, 1);
	lock_drop(t->lock);
}

const struct deltas *
trace_deltas(struct trace *t)
{
	return atomic_load_explicit(&t->deltas, memory_order_acquire);
}

const struct stretch *
deltas_stretch(const struct deltas *d, uint64_t row)
{
	size_t	from = 0, to = d->n;

	while (from < to) {
		size_t			 i = from + (to - from) / 2;
		const struct stretch	*s = &d->v[i];

		if (row >= s->row0 && row - s->row0 < s->n)
			return s;
		if (row < s->row0)
			to = i;
		else
			from = i + 1;
	}
	return NULL;
}

size_t
deltas_bytes(const struct deltas *d)
{
	return sizeof *d + d->cap * sizeof *d->v + d->before_cap * sizeof *d->before;
}

void
deltas_free(struct deltas *d)
{
	if (d == NULL)
		return;
	mem_free(d->v);
	mem_free(d->before);
	mem_free(d);
}

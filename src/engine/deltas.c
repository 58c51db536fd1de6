/*
 * The deltas that were lent to a trace, and the lookup of a row's stretch.
 */
#include "tnav/engine/deltas.h"

#include "engine/stretches.h"
#include "tnav/base/mem.h"

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

/*
 * The deltas that were lent to a trace, and the lookup of a row's stretch.
 */
#include "tnav/engine/deltas.h"

#include "engine/stretches.h"
#include "tnav/base/array.h"
#include "tnav/base/mem.h"

const struct stretch *
deltas_stretch(const struct deltas *d, uint64_t row)
{
	size_t	at = 0;

	BISECT(at, d->n, i, d->v[i].row0 + d->v[i].n <= row);
	return at < d->n && row >= d->v[at].row0 ? &d->v[at] : NULL;
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

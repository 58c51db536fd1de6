/*
 * Events of a source as those of the joined trace: without repeats, with its times and offsets.
 *
 *	off in the file		| 100   140   180 |	repeats: 140
 *	off in the whole	| 0x0001...064   0x0001...0b4 |
 */
#include "engine/joined/joined.h"

#include "tnav/base/array.h"

void
joined_events(const struct trace *t, uint32_t source, struct event *ev, size_t n)
{
	const struct clock_map	*c = &joined_source(t, source)->clock;
	uint64_t		 base = (uint64_t)source << EVENT_SOURCE_SHIFT;

	for (size_t i = 0; i < n; i++) {
		ev[i].ts = clock_to(c, ev[i].ts);
		ev[i].off += base;
	}
}

size_t
repeats_between(const struct repeats *r, uint64_t after, uint64_t to)
{
	size_t	lo = 0, hi;

	BISECT(lo, r->n, i, r->v[i].off <= after);
	hi = lo;
	BISECT(hi, r->n, i, r->v[i].off <= to);
	return hi - lo;
}

size_t
repeats_drop(const struct repeats *r, struct event *e, size_t n)
{
	size_t	at = 0, kept = 0;

	if (n > 0)
		BISECT(at, r->n, i, r->v[i].off < e[0].off);
	for (size_t i = 0; i < n; i++) {
		while (at < r->n && r->v[at].off < e[i].off)
			at++;
		if (at == r->n || r->v[at].off != e[i].off)
			e[kept++] = e[i];
	}
	return kept;
}

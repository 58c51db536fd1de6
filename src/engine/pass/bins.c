/*
 * Counts over time. Equal buckets of a range:
 *
 *	from |----0----|----1----|----2----| to		n = 3
 *
 * Bins are parts of a range whose ends are not known before the end of the counting:
 *
 *	ticks >> shift	  40  41  42  43		parts from first to last
 *	ring		[ .. 40  41  42  43 .. ]	a part is at its number % most
 *	too many	  20      21			shift + 1: two parts become one
 *
 * Parts begin at multiples of their length, so that joining two of them is exact.
 *
 * Invariant: last - first < most, and shift is the least for which that is true. So the parts
 * depend only on the times that are covered, not on the order of the events.
 */
#include "tnav/engine/bins.h"

#include <string.h>

#include "tnav/base/mem.h"

/* ---- buckets */

unsigned
time_bucket(int64_t ts, int64_t from, int64_t to, unsigned n)
{
	double	len = (double)((uint64_t)to - (uint64_t)from), at;

	if (to <= from || ts <= from || n <= 1)
		return 0;
	at = (double)((uint64_t)ts - (uint64_t)from) * n / len;
	return at >= n ? n - 1 : (unsigned)at;
}

int64_t
time_bucket_start(unsigned bucket, int64_t from, int64_t to, unsigned n)
{
	unsigned __int128	len = (uint64_t)to - (uint64_t)from;

	/* The first tick of the bucket. */
	return (int64_t)((uint64_t)from + (uint64_t)((len * bucket + n - 1) / n));
}

void
runs_add(struct runs *s, const struct event *e, int64_t bucket)
{
	uint32_t		*at = &s->recent[e->thread % THREADS_RECENT];
	struct thread_run	*r = *at < s->n ? &s->v[*at] : NULL;

	if (r == NULL || r->thread != e->thread || r->bucket != bucket) {
		*at = (uint32_t)s->n;
		s->v = mem_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
		r = &s->v[s->n++];
		*r = (struct thread_run){ .thread = e->thread, .bucket = bucket };
	}
	r->n++;
	r->bytes += e->size;
}

/* ---- bins */

void
bins_init(struct bins *b, unsigned most)
{
	*b = (struct bins){ .most = most };
}

void
bins_release(struct bins *b)
{
	mem_free(b->v);
}

static uint64_t *
bin_at(const struct bins *b, size_t key, int64_t part)
{
	return &b->v[key * b->most + ((uint64_t)part & (b->most - 1))];
}

void
bins_key(struct bins *b)
{
	b->v = mem_grow(b->v, &b->cap, (b->keys + 1) * b->most, sizeof *b->v);
	memset(&b->v[b->keys * b->most], 0, b->most * sizeof *b->v);
	b->keys++;
}

static void
fold(struct bins *b, unsigned by)
{
	struct bins	was = *b;

	b->shift += by;
	b->first >>= by;
	b->last >>= by;
	for (size_t key = 0; key < b->keys; key++) {
		uint64_t	n[BINS_MOST];
		unsigned	parts = bins_get(&was, key, n);

		memset(&b->v[key * b->most], 0, b->most * sizeof *b->v);
		for (unsigned i = 0; i < parts; i++)
			*bin_at(b, key, (was.first + (int64_t)i) >> by) += n[i];
	}
}

static void
cover_part(struct bins *b, int64_t first, int64_t last, unsigned shift)
{
	int64_t		lo, hi;
	unsigned	by = 0;

	if (!b->any) {
		b->any = true;
		b->shift = shift;
		b->first = first;
		b->last = last;
		return;
	}
	if (shift > b->shift)
		fold(b, shift - b->shift);
	lo = first >> (b->shift - shift);
	hi = last >> (b->shift - shift);
	lo = lo < b->first ? lo : b->first;
	hi = hi > b->last ? hi : b->last;
	while ((uint64_t)(hi >> by) - (uint64_t)(lo >> by) >= b->most)
		by++;
	if (by > 0)
		fold(b, by);
	b->first = lo >> by;
	b->last = hi >> by;
}

void
bins_cover(struct bins *b, int64_t ts)
{
	if (!b->any || ts >> b->shift < b->first || ts >> b->shift > b->last)
		cover_part(b, ts, ts, 0);
}

void
bins_cover_all(struct bins *into, const struct bins *from)
{
	if (from->any)
		cover_part(into, from->first, from->last, from->shift);
}

void
bins_add(struct bins *b, size_t key, int64_t ts, uint64_t n)
{
	*bin_at(b, key, ts >> b->shift) += n;
}

void
bins_merge(struct bins *into, size_t key, const struct bins *from, size_t from_key)
{
	uint64_t	n[BINS_MOST];
	unsigned	parts = bins_get(from, from_key, n);

	for (unsigned i = 0; i < parts; i++)
		*bin_at(into, key, (from->first + (int64_t)i) >> (into->shift - from->shift)) +=
		    n[i];
}

unsigned
bins_get(const struct bins *b, size_t key, uint64_t *out)
{
	unsigned	n = 0;

	if (!b->any)
		return 0;
	for (int64_t part = b->first; n <= (uint64_t)(b->last - b->first); part++)
		out[n++] = *bin_at(b, key, part);
	return n;
}

/*
 * One slice's events, made on demand.
 *
 *	segments in time     [====a====]               a slice has the events inside its
 *	                  [==b==]   [===c===]          interval of all segments that touch
 *	slices           |    0    |    1    |         it, sorted by time (order.c)
 *
 * Invariant: slice_events() returns exactly the events that were counted when the slice was cut. If
 * the file has changed and they are gone, it returns none.
 * Format: NetTrace V4, "Event TimeStamp sorting", rule 1.
 */
#include "engine/view/slice.h"

#include <string.h>

#include "engine/joined/joined.h"
#include "engine/view/resolve.h"
#include "tnav/base/array.h"
#include "tnav/base/mem.h"

/* The key of a slice of the open region: OPEN | its generation, its number. */
#define OPEN	((uint64_t)1 << 63)
#define OPEN_BITS 24u
/* The key of a slice of a closed region: how often a region was opened again, its number. */
#define FINAL_BITS 40u

/* ---- finding slices */

/* Under the lock: the number of the final slice that contains the row, which must exist. */
static uint64_t
slice_number(const struct trace *t, uint64_t row)
{
	uint64_t	after = 1;

	BISECT(after, t->index.slices.n, i,
	    ((struct slice *)segvec_at(&t->index.slices, i))->row0 <= row);
	return after - 1;
}

/* Under the lock: the final slice that contains the row, which must exist. */
static void
final_find(const struct trace *t, uint64_t row, struct slice_ref *out)
{
	uint64_t	number = slice_number(t, row);

	out->key = t->opened_again << FINAL_BITS | number;
	out->s = *(struct slice *)segvec_at(&t->index.slices, number);
	out->r = *(struct region *)segvec_at(&t->index.regions, out->s.region);
	out->final = true;
}

/* Find the one of n slices of the open region of this generation that contains the row. */
static bool
open_find(const struct slice *s, size_t n, const struct region *open, uint64_t gen, uint64_t row,
    struct slice_ref *out)
{
	for (size_t i = 0; i < n; i++) {
		if (row < s[i].row0 || row - s[i].row0 >= s[i].n)
			continue;
		*out = (struct slice_ref){ .s = s[i], .r = *open,
		    .key = OPEN | gen << OPEN_BITS | i };
		return true;
	}
	return false;
}

bool
slice_find(const struct trace *t, uint64_t row, struct slice_ref *out)
{
	if (row < t->progress.rows) {
		final_find(t, row, out);
		return true;
	}
	return open_find(t->open_slices.s, t->open_slices.n, &t->open_pub, t->open_gen, row, out);
}

bool
region_slices(struct trace *t, const struct slice_ref *ref, struct slice_list *out, uint64_t *key)
{
	*out = (struct slice_list){ .n = 0 };
	lock_take(t->lock);
	if (ref->key >> FINAL_BITS == t->opened_again) {
		uint64_t	first = slice_number(t, ref->r.row0);

		*key = t->opened_again << FINAL_BITS | first;
		for (uint64_t i = first; i < t->index.slices.n; i++) {
			const struct slice	*s = segvec_at(&t->index.slices, i);

			if (s->region != ref->s.region)
				break;
			ARRAY_ADD(out->s, out->n, out->cap, *s);
		}
	}
	lock_drop(t->lock);
	return out->n > 0;
}

void
rows_now_init(struct rows_now *now, struct trace *t)
{
	*now = (struct rows_now){ .n = 0 };
	lock_take(t->lock);
	now->head = t->head.row;
	now->final = now->rows = t->progress.rows;
	now->gen = t->open_gen;
	now->n = t->open_slices.n;
	if (now->n > 0) {
		now->open = t->open_pub;
		now->rows += t->open_pub.events;
		now->s = mem_alloc(now->n * sizeof *now->s);
		memcpy(now->s, t->open_slices.s, now->n * sizeof *now->s);
	}
	lock_drop(t->lock);
}

void
rows_now_release(struct rows_now *now)
{
	mem_free(now->s);
	now->s = NULL;
}

bool
rows_now_find(const struct rows_now *now, struct trace *t, uint64_t row, struct slice_ref *out)
{
	if (row >= now->final)
		return open_find(now->s, now->n, &now->open, now->gen, row, out);
	lock_take(t->lock);
	final_find(t, row, out);
	lock_drop(t->lock);
	return true;
}

void
slice_failed(struct trace *t, const struct slice_ref *ref, uint32_t state)
{
	uint64_t	i = ref->key & (((uint64_t)1 << OPEN_BITS) - 1);
	uint64_t	number = ref->key & (((uint64_t)1 << FINAL_BITS) - 1);

	lock_take(t->lock);
	if (ref->final && ref->key >> FINAL_BITS == t->opened_again)
		((struct slice *)segvec_at(&t->index.slices, number))->failed = state;
	else if (!ref->final && ref->key == (OPEN | t->open_gen << OPEN_BITS | i) &&
	    i < t->open_slices.n)
		t->open_slices.s[i].failed = state;
	lock_drop(t->lock);
}

/* ---- loading a slice */

/* Those of joined traces came as the files grew: put the first source's first, in their order. */
static void
sort_by_source(const struct trace *t, const struct segment **v, size_t n)
{
	const struct segment	**sorted = mem_alloc((n + 1) * sizeof *sorted);
	size_t			 *at = mem_zalloc(t->joined->n + (size_t)1, sizeof *at);

	for (size_t i = 0; i < n; i++)
		at[v[i]->source + 1]++;
	for (uint32_t i = 0; i < t->joined->n; i++)
		at[i + 1] += at[i];
	for (size_t i = 0; i < n; i++)
		sorted[at[v[i]->source]++] = v[i];
	if (n > 0)
		memcpy(v, sorted, n * sizeof *v);
	mem_free(sorted);
	mem_free(at);
}

size_t
slice_segments(struct trace *t, const struct slice_ref *ref, const struct segment ***out)
{
	const struct slice	*s = &ref->s;
	const struct region	*r = &ref->r;
	size_t			 n = 0, cap = 0;

	*out = NULL;
	lock_take(t->lock);
	for (uint64_t k = 0; k < (r->touch != NULL ? s->ntouch : r->nseg); k++) {
		uint64_t		 i = r->touch != NULL ? r->touch[s->touch0 + k] : k;
		const struct segment	*g = segvec_at(&t->index.segments, r->seg0 + i);
		struct order_key	 first, last;

		if (g->tmax < s->lo.ts || g->tmin > s->hi.ts)
			continue;
		segment_keys(t, r, i, &first, &last);
		if (key_less(last, s->lo) || !key_less(first, s->hi))
			continue;
		*out = mem_grow(*out, &cap, n + 1, sizeof **out);
		(*out)[n++] = g;
	}
	lock_drop(t->lock);
	if (t->joined != NULL && r->touch == NULL)
		sort_by_source(t, *out, n);
	return n;
}

size_t
slice_keep(const struct slice *s, struct event *e, size_t n)
{
	size_t	k = 0, first = 0;

	/* Mostly all events are inside the slice: then nothing is moved. */
	while (first < n && e[first].ts > s->lo.ts && e[first].ts < s->hi.ts)
		first++;
	k = first;
	for (size_t i = first; i < n; i++) {
		if (slice_has(s, (struct order_key){ e[i].ts, e[i].off }))
			e[k++] = e[i];
	}
	return k;
}

bool
slice_events(struct trace *t, const struct slice_ref *ref, struct event *ev,
    struct order_room *r, const atomic_bool *stop)
{
	const struct segment	**seg;
	size_t			  nseg = slice_segments(t, ref, &seg), n = 0;
	struct resolver		 *rv = resolver_new(t);
	struct decoded		  d = { .lost = false };

	for (size_t i = 0; i < nseg && n <= ref->s.n && !d.lost && !slice_stopped(stop); i++) {
		size_t	got = segment_events(t, seg[i], ev + n, &d);

		resolver_events(rv, seg[i], ev + n, got, &d);
		n += slice_keep(&ref->s, ev + n, got);
	}
	mem_free(seg);
	resolver_free(rv);
	decoded_release(&d);
	if (n != ref->s.n || d.lost || slice_stopped(stop))
		return false;		/* stopped, or the file has changed since it was indexed */
	events_sort(ev, n, r);
	return true;
}

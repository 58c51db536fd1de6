/*
 * The rows that a query has decided.
 *
 *	slices	|      |      |      | near |      |      |      |
 *	counted	           3      0     17      1             2
 *	set	                      [10010]     [01 (half)]		of those used recently
 *
 * Counts are never dropped; they take 56 bytes per slice. Bits take one bit per row. The bits used
 * least recently are dropped when there are too many, because they can be computed again. Where all
 * rows are hits, or none, none are needed.
 *
 * Invariant: slices never overlap. Results that are not final are dropped when the trace has
 * changed.
 */
#include "engine/pass/decided.h"

#include <string.h>

#include "tnav/base/mem.h"

#define SETS_BYTES	(16u << 20)
#define COUNT_ROWS	512u		/* rows whose hits are counted at once in a search */

void
decided_release(struct decided *d)
{
	for (size_t i = 0; i < d->n; i++)
		mem_free(d->rec[i].set);
	mem_free(d->rec);
}

void
decided_sum(struct decided *d)
{
	for (; d->summed < d->n; d->summed++) {
		const struct slice_hits	*below = d->summed > 0 ? &d->rec[d->summed - 1] : NULL;

		d->rec[d->summed].before = below != NULL ? below->before + below->hits : 0;
	}
}

/* ---- bits */

static size_t
set_bytes(const struct slice_hits *h)
{
	return (size_t)h->n / 8 + 1;
}

static void
set_drop(struct decided *d, struct slice_hits *h)
{
	if (h->set == NULL)
		return;
	d->bytes -= set_bytes(h);
	mem_free(h->set);
	h->set = NULL;
	h->known = 0;
}

static void
sets_make_room(struct decided *d)
{
	while (d->bytes > SETS_BYTES) {
		struct slice_hits	*least = NULL;

		for (size_t i = 0; i < d->n; i++)
			if (d->rec[i].set != NULL &&
			    (least == NULL || d->rec[i].used < least->used))
				least = &d->rec[i];
		set_drop(d, least);
	}
}

static bool
is_uniform(const struct slice_hits *h)
{
	return h->counted && (h->hits == 0 || h->hits == h->n);
}

uint32_t
slice_hits_known(const struct slice_hits *h)
{
	return is_uniform(h) ? h->n : h->known;
}

bool
slice_hit(const struct slice_hits *h, uint64_t row)
{
	uint64_t	i = row - h->row0;

	return is_uniform(h) ? h->hits > 0 : h->set[i / 8] >> (i % 8) & 1;
}

uint32_t
slice_hits_between(const struct slice_hits *h, uint64_t from, uint64_t to)
{
	uint32_t	n = 0;

	if (is_uniform(h))
		return h->hits > 0 && from < to ? (uint32_t)(to - from) : 0;
	for (; from < to && (from - h->row0) % 8 != 0; from++)
		n += slice_hit(h, from);
	for (; from < to && to - from >= 64; from += 64) {
		uint64_t	word;

		memcpy(&word, h->set + (from - h->row0) / 8, sizeof word);
		n += (uint32_t)__builtin_popcountll(word);
	}
	for (; from < to; from++)
		n += slice_hit(h, from);
	return n;
}

uint64_t
slice_hits_nth(const struct slice_hits *h, uint64_t from, uint64_t to, uint64_t n)
{
	uint64_t	some = slice_hits_between(h, from, min_u64(from + COUNT_ROWS, to));

	while (some <= n && from < to) {
		n -= some;
		from += min_u64(COUNT_ROWS, to - from);
		some = slice_hits_between(h, from, min_u64(from + COUNT_ROWS, to));
	}
	for (; from < to; from++)
		if (slice_hit(h, from) && n-- == 0)
			break;
	return from;
}

/* ---- slices */

size_t
slice_hits_index(const struct decided *d, uint64_t row)
{
	size_t	lo = 0, hi = d->n;

	while (lo < hi) {
		size_t	mid = lo + (hi - lo) / 2;

		if (d->rec[mid].row0 + d->rec[mid].n <= row)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

struct slice_hits *
slice_hits_at(const struct decided *d, uint64_t row)
{
	size_t	i = slice_hits_index(d, row);

	return i < d->n && d->rec[i].row0 <= row ? &d->rec[i] : NULL;
}

/* Forget a slice, except that its place in the array stays. */
static void
slice_drop(struct decided *d, struct slice_hits *h)
{
	set_drop(d, h);
	d->rows -= h->counted ? h->n : 0;
	d->hits -= h->hits;
	d->summed = min_u64(d->summed, (size_t)(h - d->rec));
}

struct slice_hits *
slice_hits_get(struct decided *d, uint64_t row0, uint32_t n, bool final)
{
	size_t	i = slice_hits_index(d, row0), end = i;

	if (i < d->n && d->rec[i].row0 == row0 && d->rec[i].n == n)
		return &d->rec[i];
	for (; end < d->n && d->rec[end].row0 < row0 + n; end++)	/* they were cut again */
		slice_drop(d, &d->rec[end]);
	d->rec = mem_grow(d->rec, &d->cap, d->n + 1, sizeof *d->rec);
	memmove(d->rec + i + 1, d->rec + end, (d->n - end) * sizeof *d->rec);
	d->n += 1 + i - end;
	d->rec[i] = (struct slice_hits){ .row0 = row0, .n = n, .final = final };
	d->summed = min_u64(d->summed, i);
	return &d->rec[i];
}

void
slice_hits_count(struct decided *d, struct slice_hits *h, uint32_t hits)
{
	d->rows += h->counted ? 0 : h->n;
	d->hits += hits;
	d->hits -= h->hits;
	h->counted = true;
	h->hits = hits;
	d->summed = min_u64(d->summed, (size_t)(h - d->rec));
	if (is_uniform(h))
		set_drop(d, h);
}

void
slice_hits_add(struct decided *d, struct slice_hits *h, const uint8_t *set, uint32_t n)
{
	h->used = ++d->clock;
	if (h->set == NULL) {
		sets_make_room(d);
		h->set = mem_zalloc(set_bytes(h), 1);
		d->bytes += set_bytes(h);
	}
	for (uint32_t i = 0; i < n; i++, h->known++)
		if (set[i / 8] >> (i % 8) & 1)
			h->set[h->known / 8] |= (uint8_t)(1u << h->known % 8);
	if (h->known == h->n)
		slice_hits_count(d, h, slice_hits_between(h, h->row0, h->row0 + h->n));
}

/* ---- change */

void
decided_refresh(struct decided *d, uint64_t near, uint64_t *down, uint64_t *up)
{
	size_t	kept = 0;

	for (size_t i = 0; i < d->n; i++) {
		struct slice_hits	*h = &d->rec[i];

		if (h->final) {
			d->rec[kept++] = *h;
			continue;
		}
		*up = max_u64(near, min_u64(*up, h->row0));
		*down = min_u64(near, max_u64(*down, h->row0 + h->n));
		slice_drop(d, h);
	}
	d->summed = min_u64(d->summed, kept);
	d->n = kept;
}

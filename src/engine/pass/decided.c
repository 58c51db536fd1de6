/*
 * The rows that a query has decided, view by view.
 *
 *	rows     |----|xxxx|xxxxxx|near|xxx|--w----|xx|----|     x: told, w: a worker decides it
 *	hits            3     0      17  1     .     2
 *	bits                  00   [10010]    [0.]  [01]         of recently used views
 *
 * A view takes 48 bytes, and stays: only those that are not final are dropped, when the trace has
 * changed. Bits take one bit per row, and none where no row is a hit. The bits used least recently
 * are dropped when there are too many, because they can be computed again.
 *
 * Invariant: views do not overlap.
 */
#include "engine/pass/decided.h"

#include <string.h>

#include "tnav/base/array.h"
#include "tnav/base/mem.h"

#define BITS_BYTES	(16u << 20)
#define COUNT_ROWS	512u		/* rows whose hits are counted at once in a search */

/* Forget its bits. */
static void
bits_drop(struct decided *d, struct view_hits *h)
{
	if (h->set != NULL)
		d->bytes -= h->n / 8 + 1;
	mem_free(h->set);
	h->set = NULL;
	h->known = 0;
}

void
decided_release(struct decided *d)
{
	for (size_t i = 0; i < d->n; i++)
		mem_free(d->v[i].set);
	mem_free(d->v);
}

/* ---- views */

size_t
decided_after(const struct decided *d, uint64_t row)
{
	size_t	at = 0;

	BISECT(at, d->n, i, d->v[i].row0 + d->v[i].n <= row);
	return at;
}

struct view_hits *
decided_at(const struct decided *d, uint64_t row)
{
	size_t	i = decided_after(d, row);

	return i < d->n && d->v[i].row0 <= row ? &d->v[i] : NULL;
}

/* The part of it that belongs to the query. */
static uint64_t
rows_of(const struct decided *d, const struct view_hits *h, uint64_t *from)
{
	uint64_t	end = min_u64(h->row0 + h->n, d->row1);

	*from = max_u64(h->row0, d->row0);
	return end > *from ? end - *from : 0;
}

/* Take back what view number i has said. Its place is the caller's. */
static void
take_back(struct decided *d, size_t i)
{
	struct view_hits	*h = &d->v[i];
	uint64_t		 from;

	if (h->counted) {
		d->rows -= rows_of(d, h, &from);
		d->hits -= h->hits;
		d->up = max_u64(d->near, min_u64(d->up, h->row0));
		d->down = min_u64(d->near, max_u64(d->down, h->row0 + h->n));
	}
	d->summed = min_u64(d->summed, i);
	bits_drop(d, h);
}

struct view_hits *
decided_take(struct decided *d, uint64_t row0, uint32_t n, bool final)
{
	size_t	i = decided_after(d, row0), end = i;

	if (i < d->n && d->v[i].row0 == row0 && d->v[i].n == n)
		return &d->v[i];
	for (; end < d->n && d->v[end].row0 < row0 + n; end++)
		take_back(d, end);		/* slices were cut again */
	d->v = mem_grow(d->v, &d->cap, d->n + 1, sizeof *d->v);
	memmove(d->v + i + 1, d->v + end, (d->n - end) * sizeof *d->v);
	d->n += i + 1 - end;
	d->v[i] = (struct view_hits){ .row0 = row0, .n = n, .final = final };
	d->summed = min_u64(d->summed, i);
	return &d->v[i];
}

void
decided_tell(struct decided *d, struct view_hits *h, uint32_t hits)
{
	uint64_t	from;

	h->counted = true;
	h->hits = hits;
	d->rows += rows_of(d, h, &from);
	d->hits += hits;
	d->summed = min_u64(d->summed, (uint64_t)(h - d->v));
}

void
decided_sum(struct decided *d)
{
	for (; d->summed < d->n; d->summed++) {
		const struct view_hits	*below = d->summed > 0 ? &d->v[d->summed - 1] : NULL;

		d->v[d->summed].before = below != NULL ? below->before + below->hits : 0;
	}
}

void
decided_refresh(struct decided *d)
{
	size_t	kept = 0;

	for (size_t i = 0; i < d->n; i++) {
		if (d->v[i].final)
			d->v[kept++] = d->v[i];
		else
			take_back(d, i);
	}
	d->n = kept;
}

/* ---- bits */

static void
bits_make_room(struct decided *d)
{
	while (d->bytes > BITS_BYTES) {
		struct view_hits	*least = NULL;

		for (size_t i = 0; i < d->n; i++)
			if (d->v[i].set != NULL && (least == NULL || d->v[i].used < least->used))
				least = &d->v[i];
		bits_drop(d, least);
	}
}

void
decided_bit(struct decided *d, struct view_hits *h, bool hit)
{
	if (hit && h->set == NULL) {
		bits_make_room(d);
		h->set = mem_zalloc((size_t)h->n / 8 + 1, 1);
		h->used = ++d->clock;
		d->bytes += h->n / 8 + 1;
	}
	if (hit)
		h->set[h->known / 8] |= (uint8_t)(1u << h->known % 8);
	h->known++;
}

bool
bit_at(const struct view_hits *h, uint64_t row)
{
	uint64_t	i = row - h->row0;

	return h->set != NULL && (h->set[i / 8] >> (i % 8) & 1);
}

uint32_t
bits_count(const struct view_hits *h, uint64_t from, uint64_t to)
{
	uint32_t	n = 0;

	if (h->set == NULL)
		return 0;
	for (; from < to && (from - h->row0) % 8 != 0; from++)
		n += bit_at(h, from);
	for (; from < to && to - from >= 64; from += 64) {
		uint64_t	word;

		memcpy(&word, h->set + (from - h->row0) / 8, sizeof word);
		n += (uint32_t)__builtin_popcountll(word);
	}
	for (; from < to; from++)
		n += bit_at(h, from);
	return n;
}

uint64_t
bits_nth(const struct view_hits *h, uint64_t from, uint64_t to, uint64_t n)
{
	uint64_t	some = bits_count(h, from, min_u64(from + COUNT_ROWS, to));

	while (some <= n && from < to) {
		n -= some;
		from += min_u64(COUNT_ROWS, to - from);
		some = bits_count(h, from, min_u64(from + COUNT_ROWS, to));
	}
	for (; from < to; from++)
		if (bit_at(h, from) && n-- == 0)
			break;
	return from;
}

uint32_t
bits_hits(const struct decided *d, const struct view_hits *h)
{
	uint64_t	from, n = rows_of(d, h, &from);

	return bits_count(h, from, from + n);
}

/*
 * The rows that a query has decided.
 *
 *	rows     |----|xxxx|xxxxxx|near|xxx|-------|xx|----|     x: decided
 *	verdicts        3     0      17  1           2            sorted, hits each
 *	bits                      [10010]            [01]        of recently used views
 *
 * Verdicts are never dropped; they take 32 bytes per view. Bits take one bit per row. The bits used
 * least recently are dropped when there are too many, because they can be computed again.
 *
 * Invariant: neither verdicts nor bits overlap. Results that are not final are dropped when the
 * trace has changed.
 */
#include "engine/pass/decided.h"

#include <string.h>

#include "tnav/base/array.h"
#include "tnav/base/mem.h"

#define BITS_BYTES	(16u << 20)
#define COUNT_ROWS	512u		/* rows whose hits are counted at once in a search */

void
decided_release(struct decided *d)
{
	for (size_t i = 0; i < d->nbits; i++)
		mem_free(d->bits[i].set);
	mem_free(d->bits);
	mem_free(d->rec);
}

/* ---- verdicts */

size_t
verdict_at(const struct decided *d, uint64_t row)
{
	size_t	at = 0;

	BISECT(at, d->n, i, d->rec[i].row0 + d->rec[i].n <= row);
	return at;
}

bool
verdict_holds(const struct decided *d, size_t i, uint64_t row)
{
	return i < d->n && d->rec[i].row0 <= row;
}

void
verdict_insert(struct decided *d, size_t i, struct verdict r)
{
	d->rec = mem_grow(d->rec, &d->cap, d->n + 1, sizeof *d->rec);
	memmove(d->rec + i + 1, d->rec + i, (d->n - i) * sizeof *d->rec);
	d->rec[i] = r;
	d->n++;
	d->rows += r.n;
	d->hits += r.hits;
	if (d->summed > i)
		d->summed = i;
}

void
verdicts_sum(struct decided *d)
{
	for (; d->summed < d->n; d->summed++) {
		const struct verdict	*below = d->summed > 0 ? &d->rec[d->summed - 1] : NULL;

		d->rec[d->summed].before = below != NULL ? below->before + below->hits : 0;
	}
}

void
verdict_bits(struct decided *d, const struct bits *b, uint64_t row0, uint64_t row1)
{
	uint64_t	row = max_u64(b->row0, row0), end = min_u64(b->row0 + b->n, row1);

	while (row < end) {
		size_t		i = verdict_at(d, row);
		uint64_t	to = i < d->n ? min_u64(end, d->rec[i].row0) : end;

		if (verdict_holds(d, i, row)) {
			row = d->rec[i].row0 + d->rec[i].n;
			continue;
		}
		verdict_insert(d, i, (struct verdict){ .row0 = row, .n = (uint32_t)(to - row),
		    .hits = bits_count(b, row, to), .final = b->final });
		row = to;
	}
}

/* ---- bits */

bool
bit_at(const struct bits *b, uint64_t row)
{
	uint64_t	i = row - b->row0;

	return b->set[i / 8] >> (i % 8) & 1;
}

uint32_t
bits_count(const struct bits *b, uint64_t from, uint64_t to)
{
	uint32_t	n = 0;

	for (; from < to && (from - b->row0) % 8 != 0; from++)
		n += bit_at(b, from);
	for (; from < to && to - from >= 64; from += 64) {
		uint64_t	word;

		memcpy(&word, b->set + (from - b->row0) / 8, sizeof word);
		n += (uint32_t)__builtin_popcountll(word);
	}
	for (; from < to; from++)
		n += bit_at(b, from);
	return n;
}

uint64_t
bits_nth(const struct bits *b, uint64_t from, uint64_t to, uint64_t n)
{
	uint64_t	some = bits_count(b, from, min_u64(from + COUNT_ROWS, to));

	while (some <= n && from < to) {
		n -= some;
		from += min_u64(COUNT_ROWS, to - from);
		some = bits_count(b, from, min_u64(from + COUNT_ROWS, to));
	}
	for (; from < to; from++)
		if (bit_at(b, from) && n-- == 0)
			break;
	return from;
}

static size_t
bits_bytes(const struct bits *b)
{
	return sizeof *b + b->n / 8 + 1;
}

/* The first bits that end after the row. */
static size_t
bits_index(const struct decided *d, uint64_t row)
{
	size_t	at = 0;

	BISECT(at, d->nbits, i, d->bits[i].row0 + d->bits[i].n <= row);
	return at;
}

static void
bits_remove(struct decided *d, size_t i)
{
	d->bytes -= bits_bytes(&d->bits[i]);
	mem_free(d->bits[i].set);
	memmove(d->bits + i, d->bits + i + 1, (d->nbits - i - 1) * sizeof *d->bits);
	d->nbits--;
}

struct bits *
bits_at(struct decided *d, uint64_t row)
{
	size_t	i = bits_index(d, row);

	if (i == d->nbits || d->bits[i].row0 > row)
		return NULL;
	d->bits[i].used = ++d->clock;
	return &d->bits[i];
}

static void
bits_make_room(struct decided *d)
{
	size_t	least = 0;

	while (d->bytes > BITS_BYTES && d->nbits > 1) {
		for (size_t i = 0; i < d->nbits; i++)
			if (d->bits[i].used < d->bits[least].used)
				least = i;
		bits_remove(d, least);
		least = 0;
	}
}

struct bits *
bits_insert(struct decided *d, uint64_t row0, uint32_t n, bool final)
{
	size_t	i = bits_index(d, row0);

	while (i < d->nbits && d->bits[i].row0 < row0 + n)	/* slices were cut again */
		bits_remove(d, i);
	bits_make_room(d);
	i = bits_index(d, row0);
	d->bits = mem_grow(d->bits, &d->bits_cap, d->nbits + 1, sizeof *d->bits);
	memmove(d->bits + i + 1, d->bits + i, (d->nbits - i) * sizeof *d->bits);
	d->bits[i] = (struct bits){ .row0 = row0, .n = n, .final = final, .used = ++d->clock,
	    .set = mem_zalloc((size_t)n / 8 + 1, 1) };
	d->nbits++;
	d->bytes += bits_bytes(&d->bits[i]);
	return &d->bits[i];
}

/* ---- change */

void
decided_refresh(struct decided *d, uint64_t near, uint64_t *down, uint64_t *up)
{
	size_t	kept = 0;

	for (size_t i = 0; i < d->n; i++) {
		struct verdict	r = d->rec[i];

		if (r.final) {
			d->rec[kept++] = r;
			continue;
		}
		d->rows -= r.n;
		d->hits -= r.hits;
		*up = max_u64(near, min_u64(*up, r.row0));
		*down = min_u64(near, max_u64(*down, r.row0 + r.n));
		d->summed = min_u64(d->summed, kept);
	}
	d->n = kept;
	for (size_t i = d->nbits; i-- > 0;)
		if (!d->bits[i].final)
			bits_remove(d, i);
}

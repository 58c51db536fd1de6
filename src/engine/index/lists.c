/*
 * Which block has a number: maps over 16, 256, 4,096 ... neighbouring blocks.
 *
 *	blocks	0 1 2 ... 15 | 16 ... 31 | 32 ...	in file order
 *	map[0]	[    0..15  ][  16..31  ][ ...		each is made when its last block is added,
 *	map[1]	[          0..255           ...		if all its blocks are of one region
 *
 *	map	| 5..9: block 3 | 10..12: block 7 | 13..40: block 3 |	pieces in order of numbers,
 *								none overlaps another
 *
 * A piece names the newest block of its map that has the numbers. What is looked for lies among the
 * blocks from .. to - 1: that range, from its end on, is at most 15 blocks, then at most 15 maps of
 * each level, rising and falling; each is searched by halving, and the first that has the number
 * decides. Merging two maps takes what their pieces are, and each block is merged a few times a
 * level, so that adding n blocks takes n * log n at the most, whatever numbers they claim.
 *
 * Invariant: a map is never changed, and holds at most twice as many pieces as blocks.
 */
#include "engine/index/lists.h"

#include <assert.h>
#include <string.h>

#include "tnav/base/mem.h"

#define FAN		16u	/* blocks of a map, maps of a map of the next level */

struct piece {
	uint32_t	first, end;	/* numbers: end is not part of it */
	uint32_t	block;
};

struct map {
	struct piece	*piece;
	size_t		 n;
};

void
lists_init(struct lists *l)
{
	memset(l, 0, sizeof *l);
	segvec_init(&l->block, sizeof(struct list_block));
	for (unsigned i = 0; i < LIST_LEVELS; i++)
		segvec_init(&l->map[i], sizeof(struct map));
}

void
lists_release(struct lists *l)
{
	for (uint64_t i = 0; i < l->block.n; i++)
		mem_free(atomic_load(&((struct list_block *)segvec_at(&l->block, i))->places));
	for (unsigned k = 0; k < LIST_LEVELS; k++) {
		for (uint64_t i = 0; i < l->map[k].n; i++)
			mem_free(((struct map *)segvec_at(&l->map[k], i))->piece);
		segvec_release(&l->map[k]);
	}
	segvec_release(&l->block);
}

/* ---- maps */

/* Both maps as one: where they overlap, the newer one counts. Their pieces are given up. */
static struct map
map_merge(struct map older, struct map newer)
{
	struct map	 m = { mem_alloc((older.n + newer.n * 2) * sizeof *m.piece), 0 };
	struct piece	*p = older.piece, *end = p + older.n;

	for (size_t i = 0; i < newer.n; i++) {
		const struct piece	q = newer.piece[i];

		for (; p < end && p->end <= q.first; p++)
			m.piece[m.n++] = *p;
		if (p < end && p->first < q.first) {
			m.piece[m.n++] = (struct piece){ p->first, q.first, p->block };
			p->first = q.first;
		}
		m.piece[m.n++] = q;
		while (p < end && p->end <= q.end)
			p++;
		if (p < end && p->first < q.end)
			p->first = q.end;
	}
	for (; p < end; p++)
		m.piece[m.n++] = *p;
	mem_free(older.piece);
	mem_free(newer.piece);
	return m;
}

/* All of n maps, oldest first, as one; n is a power of two. They are given up. */
static struct map
map_merge_all(struct map *m, size_t n)
{
	for (; n > 1; n /= 2)
		for (size_t i = 0; i < n / 2; i++)
			m[i] = map_merge(m[i * 2], m[i * 2 + 1]);
	m[0].piece = mem_realloc(m[0].piece, m[0].n, sizeof *m[0].piece);
	return m[0];
}

static struct map
map_of_block(const struct lists *l, uint64_t i)
{
	const struct list_block	*b = segvec_at(&l->block, i);
	struct map		 m = { mem_alloc(sizeof *m.piece), 1 };

	m.piece[0] = (struct piece){ b->first, b->first + b->count, (uint32_t)i };
	return m;
}

static struct map
map_copy(const struct map *from)
{
	struct map	m = { mem_alloc(from->n * sizeof *m.piece), from->n };

	memcpy(m.piece, from->piece, from->n * sizeof *m.piece);
	return m;
}

/* The map of a level that ends with the newest block. */
static struct map
map_make(const struct lists *l, unsigned level)
{
	struct map	part[FAN];
	uint64_t	n = level == 0 ? l->block.n : l->map[level - 1].n;

	for (unsigned i = 0; i < FAN; i++)
		part[i] = level == 0 ? map_of_block(l, n - FAN + i) :
		    map_copy(segvec_at(&l->map[level - 1], n - FAN + i));
	return map_merge_all(part, FAN);
}

bool
lists_add(struct lists *l, uint64_t from, uint32_t first, uint32_t count, uint64_t off,
    uint64_t len)
{
	struct list_block	*b;
	uint64_t		 n, span = FAN;

	assert(count <= UINT32_MAX - first);
	if (count == 0)
		return false;
	b = segvec_add(&l->block);
	b->first = first;
	b->count = count;
	b->off = off;
	b->len = len;
	n = l->block.n;
	for (unsigned k = 0; k < LIST_LEVELS && n % span == 0; k++) {
		struct map	*m = segvec_add(&l->map[k]);

		if (n - span >= from) {
			*m = map_make(l, k);
			l->map_bytes += m->n * sizeof *m->piece;
		}
		span *= FAN;
	}
	return true;
}

/* ---- looking for a number */

/* The blocks in front of off end here. */
static uint64_t
blocks_before(const struct lists *l, uint64_t from, uint64_t to, uint64_t off, uint64_t *looked)
{
	while (from < to) {
		uint64_t			 mid = from + (to - from) / 2;
		const struct list_block		*b = segvec_at(&l->block, mid);

		++*looked;
		if (b->off < off)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

static const struct piece *
map_find(const struct map *m, uint32_t number, uint64_t *looked)
{
	size_t	lo = 0, hi = m->n;

	while (lo < hi) {
		size_t			 mid = lo + (hi - lo) / 2;
		const struct piece	*p = &m->piece[mid];

		++*looked;
		if (number >= p->first && number < p->end)
			return p;
		if (number < p->first)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}

/* The newest of the blocks from .. to - 1 with the number. */
static struct list_block *
blocks_find(const struct lists *l, uint64_t from, uint64_t to, uint32_t number, uint64_t *looked)
{
	while (to > from) {
		const struct piece	*p;
		struct list_block	*b;
		uint64_t		 span = 1;
		unsigned		 level = 0;	/* of a map, + 1 */

		for (; level < LIST_LEVELS && to % (span * FAN) == 0 && to - from >= span * FAN;
		    level++)
			span *= FAN;
		if (level == 0) {
			b = segvec_at(&l->block, to - 1);
			++*looked;
			if (number - b->first < b->count)
				return b;
		} else {
			p = map_find(segvec_at(&l->map[level - 1], to / span - 1), number, looked);
			if (p != NULL)
				return segvec_at(&l->block, p->block);
		}
		to -= span;
	}
	return NULL;
}

struct list_block *
lists_find(struct lists *l, uint64_t from, uint64_t n, uint64_t off, uint32_t number)
{
	uint64_t		 looked = 0;
	uint64_t		 to = blocks_before(l, from, from + n, off, &looked);
	struct list_block	*b = blocks_find(l, from, to, number, &looked);

	atomic_fetch_add_explicit(&l->looked, looked, memory_order_relaxed);
	return b;
}

/* ---- places within a block */

/* The first is of the block's begin, and its index says how many follow. */
static struct list_place *
places_make(struct lists *l, const struct list_block *b, list_walk_fn fn, void *arg)
{
	size_t			 n = 1, cap = 0;
	struct list_place	*p = mem_grow(NULL, &cap, n, sizeof *p);
	struct list_place	 last = { 0, 0 };
	uint64_t		 walk[2] = { 0, 0 };
	uint32_t		 i;

	for (i = 1; i < b->count; i++) {
		fn(arg, i, walk);
		if (walk[1] != i || walk[0] > UINT32_MAX)
			break;			/* it cannot be read so far */
		if (i - last.index < LIST_STEP && walk[0] - last.at < LIST_BYTES)
			continue;
		last = (struct list_place){ i, (uint32_t)walk[0] };
		p = mem_grow(p, &cap, n + 1, sizeof *p);
		p[n++] = last;
	}
	p[0] = (struct list_place){ (uint32_t)(n - 1), 0 };
	atomic_fetch_add_explicit(&l->walked, i, memory_order_relaxed);
	return mem_realloc(p, n, sizeof *p);
}

/* Of several threads that make them at once, one wins. */
static const struct list_place *
places_get(struct lists *l, struct list_block *b, list_walk_fn fn, void *arg)
{
	struct list_place	*have = atomic_load(&b->places), *made;

	if (have != NULL)
		return have;
	made = places_make(l, b, fn, arg);
	if (!atomic_compare_exchange_strong(&b->places, &have, made)) {
		mem_free(made);
		return have;
	}
	atomic_fetch_add(&l->place_bytes, (made[0].index + 1) * sizeof *made);
	return made;
}

void
lists_walk(struct lists *l, struct list_block *b, uint32_t index, list_walk_fn fn, void *arg,
    uint64_t walk[2])
{
	const struct list_place	*p;
	uint32_t		 lo = 1, hi;

	walk[0] = walk[1] = 0;
	if (index == 0)
		return;
	p = places_get(l, b, fn, arg);
	for (hi = p[0].index + 1; lo < hi; ) {		/* the first place behind the list */
		uint32_t	mid = lo + (hi - lo) / 2;

		if (p[mid].index <= index)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 1)
		return;
	walk[0] = p[lo - 1].at;
	walk[1] = p[lo - 1].index;
}

size_t
lists_bytes(const struct lists *l)
{
	size_t	n = segvec_bytes(&l->block) + l->map_bytes + atomic_load(&l->place_bytes);

	for (unsigned k = 0; k < LIST_LEVELS; k++)
		n += segvec_bytes(&l->map[k]);
	return n;
}

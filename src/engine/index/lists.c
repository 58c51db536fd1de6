/*
 * Finding the block that has a number, by maps over 16, 256, 4,096 ... neighbouring blocks.
 *
 *	blocks	0 1 2 ... 15 | 16 ... 31 | 32 ...	in file order
 *	map[0]	[    0..15  ][  16..31  ][ ...		each is made when its last block is added,
 *	map[1]	[          0..255           ...		if all its blocks are in one region
 *
 *	map	| 5: block 3 | 10: block 7 | 13: block 3 |	pieces in order of numbers
 *
 * A piece extends to the next one, or to its block's end. It names the newest block of its map that
 * has these numbers. Writers make blocks whose numbers rise and do not overlap. A map of such
 * blocks keeps no pieces, because each block would be one. The same applies to blocks that fall.
 *
 * In a range of blocks that rise, a search bisects the blocks themselves. Otherwise it looks at
 * blocks from .. to - 1. Taken from its end on, this range consists of at most 15
 * blocks and at most twice 15 maps of each level. Each is searched by bisection, and the first one
 * that has the number is the result. Merging two maps is linear in their pieces, and each block is
 * merged a few times per level, so adding n blocks takes at most n * log n steps.
 *
 * Invariant: a block's numbers and place and a map never change once they are added, so searches
 * among the blocks that a thread knows of need no lock. A map has less than twice as many pieces as
 * blocks.
 */
#include "engine/index/lists.h"

#include <assert.h>
#include <string.h>

#include "tnav/base/array.h"
#include "tnav/base/mem.h"

#define FAN		16u	/* blocks in a map; maps in a map of the next level */

struct map_piece {
	uint32_t	first;		/* number */
	uint32_t	block;
};

enum map_order {
	ORDER_NONE,			/* no map: its blocks are in several regions */
	ORDER_UP, ORDER_DOWN,		/* its blocks rise or fall without overlap: no pieces */
	ORDER_PIECES,
};

struct map {
	struct map_piece	*piece;
	uint32_t		 n;	/* pieces */
	enum map_order		 order;
};

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

static struct list_block *
block_at(const struct lists *l, uint64_t i)
{
	return segvec_known(&l->block, i);
}

static const struct map *
map_at(const struct lists *l, unsigned level, uint64_t i)
{
	return segvec_known(&l->map[level], i);
}

/* Do all numbers of block a come before those of block b? */
static bool
block_below(const struct lists *l, uint64_t a, uint64_t b)
{
	return block_at(l, a)->first + block_at(l, a)->count <= block_at(l, b)->first;
}

/* The number after the last one of a piece; last: the end of all pieces. */
static uint32_t
piece_end(const struct lists *l, const struct map_piece *p, const struct map_piece *last)
{
	const struct list_block	*b = block_at(l, p->block);
	uint32_t		 end = b->first + b->count;

	return p + 1 < last && p[1].first < end ? p[1].first : end;
}

/* Merge two maps; where they overlap, the newer one counts. Frees their pieces. */
static struct map
map_merge(const struct lists *l, struct map older, struct map newer)
{
	struct map		 m = { .order = ORDER_PIECES };
	struct map_piece	*p = older.piece, *last = p + older.n;

	m.piece = mem_alloc(((size_t)older.n + (size_t)newer.n * 2) * sizeof *m.piece);
	for (uint32_t i = 0; i < newer.n; i++) {
		const struct map_piece	q = newer.piece[i];
		uint32_t		end = piece_end(l, &newer.piece[i], newer.piece + newer.n);

		for (; p < last && piece_end(l, p, last) <= q.first; p++)
			m.piece[m.n++] = *p;
		if (p < last && p->first < q.first)
			m.piece[m.n++] = *p;
		m.piece[m.n++] = q;
		while (p < last && piece_end(l, p, last) <= end)
			p++;
		if (p < last && p->first < end)
			p->first = end;
	}
	for (; p < last; p++)
		m.piece[m.n++] = *p;
	mem_free(older.piece);
	mem_free(newer.piece);
	return m;
}

/* Merge n maps, oldest first; n is a power of two. Frees their pieces. */
static struct map
map_merge_all(const struct lists *l, struct map *m, size_t n)
{
	for (; n > 1; n /= 2)
		for (size_t i = 0; i < n / 2; i++)
			m[i] = map_merge(l, m[i * 2], m[i * 2 + 1]);
	m[0].piece = mem_realloc(m[0].piece, m[0].n, sizeof *m[0].piece);
	return m[0];
}

/* The pieces of n blocks from number base on, which rise or fall. */
static struct map
map_of_blocks(const struct lists *l, uint64_t base, uint32_t n, enum map_order order)
{
	struct map	m = { mem_alloc(n * sizeof *m.piece), n, ORDER_PIECES };

	for (uint32_t i = 0; i < n; i++) {
		uint64_t	b = order == ORDER_UP ? base + i : base + n - 1 - i;

		m.piece[i] = (struct map_piece){ block_at(l, b)->first, (uint32_t)b };
	}
	return m;
}

static struct map
map_copy(const struct map *from)
{
	struct map	m = { mem_alloc(from->n * sizeof *m.piece), from->n, from->order };

	memcpy(m.piece, from->piece, from->n * sizeof *m.piece);
	return m;
}

/* The order of the part that begins with block number base; a single block has the wanted one. */
static enum map_order
part_order(const struct lists *l, unsigned level, uint64_t base, uint64_t span, enum map_order want)
{
	if (level == 0)
		return want;
	return map_at(l, level - 1, base / span)->order;
}

/* Are FAN parts of span blocks each, from block base on, in this order and without overlap? */
static bool
parts_are(const struct lists *l, unsigned level, uint64_t base, uint64_t span, enum map_order want)
{
	for (uint64_t at = base; at < base + FAN * span; at += span) {
		if (part_order(l, level, at, span, want) != want)
			return false;
		if (at > base && !(want == ORDER_UP ? block_below(l, at - 1, at) :
		    block_below(l, at, at - 1)))
			return false;
	}
	return true;
}

/* Make the map of a level that ends with the newest block, from FAN parts of span blocks each. */
static struct map
map_make(const struct lists *l, unsigned level, uint64_t span)
{
	struct map	part[FAN];
	uint64_t	base = l->block.n - FAN * span;

	if (parts_are(l, level, base, span, ORDER_UP))
		return (struct map){ .order = ORDER_UP };
	if (parts_are(l, level, base, span, ORDER_DOWN))
		return (struct map){ .order = ORDER_DOWN };
	for (unsigned i = 0; i < FAN; i++) {
		uint64_t	at = base + i * span;
		enum map_order	order = part_order(l, level, at, span, ORDER_UP);

		part[i] = order == ORDER_PIECES ?
		    map_copy(map_at(l, level - 1, at / span)) :
		    map_of_blocks(l, at, (uint32_t)span, order);
	}
	return map_merge_all(l, part, FAN);
}

bool
lists_add(struct lists *l, uint64_t from, uint32_t first, uint32_t count, uint64_t off,
    uint64_t len)
{
	struct list_block	*b;
	uint64_t		 n, span = 1;		/* span: blocks of a map's part */

	assert(count <= UINT32_MAX - first);
	if (count == 0)
		return false;
	b = segvec_add(&l->block, sizeof *b);
	b->first = first;
	b->count = count;
	b->off = off;
	b->len = len;
	n = l->block.n;
	b->rise0 = n - 1 > from && block_below(l, n - 2, n - 1) ? block_at(l, n - 2)->rise0 : n - 1;
	for (unsigned k = 0; k < LIST_LEVELS && n % (span * FAN) == 0; k++) {
		struct map	*m = segvec_add(&l->map[k], sizeof *m);

		if (n >= from + span * FAN) {
			*m = map_make(l, k, span);
			l->map_bytes += m->n * sizeof *m->piece;
		}
		span *= FAN;
	}
	return true;
}

/* ---- searching for a number */

static struct list_block *
block_look(const struct lists *l, uint64_t i, uint64_t *looked)
{
	++*looked;
	return block_at(l, i);
}

/* The number of the first block, of from .. to - 1, whose body is not before off; else to. */
static uint64_t
blocks_before(const struct lists *l, uint64_t from, uint64_t to, uint64_t off, uint64_t *looked)
{
	BISECT(from, to, i, block_look(l, i, looked)->off < off);
	return from;
}

/* The number of the block of piece i, in a map whose first block is number base. */
static uint64_t
map_block(const struct map *m, uint64_t base, uint64_t n, uint64_t i)
{
	if (m->order == ORDER_PIECES)
		return m->piece[i].block;
	return m->order == ORDER_UP ? base + i : base + n - 1 - i;
}

/* The first number of piece i, which is in this block. */
static uint32_t
piece_first(const struct lists *l, const struct map *m, uint64_t block, uint64_t i,
    uint64_t *looked)
{
	if (m->order != ORDER_PIECES)
		return block_look(l, block, looked)->first;
	++*looked;
	return m->piece[i].first;
}

/* The block that has the number in a map of span blocks from base on, or NULL. */
static struct list_block *
map_find(const struct lists *l, const struct map *m, uint64_t base, uint64_t span,
    uint32_t number, uint64_t *looked)
{
	uint64_t		 after = 0, n = m->order == ORDER_PIECES ? m->n : span;
	struct list_block	*b;

	BISECT(after, n, i, piece_first(l, m, map_block(m, base, n, i), i, looked) <= number);
	if (after == 0)
		return NULL;
	b = block_at(l, map_block(m, base, n, after - 1));
	return number - b->first < b->count ? b : NULL;
}

/* The newest of the blocks from .. to - 1 that has the number. */
static struct list_block *
blocks_find(const struct lists *l, uint64_t from, uint64_t to, uint32_t number, uint64_t *looked)
{
	while (to > from) {
		struct list_block	*b;
		uint64_t		 span = 1;
		unsigned		 level = 0;	/* level of a map + 1 */

		for (; level < LIST_LEVELS && to % (span * FAN) == 0 && to - from >= span * FAN;
		    level++)
			span *= FAN;
		to -= span;
		if (level == 0) {
			b = block_look(l, to, looked);
			if (number - b->first >= b->count)
				b = NULL;
		} else {
			b = map_find(l, map_at(l, level - 1, to / span), to, span, number,
			    looked);
		}
		if (b != NULL)
			return b;
	}
	return NULL;
}

bool
lists_rise(const struct lists *l, uint64_t from, uint64_t n)
{
	return n == 0 || block_at(l, from + n - 1)->rise0 <= from;
}

struct list_block *
lists_find(const struct lists *l, uint64_t from, uint64_t n, uint64_t off, uint32_t number,
    uint64_t *looked)
{
	static const struct map	rising = { .order = ORDER_UP };
	struct list_block	*b;
	uint64_t		 to;

	if (lists_rise(l, from, n)) {
		b = map_find(l, &rising, from, n, number, looked);
		return b != NULL && b->off < off ? b : NULL;
	}
	to = blocks_before(l, from, from + n, off, looked);
	return blocks_find(l, from, to, number, looked);
}

const struct list_block *
lists_newest(const struct lists *l, uint64_t from, uint64_t n, uint64_t off)
{
	uint64_t	looked = 0, at = blocks_before(l, from, from + n, off, &looked);

	return at > from ? block_at(l, at - 1) : NULL;
}

void
lists_scope(const struct lists *l, uint64_t from, uint64_t n, uint64_t off, uint64_t *after,
    uint64_t *to)
{
	uint64_t	looked = 0, at = blocks_before(l, from, from + n, off, &looked);

	*after = at > from ? block_at(l, at - 1)->off : 0;
	*to = at < from + n ? block_at(l, at)->off : UINT64_MAX;
}

/* ---- places within a block */

/* Make the places of a block. The first one is the block's start; its index is their number. */
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
			break;			/* the rest of the block cannot be read */
		if (i - last.index < LIST_STEP && walk[0] - last.at < LIST_BYTES)
			continue;
		last = (struct list_place){ i, (uint32_t)walk[0] };
		ARRAY_ADD(p, n, cap, last);
	}
	p[0] = (struct list_place){ (uint32_t)(n - 1), 0 };
	atomic_fetch_add_explicit(&l->walked, i, memory_order_relaxed);
	return mem_realloc(p, n, sizeof *p);
}

/* Several threads may make the places at the same time; the first result is kept. */
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
	size_t			 after = 1;	/* the first place after the list */

	walk[0] = walk[1] = 0;
	if (index == 0)
		return;
	p = places_get(l, b, fn, arg);
	BISECT(after, p[0].index + 1u, i, p[i].index <= index);
	if (after == 1)
		return;
	walk[0] = p[after - 1].at;
	walk[1] = p[after - 1].index;
}

size_t
lists_bytes(const struct lists *l)
{
	size_t	n = segvec_bytes(&l->block) + l->map_bytes + atomic_load(&l->place_bytes);

	for (unsigned k = 0; k < LIST_LEVELS; k++)
		n += segvec_bytes(&l->map[k]);
	return n;
}

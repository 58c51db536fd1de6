/*
 * Durations by name, and which of them stand at a rank.
 *
 *	lists	12 7 9 ...		one a name; 4 bytes, where 32 bits hold the ns
 *	blocks	[full][full][rest]	of a list: the first ones in memory, then in a file
 *
 * A rank is found by counting, not by sorting: how many durations begin with which bits, then, of
 * those that begin as the one that is sought does, with which next bits. Two passes do for spans
 * of up to 16 ms, three for all that are short.
 *
 * Invariant: what is found is the duration of a span, whatever their number and order.
 */
#include "analysis/spans/durs.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/io/scratch.h"

#define LIST_LEAST	16u		/* words */
#define LIST_MOST	4096u		/* words of a full block; it ends no chunk of the file */
#define BLOCKS_MEMORY	(16u << 20)	/* bytes of full blocks that are not put into the file */
#define NONE		UINT32_MAX

#define COUNT_BITS	12u
#define COUNTS		(1u << COUNT_BITS)
#define SIGN		(UINT64_C(1) << 63)

/* Words of one list. */
struct dur_block {
	uint32_t	*v;		/* NULL: in the file, */
	uint64_t	 at;		/* ... here */
	uint32_t	 n;
	uint32_t	 next;		/* block of the list, or NONE */
};

/* ---- collecting */

/* Where the list's next block goes. */
static struct dur_block *
block_add(struct durs *d, size_t list, uint32_t n)
{
	struct dur_block	*b;

	while (d->nlists <= list)
		ARRAY_ADD(d->first, d->nlists, d->lists_cap, NONE);
	d->block = mem_grow(d->block, &d->blocks_cap, d->nblocks + 1, sizeof *d->block);
	b = &d->block[d->nblocks];
	*b = (struct dur_block){ .n = n, .next = d->first[list] };
	d->first[list] = (uint32_t)d->nblocks++;
	return b;
}

static void
tell_given(const struct durs *d, size_t i)
{
	const struct dur_list	*l = &d->list[i];

	if (l->n > 0)
		d->given(d->arg, (uint32_t)(i / 2), l->v, l->n, i % 2 != 0);
}

/* A full list becomes a block, and is empty then. */
static void
list_full(struct durs *d, size_t i)
{
	struct dur_list		*l = &d->list[i];
	size_t			 bytes = l->n * sizeof *l->v;
	struct dur_block	*b;

	tell_given(d, i);
	b = block_add(d, i, l->n);
	if (d->memory + bytes <= BLOCKS_MEMORY) {
		d->memory += bytes;
		b->v = l->v;
		*l = (struct dur_list){ .n = 0 };
	} else {
		b->at = scratch_n(d->file);
		d->no_room |= scratch_append(d->file, l->v, l->n / 2) < l->n / 2;
		l->n = 0;
	}
}

/* Room for one more in the list. */
static struct dur_list *
list_room(struct durs *d, size_t i)
{
	struct dur_list	*l;

	if (i >= d->n) {
		d->list = mem_grow(d->list, &d->cap, (i | 1) + 1, sizeof *d->list);
		memset(d->list + d->n, 0, ((i | 1) + 1 - d->n) * sizeof *d->list);
		d->n = (i | 1) + 1;
	}
	l = &d->list[i];
	if (l->n == LIST_MOST)
		list_full(d, i);
	if (l->n == l->cap) {
		l->cap = l->cap > 0 ? 2 * l->cap : LIST_LEAST;
		l->v = mem_realloc(l->v, l->cap, sizeof *l->v);
	}
	return l;
}

void
durs_add_slowly(struct durs *d, uint32_t name, int64_t dur)
{
	bool		 wide = (uint64_t)dur > UINT32_MAX;
	struct dur_list	*l = list_room(d, (size_t)name * 2 + wide);

	l->v[l->n++] = (uint32_t)dur;
	if (wide)
		l->v[l->n++] = (uint32_t)((uint64_t)dur >> 32);
}

void
durs_give(struct durs *d)
{
	for (size_t i = 0; i < d->n; i++) {
		tell_given(d, i);
		if (d->list[i].n > 0)
			block_add(d, i, d->list[i].n)->v = d->list[i].v;
		else
			mem_free(d->list[i].v);
		d->list[i] = (struct dur_list){ .n = 0 };
	}
}

void
durs_init(struct durs *d, durs_fn given, void *arg)
{
	*d = (struct durs){ .given = given, .arg = arg,
	    .file = scratch_new(2 * sizeof(uint32_t)) };
}

void
durs_release(struct durs *d)
{
	for (size_t i = 0; i < d->n; i++)
		mem_free(d->list[i].v);
	for (size_t i = 0; i < d->nblocks; i++)
		mem_free(d->block[i].v);
	mem_free(d->list);
	mem_free(d->block);
	mem_free(d->first);
	scratch_free(d->file);
	*d = (struct durs){ .n = 0 };
}

/* ---- ranks */

/* One that is sought lies in [from, from + 2^bits), and as the rank-th of what lies there. */
struct seek {
	uint64_t	rank, from;
	unsigned	bits;
};

/* Of one list. */
struct seeking {
	const struct durs	*d;
	size_t			 list;
	struct seek		 seek[DUR_RANKS];
	unsigned		 n, shift;	/* shift: of the first count */
	uint8_t			 of[COUNTS];	/* by first bits: which of them, one bit each */
	uint64_t		 count[DUR_RANKS][COUNTS];
};

static const uint32_t *
block_words(const struct durs *d, const struct dur_block *b)
{
	return b->v != NULL ? b->v : scratch_at(d->file, b->at);
}

/* As a number that grows with the duration. */
static inline uint64_t
wide_at(const uint32_t *v, uint32_t i)
{
	return ((uint64_t)v[i + 1] << 32 | v[i]) ^ SIGN;
}

static unsigned
shift_of(const struct seek *k)
{
	return k->bits > COUNT_BITS ? k->bits - COUNT_BITS : 0;
}

static inline void
count_next(struct seeking *s, uint64_t v)
{
	unsigned	of = s->of[v >> s->shift];

	for (unsigned k = 0; of != 0; k++, of >>= 1) {
		uint64_t	x = v - s->seek[k].from;

		if ((of & 1) != 0 && x >> s->seek[k].bits == 0)
			s->count[k][x >> shift_of(&s->seek[k])]++;
	}
}

static void
count_block(struct seeking *s, const uint32_t *v, uint32_t n, bool first)
{
	if (s->list % 2 == 0 && first) {
		for (uint32_t i = 0; i < n; i++)
			s->count[0][v[i] >> s->shift]++;
	} else if (s->list % 2 == 0) {
		for (uint32_t i = 0; i < n; i++)
			count_next(s, v[i]);
	} else {
		for (uint32_t i = 0; i < n; i += 2) {
			if (first)
				s->count[0][wide_at(v, i) >> s->shift]++;
			else
				count_next(s, wide_at(v, i));
		}
	}
}

static void
count_all(struct seeking *s, bool first)
{
	memset(s->count, 0, sizeof s->count);
	for (uint32_t b = s->d->first[s->list]; b != NONE; b = s->d->block[b].next)
		count_block(s, block_words(s->d, &s->d->block[b]), s->d->block[b].n, first);
}

/* From how many lie in which part of its range to the part that it lies in. */
static unsigned
narrow(struct seek *k, const uint64_t *count)
{
	unsigned	shift = shift_of(k), i = 0;

	for (; i + 1 < COUNTS && k->rank >= count[i]; i++)
		k->rank -= count[i];
	k->from += (uint64_t)i << shift;
	k->bits = shift;
	return i;
}

/* Find all that is sought in the list, whose numbers have so many bits. */
static void
seek_all(struct seeking *s, unsigned bits)
{
	bool	more = true;

	for (unsigned k = 0; k < s->n; k++) {
		s->seek[k].from = 0;
		s->seek[k].bits = bits;
	}
	s->shift = shift_of(&s->seek[0]);
	count_all(s, true);
	memset(s->of, 0, sizeof s->of);
	for (unsigned k = 0; k < s->n; k++)
		s->of[narrow(&s->seek[k], s->count[0])] |= (uint8_t)(1u << k);
	while (more) {
		more = false;
		for (unsigned k = 0; k < s->n; k++)
			more |= s->seek[k].bits > 0;
		if (more)
			count_all(s, false);
		for (unsigned k = 0; more && k < s->n; k++)
			(void)narrow(&s->seek[k], s->count[k]);
	}
}

/* In ascending order: what is wide and negative, what is short, the rest of what is wide. */
struct sizes {
	uint64_t	nshort, nwide, negative;
};

static struct sizes
sizes_of(const struct durs *d, uint32_t name)
{
	struct sizes	z = { .nshort = 0 };

	for (size_t list = (size_t)name * 2; list <= (size_t)name * 2 + 1; list++) {
		for (uint32_t b = list < d->nlists ? d->first[list] : NONE; b != NONE;
		    b = d->block[b].next) {
			const uint32_t	*v = block_words(d, &d->block[b]);
			uint32_t	 n = d->block[b].n;

			z.nshort += list % 2 == 0 ? n : 0;
			z.nwide += list % 2 == 0 ? 0 : n / 2;
			for (uint32_t i = 0; list % 2 != 0 && i < n; i += 2)
				z.negative += wide_at(v, i) < SIGN;
		}
	}
	return z;
}

static bool
is_wide(const struct sizes *z, uint64_t rank)
{
	return rank < z->negative || rank - z->negative >= z->nshort;
}

static uint64_t
rank_in_list(const struct sizes *z, uint64_t rank)
{
	if (rank < z->negative)
		return rank;
	return is_wide(z, rank) ? rank - z->nshort : rank - z->negative;
}

void
durs_ranks(const struct durs *d, uint32_t name, int64_t greatest,
    const uint64_t rank[DUR_RANKS], int64_t out[DUR_RANKS])
{
	uint64_t	 most = (uint64_t)greatest < UINT32_MAX ? (uint64_t)greatest : UINT32_MAX;
	struct sizes	 z = sizes_of(d, name);
	struct seeking	*s = mem_zalloc(1, sizeof *s);

	s->d = d;
	for (unsigned wide = 0; wide < 2; wide++) {
		unsigned	at[DUR_RANKS];

		s->list = (size_t)name * 2 + wide;
		s->n = 0;
		for (unsigned k = 0; k < DUR_RANKS; k++) {
			if (is_wide(&z, rank[k]) != wide || rank[k] >= z.nshort + z.nwide)
				continue;
			at[s->n] = k;
			s->seek[s->n++].rank = rank_in_list(&z, rank[k]);
		}
		if (s->n > 0)
			seek_all(s, wide ? 64 : bits_of(most | 1));
		for (unsigned k = 0; k < s->n; k++)
			out[at[k]] = (int64_t)(s->seek[k].from ^ (wide ? SIGN : 0));
	}
	mem_free(s);
}

/*
 * Durations by name, for percentiles.
 */
#ifndef ANALYSIS_SPANS_DURS_H
#define ANALYSIS_SPANS_DURS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DUR_RANKS	4u

/* Words of one name: the short ones, or the others, which take two words each. */
struct dur_list {
	uint32_t	*v;
	uint32_t	 n, cap;
};

struct dur_block;
struct scratch;

/* Receives the durations of a name, many at a time; wide: two words each, the low one first. */
typedef void (*durs_fn)(void *arg, uint32_t name, const uint32_t *v, uint32_t words, bool wide);

struct durs {
	durs_fn			 given;
	void			*arg;
	struct dur_list		*list;		/* of name i: 2i, 2i + 1; not yet a block */
	size_t			 n, cap;
	struct dur_block	*block;
	size_t			 nblocks, blocks_cap;
	uint32_t		*first;		/* block by list */
	size_t			 nlists, lists_cap;
	struct scratch		*file;		/* of two words each */
	size_t			 memory;
	bool			 no_room;	/* for some of them */
};

void	durs_init(struct durs *d, durs_fn given, void *arg);
void	durs_release(struct durs *d);
/* Make blocks of all. */
void	durs_give(struct durs *d);
/* Where a list has no room, or isn't there yet. */
void	durs_add_slowly(struct durs *d, uint32_t name, int64_t dur);
/*
 * The durations of the name that stand at these ranks, from 0 in ascending order, when all are
 * sorted. The greatest of all is known. Once all are blocks.
 */
void	durs_ranks(const struct durs *d, uint32_t name, int64_t greatest,
	    const uint64_t rank[DUR_RANKS], int64_t out[DUR_RANKS]);

static inline void
durs_add(struct durs *d, uint32_t name, int64_t dur)
{
	size_t	i = (size_t)name * 2;

	if (i < d->n && d->list[i].n < d->list[i].cap && (uint64_t)dur <= UINT32_MAX)
		d->list[i].v[d->list[i].n++] = (uint32_t)dur;
	else
		durs_add_slowly(d, name, dur);
}

#endif

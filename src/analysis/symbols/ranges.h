/*
 * Ranges of addresses that hold for a time, and which of them holds an address at a time.
 */
#ifndef ANALYSIS_SYMBOLS_RANGES_H
#define ANALYSIS_SYMBOLS_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RANGE_NONE	UINT32_MAX
#define RANGES_MOST	(UINT32_C(1) << 24)	/* of a process; later ones name nothing */
#define TIME_FIRST	INT64_MIN	/* from the beginning */
#define TIME_LAST	INT64_MAX	/* to the end */

/* Addresses [start, last], ticks [from, to). */
struct range {
	uint64_t	start, last;
	int64_t		from, to;
};

struct range_step {
	int64_t		ts;
	uint32_t	item;		/* from then on, or RANGE_NONE */
};

struct ranges {
	uint64_t		*bound;		/* ascending; leaf i is [bound[i], bound[i + 1]) */
	uint32_t		 n;		/* of leaves */
	uint32_t		*node;		/* of 2 n nodes: their first steps; and the end */
	struct range_step	*step;
	size_t			 nsteps;
};

/* Of n ranges in the order of their `from`; no more than RANGES_MOST. */
void	ranges_init(struct ranges *r, const struct range *v, uint32_t n);
void	ranges_release(struct ranges *r);
size_t	ranges_bytes(const struct ranges *r);

/* The nearest place at or below the address where a range begins or ends; false: there is none. */
bool	ranges_bound(const struct ranges *r, uint64_t addr, uint64_t *bound);

struct range_hit {
	uint32_t	item;		/* the one that begins last of those that hold; or NONE */
	uint32_t	before, after;	/* there was one, there will be one; or NONE */
	int64_t		from, to;	/* all of this is so in [from, to) */
};
/* Costs two logarithms. */
void	ranges_find(const struct ranges *r, uint64_t addr, int64_t ts, struct range_hit *out);

#endif

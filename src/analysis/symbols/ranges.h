/* Ranges of addresses that are valid for a time; finds the one at an address and time. */
#ifndef ANALYSIS_SYMBOLS_RANGES_H
#define ANALYSIS_SYMBOLS_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RANGE_NONE	UINT32_MAX
#define RANGES_MOST	(UINT32_C(1) << 24)	/* of a process; later ones are ignored */
#define TIME_FIRST	INT64_MIN	/* from the beginning */
#define TIME_LAST	INT64_MAX	/* to the end */

/* Addresses [start, last], ticks [from, to). */
struct code_range {
	uint64_t	start, last;
	int64_t		from, to;
};

struct range_step {
	int64_t		ts;
	uint32_t	item;		/* from then on; RANGE_NONE: none */
};

struct ranges {
	uint64_t		*bound;		/* ascending; leaf i is [bound[i], bound[i + 1]) */
	uint32_t		 n;		/* number of leaves */
	uint32_t		*node;		/* first step of each of 2 n nodes, and the end */
	struct range_step	*step;
	size_t			 nsteps;
};

/* Of n ranges, ordered by `from`. Only the first RANGES_MOST are used. */
void	ranges_init(struct ranges *r, const struct code_range *v, uint32_t n);
void	ranges_release(struct ranges *r);
size_t	ranges_bytes(const struct ranges *r);

/* The nearest bound of a range at or below the address. False: none. */
bool	ranges_bound(const struct ranges *r, uint64_t addr, uint64_t *bound);

struct range_hit {
	uint32_t	item;		/* the valid range that began last, or RANGE_NONE */
	uint32_t	before, after;	/* earlier and later range there, or RANGE_NONE */
	int64_t		from, to;	/* the result is the same for all times in [from, to) */
};
/* Takes O(log² n) steps. */
void	ranges_find(const struct ranges *r, uint64_t addr, int64_t ts, struct range_hit *out);

#endif

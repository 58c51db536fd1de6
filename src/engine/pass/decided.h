/*
 * What a query knows: counts of hits over runs of rows, and for most of them which rows hit.
 * Private to the engine.
 */
#ifndef ENGINE_PASS_DECIDED_H
#define ENGINE_PASS_DECIDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/num.h"

/* A count over a run of rows that lie in one view. */
struct verdict {
	uint64_t	row0;
	uint64_t	before;		/* hits of the verdicts below; up to date below d->summed */
	uint32_t	n, hits;
	bool		final;
};

/* Which rows of a view hit. */
struct bits {
	uint64_t	 row0, used;
	uint32_t	 n, known;	/* rows, and how many of them are decided, from the first */
	bool		 final;
	uint8_t		*set;
};

struct decided {
	struct verdict	*rec;		/* sorted; they never overlap */
	size_t		 n, cap, summed;
	uint64_t	 rows, hits;	/* of all verdicts */
	struct bits	*bits;		/* likewise, of views */
	size_t		 nbits, bits_cap, bytes;
	uint64_t	 clock;		/* of use, for bits */
};

void	decided_release(struct decided *d);

/* The first verdict that ends after the row: it holds the row, or lies above it. */
size_t	verdict_at(const struct decided *d, uint64_t row);
bool	verdict_holds(const struct decided *d, size_t i, uint64_t row);
void	verdict_insert(struct decided *d, size_t i, struct verdict r);
void	verdicts_sum(struct decided *d);		/* before */
/* Count what all bits of a view say, but for the rows that have a verdict already. */
void	verdict_bits(struct decided *d, const struct bits *b, uint64_t row0, uint64_t row1);

/* The bits of the view that holds the row, or NULL. Valid until the next bits_insert(). */
struct bits	*bits_at(struct decided *d, uint64_t row);
/* Bits of a view, none of them known yet. Those used least recently go when they are many. */
struct bits	*bits_insert(struct decided *d, uint64_t row0, uint32_t n, bool final);
bool		 bit_at(const struct bits *b, uint64_t row);
uint32_t	 bits_count(const struct bits *b, uint64_t from, uint64_t to);
/* The row of the n-th (0-based) hit of [from, to); to: it has not so many. */
uint64_t	 bits_nth(const struct bits *b, uint64_t from, uint64_t to, uint64_t n);

/*
 * Rows that were not final may have moved: forget what is known of them. *down and *up, the ends of
 * the decided rows around near, are drawn in to what is left.
 */
void	decided_refresh(struct decided *d, uint64_t near, uint64_t *down, uint64_t *up);

#endif

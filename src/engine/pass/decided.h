/*
 * The results of a query: counts of hits for runs of rows, and a bit for each row of recent views.
 * Private to the engine.
 */
#ifndef ENGINE_PASS_DECIDED_H
#define ENGINE_PASS_DECIDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/num.h"

/* The number of hits in a run of rows of one view. */
struct verdict {
	uint64_t	row0;
	uint64_t	before;		/* hits in earlier verdicts; valid below d->summed */
	uint32_t	n, hits;
	bool		final;
};

/* The hits of a view, one bit per row. */
struct bits {
	uint64_t	 row0, used;
	uint32_t	 n, known;	/* rows, and how many of the first are decided */
	bool		 final;
	uint8_t		*set;
};

struct decided {
	struct verdict	*rec;		/* sorted; they never overlap */
	size_t		 n, cap, summed;
	uint64_t	 rows, hits;	/* of all verdicts */
	struct bits	*bits;		/* sorted; they never overlap */
	size_t		 nbits, bits_cap, bytes;
	uint64_t	 clock;		/* for bits.used */
};

void	decided_release(struct decided *d);

/* The first verdict that ends after the row: it contains the row or is after it. */
size_t	verdict_at(const struct decided *d, uint64_t row);
bool	verdict_holds(const struct decided *d, size_t i, uint64_t row);
void	verdict_insert(struct decided *d, size_t i, struct verdict r);
void	verdicts_sum(struct decided *d);		/* updates `before` */
/* Add a verdict for the rows of a view, all of whose bits are known, that have none yet. */
void	verdict_bits(struct decided *d, const struct bits *b, uint64_t row0, uint64_t row1);

/* The bits of the view that contains the row, or NULL. Valid until the next bits_insert(). */
struct bits	*bits_at(struct decided *d, uint64_t row);
/* Add bits of a view, none of them known yet. May drop the bits that were used least recently. */
struct bits	*bits_insert(struct decided *d, uint64_t row0, uint32_t n, bool final);
bool		 bit_at(const struct bits *b, uint64_t row);
uint32_t	 bits_count(const struct bits *b, uint64_t from, uint64_t to);
/* The row of the n-th (0-based) hit of [from, to); to: there are fewer. */
uint64_t	 bits_nth(const struct bits *b, uint64_t from, uint64_t to, uint64_t n);

/*
 * Rows that were not final may have moved: drop their results. *down and *up, the ends of the
 * decided rows around near, are moved to those that are left.
 */
void	decided_refresh(struct decided *d, uint64_t near, uint64_t *down, uint64_t *up);

#endif

/*
 * The results of a query: for each slice, how many rows are hits, and a bit for each row of those
 * used recently. Private to the engine.
 */
#ifndef ENGINE_PASS_DECIDED_H
#define ENGINE_PASS_DECIDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/num.h"

/* The rows of a slice that belong to the query. */
struct slice_hits {
	uint64_t	 row0, used;
	uint64_t	 before;	/* hits in earlier slices; valid below d->summed */
	uint32_t	 n, hits;	/* hits: if counted */
	uint32_t	 known;		/* how many of the first rows have their bit in set */
	bool		 final, counted;
	uint8_t		*set;		/* or NULL */
};

struct decided {
	struct slice_hits	*rec;		/* sorted; they never overlap */
	size_t			 n, cap, summed;
	uint64_t		 rows, hits;	/* of those that are counted */
	size_t			 bytes;		/* of all sets */
	uint64_t		 clock;		/* for used */
};

void	decided_release(struct decided *d);
void	decided_sum(struct decided *d);		/* updates `before` */
/*
 * Rows that were not final may have moved: drop their results. *down and *up, the ends of the
 * decided rows around near, are moved to those that are left.
 */
void	decided_refresh(struct decided *d, uint64_t near, uint64_t *down, uint64_t *up);

/* The first slice that ends after the row: it contains the row or is after it. */
size_t	slice_hits_index(const struct decided *d, uint64_t row);
/* The slice that contains the row, or NULL. Valid until the next slice_hits_get(). */
struct slice_hits *slice_hits_at(const struct decided *d, uint64_t row);
/* The slice with these rows, made if it is new. It may cost others their bits. */
struct slice_hits *slice_hits_get(struct decided *d, uint64_t row0, uint32_t n, bool final);
/* Set the number of hits. */
void	slice_hits_count(struct decided *d, struct slice_hits *h, uint32_t hits);
/* Add the bits of the rows after those that are known. When all are, they are counted. */
void	slice_hits_add(struct decided *d, struct slice_hits *h, const uint8_t *set, uint32_t n);

/* The number of the first rows of which it is known whether they are hits. */
uint32_t slice_hits_known(const struct slice_hits *h);
/* For rows that are known: */
bool	slice_hit(const struct slice_hits *h, uint64_t row);
uint32_t slice_hits_between(const struct slice_hits *h, uint64_t from, uint64_t to);
/* The row of the n-th (0-based) hit of [from, to); to: there are fewer. */
uint64_t slice_hits_nth(const struct slice_hits *h, uint64_t from, uint64_t to, uint64_t n);

#endif

/*
 * The results of a query: for each view the number of its hits, and for recent ones a bit a row.
 * Private to the engine.
 */
#ifndef ENGINE_PASS_DECIDED_H
#define ENGINE_PASS_DECIDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/num.h"

/* A view whose rows are decided, or being decided. */
struct view_hits {
	uint64_t	 row0;
	uint64_t	 before;	/* hits in earlier views; valid below d->summed */
	uint64_t	 used;		/* when its bits were last of use */
	uint8_t		*set;		/* bits; NULL: none of the known rows is a hit */
	uint32_t	 n, known;	/* rows, and of how many of the first the bits are known */
	uint32_t	 hits;		/* of those rows that belong to the query; 0 until told */
	uint8_t		 worker;	/* the number of the one that decides it; 0: none */
	bool		 counted;	/* the number of hits is known */
	bool		 final;		/* its rows won't move */
};

struct decided {
	uint64_t	  row0, row1;	/* the rows of the query, */
	uint64_t	  near;		/* ... and the one to begin with */
	uint64_t	  down, up;	/* all is told in [down, up), which contains near */
	struct view_hits *v;		/* sorted; they never overlap */
	size_t		  n, cap, summed;
	uint64_t	  rows, hits;	/* of all that are told */
	size_t		  bytes;	/* of all bits */
	uint64_t	  clock;	/* for used */
};

void	decided_release(struct decided *d);

/* The first view that ends after the row: it contains the row or is after it. d->n: none. */
size_t	decided_after(const struct decided *d, uint64_t row);
/* The view that contains the row, or NULL. Valid until the next decided_take(). */
struct view_hits *decided_at(const struct decided *d, uint64_t row);
/* The view with exactly these rows, which is added if it is new. */
struct view_hits *decided_take(struct decided *d, uint64_t row0, uint32_t n, bool final);
/* Its rows up to this one are decided; whether this one is a hit. May drop the bits of the view
   that was used least recently. */
void	decided_bit(struct decided *d, struct view_hits *h, bool hit);
/* The number of its hits is known. */
void	decided_tell(struct decided *d, struct view_hits *h, uint32_t hits);
void	decided_sum(struct decided *d);			/* updates `before` */
/* Rows that were not final may have moved: drop their views. */
void	decided_refresh(struct decided *d);

/* Of rows whose bits are known. */
bool	 bit_at(const struct view_hits *h, uint64_t row);
uint32_t bits_count(const struct view_hits *h, uint64_t from, uint64_t to);
/* The row of the n-th (0-based) hit of [from, to); to: there are fewer. */
uint64_t bits_nth(const struct view_hits *h, uint64_t from, uint64_t to, uint64_t n);
/* All rows of a view whose bits are known: the number of hits that belong to the query. */
uint32_t bits_hits(const struct decided *d, const struct view_hits *h);

#endif

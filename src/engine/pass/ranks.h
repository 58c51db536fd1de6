/*
 * The numbers of a group, for percentiles: all of them, or a sketch of counts in buckets.
 */
#ifndef ENGINE_PASS_RANKS_H
#define ENGINE_PASS_RANKS_H

#include "engine/filter/ast.h"
#include "tnav/base/hashtable.h"

/* The greatest relative error of a sketch. */
#define RANKS_ERROR	(1.0 / 128)

#define RANKS_EXACT	2u

struct ranks_bucket {
	int32_t		index;		/* greater for greater numbers */
	uint64_t	n;
};

struct ranks {
	uint64_t		 n;
	bool			 sorted;
	/* Exact: the numbers by NUM_U, NUM_I (negative ones), NUM_F. */
	uint64_t		*v[NUM_F + 1];
	size_t			 nv[NUM_F + 1], cap[NUM_F + 1];
	struct {			/* earlier requests */
		uint64_t		rank;
		struct filter_num	num;
	} exact[RANKS_EXACT];
	uint8_t			 nexact;
	/* A sketch: */
	bool			 rough, whole;	/* rough: it is one; whole: only whole numbers */
	struct ranks_bucket	*bucket;
	size_t			 nbuckets, buckets_cap;
	struct hashtable	 table;
};

void	ranks_init(struct ranks *s);
void	ranks_release(struct ranks *s);
void	ranks_add(struct ranks *s, const struct filter_num *v);
/* If one of the two is a sketch, so is the result. */
void	ranks_merge(struct ranks *s, const struct ranks *from);
/* Become a sketch. The sketch depends on the numbers alone, not on when this is called. */
void	ranks_roughen(struct ranks *s);
/* The number of this rank, from 1 (the least) to n; from a sketch, a number near it. */
struct filter_num ranks_rank(struct ranks *s, uint64_t rank);

#endif

/*
 * The figures of one field in one group: sums, extremes, and the data for percentiles.
 */
#ifndef ENGINE_PASS_FIGURE_H
#define ENGINE_PASS_FIGURE_H

#include "engine/pass/ranks.h"
#include "tnav/base/sum.h"
#include "tnav/engine/aggregate.h"

struct accumulator {
	__int128		 whole;		/* the sum of the whole numbers: 2^63 of them fit */
	struct sum		 floats;	/* the sum of the floats */
	uint64_t		 n;
	uint64_t		 others;	/* values that are not numbers */
	struct filter_num	 least, greatest;
	unsigned		 kinds;		/* bits: the kinds of the numbers' cells */
	struct ranks		*ranks;	/* if percentiles are requested */
	uint64_t		 different;
	bool			 more;		/* ... and there are more */
};

/* A zeroed struct is empty. */
void	figure_release(struct accumulator *f);
/* The number of a cell; NUM_NONE: it is not a number. */
struct filter_num figure_number(const struct cell *c);
/* Add v, the number of a cell of this kind. */
void	figure_add(struct accumulator *f, const struct filter_num *v, enum cell_kind kind);
/* Merge everything except ranks and distinct values, which the caller merges within its limits. */
void	figure_merge(struct accumulator *f, const struct accumulator *from);
/* The aggregate of the group; the cell may borrow from text. */
void	figure_cell(struct accumulator *f, const struct aggregate *a, struct buf *text,
	    struct cell *out);

#endif

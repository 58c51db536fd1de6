/*
 * What is known of the numbers that one field has in one group.
 */
#ifndef ENGINE_PASS_FIGURE_H
#define ENGINE_PASS_FIGURE_H

#include "engine/pass/ranks.h"
#include "tnav/base/sum.h"
#include "tnav/engine/aggregate.h"

struct figure {
	__int128		 whole;		/* the sum of the whole numbers: 2^63 of them fit */
	struct sum		 floats;	/* of the others */
	uint64_t		 n;
	uint64_t		 others;	/* values that are none */
	struct filter_num	 least, greatest;
	unsigned		 kinds;		/* of the numbers' cells, by bit */
	struct ranks		*ranks;	/* where percentiles are asked for */
	uint64_t		 different;
	bool			 more;		/* ... and still other ones */
};

/* A zeroed one is empty. */
void	figure_release(struct figure *f);
/* The number of a cell; NUM_NONE: it is none. */
struct filter_num figure_number(const struct cell *c);
/* v is the cell's number. */
void	figure_add(struct figure *f, const struct filter_num *v, enum cell_kind kind);
/* All but the ranks, and but what is different: who knows the limits merges those. */
void	figure_merge(struct figure *f, const struct figure *from);
/* The aggregate of the group; text: what it may borrow. */
void	figure_cell(struct figure *f, const struct aggregate *a, struct buf *text,
	    struct cell *out);

#endif

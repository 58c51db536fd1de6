/*
 * Runs of repeats: neighbouring rows of the list with the same thread and type. Display only: rows
 * and indexes stay what they are.
 */
#ifndef UI_VIEW_COLLAPSE_H
#define UI_VIEW_COLLAPSE_H

#include <stdint.h>

#include "ui/view/view.h"

#define COLLAPSE_CHUNK	1024u	/* indexes that are looked at together: no run is longer */
#define COLLAPSE_CHUNKS	64u

struct collapse_chunk {
	uint64_t	base, used;
	uint32_t	n;			/* indexes in it; 0: not in use */
	uint8_t		first[COLLAPSE_CHUNK / 8];	/* bit i: a run begins at base + i */
};

struct collapse {
	struct collapse_chunk	*chunk;		/* COLLAPSE_CHUNKS, or NULL */
	uint64_t		 clock;
	/* What they were made from: */
	struct view_changes	 seen;		/* when they were found */
	uint64_t		 count;		/* of the list then */
};

void	collapse_release(struct collapse *c);
/* The run that holds the index: where it begins, and how many rows it has. */
uint64_t collapse_run(struct collapse *c, struct view *v, uint64_t index, uint32_t *n);

#endif

/*
 * Runs of repeats: consecutive rows of the list with the same thread and type. They only affect the
 * display: rows and indexes do not change.
 */
#ifndef UI_VIEW_COLLAPSE_H
#define UI_VIEW_COLLAPSE_H

#include <stdint.h>

#include "ui/view/view.h"

#define COLLAPSE_CHUNK	1024u	/* indexes per chunk: no run is longer */
#define COLLAPSE_CHUNKS	64u

struct collapse_chunk {
	uint64_t	base, used;
	uint32_t	n;			/* number of indexes; 0: unused */
	uint8_t		first[COLLAPSE_CHUNK / 8];	/* bit i: a run begins at base + i */
};

struct collapse {
	struct collapse_chunk	*chunk;		/* COLLAPSE_CHUNKS, or NULL */
	uint64_t		 clock;
	/* Made for: */
	struct view_changes	 seen;		/* when they were found */
	uint64_t		 count;		/* length of the list */
};

void	collapse_release(struct collapse *c);
/* The run that contains the index: its first index, and its number of rows. */
uint64_t collapse_run(struct collapse *c, struct view *v, uint64_t index, uint32_t *n);

#endif

/* Bytes that a program allocated between collections, from the sizes before and after each. */
#ifndef ANALYSIS_REPORTS_GROWTH_H
#define ANALYSIS_REPORTS_GROWTH_H

#include "analysis/reports/collections.h"

enum gc_growth_state {
	GROWTH_UNKNOWN,
	GROWTH_BEFORE,		/* of a part that lies before the trace */
	GROWTH_LATER,		/* its bytes are among those of a later collection */
	GROWTH_AT_LEAST,	/* a background collection made free space meanwhile, in which
				   the program may have allocated */
	GROWTH_TICKS,		/* sizes do not tell; GCAllocationTick does */
	GROWTH_KNOWN,
};

/* What was allocated since the collection before, or for the first one since the program began. */
struct gc_growth {
	enum gc_growth_state	state;
	uint64_t		bytes;
};

static inline bool
growth_has_bytes(const struct gc_growth *x)
{
	return x->state >= GROWTH_AT_LEAST;
}

/* One for each collection; the caller frees them with mem_free(). */
struct gc_growth *gc_growths(const struct gc_collections *g);

#endif

/*
 * Collections, their pauses and the sizes of the heap, as sums.
 */
#ifndef ANALYSIS_DIAGNOSES_PAUSES_H
#define ANALYSIS_DIAGNOSES_PAUSES_H

#include "analysis/reports/collections.h"

/* Collections by why they began. */
enum gc_why { WHY_SMALL, WHY_LARGE, WHY_INDUCED, WHY_OTHER, WHYS };

/* The heap after a collection. */
struct heap_size {
	double	at, bytes;	/* seconds */
	double	before;		/* bytes before it, with garbage; 0: unknown */
	bool	old;		/* gen2 was collected */
};

struct pause_sums {
	uint64_t		 n, gen[3], why[WHYS], why_gen2[WHYS];
	double			 paused, paused_why[WHYS], longest;	/* seconds */
	double			 promoted[2];	/* bytes: out of gen0, out of gen1 */
	double			 stayed;	/* bytes by which gen2 has grown */
	double			 pinned;	/* most pinned objects of a collection */
	double			 fragmented;	/* greatest share of free bytes, of collections
						   with many pins */
	/* The method that requested most collections, and how many; valid as long as the
	   collections. */
	struct span		 requested_by;
	uint64_t		 requests;
	struct heap_size	*heap;
	size_t			 nheap, cap;
};

/* collections: NULL: the trace has none. */
void	pauses_init(struct pause_sums *p, const struct gc_collections *collections);
void	pauses_release(struct pause_sums *p);

#endif

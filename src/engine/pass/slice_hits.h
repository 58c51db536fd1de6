/*
 * The hits of slices of large regions, whose segments are decoded once each. Private to the
 * engine.
 */
#ifndef ENGINE_PASS_SLICE_HITS_H
#define ENGINE_PASS_SLICE_HITS_H

#include "engine/pass/piece.h"

struct region_hits;

struct slice_hits {
	struct lock		*lock;		/* the owner's */
	struct region_hits	*regions;	/* those whose slices are not all told */
};

/* Has the slice's region several slices, so that its segments may touch more than one? */
bool	slice_is_shared(const struct slice_ref *ref);
/*
 * Count the events of such a slice that match the worker's filter, which must not need rows. Other
 * workers of these hits may do the same. 1: *hits is set; 0: stopped; ERR_IO: an event could not be
 * read. Without the lock.
 */
int	slice_hits_count(struct slice_hits *h, struct pass_worker *w, const struct slice_ref *ref,
	    uint32_t *hits);
void	slice_hits_release(struct slice_hits *h);

#endif

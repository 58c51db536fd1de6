/*
 * Cutting a region into slices: the committer's thread, without the lock.
 */
#ifndef ENGINE_VIEW_CUT_H
#define ENGINE_VIEW_CUT_H

#include "engine/index/index.h"

/* Which segments of a region may have events in it, relative to its seg0: in the order of the file,
   those of joined traces by source. */
struct segment_list {
	const uint32_t	*v;		/* NULL: all n */
	size_t		 n;
};

static inline struct segment_list
segments_all(const struct region *r)
{
	return (struct segment_list){ NULL, (size_t)r->nseg };
}

void	slice_cut(struct trace *t, const struct region *r, struct segment_list of,
	    struct slice_list *out);
/* The last slice that does not begin after the key, or the first. */
size_t	slice_of(const struct slice_list *l, struct order_key key);
/* Find the segments that each slice touches; the caller frees the array. */
uint32_t *slice_touch(struct trace *t, const struct region *r, struct segment_list of,
	    struct slice_list *list);
/* How many of their events are in the times of the region? */
uint64_t slice_count(struct trace *t, const struct region *r, struct segment_list of);

#endif

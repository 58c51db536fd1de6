/*
 * Slices: which one holds a row, and its events decoded and in order.
 */
#ifndef ENGINE_VIEW_SLICE_H
#define ENGINE_VIEW_SLICE_H

#include "engine/index/index.h"
#include "engine/view/order.h"

/* A slice as it was when it was found, and what names it. */
struct slice_ref {
	struct slice	s;
	struct region	r;
	uint64_t	key;		/* the same for the same rows, and no other's */
	bool		final;
};

/* Under lock: the slice that holds the row. */
bool	slice_find(const struct trace *t, uint64_t row, struct slice_ref *out);
/* The segments that it touches, in file order: the caller frees the array. Takes the lock. */
size_t	slice_segments(struct trace *t, const struct slice_ref *ref, const struct segment ***out);
/* Of n events of one of its segments, those that lie in it, moved to the front; how many. */
size_t	slice_keep(const struct slice *s, struct event *e, size_t n);
/*
 * Its events, in order; ev has room for SCAN_SEGMENT more than there are. False: they can't be had
 * any more. Any thread, without the lock.
 */
bool	slice_events(struct trace *t, const struct slice_ref *ref, struct event *ev,
	    struct order_room *r);
/* No view of it can be made while the source is in this state. Takes the lock. */
void	slice_failed(struct trace *t, const struct slice_ref *ref, uint32_t state);

#endif

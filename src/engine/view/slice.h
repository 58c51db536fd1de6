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

/*
 * The rows that are there at a moment: those of closed regions, which stay, and a copy of what is
 * published of the open one, which is replaced as it grows.
 */
struct rows_now {
	uint64_t	 final, rows;		/* of closed regions; in all */
	struct region	 open;
	struct slice	*s;
	size_t		 n;
	uint64_t	 gen;			/* of the open region */
};

/* Under lock: the slice that holds the row. */
bool	slice_find(const struct trace *t, uint64_t row, struct slice_ref *out);
void	rows_now_init(struct rows_now *now, struct trace *t);	/* takes the lock */
void	rows_now_release(struct rows_now *now);
/* The same of what was there then. Takes the lock. */
bool	rows_now_find(const struct rows_now *now, struct trace *t, uint64_t row,
	    struct slice_ref *out);
/* The segments that it touches, in file order: the caller frees the array. Takes the lock. */
size_t	slice_segments(struct trace *t, const struct slice_ref *ref, const struct segment ***out);
/* Of n events of one of its segments, those that lie in it, moved to the front; how many. */
size_t	slice_keep(const struct slice *s, struct event *e, size_t n);
/*
 * Its events, in order; ev has room for SCAN_SEGMENT more than there are. False: they can't be had
 * any more, or *stop was seen to be true, which is looked at before each segment; NULL: nobody
 * stops it. Any thread, without the lock.
 */
bool	slice_events(struct trace *t, const struct slice_ref *ref, struct event *ev,
	    struct order_room *r, const atomic_bool *stop);
/* Is it to be stopped? */
static inline bool
slice_stopped(const atomic_bool *stop)
{
	return stop != NULL && atomic_load(stop);
}

/* No view of it can be made while the source is in this state. Takes the lock. */
void	slice_failed(struct trace *t, const struct slice_ref *ref, uint32_t state);

#endif

/*
 * Slices: the one that contains a row, and its events, decoded and sorted.
 */
#ifndef ENGINE_VIEW_SLICE_H
#define ENGINE_VIEW_SLICE_H

#include "engine/index/index.h"
#include "engine/view/order.h"

/* A copy of a slice as it was when it was found, and its key. */
struct slice_ref {
	struct slice	s;
	struct region	r;
	uint64_t	key;		/* equal keys mean the same rows */
	bool		final;
};

/*
 * The rows at one moment: those of closed regions, which stay, and a copy of the published slices
 * of the open region, which are replaced as it grows.
 */
struct rows_now {
	uint64_t	 head;			/* the first row that is kept */
	uint64_t	 final, rows;		/* rows of closed regions; all rows */
	struct region	 open;
	struct slice	*s;
	size_t		 n;
	uint64_t	 gen;			/* of the open region */
};

/* Under the lock: find the slice that contains the row. */
bool	slice_find(const struct trace *t, uint64_t row, struct slice_ref *out);
void	rows_now_init(struct rows_now *now, struct trace *t);	/* takes the lock */
void	rows_now_release(struct rows_now *now);
/* The same among the rows of that moment. Takes the lock. */
bool	rows_now_find(const struct rows_now *now, struct trace *t, uint64_t row,
	    struct slice_ref *out);
/* Copies of all slices of a closed region, which the caller frees, and the key of the first. False:
   it was opened again. Takes the lock. */
bool	region_slices(struct trace *t, const struct slice_ref *ref, struct slice_list *out,
	    uint64_t *key);
/* The segments that the slice touches, in file order; the caller frees them. Takes the lock. */
size_t	slice_segments(struct trace *t, const struct slice_ref *ref, const struct segment ***out);
/* Move the events of a segment that are inside the slice to the front; returns how many. */
size_t	slice_keep(const struct slice *s, struct event *e, size_t n);
/*
 * Read its events, sorted. ev has room for SCAN_SEGMENT more than the slice has. False: they can no
 * longer be read, or *stop was true, which is tested before each segment. stop may be NULL. Any
 * thread, without the lock.
 */
bool	slice_events(struct trace *t, const struct slice_ref *ref, struct event *ev,
	    struct order_room *r, const atomic_bool *stop);
/* Should the work stop? */
static inline bool
slice_stopped(const atomic_bool *stop)
{
	return stop != NULL && atomic_load(stop);
}

/* Note that no view of the slice can be made in this state of the source. Takes the lock. */
void	slice_failed(struct trace *t, const struct slice_ref *ref, uint32_t state);

#endif

/*
 * The views that were made lately, for all threads.
 */
#ifndef ENGINE_VIEW_CACHE_H
#define ENGINE_VIEW_CACHE_H

#include "engine/view/slice.h"

struct view_cache *view_cache_new(size_t cap);
void	view_cache_free(struct view_cache *c);
size_t	view_cache_bytes(struct view_cache *c);
size_t	view_cache_cap(const struct view_cache *c);

/* Why a view is asked for. What only passes asked for is thrown out first: they won't come back. */
enum view_use { VIEW_STAYS, VIEW_PASSES };

/* The view of the slice, pinned; NULL: it can't be had, or *stop (or NULL) is true. Any thread,
   without the lock. */
const struct slice_view *view_cache_get(struct view_cache *c, struct trace *t,
	    const struct slice_ref *ref, enum view_use use, const atomic_bool *stop);
/* As trace_view_get(), which has no stop; 0 also if it is true. */
int	view_get_until(struct trace *t, uint64_t row, const atomic_bool *stop,
	    const struct slice_view **out);
void	view_cache_put(struct view_cache *c, const struct slice_view *v);

#endif

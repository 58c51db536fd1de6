/*
 * A cache of views, for all threads.
 */
#ifndef ENGINE_VIEW_CACHE_H
#define ENGINE_VIEW_CACHE_H

#include "engine/view/slice.h"

struct view_cache *view_cache_new(size_t cap);
void	view_cache_free(struct view_cache *c);
size_t	view_cache_bytes(struct view_cache *c);
size_t	view_cache_cap(const struct view_cache *c);

/* Why a view is requested. Views that only passes requested are evicted first. */
enum view_use { VIEW_STAYS, VIEW_PASSES };

/* The view of the slice, pinned; NULL: it can't be made, or *stop is true. stop may be NULL. Any
   thread, without the lock. */
const struct slice_view *view_cache_get(struct view_cache *c, struct trace *t,
	    const struct slice_ref *ref, enum view_use use, const atomic_bool *stop);
/* As trace_view_get(), but also 0 if *stop is true. */
int	view_get_until(struct trace *t, uint64_t row, const atomic_bool *stop,
	    const struct slice_view **out);
void	view_cache_put(struct view_cache *c, const struct slice_view *v);
/* Is a view pinned, or being made, that has or may have rows below this one? */
bool	view_cache_pins_below(struct view_cache *c, uint64_t row);

#endif

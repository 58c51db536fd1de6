/*
 * The meaning of raw ids of decoded events: types, threads, and losses before them.
 */
#ifndef ENGINE_VIEW_RESOLVE_H
#define ENGINE_VIEW_RESOLVE_H

#include "engine/view/decode.h"

struct resolver;

/*
 * For one thread. It caches what it has looked up, so it is valid for the segments that the index
 * had when it was made.
 */
struct resolver	*resolver_new(struct trace *t);
void		 resolver_free(struct resolver *rv);
/*
 * Turn raw types and threads of events of a segment, which are in file order, into indexes, and
 * mark losses. Takes the lock if an id, or the region of the segment, is not cached.
 */
void		 resolver_events(struct resolver *rv, const struct segment *g, struct event *e,
	    size_t n, const struct decoded *d);

#endif

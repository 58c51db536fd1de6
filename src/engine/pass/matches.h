/*
 * What a pass with a filter keeps of a slice: the events that match, in the order of time, with
 * their rows. Private to the engine.
 */
#ifndef ENGINE_PASS_MATCHES_H
#define ENGINE_PASS_MATCHES_H

#include "engine/pass/worker.h"
#include "engine/view/slice.h"

struct matches {
	struct event	*ev;		/* in the file's order */
	uint32_t	*at;		/* of ev, in the order of time */
	uint32_t	*rank;		/* ... which of the slice's rows it is */
	uint32_t	 n;
	uint64_t	 bytes;		/* of payloads: theirs, and of rows left out */
	size_t		 ev_cap, at_cap, rank_cap;
};

void	matches_release(struct matches *m);
/*
 * Of the rows [from, to) of the slice; what m had is forgotten. False: events could not be read, or
 * the worker was stopped. Any thread, without the lock of the pass.
 */
bool	matches_make(struct pass_worker *w, const struct slice_ref *ref, uint32_t from, uint32_t to,
	    struct matches *m);

#endif

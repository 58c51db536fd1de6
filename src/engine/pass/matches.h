/*
 * The events of a slice that match the filter of a pass, in the order of time, with their rows.
 * Private to the engine.
 */
#ifndef ENGINE_PASS_MATCHES_H
#define ENGINE_PASS_MATCHES_H

#include "engine/pass/worker.h"
#include "engine/view/slice.h"

struct matches {
	struct event	*ev;		/* in file order */
	uint32_t	*at;		/* indexes of ev, in the order of time */
	uint32_t	*rank;		/* ... and their rows in the slice */
	uint32_t	 n;
	uint64_t	 bytes;		/* of payloads, including those of rows left out */
	size_t		 ev_cap, at_cap, rank_cap;
};

void	matches_release(struct matches *m);
/*
 * Set m to the matches of the rows [from, to) of the slice. False: events could not be read, or the
 * worker was stopped. Any thread, without the lock of the pass.
 */
bool	matches_make(struct pass_worker *w, const struct slice_ref *ref, uint32_t from, uint32_t to,
	    struct matches *m);

#endif

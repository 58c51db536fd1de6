/*
 * Deltas: the time from the previous event of the same thread. It depends on the order of all
 * events, so the trace is read once, and the result is lent to it.
 *
 *	rows	| stretch 0	| stretch 1		| ...
 *	thread 7  10 12 15	  21 (before: 15) 22	  ...	delta: none 2 3 6 1
 *
 * Only the last event of each thread before a stretch is kept. Within a stretch, the reader of
 * fields goes from event to event.
 */
#ifndef TNAV_ENGINE_DELTAS_H
#define TNAV_ENGINE_DELTAS_H

#include "tnav/engine/derived.h"
#include "tnav/engine/pass.h"

struct deltas;

/* The deltas of the rows that the trace has now: of all events. *out is NULL if the result isn't
   0. */
int	deltas_new(struct deltas **out, struct trace *t, const struct pass_options *o,
	    struct pass_result *result);
/* Must have been taken back from the trace. NULL is fine. */
void	deltas_free(struct deltas *d);
size_t	deltas_bytes(const struct deltas *d);		/* memory in bytes */

#endif

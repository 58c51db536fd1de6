/*
 * How long after the previous event of its thread an event came. That follows from the order of
 * all events: who wants it goes over the trace once, and lends it what was found.
 *
 *	rows	| stretch 0	| stretch 1		| ...
 *	thread 7  10 12 15	  21 (before: 15) 22	  ...	delta: none 2 3 6 1
 *
 * Only what each thread's last event before a stretch was is kept. Within it the reader of fields
 * counts from event to event.
 */
#ifndef TNAV_ENGINE_DELTAS_H
#define TNAV_ENGINE_DELTAS_H

#include "tnav/engine/pass.h"

struct deltas;

struct deltas_options {
	bool	(*tick)(void *arg, uint64_t done, uint64_t all);	/* of the pass; or NULL */
	void	*tick_arg;
};

/* Of the rows that the trace has now. *out is NULL where the result isn't 0. */
int	deltas_new(struct deltas **out, struct trace *t, const struct deltas_options *o,
	    struct pass_result *result);
/* They must not be lent any more. NULL is fine. */
void	deltas_free(struct deltas *d);
size_t	deltas_bytes(const struct deltas *d);		/* of memory */

/* Lend them, or take them back with NULL: when no thread uses the trace. */
void	trace_set_deltas(struct trace *t, const struct deltas *d);
/* What was lent, or NULL: no event has a delta. */
const struct deltas *trace_deltas(struct trace *t);

#endif

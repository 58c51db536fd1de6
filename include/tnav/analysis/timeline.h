/*
 * A timeline: what happened in a trace, in the order of time, given to an encoder.
 *
 *	thread 12	[ Request ................ ]	slice that nests on its thread
 *	                   [ Step ]    . Exception	... instant
 *	                        [ Order ......... ]	slice that does not: of an activity
 *	                  ## 1,482 events lost ##	slice of a loss
 *	process		cpu-usage 12.5			counter
 *
 * Encoders know nothing of traces. Texts may have any bytes, except args, which are JSON objects.
 */
#ifndef TNAV_ANALYSIS_TIMELINE_H
#define TNAV_ANALYSIS_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/engine/pass.h"
#include "tnav/engine/trace.h"

/* Threads are tracks, numbered from 0. A track is described before it is used. */
struct timeline_track {
	uint32_t	track;
	uint64_t	pid, tid;
	struct span	name;			/* of the thread; len 0: none */
	struct span	process;		/* likewise */
	bool		first;			/* of its process */
};

/* What this slice was caused by: a slice that is still open. */
struct timeline_cause {
	uint64_t	flow;			/* its own flow; 0: there is no cause */
	uint32_t	track;
	uint64_t	ns;			/* when it began */
};

struct timeline_slice {
	uint64_t	id;			/* from 1 on, in the order of starts */
	uint32_t	track;
	bool		nests;			/* within the slices of its track */
	uint64_t	ns, end;		/* since the first moment of the timeline */
	struct span	name, category;
	struct span	lane;			/* what slices that do not nest are of */
	struct span	args;			/* len 0: none; not at the end of the slice */
	uint64_t	flow;			/* others name it as their cause; 0: none */
	struct timeline_cause cause;
	uint64_t	own;			/* the encoder's, from start to end */
};

struct timeline_instant {
	uint32_t	track;
	uint64_t	ns;
	struct span	name, category, args;
};

/* Starts and ends of slices are in the order of time. Results other than 0 end the timeline. */
struct timeline_ops {
	int	(*begin)(void *self);	/* or NULL */
	int	(*track)(void *self, const struct timeline_track *t);
	int	(*slice)(void *self, struct timeline_slice *s);
	int	(*slice_end)(void *self, struct timeline_slice *s);
	int	(*instant)(void *self, const struct timeline_instant *i);
	/* A number of a process, of which the track is one. */
	int	(*counter)(void *self, uint32_t track, uint64_t ns, struct span name,
		    double value);
	int	(*end)(void *self);	/* or NULL */
};

struct timeline_totals {
	uint64_t	slices, instants, counters, losses, causes;
	uint64_t	unmatched;		/* instants: starts without a stop, and stops */
};

/* Returns 0, ERR_CANCELED, or what a function of ops returned. */
int	timeline_give(struct trace *t, const struct pass_options *o,
	    const struct timeline_ops *ops, void *self, struct timeline_totals *totals,
	    struct pass_result *result);

#endif

/*
 * What deltas are made of: private to the engine.
 */
#ifndef ENGINE_STRETCHES_H
#define ENGINE_STRETCHES_H

#include "tnav/engine/deltas.h"

/* A thread's last event before a stretch. */
struct last_event {
	uint32_t	thread;
	int64_t		ts;
};

/* The place of an event, which tells whether rows have moved. */
struct event_place {
	int64_t		ts;
	uint64_t	off;
};

struct stretch {
	uint64_t		row0;
	uint32_t		n;		/* rows */
	uint32_t		nbefore;
	size_t			before;		/* the first of them */
	struct event_place	first, last;	/* of its events */
};

struct deltas {
	struct stretch		*v;		/* by row */
	size_t			 n, cap;
	struct last_event	*before;
	size_t			 nbefore, before_cap;
};

/* The stretch that holds the row, or NULL. */
const struct stretch *deltas_stretch(const struct deltas *d, uint64_t row);

#endif

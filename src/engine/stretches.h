/*
 * What deltas are made of: private to the engine.
 */
#ifndef ENGINE_STRETCHES_H
#define ENGINE_STRETCHES_H

#include "engine/index/index.h"
#include "tnav/engine/deltas.h"

/* A thread's last event before a stretch. */
struct last_event {
	uint32_t	thread;
	int64_t		ts;
};

struct stretch {
	uint64_t		row0;
	uint32_t		n;		/* rows */
	uint32_t		nbefore;
	size_t			before;		/* the first of them */
	struct order_key	first, last;	/* of its events: have its rows moved? */
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

/*
 * The data of deltas, private to the engine: see tnav/engine/deltas.h for the picture.
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
	size_t			before;		/* its last events: nbefore from this index on */
	struct order_key	first, last;	/* of its events, to detect rows that moved */
};

struct deltas {
	struct stretch		*v;		/* by row */
	size_t			 n, cap;
	struct last_event	*before;
	size_t			 nbefore, before_cap;
};

/* The stretch that contains the row, or NULL. */
const struct stretch *deltas_stretch(const struct deltas *d, uint64_t row);

#endif

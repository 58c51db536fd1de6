/*
 * Counts of events in equal parts of a time range that is not known in advance. Private to the
 * engine.
 */
#ifndef ENGINE_PASS_BINS_H
#define ENGINE_PASS_BINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/engine/count.h"

struct bins {
	uint64_t	*v;		/* COUNT_BINS per key */
	size_t		 keys, cap;
	bool		 any;		/* any time is covered */
	unsigned	 shift;		/* a part has 1 << shift ticks */
	int64_t		 first, last;	/* numbers of parts: ticks >> shift */
};

void	bins_release(struct bins *b);
void	bins_key(struct bins *b);			/* add a key */
void	bins_cover(struct bins *b, int64_t ts);
/* Count an event of a key, at a time that is covered. */
void	bins_add(struct bins *b, size_t key, int64_t ts);
/* Add the counts of a key of another one, whose times are covered: bins_cover_all(). */
void	bins_merge(struct bins *into, size_t key, const struct bins *from, size_t from_key);
void	bins_cover_all(struct bins *into, const struct bins *from);
/* The counts of the covered parts, in order. Returns how many there are. */
unsigned bins_get(const struct bins *b, size_t key, uint64_t out[COUNT_BINS]);

#endif

/*
 * Events by equal part of a time that isn't known beforehand. Private to the engine.
 */
#ifndef ENGINE_PASS_BINS_H
#define ENGINE_PASS_BINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/engine/count.h"

struct bins {
	uint64_t	*v;		/* COUNT_BINS a key */
	size_t		 keys, cap;
	bool		 any;		/* it covers a time */
	unsigned	 shift;		/* a part has 1 << shift ticks */
	int64_t		 first, last;	/* numbers of parts: ticks >> shift */
};

void	bins_release(struct bins *b);
void	bins_key(struct bins *b);			/* there is one more key */
void	bins_cover(struct bins *b, int64_t ts);
/* An event of a key, at a time that is covered. */
void	bins_add(struct bins *b, size_t key, int64_t ts);
/* Add those of another one's key; its times are covered: bins_cover_all(). */
void	bins_merge(struct bins *into, size_t key, const struct bins *from, size_t from_key);
void	bins_cover_all(struct bins *into, const struct bins *from);
/* The counts of the parts that are covered, in order; how many there are. */
unsigned bins_get(const struct bins *b, size_t key, uint64_t out[COUNT_BINS]);

#endif

/*
 * Counts of events by key, in equal parts of a time range that is not known in advance. The length
 * of a part is a power of two, which doubles when the times need more of them.
 */
#ifndef TNAV_ENGINE_BINS_H
#define TNAV_ENGINE_BINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BINS_MOST	2048u

struct bins {
	uint64_t	*v;		/* most per key */
	size_t		 keys, cap;
	unsigned	 most;		/* the limit of parts */
	bool		 any;		/* any time is covered */
	unsigned	 shift;		/* a part has 1 << shift ticks */
	int64_t		 first, last;	/* numbers of parts: ticks >> shift */
};

/* most: a power of two, up to BINS_MOST. */
void	bins_init(struct bins *b, unsigned most);
void	bins_release(struct bins *b);
void	bins_key(struct bins *b);			/* add a key */
void	bins_cover(struct bins *b, int64_t ts);
/* Count n events of a key, at a time that is covered. */
void	bins_add(struct bins *b, size_t key, int64_t ts, uint64_t n);
/* Add the counts of a key of another one, whose times are covered: bins_cover_all(). */
void	bins_merge(struct bins *into, size_t key, const struct bins *from, size_t from_key);
void	bins_cover_all(struct bins *into, const struct bins *from);
/* The counts of the covered parts, in order. Returns how many there are, at most `most`. */
unsigned bins_get(const struct bins *b, size_t key, uint64_t *out);

#endif

/*
 * Counts of events over time: equal buckets of a range of times that is known; and bins, by key,
 * for one that is not. The length of a bin is a power of two, which doubles when the times need
 * more of them.
 */
#ifndef TNAV_ENGINE_BINS_H
#define TNAV_ENGINE_BINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/model/event.h"

/* The bucket, of n equal ones of [from, to), that contains a time, or the nearest one; and the
   first tick of a bucket. A later time never lies in an earlier bucket. */
unsigned time_bucket(int64_t ts, int64_t from, int64_t to, unsigned n);
int64_t	time_bucket_start(unsigned bucket, int64_t from, int64_t to, unsigned n);

/* Events on one thread in a bucket of the time. */
struct thread_run {
	uint32_t	thread, n;
	int64_t		bucket;
	uint64_t	bytes;
};

#define THREADS_RECENT	256u		/* a power of two */

/* The events of a piece, as runs. A zeroed struct is empty. */
struct runs {
	struct thread_run	*v;
	size_t			 n, cap;
	uint32_t		 recent[THREADS_RECENT];	/* last runs of threads */
};

void	runs_add(struct runs *s, const struct event *e, int64_t bucket);

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

/* Equal buckets of an interval of time: cells of the timeline and their counts. */
#ifndef UI_VIEW_TIME_BUCKETS_H
#define UI_VIEW_TIME_BUCKETS_H

#include <stddef.h>
#include <stdint.h>

#include "tnav/model/event.h"

/* The bucket, of n equal ones of [from, to), that contains a time, or the nearest one; and the
   first tick of a bucket. */
unsigned view_bucket(int64_t ts, int64_t from, int64_t to, unsigned n);
int64_t	view_bucket_start(unsigned bucket, int64_t from, int64_t to, unsigned n);

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

#endif

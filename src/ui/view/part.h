/* Equal parts of an interval of time: cells of the timeline and their counts. */
#ifndef UI_VIEW_PART_H
#define UI_VIEW_PART_H

#include <stddef.h>
#include <stdint.h>

#include "tnav/model/event.h"

/* The part, of n equal ones of [from, to), that contains a time, or the nearest one; and the
   first tick of a part. */
unsigned view_part(int64_t ts, int64_t from, int64_t to, unsigned n);
int64_t	view_part_start(unsigned part, int64_t from, int64_t to, unsigned n);

/* Events on one thread in a part of the time. */
struct thread_run {
	uint32_t	thread, n;
	int64_t		part;
	uint64_t	bytes;
};

#define THREADS_RECENT	256u		/* a power of two */

/* The events of a piece, as runs. A zeroed struct is empty. */
struct runs {
	struct thread_run	*v;
	size_t			 n, cap;
	uint32_t		 recent[THREADS_RECENT];	/* last runs of threads */
};

void	runs_add(struct runs *s, const struct event *e, int64_t part);

#endif

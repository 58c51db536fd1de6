/*
 * Counts of events by thread, with their first and last times: for each commit, and summed up.
 *
 *	group[2]	[ 64 commits                              ]
 *	group[1]	[ 8 commits      ][ 8 commits      ] ...
 *	group[0]	[A 3  B 1][A 2  C 7] ...		a commit's counts, by thread
 *
 * A query for a part of the trace, or with a low resolution, reads only a few groups.
 *
 * Invariant: a summed group has the counts of its commits, added up by thread, with the first and
 * the last time of each thread. The sums take no more memory than the counts of the commits: a
 * group that would exceed this isn't summed, nor are those above it.
 */
#ifndef ENGINE_INDEX_THREAD_COUNTS_H
#define ENGINE_INDEX_THREAD_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/segvec.h"

#define COUNT_LEVELS	8u
#define COUNT_GROUP	8u	/* groups of the level below in one */

/* The events of one thread in a group. */
struct thread_count {
	int64_t		first, last;
	uint32_t	thread, n;
};

struct count_group {
	int64_t		first, last;	/* of all its counts */
	uint64_t	count0;
	uint32_t	n;		/* its counts, from count0 on in its level */
	bool		summed;		/* if not, only the groups below it have counts */
};

struct thread_counts {
	struct segvec	 count[COUNT_LEVELS], group[COUNT_LEVELS];
	uint64_t	 summed;	/* counts of all levels above the lowest */
	uint32_t	*place;		/* by thread: 1 + its place in the sum being made, or 0 */
	size_t		 places;
};

void	thread_counts_release(struct thread_counts *x);
size_t	thread_counts_bytes(const struct thread_counts *x);
/* Add the counts of one commit, n > 0. */
void	thread_counts_add(struct thread_counts *x, const struct thread_count *c, uint32_t n);

#endif

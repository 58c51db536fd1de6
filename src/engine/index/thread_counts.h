/*
 * How many events of each thread lie between which times, a commit at a time and in sums of them.
 *
 *	group[2]	[ 64 commits                              ]
 *	group[1]	[ 8 commits      ][ 8 commits      ] ...
 *	group[0]	[A 3  B 1][A 2  C 7] ...		a commit's counts, by thread
 *
 * Who asks for less than all of them, or more coarsely than they are, looks at few groups.
 *
 * Invariant: the counts of a group that is summed are those of its commits, added up by thread,
 * each between the first and the last time of the thread in them. The sums take no more room than
 * the commits' counts: a group that doesn't fit isn't summed, nor is one above it.
 */
#ifndef ENGINE_INDEX_THREAD_COUNTS_H
#define ENGINE_INDEX_THREAD_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/segvec.h"

#define COUNT_LEVELS	8u
#define COUNT_GROUP	8u	/* groups of the level below in one */

/* Events of one thread in a group. */
struct thread_count {
	int64_t		first, last;
	uint32_t	thread, n;
};

struct count_group {
	int64_t		first, last;	/* of all its counts */
	uint64_t	count0;
	uint32_t	n;		/* counts from count0 on, of its level */
	bool		summed;		/* else only the groups below it have counts */
};

struct thread_counts {
	struct segvec	 count[COUNT_LEVELS], group[COUNT_LEVELS];
	uint64_t	 summed;	/* counts of all levels but the lowest */
	uint32_t	*place;		/* of a thread's count in the sum being made, + 1; else 0 */
	size_t		 places;
};

void	thread_counts_init(struct thread_counts *x);
void	thread_counts_release(struct thread_counts *x);
size_t	thread_counts_bytes(const struct thread_counts *x);
/* The counts of one commit, n > 0. */
void	thread_counts_add(struct thread_counts *x, const struct thread_count *c, uint32_t n);

#endif

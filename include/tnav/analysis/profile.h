/*
 * A profile as its encoders receive it: threads, different stacks, and samples of them.
 *
 *	begin	names of frames, each once; stacks, each once, after the one that they extend
 *	thread	7, 1,031 samples
 *	sample	stack 12 at 1.2 ms, weight 1
 *	...
 *	end
 *
 * Encoders know nothing of traces: names are valid UTF-8 without line breaks, NULs and semicolons.
 */
#ifndef TNAV_ANALYSIS_PROFILE_H
#define TNAV_ANALYSIS_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/cursor.h"

#define PROFILE_LONGEST	50	/* by time: times the usual distance of samples */

struct profile_head {
	bool		 by_time;	/* weights are ns, else numbers of samples */
	bool		 has_utc;
	int64_t		 utc;		/* ns since 1970 of the time 0 */
	int64_t		 first, last;	/* ns of samples */
	uint32_t	 frames, stacks;	/* ids are less than these */
};

struct profile_frame {
	struct span	name;
	struct span	module;		/* len 0: not known */
	uint64_t	address;	/* 0: it has a name, of many addresses */
};

struct profile_thread {
	struct span	name;		/* "Thread (12)" */
	int64_t		start;		/* ns of its first one */
};

struct profile_ops {
	/* Each sample by itself, in time order, and the threads with most samples first. Else one
	   of each stack and thread, with the sum of weights, in the order of names. */
	bool	in_time;
	/* Results other than 0 end the profile. */
	int	(*begin)(void *self, const struct profile_head *head);
	void	(*frame)(void *self, uint32_t id, const struct profile_frame *f);
	/* Stack 0 has no frames. ids rise in the order of names, and up < id. */
	void	(*stack)(void *self, uint32_t id, uint32_t up, uint32_t frame);
	int	(*thread)(void *self, const struct profile_thread *t);
	int	(*sample)(void *self, uint32_t stack, uint64_t weight);
	/* in_time: nobody knows what the thread did for so long; or NULL. */
	int	(*pause)(void *self, uint64_t weight);
	int	(*end)(void *self);	/* or NULL */
};

struct profile_totals {
	uint64_t	samples, stacks, threads;	/* stacks: different ones */
};

#endif

/*
 * A profile as its encoders receive it: frames, threads, and the samples of each.
 *
 *	begin	names of frames, each once
 *	thread	7
 *	sample	frames 3 1 12, weight 1
 *	...
 *	end
 *
 * Encoders know nothing of traces: names are valid UTF-8 without line breaks, NULs and semicolons.
 */
#ifndef TNAV_ANALYSIS_PROFILE_H
#define TNAV_ANALYSIS_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/cursor.h"

#define PROFILE_LONGEST	50	/* by time: times the usual distance of samples */

enum profile_unit { PROFILE_NUMBER, PROFILE_NS, PROFILE_BYTES };

struct profile_head {
	enum profile_unit unit;		/* of weights */
	bool		 has_utc;
	int64_t		 utc;		/* ns since 1970 of the time 0 */
	int64_t		 first, last;	/* ns of samples */
	uint32_t	 frames;	/* ids are less */
};

struct profile_frame {
	struct span	name;
	struct span	module;		/* len 0: not known */
	uint64_t	address;	/* 0: it has a name, of many addresses */
};

struct profile_thread {
	struct span	name;		/* "Thread (12)" */
	int64_t		start;		/* ns of its first sample; 0: they are sums */
};

struct profile_ops {
	/* Each sample by itself, in time order, and the threads with most samples first. Else one
	   of each stack and thread, with the sum of weights, in the order of names. */
	bool	in_time;
	bool	whole;		/* weights are rounded to whole numbers, and 0 is not given */
	/* Results other than 0 end the profile. */
	int	(*begin)(void *self, const struct profile_head *head);
	void	(*frame)(void *self, uint32_t id, const struct profile_frame *f);
	int	(*thread)(void *self, const struct profile_thread *t);
	/* Frames are outermost first. in_time: none if nobody knows what the thread did. */
	int	(*sample)(void *self, const uint32_t *frame, size_t n, double weight);
	int	(*end)(void *self);	/* or NULL */
};

struct profile_totals {
	uint64_t	samples, stacks, threads;	/* stacks: different ones */
};

#endif

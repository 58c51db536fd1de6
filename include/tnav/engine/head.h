/*
 * The head of a trace that is being received: the rows from it on are kept, those before it were
 * let go, and the room of their bytes in the file was given back.
 *
 *	rows	0 . . . . . . . head | kept ... open region
 *	file	header, [ hole ] M [ hole ] | ...	M: descriptions of types and threads stay
 *
 * Row numbers, times and offsets stay as they are. The list, passes, queries, counts and the range
 * of times begin at the head. What is not in events stays known: types, threads, what was lost.
 */
#ifndef TNAV_ENGINE_HEAD_H
#define TNAV_ENGINE_HEAD_H

#include <stdbool.h>
#include <stdint.h>

struct trace;

struct trace_head {
	uint64_t	row;		/* the first that is kept; 0: all are */
	int64_t		ts;		/* its time at the earliest */
};

struct trace_keep {
	uint64_t	bytes;		/* of the file; 0: no limit */
	int64_t		ns;		/* of time; 0: no limit */
};

void	trace_head(struct trace *t, struct trace_head *out);
/* How many rows there are from the head on. */
uint64_t trace_rows_kept(struct trace *t);
/*
 * Move the head if more is kept than that, to 7/8 of it, so that it moves seldom; and give back the
 * room in fd, the trace's file, once no pass and no view reads it any more: which a later call does
 * then. Only regions that are closed are let go, and one of them stays. Not of joined traces. For
 * one thread. True: the head has moved.
 */
bool	trace_let_go(struct trace *t, int fd, const struct trace_keep *keep);

#endif

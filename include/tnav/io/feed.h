/*
 * A feed: the supplier of the bytes of a growing source. The source knows only this table:
 * the spool of input that cannot be mapped, the watch on a file that another program writes, and
 * the receiver of a live trace.
 *
 *	writer -> file -> size     the source maps the file and reads below size
 *
 * Bytes below size are in the file and never change. All functions but free() may be called by
 * any thread.
 */
#ifndef TNAV_IO_FEED_H
#define TNAV_IO_FEED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What any thread may read of a feed, which begins with it. */
struct feed_state {
	_Atomic uint64_t	 size;		/* bytes that can be read; never falls */
	_Atomic bool		 done;		/* no more bytes will come */
	_Atomic(const char *)	 error;		/* once done: what went wrong, or NULL */
};

struct feed_ops {
	/* Wait for more than n bytes, the end, a stop, or until job_now_ns() reaches until. */
	void	(*wait)(void *feed, uint64_t n, int64_t until);
	void	(*stop)(void *feed);	/* ends the feed, wakes waiters */
	void	(*free)(void *feed);	/* stops it first */
};

struct feed {
	const struct feed_ops	*ops;		/* NULL: there is none */
	struct feed_state	*self;
};

#endif

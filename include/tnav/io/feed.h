/*
 * A feed: the supplier of the bytes of a growing source. The source knows only this table:
 * the spool of input that cannot be mapped, the watch on a file that another program writes, and
 * the receiver of a live trace.
 *
 *	writer -> file -> size()     the source maps the file and reads below size()
 *
 * Bytes below size() are in the file and never change. All functions but free() may be called by
 * any thread.
 */
#ifndef TNAV_IO_FEED_H
#define TNAV_IO_FEED_H

#include <stdbool.h>
#include <stdint.h>

struct feed_ops {
	uint64_t	 (*size)(void *feed);		/* bytes that can be read; never falls */
	bool		 (*done)(void *feed);		/* no more bytes will come */
	/* Wait for more than n bytes, the end, a stop, or until job_now_ns() reaches until. */
	void		 (*wait)(void *feed, uint64_t n, int64_t until);
	void		 (*stop)(void *feed);		/* ends the feed, wakes waiters */
	const char	*(*error)(void *feed);		/* once done: what went wrong, or NULL */
	void		 (*free)(void *feed);		/* stops it first */
};

struct feed {
	const struct feed_ops	*ops;			/* NULL: there is none */
	void			*self;
};

#endif

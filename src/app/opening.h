/*
 * Opening a trace that is being received, which waits for its first bytes: in a thread of its own.
 */
#ifndef APP_OPENING_H
#define APP_OPENING_H

#include <stdatomic.h>
#include <stdbool.h>

#include "tnav/engine/trace.h"

struct job;
struct session;

struct opening {
	struct trace_feed	 feed;
	struct trace_options	 o;
	char			*path;		/* its own, as the thread reads it */
	struct trace		*t;		/* once it is done: the caller's, or NULL */
	struct buf		 why;
	int			 err;
	atomic_bool		 done;
	struct job		*job;
};

/* Begin to open what the session writes to the file at path; false with errno: it can't be read. */
bool	opening_begin(struct opening *x, const char *path, struct session *s,
	    const struct trace_options *o);
/* The same of an open file without a name, which stays the caller's; path: what to call it. */
bool	opening_begin_fd(struct opening *x, const char *path, int fd, struct session *s,
	    const struct trace_options *o);
bool	opening_is_done(const struct opening *x);
/* Wait for its end, which the end of the session brings at the latest. Leaves t, err and why. */
void	opening_end(struct opening *x);
void	opening_release(struct opening *x);	/* closes no trace */

#endif

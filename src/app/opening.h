/*
 * Opens a trace that is being received. This waits for the first bytes, so it happens in a thread.
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
	char			*path;		/* a copy for the thread */
	struct trace		*t;		/* once done: the caller's, or NULL */
	struct buf		 why;
	int			 err;
	atomic_bool		 done;
	struct job		*job;
};

/* Begin to open the file at path, which the session writes. False, with errno: it cannot be
   read. */
bool	opening_begin(struct opening *x, const char *path, struct session *s,
	    const struct trace_options *o);
/* The same for an open file without a name, which the caller closes. path: the name to show. */
bool	opening_begin_fd(struct opening *x, const char *path, int fd, struct session *s,
	    const struct trace_options *o);
bool	opening_is_done(const struct opening *x);
/* Wait until it is done, at the latest when the session ends. Then t, err and why are valid. */
void	opening_end(struct opening *x);
void	opening_release(struct opening *x);	/* does not close the trace */

#endif

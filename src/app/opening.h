/*
 * Opens a trace that is being received. This waits for the first bytes, so it happens in a thread.
 */
#ifndef APP_OPENING_H
#define APP_OPENING_H

#include <stdbool.h>

#include "tnav/base/task.h"
#include "tnav/engine/trace.h"

struct session;

struct opening {
	struct trace_feed	 feed;
	struct trace_options	 o;
	char			*path;		/* a copy for the thread */
	struct trace		*t;		/* once done: the caller's, or NULL */
	struct buf		 why;
	int			 err;
	struct task		 task;
};

/* Begin to open a file that the session writes, which the caller closes. path: the name to show.
   False, with errno: it cannot be read. Its end, to be awaited with task_halt(), is at the latest
   that of the session. */
bool	opening_begin_fd(struct opening *x, const char *path, int fd, struct session *s,
	    const struct trace_options *o);
void	opening_release(struct opening *x);	/* waits; does not close the trace */

#endif

/*
 * Opening a trace that is being received.
 *
 *	session -> file -> feed -> trace_open() in a task
 */
#include "app/opening.h"

#include <fcntl.h>

#include "tnav/base/mem.h"
#include "tnav/live/session.h"

static void
open_trace(void *arg)
{
	struct opening	*x = arg;

	x->err = trace_open(&x->t, x->path, &x->o, &x->why);
}

bool
opening_begin_fd(struct opening *x, const char *path, int fd, struct session *s,
    const struct trace_options *o)
{
	fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return false;
	*x = (struct opening){ .o = *o, .path = mem_strdup(path), .feed = { fd, session_feed(s) } };
	x->o.feed = &x->feed;
	task_start(&x->task, TASK_APART, open_trace, x);
	return true;
}

void
opening_release(struct opening *x)
{
	task_release(&x->task);
	buf_release(&x->why);
	mem_free(x->path);
}

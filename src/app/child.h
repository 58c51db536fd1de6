/*
 * A command that is started to be traced.
 */
#ifndef APP_CHILD_H
#define APP_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "tnav/base/buf.h"

struct child {
	pid_t	pid;		/* 0: there is none */
	bool	ended;
	int	status;		/* of wait(2), once it has ended */
};

/*
 * Start it with DOTNET_DiagnosticPorts=ports. Its input and output are this program's with io, else
 * nothing. False: why says it.
 */
bool	child_start(struct child *c, char *const *words, const char *ports, bool io,
	    struct buf *why);
bool	child_has_ended(struct child *c);	/* doesn't wait */
void	child_signal(struct child *c, int sig);
/* Its exit code, or 128 and its signal; it has ended. */
int	child_code(const struct child *c);

#endif

/*
 * A command that is started: to be traced, or to bring the trace of another host.
 */
#ifndef APP_CHILD_H
#define APP_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "tnav/base/buf.h"

struct child_process {
	pid_t	pid;		/* 0: none */
	bool	ended;
	int	status;		/* as of wait(2), after it has ended */
	int	sent;		/* the signal that child_signal() has sent, or 0 */
};

/*
 * Start it with DOTNET_DiagnosticPorts=ports. With io it shares this program's input and output;
 * else it has none. False: the reason is in why.
 */
bool	child_start(struct child_process *c, char *const *words, const char *ports, bool io,
	    struct buf *why);
/*
 * Start it with these descriptors as its standard input, output and error. It stays in the
 * terminal's foreground, so that it can ask for a password, but what the terminal signals
 * (Ctrl-C, a hang-up) is only for this program, which ends it.
 */
bool	child_start_on(struct child_process *c, char *const *words, const int fds[3],
	    struct buf *why);
bool	child_has_ended(struct child_process *c);	/* does not wait */
void	child_signal(struct child_process *c, int sig);
/* Append "ended with exit code 3", or the signal that ended it. Was that one that was not sent
   here? Only after its end. */
bool	child_put_end(const struct child_process *c, struct buf *out);
/* Its exit code, or 128 + its signal. Only after it has ended. */
int	child_code(const struct child_process *c);

#endif

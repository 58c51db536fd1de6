/*
 * Running .NET programs: their processes, their diagnostics sockets, and their answers, or the
 * reason why they cannot be queried.
 *
 *	/proc/PID	-> user, start, names, folder	-> {folder}/dotnet-diagnostic-...-socket
 *	all sockets	-> ProcessInfo, at the same time -> runtime, entry assembly
 *
 * Specification: "the diagnostics protocol of .NET", section 1.
 */
#ifndef TNAV_LIVE_PROCESS_H
#define TNAV_LIVE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/live/message.h"

enum process_state {
	PROCESS_READY,		/* it has answered */
	PROCESS_SILENT,		/* stopped, in a debugger, or busy with another client */
	PROCESS_DENIED,		/* another user's */
	PROCESS_REFUSED,	/* it has answered with an error, or with what is no answer */
	PROCESS_NO_SOCKET,	/* it runs the .NET runtime, and has no socket that can be seen */
	PROCESS_STALE,		/* its socket is one of an earlier process with this id */
};

struct process {
	uint64_t	 pid;		/* as this process sees it */
	uint64_t	 inner;		/* as it sees itself: another in a container */
	uint32_t	 uid;
	uint64_t	 started;	/* clock ticks since the machine started */
	int64_t		 uptime_ns;
	char		*name;		/* of /proc: 15 bytes */
	char		*command_line;	/* arguments with blanks between them */
	char		*socket;	/* or NULL */
	enum process_state state;
	char		*why;		/* a phrase where it is not ready */
	struct process_info info;	/* empty where it is not ready */
};

struct process_list {
	struct process	*v;
	size_t		 n, cap;
};

/* All of them by id; a socket that doesn't answer is waited for no longer than so. */
void	process_list_make(struct process_list *l, int64_t wait_ns);
/* The one program behind a socket, whatever its path; its ids are those that it sees itself. */
void	process_list_ask(struct process_list *l, const char *socket, int64_t wait_ns);
/* Let it run, if it was started suspended. */
void	process_resume(const char *socket, int64_t wait_ns);
void	process_list_release(struct process_list *l);

/* What a person calls it: the entry assembly, else the name of /proc. */
const char *process_name(const struct process *p);
/*
 * The process that what names: an id, the path of a socket, or a name (entry assembly, name of
 * /proc, file name of a word of the command line; case doesn't count). 0, or ERR_USAGE and why says
 * in one line that there is none, which ones are near, or which ones are meant.
 */
int	process_find(const struct process_list *l, const char *what, size_t *i, struct buf *why);

#endif

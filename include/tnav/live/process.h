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
	PROCESS_DENIED,		/* belongs to another user */
	PROCESS_REFUSED,	/* it has answered with an error or a malformed answer */
	PROCESS_NO_SOCKET,	/* it runs the .NET runtime, but its socket is not visible */
	PROCESS_STALE,		/* the socket belongs to an earlier process with this id */
};

struct process {
	uint64_t	 pid;		/* as this process sees it */
	uint64_t	 inner;		/* as it sees itself: different in a container */
	uint32_t	 uid;
	uint64_t	 started;	/* clock ticks since the machine started */
	int64_t		 uptime_ns;
	char		*name;		/* from /proc: at most 15 bytes */
	char		*command_line;	/* arguments separated by blanks */
	char		*socket;	/* or NULL */
	enum process_state state;
	char		*why;		/* a phrase why it is not ready */
	struct process_info info;	/* empty if it is not ready */
};

struct process_list {
	struct process	*v;
	size_t		 n, cap;
};

/* All of them, ordered by id. Waits at most wait_ns for a socket that does not answer. */
void	process_list_make(struct process_list *l, int64_t wait_ns);
/* Only the program behind a socket at any path. Its ids are those that it sees itself. */
void	process_list_ask(struct process_list *l, const char *socket, int64_t wait_ns);
/* Resume it, if it was started suspended. */
void	process_resume(const char *socket, int64_t wait_ns);
void	process_list_release(struct process_list *l);

/* The name to show: the entry assembly, else the name from /proc. */
const char *process_name(const struct process *p);
/* Is this, ignoring case, its entry assembly, its name from /proc, or the file name of an argument,
   with or without .dll? */
bool	process_is_called(const struct process *p, const char *what);
/* Append the name of the user, or nothing. */
void	process_user(struct buf *out, uint32_t uid);
/* Is it the path of a socket? */
bool	process_is_socket(const char *what);
/*
 * Find a process by an id, the path of a socket, or a name: entry assembly, name from /proc, or
 * file name of a command line argument, ignoring case. Returns 0, or ERR_USAGE with one line in
 * why: none, the similar names, or the ambiguous ones.
 */
int	process_find(const struct process_list *l, const char *what, size_t *i, struct buf *why);

#endif

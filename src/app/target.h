/* The target: the events chosen by the options of record and attach, and the process. */
#ifndef APP_TARGET_H
#define APP_TARGET_H

#include <stdatomic.h>

#include "app/next_run.h"
#include "app/child.h"
#include "app/options.h"
#include "app/remote.h"
#include "tnav/live/choice.h"
#include "tnav/live/message.h"
#include "tnav/live/process.h"
#include "tnav/live/session.h"

struct target {
	const struct options	*o;
	struct choice		*choice;
	struct process_list	 list;
	struct session_peer	 peer;		/* the program: */
	uint64_t		 pid;		/* 0: it is unknown here */
	struct buf		 name;
	struct remote		 remote;	/* the host that it runs on, or none: this one */
	const char		*profile;	/* of the events that are asked for, or NULL; */
	bool			 samples, heap;	/* ... and these besides */
	bool			 may_wait;	/* its socket was given, and it may wait for a
						   resume */
	struct port		*port;		/* the port that it has connected to, or NULL */
	struct advert		 came;		/* for again: the program that has connected */
	struct buf		 came_name;
	struct child_process	 child;		/* the command that was started, or none */
	struct job		*tender;	/* resumes other programs that connect */
	struct next_run		 next_run;		/* the next run of the program */
	atomic_bool		 over;
	bool			 nameless;	/* sessions end without names of methods */
	bool			 lost;		/* it connected, but does not answer */
	int64_t			 announced_ns;	/* when a peer that does not answer was reported */
	bool			 tty;		/* standard error is a terminal */
};

/* Is the only operand the id, the name or the socket of a process, here or on another host, not a
   file? */
bool	target_is_named(const struct options *o);
void	target_init(struct target *t, const struct options *o);
void	target_release(struct target *t);
/* Each returns 0, or an exit code after a message. profiles: the default without other options.
   stacks: whether it has stacks. */
/* Is it asked for a snapshot of the heap alone, which ends the recording? */
bool	target_takes_heap(const struct options *o);
int	target_choose(struct target *t, const char *profiles, bool stacks);
/* Asks the user first, if the session makes the program collect its heap. */
int	target_ask(struct target *t);
/* Waits until a program connects, if one is to connect. stopping_begin() must have been called. */
int	target_find(struct target *t);
/* Start a session that writes to fd, and to copy unless that is -1. */
int	target_start(struct target *t, struct session **s, int fd, int copy);
/* If it did not answer, and others may connect: wait for one. True: it has, start again. */
bool	target_find_another(struct target *t, int *code);
/* Should methods have names while the session runs? Only if it has stacks and a rundown, and runs
   on this host. */
bool	target_wants_names(const struct target *t);
/* With --listen and without a command, a program that has ended may start again. */
bool	target_may_come_again(const struct target *t);
/* For next_run.begin(): make the connected program the target, and start its session. False: the
   reason is in why. */
void	target_take(struct target *t);
bool	target_start_again(struct target *t, struct session **s, int fd, struct buf *why);
/* Start another session of the same program, which runs. The same result. */
bool	target_start_more(struct target *t, struct session **s, int fd, struct buf *why);
/* Start another session of the same program, with stacks, and with samples unless the options chose
   events. The same results as target_start(). */
int	target_start_stacks(struct target *t, struct session **s, int fd);
/* The same with a walk of the heap besides. */
int	target_start_heap(struct target *t, struct session **s, int fd);
/* From now on next_run.begin() is not called. */
void	target_tend_no_more(struct target *t);
/* The final exit code: that of the command, if it has ended and tnav has not failed. */
int	target_code(struct target *t, int code);
/* Append what it is called in messages: "process 12 (orders)". */
void	target_put(const struct target *t, struct buf *out);
/* Append a program's name as a part of a file name. */
void	target_put_name(const char *name, size_t len, struct buf *out);
/* Append _DATE_TIME. */
void	target_file_date(struct buf *out);
/* Append the name and the time for a file name: live-app_20261122_103000. */
void	target_file_name(const struct target *t, struct buf *out);

#endif

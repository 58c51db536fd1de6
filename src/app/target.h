/*
 * What is to be traced: the options of record and attach as a choice of events, and the process.
 */
#ifndef APP_TARGET_H
#define APP_TARGET_H

#include <stdatomic.h>

#include "app/again.h"
#include "app/child.h"
#include "app/options.h"
#include "tnav/live/choice.h"
#include "tnav/live/message.h"
#include "tnav/live/process.h"
#include "tnav/live/session.h"

struct target {
	const struct options	*o;
	struct choice		*choice;
	struct process_list	 list;
	struct session_peer	 peer;		/* the program: */
	uint64_t		 pid;
	struct buf		 name;
	bool			 may_wait;	/* behind a socket that was given: for a resume */
	struct port		*port;		/* that it has connected to, or NULL */
	struct advert		 came;		/* for again: who has connected */
	struct buf		 came_name;
	struct child		 child;		/* that was started for it, or none */
	struct job		*tender;	/* lets other programs run that connect */
	struct again		 again;		/* the next run of the program */
	atomic_bool		 over;
	bool			 tty;		/* standard error is one */
};

void	target_init(struct target *t, const struct options *o);
void	target_release(struct target *t);
/* Each 0, or an exit code after a message. The profiles: those for who chooses nothing, with stacks
   or without. */
int	target_choose(struct target *t, const char *profiles, bool stacks);
/* Waits for a program where one is to connect; stopping_begin() was called. */
int	target_find(struct target *t);
/*
 * Start a session that writes to fd; the user is asked first where it makes the program collect its
 * heap.
 */
int	target_ask(struct target *t);
int	target_start(struct target *t, struct session **s, int fd);
/* Are methods to have names while the session runs? Where it has stacks and a rundown. */
bool	target_wants_names(const struct target *t);
/* With --listen, and without a command, a program that ends may start again. */
bool	target_may_come_again(const struct target *t);
/* For again.begin(): what has connected is the program now; its session, or why not. */
void	target_take(struct target *t);
bool	target_start_again(struct target *t, struct session **s, int fd, struct buf *why);
/* again.begin() is called no more. */
void	target_tend_no_more(struct target *t);
/* The exit code in the end: that of the command, once it has ended, unless tnav failed. */
int	target_code(struct target *t, int code);
/* The name as a part of a file's name, and the time after it: live-app_20261122_103000. */
void	target_file_name(const struct target *t, struct buf *out);

#endif

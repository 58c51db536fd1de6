/*
 * What is to be traced: the options of record and attach as a choice of events, and the process.
 */
#ifndef APP_TARGET_H
#define APP_TARGET_H

#include "app/options.h"
#include "tnav/live/choice.h"
#include "tnav/live/process.h"
#include "tnav/live/session.h"

struct target {
	const struct options	*o;
	struct choice		*choice;
	struct process_list	 list;
	const struct process	*p;
	bool			 tty;		/* standard error is one */
};

void	target_init(struct target *t, const struct options *o);
void	target_release(struct target *t);
/* Each 0, or an exit code after a message. The profiles: those for who chooses nothing, with stacks
   or without. */
int	target_choose(struct target *t, const char *profiles, bool stacks);
int	target_find(struct target *t);
/*
 * Start a session that writes to fd; the user is asked first where it makes the program collect its
 * heap.
 */
int	target_ask(struct target *t);
int	target_start(struct target *t, struct session **s, int fd);
/* The name as a part of a file's name, and the time after it: live-app_20261122_103000. */
void	target_file_name(const struct target *t, struct buf *out);

#endif

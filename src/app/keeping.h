/*
 * attach --keep: how much of a session stays, while it is received and at its end.
 */
#ifndef APP_KEEPING_H
#define APP_KEEPING_H

#include <stdbool.h>
#include <stdint.h>

#include "app/options.h"
#include "tnav/engine/head.h"

struct keeping {
	struct trace_keep	 limit;		/* all zeros: everything is kept */
	char			 words[32];	/* of the limit: "1 GB" */
	bool			 whole;		/* nothing is let go: it is one of several */
};

/* Read --keep. 0, or EXIT_USAGE after a message. */
int	keeping_read(struct keeping *k, const struct options *o);
/* Are events let go beyond the limit? */
bool	keeping_lets_go(const struct keeping *k);
/* Can the file system of the new file give room back? If not, a message says that all is kept. */
void	keeping_test(struct keeping *k, int fd, const char *path);
/* Let go of what is beyond the limit; fd: the trace's file. Often, in one thread. */
void	keeping_look(const struct keeping *k, struct trace *t, int fd);
/* No folder can be written: unless --keep is given, less is kept, in memory. */
void	keeping_in_memory(struct keeping *k, const struct options *o);
/*
 * A session has left this trace in the folder of sessions: remove the oldest ones beyond some times
 * the limit, as far as they are on the list there and are as the list says; and add it to the list.
 */
void	keeping_add(const struct keeping *k, const char *path);
/* Were events let go? */
bool	keeping_has_let_go(struct trace *t);
/*
 * Write what is kept as a trace of its own, in place of the file of that name (which has a hole),
 * and give it other as another name, unless that is NULL. t: complete, as far as it was received.
 * Returns 0, or ERR_IO with errno: then the names are those of what they were. A signal ends it
 * like that, with EINTR.
 */
int	keeping_write(struct trace *t, const char *path, const char *other, uint64_t *bytes);

#endif

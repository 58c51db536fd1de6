/*
 * The file of a session that is viewed: what the program sends, named from the first byte on.
 *
 *	{state}/live/NAME_TIME_PID.nettrace, or memory
 *	a name of the user's, by :w -> the same file, or a copy of it on another disk at the end
 */
#ifndef APP_RECEIVED_H
#define APP_RECEIVED_H

#include "app/keeping.h"
#include "app/receive.h"

struct file_new;
struct target;
struct trace;

struct received {
	const struct options	*o;
	struct file_new		*file;		/* or NULL: */
	int			 memory;	/* no folder can be written: in memory; or -1 */
	struct buf		 path;		/* "memory" */
	struct keeping		 keep;
	uint64_t		 kept_bytes;	/* of the trace that replaced the file; or 0 */
	char			*kept;		/* name given by the user, or NULL */
	char			*copy;		/* on another file system: copied at the end */
	bool			 discarded;
};

struct received	received_none(const struct options *o, const struct keeping *keep);
/* Make it, for a session of the target; what: the end of its name. False: see why. */
bool	received_make(struct received *f, const struct target *t, const char *what,
	    struct buf *why);
int	received_fd(const struct received *f);	/* -1: there is none */
/* No session writes to it: remove it. */
void	received_drop(struct received *f);
/* Give it another name, too, at once or at the end. False: not yet, or not at all; see why. */
bool	received_name(struct received *f, const char *path, bool replace, struct buf *why);
/* The session has ended. If events were let go, replace the file, and what the user named, by a
   trace of the others. t: of the file, indexed; or NULL. */
void	received_replace(struct received *f, const struct receive *r, struct trace *t);
/* Report where the trace is kept: under the user's name, or its own. Otherwise delete it. */
int	received_end(struct received *f, const struct receive *r, struct session_state *st);
void	received_release(struct received *f);

#endif

/*
 * A session until its end: limits, signals, the one stop, silence after it, and what it comes to.
 *
 *	running --[signal, limit, an event]--> stopping --[end, silence, signal]--> over
 */
#ifndef APP_RECEIVE_H
#define APP_RECEIVE_H

#include "app/options.h"
#include "app/until.h"
#include "tnav/live/session.h"

struct opening;
struct trace;

struct receive {
	const struct options	*o;
	struct session		*session;
	int64_t			 duration_ns;	/* 0: no limit */
	uint64_t		 max_size;	/* 0: no limit */
	int64_t			 silence_ns;	/* that is too long after the stop */
	int64_t			 begun, stopped;	/* stopped 0: not yet */
	struct until		*until;		/* or NULL; who made it frees it */
	struct opening		*opening;	/* or NULL: what comes is not read */
	struct trace		*trace;		/* what it has opened, or NULL */
	unsigned		 taken;		/* signals that were acted upon */
	bool			 at_once, silent;	/* it was cut: asked for, or for that */
};

/* Read the limits. 0, or an exit code after a message. */
int	receive_limits(struct receive *r, const struct options *o);
/* Another one with the same limits. */
struct receive	receive_like(const struct receive *r);
void	receive_begin(struct receive *r, struct session *s);
/* Read the file that the session writes: for --until, and to tell how many events there are. */
void	receive_watch(struct receive *r, const char *path);
void	receive_watch_no_more(struct receive *r);	/* once the session has ended */
/* The first time stop in order, the next time at once. */
void	receive_stop(struct receive *r);
/* Stop where a limit is reached, give up where nothing comes; how it stands. */
void	receive_look(struct receive *r, struct session_state *st);
/* The signals that have come since: each asks for a stop. */
void	receive_signals(struct receive *r);
/* Wait for the end, with a line of progress; signals stop it. */
void	receive_all(struct receive *r, bool tty, struct session_state *st);
/* Say what it came to; name: where it went. The exit code. */
int	receive_tell(const struct receive *r, const struct session_state *st, const char *name);

#endif

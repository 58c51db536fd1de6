/*
 * Receiving a session until its end: limits, signals, the stop, silence after it, and the result.
 *
 *	running --[signal, limit, an event]--> stopping --[end, silence, signal]--> over
 */
#ifndef APP_RECEIVE_H
#define APP_RECEIVE_H

#include "app/options.h"
#include "app/until.h"
#include "tnav/live/session.h"

struct choice;
struct progress_line;
struct opening;
struct trace;

struct receive {
	const struct options	*o;
	struct session		*session;
	int64_t			 duration_ns;	/* 0: no limit */
	uint64_t		 max_size;	/* 0: no limit */
	int64_t			 silence_ns;	/* greatest silence after the stop */
	int64_t			 begun, stopped;	/* stopped: 0: not yet */
	struct until		*until;		/* or NULL; freed by its creator */
	bool			 keeps;		/* until is --when: nothing ends, but: */
	bool			 arrived;		/* ... an event of it */
	struct until_counter	*counter;	/* of --when, or NULL */
	struct opening		*opening;	/* or NULL: the data is not read */
	struct trace		*trace;		/* the opened trace, or NULL */
	struct choice		*choice;	/* or NULL: silent providers are not reported */
	uint64_t		 pid;		/* of the program; 0: unknown */
	const char		*host;		/* that it runs on; NULL: this one */
	int			 pipe;		/* the stream that is written, or -1; its reader's
						   end stops the session */
	bool			 until_eof;	/* so does the end of standard input */
	/* The caller's temporary file that is read in place of a stream, and emptied behind the
	   reader; or -1. */
	int			 copy;
	uint64_t		 emptied;	/* bytes of it */
	bool			 hinted;	/* what is missing was reported */
	unsigned		 taken;		/* signals that were handled */
	bool			 at_once, silent;	/* it was cut: by the user; for silence */
	bool			 frozen;	/* it was cut: its program is stopped */
	bool			 leaving;	/* do not wait for a stopped program */
	bool			 unreadable;	/* the stream is not one of a trace */
	bool			 warned;	/* of the silence */
};

/* Read the limits. Returns 0, or an exit code after a message. */
int	receive_limits(struct receive *r, const struct options *o);
/* Another session with the same limits. */
struct receive	receive_like(const struct receive *r);
void	receive_begin(struct receive *r, struct session *s);
/* Read the file that the session writes: for --until, and to count its events. fd is open for
   reading, and stays the caller's. */
void	receive_watch(struct receive *r, const char *path, int fd);
void	receive_watch_no_more(struct receive *r);	/* after the session has ended */
/* The first call stops in order, the second one at once. */
void	receive_stop(struct receive *r);
/* Stop if a limit is reached, give up if nothing arrives; get the state. */
void	receive_look(struct receive *r, struct session_state *st);
/* Handle the signals that have arrived: each one calls receive_stop(). */
void	receive_signals(struct receive *r);
/* What the user is told while it runs: a line of progress, and what is missing. */
void	receive_report(struct receive *r, struct progress_line *p, bool tty,
	    const struct session_state *st);
/* The session has ended: read what has not been read. */
void	receive_finish(struct receive *r);
/* Wait for the end, with a line of progress. Signals stop the session. */
void	receive_all(struct receive *r, bool tty, struct session_state *st);
/* After that: has an event of --when arrived among the last ones? */
bool	receive_arrived(struct receive *r);
/* Wait until all that was received is read; text: for the line of progress. A signal ends that:
   then false. */
bool	receive_await_index(const struct receive *r, struct trace *t, const char *text);
/* Report the result; name: the file. Returns the exit code. */
int	receive_tell(const struct receive *r, const struct session_state *st, const char *name);

#endif

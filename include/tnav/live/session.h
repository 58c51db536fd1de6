/*
 * A session of events: started in a running program, received, stopped once.
 *
 *	runtime -> socket -> reader -> [chunks, at most 64 MiB] -> writer -> file or pipe
 *	stop    -> a connection of its own; the stream ends, then it is answered
 *
 * The reader reads in every state: while a stop is pending, while the disk is slow or full. Data
 * that can no longer be written is read and dropped; the caller sees write_error and stops the
 * session. The file is the stream, byte for byte, up to the last byte that arrived.
 *
 * Specification: "the diagnostics protocol of .NET", sections 4 to 7.
 */
#ifndef TNAV_LIVE_SESSION_H
#define TNAV_LIVE_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/io/feed.h"
#include "tnav/live/message.h"

struct port;
struct session;

enum session_phase {
	SESSION_RUNNING,
	SESSION_STOPPING,	/* the stop is sent: what is left and the rundown come in */
	SESSION_ENDED,		/* the stream is over, and all of it is written */
};

struct session_state {
	enum session_phase phase;
	uint64_t	 received, written;	/* bytes */
	int64_t		 last_ns;		/* when bytes came last, as job_now_ns() */
	bool		 whole;			/* ENDED: with its end mark */
	int		 read_error;		/* errno of what cut the stream, or 0 */
	int		 write_error;		/* errno of what could not be written, or 0 */
};

/* A program: by its socket, or by a port that it has connected to, which outlives the session. */
struct session_peer {
	const char	*socket;	/* or NULL: */
	struct port	*port;
	uint8_t		 cookie[16];
};

/*
 * Start one in the program and write its stream to fd, which stays the caller's.
 * Requests that an older runtime doesn't know are followed by lesser ones; each wish that is lost
 * is a line in notes. 0, or an error and why says it in one line: ERR_USAGE for what can't be asked
 * for, ERR_UNSUPPORTED for what the program refuses, ERR_IO for a socket that can't be used.
 */
int	session_start(struct session **s, const struct session_peer *peer,
	    const struct collect *c, int fd, int64_t wait_ns, struct buf *notes, struct buf *why);
/* Wait until the phase changes or the time is over; fills state. */
void	session_wait(struct session *s, int64_t wait_ns, struct session_state *state);
/* The same at once. */
void	session_look(struct session *s, struct session_state *state);
/* What brings a trace whose file is the one that the session writes. The session outlives it. */
struct feed session_feed(struct session *s);
/* Ask for the end: once, whatever is called how often, and never after the stream has ended. */
void	session_stop(struct session *s);
/* Read no more: close the connection. The phase becomes SESSION_ENDED. */
void	session_cut(struct session *s);
/* Cuts, waits for the threads, frees. NULL is fine. */
void	session_free(struct session *s);

#endif

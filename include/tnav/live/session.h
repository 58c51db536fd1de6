/*
 * A session of events: started in a running program, received, stopped once.
 *
 *	runtime -> socket -> reader -> [chunks, at most 64 MiB] -> writer -> file, or pipe and copy
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

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/io/feed.h"
#include "tnav/live/message.h"

struct port;
struct session;

enum session_phase {
	SESSION_RUNNING,
	SESSION_STOPPING,	/* the stop is sent: the remaining events and the rundown arrive */
	SESSION_ENDED,		/* the stream has ended, and all of it is written */
};

struct session_state {
	enum session_phase phase;
	uint64_t	 received, written;	/* bytes */
	int64_t		 last_ns;		/* when the last bytes arrived, or now while the
						   disk is behind; as job_now_ns() */
	bool		 whole;			/* ENDED: a trace with an end mark */
	bool		 foreign;		/* ENDED: its first bytes are no trace's */
	int		 read_error;		/* errno that ended the stream, or 0 */
	int		 write_error;		/* errno of a failed write, or 0 */
	int		 copy_error;		/* the same of the copy, which ends with it */
};

/* A program: its socket, or a port that it has connected to. The port must outlive the session. */
struct session_peer {
	const char	*socket;	/* or NULL: */
	struct port	*port;
	uint8_t		 cookie[16];
};

/*
 * Start a session in the program and write its stream to fd, which the caller closes; and, unless
 * it is -1, to copy: a file for its feed where fd cannot be read. If the runtime does not know a
 * request, an older one follows; each option that this loses is a line in notes. Returns 0, or an
 * error with the reason in why as one line: ERR_USAGE for what cannot be requested, ERR_UNSUPPORTED
 * for what the program refuses, ERR_IO for a socket error, or if *cancel (may be NULL) became true.
 */
int	session_start(struct session **s, const struct session_peer *peer,
	    const struct collect *c, int fd, int copy, int64_t wait_ns, const atomic_bool *cancel,
	    struct buf *notes, struct buf *why);
/*
 * The same for a stream that something else has started, and that arrives on a connected socket,
 * which is the session's from now on. A stop ends what is sent over it. ERR_NOMEM: no thread.
 */
int	session_receive(struct session **s, int stream, int fd, int copy, struct buf *why);
/* Wait until the phase changes or the time is over; fill state. */
void	session_wait(struct session *s, int64_t wait_ns, struct session_state *state);
/* The same without waiting. */
void	session_look(struct session *s, struct session_state *state);
/* The feed of a trace whose file, or copy, the session writes. The session must outlive it. */
struct feed session_feed(struct session *s);
/* Request the end. It is sent only once, and not after the stream has ended. */
void	session_stop(struct session *s);
/* Is its program stopped, by a signal or a debugger, so that it cannot obey a stop? */
bool	session_is_frozen(const struct session *s);
/* Close the connection without reading on. The phase becomes SESSION_ENDED. */
void	session_cut(struct session *s);
/* Close the connection, wait for the threads, free. NULL is fine. */
void	session_free(struct session *s);

#endif

/*
 * Connections to sockets of other programs: one request, one answer, each within a time; and
 * sockets that they connect to. This is the only module that opens sockets.
 *
 *	connect -> request (one write) -> head of the answer -> its rest -> the end
 *
 * A runtime serves one connection at a time, and waits for its request without a limit. So a
 * connection is made only when the request is ready.
 */
#ifndef LIVE_PEER_H
#define LIVE_PEER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"

enum exchange_end {
	EXCHANGE_ANSWERED,	/* answer has the whole answer */
	EXCHANGE_STALE,		/* nobody listens: the program has ended */
	EXCHANGE_DENIED,	/* belongs to another user */
	EXCHANGE_GONE,		/* the file does not exist any more */
	EXCHANGE_SILENT,	/* no answer within the time */
	EXCHANGE_CLOSED,	/* the peer closed the connection before it answered */
	EXCHANGE_GARBLED,	/* the received bytes are not an answer */
	EXCHANGE_FAILED,	/* a system call failed: error is its errno */
};

/* The caller sets path, request and keep, and fd if it is connected already. The rest is the
   result. */
struct exchange {
	const char	*path;
	struct buf	 request;	/* made by tnav/live/message.h */
	bool		 keep;		/* keep the connection open after the answer, in fd */
	enum exchange_end end;
	int		 error;
	struct buf	 answer;
	int		 fd;		/* -1; with keep, after an answer: the caller's */
	bool		 done;
	/* Private: */
	size_t		 sent;
};

void	exchange_init(struct exchange *x, const char *path);
void	exchange_release(struct exchange *x);	/* closes fd */
/*
 * Run all of them at the same time, each until it ends or the time is over. until_ns is as
 * job_now_ns(). The time is also over soon after *cancel (may be NULL) becomes true.
 */
void	exchange_run(struct exchange *x, size_t n, int64_t until_ns, const atomic_bool *cancel);
/* The same in steps: begin, then go on when poll() reports the events, until it is done. Neither
   waits. */
void	exchange_begin(struct exchange *x);
short	exchange_events(const struct exchange *x);
void	exchange_go_on(struct exchange *x);
/* Create a socket at the path, for this user only: a descriptor, or -1 with the reason in why. */
int	peer_listen(const char *path, struct buf *why);
/* The next connection to it, or -1. Does not wait. */
int	peer_accept(int fd);
/* Append why there is no answer, or the meaning of an error code: "it does not ...". */
void	exchange_why(const struct exchange *x, struct buf *why);
void	answer_why(uint32_t error, struct buf *why);

/* Is the process at the other end stopped, by a signal or a debugger? */
bool	peer_is_stopped(int fd);
/* Read bytes of a stream: their number; 0 at the end; -1 with errno. Waits. */
long	peer_read(int fd, void *p, size_t len);

#endif

/*
 * Connections to sockets of other programs: one request, one answer, each within a time; and
 * sockets that they connect to. This is the only module that opens sockets.
 *
 *	connect -> request (one write) -> head of the answer -> its rest -> the end
 *
 * A runtime serves one connection at a time and waits for the request without a limit: nothing
 * connects before its request is ready.
 */
#ifndef LIVE_PEER_H
#define LIVE_PEER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"

enum exchange_end {
	EXCHANGE_ANSWERED,	/* answer holds all bytes of one */
	EXCHANGE_STALE,		/* nothing listens there: the file of a program that has ended */
	EXCHANGE_DENIED,	/* another user's */
	EXCHANGE_GONE,		/* there is no such file any more */
	EXCHANGE_SILENT,	/* no answer within the time */
	EXCHANGE_CLOSED,	/* the peer closed before it had answered */
	EXCHANGE_GARBLED,	/* what came is no answer */
	EXCHANGE_FAILED,	/* the machine said no: error is its errno */
};

/* The caller sets path, request and keep, and fd where there is a connection already; the rest is
   the result. */
struct exchange {
	const char	*path;
	struct buf	 request;	/* made by tnav/live/message.h */
	bool		 keep;		/* the connection goes on after the answer: fd */
	enum exchange_end end;
	int		 error;
	struct buf	 answer;
	int		 fd;		/* -1, or with keep the caller's from an answer on */
	/* Private: */
	size_t		 sent;
	bool		 done;
};

void	exchange_init(struct exchange *x, const char *path);
void	exchange_release(struct exchange *x);	/* closes fd */
/*
 * All of them at the same time, each until it ends or the time is over; ns as job_now_ns(). Soon
 * after *cancel (may be NULL) the time is over.
 */
void	exchange_run(struct exchange *x, size_t n, int64_t until_ns, const atomic_bool *cancel);
/* A socket of ours at the path, for this user alone: a descriptor, or -1 and why says it. */
int	peer_listen(const char *path, struct buf *why);
/* Who has connected to it, or -1. Doesn't wait. */
int	peer_accept(int fd);
/* Append why there is no answer, or what an error of its program means: "it does not ...". */
void	exchange_why(const struct exchange *x, struct buf *why);
void	answer_why(uint32_t error, struct buf *why);

/* Bytes of a stream: their number, 0 at its end, -1 with errno. Waits. */
long	peer_read(int fd, void *p, size_t len);

#endif

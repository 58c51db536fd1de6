/*
 * A session: a thread that reads, one that writes, one that stops.
 *
 *	reader	peer_read() -> chunk -> queue	until the stream is over
 *	writer	queue -> file_write(copy), file_write(out)
 *	stopper	session_stop() -> exchange_run(stop), or the end of what is sent; at most one
 *
 * All three are started with the session, so a stop does not fail for want of a thread.
 *
 * Invariant: the written bytes are a prefix of the stream. `queued` is the size of the chunks
 * between reader and writer. The reader waits while it is at its limit, but not after a write has
 * failed.
 */
#include "tnav/live/session.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "live/peer.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/io/file.h"
#include "tnav/live/port.h"

#define CHUNK		((size_t)256 << 10)
#define QUEUE_MOST	((size_t)64 << 20)
#define STOP_WAIT_NS	(INT64_C(3600) * 1000000000)	/* the stream ends earlier */
#define MAGIC		"Nettrace"		/* the stream begins with it */
#define MAGIC_BYTES	8u
#define TAG_END_OBJECT	6
#define TAG_NULL	1		/* instead of another object: the end mark */

struct queued_chunk {
	struct queued_chunk	*next;
	size_t			 len;
	uint8_t			 bytes[];
};

struct session {
	struct feed_state feed;			/* written under the lock: publish() */
	struct lock	*lock;
	struct job	*reader, *writer, *stopper;
	char		*socket;
	struct port	*port;			/* or NULL: use the socket */
	bool		 begun;			/* by something else: see session_receive() */
	uint8_t		 cookie[16];
	uint64_t	 id;
	int		 in, out, copy;		/* copy: -1: there is none */
	/* Protected by the lock: */
	struct queued_chunk	*first, *newest;	/* NULL: the queue is empty */
	size_t			 queued;
	bool			 over;		/* the reader has ended */
	bool			 cut;		/* it must end */
	bool			 unfed;		/* the feed is not needed any more */
	struct session_state state;
	uint8_t		 head[MAGIC_BYTES], tail[2];	/* first and last bytes of the stream */
	atomic_bool	 drop_stop;		/* do not wait for its answer */
	/* Protected by a lock of its own, so that data does not wake the stopper: */
	struct lock	*stop_lock;
	enum stop { STOP_OPEN, STOP_SEND, STOP_NEVER } stop;
};

/* Send a stop, or none; only the first call counts. */
static void
decide_stop(struct session *s, enum stop stop)
{
	lock_take(s->stop_lock);
	if (s->stop == STOP_OPEN)
		s->stop = stop;
	lock_wake(s->stop_lock);
	lock_drop(s->stop_lock);
}

/* ---- the stream */

/* The lock is held. Nothing is read now, as what was read is not written yet. */
static bool
is_behind(const struct session *s)
{
	return s->queued >= QUEUE_MOST && !s->cut;
}

/* Before the bytes count as received. */
static void
keep_ends(struct session *s, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n && s->state.received + i < MAGIC_BYTES; i++)
		s->head[s->state.received + i] = p[i];
	if (n == 1) {
		s->tail[0] = s->tail[1];
		s->tail[1] = p[0];
	} else if (n > 1) {
		memcpy(s->tail, p + n - 2, 2);
	}
}

/* The lock is held. Append to the queue: to the last chunk while it has room. */
static void
queue(struct session *s, const uint8_t *p, size_t n)
{
	struct queued_chunk	*c = s->newest;
	size_t			 fits = c != NULL ? CHUNK - c->len : 0;

	if (fits > n)
		fits = n;
	if (fits > 0) {
		memcpy(c->bytes + c->len, p, fits);
		c->len += fits;
	}
	if (fits < n) {
		c = mem_alloc(sizeof *c + CHUNK);
		c->len = n - fits;
		c->next = NULL;
		memcpy(c->bytes, p + fits, c->len);
		if (s->newest != NULL)
			s->newest->next = c;
		else
			s->first = c;
		s->newest = c;
	}
	s->queued += n;
}

static void
read_stream(void *arg)
{
	struct session	*s = arg;
	uint8_t		*bytes = mem_alloc(CHUNK);
	bool		 go = true;

	while (go) {
		long	n = peer_read(s->in, bytes, CHUNK);

		lock_take(s->lock);
		go = n > 0;
		if (go) {
			keep_ends(s, bytes, (size_t)n);
			s->state.received += (uint64_t)n;
			s->state.last_ns = job_now_ns();
			queue(s, bytes, (size_t)n);
		} else if (n < 0 && !s->cut) {
			s->state.read_error = errno;
		}
		while (is_behind(s))
			lock_wait(s->lock);
		s->over = !go;
		lock_wake(s->lock);
		lock_drop(s->lock);
	}
	decide_stop(s, STOP_NEVER);
	atomic_store(&s->drop_stop, true);
	mem_free(bytes);
}

static struct queued_chunk *
next_chunk(struct session *s)
{
	struct queued_chunk	*c;

	lock_take(s->lock);
	while (s->first == NULL && !s->over)
		lock_wait(s->lock);
	c = s->first;
	if (c != NULL) {
		s->first = c->next;
		if (s->first == NULL)
			s->newest = NULL;
	}
	lock_drop(s->lock);
	return c;
}

/* The lock is held. Tell the feed's readers what is written. */
static void
publish(struct session *s)
{
	const struct session_state	*st = &s->state;

	if (st->write_error != 0 || st->copy_error != 0)
		atomic_store(&s->feed.error, "the received data could no longer be written");
	else if (st->read_error != 0)
		atomic_store(&s->feed.error, "the connection to the program was lost");
	if (st->copy_error == 0)
		atomic_store(&s->feed.size, st->written);
	atomic_store(&s->feed.done, st->phase == SESSION_ENDED || st->copy_error != 0);
}

static void
write_stream(void *arg)
{
	struct session	*s = arg;
	int		 error = 0, copy_error = 0;

	for (struct queued_chunk *c = next_chunk(s); c != NULL; c = next_chunk(s)) {
		uint64_t	done = 0;

		if (s->copy >= 0 && copy_error == 0 &&
		    file_write(s->copy, c->bytes, c->len, NULL) != 0)
			copy_error = errno;
		if (error == 0 && file_write(s->out, c->bytes, c->len, &done) != 0)
			error = errno;
		lock_take(s->lock);
		if (is_behind(s))	/* its silence can begin now */
			s->state.last_ns = job_now_ns();
		s->queued -= c->len;
		s->state.written += done;
		s->state.write_error = error;
		s->state.copy_error = copy_error;
		publish(s);
		lock_wake(s->lock);
		lock_drop(s->lock);
		mem_free(c);
	}
	lock_take(s->lock);
	s->state.phase = SESSION_ENDED;
	s->state.whole = memcmp(s->head, MAGIC, MAGIC_BYTES) == 0 &&
	    s->tail[0] == TAG_END_OBJECT && s->tail[1] == TAG_NULL &&
	    s->state.read_error == 0 && !s->cut;
	s->state.foreign = s->state.received >= MAGIC_BYTES &&
	    memcmp(s->head, MAGIC, MAGIC_BYTES) != 0;
	publish(s);
	lock_wake(s->lock);
	lock_drop(s->lock);
}

/* ---- the start */

/* Run an exchange over a new connection: to the socket, or one that the program has made. */
static void
run(struct session *s, struct exchange *x, int64_t until, const atomic_bool *cancel)
{
	if (s->port != NULL) {
		x->fd = port_take(s->port, s->cookie, until, cancel);
		if (x->fd < 0) {
			x->end = EXCHANGE_SILENT;
			return;
		}
	}
	exchange_run(x, 1, until, cancel);
}

/* Send one request. Returns 1: the program does not know it. */
static int
try_collect(struct session *s, const struct collect *c, enum request r, int64_t until,
    const atomic_bool *cancel, struct buf *why)
{
	struct exchange	x;
	struct answer	a;
	int		rc;

	exchange_init(&x, s->socket);
	x.keep = true;
	rc = collect_encode(&x.request, c, r);
	if (rc != 0) {
		buf_puts(why, rc == ERR_LIMIT ? "the request is too long for a message" :
		    "no provider is chosen, or one has an invalid name or level");
		exchange_release(&x);
		return ERR_USAGE;
	}
	run(s, &x, until, cancel);
	rc = ERR_IO;
	if (x.end != EXCHANGE_ANSWERED) {
		exchange_why(&x, why);
	} else if (answer_decode(span_of_buf(&x.answer), &a) != 0 || (a.kind == ANSWER_OK &&
	    session_decode(a.payload, &s->id) != 0)) {
		buf_puts(why, "its answer is not that of a .NET runtime");
	} else if (a.kind == ANSWER_ERROR) {
		rc = a.error == ANSWER_UNKNOWN_COMMAND ? 1 : ERR_UNSUPPORTED;
		if (rc != 1) {
			buf_puts(why, "the program refuses the session: ");
			answer_why(a.error, why);
		}
	} else {
		s->in = x.fd;
		x.fd = -1;
		rc = 0;
	}
	exchange_release(&x);
	return rc;
}

static int
collect(struct session *s, const struct collect *c, int64_t until, const atomic_bool *cancel,
    struct buf *notes, struct buf *why)
{
	enum request	 r = collect_request(c);
	const char	*without = NULL;
	int		 rc = try_collect(s, c, r, until, cancel, why);

	while (rc == 1) {
		r = collect_fall_back(c, r, &without);
		if (r == 0) {
			buf_puts(why, c->block ? "its runtime cannot block (that needs .NET 11), "
			    "so a full buffer drops events" :
			    "its runtime does not support event sessions");
			return ERR_UNSUPPORTED;
		}
		if (without != NULL)
			buf_printf(notes, "its runtime %s\n", without);
		rc = try_collect(s, c, r, until, cancel, why);
	}
	return rc;
}

/* ---- the stop */

/* Is a stop to be sent? Waits until that is decided. */
static bool
await_stop(struct session *s)
{
	bool	send;

	lock_take(s->stop_lock);
	while (s->stop == STOP_OPEN)
		lock_wait(s->stop_lock);
	send = s->stop == STOP_SEND;
	lock_drop(s->stop_lock);
	return send;
}

static void
stop_stream(void *arg)
{
	struct session	*s = arg;
	struct exchange	 x;

	if (!await_stop(s))
		return;
	if (s->begun) {
		(void)shutdown(s->in, SHUT_WR);
		return;
	}
	exchange_init(&x, s->socket);
	stop_encode(&x.request, s->id);
	run(s, &x, job_now_ns() + STOP_WAIT_NS, &s->drop_stop);
	exchange_release(&x);
}

static bool
start_threads(struct session *s)
{
	s->writer = job_start(write_stream, s);
	s->stopper = s->writer != NULL ? job_start(stop_stream, s) : NULL;
	s->reader = s->stopper != NULL ? job_start(read_stream, s) : NULL;
	if (s->reader != NULL)
		return true;
	lock_take(s->lock);
	s->over = true;
	lock_wake(s->lock);
	lock_drop(s->lock);
	return false;
}

static struct session *
session_new(int fd, int copy)
{
	struct session	*s = mem_zalloc(1, sizeof *s);

	s->lock = lock_new(LOCK_FEED);
	s->stop_lock = lock_new(LOCK_FEED);
	s->in = -1;
	s->out = fd;
	s->copy = copy;
	s->state.last_ns = job_now_ns();
	return s;
}

/* Its stream is begun, unless rc says otherwise. */
static int
begin(struct session *s, struct session **out, int rc, struct buf *why)
{
	*out = NULL;
	if (rc == 0 && !start_threads(s)) {
		buf_puts(why, "no thread can be started");
		rc = ERR_NOMEM;
	}
	if (rc != 0) {
		session_free(s);
		return rc;
	}
	*out = s;
	return 0;
}

int
session_start(struct session **out, const struct session_peer *peer, const struct collect *c,
    int fd, int copy, int64_t wait_ns, const atomic_bool *cancel, struct buf *notes,
    struct buf *why)
{
	struct session	*s = session_new(fd, copy);

	s->socket = mem_strdup(peer->socket != NULL ? peer->socket : "");
	s->port = peer->socket != NULL ? NULL : peer->port;
	memcpy(s->cookie, peer->cookie, sizeof s->cookie);
	return begin(s, out, collect(s, c, job_now_ns() + wait_ns, cancel, notes, why), why);
}

int
session_receive(struct session **out, int stream, int fd, int copy, struct buf *why)
{
	struct session	*s = session_new(fd, copy);

	s->begun = true;
	s->in = stream;
	return begin(s, out, 0, why);
}

/* ---- the end */

void
session_stop(struct session *s)
{
	lock_take(s->lock);
	if (!s->over && !s->cut && s->state.phase == SESSION_RUNNING)
		s->state.phase = SESSION_STOPPING;
	lock_drop(s->lock);
	decide_stop(s, STOP_SEND);
}

void
session_cut(struct session *s)
{
	decide_stop(s, STOP_NEVER);
	atomic_store(&s->drop_stop, true);
	lock_take(s->lock);
	s->cut = true;
	if (s->in >= 0)
		(void)shutdown(s->in, SHUT_RDWR);
	lock_wake(s->lock);
	lock_drop(s->lock);
}

bool
session_is_frozen(const struct session *s)
{
	return peer_is_stopped(s->in);
}

/* The lock is held. What is not read is not the program's silence. */
static void
take_state(const struct session *s, struct session_state *state)
{
	*state = s->state;
	if (is_behind(s))
		state->last_ns = job_now_ns();
}

void
session_look(struct session *s, struct session_state *state)
{
	lock_take(s->lock);
	take_state(s, state);
	lock_drop(s->lock);
}

void
session_wait(struct session *s, int64_t wait_ns, struct session_state *state)
{
	int64_t			until = job_now_ns() + wait_ns;
	enum session_phase	before;

	lock_take(s->lock);
	before = s->state.phase;
	while (s->state.phase == before && s->state.phase != SESSION_ENDED &&
	    lock_wait_until(s->lock, until))
		;
	take_state(s, state);
	lock_drop(s->lock);
}

/* ---- as a feed */

static void
feed_wait(void *feed, uint64_t n, int64_t until)
{
	struct session	*s = feed;

	lock_take(s->lock);
	while (atomic_load(&s->feed.size) <= n && !atomic_load(&s->feed.done) && !s->unfed &&
	    lock_wait_until(s->lock, until))
		;
	lock_drop(s->lock);
}

static void
feed_stop(void *feed)
{
	struct session	*s = feed;

	lock_take(s->lock);
	s->unfed = true;
	lock_wake(s->lock);
	lock_drop(s->lock);
}

/* The session is not freed: its owner does that. */
static void
feed_free(void *feed)
{
	feed_stop(feed);
}

struct feed
session_feed(struct session *s)
{
	static const struct feed_ops	ops = {
		.wait = feed_wait, .stop = feed_stop, .free = feed_free,
	};

	return (struct feed){ &ops, &s->feed };
}

void
session_free(struct session *s)
{
	if (s == NULL)
		return;
	session_cut(s);
	job_join(s->reader);
	job_join(s->writer);
	job_join(s->stopper);
	if (s->in >= 0)
		close(s->in);
	lock_free(s->stop_lock);
	lock_free(s->lock);
	mem_free(s->socket);
	mem_free(s);
}

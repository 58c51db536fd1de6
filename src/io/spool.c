/*
 * The spool: a thread that reads, decompresses if the first bytes are those of zstd or gzip, and
 * appends to an unlinked file.
 *
 *	pipe or file --read--> in[] --[zstd | gzip]--> out[] --write--> temporary file
 *
 * Invariant: bytes below feed.size are in the file and never change.
 */
#include "io/spool.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "tnav/base/bell.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/io/file.h"

#define CHUNK	(256u << 10)

struct spool {
	struct feed_state	 feed;
	int			 in, out;
	struct bell		*bell;		/* rings: stop */
	struct lock		*lock;
	struct job		*job;
	_Atomic bool		 stop;
	/* Used by the thread only; taken by others once it is done. */
	uint64_t		 taken;		/* bytes read */
	uint8_t			*buf, *plain;	/* CHUNK each */
	size_t			 len;		/* in buf */
};

enum spool_kind
spool_kind_of(struct span head)
{
	if (head.len >= 2 && head.p[0] == 0x1f && head.p[1] == 0x8b)
		return SPOOL_GZIP;
	if (head.len >= 4 && (load_u32le(head.p) == 0xfd2fb528u ||
	    (load_u32le(head.p) & ~0xfu) == 0x184d2a50u))	/* a skippable frame */
		return SPOOL_ZSTD;
	return SPOOL_PLAIN;
}

static int
fail(struct spool *s, const char *why)
{
	atomic_store(&s->feed.error, why);
	return ERR_IO;
}

/* Append to the file, then publish the new size. */
static int
put(struct spool *s, const uint8_t *p, size_t len)
{
	while (len > 0) {
		ssize_t	n = write(s->out, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail(s, errno == ENOSPC ?
			    "no space is left for the input: set TMPDIR to a larger folder" :
			    "the spooled input could not be written");
		p += n;
		len -= (size_t)n;
		lock_take(s->lock);
		atomic_fetch_add(&s->feed.size, (uint64_t)n);
		lock_wake(s->lock);
		lock_drop(s->lock);
	}
	return ERR_OK;
}

/* Append decompressed bytes: beyond LIMIT_BOMB_FREE at most LIMIT_BOMB_RATIO times the input. */
static int
put_plain(struct spool *s, size_t len)
{
	uint64_t	size = atomic_load(&s->feed.size) + len;

	if (size > LIMIT_BOMB_FREE && size / LIMIT_BOMB_RATIO > s->taken)
		return fail(s, "the compressed input expands to an implausible size: the rest is "
		    "ignored");
	return put(s, s->plain, len);
}

/* Read more input into buf. 1: some, 0: the end, negative: a stop or an error. */
static int
fill(struct spool *s)
{
	struct pollfd	fds[2] = { { .fd = s->in, .events = POLLIN },
			    { .fd = bell_fd(s->bell), .events = POLLIN } };
	ssize_t		n;

	for (;;) {
		if (atomic_load(&s->stop))
			return ERR_CANCELED;
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return fail(s, "the input could not be read");
		if (fds[1].revents != 0)
			return ERR_CANCELED;
		n = read(s->in, s->buf + s->len, CHUNK - s->len);
		if (n >= 0)
			break;
		if (errno != EINTR && errno != EAGAIN)
			return fail(s, "the input could not be read");
	}
	s->len += (size_t)n;
	s->taken += (uint64_t)n;
	return n > 0;
}

static int
feed_plain(struct spool *s)
{
	int	r;

	do {
		r = put(s, s->buf, s->len);
		s->len = 0;
		if (r == ERR_OK)
			r = fill(s);
	} while (r > 0);
	return r;
}

/* Report an error of zstd by its code: most mean damage, but not all. */
static int
fail_zstd(struct spool *s, size_t result)
{
	switch (ZSTD_getErrorCode(result)) {
	case ZSTD_error_memory_allocation:
		mem_exhausted();
	case ZSTD_error_frameParameter_windowTooLarge:
		return fail(s, "the compressed input (zstd --long) needs more memory than tnav "
		    "allows: decompress it first");
	case ZSTD_error_frameParameter_unsupported:
	case ZSTD_error_version_unsupported:
		return fail(s, "the compressed input uses a zstd feature that tnav does not "
		    "support: decompress it first");
	case ZSTD_error_dictionary_wrong:
		return fail(s, "the compressed input (zstd) needs the dictionary with which it was "
		    "compressed: decompress it first");
	default:
		return fail(s, "the compressed input (zstd) is damaged");
	}
}

static int
feed_zstd(struct spool *s)
{
	ZSTD_DStream	*z = ZSTD_createDStream();
	size_t		 left = 1;
	int		 r = 1;

	if (z == NULL)
		mem_exhausted();

	while (r > 0) {
		ZSTD_inBuffer	in = { s->buf, s->len, 0 };

		while (r > 0 && in.pos < in.size) {
			ZSTD_outBuffer	out = { s->plain, CHUNK, 0 };

			left = ZSTD_decompressStream(z, &out, &in);
			if (ZSTD_isError(left)) {
				r = fail_zstd(s, left);
				break;
			}
			if (put_plain(s, out.pos) < 0)
				r = ERR_IO;
		}
		s->len = 0;
		if (r > 0)
			r = fill(s);
	}
	if (r == 0 && left != 0)
		r = fail(s, "the compressed input (zstd) is cut short");
	ZSTD_freeDStream(z);
	return r;
}

/* Inflate all bytes in buf. 1: go on, 0: a member ended with them, negative: an error. */
static int
inflate_some(struct spool *s, z_stream *z)
{
	int	r = Z_OK;

	z->next_in = s->buf;
	z->avail_in = (uInt)s->len;
	do {
		z->next_out = s->plain;
		z->avail_out = CHUNK;
		r = inflate(z, Z_NO_FLUSH);
		if (put_plain(s, CHUNK - z->avail_out) < 0)
			return ERR_IO;
		if (r == Z_MEM_ERROR)
			mem_exhausted();
		if (r != Z_OK && r != Z_STREAM_END && r != Z_BUF_ERROR)
			return fail(s, "the compressed input (gzip) is damaged");
		if (r == Z_STREAM_END && z->avail_in > 0)
			inflateReset(z);	/* another member follows */
	} while (z->avail_in > 0 || z->avail_out == 0);
	return r != Z_STREAM_END;
}

static int
feed_gzip(struct spool *s)
{
	z_stream	z = { 0 };
	bool		ended = false;
	int		r;

	if (inflateInit2(&z, 15 + 16) != Z_OK)
		mem_exhausted();
	do {
		if (ended)
			inflateReset(&z);
		r = inflate_some(s, &z);
		ended = r == 0;
		s->len = 0;
		if (r >= 0)
			r = fill(s);
	} while (r > 0);
	if (r == 0 && !ended)
		r = fail(s, "the compressed input (gzip) is cut short");
	inflateEnd(&z);
	return r;
}

static void
spool_run(void *arg)
{
	struct spool	*s = arg;
	int		 r = 1;

	while (r > 0 && s->len < 4)
		r = fill(s);
	if (r >= 0) {
		switch (spool_kind_of((struct span){ s->buf, s->len })) {
		case SPOOL_PLAIN:
			feed_plain(s);
			break;
		case SPOOL_GZIP:
			feed_gzip(s);
			break;
		case SPOOL_ZSTD:
			feed_zstd(s);
			break;
		}
	}
	lock_take(s->lock);
	atomic_store(&s->feed.done, true);
	lock_wake(s->lock);
	lock_drop(s->lock);
}

static void
spool_stop(void *feed)
{
	struct spool	*s = feed;

	atomic_store(&s->stop, true);
	if (s->bell != NULL)
		bell_ring(s->bell);
	lock_take(s->lock);
	lock_wake(s->lock);
	lock_drop(s->lock);
}

static void
spool_free(void *feed)
{
	struct spool	*s = feed;

	spool_stop(s);
	job_join(s->job);
	close(s->in);
	bell_free(s->bell);
	mem_free(s->buf);
	mem_free(s->plain);
	lock_free(s->lock);
	mem_free(s);
}

struct feed_state *
spool_start(int in, int *out_fd, struct buf *why)
{
	struct spool	*s = mem_zalloc(1, sizeof *s);

	s->in = in;
	s->out = file_temporary(why);
	if (s->out >= 0) {
		s->bell = bell_new();
		if (s->bell == NULL)
			buf_printf(why, "must be spooled: %s", strerror(errno));
	}
	s->lock = lock_new(LOCK_FEED);
	s->buf = mem_alloc(CHUNK);
	s->plain = mem_alloc(CHUNK);
	if (s->bell == NULL) {
		if (s->out >= 0)
			close(s->out);
		spool_free(s);
		return NULL;
	}
	*out_fd = s->out;
	s->job = job_start(spool_run, s);
	if (s->job == NULL)
		spool_run(s);
	return &s->feed;
}

uint64_t
spool_taken(const struct feed_state *spool)
{
	return ((const struct spool *)spool)->taken;
}

static void
spool_wait(void *feed, uint64_t n, int64_t until)
{
	struct spool	*s = feed;
	bool		 more = true;

	lock_take(s->lock);
	while (more && atomic_load(&s->feed.size) <= n && !atomic_load(&s->feed.done) &&
	    !atomic_load(&s->stop))
		more = lock_wait_until(s->lock, until);
	lock_drop(s->lock);
}

const struct feed_ops	spool_feed = {
	.wait = spool_wait, .stop = spool_stop, .free = spool_free,
};

/*
 * A file as it was when it was read: its ends, its times, and a sample of its bytes.
 *
 *	file	| head |   ..    |   ..    |   ..    |   ..     | tail |	what was added later
 *		[piece]   stride [piece]   stride [piece]    [rest]  size
 *
 * The ends are compared at each look. The pieces are compared only if the file was written since,
 * and did not grow. A file of up to SEEN_PIECES pieces is covered by them. When it outgrows that,
 * every second piece is dropped.
 *
 * Invariants: n is 0 or both ends were read whole. Piece i begins at i * stride, and ends below
 * size.
 */
#include "io/seen.h"

#include <string.h>
#include <unistd.h>

#include "tnav/base/hash.h"

#define STEP	4096u

static void
take_times(struct seen *s, const struct stat *st)
{
	s->mtime = st->st_mtim;
	s->ctime = st->st_ctim;
}

static bool
same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool
same_times(const struct seen *s, const struct stat *st)
{
	return same_time(s->mtime, st->st_mtim) && same_time(s->ctime, st->st_ctim);
}

static void
take_ends(struct seen *s, int fd, uint64_t size)
{
	s->size = size;
	s->n = size < SEEN_BYTES ? (size_t)size : SEEN_BYTES;
	if (pread(fd, s->head, s->n, 0) != (ssize_t)s->n ||
	    pread(fd, s->tail, s->n, (off_t)(size - s->n)) != (ssize_t)s->n)
		s->n = 0;
}

/* The hash of len bytes; what can't be read is left out. */
static uint64_t
hash_at(int fd, uint64_t off, uint64_t len)
{
	uint64_t	hash = 0;
	uint8_t		bytes[STEP];

	while (len > 0) {
		ssize_t	n = pread(fd, bytes, len < STEP ? (size_t)len : STEP, (off_t)off);

		if (n <= 0)
			break;
		hash = hash_more(hash, bytes, (size_t)n);
		off += (uint64_t)n;
		len -= (uint64_t)n;
	}
	return hash;
}

static uint64_t
hash_rest(const struct seen *s, int fd)
{
	uint64_t	n = s->size < SEEN_PIECE ? s->size : SEEN_PIECE;

	return hash_at(fd, s->size - n, n);
}

void
seen_take(struct seen *s, int fd, const struct stat *st, uint64_t size)
{
	s->sampled = false;
	take_times(s, st);
	take_ends(s, fd, size);
}

void
seen_sample(struct seen *s, int fd, const struct stat *st, uint64_t size)
{
	take_times(s, st);
	if (size != s->size)
		take_ends(s, fd, size);
	if (!s->sampled) {
		s->sampled = true;
		s->stride = SEEN_PIECE;
		s->npieces = 0;
	}
	while (size / s->stride >= SEEN_PIECES) {
		s->stride *= 2;
		s->npieces = (s->npieces + 1) / 2;
		for (size_t i = 0; i < s->npieces; i++)
			s->piece[i] = s->piece[2 * i];
	}
	for (; s->npieces * s->stride + SEEN_PIECE <= size; s->npieces++)
		s->piece[s->npieces] = hash_at(fd, s->npieces * s->stride, SEEN_PIECE);
	s->rest = hash_rest(s, fd);
}

static bool
ends_stand(const struct seen *s, int fd)
{
	struct seen	now;

	take_ends(&now, fd, s->size);
	return now.n == s->n && memcmp(now.head, s->head, s->n) == 0 &&
	    memcmp(now.tail, s->tail, s->n) == 0;
}

static bool
sample_stands(const struct seen *s, int fd)
{
	for (size_t i = 0; i < s->npieces; i++) {
		if (hash_at(fd, i * s->stride, SEEN_PIECE) != s->piece[i])
			return false;
	}
	return hash_rest(s, fd) == s->rest;
}

bool
seen_stands(struct seen *s, int fd, const struct stat *st)
{
	if (!ends_stand(s, fd))
		return false;
	if (!s->sampled || (uint64_t)st->st_size != s->size || same_times(s, st))
		return true;
	if (!sample_stands(s, fd))
		return false;
	take_times(s, st);	/* it was only touched */
	return true;
}

/*
 * Records in memory, then in a file.
 *
 *	chunk	[0: memory][1: mapped][2: mapped] ...	CHUNK records each
 *	file		   [ 1       ][ 2       ]	no name; room is reserved first
 *	chunk	[ - ][ - ][2: mapped][3: memory] ...	0 and 1 are forgotten, and taken again
 *
 * Without the reservation, a full disk would be noticed only at a write into the mapping, where it
 * cannot be handled.
 *
 * Invariant: records from `first` on are in chunks that do not move until scratch_free().
 */
#include "tnav/io/scratch.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tnav/base/mem.h"
#include "tnav/io/file.h"
#include "tnav/io/source.h"

#define CHUNK	(64u << 10)	/* records */

struct scratch {
	size_t		 size;
	uint64_t	 n, first;
	int		 fd;
	void		**chunk;
	size_t		 nchunks, cap;
	size_t		 ntaken;	/* chunks from the first on whose memory is another's */
	size_t		 nmapped;
	void		*memory;	/* the chunk that is not mapped */
	struct buf	 error;
};

struct scratch *
scratch_new(size_t size)
{
	struct scratch	*s = mem_zalloc(1, sizeof *s);

	s->size = size;
	s->fd = -1;
	return s;
}

void
scratch_free(struct scratch *s)
{
	if (s == NULL)
		return;
	for (size_t i = s->ntaken; i < s->nchunks; i++)
		if (s->chunk[i] != s->memory)
			source_unmap_room(s->chunk[i], CHUNK * s->size);
	mem_free(s->memory);
	mem_free(s->chunk);
	if (s->fd >= 0)
		close(s->fd);
	buf_release(&s->error);
	mem_free(s);
}

/* Map the next chunk of the file; NULL: there is no room. */
static void *
chunk_map(struct scratch *s)
{
	size_t	len = CHUNK * s->size;
	off_t	off = (off_t)(s->nmapped * len);
	void	*p = NULL;
	int	err;

	if (s->fd < 0)
		s->fd = file_temporary(&s->error);
	if (s->fd < 0)
		return NULL;
	err = posix_fallocate(s->fd, off, (off_t)len);
	if (err == 0)
		p = source_map_room(s->fd, (uint64_t)off, len);
	if (p == NULL)
		buf_printf(&s->error, "a temporary file is needed (%s): set TMPDIR to a larger "
		    "folder", strerror(err != 0 ? err : errno));
	else
		s->nmapped++;
	return p;
}

/* Memory for the next chunk: one that was forgotten, or new; NULL: there is no room. */
static void *
chunk_make(struct scratch *s)
{
	if ((s->ntaken + 1) * CHUNK <= s->first)
		return s->chunk[s->ntaken++];
	if (s->memory != NULL)
		return chunk_map(s);
	s->memory = mem_zalloc(CHUNK, s->size);
	return s->memory;
}

void *
scratch_add(struct scratch *s)
{
	void	*p;

	if (s->n < (uint64_t)s->nchunks * CHUNK) {
		s->n++;
		return scratch_at(s, s->n - 1);
	}
	if (s->error.len > 0)
		return NULL;
	p = chunk_make(s);
	if (p == NULL)
		return NULL;
	ARRAY_ADD(s->chunk, s->nchunks, s->cap, p);
	s->n++;
	return p;
}

size_t
scratch_append(struct scratch *s, const void *records, size_t n)
{
	size_t	done = 0, some;

	while (done < n) {
		void	*to = scratch_add(s);

		if (to == NULL)
			break;
		/* As many as fit in the chunk. */
		some = CHUNK - (size_t)((s->n - 1) % CHUNK);
		some = some < n - done ? some : n - done;
		memcpy(to, (const char *)records + done * s->size, some * s->size);
		s->n += some - 1;
		done += some;
	}
	return done;
}

void
scratch_cut(struct scratch *s, uint64_t n)
{
	assert(n >= s->first && n <= s->n);
	s->n = n;
}

void
scratch_forget(struct scratch *s, uint64_t n)
{
	assert(n >= s->first && n <= s->n);
	s->first = n;
}

uint64_t
scratch_first(const struct scratch *s)
{
	return s->first;
}

uint64_t
scratch_n(const struct scratch *s)
{
	return s->n;
}

void *
scratch_at(const struct scratch *s, uint64_t i)
{
	assert(i >= s->first && i < s->n);
	return (char *)s->chunk[i / CHUNK] + i % CHUNK * s->size;
}

void *
scratch_run(const struct scratch *s, uint64_t i, size_t *n)
{
	size_t	left = CHUNK - (size_t)(i % CHUNK);

	*n = s->n - i < left ? (size_t)(s->n - i) : left;
	return scratch_at(s, i);
}

const char *
scratch_error(struct scratch *s)
{
	return s->error.len > 0 ? buf_str(&s->error) : NULL;
}

/*
 * The first and the last bytes of a file, as they were when it was read.
 *
 *	file	| head |     ...     | tail |	what was added later
 *				      size
 *
 * Invariant: n is 0 or both ends were read whole.
 */
#include "io/seen.h"

#include <string.h>
#include <unistd.h>

void
seen_take(struct seen *s, int fd, uint64_t size)
{
	size_t	n = size < SEEN_BYTES ? (size_t)size : SEEN_BYTES;

	*s = (struct seen){ .size = size, .n = n };
	if (pread(fd, s->head, n, 0) != (ssize_t)n ||
	    pread(fd, s->tail, n, (off_t)(size - n)) != (ssize_t)n)
		*s = (struct seen){ .size = size };
}

bool
seen_stands(const struct seen *s, int fd)
{
	struct seen	now;

	seen_take(&now, fd, s->size);
	return now.n == s->n && memcmp(now.head, s->head, s->n) == 0 &&
	    memcmp(now.tail, s->tail, s->n) == 0;
}

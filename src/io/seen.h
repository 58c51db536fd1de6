/*
 * Is a file still the one that was read, or was it rewritten?
 */
#ifndef IO_SEEN_H
#define IO_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SEEN_BYTES	256u

struct seen {
	uint64_t	size;			/* of the file when it was read */
	size_t		n;			/* bytes at each end; 0: none were read */
	uint8_t		head[SEEN_BYTES];	/* the first bytes: a trace's start time is there */
	uint8_t		tail[SEEN_BYTES];	/* the last bytes before size */
};

void	seen_take(struct seen *s, int fd, uint64_t size);
/* Are the bytes still there? They are if the file has only grown. */
bool	seen_stands(const struct seen *s, int fd);

#endif

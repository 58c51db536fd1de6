/*
 * Is a file still the one that was read, or was it rewritten?
 */
#ifndef IO_SEEN_H
#define IO_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

#define SEEN_BYTES	256u
#define SEEN_PIECES	32u
#define SEEN_PIECE	(32u << 10)	/* bytes of a piece */

struct seen {
	uint64_t	size;			/* of the file when it was read */
	size_t		n;			/* bytes at each end; 0: none were read */
	uint8_t		head[SEEN_BYTES];	/* the first bytes: a trace's start time is there */
	uint8_t		tail[SEEN_BYTES];	/* the last bytes before size */
	struct timespec	mtime, ctime;		/* of the file whose bytes were read or compared */
	/* The sample, once it was taken: hashes of pieces. */
	bool		sampled;
	uint64_t	stride;			/* between the starts of two pieces */
	size_t		npieces;
	uint64_t	piece[SEEN_PIECES];
	uint64_t	rest;			/* of the last bytes before size, at most a piece */
};

/* st: of fd, from before the bytes were read. */
void	seen_take(struct seen *s, int fd, const struct stat *st, uint64_t size);
/*
 * Take the sample, or extend it to more bytes. The file must still be as it was taken, or have
 * grown. It reads at most a megabyte.
 */
void	seen_sample(struct seen *s, int fd, const struct stat *st, uint64_t size);
/*
 * Are the bytes still there? They are if the file has only grown. st: of fd, as it is now. Where
 * the file was written but did not grow, the sample is compared, if it was taken. A small change
 * within a large file may remain unseen.
 */
bool	seen_stands(struct seen *s, int fd, const struct stat *st);

#endif

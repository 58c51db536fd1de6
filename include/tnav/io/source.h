/*
 * The file: mapped once, with room to grow, behind one API. No other module knows how bytes
 * get into memory. All functions may be called by any thread unless said otherwise.
 *
 * A file that shrinks under the mapping raises SIGBUS; the handler puts a page of zeroes in place
 * of the lost one and counts. Zeroes decode as plausible events: after decoding, a caller must
 * call source_lost() and drop the result if it has changed.
 */
#ifndef TNAV_IO_SOURCE_H
#define TNAV_IO_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"
#include "tnav/io/feed.h"

struct source;

/*
 * Open a file for reading; "-" is standard input. A pipe, and a file that is compressed with gzip
 * or zstd, is spooled in the background: the source then grows until source_complete(). On failure
 * the result is ERR_IO, ERR_UNSUPPORTED (a directory, a device) or ERR_NOMEM, and why holds one
 * line without the file's name.
 */
int		 source_open(struct source **out, const char *path, struct buf *why);
/*
 * Open a file, empty or not, to which a feed appends. It grows until source_complete(). The source
 * owns the descriptor and the feed, even on failure.
 */
int		 source_open_feed(struct source **out, int fd, const struct feed *feed,
		    struct buf *why);
/* A source of borrowed memory, for tests: bytes must outlive it. */
struct source	*source_of_memory(struct span bytes);
/* No thread may be using it. */
void		 source_close(struct source *s);

/* The size for readers: as of the opening or the last source_refresh(). */
uint64_t	 source_size(const struct source *s);
/*
 * Bytes [off, off + len), clipped to the file: shorter at its end, empty beyond. Valid until
 * source_close(), whatever the file does.
 */
struct span	 source_span(const struct source *s, uint64_t off, uint64_t len);
/* Is it complete? False only while it has a feed that is not done: spooled, or followed. */
bool		 source_complete(const struct source *s);
/*
 * Follow the file: the source grows with it, until the file becomes shorter or another one takes
 * its name; source_error() then says so. False: it can't be followed, and why says the reason. One
 * thread; no other may be waiting.
 */
bool		 source_follow(struct source *s, struct buf *why);
/* Wait until source_size() is above n, it is complete or stopped, or job_now_ns() reaches until. */
void		 source_wait(struct source *s, uint64_t n, int64_t until);
/* Stop waiting, from any thread: no more will arrive. */
void		 source_stop(struct source *s);
/* Once complete: what went wrong with the feed, in words, or NULL. */
const char	*source_error(const struct source *s);

/* A hint to the system to read these bytes into memory. */
void		 source_ahead(const struct source *s, uint64_t off, uint64_t len);

/* Does the name lead to the file that is read? */
bool		 source_is_file(const struct source *s, const char *path);

/* The number of pages lost so far; compare before and after. */
uint64_t	 source_lost(const struct source *s);

/*
 * Do these bytes of the file touch a lost page? Such a page reads as zeroes for ever. Only some
 * hundred lost pages are kept one by one; of the others only the first is, and all bytes after it
 * count as lost: the file was cut.
 */
bool		 source_is_lost(const struct source *s, uint64_t off, uint64_t len);
/* Was the file seen to be rewritten? Then all of it is lost. */
bool		 source_rewritten(const struct source *s);

enum source_change {
	SOURCE_SAME,
	SOURCE_GREW,		/* source_size() is larger now */
	SOURCE_SHRANK,		/* source_size() is smaller now */
	SOURCE_REWRITTEN,	/* other bytes stand where they were read */
	SOURCE_REPLACED,	/* another file has the name now; the old one is still read */
	SOURCE_REMOVED,		/* no file has the name now; the old one is still read */
};
/*
 * How does the file differ from what was read? source_size() stays as it is. A compressed file is
 * looked at once it is spooled: then the change is one of the compressed file. One thread at a
 * time, while the source is not followed.
 */
enum source_change source_look(struct source *s);
/* Has the file lost its name? From any thread, also while the source is followed. */
bool		 source_removed(const struct source *s);
/* Is it a pipe or the like, whose bytes arrive while they are read? */
bool		 source_arrives(const struct source *s);
/* Can it be followed? Only a plain file can. */
bool		 source_can_follow(const struct source *s);
/* Measure the file again. One thread at a time. */
enum source_change source_refresh(struct source *s);

/*
 * Map a part of a temporary file, which no other process has, to read and write; NULL with errno.
 * The caller has reserved the bytes in the file.
 */
void		*source_map_room(int fd, uint64_t off, size_t len);
void		 source_unmap_room(void *p, size_t len);

#endif

/*
 * Input that cannot be mapped (a pipe, compressed bytes): a thread writes it to an unlinked file in
 * TMPDIR, else /var/tmp. Bytes that have arrived can be read at once: the spool is a feed
 * (tnav/io/feed.h).
 */
#ifndef IO_SPOOL_H
#define IO_SPOOL_H

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"
#include "tnav/io/feed.h"

enum spool_kind {
	SPOOL_PLAIN,
	SPOOL_GZIP,
	SPOOL_ZSTD,
};

/* The kind of input, by its first bytes; 4 are enough. */
enum spool_kind	 spool_kind_of(struct span head);

extern const struct feed_ops	spool_feed;

/*
 * Begin to spool the descriptor in, which the spool then owns. *out_fd is the file to read; the
 * caller closes it after the spool's free(). On failure NULL: in is closed, and why says what is
 * wrong with the folder for temporary files.
 */
struct feed_state *spool_start(int in, int *out_fd, struct buf *why);

/* Once the feed is done: the bytes of the input that it has read. */
uint64_t	 spool_taken(const struct feed_state *spool);

#endif

/*
 * Input that cannot be mapped as it is (a pipe, compressed bytes), written to an unlinked file in
 * TMPDIR, else /var/tmp, by a thread of its own. What has arrived can be read meanwhile: a feed
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

/* By the first bytes (4 are enough). */
enum spool_kind	 spool_kind_of(struct span head);

struct spool;
extern const struct feed_ops	spool_feed;

/*
 * Begin to spool in, which the spool then owns. *out_fd is the file to read, which is the caller's
 * to close after the spool's free(). On failure NULL, in is closed, and why says what is wrong with
 * the folder for temporary files.
 */
struct spool	*spool_start(int in, int *out_fd, struct buf *why);

/* An unlinked file for reading and writing; -1, and why says what is wrong with the folder. */
int		 spool_temporary(struct buf *why);

#endif

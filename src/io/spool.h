/*
 * Input that cannot be mapped as it is (a pipe, compressed bytes), written to an unlinked file in
 * TMPDIR, else /var/tmp, by a thread of its own. What has arrived can be read meanwhile.
 */
#ifndef IO_SPOOL_H
#define IO_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"

struct spool;

enum spool_kind {
	SPOOL_PLAIN,
	SPOOL_GZIP,
	SPOOL_ZSTD,
};

/* By the first bytes (4 are enough). */
enum spool_kind	 spool_kind_of(struct span head);

/*
 * Begin to spool in, which the spool then owns. *out_fd is the file to read, owned by the spool.
 * On failure NULL, in is closed, and why says what is wrong with the folder for temporary files.
 */
struct spool	*spool_start(int in, int *out_fd, struct buf *why);
void		 spool_free(struct spool *s);	/* stops it first */

uint64_t	 spool_size(const struct spool *s);	/* bytes that can be read */
bool		 spool_done(const struct spool *s);
/* Wait until more than n bytes have arrived, it is done, or it was stopped. */
void		 spool_wait(struct spool *s, uint64_t n);
void		 spool_stop(struct spool *s);	/* any thread; wakes who waits */
bool		 spool_stopped(const struct spool *s);
/* What went wrong, in words, once it is done; NULL: nothing. */
const char	*spool_error(const struct spool *s);

/* An unlinked file for reading and writing; -1, and why says what is wrong with the folder. */
int		 spool_temporary(struct buf *why);

#endif

/*
 * Files that the program writes, and small ones that it reads whole.
 *
 * A file appears under its name only when it is whole: it is written without a name (or beside
 * its place, where the file system knows no files without names) and put in its place at the end.
 * All files are written here, except for streams that are received (spool.c).
 */
#ifndef TNAV_IO_FILE_H
#define TNAV_IO_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"

enum file_flags {
	FILE_PRIVATE = 0x1,	/* the user's alone: mode 0600, and a link in its place is neither
				   read nor written through */
	FILE_REPLACE = 0x2,	/* what has the name is replaced; without it that is EEXIST */
	FILE_OURS = 0x4,	/* ... whatever it is but a folder: no other program has a use for
				   the name */
};

struct file_new;

/*
 * Begin a file. It gets the mode of the file that it replaces, or what the umask leaves of 0666.
 * A name that a link has stands for the file that the link names. 0, or ERR_IO with errno:
 * EISDIR, EEXIST, or EINVAL for what is no regular file (but FILE_OURS).
 */
int	file_new(struct file_new **f, const char *path, unsigned flags);
int	file_new_fd(const struct file_new *f);	/* to write, and to read what was written */
bool	file_new_replaces(const struct file_new *f);	/* a file has the name until it ends */
/*
 * Put the file in its place now: what is written from then on appears there, and stays, however
 * the program ends. For a stream that is received. 0, or ERR_IO with errno: it has no name yet.
 */
int	file_new_place(struct file_new *f);
/*
 * Put the file in its place if keep, else drop it, also from there; frees f.
 * What was written is on the disk before
 * another file loses its name to it. 0, or ERR_IO with errno; nothing is left of it then.
 */
int	file_new_end(struct file_new *f, bool keep);

/*
 * Give an open file one more name, on the same file system. 0, or ERR_IO with errno: EXDEV, or as
 * file_new().
 */
int	file_link(int fd, const char *path, unsigned flags);

/* Is there something of that name that is neither a file nor a folder: a device, a named pipe? */
bool	file_is_special(const char *path);
/* Open it to write into; -1 with errno. */
int	file_open_special(const char *path);

/* Write all of it, waiting where the descriptor would block; *done (may be NULL) grows by what went
   out. 0, or ERR_IO with errno. */
int	file_write(int fd, const void *p, size_t len, uint64_t *done);
/* A whole file at once. */
int	file_put(const char *path, const struct buf *text, unsigned flags);

/*
 * Append a whole file of at most max bytes. With FILE_PRIVATE it has to be a regular file of this
 * user (else EPERM). 0, or ERR_IO with errno: EFBIG if it is longer.
 */
int	file_read(const char *path, unsigned flags, size_t max, struct buf *out);

/* Remove the files that are being written. Safe in a signal handler: before the program ends. */
void	file_unlink_temporaries(void);

#endif

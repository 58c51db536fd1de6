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
	FILE_PRIVATE = 0x1,	/* for the user alone: mode 0600; symbolic links are not followed */
	FILE_REPLACE = 0x2,	/* replace a file of this name; without it that is EEXIST */
	FILE_OURS = 0x4,	/* ... and a device or the like: only this program uses the name */
	FILE_FOLDERS = 0x8,	/* missing folders above it are made when it gets its name */
	FILE_LINKS = 0x10,	/* with FILE_PRIVATE: symbolic links of this user are followed */
};

struct file_new;

/*
 * Begin a file. It gets the mode of the file that it replaces, or 0666 less the umask. If the name
 * is a symbolic link, the file that it refers to is replaced. 0, or ERR_IO with errno: EISDIR,
 * EEXIST, or EINVAL for something that is not a regular file (unless FILE_OURS).
 */
int	file_new(struct file_new **f, const char *path, unsigned flags);
int	file_new_fd(const struct file_new *f);	/* to write, and to read what was written */
bool	file_new_replaces(const struct file_new *f);	/* another file has its name */
/*
 * Give the file its name now. Bytes written later appear in it, and stay however the program ends.
 * For a stream that is received. 0, or ERR_IO with errno: it still has no name.
 */
int	file_new_place(struct file_new *f);
bool	file_new_placed(const struct file_new *f);	/* it was given its name */
/*
 * Give the file its name if keep, else remove it, even if it has its name already; frees f. Before
 * it replaces another file, its bytes are written to the disk. 0, or ERR_IO with errno: then
 * nothing is left of it.
 */
int	file_new_end(struct file_new *f, bool keep);

/*
 * Give an open file one more name, on the same file system. 0, or ERR_IO with errno: EXDEV, or as
 * file_new().
 */
int	file_link(int fd, const char *path, unsigned flags);

/* Does the path exist and is neither a file nor a folder, but a device or a named pipe? */
bool	file_is_special(const char *path);
/* Open it to write into; -1 with errno: EAGAIN for a named pipe that nobody reads. */
int	file_open_special(const char *path);

/* Write all of it, waiting if the descriptor would block. *done (may be NULL) grows by the bytes
   written. 0, or ERR_IO with errno. */
int	file_write(int fd, const void *p, size_t len, uint64_t *done);
/*
 * Open a file of this user alone, to be read and rewritten in place, and lock it until it is
 * closed; it is created if it does not exist. -1: that cannot be, another process has it, or it
 * is not a regular file, or one that others may write.
 */
int	file_open_locked(const char *path);
/* Replace all its bytes. 0, or ERR_IO with errno. */
int	file_rewrite(int fd, const struct buf *text);
/* Open an unlinked file in TMPDIR, else /var/tmp, else in memory, for reading and writing; -1: why
   says what is wrong with the folder. */
int	file_temporary(struct buf *why);
/* The same in memory; -1 with errno. */
int	file_in_memory(void);
/* Give back the room of these bytes, which then are zeroes, where the file system can do that. */
void	file_empty(int fd, uint64_t from, uint64_t to);
/* Can the file system of this empty file do that? */
bool	file_can_empty(int fd);
/* A whole file at once. */
int	file_put(const char *path, const struct buf *text, unsigned flags);

/*
 * Append a whole file of at most max bytes. With FILE_PRIVATE it has to be a regular file of this
 * user (else EPERM). 0, or ERR_IO with errno: EFBIG if it is longer.
 */
int	file_read(const char *path, unsigned flags, size_t max, struct buf *out);

/* Remove the unfinished files, before the program ends. Safe in a signal handler. */
void	file_unlink_temporaries(void);

#endif

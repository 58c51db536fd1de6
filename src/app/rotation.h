/*
 * --rotate and --keep: a recording without an end, as files of limited number, size or age.
 *
 *	made, oldest first	A  B  C  D		A is removed once --keep has no room for it
 *	kept			C  D  and the next: an event of --when, or SIGUSR1
 *
 * Only files that this recording has made are ever removed, and only if they are as it left them;
 * or files of the one before it, if that was killed (app/rotation_list.h).
 */
#ifndef APP_ROTATION_H
#define APP_ROTATION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "app/options.h"
#include "app/until.h"

struct made_file {
	char		*path;
	struct stat	 was;		/* the file when it ended */
	int64_t		 ended;		/* as job_now_ns() */
};

#define ROTATION_BEGUN	3u		/* files that are written at a time, with one to come */

struct rotation {
	bool		 on;
	int64_t		 every_ns;	/* a file ends after this time, 0: never; */
	uint64_t	 every_bytes;	/* ... at this size, 0: never */
	uint64_t	 keep_files, keep_bytes;	/* 0: no limit */
	int64_t		 keep_ns;
	struct made_file *made;		/* oldest first; none without a limit */
	size_t		 n, cap;
	unsigned	 keep_next;	/* this many more files are kept for good */
	unsigned	 incidents;	/* for which files were kept */
	struct until_counter *counter;	/* of --when, or NULL: it is a filter, or not given */
	char		*begun[ROTATION_BEGUN];	/* files that are being written, or NULL */
	struct {
		int		 fd;		/* -1: none */
		struct buf	 path;
		bool		 sessions;	/* of attach: files of any program */
	} list;				/* of these files, for a recording that comes after */
};

/* "60s", "100MB" or, if files is not NULL, "10": exactly one of the three is set. */
bool	rotation_read_limit(const char *s, int64_t *ns, uint64_t *bytes, uint64_t *files);
/* Read the options. 0, or an exit code after a message. */
int	rotation_begin(struct rotation *r, const struct options *o);
void	rotation_release(struct rotation *r);
/* Should the file end that was begun then, and has so many bytes? */
bool	rotation_is_due(const struct rotation *r, int64_t begun, uint64_t bytes);
/* Are files to be removed at all? */
static inline bool
rotation_is_limited(const struct rotation *r)
{
	return r->keep_files > 0 || r->keep_bytes > 0 || r->keep_ns > 0;
}

/* A file is begun, and will be whole. */
void	rotation_add_begun(struct rotation *r, const char *path);
/* The file is whole: it counts from now on, and files beyond the limit are removed. was: NULL if
   there is no file any more. */
void	rotation_add(struct rotation *r, const char *path, const struct stat *was);
/* What is there, and that many more files, is never removed; unless that is so already, or was for
   too many incidents. why: what the user knows it by. */
void	rotation_keep(struct rotation *r, unsigned more, const char *why);
/* Remove files that have become too old. */
void	rotation_look(struct rotation *r);
/* Make room on a full disk: remove the oldest file but the newest. False: there is none. */
bool	rotation_drop(struct rotation *r);

#endif

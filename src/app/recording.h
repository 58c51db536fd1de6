/*
 * A recording: runs of a program, each one file, or with --rotate several.
 *
 *	cmd_record.c		options, runs
 *	recording.c		files
 *	recording_rotate.c	one file after another
 */
#ifndef APP_RECORDING_H
#define APP_RECORDING_H

#include "app/receive.h"
#include "app/rotation.h"
#include "app/target.h"
#include "tnav/io/file.h"

enum recorded_run_of { RUN_SAME, RUN_NEXT };

/* A session, and its file. */
struct recorded_run {
	struct receive	 receive;
	struct session	*session;
	struct file_new	*file;		/* or NULL: */
	int		 stream;	/* standard output, a device or a named pipe; else -1 */
	struct buf	 path;
	bool		 announced;	/* that its events are a reason to keep files */
};

struct recording {
	struct target		 target;
	struct recorded_run	 now, next;
	bool			 goes_on;	/* continue with the next run */
	struct rotation		 rotation;
	/* With --rotate: */
	struct recorded_run	 before;	/* its session is being stopped; or none */
	int64_t			 begun, total_ns;	/* the end of all, 0: none */
	int64_t			 again_ns;	/* not before this is another file tried; */
	bool			 explained;		/* ... and the user knows why */
	bool			 names;		/* only the last session sends names of methods */
	bool			 leaving;	/* the recording is to end, */
	bool			 lasting;	/* ... and `now` is the last file */
	unsigned		 taken, marks;	/* signals that were handled */
};

#define NAME_END	".nettrace"

/* The length of a file's name without NAME_END; 0 for NULL. */
size_t	recorded_stem(const char *path);
void	recorded_release(struct recorded_run *p);
/* Append the begin of a dated file's name: FILE, FOLDER/PROGRAM, or without -o PROGRAM. */
void	recorded_put_stem(struct buf *out, const struct target *t);
/* Open the first of NAME.nettrace, NAME_2.nettrace, ... from the nth on that does not exist. 0, or
   ERR_IO with errno. */
int	recorded_open_numbered(struct file_new **f, struct buf *path, const char *name, unsigned n);
/* The same for the first of STEM_DATE_TIME.nettrace, ..._2.nettrace, ... */
int	recorded_open_dated(struct recorded_run *p, const struct target *t);
/* Begin `next`: a file, and a session, which for the program's next run also resumes it. If the
   user named the file, further runs add a number. On failure nothing is left of it; see why. */
enum begun { BEGUN, NO_FILE, NO_SESSION };
enum begun recorded_begin(struct recording *r, enum recorded_run_of of, struct buf *why);
/* A message with errno. Returns the exit code. */
int	recorded_tell_unwritable(struct recorded_run *p);
/* Read what the session writes, to count it. */
void	recorded_watch(struct recorded_run *p);
/* The session has ended: report the result, and end the file. Returns the exit code. */
int	recorded_end(struct recording *r, struct recorded_run *p, const struct session_state *st);

#endif

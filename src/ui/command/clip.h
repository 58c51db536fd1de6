/*
 * The paste buffer of tmux: text goes to the standard input of `tmux load-buffer`, between keys. No
 * text is ever part of the command.
 */
#ifndef UI_COMMAND_CLIP_H
#define UI_COMMAND_CLIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tnav/base/buf.h"

enum clip_end { CLIP_GOES_ON, CLIP_TAKEN, CLIP_REFUSED };

/* Zero it before use. */
struct clip {
	pid_t		 pid;		/* 0: not running */
	int		 fd;		/* its standard input while pid is set; -1: closed */
	bool		 old;		/* without -w, which old versions lack */
	struct buf	 text;
	size_t		 at;		/* bytes of text that are written */
	int64_t		 deadline;	/* monotonic ns */
	struct buf	 why;		/* why it failed */
};

bool	clip_here(void);		/* does the program run in tmux? */
/* A copy in progress is given up. False: the reason is in why. */
bool	clip_start(struct clip *c, const struct buf *text);
enum clip_end clip_step(struct clip *c);	/* does not wait */
void	clip_release(struct clip *c);

#endif

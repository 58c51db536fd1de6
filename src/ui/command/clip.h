/*
 * The buffer of tmux, for who sits in one: text goes to `tmux load-buffer` on its standard input,
 * between keys. No text is ever a part of the command.
 */
#ifndef UI_COMMAND_CLIP_H
#define UI_COMMAND_CLIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tnav/base/buf.h"

enum clip_end { CLIP_GOES_ON, CLIP_TAKEN, CLIP_REFUSED };

/* Cleared at first. */
struct clip {
	pid_t		 pid;		/* 0: none runs */
	int		 fd;		/* its standard input, while pid is set; -1: closed */
	bool		 old;		/* without -w, which old versions do not know */
	struct buf	 text;
	size_t		 at;		/* of it, written */
	int64_t		 deadline;	/* monotonic ns */
	struct buf	 why;		/* it was refused */
};

bool	clip_here(void);		/* does the program run in tmux? */
/* What was under way is given up. False: why says what is wrong. */
bool	clip_start(struct clip *c, const struct buf *text);
bool	clip_busy(const struct clip *c);
enum clip_end clip_step(struct clip *c);	/* never waits */
void	clip_release(struct clip *c);

#endif

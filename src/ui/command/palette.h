/* Candidates for what could be typed next in a prompt. */
#ifndef UI_COMMAND_PALETTE_H
#define UI_COMMAND_PALETTE_H

#include <stddef.h>

#include "ui/draw/canvas.h"
#include "ui/command/command.h"
#include "ui/command/prompt.h"
#include "ui/layout.h"

struct candidate {
	char			*text, *note;	/* note: or NULL */
	const struct command	*cmd;		/* or NULL */
	unsigned		 rank;		/* smaller is better */
	size_t			 order;
};

/* Zeroed: empty. */
struct palette {
	struct candidate	*v;		/* best first */
	size_t			 n, cap, at;	/* at: the selected one */
	size_t			 from;		/* where the completed word begins in the text */
	bool			 names;		/* they are commands: Enter runs the selected one */
	bool			 paths;		/* they are file names */
	bool			 walked;	/* the user has selected one */
	bool			 put;		/* ... and it was inserted into the text */
};

void	palette_release(struct palette *p);
void	palette_clear(struct palette *p);
/* Find candidates for the word that ends at byte `at`. */
void	palette_find(struct palette *p, struct view *v, const struct panes *panes,
	    enum prompt_kind kind, const char *s, size_t at);
void	palette_step(struct palette *p, int dir);	/* the first step selects the first
							   candidate */
/* The candidate that Enter takes; NULL: none. */
const struct candidate *palette_chosen(const struct palette *p);
void	palette_count(const struct palette *p, struct buf *out);	/* "2 of 41" */
/* Draw above `bottom`, on at most `room` lines. */
void	palette_draw(const struct palette *p, const struct keymap *keys, struct canvas *c,
	    int bottom, int room);

#endif

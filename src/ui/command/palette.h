/*
 * What could be typed next in a prompt.
 */
#ifndef UI_COMMAND_PALETTE_H
#define UI_COMMAND_PALETTE_H

#include <stddef.h>

#include "tnav/engine/trace.h"
#include "ui/draw/canvas.h"
#include "ui/command/command.h"
#include "ui/command/prompt.h"

struct candidate {
	char			*text, *note;	/* note: NULL if there is nothing to say */
	const struct command	*cmd;		/* or NULL */
	unsigned		 rank;		/* smaller is better */
	size_t			 order;
};

/* A cleared one is empty. */
struct palette {
	struct candidate	*v;		/* the best first */
	size_t			 n, cap, at;	/* at: the chosen one */
	size_t			 from;		/* byte of the text that its word begins at */
	bool			 names;		/* they are commands: one of them is run by Enter */
	bool			 paths;		/* they are of files */
	bool			 walked;	/* a person has chosen */
	bool			 put;		/* ... and the chosen one stands in the text */
};

void	palette_release(struct palette *p);
void	palette_clear(struct palette *p);
/* Find candidates for the word of the text that ends at byte at. */
void	palette_find(struct palette *p, const struct keymap *keys, struct trace *t,
	    enum prompt_kind kind, const char *s, size_t at);
void	palette_step(struct palette *p, int dir);	/* the first step chooses the first */
/* The one that stands out, which Enter takes; NULL: none does. */
const struct candidate *palette_chosen(const struct palette *p);
void	palette_count(const struct palette *p, struct buf *out);	/* "2 of 41" */
/* Draw on the lines above bottom, at most room of them; how many it took. */
int	palette_draw(const struct palette *p, const struct keymap *keys, struct canvas *c,
	    int bottom, int room);

#endif

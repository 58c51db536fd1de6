/*
 * One line of text being typed, on the bottom line.
 */
#ifndef UI_COMMAND_PROMPT_H
#define UI_COMMAND_PROMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "ui/draw/canvas.h"

enum prompt_kind { PROMPT_NONE, PROMPT_COMMAND, PROMPT_SEARCH, PROMPT_FILTER, PROMPT_TIME,
		   PROMPT_PIPE, PROMPT_EXPORT, PROMPT_KINDS };

/* What was typed before, the latest last. */
struct history {
	char	**v;
	size_t	  n, cap;
};

struct prompt {
	enum prompt_kind kind;
	int		 dir;		/* of a search */
	struct buf	 text;
	size_t		 at;		/* byte of the text that the cursor stands on */
	struct history	 history[PROMPT_KINDS];
	size_t		 back;		/* how far back in it; 0: what is being typed */
	struct buf	 draft;		/* ... which waits here meanwhile */
};

enum prompt_answer { PROMPT_GOES_ON, PROMPT_DONE, PROMPT_GIVEN_UP, PROMPT_COMPLETE, PROMPT_NEXT,
		     PROMPT_PREVIOUS, PROMPT_UP, PROMPT_DOWN };

void	prompt_init(struct prompt *p);
void	prompt_release(struct prompt *p);
void	prompt_start(struct prompt *p, enum prompt_kind kind, const char *text);
enum prompt_answer prompt_key(struct prompt *p, int32_t key);
void	prompt_history(struct prompt *p, int dir);	/* what was typed before, or after it */
void	prompt_insert(struct prompt *p, int32_t cp);	/* a character, or nothing if it is none */
/* Keep the text for the history of its kind. */
void	prompt_keep(struct prompt *p, enum prompt_kind kind, const char *text);
/* Put text in place of the bytes from from to the cursor. */
void	prompt_replace(struct prompt *p, size_t from, const char *text);
/* Draw on line y; sets the canvas' cursor. */
void	prompt_draw(const struct prompt *p, struct canvas *c, int y);

#endif

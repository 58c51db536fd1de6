/* Editing a line of text on the bottom line. */
#ifndef UI_COMMAND_PROMPT_H
#define UI_COMMAND_PROMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "ui/draw/canvas.h"

enum prompt_kind { PROMPT_NONE, PROMPT_COMMAND, PROMPT_SEARCH, PROMPT_FILTER, PROMPT_TIME,
		   PROMPT_PIPE, PROMPT_EXPORT, PROMPT_KINDS };

/* Earlier texts, the latest last. */
struct history {
	char	**v;
	size_t	  n, cap;
};

struct prompt {
	enum prompt_kind kind;
	bool		 adds;		/* the typed filter is a term of the present one */
	struct buf	 text;
	size_t		 at;		/* byte offset of the cursor */
	struct history	 history[PROMPT_KINDS];
	size_t		 back;		/* position in the history; 0: the text being typed */
	struct buf	 draft;		/* ... which is kept here meanwhile */
};

enum prompt_answer { PROMPT_GOES_ON, PROMPT_DONE, PROMPT_GIVEN_UP, PROMPT_COMPLETE, PROMPT_NEXT,
		     PROMPT_PREVIOUS, PROMPT_UP, PROMPT_DOWN };

void	prompt_release(struct prompt *p);
void	prompt_start(struct prompt *p, enum prompt_kind kind, const char *text);
enum prompt_answer prompt_key(struct prompt *p, int32_t key);
void	prompt_history(struct prompt *p, int dir);	/* dir: to earlier or later texts */
void	prompt_insert(struct prompt *p, int32_t cp);	/* ignored if it is not a character */
/* Add the text to the history of its kind. */
void	prompt_keep(struct prompt *p, enum prompt_kind kind, const char *text);
/* Replace the bytes between `from` and the cursor by text. */
void	prompt_replace(struct prompt *p, size_t from, const char *text);
/* Draw on line y, and set the canvas's cursor. */
void	prompt_draw(const struct prompt *p, struct canvas *c, int y);
/* Move the cursor to what is drawn at the column; beyond the text, to its end. */
void	prompt_point(struct prompt *p, const struct canvas *c, int x);

#endif

/*
 * Prompts at work, and whatever else is being typed.
 */
#ifndef UI_COMMAND_UI_PROMPT_H
#define UI_COMMAND_UI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/engine/query.h"
#include "ui/command/palette.h"
#include "ui/command/prompt.h"
#include "ui/command/question.h"

struct ui;

struct typing {
	struct prompt	 prompt;
	struct palette	 palette;		/* what could be typed in it */
	struct query	*preview;		/* the filter being typed, if it is one */
	struct question	 question;		/* that waits for an answer */
	int64_t		 count;			/* being typed; -1: none */
	int32_t		 prefix;		/* the first of two keys, TK_NONE: none */
};

void	typing_init(struct typing *y);
void	typing_release(struct typing *y);
void	typing_forget(struct typing *y);	/* what belongs to a trace that is closed */
bool	typing_busy(const struct typing *y);	/* a preview is being counted */

void	ui_prompt(struct ui *ui, enum prompt_kind kind, const char *text);
void	ui_prompt_key(struct ui *ui, int32_t key);	/* while there is a prompt */
void	ui_prompt_changed(struct ui *ui);		/* its text has */
void	ui_prompt_draw(struct ui *ui);			/* what is said of it, above it */
/* A time as the filter language writes it. False: the message says so. */
bool	ui_parse_time(struct ui *ui, const char *s, size_t len, int64_t *ns);
/* Go to a time, or make a range of times (2.1s..2.4s, 50%..60%, a..+10ms) the window. False: the
   message says why. */
bool	ui_go_to_time(struct ui *ui, const char *text);

#endif

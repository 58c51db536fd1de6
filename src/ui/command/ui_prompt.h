/* The prompt, questions, and other input that is not complete. */
#ifndef UI_COMMAND_UI_PROMPT_H
#define UI_COMMAND_UI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/command/palette.h"
#include "ui/command/prompt.h"
#include "ui/command/question.h"

struct ui;

struct typing {
	struct prompt	 prompt;
	struct palette	 palette;		/* candidates */
	struct question	 question;		/* waiting for an answer */
	int64_t		 count;			/* number being typed; -1: none */
	int32_t		 prefix;		/* first key of a pair; TK_NONE: none */
};

void	typing_release(struct typing *y);

void	ui_prompt(struct ui *ui, enum prompt_kind kind, const char *text);
void	ui_prompt_term(struct ui *ui);		/* of a term that is added to the filter */
void	ui_prompt_key(struct ui *ui, int32_t key);	/* while there is a prompt */
void	ui_prompt_changed(struct ui *ui);		/* the text has changed */
void	ui_prompt_draw(struct ui *ui);			/* draws the line above it */
/* A time in the filter language. False after a message. */
bool	ui_parse_time(struct ui *ui, const char *s, size_t len, int64_t *ns);
/* Go to a time, or make a range of times (2.1s..2.4s, 50%..60%, a..+10ms) the window. False
   after a message with the reason. */
bool	ui_go_to_time(struct ui *ui, const char *text);

#endif

/*
 * What is asked on the bottom line: y does it, any other key does not.
 */
#ifndef UI_COMMAND_QUESTION_H
#define UI_COMMAND_QUESTION_H

#include <stdbool.h>

#include "tnav/base/buf.h"

struct ui;

struct question {
	void		(*yes)(struct ui *ui, const char *arg);	/* NULL: nothing is asked */
	char		*arg;
	struct buf	 text;
};

void	question_release(struct question *q);
/* Ask, and call yes with arg if the next key is y. */
void	ui_ask(struct ui *ui, const char *text, void (*yes)(struct ui *ui, const char *arg),
	    const char *arg);
/* Only a key that was pressed is an answer; what else comes in between takes the question back. */
void	ui_answer(struct ui *ui, bool agreed);

#endif

/*
 * What is asked on the bottom line: y, or one of some keys, does it; any other key does not.
 */
#ifndef UI_COMMAND_QUESTION_H
#define UI_COMMAND_QUESTION_H

#include <stdint.h>

#include "tnav/base/buf.h"

struct ui;

struct question {
	void		(*yes)(struct ui *ui, const char *arg);	/* NULL: nothing is asked */
	char		*arg;
	const char	*keys;		/* that are answers, or NULL: y */
	struct buf	 text;
};

void	question_release(struct question *q);
/* Ask, and call yes with arg if the next key is y. */
void	ui_ask(struct ui *ui, const char *text, void (*yes)(struct ui *ui, const char *arg),
	    const char *arg);
/* The same with several keys as answers (a literal): yes gets the one that was pressed. */
void	ui_ask_which(struct ui *ui, const char *text, const char *keys,
	    void (*yes)(struct ui *ui, const char *key));
/* Only a key that was pressed is an answer; what else comes between takes the question back: 0. */
void	ui_answer(struct ui *ui, int32_t key);

#endif

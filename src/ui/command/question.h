/* Questions on the bottom line: y, or one of several keys, confirms; any other key cancels. */
#ifndef UI_COMMAND_QUESTION_H
#define UI_COMMAND_QUESTION_H

#include <stdint.h>

#include "tnav/base/buf.h"

struct ui;

struct question {
	void		(*yes)(struct ui *ui, const char *arg);	/* NULL: no question */
	char		*arg;
	const char	*keys;		/* keys that confirm; NULL: y */
	struct buf	 text;
};

void	question_release(struct question *q);
/* Ask; if the next key is y, call yes with arg. */
void	ui_ask(struct ui *ui, const char *text, void (*yes)(struct ui *ui, const char *arg),
	    const char *arg);
/* The same with several keys (a literal): yes gets the pressed one. */
void	ui_ask_which(struct ui *ui, const char *text, const char *keys,
	    void (*yes)(struct ui *ui, const char *key));
/* Answer with a pressed key. Anything else cancels the question: 0. */
void	ui_answer(struct ui *ui, int32_t key);

#endif

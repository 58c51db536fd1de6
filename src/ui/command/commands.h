/* The functions of the command table. Each says what call->n means, if it has a meaning. */
#ifndef UI_COMMAND_COMMANDS_H
#define UI_COMMAND_COMMANDS_H

#include "ui/command/command.h"
#include "ui/command/functions.h"
#include "ui/shell.h"

/* The value of "on" or "off". False: another word. */
bool	switch_word(const char *word, bool *on);
/* The value that "on", "off", or no word (the opposite of `is`) requests of the named command.
   False: another word, which is refused. */
bool	command_switch(struct ui *ui, const struct command_call *call, const char *name, bool is,
	    bool *want);
/* Ask for an argument in a prompt with this text. False: there is one already. */
bool	command_asks(struct ui *ui, const struct command_call *call, enum prompt_kind kind,
	    const char *text);

#endif

/*
 * A command as a line of text: typed, bound to a key, or of a script.
 *
 *	filter tid = 25		name, then what is handed to it
 */
#include <string.h>

#include "ui/shell.h"
#include "ui/state/script.h"

bool
ui_command(struct ui *ui, const char *line)
{
	struct command_call	 call = { .count = -1 };
	const struct command	*cmd;
	struct buf		 arg;
	size_t			 len;

	line += strspn(line, " \t");
	len = strcspn(line, " \t");
	if (len == 0)
		return true;
	cmd = command_by_name(&ui->keymap, line, len);
	if (cmd == NULL) {
		struct buf	whole;

		buf_init(&whole);	/* a beginning that only one command has will do */
		if (command_complete(&ui->keymap, line, len, &whole) == 1)
			cmd = command_by_name(&ui->keymap, whole.p, whole.len);
		if (cmd != NULL && cmd->does != 0)
			cmd = NULL;	/* what acts outside is written out */
		buf_release(&whole);
	}
	if (cmd == NULL) {
		view_say(&ui->v, "no command \"%.*s\" (? for help)", (int)len, line);
		return false;
	}
	buf_init(&arg);
	script_unquote(&arg, line + len + strspn(line + len, " \t"));
	call.arg = buf_str(&arg);
	call.n = cmd->n;
	cmd->run(ui, &call);
	buf_release(&arg);
	return true;
}

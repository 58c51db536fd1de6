/* Sessions: a script that restores what is shown, and the commands that only such scripts use. */
#include "ui/command/commands.h"

#include <errno.h>
#include <string.h>

#include "tnav/io/file.h"
#include "tnav/io/paths.h"
#include "ui/command/write.h"
#include "ui/state/script.h"
#include "ui/state/state.h"

/* ---- saving */

static void
put_command(struct buf *out, const char *name, const char *value)
{
	buf_printf(out, "%s ", name);
	script_quote(out, value);
	buf_putc(out, '\n');
}

static void
save(struct ui *ui, const char *path, unsigned flags)
{
	struct buf	text = { 0 };

	buf_puts(&text, "# A session of tnav: tnav -x THIS-FILE TRACE restores it.\n");
	state_each(ui, put_command, &text);
	if (file_put(path, &text, flags) == 0)
		view_say(&ui->v, "saved to %s", path);
	else
		view_say(&ui->v, "%s: %s", path, strerror(errno));
	buf_release(&text);
}

static void
save_over(struct ui *ui, const char *path)
{
	save(ui, path, FILE_REPLACE);
}

void
cmd_save_session(struct ui *ui, const struct command_call *call)
{
	struct buf	path = { 0 };

	if (command_asks(ui, call, PROMPT_COMMAND, "save-session "))
		return;
	paths_expand(&path, call->arg);
	switch (write_look(ui, buf_str(&path))) {
	case WRITE_NEW:
		save(ui, buf_str(&path), 0);
		break;
	case WRITE_OVER:
		write_ask(ui, buf_str(&path), WRITE_OVER, 0, save_over);
		break;
	case WRITE_NOT:
		break;
	}
	buf_release(&path);
}

/* ---- commands of scripts */

/* n: which one of these */
void
cmd_restore(struct ui *ui, const struct command_call *call)
{
	static const struct { const char *name, *needs; } places[] = {
		{ "at", "a time in ticks and an offset" },
		{ "window-ticks", "two times in ticks" },
		{ "mark-at", "a letter, a time in ticks and an offset" },
	};

	if (!state_set(ui, places[call->n].name, call->arg))
		view_refuse(&ui->v, "%s: give %s", places[call->n].name, places[call->n].needs);
}

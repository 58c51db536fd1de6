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

void
cmd_window_ticks(struct ui *ui, const struct command_call *call)
{
	if (!state_set(ui, "window-ticks", call->arg))
		view_refuse(&ui->v, "window-ticks: give two times in ticks");
}

void
cmd_at(struct ui *ui, const struct command_call *call)
{
	if (!state_set(ui, "at", call->arg))
		view_refuse(&ui->v, "at: give a time in ticks and an offset");
}

void
cmd_mark_at(struct ui *ui, const struct command_call *call)
{
	if (!state_set(ui, "mark-at", call->arg))
		view_refuse(&ui->v, "mark-at: give a letter, a time in ticks and an offset");
}

/*
 * Files of commands: tnavrc, which runs at start, in the language of script.h.
 *
 *	# quick filters
 *	bind events <F6> filter level <= warning
 *	set time-format utc
 *	color name ~ Exception red
 *
 * Such a file belongs to the user: it is never searched beside a trace. Invalid lines are reported
 * and skipped.
 */
#include "ui/state/rc.h"

#include <errno.h>
#include <string.h>

#include "tnav/io/file.h"
#include "tnav/io/paths.h"
#include "ui/shell.h"
#include "ui/state/script.h"

#define FILE_MAX	(64u << 20)	/* a saved session may contain long texts */

bool
rc_read(const char *path, struct buf *out)
{
	return file_read(path, 0, FILE_MAX, out) == 0;
}

/* All invalid lines are added to the messages; the first one is also shown. True: it is invalid. */
static bool
run_line(struct ui *ui, const char *name, unsigned number, const char *line, struct buf *wrong)
{
	struct buf	b = { 0 };

	buf_clear(&ui->v.message);
	ui->v.refused = false;
	ui->v.messages.mute = true;
	if (ui_command(ui, line) && !ui->v.refused)
		return false;
	ui->v.messages.mute = false;
	buf_printf(&b, "%s:%u: %s", name, number, buf_str(&ui->v.message));
	messages_add(&ui->v.messages, buf_str(&b));
	if (wrong->len == 0)
		buf_puts(wrong, buf_str(&b));
	buf_release(&b);
	return true;
}

void
rc_run(struct ui *ui, const char *name, const char *text)
{
	struct buf	wrong = { 0 }, command = { 0 };
	unsigned	number = 1, line = 1, bad = 0;

	if (ui->v.message.len > 0)		/* an earlier message stays */
		buf_puts(&wrong, buf_str(&ui->v.message));
	while (script_next(&text, &line, &number, &command))
		bad += run_line(ui, name, number, buf_str(&command), &wrong);
	buf_clear(&ui->v.message);
	ui->v.messages.mute = false;
	if (wrong.len > 0)
		view_say(&ui->v, "%s", buf_str(&wrong));
	if (bad > 1)
		buf_printf(&ui->v.message, " (%u more: :messages)", bad - 1);
	ui->v.noted = bad > 0;
	buf_release(&wrong);
	buf_release(&command);
}

void
rc_start(struct ui *ui)
{
	struct buf	 path = { 0 }, text = { 0 };

	if (!paths_config(&path, "tnavrc"))
		;	/* there is no such directory */
	else if (rc_read(buf_str(&path), &text))
		rc_run(ui, "tnavrc", buf_str(&text));
	else if (errno != ENOENT && errno != ENOTDIR)
		view_say(&ui->v, "%s: %s", buf_str(&path), strerror(errno));
	buf_release(&path);
	buf_release(&text);
}

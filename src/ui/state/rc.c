/*
 * Files of commands: tnavrc, which runs at start, in the language of script.h.
 *
 *	# quick filters
 *	bind events <F6> filter level <= warning
 *	set time-format utc
 *	color name ~ Exception red
 *
 * Such a file is a person's: it is never looked for beside a trace. A wrong line is told and left
 * out.
 */
#include "ui/state/rc.h"

#include <errno.h>
#include <string.h>

#include "tnav/io/file.h"
#include "tnav/io/paths.h"
#include "ui/shell.h"
#include "ui/state/script.h"

#define FILE_MAX	(64u << 20)	/* a saved session may hold long texts */

bool
rc_read(const char *path, struct buf *out)
{
	return file_read(path, 0, FILE_MAX, out) == 0;
}

/* The first thing that is wrong is the one that is told. True: it is. */
static bool
run_line(struct ui *ui, const char *name, unsigned number, const char *line, struct buf *wrong)
{
	buf_clear(&ui->v.message);
	ui->wrong = false;
	if (ui_command(ui, line) && !ui->wrong)
		return false;
	if (wrong->len == 0)
		buf_printf(wrong, "%s:%u: %s", name, number, buf_str(&ui->v.message));
	return true;
}

void
rc_run(struct ui *ui, const char *name, const char *text)
{
	struct buf	wrong, command;
	unsigned	number = 1, line = 1, bad = 0;

	buf_init(&wrong);
	buf_init(&command);
	if (ui->v.message.len > 0)		/* what was said before stays */
		buf_puts(&wrong, buf_str(&ui->v.message));
	while (script_next(&text, &line, &number, &command))
		bad += run_line(ui, name, number, buf_str(&command), &wrong);
	buf_clear(&ui->v.message);
	if (wrong.len > 0)
		view_say(&ui->v, "%s", buf_str(&wrong));
	if (bad > 1)
		buf_printf(&ui->v.message, " (and %u more)", bad - 1);
	buf_release(&wrong);
	buf_release(&command);
}

void
rc_start(struct ui *ui)
{
	struct buf	 path, text;

	buf_init(&path);
	buf_init(&text);
	if (!paths_config(&path, "tnavrc"))
		;	/* there is no place for it */
	else if (rc_read(buf_str(&path), &text))
		rc_run(ui, "tnavrc", buf_str(&text));
	else if (errno != ENOENT && errno != ENOTDIR)
		view_say(&ui->v, "%s: %s", buf_str(&path), strerror(errno));
	buf_release(&path);
	buf_release(&text);
}

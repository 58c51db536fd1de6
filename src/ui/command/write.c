/*
 * Checks before a file is written. The trace is never replaced, under any name, nor anything that
 * is not a regular file. Other files are replaced only after the user has agreed.
 */
#include "ui/command/write.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "ui/shell.h"

enum write_answer
write_look(struct ui *ui, const char *path)
{
	struct view	*v = &ui->v;
	struct stat	 st;

	if (stat(path, &st) != 0) {
		if (errno == ENOENT && path[0] != '\0')
			return WRITE_NEW;
		view_say(v, "%s: %s", path, strerror(errno));
	} else if (trace_is_file(v->t, path)) {
		view_say(v, "cannot write %s: it is the open trace", path);
	} else if (!S_ISREG(st.st_mode)) {
		view_say(v, "cannot write %s: it is %s", path,
		    S_ISDIR(st.st_mode) ? "a folder" : "not a regular file");
	} else {
		return WRITE_OVER;
	}
	return WRITE_NOT;
}

void
write_ask(struct ui *ui, const char *path, void (*yes)(struct ui *ui, const char *path))
{
	struct buf	b;

	buf_init(&b);
	buf_printf(&b, "replace it? (y/n) %s exists", path);
	ui_ask(ui, buf_str(&b), yes, path);
	buf_release(&b);
}

/*
 * Checks before a file is written. The trace is never replaced, under any name, nor anything that
 * is not a regular file. Other files are replaced only after the user has agreed, and so is much
 * written.
 */
#include "ui/command/write.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "tnav/base/units.h"
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
write_ask(struct ui *ui, const char *path, enum write_answer found, uint64_t bytes,
    void (*yes)(struct ui *ui, const char *path))
{
	struct buf	b = { 0 };

	buf_puts(&b, found == WRITE_OVER ? "replace it" : "write");
	if (bytes > 0) {
		buf_puts(&b, found == WRITE_OVER ? " with about " : " about ");
		units_bytes(&b, bytes);
	}
	buf_printf(&b, "? (y/n) %s%s", path, found == WRITE_OVER ? " exists" : "");
	ui_ask(ui, buf_str(&b), yes, path);
	buf_release(&b);
}

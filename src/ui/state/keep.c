/*
 * The saved state of a trace, and its file.
 *
 *	$XDG_STATE_HOME/tnav/5e2f...91.tnav	named by size, head and tail of the trace,
 *						not by its path
 *
 * Only the user can read the file. It is replaced as a whole; a link in its place is not followed.
 */
#include "ui/state/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tnav/io/file.h"
#include "tnav/io/paths.h"
#include "ui/shell.h"
#include "ui/state/state.h"

#define ENDS		4096u		/* bytes of head and tail that identify a file */
#define STATE_MAX	(32u << 20)

/* ---- the file's name */

static uint64_t
hash(uint64_t h, const void *p, size_t len)
{
	const unsigned char	*b = p;

	for (size_t i = 0; i < len; i++)
		h = (h ^ b[i]) * 0x100000001b3u;
	return h;
}

/* 128 bits that identify a file: two hashes with different beginnings. False: it cannot be read. */
static bool
identity(const char *path, struct buf *out)
{
	uint64_t	a = 0xcbf29ce484222325u, b = 0x84222325cbf29ce4u;
	char		bytes[2 * ENDS];
	struct stat	st;
	ssize_t		head, tail;
	int		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return false;
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return false;
	}
	head = pread(fd, bytes, ENDS, 0);
	tail = pread(fd, bytes + ENDS, ENDS,
	    st.st_size > (off_t)ENDS ? st.st_size - (off_t)ENDS : 0);
	close(fd);
	if (head < 0 || tail < 0)
		return false;
	a = hash(hash(a, &st.st_size, sizeof st.st_size), bytes, (size_t)head);
	b = hash(hash(b, &st.st_size, sizeof st.st_size), bytes + ENDS, (size_t)tail);
	buf_hex(out, a, 16);
	buf_hex(out, hash(b, bytes, (size_t)head), 16);
	return true;
}

/* False: no state is saved for this trace. */
static bool
state_path(struct ui *ui, struct buf *out, bool make)
{
	const char	*off = getenv("TNAV_NO_STATE"), *trace = trace_path(ui->v.t);

	if (!ui->opt.state || (off != NULL && off[0] != '\0') || strcmp(trace, "-") == 0 ||
	    !paths_state(out, make))
		return false;
	buf_putc(out, '/');
	if (!identity(trace, out))
		return false;
	buf_puts(out, ".tnav");
	return true;
}

/* ---- restoring and saving */

/* Announce the restored filter, window or position, with the keys that clear them. */
static void
announce(struct ui *ui)
{
	struct view	*v = &ui->v;
	struct buf	*b = &ui->restored.text;
	bool		 position = v->window.whole && v->filter.text == NULL &&
			    (ui->restored.place.has_sel || v->sel.row > 0);

	buf_clear(b);
	if (v->filter.text != NULL)
		buf_puts(b, v->window.whole ? "restored filter: X drops it" :
		    "restored filter (X)");
	if (!v->window.whole)
		buf_puts(b, b->len > 0 ? " and window (0)" : "restored window: 0 shows all");
	if (position)
		buf_puts(b, "restored position: g goes to the first row");
}

/* Convert the file of an older version, and say so once. */
static void
renew(struct ui *ui, const char *path)
{
	struct buf	text = { 0 };

	state_write(ui, &text);
	if (file_put(path, &text, FILE_PRIVATE | FILE_REPLACE | FILE_OURS) == 0)
		view_say(&ui->v, "saved state of an older version: settings restored, commands not "
		    "run");
	buf_release(&text);
}

void
keep_restore(struct ui *ui)
{
	struct buf	path = { 0 }, text = { 0 };

	errno = 0;
	if (state_path(ui, &path, false) &&
	    file_read(buf_str(&path), FILE_PRIVATE, STATE_MAX, &text) == 0 && text.len > 0) {
		if (state_read(ui, text.p, text.len))
			renew(ui, buf_str(&path));
		announce(ui);
	} else if (errno == EFBIG) {
		view_say(&ui->v, "saved state ignored: %s is too long", buf_str(&path));
	}
	buf_release(&path);
	buf_release(&text);
}

void
keep_save(struct ui *ui)
{
	struct buf	path = { 0 }, text = { 0 };

	if (state_path(ui, &path, true)) {
		state_write(ui, &text);
		if (text.len > 0)
			(void)file_put(buf_str(&path), &text,
			    FILE_PRIVATE | FILE_REPLACE | FILE_OURS);
		else
			(void)unlink(buf_str(&path));
	}
	buf_release(&path);
	buf_release(&text);
}

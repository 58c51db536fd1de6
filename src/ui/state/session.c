/*
 * What is kept of a trace: a script of the commands that bring it back.
 *
 *	$XDG_STATE_HOME/tnav/5e2f...91.tnav	window-ticks 1604311 1981000
 *	(named by size, head and tail of		filter-add tid = 25
 *	 the file, not by its path)		at 1604311 81920
 *
 * The file is the user's alone and is put in place whole; a link in its place is not followed.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tnav/base/mem.h"
#include "ui/state/rc.h"
#include "ui/shell.h"

#include "ui/command/commands.h"

#define ENDS	4096u		/* bytes of the file's head and tail that identify it */

/* ---- the script */

static void
put_filters(const struct view *v, struct buf *out)
{
	for (size_t i = 0; i < v->nfilters; i++) {
		const struct filter_item	*it = &v->filters[i];

		buf_printf(out, "%s %s\n", it->on ? "filter-add" : "filter-keep", it->text);
		if (it->name != NULL)
			buf_printf(out, "filter-name %s\n", it->name);
	}
	if (v->filters_off && v->nfilters > 0)
		buf_puts(out, "filters-toggle\n");
}

static void
put_marks(const struct view *v, struct buf *out)
{
	for (size_t i = 0; i < v->marks.n; i++) {
		const struct mark	*m = &v->marks.v[i];

		buf_printf(out, "mark-at %c %" PRId64 " %" PRIu64 "%s%s\n",
		    m->letter != 0 ? m->letter : '-', m->ts, m->off, m->note != NULL ? " " : "",
		    m->note != NULL ? m->note : "");
	}
}

/* Each rule as the command that makes it. */
static void
put_colors(struct view *v, struct buf *out)
{
	struct buf	rules;
	const char	*p;

	buf_init(&rules);
	rules_text(&v->rules, &rules);
	for (p = buf_str(&rules); *p != '\0'; p += strcspn(p, "\n") + 1)
		buf_printf(out, "color %.*s\n", (int)strcspn(p, "\n"), p);
	buf_release(&rules);
}

void
session_write(struct ui *ui, struct buf *out)
{
	static const char *const	times[TIME_FORMATS] = {
		[TIME_RELATIVE] = "relative", [TIME_LOCAL] = "local", [TIME_UTC] = "utc",
		[TIME_DELTA] = "delta", [TIME_TICKS] = "ticks",
	};
	struct view	*v = &ui->v;

	if (v->time_format != TIME_RELATIVE && times[v->time_format] != NULL)
		buf_printf(out, "time-format %s\n", times[v->time_format]);
	if (!v->whole)
		buf_printf(out, "window-ticks %" PRId64 " %" PRId64 "\n", v->from, v->to);
	if (v->columns.chosen) {
		buf_puts(out, "columns ");
		columns_text(&v->columns, out);
		buf_putc(out, '\n');
	}
	if (v->collapse)
		buf_puts(out, "collapse\n");
	if (v->blocks)
		buf_puts(out, "blocks on\n");
	if (ui->arrangement != LAYOUT_AUTO)
		buf_printf(out, "layout %s\n", layout_names[ui->arrangement]);
	for (int i = 0; i < PANES; i++)
		if (ui->pane[i].ops->keep != NULL)
			ui->pane[i].ops->keep(ui->pane[i].self, out);
	put_colors(v, out);
	put_filters(v, out);
	put_marks(v, out);
	if (v->has_sel && (v->sel_row > 0 || out->len > 0))
		buf_printf(out, "at %" PRId64 " %" PRIu64 "\n", v->sel_ts, v->sel_off);
}

/* ---- commands that scripts need */

/* One number; false if there is none. */
static bool
take_i64(const char **s, int64_t *n)
{
	char	*end;

	*n = strtoll(*s, &end, 10);
	if (end == *s)
		return false;
	*s = end + strspn(end, " ");
	return true;
}

void
cmd_window_ticks(struct ui *ui, const struct command_call *call)
{
	const char	*s = call->arg;
	int64_t		 from, to;

	if (take_i64(&s, &from) && take_i64(&s, &to) && from < to)
		view_window_fixed(&ui->v, from, to);
	else
		view_say(&ui->v, "window-ticks: two times in ticks are needed");
}

void
cmd_at(struct ui *ui, const struct command_call *call)
{
	const char	*s = call->arg;
	int64_t		 ts, off;

	if (!take_i64(&s, &ts) || !take_i64(&s, &off) || off < 0) {
		view_say(&ui->v, "at: a time in ticks and an offset are needed");
		return;
	}
	ui->place = (struct place){ .has_sel = true, .ts = ts, .off = (uint64_t)off };
	if (ui->v.complete)
		ui->touched = false;	/* a script says so now */
	session_place(ui);
}

void
session_place(struct ui *ui)
{
	struct view	*v = &ui->v;

	if (!ui->place.has_sel || (!v->complete && (!v->any || v->last <= ui->place.ts)))
		return;
	ui->place.has_sel = false;
	if (!ui->touched)
		view_select_event(v, ui->place.ts, ui->place.off);
	ui->dirty = true;
}

void
cmd_mark_at(struct ui *ui, const struct command_call *call)
{
	const char	*s = call->arg;
	char		 letter = *s;
	int64_t		 ts, off;

	s += letter != '\0';
	if (!take_i64(&s, &ts) || !take_i64(&s, &off) || off < 0)
		view_say(&ui->v, "mark-at: a letter, a time in ticks and an offset are needed");
	else
		(void)marks_set(&ui->v.marks, letter == '-' ? 0 : letter, ts, (uint64_t)off,
		    *s != '\0' ? s : NULL);
}

/* ---- where it is kept */

static uint64_t
hash(uint64_t h, const void *p, size_t len)
{
	const unsigned char	*b = p;

	for (size_t i = 0; i < len; i++)
		h = (h ^ b[i]) * 0x100000001b3u;
	return h;
}

/* 128 bits of what the file is: two hashes with different beginnings. False: it can't be read. */
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

/* The folder, made if need be; false: there is none. */
static bool
state_folder(struct buf *out, bool make)
{
	const char	*dir = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (dir != NULL && dir[0] == '/')
		buf_puts(out, dir);
	else if (home != NULL && home[0] == '/')
		buf_printf(out, "%s/.local/state", home);
	else
		return false;
	buf_puts(out, "/tnav");
	for (char *p = out->p + 1; make && *buf_str(out) != '\0' && p < out->p + out->len; p++) {
		if (*p == '/') {
			*p = '\0';
			(void)mkdir(out->p, 0700);
			*p = '/';
		}
	}
	if (make)
		(void)mkdir(buf_str(out), 0700);
	return true;
}

static bool
state_path(struct ui *ui, struct buf *out, bool make)
{
	const char	*off = getenv("TNAV_NO_STATE"), *trace = trace_path(ui->v.t);

	if (!ui->opt.state || (off != NULL && off[0] != '\0') || strcmp(trace, "-") == 0 ||
	    !state_folder(out, make))
		return false;
	buf_putc(out, '/');
	if (!identity(trace, out))
		return false;
	buf_puts(out, ".tnav");
	return true;
}

/* Write beside the place, then put there. */
static bool
write_file(const char *path, const struct buf *text, mode_t mode)
{
	struct buf	tmp;
	int		fd;
	bool		good = false;
	size_t		at = 0;

	buf_init(&tmp);
	buf_printf(&tmp, "%s.%ld.tmp", path, (long)getpid());
	fd = open(buf_str(&tmp), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd >= 0) {
		while (at < text->len) {
			ssize_t	n = write(fd, text->p + at, text->len - at);

			if (n <= 0 && errno != EINTR)
				break;
			at += n > 0 ? (size_t)n : 0;
		}
		good = close(fd) == 0 && at == text->len && rename(tmp.p, path) == 0;
		if (!good)
			(void)unlink(tmp.p);
	}
	buf_release(&tmp);
	return good;
}

/* ---- at the beginning and at the end */

/* What is not to be overlooked, and the keys that clear it. */
static void
announce(struct ui *ui)
{
	struct view	*v = &ui->v;
	struct buf	*b = &ui->restored;

	buf_clear(b);
	if (v->filter != NULL)
		buf_puts(b, v->whole ? "restored filter: X drops it" : "restored filter (X)");
	if (!v->whole)
		buf_puts(b, b->len > 0 ? " and window (0)" : "restored window: 0 shows all");
}

void
session_restore(struct ui *ui)
{
	struct buf	path, text;

	buf_init(&path);
	buf_init(&text);
	if (state_path(ui, &path, false) && rc_read(buf_str(&path), false, &text) &&
	    text.len > 0) {
		rc_run(ui, "state", buf_str(&text));
		announce(ui);
	}
	buf_release(&path);
	buf_release(&text);
}

void
session_keep(struct ui *ui)
{
	struct buf	path, text;

	buf_init(&path);
	buf_init(&text);
	if (state_path(ui, &path, true)) {
		session_write(ui, &text);
		if (text.len > 0)
			(void)write_file(buf_str(&path), &text, 0600);
		else
			(void)unlink(buf_str(&path));
	}
	buf_release(&path);
	buf_release(&text);
}

bool
session_save(struct ui *ui, const char *path)
{
	struct buf	text;
	bool		good;

	buf_init(&text);
	buf_puts(&text, "# A session of tnav: tnav -x THIS-FILE TRACE brings it back.\n");
	session_write(ui, &text);
	good = write_file(path, &text, 0666);
	if (good)
		view_say(&ui->v, "saved to %s", path);
	else
		view_say(&ui->v, "%s: %s", path, strerror(errno));
	buf_release(&text);
	return good;
}

void
cmd_save_session(struct ui *ui, const struct command_call *call)
{
	if (call->arg[0] == '\0')
		ui_prompt(ui, PROMPT_COMMAND, "save-session ");
	else
		(void)session_save(ui, call->arg);
}

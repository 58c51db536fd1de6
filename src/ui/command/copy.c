/*
 * Copying: to the clipboard of the terminal that the user sits at, however far away, by OSC 52.
 * Only ever on the user's key.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tnav/base/mem.h"
#include "ui/command/export.h"
#include "ui/view/field.h"
#include "ui/shell.h"

#include "ui/command/commands.h"

#define STACK_MAX	4096u

/* ---- where it goes */

static bool
write_all(int fd, const char *p, size_t len)
{
	while (len > 0) {
		ssize_t	n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		len -= (size_t)n;
	}
	return true;
}

/* A new file of the user's alone, in the folder for such things. */
static void
copy_to_file(struct ui *ui, const char *what, const struct buf *text)
{
	static const char *const	folders[] = { "XDG_RUNTIME_DIR", "TMPDIR" };
	const char			*dir = NULL;
	struct buf			 path;
	int				 fd;

	for (size_t i = 0; i < 2 && (dir == NULL || dir[0] != '/'); i++)
		dir = getenv(folders[i]);
	buf_init(&path);
	buf_printf(&path, "%s/tnav-copy-XXXXXX", dir != NULL && dir[0] == '/' ? dir : "/tmp");
	(void)buf_str(&path);
	fd = mkostemp(path.p, O_CLOEXEC);
	if (fd >= 0 && write_all(fd, text->p, text->len))
		view_say(&ui->v, "%s is too long for the clipboard: it is in %s", what, path.p);
	else
		view_say(&ui->v, "%s: %s", path.p, strerror(errno));
	if (fd >= 0)
		close(fd);
	buf_release(&path);
}

/* What is of one line is shown, so that it can be read where there is no clipboard to be seen. */
static void
say_copied(struct ui *ui, const char *what, const struct buf *text)
{
	view_say(&ui->v, "copied the %s (%zu bytes)", what, text->len);
	if (memchr(text->p, '\n', text->len - 1) == NULL)
		buf_printf(&ui->v.message, ": %.*s", (int)text->len, text->p);
}

void
copy_text(struct ui *ui, const char *what, const struct buf *text)
{
	if (text->len == 0)
		view_say(&ui->v, "there is no %s to copy", what);
	else if (ui->s->ops->copy == NULL)
		view_say(&ui->v, "this terminal has no clipboard");
	else if (ui->s->ops->copy(ui->s, text->p, text->len))
		say_copied(ui, what, text);
	else
		copy_to_file(ui, what, text);
}

/* ---- the command line */

/* As one word for sh. */
static void
put_quoted(struct buf *out, const char *s)
{
	static const char	plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./:=+,@%-";

	if (s[0] != '\0' && s[strspn(s, plain)] == '\0') {
		buf_puts(out, s);
		return;
	}
	buf_putc(out, '\'');
	for (; *s != '\0'; s++) {
		if (*s == '\'')
			buf_puts(out, "'\\''");
		else
			buf_putc(out, *s);
	}
	buf_putc(out, '\'');
}

/* Exact: --from is the first nanosecond that is not before the tick. */
static void
put_time(struct buf *out, struct view *v, int64_t ts)
{
	buf_i64(out, trace_ns(v->t, ts));
	buf_puts(out, "ns");
}

void
copy_command_line(struct ui *ui, struct buf *out)
{
	struct view	*v = &ui->v;
	const char	*path = trace_path(v->t);

	buf_puts(out, "tnav dump");
	if (v->filter != NULL) {
		buf_puts(out, " -f ");
		put_quoted(out, v->filter);
	}
	if (!v->whole) {
		buf_puts(out, " --from=");
		put_time(out, v, v->from);
		buf_puts(out, " --to=");
		put_time(out, v, v->to);
	}
	if (v->time_format == TIME_UTC)
		buf_puts(out, " --utc");
	if (path[0] == '-' && path[1] != '\0')
		buf_puts(out, " --");
	buf_putc(out, ' ');
	put_quoted(out, path);
}

/* ---- what is copied */

static void
put_stack(struct view *v, const struct event *e, struct buf *out)
{
	uint64_t	*ips = mem_zalloc(STACK_MAX, sizeof *ips);
	size_t		 n = trace_stack(v->t, e, ips, STACK_MAX);

	for (size_t i = 0; i < n; i++) {
		buf_puts(out, "0x");
		buf_hex(out, ips[i], 1);
		buf_putc(out, '\n');
	}
	mem_free(ips);
}

static void
put_field(struct ui *ui, struct buf *out)
{
	struct pane	*p = &ui->pane[ui->focus];
	struct field_at	 f;

	field_at_init(&f);
	if (p->ops->field != NULL && p->ops->field(p->self, &ui->v, &f))
		buf_add(out, f.text.p, f.text.len);
	field_at_release(&f);
}

static void
put_when(struct view *v, const struct event *e, struct buf *out)
{
	int64_t	from, to;

	if (view_range(v, &from, &to)) {
		put_time(out, v, from);
		buf_puts(out, "..");
		put_time(out, v, to);
	} else {
		put_time(out, v, e->ts);
	}
}

static void
put_line(struct ui *ui, const char *format, const struct event *e, struct buf *out)
{
	if (ui->opt.export != NULL)
		ui->opt.export->line(ui->v.t, format, e, ui->v.sel_row, out);
	else
		filter_row_text(out, ui->v.t, e);
}

void
cmd_copy(struct ui *ui, const struct command_call *call)
{
	static const char *const	words[] = {
		['y'] = "row", ['j'] = "row as JSON", ['f'] = "field", ['t'] = "time",
		['s'] = "stack", ['c'] = "command line",
	};
	struct event	e;
	struct buf	b;

	buf_init(&b);
	if (call->n == 'c')
		copy_command_line(ui, &b);
	else if (view_selected(&ui->v, &e) == 1)
		switch (call->n) {
		case 'y':
		case 'j':
			put_line(ui, call->n == 'j' ? "jsonl" : "text", &e, &b);
			break;
		case 't':
			put_when(&ui->v, &e, &b);
			break;
		case 's':
			put_stack(&ui->v, &e, &b);
			break;
		default:
			put_field(ui, &b);
		}
	copy_text(ui, words[call->n], &b);
	buf_release(&b);
}

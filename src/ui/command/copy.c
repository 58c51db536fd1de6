/*
 * Copying to the clipboard of the user's terminal, also of a remote one, by OSC 52; in tmux also to
 * its buffer. This happens only when the user presses the key, and a message reports it.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/engine/joined.h"
#include "tnav/engine/naming.h"
#include "tnav/io/file.h"
#include "tnav/io/paths.h"
#include "ui/command/export.h"
#include "ui/command/row_commands.h"
#include "ui/view/field.h"
#include "ui/shell.h"

#include "ui/command/commands.h"

#define STACK_MAX	4096u
#define COPIES_MAX	1000u		/* files with texts that are too long */

/* ---- where it goes */

/* Write a new file that only the user can read. */
static void
copy_to_file(struct ui *ui, const char *what, const struct buf *text)
{
	struct buf	path = { 0 };
	int		err = -1;

	for (unsigned i = 0; i < COPIES_MAX && err < 0; i++) {
		buf_clear(&path);
		paths_moment(&path);
		buf_printf(&path, "/tnav-copy-%ld-%u", (long)getpid(), i);
		err = file_put(buf_str(&path), text, FILE_PRIVATE);
		if (err < 0 && errno != EEXIST)
			break;
	}
	if (err == 0)
		view_say(&ui->v, "%s too long for the clipboard, saved to %s", what,
		    buf_str(&path));
	else
		view_say(&ui->v, "%s: %s", buf_str(&path), strerror(errno));
	buf_release(&path);
}

/* Report a copy. A single line is shown, so that it can be read even without a clipboard. */
static void
say_copied(struct ui *ui, const char *what, const char *how, const char *note,
    const struct buf *text)
{
	struct buf	*b = &ui->v.message;

	view_say(&ui->v, "copied the %s (", what);
	buf_grouped(b, text->len);
	buf_printf(b, " bytes)%s", how);
	if (memchr(text->p, '\n', text->len - 1) == NULL)
		buf_printf(b, ": %.*s", (int)text->len, text->p);
	buf_puts(b, note);
}

static void
to_tmux(struct ui *ui, const char *what, const char *note, const struct buf *text)
{
	struct copying	*c = &ui->copying;

	buf_clear(&c->what);
	buf_puts(&c->what, what);
	buf_clear(&c->note);
	buf_puts(&c->note, note);
	if (!clip_start(&c->clip, text))
		view_say(&ui->v, "the %s was sent to the terminal only (OSC 52): %s", what,
		    buf_str(&c->clip.why));
}

void
copy_text(struct ui *ui, const char *what, const char *note, const struct buf *text)
{
	if (text->len == 0) {
		view_say(&ui->v, "no %s to copy", what);
	} else if (ui->screen.s->ops->copy == NULL) {
		view_say(&ui->v, "this terminal has no clipboard");
	} else if (!ui->screen.s->ops->copy(ui->screen.s, text->p, text->len)) {
		copy_to_file(ui, what, text);
	} else {
		say_copied(ui, what, ", sent to the terminal (OSC 52)", note, text);
		if (clip_here())
			to_tmux(ui, what, note, text);
	}
}

bool
copy_busy(const struct ui *ui)
{
	return ui->copying.clip.pid > 0;
}

void
copy_step(struct ui *ui)
{
	struct copying	*c = &ui->copying;

	switch (clip_step(&c->clip)) {
	case CLIP_GOES_ON:
		return;
	case CLIP_TAKEN:
		say_copied(ui, buf_str(&c->what), " to tmux's buffer", buf_str(&c->note),
		    &c->clip.text);
		break;
	case CLIP_REFUSED:
		view_say(&ui->v, "the %s was sent to the terminal only (OSC 52): %s",
		    buf_str(&c->what), buf_str(&c->clip.why));
		break;
	}
	ui->screen.dirty = true;
}

void
copy_release(struct copying *c)
{
	clip_release(&c->clip);
	buf_release(&c->what);
	buf_release(&c->note);
}

/* ---- the command line */

/* Exact: --from is the first nanosecond that is not before the tick. */
static void
put_time(struct buf *out, struct view *v, int64_t ts)
{
	buf_i64(out, trace_ns(v->t, ts));
	buf_puts(out, "ns");
}

static void
put_window(struct buf *out, struct view *v)
{
	if (v->window.whole)
		return;
	buf_puts(out, " --from=");
	put_time(out, v, v->window.from);
	buf_puts(out, " --to=");
	put_time(out, v, v->window.to);
}

/* Words that each end with NUL. */
static void
put_words(const struct buf *words, struct buf *out)
{
	for (size_t at = 0; at < words->len; at += strlen(words->p + at) + 1) {
		buf_putc(out, ' ');
		text_shell(out, words->p + at);
	}
}

/* The subcommand that prints what the pane shows, with its options. False: there is none. */
static bool
put_subcommand(struct ui *ui, const struct pane *p, unsigned *depends, struct buf *out)
{
	const char	*prints = p->ops->prints;
	struct buf	 words = { 0 };
	bool		 good;

	if (p->ops->prints_now != NULL)
		prints = p->ops->prints_now(p->self, depends);
	good = prints != NULL;
	if (good)
		buf_printf(out, " %s", prints);
	if (p->ops->print_options != NULL)
		good = p->ops->print_options(p->self, &ui->v, &words);
	if (good)
		put_words(&words, out);
	buf_release(&words);
	return good;
}

/* The options for the filter and the window, as far as the command depends on them. */
static void
put_choice(struct view *v, unsigned depends, struct buf *out)
{
	if (v->filter.text != NULL && depends & PRINTS_FILTER) {
		buf_puts(out, " -f ");
		text_shell(out, v->filter.text);
	}
	if (depends & PRINTS_WINDOW)
		put_window(out, v);
}

static void
put_path(const char *path, struct buf *out)
{
	if (path[0] == '-' && path[1] != '\0')
		buf_puts(out, " --");
	buf_putc(out, ' ');
	text_shell(out, path);
}

static void
put_trace(struct view *v, struct buf *out)
{
	for (uint32_t i = 0; i < trace_sources(v->t); i++)
		put_path(trace_path(trace_source(v->t, i)), out);
}

/* The command line that prints what the view shows. */
static void
copy_command_line(struct ui *ui, struct buf *out)
{
	const struct pane	*p = &ui->panes.pane[ui->panes.focus];
	struct view		*v = &ui->v;
	unsigned		 depends = p->ops->depends;
	bool			 of_two;

	buf_puts(out, "tnav");
	if (!put_subcommand(ui, p, &depends, out)) {
		out->len = strlen("tnav");
		buf_puts(out, " dump");
		depends = PRINTS_WINDOW | PRINTS_FILTER;
	}
	of_two = depends & PRINTS_OTHER && span_begins(span_of_buf(out), "tnav diff");
	put_choice(v, depends, out);
	if (of_two && !v->window.whole)		/* of B it is the whole trace */
		buf_puts(out, " --b-from=0s");
	if (v->display.time_format == TIME_UTC)
		buf_puts(out, " --utc");
	put_trace(v, out);
	if (of_two)
		put_path(v->comparison.path, out);
}

void
copy_writer_line(struct ui *ui, const char *program, const char *flag, const char *path,
    struct buf *out)
{
	struct buf	words = { 0 };

	if (flag != NULL)
		calls_put_words(&ui->v.calls, &words);
	else
		buf_printf(&words, "convert%c", '\0');
	text_shell(out, program);
	put_words(&words, out);
	buf_printf(out, "%s%s -o ", flag != NULL ? " " : "", flag != NULL ? flag : "");
	text_shell(out, path);
	put_choice(&ui->v, PRINTS_WINDOW | PRINTS_FILTER, out);
	put_trace(&ui->v, out);
	buf_release(&words);
}

/* ---- what is copied */

/* Unprintable characters become \\n, \\t and \\xHH: pasted control characters could run
   commands. */
static void
put_printable(struct buf *out, const struct buf *text)
{
	const uint8_t		*p = (const uint8_t *)text->p, *end = p + text->len;
	struct text_scratch	 scratch;
	struct text_piece	 piece;

	for (const uint8_t *from = p; text_next(&p, end, TEXT_UTF8, &scratch, &piece); from = p) {
		if (!piece.escaped)
			buf_add(out, from, (size_t)(p - from));
		for (; piece.escaped && from < p; from++) {
			if (*from == '\n' || *from == '\t')
				buf_puts(out, *from == '\n' ? "\\n" : "\\t");
			else
				buf_printf(out, "\\x%02x", *from);
		}
	}
}

static void
put_stack(struct view *v, const struct event *e, struct buf *out)
{
	uint64_t	*ips = mem_zalloc(STACK_MAX, sizeof *ips);
	size_t		 n = trace_stack(v->t, e, ips, STACK_MAX), begin = out->len;
	struct buf	 one = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct frame_name	f;

		(void)trace_name_bounded(v->t, e, ips[i], (unsigned)i, !v->display.raw_names,
		    out->len - begin, &f);
		buf_clear(&one);
		frame_text(&one, &f, ips[i], v->display.raw_names ? FRAME_RAW : FRAME_CLEAN);
		put_printable(out, &one);
		buf_putc(out, '\n');
	}
	buf_release(&one);
	mem_free(ips);
}

/* The text under the cursor, raw or printable. True: it has unprintable characters. */
static bool
put_field(struct ui *ui, bool raw, struct buf *out)
{
	struct pane	*p = &ui->panes.pane[ui->panes.focus];
	struct field_at	 f = { 0 };
	bool		 controls = false;

	if (p->ops->field != NULL && p->ops->field(p->self, &ui->v, &f) && f.text.len > 0) {
		controls = !text_is_clean(f.text.p, f.text.len);
		if (raw)
			buf_add(out, f.text.p, f.text.len);
		else
			put_printable(out, &f.text);
	}
	field_at_release(&f);
	return controls;
}

static void
put_when(struct view *v, const struct event *e, struct buf *out)
{
	int64_t	from, to;

	if (view_range(v, &from, &to)) {
		view_time_exact(v, from, out);
		buf_puts(out, "..");
		view_time_exact(v, to, out);
	} else {
		view_time_exact(v, e->ts, out);
	}
}

static void
put_line(struct ui *ui, const char *format, const struct event *e, struct buf *out)
{
	if (ui->opt.export != NULL)
		ui->opt.export->line(ui->v.t, format, e, ui->v.sel.row, out);
	else
		field_row_text(ui->v.reader, out, e);
}

/* n: y j f t s c */
void
cmd_copy(struct ui *ui, const struct command_call *call)
{
	static const char *const	words[] = {
		['y'] = "row", ['j'] = "row as JSON", ['f'] = "field", ['t'] = "time",
		['s'] = "stack", ['c'] = "command line", ['F'] = "raw field",
		['Y'] = "table",
	};
	struct table_pane	*rows = rows_here(ui);
	const char		*note = "";
	bool			 controls = false;
	struct event		 e;
	struct buf		 b = { 0 };

	if (call->n == 'c')
		copy_command_line(ui, &b);
	else if (rows != NULL && (call->n == 'y' || call->n == 'j' || call->n == 'Y'))
		rows_print(ui, rows, call->n == 'j' ? "jsonl" : "text", call->n == 'Y', &b);
	else if (call->n == 'Y')
		;	/* not a table of events */
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
			controls = put_field(ui, call->n == 'F', &b);
		}
	if (controls)
		note = call->n == 'F' ? " (with control characters: pasting it may run commands)" :
		    " (control characters escaped; yF copies them raw)";
	copy_text(ui, words[call->n], note, &b);
	buf_release(&b);
}

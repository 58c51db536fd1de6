/*
 * Prompts at work: what the text being typed could become, whether it is right, how many events
 * it would show, and what is done with it when it is whole.
 *
 *	key -> prompt.c (text) -> changed: palette, preview -> Enter: the kind's own action
 *
 * Invariant: preview exists only while the filter prompt holds an expression that compiles.
 */
#include "ui/command/ui_prompt.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/engine/filter.h"
#include "ui/term/key.h"
#include "ui/command/rows.h"
#include "ui/shell.h"

void
typing_init(struct typing *y)
{
	*y = (struct typing){ .count = -1 };
	prompt_init(&y->prompt);
	buf_init(&y->question.text);
}

void
typing_forget(struct typing *y)
{
	query_free(y->preview);
	y->preview = NULL;
	palette_clear(&y->palette);
}

void
typing_release(struct typing *y)
{
	typing_forget(y);
	palette_release(&y->palette);
	prompt_release(&y->prompt);
	question_release(&y->question);
}

bool
typing_busy(const struct typing *y)
{
	return y->preview != NULL && !query_done(y->preview);
}

/* Find out what could be typed next, and begin to count what the filter would show. */
void
ui_prompt_changed(struct ui *ui)
{
	struct prompt	*p = &ui->typing.prompt;
	struct view	*v = &ui->v;

	query_free(ui->typing.preview);
	ui->typing.preview = NULL;
	palette_find(&ui->typing.palette, &ui->keymap, v->t, p->kind, buf_str(&p->text), p->at);
	if (p->kind != PROMPT_FILTER || p->text.len == 0)
		return;
	ui->typing.preview = view_query(v, span_of_buf(&p->text), view_now_ns(v), NULL);
}

/* Put the chosen candidate in place of the word being typed. */
static void
complete(struct ui *ui)
{
	const struct candidate	*k = palette_chosen(&ui->typing.palette);

	if (k == NULL)
		return;
	prompt_replace(&ui->typing.prompt, ui->typing.palette.from, k->text);
	if (ui->typing.prompt.kind != PROMPT_COMMAND || k->cmd == NULL || k->cmd->args != NULL)
		prompt_insert(&ui->typing.prompt, ' ');
}

void
ui_prompt(struct ui *ui, enum prompt_kind kind, const char *text)
{
	buf_clear(&ui->v.message);
	prompt_start(&ui->typing.prompt, kind, text);
	ui_prompt_changed(ui);
}

bool
ui_parse_time(struct ui *ui, const char *s, size_t len, int64_t *ns)
{
	while (len > 0 && s[len - 1] == ' ')
		len--;
	while (len > 0 && *s == ' ')
		s++, len--;
	if (filter_parse_time(ui->v.t, s, len, view_now_ns(&ui->v), ns) == 0)
		return true;
	view_say(&ui->v, "\"%.*s\" is not a time: 2.1s, 350ms, +5s, 2026-11-21T12:17:35Z, "
	    "or a range 2.1s..2.4s", (int)len, s);
	return false;
}

static bool
go_to_range(struct ui *ui, const char *text, const char *dots)
{
	struct view	*v = &ui->v;
	int64_t		 from, to, ns;

	from = v->window.first;
	to = v->window.last < INT64_MAX ? v->window.last + 1 : v->window.last;
	if (text[strspn(text, " ")] != '.') {
		if (!ui_parse_time(ui, text, (size_t)(dots - text), &ns))
			return false;
		from = trace_ts(v->t, ns);
	}
	if (dots[2 + strspn(dots + 2, " ")] != '\0') {
		if (!ui_parse_time(ui, dots + 2, strlen(dots + 2), &ns))
			return false;
		to = trace_ts(v->t, ns);
	}
	if (from > to) {
		view_say(v, "the range ends before it begins");
		return false;
	}
	if (from == to || from > v->window.last || to <= v->window.first) {
		view_say(v, "the trace has nothing in %s: it is from ", text);
		view_secs(v, v->window.first, &v->message);
		buf_puts(&v->message, " to ");
		view_secs(v, v->window.last, &v->message);
		return false;
	}
	if (!view_window(v, from, to))
		view_say(v, "the window is that already");
	return true;
}

bool
ui_go_to_time(struct ui *ui, const char *text)
{
	struct view	*v = &ui->v;
	const char	*dots = strstr(text, "..");
	int64_t		 ns, ts;
	uint64_t	 off;

	if (!v->window.any) {
		view_say(v, "there are no events to go to");
		return false;
	}
	if (dots != NULL)
		return go_to_range(ui, text, dots);
	if (!ui_parse_time(ui, text, strlen(text), &ns))
		return false;
	ts = trace_ts(v->t, ns);
	view_remember(v);
	off = v->sel.off;
	view_window_reach(v, ts);
	if (ts < v->window.first || ts > v->window.last)
		view_say(v, ts < v->window.first ? "that is before the first event" :
		    "that is after the last event");
	view_select_row(v, trace_row_at(v->t, ts));
	if (v->sel.off == off && v->message.len == 0)
		view_say(v, "this is the first event from then on");
	return true;
}

/* ---- what is said of a prompt's text while it is being typed */

/* "1,204 of 4.8 M events", from the window outward while it counts. */
static void
put_preview(struct ui *ui, struct buf *out)
{
	uint64_t	hits = query_hits(ui->typing.preview);

	buf_puts(out, "valid: ");
	buf_grouped(out, hits);
	buf_puts(out, " of ");
	buf_grouped(out, ui->v.window.row1 - ui->v.window.row0);
	if (!query_done(ui->typing.preview))
		buf_printf(out, ", %d %% looked at", (int)(query_share(ui->typing.preview) * 100));
	if (query_remark(ui->typing.preview) != NULL)
		buf_printf(out, " (%s)", query_remark(ui->typing.preview));
}

static void
prompt_status(struct ui *ui, struct buf *out)
{
	struct prompt		*p = &ui->typing.prompt;
	struct filter_error	 err;
	struct filter		*f = NULL;
	struct buf		 expr;
	int			 r;

	if (p->text.len == 0)
		return;
	if (p->kind == PROMPT_COMMAND && ui->typing.palette.n == 0 &&
	    memchr(p->text.p, ' ', p->text.len) == NULL)
		buf_puts(out, "no such command");
	if (p->kind != PROMPT_FILTER && p->kind != PROMPT_SEARCH)
		return;
	buf_init(&expr);
	filter_error_init(&err);
	if (p->kind == PROMPT_SEARCH)
		view_pattern_filter(&ui->v, buf_str(&p->text), &expr);
	else
		buf_add(&expr, p->text.p, p->text.len);
	r = filter_new(&f, expr.p, expr.len, ui->v.t, false, view_now_ns(&ui->v), &err);
	filter_free(f);
	if (r < 0 && p->kind == PROMPT_FILTER)
		buf_printf(out, "column %zu: ", filter_error_column(&err, buf_str(&expr)));
	buf_puts(out, buf_str(&err.text));
	if (err.text.len == 0 && ui->typing.preview != NULL)
		put_preview(ui, out);
	filter_error_release(&err);
	buf_release(&expr);
}

/* The text is whole. True: the prompt is done with. */
static bool
prompt_done(struct ui *ui, enum prompt_kind kind, const char *text)
{
	struct view	*v = &ui->v;

	switch (kind) {
	case PROMPT_COMMAND:
		(void)ui_command(ui, text);
		return true;
	case PROMPT_SEARCH:
		if (text[0] == '\0') {
			(void)ui_command(ui, "next-hit");
			return true;
		}
		if (rows_here(ui) != NULL)
			return table_pane_search(rows_here(ui), v, text, 1);
		view_remember(v);
		if (!view_search(v, text))
			return false;
		view_search_next(v, 2);
		return true;
	case PROMPT_FILTER:
		return view_set_filter(v, text);
	case PROMPT_TIME:
		return text[0] == '\0' || ui_go_to_time(ui, text);
	case PROMPT_PIPE:
		return text[0] == '\0' || export_pipe(ui, text);
	case PROMPT_EXPORT:
		return text[0] == '\0' || export_start(ui, text);
	case PROMPT_NONE:
	case PROMPT_KINDS:
		break;
	}
	return true;
}

/*
 * A command that is not quite typed is the one that the palette has chosen. Blanks after it are
 * those that completing a word has put there.
 */
static char *
command_typed(struct ui *ui)
{
	const struct candidate	*k = palette_chosen(&ui->typing.palette);
	const char		*text = buf_str(&ui->typing.prompt.text);
	size_t			 len = strcspn(text, " "), end = strlen(text);

	while (ui->typing.prompt.kind == PROMPT_COMMAND && end > 0 && text[end - 1] == ' ')
		end--;
	if (ui->typing.prompt.kind == PROMPT_COMMAND && k != NULL && k->cmd != NULL && len > 0 &&
	    text[len] == '\0' && command_by_name(&ui->keymap, text, len) == NULL)
		return mem_strdup(k->text);
	return mem_strndup(text, end);
}

void
ui_prompt_key(struct ui *ui, int32_t key)
{
	enum prompt_kind	 kind = ui->typing.prompt.kind;
	char			*text;

	buf_clear(&ui->v.message);
	switch (prompt_key(&ui->typing.prompt, key)) {
	case PROMPT_DONE:
		text = command_typed(ui);
		prompt_keep(&ui->typing.prompt, kind, text);
		ui->typing.prompt.kind = PROMPT_NONE;
		if (!prompt_done(ui, kind, text))
			ui->typing.prompt.kind = kind;	/* wrong: let it be mended */
		mem_free(text);
		break;
	case PROMPT_GIVEN_UP:
		ui->typing.prompt.kind = PROMPT_NONE;
		break;
	case PROMPT_COMPLETE:
		complete(ui);
		break;
	case PROMPT_NEXT:
	case PROMPT_PREVIOUS:
		palette_step(&ui->typing.palette, key == KEY_CTRL('N') ? 1 : -1);
		return;
	case PROMPT_GOES_ON:
		break;
	}
	ui_prompt_changed(ui);
}

/* ---- drawing */

/* The line above the prompt says whether the text is valid, or what could be meant. */
void
ui_prompt_draw(struct ui *ui)
{
	struct buf	b;
	struct rect	r = { ui->screen.rows - 2, 0, 1, ui->screen.cols };

	buf_init(&b);
	if (ui->v.message.len > 0)
		buf_add(&b, ui->v.message.p, ui->v.message.len);
	else
		prompt_status(ui, &b);
	if (b.len > 0) {
		canvas_blank(&ui->screen.c, r, ST_DIM);
		(void)canvas_puts(&ui->screen.c, r.y, 1, r.w - 1, ST_STRONG, buf_str(&b));
		r.y--;
	}
	(void)palette_draw(&ui->typing.palette, &ui->keymap, &ui->screen.c, r.y + 1, r.y - 1);
	buf_release(&b);
}

/*
 * Prompts: the completions of the typed text, whether it is valid, how many events it would show,
 * and the action when it is entered.
 *
 *	key -> prompt.c (text) -> changed: palette, preview -> Enter: the kind's own action
 *
 * Invariant: view.preview exists only while the filter prompt holds an expression that compiles.
 */
#include "ui/command/ui_prompt.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/text.h"
#include "tnav/base/units.h"
#include "tnav/engine/filter.h"
#include "ui/term/key.h"
#include "ui/shell.h"

#define COUNT_APART	8	/* width between the typed text and the count of candidates */

void
typing_release(struct typing *y)
{
	palette_release(&y->palette);
	prompt_release(&y->prompt);
	question_release(&y->question);
}

/* Begin to count the events that Enter would show. */
static void
preview(struct ui *ui)
{
	struct prompt	*p = &ui->typing.prompt;
	struct view	*v = &ui->v;
	struct buf	 expr = { 0 };

	if (p->adds)
		filter_join(&expr, (const char *[]){ v->filter.text, buf_str(&p->text) }, 2);
	else
		buf_add(&expr, p->text.p, p->text.len);
	v->preview = view_query(v, span_of_buf(&expr), view_now_ns(v), NULL);
	buf_release(&expr);
}

/* Find candidates, and begin to count the events that the filter matches. */
void
ui_prompt_changed(struct ui *ui)
{
	struct prompt	*p = &ui->typing.prompt;
	struct view	*v = &ui->v;

	query_free(ui->v.preview);
	ui->v.preview = NULL;
	palette_find(&ui->typing.palette, v, &ui->panes, p->kind, buf_str(&p->text), p->at);
	if (p->kind == PROMPT_SEARCH)
		find_typed(ui, buf_str(&p->text));
	if (p->kind == PROMPT_FILTER && p->text.len > 0)
		preview(ui);
}

/*
 * Insert the selected candidate instead of the current word; again: the next one (dir > 0). True:
 * there are others, and the list stays unchanged.
 */
static bool
complete(struct ui *ui, int dir)
{
	struct palette		*list = &ui->typing.palette;
	const struct candidate	*k;

	if (list->put || palette_chosen(list) == NULL)
		palette_step(list, dir);
	k = palette_chosen(list);
	if (k == NULL)
		return false;
	prompt_replace(&ui->typing.prompt, list->from, k->text);
	if (!list->paths && (ui->typing.prompt.kind != PROMPT_COMMAND || k->cmd == NULL ||
	    k->cmd->args != NULL))
		prompt_insert(&ui->typing.prompt, ' ');
	list->put = list->n > 1;
	return list->put;
}

/* Down enters the list, Up leaves it. Above the list, or without one, they walk through the
   history. */
static void
walk(struct ui *ui, int dir)
{
	struct prompt	*p = &ui->typing.prompt;
	struct palette	*list = &ui->typing.palette;

	if (dir > 0 ? p->back == 0 && list->n > 0 : list->walked && list->at > 0) {
		palette_step(list, dir);
		list->put = false;
	} else if (dir < 0 && list->walked) {
		list->walked = list->put = false;
	} else {
		prompt_history(p, dir);
		ui_prompt_changed(ui);
	}
}

void
ui_prompt(struct ui *ui, enum prompt_kind kind, const char *text)
{
	view_hush(&ui->v);
	prompt_start(&ui->typing.prompt, kind, text);
	ui_prompt_changed(ui);
}

void
ui_prompt_term(struct ui *ui)
{
	ui_prompt(ui, PROMPT_FILTER, "");
	ui->typing.prompt.adds = ui->v.filter.text != NULL;
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
	return view_refuse(&ui->v, "not a time: \"%.*s\" (2.1s, 350ms, +5s, 2026-11-21T12:17:35Z, "
	    "or a range 2.1s..2.4s)", (int)len, s);
}

/* "50%" of the time from the first to the last known event. */
static bool
parse_part(const struct view *v, const char *s, size_t len, int64_t *ns)
{
	int64_t		first = trace_ns(v->t, v->window.first);
	int64_t		last = trace_ns(v->t, v->window.last), millionths;

	if (len < 2 || s[len - 1] != '%' || s[len - 2] < '0' || s[len - 2] > '9' ||
	    units_parse_dur(s, len - 1, 1000000, &millionths) != 0 || millionths < 0 ||
	    millionths > 100000000)
		return false;
	*ns = first + (int64_t)(((__int128)last - first) * millionths / 100000000);
	return true;
}

/* A time as in filters, a part of the trace, or plain seconds. */
static bool
parse_point(struct ui *ui, const char *s, size_t len, int64_t now_ns, int64_t *ns)
{
	struct view	*v = &ui->v;

	while (len > 0 && s[len - 1] == ' ')
		len--;
	while (len > 0 && *s == ' ') {
		s++;
		len--;
	}
	if (filter_parse_time(v->t, s, len, now_ns, ns) == 0 || parse_part(v, s, len, ns))
		return true;
	if (len > 0 && s[0] >= '0' && s[0] <= '9' && s[len - 1] >= '0' && s[len - 1] <= '9' &&
	    units_parse_dur(s, len, 1000000000, ns) == 0)
		return true;
	return view_refuse(v, "not a time: \"%.*s\" (2.1s, 0.5, 50%%, +5s, 14:03:22, 2.1s..2.4s, "
	    "a..+10ms)", (int)len, s);
}

static bool
go_to_range(struct ui *ui, const char *text, const char *dots)
{
	struct view	*v = &ui->v;
	int64_t		 from, to, ns = trace_ns(v->t, v->window.first);

	from = v->window.first;
	to = v->window.last < INT64_MAX ? v->window.last + 1 : v->window.last;
	if (text[strspn(text, " ")] != '.') {
		if (!parse_point(ui, text, (size_t)(dots - text), view_now_ns(v), &ns))
			return false;
		from = trace_ts(v->t, ns);
	}
	if (dots[2 + strspn(dots + 2, " ")] != '\0') {
		if (!parse_point(ui, dots + 2, strlen(dots + 2), ns, &ns))
			return false;	/* +10ms counts from the beginning of the range */
		to = trace_ts(v->t, ns);
	}
	if (from > to)
		return view_refuse(v, "the range ends before it starts");
	if (from == to || from > v->window.last || to <= v->window.first) {
		view_refuse(v, "the trace has no events in %s: it lasts from ", text);
		view_secs(v, v->window.first, &v->message);
		buf_puts(&v->message, " to ");
		view_secs(v, v->window.last, &v->message);
		return false;
	}
	if (!view_window(v, from, to))
		view_say(v, "that is already the window");
	view_select_toward(v, v->window.row0, 1);
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
		view_say(v, "no events to go to");
		return false;
	}
	if (dots != NULL)
		return go_to_range(ui, text, dots);
	if (!parse_point(ui, text, strlen(text), view_now_ns(v), &ns))
		return false;
	ts = trace_ts(v->t, ns);
	view_remember(v);
	off = v->sel.off;
	view_window_reach(v, ts);
	if (ts < v->window.first || ts > v->window.last) {
		buf_clear(&v->message);
		view_secs(v, ts, &v->message);
		if (ts < v->window.first)
			buf_puts(&v->message, " is before the beginning; at the first event");
		else
			buf_puts(&v->message, v->complete ?
			    " is past the end; at the last event" :
			    " is not indexed yet; at the last event so far");
	}
	view_select_row(v, trace_row_at(v->t, ts));
	if (v->sel.off == off && v->message.len == 0)
		view_say(v, "at the first event after that time");
	return true;
}

/* ---- the line above the prompt */

/* "1,204 of 4.8 M events"; while it counts, those counted so far. */
static void
put_preview(struct ui *ui, struct buf *out)
{
	uint64_t	hits = query_hits(ui->v.preview);

	buf_counts(out, "valid: # of #", hits, ui->v.window.row1 - ui->v.window.row0);
	if (!query_done(ui->v.preview))
		buf_printf(out, ", %u %% searched", percent_of(query_share(ui->v.preview)));
	if (query_remark(ui->v.preview) != NULL)
		buf_printf(out, " (%s)", query_remark(ui->v.preview));
}

/* The effect of Enter. */
static void
command_status(struct ui *ui, struct buf *out)
{
	const struct palette	*list = &ui->typing.palette;
	const struct candidate	*k = palette_chosen(list);
	const struct prompt	*p = &ui->typing.prompt;

	if (strcmp(buf_str((struct buf *)&p->text), "$") == 0)
		buf_puts(out, "Enter goes to the last row");
	else if (ui_is_place(p->text.p))
		buf_printf(out, "Enter goes to %s", strchr(p->text.p, '%') != NULL ?
		    "that part of the trace" : "that row");
	else if (k != NULL && (k->cmd != NULL || !list->put))
		buf_printf(out, k->cmd != NULL ? "Enter runs %s" : "Enter takes %s", k->text);
	else if (list->n == 0 && memchr(p->text.p, ' ', p->text.len) == NULL)
		buf_puts(out, "unknown command");
	else if (list->names)
		buf_puts(out, "unknown command; Tab chooses one of these");
}

static void
prompt_status(struct ui *ui, struct buf *out)
{
	struct prompt		*p = &ui->typing.prompt;
	struct filter_error	 err = { 0 };
	struct filter		*f = NULL;
	struct buf		 expr = { 0 };
	int			 r;

	if (p->text.len == 0)
		return;
	if (p->kind == PROMPT_COMMAND)
		command_status(ui, out);
	if (p->kind != PROMPT_FILTER && p->kind != PROMPT_SEARCH)
		return;
	if (p->kind == PROMPT_SEARCH)
		view_pattern_filter(&ui->v, buf_str(&p->text), &expr);
	else
		buf_add(&expr, p->text.p, p->text.len);
	r = filter_new(&f, expr.p, expr.len, ui->v.t, false, view_now_ns(&ui->v), &err);
	filter_free(f);
	if (r < 0 && p->kind == PROMPT_FILTER)
		buf_printf(out, "column %zu: ", filter_error_column(&err, buf_str(&expr)));
	buf_puts(out, buf_str(&err.text));
	if (err.text.len == 0 && ui->v.preview != NULL)
		put_preview(ui, out);
	filter_error_release(&err);
	buf_release(&expr);
}

/* Enter was pressed. True: close the prompt. */
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
		if (find_here(ui))
			return find_first(ui, text);
		view_remember(v);
		if (!text_same(v->search.pattern, text) && !view_search(v, text))
			return false;
		view_search_next(v, 2);
		return true;
	case PROMPT_FILTER:
		if (ui->typing.prompt.adds)
			return text[0] == '\0' || view_filter_add(v, text);
		return view_set_filter(v, text);
	case PROMPT_TIME:
		return text[0] == '\0' || ui_go_to_time(ui, text);
	case PROMPT_PIPE:
		return text[0] == '\0' || export_pipe(ui, text);
	case PROMPT_EXPORT:
		return text[0] == '\0' || export_start(ui, text, false);
	case PROMPT_NONE:
	case PROMPT_KINDS:
		break;
	}
	return true;
}

/*
 * The text that Enter takes: the selected candidate is a command to run, or is inserted first.
 * Blanks after a command come from completing it.
 */
static char *
text_taken(struct ui *ui)
{
	const struct palette	*list = &ui->typing.palette;
	const struct candidate	*k = palette_chosen(list);
	const struct prompt	*p = &ui->typing.prompt;
	const char		*text;
	size_t			 end;

	if (k != NULL && k->cmd != NULL && !list->put)
		return mem_strdup(k->text);
	if (k != NULL && list->walked && !list->put)
		(void)complete(ui, 1);
	text = buf_str((struct buf *)&p->text);
	end = strlen(text);
	while (p->kind == PROMPT_COMMAND && end > 0 && text[end - 1] == ' ')
		end--;
	return mem_strndup(text, end);
}

/*
 * A single word is not a filter. As in less and htop, the user may mean it as text: turn it into a
 * pattern, which the next Enter accepts.
 */
static void
offer_pattern(struct ui *ui, const char *text)
{
	struct prompt	*p = &ui->typing.prompt;
	size_t		 len = strlen(text);
	struct buf	 pattern = { 0 };

	if (len == 0 || strcspn(text, " =!<>~()\"'/") < len)
		return;
	filter_quote_pattern(&pattern, text, len);
	p->at = p->text.len;
	prompt_replace(p, 0, buf_str(&pattern));
	buf_release(&pattern);
	view_say(&ui->v, "not a comparison; press Enter to match it as text");
}

/* Enter. In a filter, a selected word is inserted, and the prompt stays open. */
static void
take(struct ui *ui)
{
	struct prompt		*p = &ui->typing.prompt;
	const struct palette	*list = &ui->typing.palette;
	enum prompt_kind	 kind = p->kind;
	bool			 word = kind == PROMPT_FILTER && list->walked && !list->put;
	bool			 typed;
	char			*text = text_taken(ui);

	if (!word) {
		typed = strncmp(text, buf_str(&p->text), strlen(text)) == 0;
		prompt_keep(p, kind, text);
		find_typed_end(ui, text[0] != '\0' && ui->v.search.pattern != NULL &&
		    strcmp(ui->v.search.pattern, text) == 0);
		buf_clear(&ui->v.message);
		p->kind = PROMPT_NONE;
		if (prompt_done(ui, kind, text)) {
			if (kind == PROMPT_COMMAND && !typed && ui->v.message.len == 0)
				view_say(&ui->v, ":%s", text);
		} else {
			p->kind = kind;		/* an error: let the user correct it */
			if (kind == PROMPT_FILTER)
				offer_pattern(ui, text);
		}
	}
	mem_free(text);
}

void
ui_prompt_key(struct ui *ui, int32_t key)
{
	view_hush(&ui->v);
	switch (prompt_key(&ui->typing.prompt, key)) {
	case PROMPT_DONE:
		take(ui);
		break;
	case PROMPT_GIVEN_UP:
		find_typed_end(ui, false);
		buf_clear(&ui->v.message);
		ui->typing.prompt.kind = PROMPT_NONE;
		break;
	case PROMPT_COMPLETE:
		if (complete(ui, 1))
			return;
		break;
	case PROMPT_NEXT:
	case PROMPT_PREVIOUS:
		if (ui->typing.palette.put && key == TK_BACKTAB) {
			(void)complete(ui, -1);
			return;
		}
		palette_step(&ui->typing.palette, key == KEY_CTRL('N') ? 1 : -1);
		ui->typing.palette.put = false;
		return;
	case PROMPT_UP:
	case PROMPT_DOWN:
		walk(ui, key == TK_UP ? -1 : 1);
		return;
	case PROMPT_GOES_ON:
		break;
	}
	ui_prompt_changed(ui);
}

/* ---- drawing */

/* Draw the line above the prompt: whether the text is valid, or what could follow. */
void
ui_prompt_draw(struct ui *ui)
{
	struct buf	b = { 0 };
	struct rect	r = { ui->screen.rows - 2, 0, 1, ui->screen.cols };

	if (ui->v.message.len > 0)
		buf_add(&b, ui->v.message.p, ui->v.message.len);
	else
		prompt_status(ui, &b);
	if (b.len > 0) {
		canvas_blank(&ui->screen.c, r, ST_DIM);
		(void)canvas_puts(&ui->screen.c, r.y, 1, r.w - 1, ST_STRONG, buf_str(&b));
		r.y--;
	}
	palette_draw(&ui->typing.palette, &ui->keymap, &ui->screen.c, r.y + 1, r.y - 1);
	buf_clear(&b);
	palette_count(&ui->typing.palette, &b);
	if (ui->screen.c.cursor_x + (int)b.len + COUNT_APART < ui->screen.cols)
		canvas_right(&ui->screen.c, ui->screen.rows - 1, 0, ui->screen.cols - 1, ST_DIM,
		    buf_str(&b));
	buf_release(&b);
}

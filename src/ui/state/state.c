/*
 * The table of saved values: how each one is read. state_each() writes them.
 *
 *	struct ui --state_each()--> "filter-add" "tid = 25" --record_put() or script_quote()--> text
 *	text --record_next()--> "filter-add" "tid = 25" --table--> struct ui
 *
 * Invariant: no value makes this code run a command or a program, or open a file.
 */
#include "ui/state/state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ui/shell.h"
#include "ui/state/record.h"

#define TEXT_MAX	(16u << 20)	/* the rest of a file is not read, so it is not written
					   either */
#define RECORDS_MAX	10000u		/* the rest is not read: no user sets this many */

/* ---- writing */

struct writer_to {
	void		(*fn)(struct buf *out, const char *name, const char *value);
	struct buf	*out;
	unsigned	 n;
};

static void
put(void *to, const char *name, const char *value)
{
	struct writer_to	*w = to;

	if (w->out->len > TEXT_MAX)
		return;
	w->fn(w->out, name, value);
	w->n++;
}

static void
put_filters(const struct view *v, struct writer_to *w)
{
	for (size_t i = 0; i < v->filter.n; i++) {
		const struct filter_item	*it = &v->filter.item[i];

		put(w, it->on ? "filter-add" : "filter-keep", it->text);
		if (it->name != NULL)
			put(w, "filter-name", it->name);
	}
	if (v->filter.off && v->filter.n > 0)
		put(w, "filters-toggle", "off");
}

/* "a 1604311 81920 a note"; the letter "-" means none, so the letter - is written "--". */
static void
put_marks(const struct view *v, struct writer_to *w)
{
	struct buf	b = { 0 };

	for (size_t i = 0; i < v->marks.n; i++) {
		const struct mark	*m = &v->marks.v[i];

		buf_clear(&b);
		buf_putc(&b, m->letter != '\0' ? m->letter : '-');
		if (m->letter == '-')
			buf_putc(&b, '-');
		buf_printf(&b, " %" PRId64 " %" PRIu64, m->ts, m->off);
		if (m->note != NULL)
			buf_printf(&b, " %s", m->note);
		put(w, "mark-at", buf_str(&b));
	}
	buf_release(&b);
}

static void
put_colors(struct view *v, struct writer_to *w)
{
	struct buf	b = { 0 };

	for (size_t i = 0; i < v->display.rules.n; i++) {
		buf_clear(&b);
		rules_text(&v->display.rules, i, &b);
		put(w, "color", buf_str(&b));
	}
	buf_release(&b);
}

static void
put_panes(struct ui *ui, struct writer_to *w)
{
	for (struct pane *p = ui->panes.pane; p < ui->panes.pane + PANES; p++)
		if (p->ops->keep != NULL)
			p->ops->keep(p->self, put, w);
}

static void
put_display(struct ui *ui, struct writer_to *w)
{
	struct view	*v = &ui->v;
	struct buf	 b = { 0 };

	if (v->display.time_format != TIME_RELATIVE)
		put(w, "time-format", time_format_names[v->display.time_format]);
	if (!v->window.whole) {
		buf_printf(&b, "%" PRId64 " %" PRId64, v->window.from, v->window.to);
		put(w, "window-ticks", buf_str(&b));
		buf_clear(&b);
	}
	if (v->display.columns.chosen) {
		columns_text(&v->display.columns, &b);
		put(w, "columns", buf_str(&b));
	}
	if (v->display.collapse)
		put(w, "collapse", "on");
	if (v->display.blocks)
		put(w, "blocks", "on");
	if (ui->panes.arrangement != LAYOUT_AUTO)
		put(w, "layout", layout_names[ui->panes.arrangement]);
	buf_release(&b);
}

/* The current position, or the saved one if the index has not reached it yet. */
static void
put_place(const struct ui *ui, struct writer_to *w)
{
	const struct view	*v = &ui->v;
	bool			 waits = ui->restored.place.has_sel && !ui->touched;
	struct buf		 b = { 0 };

	if (!waits && (!v->sel.has || (v->sel.row == 0 && w->n == 0)))
		return;
	if (waits)
		buf_printf(&b, "%" PRId64 " %" PRIu64, ui->restored.place.ts,
		    ui->restored.place.off);
	else
		buf_printf(&b, "%" PRId64 " %" PRIu64, v->sel.ts, v->sel.off);
	put(w, "at", buf_str(&b));
	buf_release(&b);
}

void
state_each(struct ui *ui, void (*fn)(struct buf *out, const char *name, const char *value),
    struct buf *out)
{
	struct writer_to	 w = { .fn = fn, .out = out };

	put_display(ui, &w);
	put_panes(ui, &w);
	put_colors(&ui->v, &w);
	put_filters(&ui->v, &w);
	put_marks(&ui->v, &w);
	put_place(ui, &w);
}

void
state_write(struct ui *ui, struct buf *out)
{
	size_t	from = out->len, empty;

	record_head(out);
	empty = out->len;
	state_each(ui, record_put, out);
	if (out->len == empty)
		out->len = from;
}

/* ---- reading */

/* Parse a number and the blank after it. False: there is none. */
static bool
take_i64(const char **s, int64_t *n)
{
	char	*end;

	*n = strtoll(*s, &end, 10);
	if (end == *s || (*end != ' ' && *end != '\0'))
		return false;
	*s = end + (*end == ' ');
	return true;
}

static bool
is_on(const char *value)
{
	return value[0] == '\0' || strcmp(value, "on") == 0;
}

static bool
set_time_format(struct ui *ui, const char *value)
{
	for (unsigned i = 0; i < TIME_FORMATS; i++) {
		if (strcmp(time_format_names[i], value) == 0) {
			ui->v.display.time_format = (enum time_format)i;
			return true;
		}
	}
	return false;
}

static bool
set_window(struct ui *ui, const char *value)
{
	int64_t	from, to;

	if (!take_i64(&value, &from) || !take_i64(&value, &to) || from >= to)
		return false;
	view_window_fixed(&ui->v, from, to);
	return true;
}

static bool
set_columns(struct ui *ui, const char *value)
{
	struct buf	why = { 0 };
	bool		good;

	good = columns_set(&ui->v.display.columns, value, &why);
	buf_release(&why);
	return good;
}

static bool
set_collapse(struct ui *ui, const char *value)
{
	ui->v.display.collapse = is_on(value);
	return true;
}

static bool
set_blocks(struct ui *ui, const char *value)
{
	ui->v.display.blocks = is_on(value) && trace_has(ui->v.t, HAS_BLOCKS);
	return true;
}

static bool
set_hide_empty(struct ui *ui, const char *value)
{
	(void)value;
	pane_act(ui, PANE_TIMELINE, LANES_HIDE, "");
	return true;
}

static bool
set_pin(struct ui *ui, const char *value)
{
	struct pane	*p = &ui->panes.pane[PANE_TIMELINE];

	return value[0] != '\0' && p->ops->pin(p->self, &ui->v, value);
}

static bool
set_color(struct ui *ui, const char *value)
{
	struct buf	b = { 0 };
	bool		good;

	for (size_t i = 0; i < ui->v.display.rules.n; i++) {	/* tnavrc has set it already */
		buf_clear(&b);
		rules_text(&ui->v.display.rules, i, &b);
		if (strcmp(buf_str(&b), value) == 0) {
			buf_release(&b);
			return true;
		}
	}
	buf_clear(&b);
	good = rules_add(&ui->v.display.rules, &ui->v, value, &b);
	buf_release(&b);
	return good;
}

static bool
set_filter(struct ui *ui, const char *value)
{
	return view_filter_add(&ui->v, value);
}

static bool
set_filter_off(struct ui *ui, const char *value)
{
	return view_filter_add_off(&ui->v, value);
}

/* Name the filter that was set last. */
static bool
set_filter_name(struct ui *ui, const char *value)
{
	if (ui->v.filter.at >= ui->v.filter.n)
		return false;
	view_filter_name(&ui->v.filter, ui->v.filter.at, value);
	return true;
}

static bool
set_filters_off(struct ui *ui, const char *value)
{
	(void)value;
	return ui->v.filter.off || view_filters_toggle_all(&ui->v);
}

static bool
set_mark(struct ui *ui, const char *value)
{
	char	letter = value[0];
	int64_t	ts, off;

	if (letter == '-')
		letter = value[1] == '-' ? '-' : '\0';
	value += value[0] == '-' && value[1] == '-' ? 2 : value[0] != '\0';
	if ((unsigned char)letter >= 0x80 || letter == ' ' || letter == '\'' || *value != ' ')
		return false;
	value++;
	if (!take_i64(&value, &ts) || !take_i64(&value, &off) || off < 0)
		return false;
	return marks_put(&ui->v.marks, letter, ts, (uint64_t)off,
	    value[0] != '\0' ? value : NULL);
}

static bool
set_place(struct ui *ui, const char *value)
{
	int64_t	ts, off;

	if (!take_i64(&value, &ts) || !take_i64(&value, &off) || off < 0)
		return false;
	ui->restored.place = (struct position){ .has_sel = true, .ts = ts, .off = (uint64_t)off };
	if (ui->v.complete)
		ui->touched = false;	/* from now on, a script decides */
	state_place(ui);
	return true;
}

static const struct kept {
	const char	*name;		/* also the command with the same effect */
	bool		(*set)(struct ui *ui, const char *value);
} table[] = {
	{ .name = "time-format", .set = set_time_format },
	{ .name = "window-ticks", .set = set_window },
	{ .name = "columns", .set = set_columns },
	{ .name = "collapse", .set = set_collapse },
	{ .name = "blocks", .set = set_blocks },
	{ .name = "layout", .set = layout_arrange },
	{ .name = "hide-empty", .set = set_hide_empty },
	{ .name = "pin-lane", .set = set_pin },
	{ .name = "color", .set = set_color },
	{ .name = "filter-add", .set = set_filter },
	{ .name = "filter-keep", .set = set_filter_off },
	{ .name = "filter-name", .set = set_filter_name },
	{ .name = "filters-toggle", .set = set_filters_off },
	{ .name = "mark-at", .set = set_mark },
	{ .name = "at", .set = set_place },
};

#define KEPT	(sizeof table / sizeof *table)

const char *
state_name(size_t i)
{
	return i < KEPT ? table[i].name : NULL;
}

bool
state_set(struct ui *ui, const char *name, const char *value)
{
	for (size_t i = 0; i < KEPT; i++)
		if (strcmp(table[i].name, name) == 0)
			return table[i].set(ui, value);
	return false;
}

bool
state_read(struct ui *ui, const char *text, size_t len)
{
	struct record_reader	r;
	struct buf		name = { 0 }, value = { 0 }, message = { 0 };
	bool			named = true, good;
	unsigned		n = 0, filters = 0;

	buf_add(&message, ui->v.message.p, ui->v.message.len);
	ui->v.messages.mute = true;
	record_reader_init(&r, text, len);
	while (n++ < RECORDS_MAX && record_next(&r, &name, &value)) {
		bool	names = strcmp(buf_str(&name), "filter-name") == 0;
		bool	adds = !names && strncmp(buf_str(&name), "filter-", 7) == 0;

		/* A name belongs to the filter before it, if there is one. */
		filters += adds;
		good = (!names || named) && (!adds || filters <= FILTERS_MAX) &&
		    state_set(ui, buf_str(&name), buf_str(&value));
		r.wrong += !good;
		if (adds)
			named = good;
	}
	buf_clear(&ui->v.message);
	buf_add(&ui->v.message, message.p, message.len);
	ui->v.messages.mute = false;
	if (r.wrong > 0 && message.len == 0)
		view_say(&ui->v, "%u line%s of the saved state ignored: unknown", r.wrong,
		    r.wrong == 1 ? "" : "s");
	buf_release(&name);
	buf_release(&value);
	buf_release(&message);
	return r.old;
}

void
state_place(struct ui *ui)
{
	struct view	*v = &ui->v;
	uint64_t	 row;

	if (!ui->restored.place.has_sel)
		return;
	/* The last time may be known before the rows up to it are. */
	if (!v->complete && (!v->window.any || v->window.last <= ui->restored.place.ts ||
	    trace_row_of(v->t, ui->restored.place.ts, ui->restored.place.off, &row) != 1 ||
	    row < v->window.row0 || row >= v->window.row1))
		return;
	ui->restored.place.has_sel = false;
	if (!ui->touched)
		view_select_event(v, ui->restored.place.ts, ui->restored.place.off);
	ui->screen.dirty = true;
}

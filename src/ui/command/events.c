/*
 * Commands of lists of events: columns, colours, tallies, terms of the filter from what is under
 * the cursor, steps from event to event.
 */
#include <string.h>

#include "tnav/analysis/report.h"
#include "ui/command/commands.h"
#include "tnav/analysis/activities.h"
#include "tnav/model/value.h"
#include "ui/command/row_commands.h"
#include "ui/pane/table.h"
#include "ui/await.h"

void
cmd_zero(struct ui *ui, const struct command_call *call)
{
	struct view	*v = &ui->v;

	(void)call;
	if (v->display.has_zero && (!v->sel.has || v->display.zero_ts == v->sel.ts)) {
		v->display.has_zero = false;
		view_say(v, "times are relative to the start again");
	} else if (!v->sel.has) {
		view_say(v, "no event selected");
	} else {
		v->display.has_zero = true;
		v->display.zero_ts = v->sel.ts;
		v->display.time_format = TIME_RELATIVE;
		view_say(v, "times are relative to this event (T: to the start again)");
	}
}

/* Show these columns of a table; "": ask which. */
static void
rows_columns(struct ui *ui, struct table_pane *p, const char *list)
{
	struct buf	text = { 0 };

	if (list[0] == '\0') {
		buf_puts(&text, "columns ");
		table_pane_columns(p, &ui->v, &text);
		ui_prompt(ui, PROMPT_COMMAND, buf_str(&text));
	} else if (!table_pane_choose(p, &ui->v, list, &text)) {
		view_refuse(&ui->v, "columns: %s", buf_str(&text));
	}
	buf_release(&text);
}

void
cmd_columns(struct ui *ui, const struct command_call *call)
{
	struct buf	why = { 0 };

	if (rows_here(ui) != NULL) {
		rows_columns(ui, rows_here(ui), call->arg);
		return;
	}
	if (call->arg[0] == '\0') {
		layout_open(ui, PANE_COLUMNS);
		return;
	}
	if (!columns_choose(&ui->v, call->arg, &why))
		view_refuse(&ui->v, "columns: %s", buf_str(&why));
	else if (why.len > 0)
		view_say(&ui->v, "columns: %s", buf_str(&why));
	buf_release(&why);
}

/* n: an action of the pane */
void
cmd_act(struct ui *ui, const struct command_call *call)
{
	if (ui->panes.focus != PANE_COLUMNS)	/* a name may be typed in any pane */
		view_say(&ui->v, "only in the column chooser (c)");
	else
		pane_act(ui, PANE_COLUMNS, call->n, call->arg);
}

void
cmd_column_add(struct ui *ui, const struct command_call *call)
{
	if (!command_asks(ui, call, PROMPT_COMMAND, "column-add payload."))
		pane_act(ui, PANE_COLUMNS, call->n, call->arg);
}

/* n: which one of these */
void
cmd_display(struct ui *ui, const struct command_call *call)
{
	static const struct { const char *name, *on, *off; } words[] = {
		{ "collapse", "repeats collapsed", "repeats shown one by one" },
		{ "blocks", "block starts are shown", "block starts are hidden" },
		{ "color-threads", "each thread has its own colour",
		    "all threads have the same colour" },
	};
	struct view	*v = &ui->v;
	bool		*is[] = { &v->display.collapse, &v->display.blocks,
			    &v->display.color_threads }, *it = is[call->n], on;

	if (!command_switch(ui, call, words[call->n].name, *it, &on))
		return;
	if (on && it == &v->display.blocks && !trace_has(v->t, HAS_BLOCKS)) {
		view_say(v, "this format has no blocks");
		return;
	}
	*it = on;
	view_say(v, "%s", on ? words[call->n].on : words[call->n].off);
}

void
cmd_past(struct ui *ui, const struct command_call *call)
{
	bool	on;

	if (!command_switch(ui, call, "past", ui->v.past.open, &on))
		return;
	view_past_open(&ui->v, on);
	view_say(&ui->v, !view_past_heads(&ui->v) ?
	    "the head of the trace says nothing about the past" : on ?
	    "rows about the past shown one by one" : "rows about the past are one row");
}

void
cmd_color(struct ui *ui, const struct command_call *call)
{
	struct buf	why = { 0 };

	if (call->arg[0] == '\0') {
		view_say(&ui->v, ui->v.display.rules.n > 0 ? "colour rules removed" :
		    "no colour rules (:color tid = 25 red)");
		rules_release(&ui->v.display.rules);
		return;
	}
	if (!rules_add(&ui->v.display.rules, &ui->v, call->arg, &why))
		view_refuse(&ui->v, "color: %s", buf_str(&why));
	buf_release(&why);
}

/* ---- what is under the cursor */

/* False: there is no field, and a message says why. */
static bool
field_here(struct ui *ui, struct field_at *f)
{
	struct pane	*p = &ui->panes.pane[ui->panes.focus];

	field_at_clear(f);
	if (p->ops->field == NULL || !p->ops->field(p->self, &ui->v, f)) {
		view_say(&ui->v, "no value under the cursor here (Alt-2: events, Alt-3: details)");
		return false;
	}
	return true;
}

/* n: -1 excludes */
void
cmd_term(struct ui *ui, const struct command_call *call)
{
	struct field_at	f = { 0 };
	struct buf	term = { 0 };

	if (!field_here(ui, &f))
		;	/* a message was written */
	else if (field_at_term(&term, &f))
		view_filter_take(&ui->v, buf_str(&term), call->n < 0);
	else if (f.name.len > 0)
		view_say(&ui->v, "this value of %s cannot be used in a filter", buf_str(&f.name));
	else
		view_say(&ui->v, "not a single field (choose one in the details, Alt-3)");
	buf_release(&term);
	field_at_release(&f);
}

enum { STATS_WORDS, STATS_HISTOGRAM, STATS_HISTOGRAM_OF_COLUMN };	/* for its act() */

/* The pane's title: what it counts by, and its order. */
static void
put_counted_by(struct ui *ui, struct buf *out)
{
	struct pane	*p = &ui->panes.pane[PANE_STATS];
	struct buf	 right = { 0 };

	p->ops->title(p->self, &ui->v, out, &right);
	buf_release(&right);
}

static void
open_stats(struct ui *ui, int what, const char *words)
{
	bool		here = ui->panes.focus == PANE_STATS;
	struct buf	was = { 0 }, is = { 0 };

	ui->v.stopped = false;
	if (here)
		put_counted_by(ui, &was);
	if (words[0] != '\0' || what == STATS_HISTOGRAM_OF_COLUMN)
		pane_act(ui, PANE_STATS, what, words);
	if (here)
		put_counted_by(ui, &is);
	if (here && ui->v.message.len == 0 && strcmp(buf_str(&was), buf_str(&is)) == 0)
		view_say(&ui->v, "the counts are already shown (:tally FIELD counts by another "
		    "field)");
	buf_release(&was);
	buf_release(&is);
	layout_open(ui, PANE_STATS);
}

void
cmd_stats(struct ui *ui, const struct command_call *call)
{
	open_stats(ui, STATS_WORDS, call->arg);
}

/* n: its number, or rows */
void
cmd_report(struct ui *ui, const struct command_call *call)
{
	pane_act(ui, PANE_REPORT, call->n, call->arg);
	layout_open(ui, PANE_REPORT);
	if (call->n != REPORT_summary && call->n != REPORT_heap)
		return;
	ui->panes.maximised = true;	/* they fill the screen */
	layout_place(ui);
}

/* Count by the field under the cursor, or a named one. If there is neither, ask for it. */
static void
stats_of_field(struct ui *ui, int what, const char *command, const char *arg)
{
	struct field_at	f = { 0 };
	struct buf	line = { 0 };

	if (arg[0] != '\0') {
		open_stats(ui, what, arg);
		return;
	}
	if (field_here(ui, &f) && f.name.len > 0 && strcmp(buf_str(&f.name), "time") != 0) {
		open_stats(ui, what, buf_str(&f.name));
	} else {
		buf_printf(&line, "%s ", command);
		ui_prompt(ui, PROMPT_COMMAND, buf_str(&line));
		buf_release(&line);
	}
	field_at_release(&f);
}

/* n: 1 makes a histogram */
void
cmd_tally(struct ui *ui, const struct command_call *call)
{
	if (call->n == 0)
		stats_of_field(ui, STATS_WORDS, "tally", call->arg);
	else if (ui->panes.focus == PANE_STATS && call->arg[0] == '\0')
		open_stats(ui, STATS_HISTOGRAM_OF_COLUMN, "");
	else
		stats_of_field(ui, STATS_HISTOGRAM, "histogram", call->arg);
}

#define RAW_SHOWN	48u

/* Switch between raw and clean names of frames. */
static void
raw_names(struct view *v)
{
	v->display.raw_names = !v->display.raw_names;
	field_reader_frames(v->reader, v->display.raw_names ? FRAMES_RAW : FRAMES_CLEAN);
	view_change(v, VIEW_NAMES);
	view_say(v, v->display.raw_names ? "raw names" : "clean names");
}

static void
raw_names_of_report(struct ui *ui)
{
	struct pane		*p = &ui->panes.pane[PANE_REPORT];
	const struct table	*t = p->ops->table(p->self, &ui->v);

	if (t->has_names)
		raw_names(&ui->v);
	else if (t->nrows > 0)
		view_say(&ui->v, "these rows have no names of methods or frames");
	else
		view_say(&ui->v, "no rows");
}

static void
raw_bytes(struct view *v, struct field_at *f)
{
	size_t	n;

	if (f->raw.p == NULL)
		f->raw = span_of_buf(&f->text);
	n = f->raw.len < RAW_SHOWN ? f->raw.len : RAW_SHOWN;
	view_hush(v);
	buf_counts(&v->message, "# byte{s}:", f->raw.len);
	for (size_t i = 0; i < n; i++) {
		buf_putc(&v->message, ' ');
		buf_hex(&v->message, f->raw.p[i], 2);
	}
	if (n < f->raw.len)
		buf_puts(&v->message, " \xe2\x80\xa6");
}

/* Is the value a list of the names of frames? */
static bool
is_of_stack(struct field_at *f)
{
	return strncmp(buf_str(&f->name), "stack.", 6) == 0;
}

void
cmd_raw(struct ui *ui, const struct command_call *call)
{
	struct field_at	f = { 0 };
	unsigned	focus = ui->panes.focus;

	(void)call;
	if (focus == PANE_REPORT) {
		raw_names_of_report(ui);
		return;
	}
	if (focus == PANE_STACK || focus == PANE_CALLS || focus == PANE_FLAME) {
		raw_names(&ui->v);
		return;
	}
	if (field_here(ui, &f)) {
		if (is_of_stack(&f))
			raw_names(&ui->v);
		else
			raw_bytes(&ui->v, &f);
	}
	field_at_release(&f);
}

/* ---- steps; n: direction */

static bool
event_here(struct ui *ui, struct event *e)
{
	if (view_selected(&ui->v, e) == 1)
		return true;
	view_say(&ui->v, "no event selected");
	return false;
}

void
cmd_step_thread(struct ui *ui, const struct command_call *call)
{
	struct view		*v = &ui->v;
	struct thread_stat	 st;
	struct event		 e;
	struct buf		 expr = { 0 }, what = { 0 };

	if (!event_here(ui, &e))
		return;
	if (e.thread < trace_threads(v->t))
		trace_thread(v->t, e.thread, &st);
	if (e.thread >= trace_threads(v->t) || !st.has_tid) {
		view_say(v, "the thread of this event has no id");
		return;
	}
	buf_printf(&expr, "tid = %llu", (unsigned long long)st.tid);
	if (st.has_pid)
		buf_printf(&expr, " and pid = %llu", (unsigned long long)st.pid);
	buf_printf(&what, "event of thread %llu", (unsigned long long)st.tid);
	(void)view_walk(v, buf_str(&expr), (int)call->n, buf_str(&what));
	buf_release(&expr);
	buf_release(&what);
}

void
cmd_step_type(struct ui *ui, const struct command_call *call)
{
	const struct event_type	*ty;
	struct event		 e;
	struct buf		 expr = { 0 };

	if (!event_here(ui, &e))
		return;
	ty = trace_type(ui->v.t, e.type);
	buf_puts(&expr, "provider = ");
	(void)filter_quote(&expr, ty->provider, strlen(ty->provider));
	buf_puts(&expr, " and name = ");
	(void)filter_quote(&expr, ty->name, strlen(ty->name));
	if (trace_has(ui->v.t, HAS_IDS))
		buf_printf(&expr, " and id = %u", ty->id);
	(void)view_walk(&ui->v, buf_str(&expr), (int)call->n, "event of this type");
	buf_release(&expr);
}

void
cmd_step_activity(struct ui *ui, const struct command_call *call)
{
	static const char *const	fields[] = { "label.TraceId", "activity" };
	struct event			e;
	struct field_at			f = { 0 };
	struct buf			expr = { 0 };
	bool				found = false;

	if (!event_here(ui, &e))
		return;
	for (int i = 0; i < 2 && !found; i++) {
		field_at_clear(&f);
		found = field_at_name(&f, &ui->v, fields[i], &e, ui->v.sel.row) &&
		    field_term(&expr, fields[i], buf_str(&f.value));
	}
	if (found)
		(void)view_walk(&ui->v, buf_str(&expr), (int)call->n, "event of this activity");
	else
		view_say(&ui->v, "this event has no activity and no TraceId");
	buf_release(&expr);
	field_at_release(&f);
}

/* If the filter ends with a term for this activity or one that caused it: remove the term and
   return the activity that caused that one. */
static uint32_t
widen(struct view *v, const struct activities *a, uint32_t i)
{
	uint32_t	at = i;
	struct buf	term = { 0 };
	size_t		len = v->filter.text != NULL ? strlen(v->filter.text) : 0;
	bool		found = false;

	while (at != ACTIVITY_NONE && !found) {
		buf_clear(&term);
		buf_puts(&term, "activity within ");
		activities_put_name(a, at, &term);
		found = len >= term.len &&
		    strcmp(v->filter.text + len - term.len, buf_str(&term)) == 0;
		at = activities_entry(a, at)->up;
	}
	buf_release(&term);
	if (!found || at == ACTIVITY_NONE)
		return i;
	(void)view_filter_drop(v);
	return at;
}

/* Say why the event has no activity, and which providers add activity ids. */
static void
say_no_activity(struct ui *ui)
{
	struct activities	*a = NULL;
	const char		*remark;

	if (ui_ask_spans(ui))
		a = ui->v.deriving.now.of[DERIVED_ACTIVITIES];
	remark = a != NULL ? activities_remark(a) : NULL;
	if (remark != NULL)
		view_say(&ui->v, "this event has no activity: %s", remark);
	else
		view_say(&ui->v, "this event has no activity and no TraceId");
}

/* Filter by the activity and all that it caused; again: by the one that caused it. Without
   activities: by TraceId. */
void
cmd_activity(struct ui *ui, const struct command_call *call)
{
	struct pane		*p = &ui->panes.pane[ui->panes.focus];
	struct activities	*a;
	struct event		 e;
	struct field_at		 f = { 0 };
	struct buf		 expr = { 0 };
	uint8_t			 guid[16];
	uint32_t		 i;
	bool			 has;

	(void)call;
	if (p->ops->table != NULL && table_pane_select(p->self, &ui->v))
		layout_open(ui, layout_home());
	if (!event_here(ui, &e))
		return;
	has = trace_activity(ui->v.t, &e, guid);
	if (has && !ui_await_spans(ui, cmd_activity))
		return;
	if (has) {
		a = ui->v.deriving.now.of[DERIVED_ACTIVITIES];
		i = activities_find(a, event_source(&e), guid);
		if (i != ACTIVITY_NONE)
			i = widen(&ui->v, a, i);
		buf_puts(&expr, "activity within ");
		if (i != ACTIVITY_NONE)
			activities_put_name(a, i, &expr);
		else
			guid_text(&expr, guid);
	} else if (field_at_name(&f, &ui->v, "label.TraceId", &e, ui->v.sel.row)) {
		(void)field_term(&expr, "label.TraceId", buf_str(&f.value));
	}
	if (expr.len > 0)
		(void)view_filter_add(&ui->v, buf_str(&expr));
	else
		say_no_activity(ui);
	buf_release(&expr);
	field_at_release(&f);
}

/* Go to the next error. The events that catch an exception or end it do not count. */
void
cmd_step_error(struct ui *ui, const struct command_call *call)
{
	(void)view_walk(&ui->v, "(level >= 1 and level <= 2) or (name ~ \"Exception\" and not "
	    "name ~ \"Exception(Catch|Filter|Finally)|Stop$\")", (int)call->n,
	    "exception or error");
}

/*
 * The functions of the commands. Each changes the view or the layout, or says in one line why it
 * cannot; drawing follows automatically.
 */
#include "ui/command/commands.h"

#include <stdlib.h>
#include <string.h>

#include "tnav/base/text.h"
#include "tnav/engine/head.h"
#include "tnav/engine/joined.h"
#include "tnav/io/paths.h"
#include "ui/command/row_commands.h"
#include "ui/await.h"
#include "ui/follow.h"
#include "ui/live.h"
#include "ui/reread.h"
#include "ui/view/span_ends.h"

#define HITS_MOST	10000	/* limit for a number before n */
#define STOP_MS		2000	/* for the index to stop */

bool
switch_word(const char *word, bool *on)
{
	*on = strcmp(word, "on") == 0;
	return *on || strcmp(word, "off") == 0;
}

bool
command_switch(struct ui *ui, const struct command_call *call, const char *name, bool is,
    bool *want)
{
	*want = !is;
	return call->arg[0] == '\0' || switch_word(call->arg, want) ||
	    view_refuse(&ui->v, "%s is on or off, not \"%s\"", name, call->arg);
}

bool
command_asks(struct ui *ui, const struct command_call *call, enum prompt_kind kind,
    const char *text)
{
	if (call->arg[0] == '\0')
		ui_prompt(ui, kind, text);
	return call->arg[0] == '\0';
}

/* ---- leave */

void
cmd_close(struct ui *ui, const struct command_call *call)
{
	(void)call;
	if (!layout_close_last(ui) && !live_ask(ui))
		ui->quit = true;
}

void
cmd_quit(struct ui *ui, const struct command_call *call)
{
	(void)call;
	live_leave(ui);
	ui->quit = true;
}

/* Go back in the pane. False: it has nowhere to go back to. */
static bool
go_back(struct ui *ui)
{
	struct pane	*p = &ui->panes.pane[ui->panes.focus];

	return p->ops->up != NULL && p->ops->up(p->self, &ui->v);
}

void
cmd_back(struct ui *ui, const struct command_call *call)
{
	(void)call;
	if (!go_back(ui))
		view_say(&ui->v, "nothing to go back to");
}

void
cmd_cancel(struct ui *ui, const struct command_call *call)
{
	(void)call;
	if (export_cancel(ui)) {
		return;
	} else if (view_work(&ui->v) != WORK_NONE || ui->v.walk.seek.waits ||
	    ui->v.search.seek.waits || deriving_state(&ui->v.deriving, NEEDS_OTHERS).first ||
	    ui_awaits(ui)) {
		ui_await_no_more(ui);
		view_stop(&ui->v);
		view_say(&ui->v, "stopped");
	} else if ((SCOPE(ui->panes.focus) & SCOPE_OVERLAYS) != 0) {
		(void)layout_close_last(ui);
	} else if (ui->typing.count < 0 && go_back(ui)) {
		return;
	} else if (tour_end(ui)) {
		view_say(&ui->v, "tour ended (:tour restarts it)");
	} else if (ui->v.range.set) {
		ui->v.range = (struct range){ .set = false };
		view_say(&ui->v, "range dropped");
	} else if (find_drop(ui)) {
		view_say(&ui->v, "search dropped (n repeats it)");
	} else if (ui->v.search.hits != NULL && ui->typing.count < 0) {
		view_search_drop(&ui->v, true);
		view_say(&ui->v, "search dropped (n repeats it)");
	} else if (ui->typing.count < 0 && layout_last(ui) != NULL) {
		view_say(&ui->v, "nothing to cancel; q closes %s, Q quits", layout_last(ui));
	} else if (ui->typing.count < 0) {
		view_say(&ui->v, "nothing to cancel; q quits");
	}
}

void
cmd_suspend(struct ui *ui, const struct command_call *call)
{
	(void)call;
	ui->screen.s->ops->suspend(ui->screen.s);
	ui->screen.resized = true;
}

void
cmd_redraw(struct ui *ui, const struct command_call *call)
{
	(void)call;
	ui->screen.s->ops->repaint(ui->screen.s);
	ui->screen.resized = true;
}

/* "the file has grown"; NULL: it is unchanged. */
static const char *
change_words(enum trace_change c)
{
	static const char *const	words[] = {
		[TRACE_SAME] = NULL, [TRACE_GREW] = "the file has grown",
		[TRACE_SHRANK] = "the file was truncated",
		[TRACE_REWRITTEN] = "the file was rewritten",
		[TRACE_REPLACED] = "the file was replaced",
		[TRACE_REMOVED] = NULL,	/* it was, but cannot be read again */
	};

	return words[c];
}

void
cmd_reread(struct ui *ui, const struct command_call *call)
{
	const char	*what;

	(void)call;
	if (live_refuses(ui))
		return;
	if (trace_sources(ui->v.t) > 1) {
		view_say(&ui->v, "several files are not read again: open them anew");
		return;
	}
	if (trace_removed(ui->v.t)) {	/* what is followed goes on */
		view_say(&ui->v, "the file was removed: nothing to read again");
		return;
	}
	if (ui->follow.on) {
		(void)trace_follow(ui->v.t, false, NULL);
		(void)trace_index_wait(ui->v.t, STOP_MS);
		(void)view_refresh(&ui->v);
		ui->follow = (struct follow){ .on = false };
	}
	if (!ui->v.complete) {
		view_say(&ui->v, "still reading the file");
		return;
	}
	if (ui->export != NULL) {	/* the export is of the old file */
		view_say(&ui->v, "an export is running (Esc stops it)");
		return;
	}
	what = change_words(trace_refresh(ui->v.t));
	if (what != NULL)
		ui->changed = what;	/* the trace reports it only once */
	if (ui->changed == NULL) {
		view_say(&ui->v, "the file has not changed");
	} else if (ui_reread(ui)) {
		view_say(&ui->v, "%s: reloaded", ui->changed);
		ui->changed = NULL;
	}
}

void
cmd_edit(struct ui *ui, const struct command_call *call)
{
	struct buf	path = { 0 };

	if (call->arg[0] == '\0') {
		cmd_reread(ui, call);
		return;
	}
	if (live_refuses(ui))
		return;
	if (ui->export != NULL) {
		view_say(&ui->v, "an export is running (Esc stops it)");
		return;
	}
	paths_expand(&path, call->arg);
	if (ui_open(ui, buf_str(&path)))
		view_say(&ui->v, "opened %s", buf_str(&path));
	buf_release(&path);
}

void
cmd_follow(struct ui *ui, const struct command_call *call)
{
	bool	on;

	if (command_switch(ui, call, "follow", ui->follow.on && (ui->follow.tail ||
	    !follow_arrives(ui)), &on))
		ui->v.refused |= !ui_follow(ui, on);
}

/* Is there a session that another one can continue? Else it is said what is to be done. */
static bool
may_record_more(struct ui *ui, const char *instead)
{
	if (live_runs(ui))
		return true;
	if (ui->live.by == NULL)
		view_refuse(&ui->v, "this is not a live session (%s)", instead);
	else
		view_refuse(&ui->v, "the session has ended");
	return false;
}

static void
record_more(struct ui *ui, void (*record)(void *self))
{
	record(ui->live.by->self);
	live_leave(ui);
	ui->quit = true;
}

void
cmd_record_stacks(struct ui *ui, const struct command_call *call)
{
	(void)call;
	if (!may_record_more(ui, "tnav attach --profile dotnet-sampled-thread-time PID records "
	    "stacks"))
		return;
	if (ui->live.by->stackless)
		record_more(ui, ui->live.by->record_stacks);
	else
		view_refuse(&ui->v, "%s", "this session records stacks");
}

static void
record_heap(struct ui *ui, const char *arg)
{
	(void)arg;
	if (may_record_more(ui, ""))		/* it may have ended since */
		record_more(ui, ui->live.by->record_heap);
}

void
cmd_record_heap(struct ui *ui, const struct command_call *call)
{
	(void)call;
	if (may_record_more(ui, "tnav heap PID records a walk"))
		ui_ask(ui, "Collect the heap now, with all threads stopped until it was walked? "
		    "(y/n)", record_heap, "");
}

/* ---- panes */

/* n: number of the pane; -1: by name */
void
cmd_pane(struct ui *ui, const struct command_call *call)
{
	int64_t	id = call->n;

	for (int i = 0; id < 0 && i < PANES; i++)
		if (strcmp(call->arg, pane_names[i]) == 0)
			id = i;
	if (id < 0) {
		view_refuse(&ui->v, call->arg[0] != '\0' ? "unknown pane \"%s\" (F2 lists them)" :
		    "no pane given%s (F2 lists them)", call->arg);
		return;
	}
	if ((int)ui->panes.focus != id)
		layout_open(ui, (enum pane_id)id);
	else if ((SCOPE(id) & SCOPE_OVERLAYS) != 0)
		(void)layout_close_last(ui);	/* the same key closes it */
	else
		view_say(&ui->v, "%s already has the focus", pane_names[id]);
}

/* n: the pane, which takes the argument */
void
cmd_pane_with(struct ui *ui, const struct command_call *call)
{
	pane_act(ui, (enum pane_id)call->n, 0, call->arg);
	layout_open(ui, (enum pane_id)call->n);
}

/* Show the pane of spans; n: in which form. Finding them starts again, if Esc stopped it. */
void
cmd_pane_of_spans(struct ui *ui, const struct command_call *call)
{
	bool	focused = ui->panes.focus == PANE_SPANS && !ui->v.stopped;

	ui->v.stopped = false;
	if (ui->panes.focus != PANE_SPANS)
		layout_open(ui, PANE_SPANS);
	pane_act(ui, PANE_SPANS, call->n, focused ? "focused" : "");
}

void
cmd_help(struct ui *ui, const struct command_call *call)
{
	struct pane	*p = &ui->panes.pane[PANE_HELP];

	(void)call;
	if (ui->panes.focus != PANE_HELP)
		p->ops->about(p->self, ui->panes.focus, ui->panes.pane[ui->panes.focus].ops);
	cmd_pane(ui, &(struct command_call){ .n = PANE_HELP, .arg = "" });
}

/* n: direction */
void
cmd_cycle(struct ui *ui, const struct command_call *call)
{
	enum pane_id	before = ui->panes.focus;

	layout_cycle(ui, (int)call->n);
	if (ui->panes.focus == before)
		view_say(&ui->v, "no other pane (F2 lists them)");
}

void
cmd_choose(struct ui *ui, const struct command_call *call)
{
	struct pane	*p = &ui->panes.pane[call->n];
	struct field_at	 f = { 0 };

	if (p->ops->enter != NULL && p->ops->enter(p->self, &ui->v))
		return;
	if (p->ops->field(p->self, &ui->v, &f))
		(void)ui_command(ui, buf_str(&f.text));
	field_at_release(&f);
}

void
cmd_maximise(struct ui *ui, const struct command_call *call)
{
	(void)call;
	ui->panes.maximised = !ui->panes.maximised;
	layout_place(ui);
}

void
cmd_layout(struct ui *ui, const struct command_call *call)
{
	enum arrangement	next = (ui->panes.arrangement + 1u) % LAYOUTS;

	if (layout_arrange(ui, call->arg[0] != '\0' ? call->arg : layout_names[next]))
		view_say(&ui->v, "layout: %s", layout_names[ui->panes.arrangement]);
	else
		view_refuse(&ui->v, "layouts are auto, single, split and wide");
}

void
cmd_enter(struct ui *ui, const struct command_call *call)
{
	struct pane	*p = &ui->panes.pane[ui->panes.focus];
	const char	*opens;
	uint64_t	 first;

	(void)call;
	if ((ui->panes.focus == PANE_TIMELINE || ui->panes.focus == PANE_EVENTS) &&
	    view_range_zoom(&ui->v))
		return;
	if (ui->panes.focus == PANE_EVENTS && view_past(&ui->v, view_index(&ui->v), &first) > 0) {
		view_past_open(&ui->v, true);
		return;
	}
	if (ui->panes.focus == PANE_PROBLEMS) {
		if (ui->v.gaps.loss.gaps > 0)
			layout_open(ui, PANE_GAPS);
		else
			view_say(&ui->v, "no lost events to show");
	} else if (p->ops->opens != NULL && (opens = p->ops->opens(p->self, &ui->v)) != NULL) {
		(void)ui_command(ui, opens);
	} else if (p->ops->enter != NULL) {
		if (p->ops->enter(p->self, &ui->v))
			layout_open(ui, PANE_EVENTS);
	} else if (ui->panes.focus == PANE_DETAILS) {
		layout_open(ui, PANE_EVENTS);
	} else {
		/* The first time the cursor stays in the list, so that details follow it; the
		   second time it moves to the details. */
		bool	there = ui->panes.pane[PANE_DETAILS].shown;

		layout_open(ui, PANE_DETAILS);
		if (!there && !ui->panes.maximised)
			layout_open(ui, PANE_EVENTS);
		if (!ui->panes.pane[PANE_DETAILS].shown)	/* there is room for one pane
								   only */
			layout_open(ui, PANE_DETAILS);
	}
}

/* ---- move */

static void
move(struct ui *ui, enum move_kind kind, int64_t n, const char *otherwise)
{
	struct pane	*p = &ui->panes.pane[ui->panes.focus];

	if (!p->ops->move(p->self, &ui->v, (struct move){ kind, n }))
		view_say(&ui->v, "%s", otherwise);
}

/* n: the kind of move + 1; negative: back */
void
cmd_move(struct ui *ui, const struct command_call *call)
{
	int64_t		 n = call->count > 0 ? call->count : 1;
	bool		 back = call->n < 0;
	enum move_kind	 kind = (enum move_kind)((back ? -call->n : call->n) - 1);
	const char	*end = ui->v.complete ? "end of the list" : "end of the list so far";

	if (kind == MOVE_SIDE && ui->panes.focus != PANE_TIMELINE)
		move(ui, kind, back ? -n : n, back ? "nothing further left" :
		    "nothing further right");
	else
		move(ui, kind, back ? -n : n, back ? "start of the list" : end);
}

void
cmd_first(struct ui *ui, const struct command_call *call)
{
	(void)call;
	if (ui->panes.focus == PANE_EVENTS || ui->panes.focus == PANE_TIMELINE)
		view_remember(&ui->v);
	move(ui, MOVE_FIRST, 0, "start of the list");
}

static void
say_number(struct view *v, const char *words, uint64_t n)
{
	view_hush(v);
	buf_counts(&v->message, words, n);
}

/* Go to a row. If it is not shown, go to the nearest one, and say so. */
static void
go_to_row(struct ui *ui, uint64_t row)
{
	struct view	*v = &ui->v;
	uint64_t	 rows = trace_rows(v->t), before = v->sel.row;

	view_remember(v);
	view_select_row(v, row);
	if (rows == 0)
		view_say(v, "no events to go to");
	else if (row >= rows)
		say_number(v, "the last row is #", rows - 1);
	else if (row < v->window.head)
		say_number(v, "row # is no longer kept: at the first one that is", row);
	else if (row < v->window.row0)
		say_number(v, "row # is before this window: at its first event "
		    "(0 shows the whole trace)", row);
	else if (row >= v->window.row1)
		say_number(v, "row # is after this window: at its last event "
		    "(0 shows the whole trace)", row);
	else if (v->sel.row != row && !v->sel.settling)
		say_number(v, "row # is hidden by the filter: at the nearest event", row);
	else if (v->sel.row == before)
		view_say(v, "already there");
}

void
cmd_last(struct ui *ui, const struct command_call *call)
{
	bool	events = ui->panes.focus == PANE_EVENTS || ui->panes.focus == PANE_TIMELINE;

	if (events && call->count >= 0) {
		go_to_row(ui, (uint64_t)call->count);
		return;
	}
	if (events)
		view_remember(&ui->v);
	if (call->count < 0)
		move(ui, MOVE_LAST, 0, "end of the list");
	else
		move(ui, MOVE_TO, call->count, "already there");
}

/* The row before which this percentage of the rows lies. */
static uint64_t
row_of_part(uint64_t rows, uint64_t percent)
{
	uint64_t	row = (uint64_t)((unsigned __int128)rows * percent / 100);

	return row < rows || rows == 0 ? row : rows - 1;
}

static void
say_why_alone(struct view *v, const struct event *e)
{
	const struct span_record	*r = view_span_known(v, e, 0);

	view_hush(v);
	if (r != NULL)
		view_span_text(v, r, &v->message);
	else
		buf_puts(&v->message, "its start is not in the trace");
}

/* Go from the event that begins the longest span to the one that ends it, or back. */
static void
go_to_other_end(struct ui *ui)
{
	struct view	*v = &ui->v;
	struct event	 e, to;
	uint64_t	 row;

	if (view_selected(v, &e) != 1) {
		view_say(v, "no event under the cursor");
		return;
	}
	if (!ui_await_spans(ui, cmd_part))
		return;
	switch (view_span_other_end(v, &e, &row)) {
	case ENDS_LATER:		/* not after the spans were found */
		break;
	case ENDS_NONE:
		view_say(v, "the event neither starts nor ends a span; 50%% goes to the middle");
		break;
	case ENDS_LOST:
		say_why_alone(v, &e);
		break;
	case ENDS_THERE:
		if (trace_event(v->t, row, &to) == 1)
			view_go_to(v, to.ts, to.off);
		break;
	}
}

void
cmd_part(struct ui *ui, const struct command_call *call)
{
	const struct table_pane	*here = rows_here(ui);
	int64_t			 percent = call->count;
	char			*end;

	if (call->arg[0] != '\0') {
		percent = strtol(call->arg, &end, 10);
		if (end == call->arg || strspn(end, "% ") != strlen(end))
			percent = -1;
	}
	if (call->arg[0] == '\0' && percent <= 0 && here == NULL) {
		go_to_other_end(ui);
		return;
	}
	if (percent < 0 || percent > 100)
		view_refuse(&ui->v, "type a percentage first: 50%%");
	else if (here != NULL)
		move(ui, MOVE_TO, (int64_t)row_of_part(here->nshown, (uint64_t)percent),
		    "already there");
	else
		go_to_row(ui, ui->v.window.head +
		    row_of_part(trace_rows_kept(ui->v.t), (uint64_t)percent));
}

void
cmd_row(struct ui *ui, const struct command_call *call)
{
	char			*end;
	unsigned long long	 row = strtoull(call->arg, &end, 10);

	if (end == call->arg || *end != '\0' || row > INT64_MAX) {
		view_refuse(&ui->v, "row: not a number");
		return;
	}
	go_to_row(ui, row);
}

void
cmd_time(struct ui *ui, const struct command_call *call)
{
	if (!command_asks(ui, call, PROMPT_TIME, ""))
		(void)ui_go_to_time(ui, call->arg);
}

/* n: direction */
void
cmd_gap(struct ui *ui, const struct command_call *call)
{
	struct pane	*p = &ui->panes.pane[ui->panes.focus];
	uint32_t	 thread = EVENT_NONE;

	if ((SCOPE(ui->panes.focus) & SCOPE_OVERLAYS) != 0)
		(void)layout_close_last(ui);	/* it covers the events */
	if (p->ops->thread != NULL)
		thread = p->ops->thread(p->self, &ui->v);
	view_gap_next(&ui->v, (int)call->n, thread);
}

/* n: direction */
void
cmd_history(struct ui *ui, const struct command_call *call)
{
	if (!view_back(&ui->v, call->n > 0))
		view_say(&ui->v, call->n > 0 ? "nothing to go forward to" :
		    "nothing to go back to");
}

/* ---- time window */

/* The window's length in ticks; at least 1. */
static uint64_t
window_len(const struct view *v)
{
	return (uint64_t)v->window.to - (uint64_t)v->window.from;
}

/* ts + n and ts - n, limited to the range of times. */
static int64_t
later(int64_t ts, uint64_t n)
{
	return __builtin_add_overflow(ts, n, &ts) ? INT64_MAX : ts;
}

static int64_t
earlier(int64_t ts, uint64_t n)
{
	return __builtin_sub_overflow(ts, n, &ts) ? INT64_MIN : ts;
}

/* False: there are no times, and a message says so. */
static bool
has_times(struct view *v)
{
	if (!v->window.any)
		view_say(v, v->complete ? "this trace has no events" : "no events yet");
	return v->window.any;
}

/* The part of the window on one side of the cursor, n ticks, after zooming. Zooming out never
   makes it smaller. */
static uint64_t
zoomed(uint64_t n, uint64_t factor, bool in)
{
	if (in)
		return n / factor;
	return n > (UINT64_MAX - factor) / factor ? UINT64_MAX : n * factor + factor - 1;
}

/* The cursor keeps its place in the window, so that zooming in and out again restores it.
   n: factor; < 0: out */
void
cmd_zoom(struct ui *ui, const struct command_call *call)
{
	struct view	*v = &ui->v;
	bool		 in = call->n > 0;
	uint64_t	 factor = (uint64_t)(in ? call->n : -call->n);
	uint64_t	 len = window_len(v), left = len / 2;
	int64_t		 at;

	if (v->sel.has && v->sel.ts >= v->window.from && v->sel.ts < v->window.to)
		left = (uint64_t)v->sel.ts - (uint64_t)v->window.from;
	at = later(v->window.from, left);
	if (!has_times(v))
		return;
	if (in && len < factor)
		view_say(v, "the window cannot get any shorter");
	else if (!view_window(v, earlier(at, zoomed(left, factor, in)),
	    later(later(at, zoomed(len - left - (len > 0), factor, in)), 1)))
		view_say(v, "the window is the whole trace");
}

/* n: quarters */
void
cmd_pan(struct ui *ui, const struct command_call *call)
{
	struct view	*v = &ui->v;
	uint64_t	 len = window_len(v), step = len / 4 > 0 ? len / 4 : 1;
	int64_t		 from = v->window.from, end = later(v->window.last, 1);

	if (!has_times(v))
		return;
	if (v->window.whole) {
		view_say(v, "the window is the whole trace (w zooms in)");
		return;
	}
	for (int64_t i = 0; i < (call->n < 0 ? -call->n : call->n); i++)
		from = call->n > 0 ? later(from, step) : earlier(from, step);
	if (from > earlier(end, len))
		from = earlier(end, len);
	if (from < v->window.first)
		from = v->window.first;
	if (!view_window(v, from, later(from, len)))
		view_say(v, call->n > 0 ? "the window ends with the trace" :
		    "the window begins with the trace");
}

void
cmd_all(struct ui *ui, const struct command_call *call)
{
	(void)call;
	if (has_times(&ui->v) && ui->v.window.whole)
		view_say(&ui->v, "the window is the whole trace");
	view_window_all(&ui->v);
}

void
cmd_time_format(struct ui *ui, const struct command_call *call)
{
	static const char *const	words[TIME_FORMATS] = {
		[TIME_RELATIVE] = "seconds since the trace began", [TIME_LOCAL] = "local",
		[TIME_UTC] = "UTC",
		[TIME_DELTA] = "relative to the cursor", [TIME_TICKS] = "raw ticks",
	};
	int	to = TIME_FORMATS;

	if (call->arg[0] == '\0')
		to = (int)((ui->v.display.time_format + 1u) % TIME_FORMATS);
	for (int i = 0; i < TIME_FORMATS; i++)
		if (strcmp(call->arg, time_format_names[i]) == 0)
			to = i;
	if (to == TIME_FORMATS) {
		view_refuse(&ui->v, "time formats are relative, local, utc, delta and ticks, not "
		    "\"%s\"",
		    call->arg);
		return;
	}
	ui->v.display.time_format = (enum time_format)to;
	view_say(&ui->v, "times: %s", to == TIME_RELATIVE && ui->v.display.has_zero ?
	    "seconds since the zero point (T resets it)" : words[to]);
}

/* ---- find */

void
cmd_search(struct ui *ui, const struct command_call *call)
{
	if (command_asks(ui, call, PROMPT_SEARCH, ""))
		return;
	if (find_here(ui))
		(void)find_first(ui, call->arg);
	else if (view_search(&ui->v, call->arg))
		view_search_next(&ui->v, 2);
}

/* n: direction */
void
cmd_hit(struct ui *ui, const struct command_call *call)
{
	if (find_next(ui, (int)call->n))
		return;
	if (!view_search_again(&ui->v)) {
		view_say(&ui->v, "no search yet (/ searches)");
		return;
	}
	view_remember(&ui->v);
	for (int64_t i = call->count < HITS_MOST ? call->count : HITS_MOST; i > 1; i--)
		view_search_next(&ui->v, (int)call->n);
	view_search_next(&ui->v, (int)call->n);
	if (call->count > HITS_MOST)
		say_number(&ui->v, "at most # hits at once", HITS_MOST);
}

void
cmd_no_hits(struct ui *ui, const struct command_call *call)
{
	(void)call;
	if (!find_drop(ui) && ui->v.search.hits == NULL) {
		view_say(&ui->v, "no hits are highlighted");
		return;
	}
	view_search_drop(&ui->v, true);
	view_say(&ui->v, "highlighting off (n searches again)");
}

void
cmd_filter(struct ui *ui, const struct command_call *call)
{
	if (!command_asks(ui, call, PROMPT_FILTER, ui->v.filter.text != NULL ? ui->v.filter.text :
	    ""))
		(void)view_set_filter(&ui->v, call->arg);
}

void
cmd_drop_filter(struct ui *ui, const struct command_call *call)
{
	(void)call;
	if (ui->v.filter.off)
		view_say(&ui->v, "all filters are off (Alt-f switches them on)");
	else if (!view_filter_drop(&ui->v))
		view_say(&ui->v, "no filter (f sets one)");
	else if (ui->v.filter.text != NULL)
		view_say(&ui->v, "filter now: %s", ui->v.filter.text);
}

/* n: 1 on, 0 off */
void
cmd_filter_add(struct ui *ui, const struct command_call *call)
{
	if (call->arg[0] == '\0' && call->n == 0)
		view_refuse(&ui->v, "filter-keep: no expression given");
	else if (call->arg[0] == '\0')
		ui_prompt_term(ui);
	else if (call->n != 0)
		(void)view_filter_add(&ui->v, call->arg);
	else if (!view_filter_add_off(&ui->v, call->arg))
		view_refuse(&ui->v, "not a valid filter: %s", call->arg);
}

/* The term with this name or number (from 1), or the one under the cursor. False after a
   message. */
static bool
find_term(struct ui *ui, const char *arg, size_t *at)
{
	struct view	*v = &ui->v;

	*at = v->filter.at;
	for (size_t i = 0; i < v->filter.n && arg[0] != '\0'; i++)
		if (text_same(v->filter.item[i].name, arg))
			*at = i, arg = "";
	if (arg[0] != '\0')
		*at = strtoul(arg, NULL, 10) - 1;
	if (*at < v->filter.n)
		return true;
	view_say(v, v->filter.n == 0 ? "no filter (f sets one)" :
	    "no filter term \"%s\" (:filters lists them)", arg);
	return false;
}

void
cmd_filter_toggle(struct ui *ui, const struct command_call *call)
{
	size_t	at;

	if (find_term(ui, call->arg, &at) && view_filter_toggle(&ui->v, at))
		view_say(&ui->v, "%s: %s", ui->v.filter.item[at].on ? "on" : "off",
		    ui->v.filter.item[at].text);
}

void
cmd_filter_delete(struct ui *ui, const struct command_call *call)
{
	size_t	at;

	if (find_term(ui, call->arg, &at))
		(void)view_filter_delete(&ui->v, at);
}

void
cmd_filter_name(struct ui *ui, const struct command_call *call)
{
	size_t	at;

	if (find_term(ui, "", &at) && !command_asks(ui, call, PROMPT_COMMAND, "filter-name "))
		view_filter_name(&ui->v.filter, at, call->arg);
}

void
cmd_filters_toggle(struct ui *ui, const struct command_call *call)
{
	bool	on;

	if (!command_switch(ui, call, "filters-toggle", !ui->v.filter.off, &on))
		return;
	if (call->arg[0] != '\0' && on == !ui->v.filter.off)
		return;		/* they are switched already */
	if (!view_filters_toggle_all(&ui->v))
		view_say(&ui->v, "no filter (f sets one)");
	else
		view_say(&ui->v, ui->v.filter.off ? "all filters are off (Alt-f: on)" :
		    "filters are on");
}

/* ---- copy and export */

void
cmd_export(struct ui *ui, const struct command_call *call)
{
	if (!command_asks(ui, call, PROMPT_EXPORT, ""))
		(void)export_start(ui, call->arg, false);
}

/* n: 1 replaces texts */
void
cmd_cut(struct ui *ui, const struct command_call *call)
{
	if (!command_asks(ui, call, PROMPT_COMMAND, call->n != 0 ? "redact " : "cut "))
		(void)export_cut(ui, call->arg, call->n != 0);
}

void
cmd_write(struct ui *ui, const struct command_call *call)
{
	if (ui->live.by != NULL && call->arg[0] != '\0' && !export_names_form(ui, call->arg))
		live_keep(ui, call->arg);
	else
		cmd_export(ui, call);
}

void
cmd_pipe(struct ui *ui, const struct command_call *call)
{
	if (!command_asks(ui, call, PROMPT_PIPE, ""))
		(void)export_pipe(ui, call->arg);
}

void
cmd_prompt(struct ui *ui, const struct command_call *call)
{
	ui_prompt(ui, (enum prompt_kind)call->n, "");
}

/*
 * The viewer's loop.
 *
 *	all input there is -> a slice of work -> at most one frame in 16 ms -> wait
 *
 * Invariant: no step takes longer than a slice of work. A key waits no longer than that, but for
 * what it has requested (doc/ARCHITECTURE.md, "Keys"). If there is nothing to do, the wait has no
 * limit, and nothing is sent to the terminal.
 */
#include "tnav/ui/ui.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "tnav/analysis/report.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/engine/filter.h"
#include "ui/command/command.h"
#include "ui/await.h"
#include "ui/term/key.h"
#include "ui/follow.h"
#include "ui/layout.h"
#include "ui/live.h"
#include "ui/reread.h"
#include "ui/shell.h"
#include "ui/term/term.h"

#include "ui/command/commands.h"
#include "ui/state/keep.h"
#include "ui/state/rc.h"
#include "ui/state/script.h"
#include "ui/state/state.h"

#define MS		((int64_t)1000000)
#define FRAME_NS	(16 * MS)
#define WORK_NS		(2 * MS)	/* slice of work that may delay a key */
#define FIRST_WORK_NS	MS		/* ... and a frame, after a key */
#define PROGRESS_NS	(250 * MS)	/* at most between frames that only show progress */
#define FIRST_TICK_NS	(10 * MS)	/* until the first rows can be shown */
#define FIRST_NS	(300 * MS)
#define FACTS_NS	(20 * MS)	/* between tests whether facts were made */
#define TICK_NS		(100 * MS)	/* later, while the index is made */
#define COPY_NS		(10 * MS)	/* between tests whether a copy has finished */
#define EXIT_NO_VIEW	2
#define EXIT_NO_OUTPUT	3
#define COUNT_MAX	((int64_t)1 << 40)	/* this many pages still fit into 64 bits */

/* ---- scripts */

/* Run the script's next command. */
static void
run_script(struct ui *ui)
{
	const char	*all = buf_str(&ui->script.text), *left = all + ui->script.at;
	struct buf	 command = { 0 };
	unsigned	 line;
	bool		 good = true;

	if (script_next(&left, &ui->script.line, &line, &command)) {
		ui->script.at = (size_t)(left - all);
		ui->v.refused = false;
		good = ui_command(ui, buf_str(&command)) && !ui->v.refused;
	}
	if (!good && ui->opt.script_file != NULL)
		buf_printf(&ui->v.message, " (%s, line %u)", ui->opt.script_file, line);
	/* Commands after a wrong one may depend on it. */
	if (!good || *left == '\0')
		buf_clear(&ui->script.text);
	buf_release(&command);
	ui->screen.dirty = true;
}

/* Can the script go on? It waits for the index, for the search of its last command, and for an
   answer. */
static bool
script_goes_on(const struct ui *ui)
{
	return ui->script.text.len > 0 && ui->typing.question.yes == NULL;
}

/* ---- keys */

/*
 * The letter of Option and a key on a Mac, if the terminal does not use Option as Meta and there is
 * a command with Alt and this letter. '\0': none.
 */
static char
option_key(int32_t key)
{
	static const struct { int32_t cp; char key; } options[] = {
		{ 0xa1, '1' }, { 0x2122, '2' }, { 0xa3, '3' }, { 0xa2, '4' }, { 0x221e, '5' },
		{ 0xa7, '6' }, { 0xb6, '7' }, { 0x2022, '8' }, { 0xaa, '9' }, { 0xba, '0' },
		{ 0xa9, 'g' }, { 0x2202, 'd' }, { 0x192, 'f' }, { 0x2d9, 'h' }, { 0x222b, 'b' },
	};

	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		if (options[i].cp == key)
			return options[i].key;
	return '\0';
}

static void
no_command(struct ui *ui, struct key_pair k)
{
	unsigned	scope = k.then == TK_NONE ? keymap_scope(&ui->keymap, k.key) : 0;
	const char	*here = ui->panes.pane[ui->panes.focus].name;
	struct buf	*b = &ui->v.message;

	buf_puts(b, scope == 0 ? "no command on " : "");
	key_pair_write(b, k);
	if (scope == 0 && k.then == TK_NONE && option_key(k.key) != '\0') {
		buf_printf(b, ": Option-%c, typed as text. Set \"Use Option as Meta key\" in the "
		    "terminal, or press F2", option_key(k.key));
	} else if (scope == 0) {
		buf_puts(b, " (? for help)");
	} else if ((SCOPE(ui->panes.focus) & SCOPE_OVERLAYS) != 0) {
		buf_printf(b, " has no use in %s (q closes it)", here);
	} else if ((scope & ~SCOPE_OVERLAYS) == 0 || scope == SCOPE_TRACE || scope == SCOPE_ANY) {
		buf_puts(b, " has no use here (? for help)");
	} else {
		buf_printf(b, " has no use in %s; it works in ", here);
		panes_write(b, scope & ~SCOPE_OVERLAYS);
	}
}

static bool
cancels(int32_t key)
{
	return key == TK_ESC || key == KEY_CTRL('C') || key == KEY_CTRL('G');
}

/* Is it a digit of a count, or the first of two keys? */
static bool
key_waits(struct ui *ui, int32_t key)
{
	if (ui->typing.prefix != TK_NONE)
		return false;
	if ((key >= '1' && key <= '9') || (key == '0' && ui->typing.count >= 0)) {
		ui->typing.count = ui->typing.count < 0 ? 0 : ui->typing.count;
		if (ui->typing.count < COUNT_MAX / 10)
			ui->typing.count = ui->typing.count * 10 + (key - '0');
		return true;
	}
	if (keymap_prefix(&ui->keymap, key, SCOPE(ui->panes.focus))) {
		ui->typing.prefix = key;
		return true;
	}
	return false;
}

/*
 * A command cancels what is still being searched, and a command that waits for spans, so that the
 * cursor does not move later. Steps do not cancel a step, nor hits a search: they are added to it.
 */
static void
seek_no_more(struct ui *ui, const struct command *cmd)
{
	bool	steps = cmd->run == cmd_step_thread || cmd->run == cmd_step_type ||
		    cmd->run == cmd_step_activity || cmd->run == cmd_step_error;

	if (cmd->run == cmd_cancel)
		return;
	ui_await_no_more(ui);
	if (cmd->run != cmd_hit)
		seek_stop(&ui->v.search.seek);
	if (!steps)
		seek_stop(&ui->v.walk.seek);
}

/* A key for a row of the pane: move there, then Enter. */
static bool
chooses(struct ui *ui, int32_t key)
{
	struct pane	*p = &ui->panes.pane[ui->panes.focus];

	if (p->ops->key == NULL || !p->ops->key(p->self, &ui->v, key))
		return false;
	ui_key(ui, TK_ENTER);
	return true;
}

/* The binding of the key in this pane, or, made in *tour, while the tour runs. NULL: none. */
static const struct binding *
find_binding(struct ui *ui, struct key_pair k, struct binding *tour)
{
	tour->cmd = command_by_name("tour", strlen("tour"));
	if (ui->tour.step > 0 && k.key == TOUR_KEY && tour->cmd != NULL)
		return tour;
	return keymap_find(&ui->keymap, k.key, k.then, SCOPE(ui->panes.focus));
}

static void
run_key(struct ui *ui, struct key_pair k)
{
	struct binding		 tour = { .cmd = NULL };
	const struct binding	*b = find_binding(ui, k, &tour);
	struct command_call	 call = { .count = ui->typing.count, .arg = "" };
	struct buf		 arg = { 0 };

	if (b == NULL) {
		no_command(ui, k);
		return;
	}
	seek_no_more(ui, b->cmd);
	if (b->arg != NULL)
		buf_puts(&arg, b->arg);
	else if (b->key.then == TK_ANY) {
		char	utf8[4];

		buf_add(&arg, utf8, text_encode(k.then, utf8));
	}
	call.arg = buf_str(&arg);
	call.n = b->cmd->n;
	b->cmd->run(ui, &call);
	buf_release(&arg);
}

/* Update the panes as a frame would, so that several keys before a frame work as they do with
   frames in between. */
static void
panes_follow(struct ui *ui)
{
	for (struct pane *p = ui->panes.pane; p < ui->panes.pane + PANES; p++)
		if (p->shown && p->ops->follow != NULL)
			p->ops->follow(p->self, &ui->v);
}

/* Alt and a letter edits, or does nothing. */
static bool
leaves_prompt(int32_t key)
{
	int32_t	c = key - TK_ALT;

	return c > ' ' && c < 127 && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z');
}

void
ui_key(struct ui *ui, int32_t key)
{
	struct key_pair	k = { key, TK_NONE };

	if (ui->typing.question.yes != NULL) {
		ui_answer(ui, key);
		return;
	}
	if (ui->typing.prompt.kind != PROMPT_NONE && !leaves_prompt(key)) {
		ui_prompt_key(ui, key);
		return;
	}
	if (ui->typing.prompt.kind != PROMPT_NONE) {
		/* The prompt does not use it: it was Esc and another key soon after it. */
		find_typed_end(ui, false);
		ui->typing.prompt.kind = PROMPT_NONE;
		ui_prompt_changed(ui);
		k.key = key -= TK_ALT;
	}
	/* A key typed ahead of a pane's first frame needs the pane's layout. */
	if (ui->panes.placed && ui->screen.rows > 0)
		layout_draw(ui);
	ui->panes.placed = false;
	view_hush(&ui->v);
	ui->v.search.shown = false;
	ui->tour.fresh = false;
	ui->touched = true;
	if (chooses(ui, key) || key_waits(ui, key))
		return;
	if (ui->typing.prefix != TK_NONE)
		k = (struct key_pair){ ui->typing.prefix, key };
	if (ui->typing.prefix == TK_NONE || !cancels(key))
		run_key(ui, k);
	panes_follow(ui);
	follow_moved(ui);
	ui->typing.prefix = TK_NONE;
	ui->typing.count = -1;
	if (ui->v.filter.text == NULL && ui->v.window.whole)
		buf_clear(&ui->restored.text);
}

static void
pasted(struct ui *ui, int32_t cp)
{
	if (ui->typing.question.yes != NULL)
		ui_answer(ui, 0);
	if (ui->typing.prompt.kind != PROMPT_NONE) {
		prompt_insert(&ui->typing.prompt, cp);
		ui_prompt_changed(ui);
	} else {
		view_say(&ui->v, "pasted text ignored: it is not run as commands");
	}
}

static void
press_keys(struct ui *ui, struct key_pair k)
{
	if (k.key != TK_NONE)
		ui_key(ui, k.key);
	if (k.then != TK_NONE)
		ui_key(ui, k.then);
}

static void
run_input(struct ui *ui, const struct input *in)
{
	if (in->kind == INPUT_KEY)
		ui_key(ui, in->code);
	else if (in->kind == INPUT_PASTED)
		pasted(ui, in->code);
	else if (ui->typing.question.yes == NULL)
		press_keys(ui, ui_mouse(ui, &in->mouse));
}

/* Read what has arrived: keys are kept, the rest is done at once. */
static void
read_input(struct ui *ui)
{
	struct screen	*s = ui->screen.s;

	for (;;) {
		switch (typeahead_read(&ui->ahead, s)) {
		case INPUT_GONE:
			ui->quit = true;
			return;
		case INPUT_SUSPEND:
			s->ops->suspend(s);
			ui->screen.resized = ui->screen.dirty = ui->screen.keyed = true;
			break;
		case INPUT_RESIZE:
			ui->screen.resized = ui->screen.dirty = ui->screen.keyed = true;
			break;
		default:
			return;
		}
	}
}

static void
take_input(struct ui *ui)
{
	struct input	in;

	for (unsigned i = 0; i < TYPEAHEAD_MOST && !ui->quit; i++) {
		read_input(ui);
		if (ui->quit || !typeahead_next(&ui->ahead, &in))
			break;
		ui->screen.dirty = ui->screen.keyed = true;
		run_input(ui, &in);
	}
}

/* ---- drawing */

static void
draw(struct ui *ui, int64_t now)
{
	enum work_rank	before = view_work(&ui->v);

	if (ui->screen.resized || ui->screen.rows == 0) {
		ui->screen.s->ops->size(ui->screen.s, &ui->screen.rows, &ui->screen.cols);
		layout_place(ui);
		ui->screen.resized = false;
	}
	view_filter_tell(&ui->v);
	layout_draw(ui);
	tour_draw(ui);
	ui->screen.work = view_work(&ui->v);
	if (before < ui->screen.work)
		ui->screen.work = before;
	if (ui->typing.prompt.kind != PROMPT_NONE && ui->screen.rows >= SHELL_MIN_ROWS)
		ui_prompt_draw(ui);
	ui->timing.last_frame = now;
	if (ui->screen.keyed)
		ui->timing.last_keyed = now;
	ui->screen.keyed = false;
	ui->screen.dirty = !ui->screen.s->ops->put(ui->screen.s, &ui->screen.c);
}

/* ---- turns */

/* Often at first, so that a small trace is complete at once. */
static int64_t
tick_ns(const struct ui *ui, int64_t now)
{
	return ui->v.window.any && now - ui->timing.started > FIRST_NS ? TICK_NS : FIRST_TICK_NS;
}

/* Soon after a key at short intervals, so that its first result is soon seen. */
static bool
progress_due(const struct ui *ui, int64_t now)
{
	int64_t	every = (now - ui->timing.last_keyed) / 2;

	every = every < FRAME_NS ? FRAME_NS : every < PROGRESS_NS ? every : PROGRESS_NS;
	return now - ui->timing.last_progress >= every;
}

static void
follow_index(struct ui *ui, int64_t now)
{
	if (ui->v.complete)
		return;
	if (!trace_heard(ui->v.t) && now - ui->timing.last_tick < tick_ns(ui, now))
		return;
	ui->timing.last_tick = now;
	if (!ui->v.window.any || progress_due(ui, now) || ui->v.following ||
	    trace_index_done(ui->v.t)) {
		ui->timing.last_progress = now;
		if (view_refresh(&ui->v) || ui->live.late) {
			layout_place(ui);
			live_slide(ui);
			follow_refreshed(ui);
			ui->screen.dirty = true;
		}
	}
}

/* Take over facts that have been made, for a command that waits for them, too. */
static void
follow_facts(struct ui *ui, int64_t now)
{
	struct selected_row	was;

	ui_follow_facts(ui);
	if (!ui_awaits(ui))
		return;
	was = ui->v.sel;
	if (ui_awaited(ui)) {
		panes_follow(ui);
		if (ui->v.sel.ts != was.ts || ui->v.sel.off != was.off)
			follow_moved(ui);
	} else if (progress_due(ui, now)) {
		ui->timing.last_progress = now;
		ui->screen.dirty = true;
	}
}

static bool
is_finding(const struct ui *ui)
{
	return deriving_state(&ui->v.deriving, ~0u).busy;
}

/* A frame shows that something is done, which another thread may have done at any time. */
static void
work(struct ui *ui, int64_t now)
{
	enum work_rank	before = view_work(&ui->v);
	int64_t		budget_ns = ui->screen.dirty ? FIRST_WORK_NS : WORK_NS;

	if (before > ui->screen.work)
		ui->screen.dirty = true;
	ui->screen.work = before;
	if (ui->export != NULL)
		export_step(ui, WORK_NS);
	if (before == WORK_NONE)
		return;
	(void)view_step(&ui->v, WORK_PANES, budget_ns);
	ui->screen.work = view_work(&ui->v);
	if (ui->screen.work > before) {
		panes_follow(ui);
		ui->screen.dirty = true;
	} else if (progress_due(ui, now)) {
		ui->timing.last_progress = now;
		ui->screen.dirty = true;
	}
}

static bool
is_working(const struct ui *ui)
{
	return view_work(&ui->v) != WORK_NONE || ui->screen.work != WORK_NONE ||
	    ui->export != NULL;
}

bool
ui_idle(const struct ui *ui)
{
	return ui->quit || (!typeahead_any(&ui->ahead) &&
	    !ui->screen.dirty && !is_working(ui) && (ui->v.complete || follow_rests(ui)) &&
	    !is_finding(ui) && !deriving_behind(&ui->v.deriving, NEEDS_OTHERS) &&
	    !reporting_behind(&ui->v.reporting) && !copy_busy(ui) && !script_goes_on(ui));
}

/* A key does not wait for the time that a progress frame took. */
static int64_t
frame_wait_ns(const struct ui *ui, int64_t now)
{
	int64_t	last = ui->timing.last_frame;

	if (ui->screen.keyed && ui->timing.last_keyed < last)
		last = ui->timing.last_keyed;
	return last + FRAME_NS - now;
}

static int
timeout_ms(const struct ui *ui, int64_t now)
{
	int64_t	left = -1;

	if (typeahead_any(&ui->ahead) || is_working(ui) ||
	    ((ui->v.complete || follow_rests(ui)) && script_goes_on(ui)))
		return 0;
	if (!ui->v.complete)
		left = ui->timing.last_tick + tick_ns(ui, now) - now;
	if (copy_busy(ui) && (left < 0 || left > COPY_NS))
		left = COPY_NS;
	if (is_finding(ui) && (left < 0 || left > FACTS_NS))
		left = FACTS_NS;
	if (ui->screen.dirty && (left < 0 || frame_wait_ns(ui, now) < left))
		left = frame_wait_ns(ui, now);
	if (ui->v.complete && !ui->screen.dirty && !copy_busy(ui) && !is_finding(ui))
		return follow_wait_ms(ui, now);
	return left <= 0 ? 1 : (int)(left / MS) + 1;
}

/* Values on the first screen: the counters, as soon as there are any, unless the user has opened
   something. The list keeps the focus. */
static void
show_counters(struct ui *ui)
{
	enum pane_id	focus = ui->panes.focus;

	if (ui->live.counted || !report_present(&report_counters, ui->v.t))
		return;
	ui->live.counted = true;
	if (ui->panes.opened > 0 || focus != layout_home() ||
	    ui->typing.prompt.kind != PROMPT_NONE || ui->typing.question.yes != NULL)
		return;
	pane_act(ui, PANE_REPORT, REPORT_counters, "");
	layout_open(ui, PANE_REPORT);
	ui->panes.focus = focus;
	layout_place(ui);
}

void
ui_turn(struct ui *ui)
{
	int64_t	now;

	take_input(ui);
	if (ui->quit)
		return;
	if (live_look(ui, job_now_ns()))
		show_counters(ui);
	follow_index(ui, job_now_ns());
	ui->screen.dirty |= follow_look(ui, job_now_ns());
	state_place(ui);
	work(ui, job_now_ns());
	follow_facts(ui, job_now_ns());
	/* A command of a script waits for the index and for the search of the previous command. */
	if (script_goes_on(ui) && ui->screen.rows > 0 && (ui->v.complete || follow_rests(ui)) &&
	    !is_finding(ui) && view_work(&ui->v) > WORK_LIST)
		run_script(ui);
	export_later(ui);
	if (copy_busy(ui))
		copy_step(ui);
	now = job_now_ns();
	if (ui->screen.dirty && frame_wait_ns(ui, now) <= 0)
		draw(ui, now);
	ui->screen.s->wake_fd = ui->v.complete ? -1 : trace_bell(ui->v.t);
	if (!ui->quit)
		ui->screen.s->ops->wait(ui->screen.s, timeout_ms(ui, job_now_ns()));
}

/* ---- start and end */

static bool
apply_times(struct ui *ui, const struct ui_options *o, struct buf *why)
{
	int64_t	ns, from = INT64_MIN, to = INT64_MAX;

	if (o->from == NULL && o->to == NULL)
		return true;
	if (o->from != NULL) {
		if (!ui_parse_time(ui, o->from, strlen(o->from), &ns))
			goto wrong;
		from = trace_ts(ui->v.t, ns);
	}
	if (o->to != NULL) {
		if (!ui_parse_time(ui, o->to, strlen(o->to), &ns))
			goto wrong;
		to = trace_ts(ui->v.t, ns);
	}
	view_window_fixed(&ui->v, from, to);
	return true;
wrong:
	buf_add(why, ui->v.message.p, ui->v.message.len);
	return false;
}

struct ui *
ui_new(struct trace *t, const struct ui_options *o, struct screen *s, struct buf *why)
{
	struct ui	*ui = mem_zalloc(1, sizeof *ui);

	ui->screen.s = s;
	ui->opt = *o;
	ui->panes.focus = layout_home();
	ui->screen.dirty = ui->screen.resized = true;
	ui->screen.work = WORK_NONE;
	ui->script.line = 1;
	ui->timing.started = job_now_ns();
	ui->timing.last_frame = ui->timing.last_keyed = ui->timing.started - FRAME_NS;
	ui->typing.count = -1;
	canvas_init(&ui->screen.c, s->ascii);
	ui->screen.c.agrees = s->ops->agrees;
	panes_init(&ui->panes, &ui->v);
	view_init(&ui->v, t, s->ascii);
	deriving_set_files(&ui->v.deriving, o->names);
	keymap_init(&ui->keymap);
	ui->v.keymap = &ui->keymap;
	ui->v.display.time_format = o->utc ? TIME_UTC : TIME_RELATIVE;
	ui->follow.wanted = o->follow;
	live_begin(ui);
	if (o->state)
		rc_start(ui);
	if (o->script_file != NULL && !rc_read(o->script_file, &ui->script.text))
		buf_printf(why, "%s: %s", o->script_file, strerror(errno));
	if (why->len > 0 || !apply_times(ui, o, why) ||
	    (o->filter != NULL && !view_set_filter(&ui->v, o->filter))) {
		if (why->len == 0)
			buf_add(why, ui->v.message.p, ui->v.message.len);
		ui_free(ui);
		return NULL;
	}
	if (o->script != NULL)
		buf_puts(&ui->script.text, o->script);
	else if (o->filter == NULL && o->from == NULL && o->to == NULL && o->script_file == NULL)
		keep_restore(ui);
	return ui;
}

void
ui_free(struct ui *ui)
{
	if (ui == NULL)
		return;
	(void)export_cancel(ui);	/* it writes a message to the view */
	copy_release(&ui->copying);
	find_release(&ui->find);
	header_release(&ui->header);
	panes_release(&ui->panes);
	typing_release(&ui->typing);
	typeahead_release(&ui->ahead);
	view_release(&ui->v);
	keymap_release(&ui->keymap);
	canvas_release(&ui->screen.c);
	buf_release(&ui->script.text);
	buf_release(&ui->restored.text);
	buf_release(&ui->later.what);
	buf_release(&ui->tour.skipped);
	trace_close(ui->own);
	mem_free(ui);
}

/* Say on standard error why the viewer has ended. */
static void
say_why(const struct buf *why)
{
	struct buf	line = { 0 };

	(void)text_clean(&line, span_of_buf(why), TEXT_ASCII, SIZE_MAX);
	fprintf(stderr, "tnav: %s\n", buf_str(&line));
	buf_release(&line);
}

int
ui_run(struct trace *t, const struct ui_options *o)
{
	struct buf	 why = { 0 };
	struct screen	*s;
	struct ui	*ui = NULL;
	int		 sig = 0, failure = 0;

	s = term_open(o->color, &why);
	if (s != NULL) {
		ui = ui_new(t, o, s, &why);
		while (ui != NULL && !ui->quit)
			ui_turn(ui);
		sig = term_signal(s);
		failure = term_failure(s);
		term_close(s);
		if (ui != NULL)
			keep_save(ui);
	} else {
		buf_puts(&why, "; `tnav dump FILE` prints the events without one");
	}
	ui_free(ui);			/* also ends the file that is being written */
	if (sig != 0)
		raise(sig);
	if (failure != 0)
		buf_printf(&why, "the terminal is gone: %s", strerror(failure));
	if (why.len > 0)
		say_why(&why);
	buf_release(&why);
	if (ui == NULL)
		return EXIT_NO_VIEW;
	return failure != 0 ? EXIT_NO_OUTPUT : 0;
}

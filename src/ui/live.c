/*
 * A trace that is being received.
 *
 *	ui_live.look() -> state, rates -> the top line
 *	the end moves  -> window = the last 30 s	while it is the one that was set here
 *	the head moves -> list, window, filter, reports anew	--keep: the first events are gone
 *	q              -> stop, keep, discard -> ui_live
 *
 * Invariant: only ui_live stops the session, and only once.
 */
#include "ui/live.h"

#include "tnav/base/job.h"
#include "tnav/base/num.h"
#include "tnav/base/units.h"
#include "tnav/engine/head.h"
#include "tnav/io/paths.h"
#include "ui/command/write.h"
#include "ui/shell.h"

#define NS_PER_S	INT64_C(1000000000)
#define LOOK_NS		(NS_PER_S / 10)
#define WINDOW_NS	(30 * NS_PER_S)
#define SLIDE_NS	NS_PER_S		/* between two moves of a filtered window */
#define STEP_NS		(NS_PER_S / 50)		/* of a move that may take part in running a
						   filter */
#define QUIET_NS	(2 * NS_PER_S)		/* then the top line says so */

void
live_begin(struct ui *ui)
{
	ui->live = (struct live){ .by = ui->opt.live };
	if (ui->live.by == NULL)
		return;
	ui->v.stackless = ui->live.by->stackless;
	ui->follow = (struct follow){ .on = true, .tail = true };
	ui->live.slides = ui->v.window.whole;
	ui->live.rate.at = job_now_ns();
}

bool
live_runs(const struct ui *ui)
{
	return ui->live.by != NULL && !ui->v.complete;
}

/* ---- the window */

/* Has the user chosen a window other than the one set here? */
static bool
is_chosen(const struct ui *ui)
{
	const struct window	*w = &ui->v.window;

	return ui->live.set ? w->whole || w->from != ui->live.from || w->to != ui->live.to :
	    !w->whole;
}

static bool
asks(const struct view *v)
{
	return v->filter.text != NULL || v->search.pattern != NULL;
}

/* Should the window show the last seconds, and is the trace longer? */
static bool
is_sliding(struct ui *ui)
{
	struct view	*v = &ui->v;

	if (!ui->live.slides || !ui->follow.tail || !v->window.any)
		return false;
	if (is_chosen(ui)) {
		ui->live.slides = false;
		return false;
	}
	return v->window.last != INT64_MAX && trace_ns(v->t, v->window.first) <
	    sub_i64(trace_ns(v->t, v->window.last), WINDOW_NS);
}

/* Set the window to the last seconds, plus next_ns for events to come. */
static void
slide(struct ui *ui, int64_t next_ns)
{
	struct view	*v = &ui->v;
	int64_t		 last = trace_ns(v->t, v->window.last);
	int64_t		 from = trace_ts(v->t, sub_i64(last, WINDOW_NS));
	int64_t		 to = next_ns > 0 ? trace_ts(v->t, add_i64(last, next_ns)) :
			    v->window.last + 1;

	if (!view_window_choose(v, false, from, to))
		return;
	ui->live.set = true;
	ui->live.from = from;
	ui->live.to = to;
	ui->live.slid = job_now_ns();
	view_find_rows(v);
	if (!asks(v))
		return;
	view_ask(v, ASK_AGAIN);
	(void)view_step(v, WORK_LIST, STEP_NS);
}

void
live_slide(struct ui *ui)
{
	struct view	*v = &ui->v;

	ui->live.late = false;
	if (!live_runs(ui) || !is_sliding(ui))
		return;
	/* A count over the window must finish before it starts again, and a filter starts at
	   most once a second. */
	ui->live.late = view_work(v) != WORK_NONE || ui_awaits(ui) || (asks(v) &&
	    (job_now_ns() - ui->live.slid < SLIDE_NS || !view_may_ask(v)));
	if (!ui->live.late)	/* until the next move, new events are inside the window anyway */
		slide(ui, asks(v) ? SLIDE_NS : 0);
}

/* ---- state */

bool
live_rate_measure(struct live_rate *r, int64_t now, uint64_t events, uint64_t indexed,
    uint64_t received)
{
	double	s = (double)(now - r->at) / (double)NS_PER_S;

	if (now - r->at < NS_PER_S)
		return false;
	if (indexed > r->indexed)
		r->per_byte = (double)(events - r->events) / (double)(indexed - r->indexed);
	r->bytes_s = (double)(received - r->received) / s;
	r->events_s = r->bytes_s * r->per_byte;
	r->at = now;
	r->events = events;
	r->indexed = indexed;
	r->received = received;
	return true;
}

static void
measure(struct ui *ui, int64_t now)
{
	struct trace_progress	p;

	trace_progress(ui->v.t, &p);
	if (live_rate_measure(&ui->live.rate, now, p.events, p.done, ui->live.st.bytes))
		ui->screen.dirty = true;
}

static void
tell_missed(struct ui *ui)
{
	if (ui->live.st.missed == NULL)
		return;
	view_say(&ui->v, "its next run cannot be traced: %s", ui->live.st.missed);
	ui->screen.dirty = true;
}

/* Which of several programs have ended, as long as others go on. */
static void
tell_over(struct ui *ui)
{
	struct live	*l = &ui->live;

	for (; l->over < l->st.nover; l->over++) {
		view_say(&ui->v, "%s", l->st.over[l->over]);
		ui->screen.dirty = true;
	}
}

static bool
has_several(const struct ui *ui)
{
	return ui->live.st.programs > 1;
}

/* The index has reached the end of the received data. */
static void
tell_end(struct ui *ui)
{
	struct trace_progress	p;

	ui->live.end_reported = true;
	ui->live.late = false;
	ui->live.at_end = ui->follow.tail;
	if (is_sliding(ui))		/* there may have been no room for all of it */
		slide(ui, 0);
	if (ui->follow.tail)			/* everything may have arrived at once */
		view_select_last(&ui->v);
	ui->follow = (struct follow){ .on = false };
	ui->screen.dirty = true;
	trace_progress(ui->v.t, &p);
	ui->live.by->look(ui->live.by->self, &ui->live.st);
	tell_over(ui);
	if (has_several(ui) && (ui->live.st.cut != NULL || p.closed))
		view_say(&ui->v, p.closed ? "all sessions ended: the traces are complete" :
		    "all sessions ended; incomplete: %s", ui->live.st.cut);
	else if (ui->live.st.problem != NULL)
		view_say(&ui->v, "the session ended: %s", ui->live.st.problem);
	else if (ui->live.st.next != UI_LIVE_LAST)
		view_say(&ui->v, "the program ended, the trace is %s; waiting for it to start "
		    "again (q quits)", p.closed ? "complete" : "incomplete");
	else if (p.closed)
		view_say(&ui->v, "the session ended: the trace is complete");
	else if (ui->live.st.silent)
		view_say(&ui->v, "the program sent nothing for 10 s: the end of the trace is "
		    "missing");
	else
		view_say(&ui->v, "the program ended or closed the connection: the end of the trace "
		    "is missing");
	tell_missed(ui);
}

bool
live_go_on(struct ui *ui)
{
	if (ui->live.by == NULL || !ui->live.end_reported || ui->live.st.next != UI_LIVE_AGAIN)
		return false;
	ui->live.by->go_on(ui->live.by->self);
	ui->quit = true;
	return true;
}

/* The program has started again. A user who is looking at something stays there. */
static void
tell_next(struct ui *ui)
{
	bool	still = view_index(&ui->v) + 1 >= view_count(&ui->v) &&
		    ui->typing.question.yes == NULL && ui->typing.prompt.kind == PROMPT_NONE;

	if (ui->live.at_end && still && live_go_on(ui))
		return;
	view_say(&ui->v, "the program has started again and is being traced: F shows it");
	ui->screen.dirty = true;
}

/* Take over each of the other traces, which name methods, once; or report why there is none. */
static void
take_names(struct ui *ui)
{
	static const char *const	when[UI_NAMES] = {
		[UI_NAMES_BEFORE] = "compiled before the start",
		[UI_NAMES_SINCE] = "compiled from now on",
	};
	struct live			*l = &ui->live;

	for (unsigned i = 0; i < UI_NAMES; i++) {
		if (l->st.names[i].t != NULL && !l->named[i]) {
			l->named[i] = true;
			deriving_set_other(&ui->v.deriving, i == UI_NAMES_SINCE, l->st.names[i].t);
			ui->screen.dirty = true;
		}
		if (l->st.names[i].why != NULL && !l->unnamed[i]) {
			l->unnamed[i] = true;
			view_say(&ui->v, "names of methods %s: %s", when[i], l->st.names[i].why);
			ui->screen.dirty = true;
		}
	}
}

/* Have events been let go? Then everything begins at the first one that is kept. */
static void
look_at_head(struct ui *ui)
{
	struct view		*v = &ui->v;
	struct trace_head	 head;
	struct buf		 b = { 0 };
	bool			 says;

	trace_head(v->t, &head);
	if (head.row == ui->live.head)
		return;
	says = ui->live.head == 0 || (v->sel.has && v->sel.row < head.row && !ui->follow.tail);
	ui->live.head = head.row;
	reporting_forget(&v->reporting);
	view_list_changed(v, ASK_AGAIN);
	if (ui->follow.tail && !ui_awaits(ui))
		view_select_last(v);
	ui->screen.dirty = true;
	if (!says)		/* the top line does */
		return;
	units_secs(&b, trace_ns(v->t, head.ts), 3);
	view_say(v, "the last %s are kept (--keep): events before %s s are gone",
	    ui->live.st.kept != NULL ? ui->live.st.kept : "events", buf_str(&b));
	buf_release(&b);
}

bool
live_look(struct ui *ui, int64_t now)
{
	struct live		*l = &ui->live;
	struct ui_live_state	 before = l->st;

	if (l->by != NULL && ui->v.complete && !l->end_reported)
		tell_end(ui);
	if (l->by == NULL || now - l->looked < LOOK_NS)
		return false;
	if (l->st.phase == UI_LIVE_ENDED) {
		if (!l->end_reported || l->st.next != UI_LIVE_WAITS)
			return false;
		l->looked = now;
		l->by->look(l->by->self, &l->st);
		tell_missed(ui);
		if (l->st.next == UI_LIVE_AGAIN)
			tell_next(ui);
		return false;
	}
	l->looked = now;
	l->by->look(l->by->self, &l->st);
	look_at_head(ui);
	if (l->st.note != NULL && !l->noted)
		view_say(&ui->v, "%s", l->st.note);
	l->noted = true;
	tell_over(ui);
	take_names(ui);
	ui->screen.dirty |= l->st.phase != before.phase || l->st.problem != before.problem;
	measure(ui, now);
	return true;
}

bool
live_text(const struct ui *ui, struct buf *out)
{
	const struct live	*l = &ui->live;
	int64_t			 quiet = job_now_ns() - l->st.last_ns;
	bool			 some = l->st.running < l->st.programs && has_several(ui);

	if (!live_runs(ui))
		return false;
	if (l->st.phase == UI_LIVE_STOPS) {
		buf_puts(out, "  [stopping, receiving method names: ");
		units_bytes(out, l->st.bytes);
		buf_putc(out, ']');
		return true;
	}
	buf_puts(out, ui->follow.tail ? "  [live" : "  [paused");
	if (some)
		buf_printf(out, " %u of %u", l->st.running, l->st.programs);
	if (l->st.last_ns > 0 && quiet >= QUIET_NS) {
		buf_printf(out, ", quiet for %lld s", (long long)(quiet / NS_PER_S));
	} else {
		buf_puts(out, some ? ", " : " ");
		units_count(out, (uint64_t)l->rate.events_s);
		buf_puts(out, "/s ");
		units_bytes(out, (uint64_t)l->rate.bytes_s);
		buf_puts(out, "/s");
	}
	if (l->head > 0 && l->st.kept != NULL)
		buf_printf(out, ", last %s", l->st.kept);
	buf_putc(out, ']');
	return true;
}

/* ---- quitting and keeping */

static void
answered(struct ui *ui, const char *key)
{
	const struct ui_live	*by = ui->live.by;

	if (key[0] == 's') {
		by->stop(by->self);
		view_say(&ui->v, "stopping: receiving the remaining events and method names");
		return;
	}
	if (key[0] == 'd')
		by->discard(by->self);
	live_leave(ui);
	ui->quit = true;
}

bool
live_ask(struct ui *ui)
{
	static const char *const	first[] = {
		[UI_LIVE_RUNS] = "s stop, decide later  ",
		[UI_LIVE_STOPS] = "s stop now, no names  ", [UI_LIVE_ENDED] = "",
	};
	struct ui_live_state		*st = &ui->live.st;
	struct buf			 b = { 0 };
	bool				 ended;

	if (ui->live.by == NULL)
		return false;
	ui->live.by->look(ui->live.by->self, st);
	ended = st->phase == UI_LIVE_ENDED;
	buf_printf(&b, "%sk keep the trace%s and quit  d discard and quit  Esc %s",
	    first[st->phase], has_several(ui) ? "s" : "", ended ? "stay" : "go on");
	/* Q does what it does without a question. */
	ui_ask_which(ui, buf_str(&b), ended ? "kdQ" : "skdQ", answered);
	buf_release(&b);
	return true;
}

void
live_leave(struct ui *ui)
{
	const struct ui_live	*by = ui->live.by;

	if (by == NULL)
		return;
	by->look(by->self, &ui->live.st);
	if (ui->live.st.phase == UI_LIVE_RUNS)
		by->stop(by->self);
}

bool
live_refuses(struct ui *ui)
{
	if (!live_runs(ui))
		return false;
	view_say(&ui->v, "a session is running (q stops it)");
	return true;
}

static void
keep(struct ui *ui, const char *path, bool replace)
{
	struct buf	answer = { 0 };
	bool		good = ui->live.by->keep(ui->live.by->self, path, replace, &answer);
	const char	*grows = !live_runs(ui) ? "" : has_several(ui) ?
			    "; they grow with the sessions" : "; it grows with the session";

	if (good)
		view_say(&ui->v, "kept as %s%s", buf_str(&answer), grows);
	else
		view_say(&ui->v, "%s", buf_str(&answer));
	buf_release(&answer);
}

static void
keep_over(struct ui *ui, const char *path)
{
	keep(ui, path, true);
}

void
live_keep(struct ui *ui, const char *path)
{
	struct buf	b = { 0 };

	paths_expand(&b, path);
	if (has_several(ui)) {		/* their names are made from it; no file is replaced */
		keep(ui, buf_str(&b), false);
		buf_release(&b);
		return;
	}
	switch (write_look(ui, buf_str(&b))) {
	case WRITE_NEW:
		keep(ui, buf_str(&b), false);
		break;
	case WRITE_OVER:
		write_ask(ui, buf_str(&b), WRITE_OVER, 0, keep_over);
		break;
	case WRITE_NOT:
		break;
	}
	buf_release(&b);
}

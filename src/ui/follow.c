/*
 * Following a file.
 *
 *	the file grows -> the index goes on -> view_refresh() -> the cursor stays at the end, if it
 *							         was there
 *
 * Invariant: while the last region of the index, which the end of the file has closed, is opened
 * again, no filter or count runs. Afterwards they start again.
 */
#include "ui/follow.h"

#include "tnav/base/text.h"
#include "tnav/engine/joined.h"
#include "ui/live.h"

#define LOOK_NS		((int64_t)1000000000)	/* between tests of a file that is not followed */

static void
to_the_end(struct ui *ui)
{
	uint64_t	n = view_count(&ui->v);

	if (n > 0)
		view_select(&ui->v, n - 1);
}

static bool
follow_begin(struct ui *ui)
{
	struct view	*v = &ui->v;
	struct buf	 why = { 0 };
	bool		 good;

	query_free(v->filter.q);
	query_free(v->search.hits);
	v->filter.q = v->search.hits = NULL;
	counting_halt_all(v);
	trace_settle(v->t);
	reporting_forget(&v->reporting);
	good = trace_follow(v->t, true, &why);
	if (good)
		(void)view_refresh(v);
	view_find_rows(v);
	view_ask(v, ASK_ANEW);
	if (!good)
		view_say(v, "cannot follow: %s", buf_str(&why));
	buf_release(&why);
	return good;
}

/* Those of several files that cannot be followed have ended, and that is no news. */
static void
follow_look_over(struct ui *ui)
{
	struct trace	*t = ui->v.t;

	for (uint32_t i = 0; i < trace_sources(t); i++)
		ui->follow.over[i] = !trace_can_follow(trace_source(t, i));
}

/* Which of several files has ended, and why: once. */
static void
tell_over(struct ui *ui)
{
	struct trace	*t = ui->v.t;

	if (!ui->follow.on || ui->follow.ended || ui->live.by != NULL || trace_sources(t) < 2)
		return;
	for (uint32_t i = 0; i < trace_sources(t); i++) {
		struct trace	*one = trace_source(t, i);
		const char	*why;

		if (ui->follow.over[i] || !trace_index_done(one))
			continue;
		ui->follow.over[i] = true;
		why = trace_feed_error(one);
		view_say(&ui->v, "%s: %s", text_base_name(trace_path(one)), why != NULL ? why :
		    "the trace is closed: no more events will come");
		ui->screen.dirty = true;
	}
}

/* How has the file changed? As long as it is read, only whether it is still there. */
static enum trace_change
change_of(const struct ui *ui, struct trace *t)
{
	if (ui->v.complete)
		return trace_look(t);
	return trace_removed(t) ? TRACE_REMOVED : TRACE_SAME;
}

/* Which of several files has been changed, other than by growing? */
static void
tell_changed(struct ui *ui)
{
	struct trace	*t = ui->v.t;

	if (ui->follow.change <= TRACE_GREW || trace_sources(t) < 2)
		return;
	for (uint32_t i = 0; i < trace_sources(t); i++) {
		struct trace	*one = trace_source(t, i);

		if (change_of(ui, one) == ui->follow.change)
			view_say(&ui->v, "%s: %s", text_base_name(trace_path(one)),
			    follow_words(ui));
	}
}

/* It waited until no spans are being found. */
static void
follow_at_last(struct ui *ui, const struct command_call *call)
{
	(void)call;
	(void)ui_follow(ui, true);
}

bool
follow_arrives(const struct ui *ui)
{
	return live_runs(ui) || trace_arrives(ui->v.t);
}

/* Keep the cursor at the end, or not: what arrives is shown in any case. */
static void
follow_arriving(struct ui *ui, bool on)
{
	if (on && !live_runs(ui) && trace_follow(ui->v.t, true, NULL)) {
		ui->follow.on = ui->follow.arrives = true;
		(void)view_refresh(&ui->v);
	}
	ui->follow.tail = on;
	ui->follow.paused = !on;
	live_slide(ui);
	if (on)
		to_the_end(ui);
	ui->screen.dirty = true;
}

bool
ui_follow(struct ui *ui, bool on)
{
	struct view	*v = &ui->v;
	struct follow	 before;

	if (follow_arrives(ui)) {
		follow_arriving(ui, on);
		return true;
	}
	if (on && live_go_on(ui))
		return true;
	if (!on) {
		(void)trace_follow(v->t, false, NULL);
		view_say(v, "no longer following; F follows again");
		ui->follow.ended = true;
		return true;
	}
	if (!v->complete) {
		view_say(v, "the file is still being read");
		return false;
	}
	if (ui->export != NULL) {
		view_say(v, "rows are being exported (Esc stops that)");
		return false;
	}
	if (!ui_await_rest(ui, follow_at_last))
		return true;
	before = ui->follow;
	ui->follow = (struct follow){ .tail = true };
	follow_look_over(ui);
	ui->follow.on = follow_begin(ui);
	if (!ui->follow.on) {
		ui->follow = before;
		return false;
	}
	to_the_end(ui);
	view_say(v, trace_sources(v->t) > 1 ? "following the files; F stops" :
	    "following the file; F stops");
	ui->screen.dirty = true;
	return true;
}

void
follow_refreshed(struct ui *ui)
{
	struct view		*v = &ui->v;
	struct trace_progress	 p;
	const char		*why;

	if (!ui->follow.on) {
		if (ui->follow.wanted && (follow_arrives(ui) || (v->complete &&
		    !deriving_state(&v->deriving, NEEDS_OTHERS).busy))) {
			ui->follow.wanted = false;
			(void)ui_follow(ui, true);
		}
		return;
	}
	if (ui->follow.tail && !ui_awaits(ui))
		to_the_end(ui);
	if (!v->complete)
		return;
	tell_over(ui);
	why = trace_feed_error(v->t);
	trace_progress(v->t, &p);
	if (ui->live.by != NULL)
		return;			/* it reports its end itself */
	if (why != NULL)
		view_say(v, ui->follow.arrives ? "%s" : "%s: R reloads it", why);
	else if (ui->follow.arrives && !p.closed)
		view_say(v, "the input ended; the end of the trace is missing");
	else if (!ui->follow.ended && (p.closed || trace_sources(v->t) < 2))
		view_say(v, trace_sources(v->t) > 1 ?
		    "all traces are closed: no more events will come" :
		    "the trace is closed: no more events will come");
	ui->follow = (struct follow){ .on = false };
}

void
follow_moved(struct ui *ui)
{
	uint64_t	n;

	if (!ui->follow.on || ui->follow.paused)
		return;
	n = view_count(&ui->v);
	ui->follow.tail = n == 0 || view_index(&ui->v) + 1 == n;
}

bool
follow_look(struct ui *ui, int64_t now)
{
	enum trace_change	before = ui->follow.change;

	if (now - ui->follow.looked < LOOK_NS || (!ui->v.complete && !ui->follow.on))
		return false;
	ui->follow.looked = now;
	ui->follow.change = change_of(ui, ui->v.t);
	tell_over(ui);
	if (ui->follow.change != before)
		tell_changed(ui);
	return ui->follow.change != before;
}

int
follow_wait_ms(const struct ui *ui, int64_t now)
{
	int64_t	left = ui->follow.looked + LOOK_NS - now;

	return left <= 0 ? 1 : (int)(left / 1000000) + 1;
}

bool
follow_rests(const struct ui *ui)
{
	struct trace_progress	p;

	if (!ui->v.rests || ui->v.behind)
		return false;
	trace_progress(ui->v.t, &p);	/* first: the generation includes its data */
	return p.all_shown && ui->v.gen == trace_generation(ui->v.t);
}

const char *
follow_words(const struct ui *ui)
{
	bool	several = trace_sources(ui->v.t) > 1;	/* are not read again */

	if (ui->follow.on && !ui->v.complete && ui->follow.change == TRACE_REMOVED)
		return ui->follow.tail ? "following a removed file" : "paused: file removed";
	if (ui->follow.on && !ui->v.complete)
		return ui->follow.tail ? "following" : "paused";
	switch (ui->follow.change) {
	case TRACE_GREW:
		return trace_can_follow(ui->v.t) ? "file grew: F follows it" :
		    several ? "file grew" : "file grew: R reloads it";
	case TRACE_SHRANK:
		return several ? "file truncated" : "file truncated: R reloads it";
	case TRACE_REWRITTEN:
		return several ? "file rewritten" : "file rewritten: R reloads it";
	case TRACE_REPLACED:
		return several ? "file replaced" : "file replaced: R reloads it";
	case TRACE_REMOVED:
		return "file removed";
	case TRACE_SAME:
		break;
	}
	return NULL;
}

/*
 * Derived facts for the viewer: taken over as they are made, or immediately if that takes only a
 * moment.
 *
 *	a key, a pane or the filter needs them -> deriving.c makes them -> the filter runs again
 *	a command that needs spans	       ... it waits		-> the command runs again
 *					       ... Esc, a click or another command: forgotten
 *
 * Invariant: at most one command waits, the last one. While it waits, the cursor does not follow
 * the end of a growing trace: the command is about the event at which it was given.
 */
#include "ui/await.h"

#include <string.h>

#include "ui/shell.h"

#define SPANS_NS	INT64_C(150000000)	/* how long a key waits for them */

void
ui_follow_facts(struct ui *ui)
{
	struct view	*v = &ui->v;
	const char	*why;
	unsigned	 made;

	deriving_need(&v->deriving, columns_need(&v->display.columns, v->t));
	made = deriving_step(&v->deriving);
	if (made == 0)
		return;
	why = deriving_why(&v->deriving);
	if (why != NULL)
		view_say(v, "%.*s", (int)strcspn(why, "\n"), why);
	if ((made & NEEDS_NAMES) != 0)
		view_change(v, VIEW_NAMES);
	if ((made & NEEDS_OTHERS) != 0)
		view_change(v, VIEW_SPANS);
	ui->screen.dirty = true;
	if (ui->v.preview != NULL)
		ui_prompt_changed(ui);
	if ((filter_needs(query_filter(v->filter.q), v->t) & made) != 0)
		view_list_changed(v, ASK_AGAIN);
}

bool
ui_ask_spans(struct ui *ui)
{
	struct deriving	*d = &ui->v.deriving;

	if (d->now.of[DERIVED_SPANS] == NULL)
		ui->v.stopped = false;
	deriving_need(d, NEEDS_SPANS);
	ui_follow_facts(ui);
	deriving_wait(d, NEEDS_SPANS, SPANS_NS);
	ui_follow_facts(ui);
	return d->now.of[DERIVED_SPANS] != NULL;
}

/* ---- commands that wait */

bool
ui_await_spans(struct ui *ui, command_fn run)
{
	bool	found = ui_ask_spans(ui);

	if (!found)
		ui->awaiting = (struct awaiting){ .run = run };
	return found;
}

bool
ui_await_rest(struct ui *ui, command_fn run)
{
	bool	busy = deriving_state(&ui->v.deriving, NEEDS_OTHERS).busy;

	if (busy)
		ui->awaiting = (struct awaiting){ .run = run, .rest = true };
	return !busy;
}

bool
ui_awaits(const struct ui *ui)
{
	return ui->awaiting.run != NULL;
}

void
ui_await_no_more(struct ui *ui)
{
	ui->awaiting = (struct awaiting){ .run = NULL };
}

bool
ui_awaited(struct ui *ui)
{
	const struct command_call	call = { .count = -1, .arg = "" };
	const struct deriving		*d = &ui->v.deriving;
	command_fn			 run = ui->awaiting.run;

	if (run == NULL || (ui->awaiting.rest ? deriving_state(d, NEEDS_OTHERS).busy :
	    d->now.of[DERIVED_SPANS] == NULL))
		return false;
	ui_await_no_more(ui);
	run(ui, &call);
	ui->screen.dirty = true;
	return true;
}

void
ui_await_text(const struct ui *ui, struct buf *out)
{
	buf_printf(out, "finding spans ... %u %% (Esc stops)",
	    deriving_state(&ui->v.deriving, NEEDS_OTHERS).percent);
}

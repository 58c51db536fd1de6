/*
 * Finding spans for the viewer: in the background, or immediately if it takes only a moment.
 *
 *	a key, a pane or the filter needs them -> spanning.c finds them -> the filter runs again
 *	a command that needs them               ... it waits            -> the command runs again
 *						... Esc, a click or another command: forgotten
 *
 * Invariant: at most one command waits, the last one. While it waits, the cursor does not follow
 * the end of a growing trace: the command is about the event at which it was given.
 */
#include "ui/find_spans.h"

#include "ui/shell.h"

#define SPANS_NS	INT64_C(150000000)	/* how long a key waits for them */

/* If spans have been found since: run a filter that uses them again. */
void
ui_follow_spans(struct ui *ui)
{
	struct view		*v = &ui->v;
	const struct filter	*f = query_filter(v->filter.q);

	if ((columns_need(&v->display.columns, v->t) & NEEDS_DELTAS) != 0)
		spanning_ask_deltas(v->spanning);
	if (!spanning_step(v->spanning, v->following, v->complete, v->stopped))
		return;
	view_change(v, VIEW_SPANS);
	ui->screen.dirty = true;
	if (ui->typing.preview != NULL)
		ui_prompt_changed(ui);
	if ((filter_needs(f, v->t) & (NEEDS_SPANS | NEEDS_ACTIVITIES | NEEDS_DELTAS)) != 0)
		view_spans_found(v);
}

bool
ui_ask_spans(struct ui *ui)
{
	if (spanning_spans(ui->v.spanning) == NULL)
		ui->v.stopped = false;
	spanning_ask(ui->v.spanning);
	ui_follow_spans(ui);
	spanning_wait(ui->v.spanning, SPANS_NS);
	ui_follow_spans(ui);
	return spanning_spans(ui->v.spanning) != NULL;
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
	bool	busy = spanning_busy(ui->v.spanning);

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
	const struct spanning		*s = ui->v.spanning;
	command_fn			 run = ui->awaiting.run;

	if (run == NULL || (ui->awaiting.rest ? spanning_busy(s) : spanning_spans(s) == NULL))
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
	    spanning_percent(ui->v.spanning));
}

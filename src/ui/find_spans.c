/*
 * Finding spans for the viewer: in the background, or immediately if it takes only a moment.
 *
 *	a key, a pane or the filter needs them -> spanning.c finds them -> the filter runs again
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

	if (columns_show(&v->display.columns, FIELD_DELTA))
		spanning_ask_deltas(v->spanning);
	if (!spanning_step(v->spanning, v->following, v->complete, v->stopped))
		return;
	view_change(v, VIEW_SPANS);
	ui->screen.dirty = true;
	if (ui->typing.preview != NULL)
		ui_prompt_changed(ui);
	if (filter_has_spans(f, v->t) || filter_has_activities(f) || filter_has_deltas(f))
		view_spans_found(v);
}

bool
ui_await_spans(struct ui *ui)
{
	if (spanning_spans(ui->v.spanning) == NULL)
		ui->v.stopped = false;
	spanning_ask(ui->v.spanning);
	ui_follow_spans(ui);
	spanning_wait(ui->v.spanning, SPANS_NS);
	ui_follow_spans(ui);
	return spanning_spans(ui->v.spanning) != NULL;
}

/*
 * Spans as the keys need them: found in the background, or at once where that takes a moment only.
 *
 *	a key, a pane or the filter asks -> spanning.c finds -> the filter is decided anew
 */
#include "ui/find_spans.h"

#include "tnav/base/mem.h"
#include "ui/shell.h"

#define SPANS_NS	INT64_C(150000000)	/* that a key waits for them */

/* Spans that have been found since: a filter that asks for them is decided anew. */
void
ui_follow_spans(struct ui *ui)
{
	struct view	*v = &ui->v;
	char		*text;

	if (v->filter.needs_spans)
		spanning_ask(v->spanning);
	if (v->filter.needs_deltas || columns_show(&v->display.columns, FIELD_DELTA))
		spanning_ask_deltas(v->spanning);
	if (!spanning_step(v->spanning, v->complete))
		return;
	view_change(v, VIEW_SPANS);
	ui->screen.dirty = true;
	if (!v->filter.needs_spans && !v->filter.needs_deltas)
		return;
	text = mem_strdup(v->filter.text);
	(void)view_set_filter(v, text);
	mem_free(text);
}

bool
ui_await_spans(struct ui *ui)
{
	spanning_ask(ui->v.spanning);
	ui_follow_spans(ui);
	spanning_wait(ui->v.spanning, SPANS_NS);
	ui_follow_spans(ui);
	return spanning_spans(ui->v.spanning) != NULL;
}

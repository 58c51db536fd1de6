/*
 * Commands of lists of events: columns, colours, tallies, terms of the filter from what is under
 * the cursor, steps from event to event.
 */
#include <string.h>

#include "commands.h"

void
cmd_zero(struct ui *ui, const struct command_call *call)
{
	struct view	*v = &ui->v;

	(void)call;
	if (v->has_zero && (!v->has_sel || v->zero_ts == v->sel_ts)) {
		v->has_zero = false;
		view_say(v, "times count from the beginning again");
	} else if (!v->has_sel) {
		view_say(v, "no event is selected to count from");
	} else {
		v->has_zero = true;
		v->zero_ts = v->sel_ts;
		v->time_format = TIME_RELATIVE;
		view_say(v, "times count from this event (T takes that away)");
	}
}

void
cmd_columns(struct ui *ui, const struct command_call *call)
{
	struct buf	why;

	if (call->arg[0] == '\0') {
		layout_open(ui, PANE_COLUMNS);
		return;
	}
	buf_init(&why);
	if (!columns_set(&ui->v.columns, call->arg, &why))
		view_say(&ui->v, "columns: %s", buf_str(&why));
	buf_release(&why);
}

void
cmd_act(struct ui *ui, const struct command_call *call)
{
	struct pane	*p = &ui->pane[ui->focus];

	if (p->ops->act != NULL)
		p->ops->act(p->self, &ui->v, call->n, call->arg);
}

void
cmd_column_add(struct ui *ui, const struct command_call *call)
{
	struct pane	*p = &ui->pane[PANE_COLUMNS];

	if (call->arg[0] == '\0')
		ui_prompt(ui, PROMPT_COMMAND, "column-add payload.");
	else
		p->ops->act(p->self, &ui->v, call->n, call->arg);
}

void
cmd_collapse(struct ui *ui, const struct command_call *call)
{
	(void)call;
	ui->v.collapse = !ui->v.collapse;
	view_say(&ui->v, ui->v.collapse ? "repeats of a thread's event stand as one row" :
	    "every event has its row");
}

void
cmd_color(struct ui *ui, const struct command_call *call)
{
	struct buf	why;

	if (call->arg[0] == '\0') {
		view_say(&ui->v, ui->v.rules.n > 0 ? "colours are taken away" :
		    "no rows are coloured (:color tid = 25 red)");
		rules_release(&ui->v.rules);
		return;
	}
	buf_init(&why);
	if (!rules_add(&ui->v.rules, &ui->v, call->arg, &why))
		view_say(&ui->v, "color: %s", buf_str(&why));
	buf_release(&why);
}

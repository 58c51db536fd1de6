/* Commands of the calls pane and the flame graph. */
#include "ui/command/commands.h"

#include <string.h>

#include "tnav/analysis/report.h"
#include "ui/layout.h"

/* From the heap, the stacks are the types that hold each other. */
static void
follow_heap(struct ui *ui)
{
	struct buf	why = { 0 };

	if (ui->panes.focus != PANE_REPORT || ui->v.reporting.report != &report_heap)
		return;
	(void)calls_choose(&ui->v.calls, "heap", &why);
	buf_release(&why);
}

void
cmd_flame(struct ui *ui, const struct command_call *call)
{
	follow_heap(ui);
	cmd_pane(ui, call);
}

/* Show the pane; a word chooses the form. */
void
cmd_calls(struct ui *ui, const struct command_call *call)
{
	ui->v.stopped = false;
	follow_heap(ui);
	if (call->arg[0] != '\0')
		pane_act(ui, PANE_CALLS, 0, call->arg);
	layout_open(ui, PANE_CALLS);
}

/* n: an action of the pane */
void
cmd_calls_act(struct ui *ui, const struct command_call *call)
{
	enum pane_id	id = ui->panes.focus == PANE_FLAME ? PANE_FLAME : PANE_CALLS;

	ui->v.stopped = false;
	if (!ui->panes.pane[id].shown) {
		layout_open(ui, id);
		if (call->arg[0] == '\0') {
			view_say(&ui->v, "select a method first");
			return;
		}
	}
	pane_act(ui, id, call->n, call->arg);
}

void
cmd_weight(struct ui *ui, const struct command_call *call)
{
	struct buf	why = { 0 };

	ui->v.stopped = false;
	if (!calls_choose(&ui->v.calls, call->arg, &why))
		view_refuse(&ui->v, "weight: %s", buf_str(&why));
	else
		view_say(&ui->v, "calls are weighted by %s", ui->v.calls.name);
	buf_release(&why);
}

/* ---- fold rules */

/* " plumbing, ^Json as serializer" */
static void
put_rules(const struct folding *f, struct buf *out)
{
	for (size_t i = 0; i < folding_rules(f); i++)
		buf_printf(out, "%s %s", i > 0 ? "," : "", folding_rule(f, i));
}

static void
say_rules(struct ui *ui)
{
	const struct folding	*f = ui->v.calls.rules;

	if (folding_rules(f) == 0) {
		view_say(&ui->v, "no fold rules (:fold idle, my-code, plumbing, REGEX or "
		    "REGEX as NAME adds one)");
		return;
	}
	view_say(&ui->v, "folded:");
	put_rules(f, &ui->v.message);
}

static void
fold(struct ui *ui, const char *rule)
{
	struct buf	why = { 0 };

	if (calls_fold(&ui->v.calls, rule, &why))
		say_rules(ui);
	else
		view_refuse(&ui->v, "fold: %s", buf_str(&why));
	view_change(&ui->v, VIEW_NAMES);
	buf_release(&why);
}

void
cmd_fold(struct ui *ui, const struct command_call *call)
{
	if (call->arg[0] == '\0')
		say_rules(ui);
	else
		fold(ui, call->arg);
}

void
cmd_unfold(struct ui *ui, const struct command_call *call)
{
	if (calls_unfold(&ui->v.calls, call->arg)) {
		say_rules(ui);
	} else {
		view_refuse(&ui->v, "no such fold rule%s",
		    folding_rules(ui->v.calls.rules) > 0 ? "; there are:" : "");
		put_rules(ui->v.calls.rules, &ui->v.message);
	}
	view_change(&ui->v, VIEW_NAMES);
}

/* n: rule */
void
cmd_fold_switch(struct ui *ui, const struct command_call *call)
{
	static const struct {
		const char	*rule, *on, *off;
	} switches[] = {
		{ "my-code", "frames of libraries and native code are folded",
		    "all frames are shown" },
		{ "plumbing", "frames that throw, await, schedule and wait are folded",
		    "all frames are shown" },
		{ "idle", "samples of threads that wait for work are hidden",
		    "all samples are shown" },
	};
	const char	*rule = switches[call->n].rule;

	if (calls_unfold(&ui->v.calls, rule)) {
		view_say(&ui->v, "%s: %s", rule, switches[call->n].off);
		view_change(&ui->v, VIEW_NAMES);
		return;
	}
	fold(ui, rule);
	view_say(&ui->v, "%s: %s", rule, switches[call->n].on);
}

/* ---- two windows */

/* Compare with the rest of the window; the second time with the next marked range; then no
   longer. */
void
cmd_compare_range(struct ui *ui, const struct command_call *call)
{
	enum comparing	how = ui->v.calls.comparing;
	int64_t		from, to;
	bool		marked = view_range(&ui->v, &from, &to);

	(void)call;
	ui->v.stopped = false;
	if (how == COMPARE_NOT && !marked && ui->v.comparison.with != WITH_FILE) {
		view_say(&ui->v, "mark a range first: v at its start, v at its end");
	} else if (how == COMPARE_OTHER) {
		calls_compare(&ui->v.calls, COMPARE_NOT);
		view_say(&ui->v, "the traces are no longer compared here (:diff FILE)");
	} else if (how == COMPARE_NOT && ui->v.comparison.with == WITH_FILE &&
	    !marked) {
		calls_compare(&ui->v.calls, COMPARE_OTHER);
		view_say(&ui->v, "comparing with B");
	} else if (how == COMPARE_NOT) {
		calls_compare(&ui->v.calls, COMPARE_REST);
		view_say(&ui->v, "comparing the range with the rest of the window "
		    "(again: with another range)");
	} else if (how == COMPARE_REST && marked) {
		calls_compare(&ui->v.calls, COMPARE_KEPT);
		view_say(&ui->v, "mark the range to compare with this one: v at its start, "
		    "v at its end");
	} else {
		calls_compare(&ui->v.calls, COMPARE_NOT);
		view_say(&ui->v, "the range is no longer compared");
	}
}

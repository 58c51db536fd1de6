/* Commands about what changed: between two traces, or two parts of one. */
#include "ui/command/commands.h"

#include <string.h>

#include "tnav/io/paths.h"
#include "ui/layout.h"

/* Compare with the trace of this name; NULL: the marked range with the rest. */
static void
compare(struct ui *ui, const char *path)
{
	calls_compare(&ui->v.calls, COMPARE_NOT);
	comparison_begin(&ui->v.comparison, path, path != NULL ? ui->opt.reopen : NULL);
	calls_compare(&ui->v.calls, path != NULL ? COMPARE_OTHER : COMPARE_REST);
	layout_open(ui, PANE_CHANGES);
}

static void
compare_file(struct ui *ui, const char *name)
{
	struct view	*v = &ui->v;
	struct buf	 path = { 0 };

	paths_expand(&path, name);
	if (v->window.whole && trace_is_file(v->t, buf_str(&path)))
		view_refuse(v, "diff: this trace is shown already: name another one; :diff range "
		    "compares the marked range with the rest");
	else
		compare(ui, buf_str(&path));
	buf_release(&path);
}

static void
compare_range(struct ui *ui)
{
	int64_t	from, to;

	if (view_range(&ui->v, &from, &to))
		compare(ui, NULL);
	else
		view_refuse(&ui->v, "diff: mark a range first: v at its start, v at its end");
}

/* What comes before the mark, and what comes after it. */
static void
compare_mark(struct ui *ui, char letter)
{
	struct view		*v = &ui->v;
	const struct mark	*m = marks_find(&v->marks, letter);

	if (m == NULL) {
		view_refuse(v, "diff: there is no mark %c (:marks lists them)", letter);
		return;
	}
	if (m->ts <= v->window.from || m->ts >= v->window.to) {
		view_refuse(v, "diff: the mark %c lies outside of the window", letter);
		return;
	}
	view_range_set(v, m->ts, v->window.to);
	compare_range(ui);
}

/* Without an argument, what is compared goes on. */
void
cmd_changes(struct ui *ui, const struct command_call *call)
{
	struct view	*v = &ui->v;

	v->stopped = false;
	if (call->arg[0] == '\0') {
		layout_open(ui, PANE_CHANGES);
	} else if (strcmp(call->arg, "off") == 0) {
		calls_compare(&v->calls, COMPARE_NOT);
		comparison_end(&v->comparison);
		view_say(v, "nothing is compared any more");
	} else if (strcmp(call->arg, "range") == 0) {
		compare_range(ui);
	} else if (call->arg[0] == '\'' && call->arg[1] != '\0' && call->arg[2] == '\0') {
		compare_mark(ui, call->arg[1]);
	} else {
		compare_file(ui, call->arg);
	}
}

/*
 * The table of panes: a new one is a line here and a file beside this one.
 */
#include "ui/pane/pane.h"

const struct pane_ops	*const pane_table[PANES] = {
	[PANE_TIMELINE] = &pane_timeline,
	[PANE_EVENTS] = &pane_events,
	[PANE_DETAILS] = &pane_details,
	[PANE_THREADS] = &pane_threads,
	[PANE_HELP] = &pane_help,
	[PANE_PROBLEMS] = &pane_problems,
	[PANE_STACK] = &pane_stack,
	[PANE_LABELS] = &pane_labels,
	[PANE_STATS] = &pane_stats,
	[PANE_COLUMNS] = &pane_columns,
	[PANE_FILTERS] = &pane_filters,
	[PANE_EXPLAIN] = &pane_explain,
	[PANE_MARKS] = &pane_marks,
};

void
pane_cursor_row(struct canvas *c, struct rect r, int y, bool focus)
{
	canvas_glyph(c, y, r.x, ST_STRONG, GL_POINTER);
	canvas_mark(c, y, r.x, r.w, focus ? MARK_CURSOR : MARK_CURSOR_OFF);
}

void
panes_write(struct buf *out, unsigned scope)
{
	for (int i = 0; i < PANES; i++) {
		if ((scope & SCOPE(i)) == 0)
			continue;
		scope &= ~SCOPE(i);
		buf_puts(out, pane_table[i]->name);
		buf_puts(out, scope == 0 ? "" : (scope & (scope - 1)) == 0 ? " and " : ", ");
	}
}

/*
 * The table of panes as data, and what panes have in common.
 */
#include "ui/pane/pane.h"

#define ENTRY(id, name, zone, when, order, ...) \
	[PANE_##id] = { &pane_##name, zone, when, order },

const struct pane_entry	pane_table[PANES] = { PANE_TABLE(ENTRY, ENTRY) };

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
		buf_puts(out, pane_table[i].ops->name);
		buf_puts(out, scope == 0 ? "" : (scope & (scope - 1)) == 0 ? " and " : ", ");
	}
}

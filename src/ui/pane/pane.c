/* Functions that panes share, and the names of panes. */
#include "ui/pane/pane.h"

#define NAME(id, name, ...)	[PANE_##id] = #name,

const char *const	pane_names[PANES] = { PANE_TABLE(NAME, NAME) };

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
		buf_puts(out, pane_names[i]);
		buf_puts(out, scope == 0 ? "" : (scope & (scope - 1)) == 0 ? " and " : ", ");
	}
}

/*
 * The chooser of columns: a line for each, a mark at those that are shown, in their order.
 *
 * What act() means: 0 shows or hides the column under the cursor, -1 and 1 move it, 2 adds the one
 * that is named.
 */
#include <string.h>

#include "ui/pane/pane.h"

struct chooser {
	struct list	list;
};

static void
columns_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct chooser	*self = arg;

	list_fit(&self->list, v->columns.n, r.h);
	for (int i = 0; i < r.h && self->list.top + (uint64_t)i < self->list.n; i++) {
		uint64_t		 at = self->list.top + (uint64_t)i;
		const struct column	*col = &v->columns.v[at];
		bool			 shown = column_shown(&v->columns, col, v->columns.w);
		int			 y = r.y + i, x = r.x + 2, used;

		(void)canvas_puts(c, y, x, 4, shown ? ST_STRONG : ST_DIM, shown ? "[x]" : "[ ]");
		used = canvas_puts(c, y, x + 4, r.w - 6, shown ? ST_STRONG : ST_NORMAL,
		    column_name(col));
		used = used < 16 ? 16 : used;
		(void)canvas_puts(c, y, x + 6 + used, r.w - 8 - used, ST_DIM, column_help(col));
		if (at == self->list.cursor)
			pane_cursor_row(c, r, y, focus);
	}
}

static void
columns_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	(void)arg;
	columns_text(&v->columns, left);
	(void)right;
}

static bool
columns_pane_move(void *arg, struct view *v, struct move m)
{
	struct chooser	*self = arg;

	list_fit(&self->list, v->columns.n, self->list.h);
	return list_move(&self->list, m);
}

static void
columns_add(struct chooser *self, struct view *v, const char *name)
{
	struct buf	list, why;

	buf_init(&list);
	buf_init(&why);
	columns_text(&v->columns, &list);
	buf_printf(&list, "%s%s", list.len > 0 ? "," : "", name);
	if (!columns_set(&v->columns, buf_str(&list), &why))
		view_say(v, "%s", buf_str(&why));
	for (size_t i = 0; i < v->columns.n; i++)
		if (v->columns.v[i].shown)
			self->list.cursor = i;
	buf_release(&list);
	buf_release(&why);
}

static void
columns_act(void *arg, struct view *v, int64_t what, const char *name)
{
	struct chooser	*self = arg;
	uint64_t	 at = self->list.cursor;

	if (what == 2)
		columns_add(self, v, name);
	else if (what == 0)
		columns_toggle(&v->columns, at);
	else if (columns_move(&v->columns, at, (int)what))
		self->list.cursor = what < 0 ? at - 1 : at + 1;
	else
		view_say(v, what < 0 ? "it is the first" : "it is the last");
}

const struct pane_ops	pane_columns = {
	.name = "columns",
	.hints = "column-toggle column-down=down column-up=up column-add close",
	.size = sizeof(struct chooser),
	.title = columns_title,
	.draw = columns_draw,
	.move = columns_pane_move,
	.act = columns_act,
};

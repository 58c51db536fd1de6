/*
 * The terms of the filter, each with its switch: an overlay. Its cursor is view.filter_at, which
 * commands move, too.
 */
#include "ui/pane/table.h"

enum { SWITCH, NAME, TERM, FILTER_COLUMNS };

static const struct table_column	columns[FILTER_COLUMNS] = {
	[SWITCH] = { .name = "on", .title = "", .kind = CELL_TEXT },
	[NAME] = { .name = "name", .kind = CELL_TEXT, .tone = TONE_KEY, .width = 8, .most = 24 },
	[TERM] = { .name = "term", .kind = CELL_TEXT, .width = 20, .most = -1 },
};

struct filters {
	struct table_pane	 p;
	struct table		 t;
	struct view		*v;
};

static bool
is_on(const struct view *v, size_t row)
{
	return v->filter.item[row].on && !v->filter.off;
}

static void
filters_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	const struct view	*v = ((struct filters *)src)->v;

	if (col == SWITCH)
		*out = cell_str(is_on(v, row) ? "[on]" : "[  ]");
	else
		*out = cell_str(col == NAME ? v->filter.item[row].name : v->filter.item[row].text);
}

static enum tone
filters_tone(void *src, size_t row, unsigned col)
{
	if (!is_on(((struct filters *)src)->v, row) && col != NAME)
		return TONE_DIM;
	return col == SWITCH ? TONE_STRONG : TONE_NORMAL;
}

static const struct table *
filters_table(void *arg, struct view *v)
{
	struct filters	*self = arg;

	self->v = v;
	self->t = (struct table){ .column = columns, .ncolumns = FILTER_COLUMNS,
	    .nrows = v->filter.n, .stamp = view_stamp(v, VIEW_FILTER), .src = self,
	    .cell = filters_cell, .tone = filters_tone,
	    .empty = "no filter (f types one, i takes the value under the cursor)" };
	self->p.list.cursor = v->filter.at;
	return &self->t;
}

static void
filters_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	(void)arg;
	buf_puts(left, v->filter.off ? "all off (Alt-f)" : "Space switches, n names, d deletes");
	buf_printf(right, "%zu", v->filter.n);
}

static bool
filters_move(void *arg, struct view *v, struct move m)
{
	struct filters	*self = arg;
	bool		 moved = table_pane_move(self, v, m);

	v->filter.at = (size_t)self->p.list.cursor;
	return moved;
}

static bool
filters_point(void *arg, struct view *v, int y, int x)
{
	struct filters	*self = arg;
	bool		 there = table_pane_point(self, v, y, x);

	v->filter.at = (size_t)self->p.list.cursor;
	return there;
}

const struct pane_ops	pane_filters = {
	.hints = "filter-toggle filter-name filter-delete close help",
	.size = sizeof(struct filters),
	.release = table_pane_release,
	.title = filters_title,
	.table = filters_table,
	.draw = table_pane_draw,
	.move = filters_move,
	.point = filters_point,
};

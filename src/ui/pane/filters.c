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

static bool
is_on(const struct view *v, size_t row)
{
	return v->filter.item[row].on && !v->filter.off;
}

static void
filters_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	const struct view	*v = ((struct table_pane *)src)->v;

	if (col == SWITCH)
		*out = cell_str(is_on(v, row) ? "[on]" : "[  ]");
	else
		*out = cell_str(col == NAME ? v->filter.item[row].name : v->filter.item[row].text);
}

static enum tone
filters_tone(void *src, size_t row, unsigned col)
{
	if (!is_on(((struct table_pane *)src)->v, row) && col != NAME)
		return TONE_DIM;
	return col == SWITCH ? TONE_STRONG : TONE_NORMAL;
}

static const struct table *
filters_table(void *arg, struct view *v)
{
	struct table_pane	*p = arg;

	p->t = (struct table){ .column = columns, .ncolumns = FILTER_COLUMNS,
	    .nrows = v->filter.n, .stamp = view_stamp(v, VIEW_FILTER), .src = p,
	    .cell = filters_cell, .tone = filters_tone,
	    .empty = "no filter (f types one, i takes the value under the cursor)" };
	p->list.cursor = v->filter.at;
	return &p->t;
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
	struct table_pane	*p = arg;
	bool			 moved = table_pane_move(p, v, m);

	v->filter.at = (size_t)p->list.cursor;
	return moved;
}

static bool
filters_point(void *arg, struct view *v, int y, int x)
{
	struct table_pane	*p = arg;
	bool			 there = table_pane_point(p, v, y, x);

	v->filter.at = (size_t)p->list.cursor;
	return there;
}

const struct pane_ops	pane_filters = {
	.hints = "filter-toggle filter-name filter-delete close help",
	.size = sizeof(struct table_pane),
	.title = filters_title,
	.table = filters_table,
	.draw = table_pane_draw,
	.move = filters_move,
	.point = filters_point,
};

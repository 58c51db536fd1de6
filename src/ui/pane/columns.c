/*
 * The chooser of columns: a line for each, a mark at those that are shown, in their order.
 *
 * Actions of act(): 0 shows or hides the column under the cursor, -1 and 1 move it, 2 adds a named
 * one.
 */
#include "ui/pane/table.h"

enum { SWITCH, NAME, HELP, CHOOSER_COLUMNS };

static const struct table_column	columns[CHOOSER_COLUMNS] = {
	[SWITCH] = { .name = "shown", .title = "", .kind = CELL_TEXT },
	[NAME] = { .name = "column", .kind = CELL_TEXT, .width = 16, .most = 40 },
	[HELP] = { .name = "help", .title = "", .kind = CELL_TEXT, .tone = TONE_DIM, .width = 20,
	    .most = -1 },
};

static bool
is_shown(const struct view *v, size_t row)
{
	return column_shown(&v->display.columns, &v->display.columns.v[row], v->display.columns.w);
}

static void
columns_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	const struct view	*v = ((struct table_pane *)src)->v;
	const struct column	*c = &v->display.columns.v[row];

	if (col == SWITCH)
		*out = cell_str(is_shown(v, row) ? "[x]" : "[ ]");
	else if (col == NAME)
		*out = cell_str(c->name);
	else
		*out = cell_str(c->kind->help != NULL ? c->kind->help : c->ref.def->help);
}

static enum tone
columns_tone(void *src, size_t row, unsigned col)
{
	bool	shown = is_shown(((struct table_pane *)src)->v, row);

	return col == HELP ? TONE_DIM : shown ? TONE_STRONG :
	    col == SWITCH ? TONE_DIM : TONE_NORMAL;
}

static const struct table *
columns_table(void *arg, struct view *v)
{
	struct table_pane	*p = arg;

	p->t = (struct table){ .column = columns, .ncolumns = CHOOSER_COLUMNS,
	    .nrows = v->display.columns.n, .src = p, .cell = columns_cell,
	    .tone = columns_tone };
	return &p->t;
}

static void
columns_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	(void)arg;
	columns_text(&v->display.columns, left);
	(void)right;
}

static void
columns_add(struct table_pane *p, struct view *v, const char *name)
{
	struct buf	list = { 0 }, why = { 0 };

	columns_text(&v->display.columns, &list);
	buf_printf(&list, "%s%s", list.len > 0 ? "," : "", name);
	if (!columns_choose(v, buf_str(&list), &why) || why.len > 0)
		view_say(v, "%s", buf_str(&why));
	for (size_t i = 0; i < v->display.columns.n; i++)
		if (v->display.columns.v[i].shown)
			table_pane_stand(p, v, i);
	buf_release(&list);
	buf_release(&why);
}

static void
columns_act(void *arg, struct view *v, int64_t what, const char *name)
{
	struct table_pane	*p = arg;
	size_t			 at = table_pane_row(p, v);

	if (what == 2)
		columns_add(p, v, name);
	else if (at == TABLE_NO_ROW)
		view_say(v, "no column here");
	else if (what == 0)
		columns_toggle(&v->display.columns, at);
	else if (columns_move(&v->display.columns, at, (int)what))
		table_pane_stand(p, v, what < 0 ? at - 1 : at + 1);
	else
		view_say(v, what < 0 ? "already the first" : "already the last");
}

const struct pane_ops	pane_columns = {
	.hints = "column-toggle column-down=down column-up=up column-add close",
	.size = sizeof(struct table_pane),
	.title = columns_title,
	.table = columns_table,
	TABLE_PANE,
	.act = columns_act,
};

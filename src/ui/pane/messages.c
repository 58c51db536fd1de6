/*
 * The messages of the bottom line, newest first. The one under the cursor is shown in full below.
 */
#include "ui/pane/table.h"

enum { TIMES, TEXT, MESSAGE_COLUMNS };

static const struct table_column	columns[MESSAGE_COLUMNS] = {
	[TIMES] = { .name = "times", .kind = CELL_U64, .tone = TONE_DIM },
	[TEXT] = { .name = "message", .kind = CELL_TEXT, .width = 20, .most = -1 },
};

static void
messages_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	const struct messages	*of = &((struct table_pane *)src)->v->messages;
	const struct message	*m = &of->v[of->n - 1 - row];

	*out = col == TIMES ? cell_u64(m->times) : cell_str(m->text);
}

static const struct table *
messages_table(void *arg, struct view *v)
{
	struct table_pane	*p = arg;

	p->whole = TEXT + 1;
	p->t = (struct table){ .column = columns, .ncolumns = MESSAGE_COLUMNS,
	    .nrows = v->messages.n, .stamp = v->messages.stamp, .rows_stamp = v->messages.stamp,
	    .src = p, .cell = messages_cell,
	    .idle = UINT64_C(1) << TIMES, .empty = "no messages yet" };
	for (size_t i = 0; i < v->messages.n; i++)
		if (v->messages.v[i].times > 1)
			p->t.idle = 0;
	return &p->t;
}

const struct pane_ops	pane_messages = {
	.hints = "search close help",
	.size = sizeof(struct table_pane),
	.caption = "newest first",
	.counts = "# message{s}",
	.table = messages_table,
	TABLE_PANE,
};

/*
 * The marks, in time order: Enter goes to one, x deletes it.
 */
#include "ui/pane/table.h"


enum { LETTER, TIME, THREAD, EVENT, NOTE, MARK_COLUMNS };

static const struct table_column	columns[MARK_COLUMNS] = {
	[LETTER] = { .name = "mark", .kind = CELL_TEXT, .tone = TONE_STRONG },
	[TIME] = { .name = "time", .kind = CELL_TIME, .tone = TONE_TIME,
	    .flags = COLUMN_FIRST_UP },
	[THREAD] = { .name = "thread", .kind = CELL_U64, .tone = TONE_THREAD,
	    .flags = COLUMN_NO_SORT },
	[EVENT] = { .name = "event", .kind = CELL_TEXT, .tone = TONE_EVENT, .width = 20,
	    .most = 36, .flags = COLUMN_NO_SORT },
	[NOTE] = { .name = "note", .kind = CELL_TEXT, .width = 8, .most = -1 },
};

static void
marks_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct table_pane	*p = src;
	const struct mark	*m = &p->v->marks.v[row];
	struct trace		*t = p->v->t;
	struct event		 e;
	uint64_t		 at;

	*out = cell_null();
	if (col == LETTER)
		*out = (struct cell){ .kind = CELL_TEXT,
		    .text = { (const uint8_t *)(m->letter != '\0' ? &m->letter : "-"), 1 } };
	if (col == TIME)
		*out = cell_time(trace_ns(t, m->ts));
	if (col == NOTE)
		*out = cell_str(m->note);
	if ((col != THREAD && col != EVENT) || trace_row_of(t, m->ts, m->off, &at) != 1 ||
	    trace_event(t, at, &e) != 1)
		return;
	if (col == EVENT) {
		*out = cell_str(trace_type(t, e.type)->name);
		return;
	}
	buf_clear(&p->text);
	view_thread_text(p->v, e.thread, &p->text);
	out->word = span_of_buf(&p->text);
}

static bool
marks_evidence(void *src, size_t row, struct table_evidence *out)
{
	const struct mark	*m = &((struct table_pane *)src)->v->marks.v[row];

	*out = (struct table_evidence){ .kind = EVIDENCE_EVENT, .ts = m->ts, .off = m->off };
	return true;
}

static const struct table *
marks_table(void *arg, struct view *v)
{
	struct table_pane	*p = arg;

	p->t = (struct table){ .column = columns, .ncolumns = MARK_COLUMNS,
	    .nrows = v->marks.n, .stamp = v->marks.stamp, .rows_stamp = v->marks.stamp,
	    .src = p, .cell = marks_cell, .evidence = marks_evidence, .sort = TIME + 1,
	    .empty = "no marks (ma marks the event under the cursor, M adds a note)" };
	return &p->t;
}

static bool
marks_erase(void *arg, struct view *v)
{
	struct table_pane	*p = arg;
	size_t			 row = table_pane_row(p, v);

	if (row == TABLE_NO_ROW)
		return false;
	marks_remove(&v->marks, row);
	p->touched = false;	/* the next one is under the cursor now */
	return true;
}

const struct pane_ops	pane_marks = {
	.hints = "go-to-mark delete-mark close help",
	.size = sizeof(struct table_pane),
	.counts = "# mark{s}",
	.table = marks_table,
	TABLE_PANE,
	.enter = table_pane_enter,
	.erase = marks_erase,
	TABLE_PANE_SORTS,
};

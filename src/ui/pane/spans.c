/*
 * The spans that begin in the window, the longest first. Enter goes to the event that begins one.
 */
#include "tnav/analysis/spans.h"
#include "ui/pane/table.h"

#define DEPENDS		(VIEW_INDEX | VIEW_WINDOW | VIEW_ROWS | VIEW_SPANS)
#define LONGEST		10000u

struct spans_pane {
	struct table_pane	 p;
	struct table		*t;
	uint64_t		 n;		/* in the window */
	struct view_changes	 seen;		/* when t was made */
};

static const struct table	nothing = { .column = spans_column, .ncolumns = SPANS_COLUMNS,
	.sort = TABLE_UNSORTED, .tie = TABLE_UNSORTED, .empty = "spans are being found ..." };

static const struct table *
spans_pane_table(void *arg, struct view *v)
{
	struct spans_pane		*self = arg;
	struct spans			*s = spanning_spans(v->spanning);
	const struct spans_table_of	 of = { .list = true, .longest = LONGEST,
					    .windowed = !v->window.whole, .from = v->window.from,
					    .to = v->window.to, .all = &self->n };

	spanning_ask(v->spanning);
	if (s == NULL)
		return &nothing;
	if (self->t != NULL && !view_changed(v, &self->seen, DEPENDS))
		return self->t;
	table_free(self->t);
	self->t = spans_table(s, &of);
	self->t->sort = SPANS_DUR;
	self->t->stamp = self->t->rows_stamp = view_stamp(v, DEPENDS);
	if (!v->window.whole && spans_count(s) > 0)
		self->t->empty = "no span begins in this window (0 shows the whole trace)";
	self->seen = v->changes;
	return self->t;
}

static void
spans_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct spans_pane	*self = arg;
	const struct table	*t = spans_pane_table(arg, v);

	if (t == &nothing)
		return;
	buf_printf(left, "sorted by %s", table_title(t, table_pane_by(&self->p, t)));
	if (self->n > t->nrows) {
		buf_puts(right, "the longest ");
		buf_grouped(right, t->nrows);
		buf_puts(right, " of ");
	}
	buf_grouped(right, self->n);
	buf_puts(right, self->n == 1 ? " span" : " spans");
}

static void
spans_pane_release(void *arg)
{
	struct spans_pane	*self = arg;

	table_free(self->t);
	table_pane_release(self);
}

const struct pane_ops	pane_spans = {
	.name = "spans",
	.hints = "open=go sort-next sort-invert close help",
	.size = sizeof(struct spans_pane),
	.release = spans_pane_release,
	.title = spans_title,
	.table = spans_pane_table,
	.draw = table_pane_draw,
	.move = table_pane_move,
	.enter = table_pane_enter,
	.field = table_pane_field,
	.point = table_pane_point,
	.sort = table_pane_sort,
};

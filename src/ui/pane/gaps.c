/*
 * The gaps in the window: thread, number of lost events, time, how it was detected; the largest
 * first. Enter goes to one.
 */
#include "tnav/analysis/tables.h"
#include "tnav/base/mem.h"
#include "ui/pane/table.h"

#define DEPENDS		(VIEW_INDEX | VIEW_WINDOW | VIEW_ROWS)

struct gaps_pane {
	struct table_pane	 p;
	struct placed_gap	*gap;
	size_t			 n;
	uint64_t		 lost;
};

static const struct table *
gaps_pane_table(void *arg, struct view *v)
{
	struct gaps_pane	*self = arg;
	struct table		*t;

	if (!table_pane_stale(&self->p, DEPENDS))
		return self->p.built;
	mem_free(self->gap);
	self->gap = mem_zalloc(v->gaps.n + 1, sizeof *self->gap);
	self->n = 0;
	self->lost = 0;
	for (size_t i = 0; i < v->gaps.n; i++) {
		if (v->gaps.v[i].to < v->window.from || v->gaps.v[i].from >= v->window.to)
			continue;
		self->gap[self->n++].gap = &v->gaps.v[i];
		self->lost += v->gaps.v[i].lost;
	}
	t = self->p.built = gaps_table(v->t, self->gap, self->n);
	t->sort = GAPS_LOST + 1;
	t->stamp = t->rows_stamp = view_stamp(v, DEPENDS);
	if (!v->window.whole && v->gaps.n > 0)
		t->empty = "no lost events in this window (0 shows the whole trace)";
	return t;
}

static void
gaps_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct gaps_pane	*self = arg;
	const struct table	*t = gaps_pane_table(arg, v);

	table_pane_put_sort(&self->p, t, "", left);
	buf_counts(right, "# lost in #", self->lost, self->n);
	if (v->gaps.loss.gaps > self->n)
		buf_counts(right, " of #", v->gaps.loss.gaps);
	buf_puts(right, v->gaps.loss.gaps == 1 ? " gap" : " gaps");
}

static uint32_t
gaps_thread(void *arg, struct view *v)
{
	struct gaps_pane	*self = arg;
	const struct gap	*g;
	size_t			 row = table_pane_row(&self->p, v);

	g = row != TABLE_NO_ROW ? gaps_table_gap(self->p.built, row) : NULL;
	return g != NULL ? g->thread : EVENT_NONE;
}

static void
gaps_pane_release(void *arg)
{
	mem_free(((struct gaps_pane *)arg)->gap);
}

const struct pane_ops	pane_gaps = {
	.prints = "gaps",
	.depends = PRINTS_WINDOW,
	.hints = "open=go include=only sort sort-invert close help",
	.size = sizeof(struct gaps_pane),
	.release = gaps_pane_release,
	.title = gaps_title,
	.table = gaps_pane_table,
	TABLE_PANE_SORTED,
	.thread = gaps_thread,
};

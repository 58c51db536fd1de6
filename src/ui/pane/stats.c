/*
 * Counts of what the window and the filter let through, by a field: Alt-7 and `=`.
 *
 * What act() means: 0 tallies by the field that is named.
 *
 * Invariant: a row of the table is a line of the census, in the order in which the values came.
 */
#include <string.h>

#include "tnav/analysis/tables.h"
#include "tnav/base/mem.h"
#include "ui/pane/table.h"

#include "ui/view/census.h"

#define READY_NS	8000000		/* of a key's time that may go into counting */
#define NS_PER_S	1e9
#define COL_VALUE	0u
#define COL_STATS	1u		/* the first of what is counted */
#define COL_WHEN	(COL_STATS + STATS_COLUMNS)
#define COLUMNS		(COL_WHEN + 1)

struct stats {
	struct table_pane	 p;
	struct table		 t;
	struct table_column	 column[COLUMNS];
	struct view		*v;
	struct census		 c;
	uint64_t		 round;		/* of counting */
	uint64_t		 part[CENSUS_BINS];	/* of the spark that was asked for last */
};

/* ---- what it counts */

static void
begin(struct stats *self, struct view *v, const char *field)
{
	char	*name = mem_strdup(field);

	census_start(&self->c, v, name);
	mem_free(name);
	self->round++;
	self->p.touched = false;
	self->p.list.cursor = self->p.list.top = 0;
}

/* Follow the view. A window that grows as the index does is counted anew when twice as large. */
static void
follow(struct stats *self, struct view *v)
{
	const struct census	*c = &self->c;
	bool			 grew = v->whole && c->field != NULL && c->row0 == v->row0 &&
				    census_same_filter(c, v) && c->row1 < v->row1;

	if (c->field == NULL)
		begin(self, v, "name");
	else if (!census_is_current(c, v) &&
	    (!grew || v->complete || v->row1 - v->row0 >= 2 * (c->row1 - c->row0)))
		begin(self, v, c->field);
}

static bool
stats_work(void *arg, struct view *v, int64_t budget_ns)
{
	struct stats	*self = arg;

	follow(self, v);
	if (v->stopped)
		return false;
	return census_step(&self->c, v, budget_ns);
}

/* ---- the table */

static void
spark_cell(struct stats *self, const struct census_line *l, struct cell *out)
{
	for (unsigned i = 0; i < CENSUS_BINS; i++)
		self->part[i] = l->bins[i];
	*out = (struct cell){ .kind = CELL_SPARK, .spark = { .part = self->part,
	    .n = CENSUS_BINS, .known = CENSUS_BINS } };
}

static void
value_cell(const struct census_line *l, struct cell *out)
{
	*out = (struct cell){ .kind = CELL_TEXT, .text = { (const uint8_t *)l->text, l->len } };
	if (l->len == 0)
		out->word = span_of("(empty)");
}

static void
pane_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct stats			*self = src;
	const struct census_line	*l = &self->c.line[row];
	struct count			 c = { .events = l->events, .bytes = l->bytes,
					    .first = l->first, .last = l->last };
	double				 ns = (double)trace_ns(self->v->t, self->c.to) -
					    (double)trace_ns(self->v->t, self->c.from);

	if (col == COL_VALUE)
		value_cell(l, out);
	else if (col == COL_WHEN)
		spark_cell(self, l, out);
	else
		stats_cell(self->v->t, &c, self->c.events, ns / NS_PER_S, col - COL_STATS, out);
}

static bool
pane_key(void *src, size_t row, struct buf *field, struct buf *value)
{
	struct stats	*self = src;

	buf_puts(field, self->c.field);
	buf_puts(value, self->c.line[row].value);
	return true;
}

static bool
pane_evidence(void *src, size_t row, struct table_evidence *out)
{
	struct stats	*self = src;

	out->kind = EVIDENCE_FILTER;
	return field_term(&out->filter, self->c.field, self->c.line[row].value);
}

static void
set_columns(struct stats *self)
{
	self->column[COL_VALUE] = (struct table_column){ .name = "value",
	    .title = self->c.field, .kind = CELL_TEXT, .tone = TONE_EVENT, .width = 24,
	    .most = -1 };
	memcpy(&self->column[COL_STATS], stats_column, sizeof stats_column);
	self->column[COL_WHEN] = (struct table_column){ .name = "activity", .kind = CELL_SPARK,
	    .width = CENSUS_BINS, .rank = 3, .flags = COLUMN_SCREEN | COLUMN_NO_SORT };
}

/* As far as it is counted; a short trace is counted at once, so that keys typed ahead find it. */
static const struct table *
stats_table(void *arg, struct view *v)
{
	struct stats	*self = arg;

	follow(self, v);
	if (self->c.at == self->c.row0 && !v->stopped)
		(void)census_step(&self->c, v, READY_NS);
	self->v = v;
	set_columns(self);
	self->t = (struct table){ .column = self->column, .ncolumns = COLUMNS,
	    .nrows = self->c.n, .src = self, .cell = pane_cell, .key = pane_key,
	    .evidence = pane_evidence, .sort = COL_STATS + STATS_EVENTS,
	    .tie = TABLE_UNSORTED,
	    .empty = !self->c.done ? "counting" : self->c.without > 0 ?
	    "no event here has this field" : "no events in this window and filter" };
	self->t.stamp = self->t.rows_stamp = (self->round << 40) + self->c.at + self->c.done;
	return &self->t;
}

/* Does the window hold a gap, so that counts are only what is left? */
static bool
has_gap(const struct view *v)
{
	for (size_t i = 0; i < v->ngaps; i++)
		if (v->gaps[i].to >= v->from && v->gaps[i].from < v->to)
			return true;
	return false;
}

static void
stats_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct stats		*self = arg;
	const struct table	*t = stats_table(self, v);
	uint64_t		 all = self->c.row1 - self->c.row0;
	uint64_t		 done = self->c.at - self->c.row0;

	buf_printf(left, "by %s, sorted by %s", self->c.field,
	    t->column[table_pane_by(&self->p, t)].name);
	if (has_gap(v))
		buf_puts(right, "at least ");
	buf_grouped(right, self->c.events);
	buf_puts(right, " in ");
	buf_grouped(right, self->c.n);
	if (self->c.without > 0) {
		buf_puts(right, ", ");
		buf_grouped(right, self->c.without);
		buf_puts(right, " without");
	}
	if (!self->c.done)
		buf_printf(right, ", %u %% counted", all > 0 ?
		    (unsigned)((double)done / (double)all * 100) : 0);
}

/* What is copied is the value as people read it, not as the filter does. */
static bool
stats_field(void *arg, struct view *v, struct field_at *out)
{
	struct stats			*self = arg;
	size_t				 row = table_pane_row(&self->p, v);
	const struct census_line	*l = row != TABLE_NO_ROW ? &self->c.line[row] : NULL;

	if (l == NULL)
		return false;
	(void)pane_key(self, row, &out->name, &out->value);
	buf_add(&out->text, l->text, l->len);
	return true;
}

static void
stats_act(void *arg, struct view *v, int64_t what, const char *name)
{
	struct stats	*self = arg;

	(void)what;
	v->stopped = false;
	begin(self, v, name);
}

static void
stats_release(void *arg)
{
	struct stats	*self = arg;

	census_release(&self->c);
	table_pane_release(self);
}

const struct pane_ops	pane_stats = {
	.name = "stats",
	.hints = "open=only exclude sort-next sort-invert close help",
	.size = sizeof(struct stats),
	.release = stats_release,
	.title = stats_title,
	.table = stats_table,
	.draw = table_pane_draw,
	.move = table_pane_move,
	.enter = table_pane_enter,
	.field = stats_field,
	.point = table_pane_point,
	.sort = table_pane_sort,
	.work = stats_work,
	.act = stats_act,
};

/*
 * Counts of what the window and the filter let through, by a field: Alt-7 and `=`.
 *
 * What act() means: 0 tallies by the field that is named.
 *
 *	pass	piece -> counter of its own -> merged into c		ui/view/counting.h
 *	table	row i is key i of c, as far as c is
 *
 * Invariant: c changes during counting_step() alone.
 */
#include <string.h>

#include "tnav/analysis/tables.h"
#include "tnav/base/mem.h"
#include "tnav/engine/count.h"
#include "ui/pane/table.h"
#include "ui/view/counting.h"

#define NS_PER_S	1e9
#define COL_VALUE	0u
#define COL_STATS	1u		/* the first of what is counted */
#define COL_WHEN	(COL_STATS + STATS_COLUMNS)
#define COLUMNS		(COL_WHEN + 1)

#define KEYS_MAX	65536u
#define TEXT_MAX	512u		/* bytes of a value that are kept */
#define WHEN_WIDTH	16

struct stats {
	struct table_pane	 p;
	struct table		 t;
	struct table_column	 column[COLUMNS];
	struct view		*v;
	struct field_list	 by;		/* one field */
	struct counter		*c;		/* NULL: nothing was counted yet */
	struct counting		 counting;
	uint64_t		 round;		/* of counting */
	uint64_t		 part[COUNT_BINS];	/* of the cell that was asked for last, */
	struct buf		 text;		/* ... of the value */
};

/* ---- what it counts */

static const char *
field_of(const struct stats *self)
{
	return self->by.names[0];
}

static void *
part_begin(void *arg)
{
	struct stats	*self = arg;

	if (self->c != NULL)
		return counter_new_part(self->c);
	return counter_new(self->v->t, &self->by, &(struct count_options){
	    .fields = { .words = WORDS_ALL, .most = TEXT_MAX }, .keys = KEYS_MAX,
	    .text = TEXT_MAX, .skip = true, .bins = true });
}

static void
part_add(void *state, const struct pass_batch *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		counter_add(state, &b->ev[b->at[i]], b->row0 == ROW_UNKNOWN ? ROW_UNKNOWN :
		    b->row0 + b->at[i]);
}

static int
part_merge(void *arg, void *state)
{
	counter_merge(((struct stats *)arg)->c, state);
	counter_free(state);
	return 0;
}

static void
part_drop(void *arg, void *state)
{
	(void)arg;
	counter_free(state);
}

static void
begin(struct stats *self, struct view *v)
{
	static const struct pass_ops	ops = { part_begin, part_add, part_merge, part_drop };

	counting_halt(&self->counting);
	counter_free(self->c);
	self->c = NULL;
	self->v = v;
	self->c = part_begin(self);
	counting_begin(&self->counting, v, COUNT_SHOWN, &ops, self);
	self->round++;
	self->p.touched = false;
	self->p.list.cursor = self->p.list.top = 0;
	if (!v->stopped)
		(void)counting_first_step(&self->counting);
}

/* Count by a field. False, after saying why: it is none. */
static bool
count_by(struct stats *self, struct view *v, const char *field)
{
	struct field_list	by;
	struct buf		why;
	bool			good;

	buf_init(&why);
	good = field_list_init(&by, field, &why) == 0 && by.n == 1;
	if (good) {
		counting_halt(&self->counting);
		counter_free(self->c);		/* it borrows the list */
		self->c = NULL;
		field_list_release(&self->by);
		self->by = by;
		begin(self, v);
	} else {
		view_say(v, "tally: %s", why.len > 0 ? buf_str(&why) : "one field at a time");
		field_list_release(&by);
	}
	buf_release(&why);
	return good;
}

static void
follow(struct stats *self, struct view *v)
{
	if (self->c == NULL)
		(void)count_by(self, v, "name");
	else if (counting_follow(&self->counting))
		begin(self, v);
}

static bool
stats_work(void *arg, struct view *v, int64_t budget_ns)
{
	struct stats	*self = arg;

	follow(self, v);
	if (v->stopped)
		return false;
	if (budget_ns > 0)
		(void)counting_step(&self->counting, budget_ns);
	return counting_busy(&self->counting);
}

/* ---- the table */

/* Events that have the field: their shares are of these. */
static uint64_t
events_with(const struct stats *self)
{
	return counter_all(self->c)->events - counter_without(self->c)->events;
}

/* As people read it, so that it is sorted and searched so too. */
static void
value_cell(struct stats *self, uint32_t key, struct cell *out)
{
	struct cell	c;

	(void)counter_cells(self->c, key, &c);
	buf_clear(&self->text);
	cell_text(&self->text, &c, self->v->display.ascii);
	*out = (struct cell){ .kind = CELL_TEXT, .text = span_of_buf(&self->text) };
	if (self->text.len == 0)
		out->word = span_of("(empty)");
}

static void
spark_cell(struct stats *self, uint32_t key, struct cell *out)
{
	unsigned	n = counter_bins(self->c, key, self->part);

	*out = (struct cell){ .kind = CELL_SPARK,
	    .spark = { .part = self->part, .n = n, .known = n } };
}

static void
pane_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct stats	*self = src;
	double		 ns = (double)trace_ns(self->v->t, self->v->window.to) -
			    (double)trace_ns(self->v->t, self->v->window.from);

	if (col == COL_VALUE)
		value_cell(self, (uint32_t)row, out);
	else if (col == COL_WHEN)
		spark_cell(self, (uint32_t)row, out);
	else
		stats_cell(self->v->t, counter_count(self->c, (uint32_t)row), events_with(self),
		    ns / NS_PER_S, col - COL_STATS, out);
}

/* The language can't ask for a text of which only the beginning was kept. */
static bool
pane_key(void *src, size_t row, struct buf *field, struct buf *value)
{
	struct stats	*self = src;
	struct cell	 c;

	buf_puts(field, field_of(self));
	if (counter_cells(self->c, (uint32_t)row, &c))
		(void)field_value(value, &self->by.v[0], &c);
	return true;
}

static bool
pane_evidence(void *src, size_t row, struct table_evidence *out)
{
	struct buf	field, value;
	bool		good;

	buf_init(&field);
	buf_init(&value);
	(void)pane_key(src, row, &field, &value);
	out->kind = EVIDENCE_FILTER;
	good = field_term(&out->filter, buf_str(&field), buf_str(&value));
	buf_release(&field);
	buf_release(&value);
	return good;
}

static void
set_columns(struct stats *self)
{
	self->column[COL_VALUE] = (struct table_column){ .name = "value",
	    .title = field_of(self), .kind = CELL_TEXT, .tone = TONE_EVENT, .width = 32,
	    .most = -1 };
	memcpy(&self->column[COL_STATS], stats_column, sizeof stats_column);
	self->column[COL_WHEN] = (struct table_column){ .name = "activity", .kind = CELL_SPARK,
	    .width = WHEN_WIDTH, .rank = 3, .flags = COLUMN_SCREEN | COLUMN_NO_SORT };
}

/* As far as it is counted. */
static const struct table *
stats_table(void *arg, struct view *v)
{
	struct stats	*self = arg;

	follow(self, v);
	set_columns(self);
	counter_cover(self->c, v->window.from, v->window.to - 1);
	self->t = (struct table){ .column = self->column, .ncolumns = COLUMNS,
	    .nrows = counter_keys(self->c), .src = self, .cell = pane_cell, .key = pane_key,
	    .evidence = pane_evidence, .sort = COL_STATS + STATS_EVENTS,
	    .tie = TABLE_UNSORTED, .empty = "no events in this window and filter" };
	if (counting_busy(&self->counting))
		self->t.empty = "counting";
	else if (counter_without(self->c)->events > 0)
		self->t.empty = "no event here has this field";
	self->t.stamp = self->t.rows_stamp = (self->round << 40) + counter_all(self->c)->events;
	return &self->t;
}

/* Does the window hold a gap, so that counts are only what is left? */
static bool
has_gap(const struct view *v)
{
	for (size_t i = 0; i < v->gaps.n; i++)
		if (v->gaps.v[i].to >= v->window.from && v->gaps.v[i].from < v->window.to)
			return true;
	return false;
}

static void
stats_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct stats		*self = arg;
	const struct table	*t = stats_table(self, v);
	uint64_t		 without = counter_without(self->c)->events;

	buf_printf(left, "by %s, sorted by %s", field_of(self),
	    t->column[table_pane_by(&self->p, t)].name);
	if (has_gap(v))
		buf_puts(right, "at least ");
	buf_grouped(right, events_with(self));
	buf_puts(right, " in ");
	buf_grouped(right, counter_keys(self->c));
	if (without > 0) {
		buf_puts(right, ", ");
		buf_grouped(right, without);
		buf_puts(right, " without");
	}
	if (counting_busy(&self->counting))
		buf_printf(right, ", %u %% counted",
		    (unsigned)(counting_share(&self->counting) * 100));
}

/* What is copied is the value as people read it, not as the filter does. */
static bool
stats_field(void *arg, struct view *v, struct field_at *out)
{
	struct stats	*self = arg;
	size_t		 row = table_pane_row(&self->p, v);
	struct cell	 c;

	if (row == TABLE_NO_ROW)
		return false;
	(void)pane_key(self, row, &out->name, &out->value);
	value_cell(self, (uint32_t)row, &c);
	buf_add(&out->text, c.text.p, c.text.len);
	return true;
}

static void
stats_act(void *arg, struct view *v, int64_t what, const char *name)
{
	struct stats	*self = arg;

	(void)what;
	v->stopped = false;
	(void)count_by(self, v, name);
}

static void
stats_release(void *arg)
{
	struct stats	*self = arg;

	counting_release(&self->counting);
	counter_free(self->c);
	field_list_release(&self->by);
	buf_release(&self->text);
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

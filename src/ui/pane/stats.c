/*
 * Counts of what the window and the filter let through, by a field: Alt-7 and `=`.
 *
 * What act() means: 0 tallies by the field that is named.
 *
 *	rows	row0 ... at | ... row1		counted | to come
 *
 * Invariant: a row of the table is a key of the counter, in the order in which the values came.
 */
#include <string.h>

#include "tnav/analysis/tables.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/engine/count.h"
#include "ui/pane/table.h"

#define READY_NS	8000000		/* of a key's time that may go into counting */
#define NS_PER_S	1e9
#define COL_VALUE	0u
#define COL_STATS	1u		/* the first of what is counted */
#define COL_WHEN	(COL_STATS + STATS_COLUMNS)
#define COLUMNS		(COL_WHEN + 1)

#define KEYS_MAX	65536u
#define TEXT_MAX	512u		/* bytes of a value that are kept */

struct stats {
	struct table_pane	 p;
	struct table		 t;
	struct table_column	 column[COLUMNS];
	struct view		*v;
	struct field_list	 by;		/* one field */
	struct counter		*c;		/* NULL: nothing was counted yet */
	uint64_t		 row0, row1, at;	/* what it counts; the next row */
	int64_t			 from, to;
	struct view_changes	 seen;		/* when it began */
	bool			 done;
	uint64_t		 round;		/* of counting */
	struct buf		 text;		/* of the value that was asked for last */
};

/* ---- what it counts */

static const char *
field_of(const struct stats *self)
{
	return self->by.names[0];
}

static void
begin(struct stats *self, struct view *v)
{
	counter_free(self->c);
	self->c = counter_new(v->t, &self->by, &(struct count_options){
	    .fields = { .words = WORDS_ALL, .most = TEXT_MAX }, .keys = KEYS_MAX,
	    .text = TEXT_MAX, .skip = true, .bins = true,
	    .from = v->window.from, .to = v->window.to });
	self->row0 = self->at = v->window.row0;
	self->row1 = v->window.row1;
	self->from = v->window.from;
	self->to = v->window.to;
	self->seen = v->changes;
	self->done = false;
	self->round++;
	self->p.touched = false;
	self->p.list.cursor = self->p.list.top = 0;
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

/* Follow the view. A window that grows as the index does is counted anew when twice as large. */
static void
follow(struct stats *self, struct view *v)
{
	bool	due = v->complete ||
	    v->window.row1 - v->window.row0 >= 2 * (self->row1 - self->row0);

	if (self->c == NULL)
		(void)count_by(self, v, "name");
	else if (view_changed(v, &self->seen, VIEW_WINDOW | VIEW_FILTER) ||
	    (due && view_changed(v, &self->seen, VIEW_ROWS)))
		begin(self, v);
}

/* Count for about budget_ns; true: there is more. */
static bool
step(struct stats *self, struct view *v, int64_t budget_ns)
{
	int64_t	until = job_now_ns() + budget_ns;

	while (!self->done && budget_ns > 0 && job_now_ns() < until) {
		const struct slice_view	*s;
		uint64_t		 end, shown;
		unsigned		 n;
		int			 got = 0;

		if (self->at < self->row1)
			got = trace_view_walk(v->t, &self->at, &s);
		self->done = got == 0;
		if (got <= 0)
			continue;
		n = query_hits_at(v->filter.q, self->at, &shown);
		end = s->row0 + s->n < self->row1 ? s->row0 + s->n : self->row1;
		end = end - self->at > n ? self->at + n : end;
		for (; self->at < end; self->at++, shown >>= 1)
			if (shown & 1)
				counter_add(self->c, &s->ev[self->at - s->row0], self->at);
		trace_view_put(v->t, s);
		if (n == 0)
			query_wait(v->filter.q, until - job_now_ns());
	}
	return !self->done;
}

static bool
stats_work(void *arg, struct view *v, int64_t budget_ns)
{
	struct stats	*self = arg;

	follow(self, v);
	if (v->stopped)
		return false;
	return step(self, v, budget_ns);
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
pane_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct stats	*self = src;
	double		 ns = (double)trace_ns(self->v->t, self->to) -
			    (double)trace_ns(self->v->t, self->from);

	if (col == COL_VALUE)
		value_cell(self, (uint32_t)row, out);
	else if (col == COL_WHEN)
		*out = (struct cell){ .kind = CELL_SPARK, .spark = {
		    .part = counter_bins(self->c, (uint32_t)row), .n = COUNT_BINS,
		    .known = COUNT_BINS } };
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
	    .width = COUNT_BINS, .rank = 3, .flags = COLUMN_SCREEN | COLUMN_NO_SORT };
}

/* As far as it is counted; a short trace is counted at once, so that keys typed ahead find it. */
static const struct table *
stats_table(void *arg, struct view *v)
{
	struct stats	*self = arg;

	follow(self, v);
	if (self->at == self->row0 && !v->stopped)
		(void)step(self, v, READY_NS);
	self->v = v;
	set_columns(self);
	self->t = (struct table){ .column = self->column, .ncolumns = COLUMNS,
	    .nrows = counter_keys(self->c), .src = self, .cell = pane_cell, .key = pane_key,
	    .evidence = pane_evidence, .sort = COL_STATS + STATS_EVENTS,
	    .tie = TABLE_UNSORTED,
	    .empty = !self->done ? "counting" : counter_without(self->c)->events > 0 ?
	    "no event here has this field" : "no events in this window and filter" };
	self->t.stamp = self->t.rows_stamp = (self->round << 40) + self->at + self->done;
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
	uint64_t		 all = self->row1 - self->row0, done = self->at - self->row0;

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
	if (!self->done)
		buf_printf(right, ", %u %% counted", all > 0 ?
		    (unsigned)((double)done / (double)all * 100) : 0);
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

/*
 * The events in the window that match the filter and have the greatest values of a number: of any
 * field, such as dur, or delta, the time since the previous event of the same thread. Enter goes to
 * one.
 *
 *	pass	piece -> top.c -> merged into top	ui/view/counting.h
 *
 * Invariant: top does not change while a frame is drawn.
 */
#include <string.h>

#include "tnav/analysis/top.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "ui/pane/table.h"

#define ROWS_MOST	1000u

enum { VALUE, TIME, THREAD, EVENT, TOP_COLUMNS };

struct top_pane {
	struct table_pane	 p;
	struct table_column	 column[TOP_COLUMNS];
	char			*name;		/* of the field; NULL: none chosen */
	char			*title;		/* the same without quotes */
	struct field_ref	*f;		/* likewise */
	struct top		*top;		/* NULL: not begun */
	struct counting		 counting;
	uint64_t		 round;		/* of counting */
	uint64_t		 sorted;	/* events that were counted when top was sorted */
};

static void
top_end(void *arg)
{
	top_free(arg);
}

static void
field_end(void *arg)
{
	field_ref_release(arg);
	mem_free(arg);
}

static void
forget_field(struct top_pane *self)
{
	counting_forget(&self->counting);
	self->top = NULL;
	if (self->f != NULL)
		trace_retire(self->p.v->t, field_end, self->f);
	self->f = NULL;
	mem_free(self->name);
	mem_free(self->title);
	self->name = self->title = NULL;
}

/* ---- counting */

static void
begin(struct top_pane *self, struct view *v)
{
	self->top = top_new(v->t, self->f, ROWS_MOST);
	counting_begin(&self->counting, v, &(struct counting_request){ .of = COUNT_SHOWN,
	    .ops = &top_ops, .arg = self->top, .end = top_end, .owned = self->top,
	    .needs = field_needs(self->f, v->t) });
	self->round++;
	self->sorted = 0;
	self->p.touched = false;
	self->p.list.cursor = self->p.list.top = 0;
	if (!v->stopped)
		(void)counting_first_step(&self->counting);
}

/* List by that field. False after a message with the reason. */
static bool
choose(struct top_pane *self, struct view *v, const char *name)
{
	struct field_ref	f = { .def = NULL };
	struct buf		why = { 0 };
	bool			good;

	good = field_ref_init(&f, name, strlen(name), &why) == 0 &&
	    view_check_aggregate(v, AGGREGATE_MAX, &f, name, &why);
	if (good) {
		forget_field(self);
		self->f = mem_alloc(sizeof *self->f);
		*self->f = f;
		self->name = mem_strdup(name);
		self->title = field_title(name, strlen(name));
		begin(self, v);
	} else {
		view_refuse(v, "top: %s", buf_str(&why));
		field_ref_release(&f);
	}
	buf_release(&why);
	return good;
}

static void
follow(struct top_pane *self, struct view *v)
{
	if (self->name == NULL)
		(void)choose(self, v, trace_has(v->t, HAS_DURATIONS) ? "dur" : "delta");
	else if (counting_follow(&self->counting))
		begin(self, v);
	counting_want(&self->counting);
	if (self->sorted == top_counted(self->top))
		return;
	top_sort(self->top);
	self->sorted = top_counted(self->top);
}

/* ---- the table */

static void
pane_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct top_pane		*self = src;
	const struct top_row	*r = top_row(self->top, row);

	*out = cell_null();
	switch (col) {
	case VALUE:
		*out = r->cell;
		break;
	case TIME:
		*out = cell_time(trace_ns(self->p.v->t, r->ts));
		break;
	case THREAD:
		buf_clear(&self->p.text);
		if (r->thread != EVENT_NONE)
			view_thread_text(self->p.v, r->thread, &self->p.text);
		out->word = span_of_buf(&self->p.text);
		break;
	default:
		*out = cell_name(trace_type(self->p.v->t, r->type)->name);
	}
}

static bool
pane_evidence(void *src, size_t row, struct table_evidence *out)
{
	const struct top_row	*r = top_row(((struct top_pane *)src)->top, row);

	out->kind = EVIDENCE_EVENT;
	out->ts = r->ts;
	out->off = r->off;
	return true;
}

/* Identifies a row when others are added. */
static uint64_t
pane_id(void *src, size_t row)
{
	return top_row(((struct top_pane *)src)->top, row)->off;
}

static bool
pane_key(void *src, size_t row, struct buf *field, struct buf *value)
{
	struct top_pane	*self = src;

	buf_puts(field, self->name);
	(void)field_value(value, self->f, &top_row(self->top, row)->cell);
	return true;
}

static enum cell_kind
value_kind(const struct top_pane *self)
{
	if (self->f->def->class == CLASS_DUR)
		return CELL_DUR;
	return self->f->def->class == CLASS_BYTES ? CELL_BYTES : CELL_F64;
}

static const struct table *
top_table(void *arg, struct view *v)
{
	struct top_pane	*self = arg;

	follow(self, v);
	self->column[VALUE] = (struct table_column){ .name = "value",
	    .title = self->title, .kind = value_kind(self), .tone = TONE_STRONG };
	self->column[TIME] = (struct table_column){ .name = "time", .kind = CELL_TIME,
	    .tone = TONE_TIME, .flags = COLUMN_FIRST_UP };
	self->column[THREAD] = (struct table_column){ .name = "thread", .kind = CELL_U64,
	    .tone = TONE_THREAD, .flags = COLUMN_NO_SORT };
	self->column[EVENT] = (struct table_column){ .name = "event", .kind = CELL_TEXT,
	    .tone = TONE_EVENT, .width = 24, .most = -1 };
	self->p.t = (struct table){ .column = self->column, .ncolumns = TOP_COLUMNS,
	    .nrows = top_rows(self->top), .src = self, .cell = pane_cell, .id = pane_id,
	    .key = pane_key, .evidence = pane_evidence, .sort = VALUE + 1,
	    .empty = "no event here has this value" };
	if (!deriving_state(&v->deriving, self->counting.by.needs & NEEDS_OTHERS).made)
		self->p.t.empty = v->complete ? "searching" : "available once the trace is indexed";
	else if (counting_busy(&self->counting))
		self->p.t.empty = "searching";
	self->p.t.stamp = self->p.t.rows_stamp = (self->round << 40) + self->sorted;
	return &self->p.t;
}

static void
top_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct top_pane		*self = arg;
	const struct table	*t = top_table(self, v);

	buf_printf(left, "by %s%s", self->name,
	    (self->counting.by.needs & NEEDS_DELTAS) != 0 ? " within the thread" : "");
	table_pane_put_sort(&self->p, t, ", ", left);
	if (t->nrows == ROWS_MOST)
		buf_puts(right, "the greatest ");
	buf_counts(right, "# of # events", t->nrows, top_counted(self->top));
	if (counting_busy(&self->counting))
		buf_printf(right, ", %u %% searched",
		    percent_of(counting_share(&self->counting)));
}

/* Choose a field by its name; "": the previous one. */
static void
top_act(void *arg, struct view *v, int64_t what, const char *name)
{
	struct top_pane	*self = arg;

	(void)what;
	v->stopped = false;
	if (name[0] != '\0')
		(void)choose(self, v, name);
}

static void
top_release(void *arg)
{
	struct top_pane	*self = arg;

	forget_field(self);
	counting_release(&self->counting);
}

const struct pane_ops	pane_top = {
	.hints = "open=go include=only sort sort-invert close help",
	.size = sizeof(struct top_pane),
	.release = top_release,
	.title = top_title,
	.table = top_table,
	TABLE_PANE_SORTED,
	.act = top_act,
};

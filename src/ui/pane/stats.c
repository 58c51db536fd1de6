/*
 * Counts by fields, of the events in the window that match the filter (Alt-7 and `=`), with sums
 * and other aggregates of further fields. Also histograms, which count by ranges of a number
 * (Alt-h).
 *
 * Actions of act(): 0 counts by the fields in the argument, 1 makes a histogram of a named field, 2
 * one of the column by which the table is sorted.
 *
 *	pass	piece -> counter of its own -> merged into c		ui/view/counting.h
 *	columns	name tid | events bytes ... | sum.Size p99.Size | activity
 *		time name | events ...			with a step of time: every 100ms
 *		value to | events bytes ... | bar		  | activity	of a histogram
 *
 * Row i of the table is key i of c, as far as it is counted.
 *
 * Invariant: c does not change while a frame is drawn.
 */
#include <string.h>

#include "tnav/analysis/tables.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/units.h"
#include "tnav/engine/count.h"
#include "tnav/engine/steps.h"
#include "ui/pane/table.h"

#define NS_PER_S	1e9

#define KEYS_MAX	65536u
#define TEXT_MAX	512u		/* longest value that is kept, in bytes */
#define BY_MAX		8u		/* fields of a key */
#define KEY_USUAL	"name"
#define BAR_CELLS	24u
#define WHEN_WIDTH	16

enum { ACT_WORDS, ACT_HISTOGRAM, ACT_HISTOGRAM_OF_COLUMN };

/* The request; counters read it, so it is retired after the last of them. */
struct stats_pane_request {
	struct field_list	 by;
	struct aggregates	 aggregates;
};

struct stats_pane {
	struct table_pane	 p;
	struct table_column	 column[TABLE_COLUMNS];
	struct stats_pane_request	*request;	/* NULL: none yet */
	struct field_list	 by;		/* borrowed from it */
	struct aggregates	 aggregates;	/* likewise */
	bool			 steps;		/* a histogram of one field */
	struct counter		*c;		/* NULL: nothing was counted yet */
	struct counting		 counting;
	uint64_t		 round;		/* of counting */
	uint64_t		 most;		/* greatest count, for bars */
	uint64_t		 part[COUNT_BINS];	/* of the last requested cell */
	struct buf		 text[BY_MAX + 1];	/* of the columns of values */
	uint32_t		*providers;	/* by name: number of providers of its events; or
						   NULL */
	uint32_t		 nproviders;
	uint64_t		 providers_at;	/* the table's stamp + 1 */
};

/* ---- columns */

/* Is the first column an interval of time? */
static unsigned
is_timed(const struct stats_pane *self)
{
	return self->aggregates.every_ns > 0;
}

/* The columns of the key. */
static unsigned
key_columns(const struct stats_pane *self)
{
	return is_timed(self) + (unsigned)self->by.n;
}

/* The columns for the end of a range and its bar. */
static unsigned
col_to(const struct stats_pane *self)
{
	return self->steps ? key_columns(self) : TABLE_COLUMNS;
}

static unsigned
col_stats(const struct stats_pane *self)
{
	return key_columns(self) + self->steps;
}

static unsigned
col_aggregates(const struct stats_pane *self)
{
	return col_stats(self) + STATS_COLUMNS;
}

static unsigned
col_bar(const struct stats_pane *self)
{
	return self->steps ? col_aggregates(self) + (unsigned)self->aggregates.n : TABLE_COLUMNS;
}

static unsigned
col_when(const struct stats_pane *self)
{
	return col_aggregates(self) + (unsigned)self->aggregates.n + self->steps;
}

/* ---- the request */

static void
put_fields(const struct stats_pane *self, struct buf *out)
{
	for (size_t i = 0; i < self->by.n; i++)
		buf_printf(out, "%s%s", i > 0 ? "," : "", self->by.names[i]);
}

/* "name,tid every 100 ms" */
static void
put_key(const struct stats_pane *self, struct buf *out)
{
	put_fields(self, out);
	if (!is_timed(self))
		return;
	buf_puts(out, " every ");
	units_dur(out, self->aggregates.every_ns, self->p.v->display.ascii);
}

static void
counter_end(void *arg)
{
	counter_free(arg);
}

static void
forget_providers(struct stats_pane *self)
{
	mem_free(self->providers);
	self->providers = NULL;
	self->providers_at = 0;
}

static void
begin(struct stats_pane *self, struct view *v)
{
	forget_providers(self);
	self->c = counter_new(v->t, &self->request->by, &(struct count_options){
	    .fields = { .words = self->steps ? WORDS_BARE : WORDS_ALL, .frames = FRAMES_CLEAN,
		.most = TEXT_MAX },
	    .keys = KEYS_MAX, .text = TEXT_MAX, .skip = true, .each = true,
	    .steps = self->steps, .every_ns = self->aggregates.every_ns,
	    .aggregates = &self->request->aggregates, .bins = true });
	counting_begin(&self->counting, v, &(struct counting_request){ .of = COUNT_SHOWN,
	    .ops = &counter_ops, .arg = self->c, .end = counter_end, .owned = self->c,
	    .needs = field_list_needs(&self->by, v->t) |
		field_list_needs(&self->aggregates.values, v->t) });
	self->round++;
	self->p.touched = false;
	self->p.list.cursor = self->p.list.top = 0;
	if (!v->stopped)
		(void)counting_first_step(&self->counting);
}

static void
request_end(void *arg)
{
	struct stats_pane_request	*request = arg;

	field_list_release(&request->by);
	aggregates_release(&request->aggregates);
	mem_free(request);
}

static void
forget(struct stats_pane *self)
{
	forget_providers(self);
	counting_forget(&self->counting);
	self->c = NULL;
	if (self->request != NULL)
		trace_retire(self->p.v->t, request_end, self->request);
	self->request = NULL;
}

/* Takes ownership of the lists. */
static void
request_take(struct stats_pane *self, const struct field_list *by, const struct aggregates *a)
{
	self->request = mem_alloc(sizeof *self->request);
	*self->request = (struct stats_pane_request){ .by = *by, .aggregates = *a };
	self->by = *by;
	self->aggregates = *a;
}

/* Parse "Name,Generation sum Size p99 dur every 1s". False: the error is in why. Otherwise note
   may have a warning. */
static bool
read_words(struct field_list *by, struct aggregates *a, struct view *v, const char *words,
    struct buf *why, struct buf *note)
{
	int	 len = aggregates_words(a, words, why);
	char	*fields;
	bool	 good;

	if (len < 0)
		return false;
	fields = len > 0 ? mem_strndup(words, (size_t)len) : mem_strdup(KEY_USUAL);
	good = field_list_init(by, fields, why) == 0 && view_check_fields(v, by, why, note) &&
	    view_check_fields(v, &a->values, why, note);
	mem_free(fields);
	for (size_t i = 0; good && i < a->n; i++)
		good = aggregate_fits(a->v[i].kind, &a->values.v[a->v[i].value], v->t, why);
	if (!good || (by->n <= BY_MAX && a->n <= TABLE_COLUMNS - BY_MAX - STATS_COLUMNS - 4))
		return good;
	buf_puts(why, "too many columns");
	return false;
}

static bool
fits_histogram(const struct field_list *by, const struct aggregates *a, struct view *v,
    struct buf *why)
{
	if (by->n == 1 && a->n == 0 && a->every_ns == 0)
		return aggregate_fits(AGGREGATE_KINDS, &by->v[0], v->t, why);
	buf_puts(why, "only one field can be given");
	return false;
}

/* Count by these words. False after a message with the error. */
static bool
count_by(struct stats_pane *self, struct view *v, const char *words, bool steps)
{
	struct field_list	by = { .n = 0 };
	struct aggregates	a = { .n = 0 };
	struct buf		why = { 0 }, note = { 0 };
	bool			good;

	good = read_words(&by, &a, v, words, &why, &note);
	if (good && steps)
		good = fits_histogram(&by, &a, v, &why);
	if (good) {
		self->p.chosen &= self->steps == steps && self->by.n == by.n && a.n == 0 &&
		    self->aggregates.every_ns == a.every_ns;
		forget(self);
		request_take(self, &by, &a);
		self->steps = steps;
		begin(self, v);
		if (note.len > 0)
			view_say(v, "%s", buf_str(&note));
	} else {
		view_refuse(v, "%s: %s", steps ? "histogram" : "tally", buf_str(&why));
		field_list_release(&by);
		aggregates_release(&a);
	}
	buf_release(&why);
	buf_release(&note);
	return good;
}

static void
follow(struct stats_pane *self, struct view *v)
{
	if (self->c == NULL)
		(void)count_by(self, v, KEY_USUAL, false);
	else if (counting_follow(&self->counting))
		begin(self, v);
	counting_want(&self->counting);
}

/* ---- the table */

/* The number of events that have the field. Shares refer to it. */
static uint64_t
events_with(const struct stats_pane *self)
{
	return counter_all(self->c)->events - counter_without(self->c)->events;
}

/* The displayed value, so that sorting and searching use it, too. */
static void
value_cell(struct stats_pane *self, uint32_t key, unsigned col, struct cell *out)
{
	struct buf	*text = &self->text[col];
	struct cell	 cells[BY_MAX + 1];

	(void)counter_cells(self->c, key, cells);
	*out = cells[col];
	if (col < is_timed(self))
		return;
	buf_clear(text);
	if (cells[col].kind == CELL_TEXT && self->p.v->display.raw_names)
		cells[col].show &= ~(unsigned)SHOW_WORD;
	cell_text(text, &cells[col], self->p.v->display.ascii);
	if (self->providers != NULL && key < self->nproviders && self->providers[key] > 1)
		buf_printf(text, " (%u providers)", self->providers[key]);
	*out = (struct cell){ .kind = CELL_TEXT, .text = span_of_buf(text) };
	if (text->len == 0)
		out->word = span_of(cells[col].kind == CELL_NONE ? "(none)" : "(empty)");
}

/* The begin or end of a range, as a number for sorting. */
static void
step_cell(struct stats_pane *self, uint32_t key, bool end, struct cell *out)
{
	struct cell	begin;

	(void)counter_cells(self->c, key, &begin);
	*out = begin;
	if (end && !steps_end(&begin, out))
		*out = cell_none();
	if (out->kind == CELL_U64)
		out->show = SHOW_GROUPED;
}

static void
bar_cell(struct stats_pane *self, uint32_t key, struct cell *out)
{
	double		share = (double)counter_count(self->c, key)->events / (double)self->most;
	unsigned	n = (unsigned)(share * BAR_CELLS + 0.5);

	buf_clear(&self->p.text);
	for (unsigned i = 0; i < n || i == 0; i++)
		buf_puts(&self->p.text, self->p.v->display.ascii ? "#" : "\xe2\x96\x88");
	*out = (struct cell){ .kind = CELL_TEXT, .text = span_of_buf(&self->p.text) };
}

/* The greatest count, for the longest bar. */
static void
find_most(struct stats_pane *self)
{
	self->most = 1;
	for (uint32_t k = 0; self->steps && k < counter_keys(self->c); k++)
		if (counter_count(self->c, k)->events > self->most)
			self->most = counter_count(self->c, k)->events;
}

static void
spark_cell(struct stats_pane *self, uint32_t key, struct cell *out)
{
	unsigned	n = counter_bins(self->c, key, self->part);

	*out = (struct cell){ .kind = CELL_SPARK,
	    .spark = { .part = self->part, .n = n, .known = n } };
}

static void
counted_cell(struct stats_pane *self, uint32_t key, unsigned col, struct cell *out)
{
	double	ns = (double)trace_ns(self->p.v->t, self->p.v->window.to) -
		    (double)trace_ns(self->p.v->t, self->p.v->window.from);

	if (is_timed(self))
		ns = (double)self->aggregates.every_ns;
	stats_cell(self->p.v->t, counter_count(self->c, key), events_with(self), ns / NS_PER_S, col,
	    out);
}

static void
pane_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct stats_pane	*self = src;
	uint32_t		 key = (uint32_t)row;

	if (col == col_when(self))
		spark_cell(self, key, out);
	else if (col == col_bar(self))
		bar_cell(self, key, out);
	else if (self->steps && col <= col_to(self))
		step_cell(self, key, col == col_to(self), out);
	else if (col < key_columns(self))
		value_cell(self, key, col, out);
	else if (col < col_aggregates(self))
		counted_cell(self, key, col - col_stats(self), out);
	else
		counter_aggregate(self->c, key, &self->aggregates.v[col - col_aggregates(self)],
		    out);
	if (out->kind == CELL_U64 || out->kind == CELL_I64 || out->kind == CELL_F64)
		out->show |= SHOW_GROUPED | SHOW_ROUNDED;
}

/* ---- filter terms for the events of a row */

static bool
put_absent(struct buf *out, const char *field)
{
	buf_printf(out, "not has %s", field);
	return true;
}

/* "FIELD = value"; without a value "not has FIELD". False: the language cannot express it. */
static bool
put_term(struct buf *out, struct stats_pane *self, size_t field, const struct cell *c)
{
	struct buf	value = { 0 };
	bool		good;

	good = field_value(&value, &self->by.v[field], c);
	if (good)
		good = field_term(out, self->by.names[field], buf_str(&value));
	else if (c->kind == CELL_NONE && c->word.p == NULL)
		good = put_absent(out, self->by.names[field]);
	buf_release(&value);
	return good;
}

/* "FIELD >= 20 and FIELD < 50" */
static bool
put_step(struct buf *out, struct stats_pane *self, const struct cell *begin)
{
	const char	*name = self->by.names[0];
	struct cell	 end;

	buf_printf(out, "%s >= ", name);
	if (!field_value(out, &self->by.v[0], begin))
		return false;
	if (!steps_end(begin, &end))
		return true;
	buf_printf(out, " and %s < ", name);
	return field_value(out, &self->by.v[0], &end);
}

/* 200ms: in the largest unit in which it is a whole number. */
static void
put_ns(struct buf *out, int64_t ns)
{
	static const struct { int64_t ns; const char *name; } units[] = {
		{ 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" },
	};
	unsigned	i = 0;

	while (ns % units[i].ns != 0)
		i++;
	buf_i64(out, ns / units[i].ns);
	buf_puts(out, units[i].name);
}

/* "time in 200ms..400ms". False: a time before the first cannot be expressed. */
static bool
put_times(struct buf *out, const struct stats_pane *self, int64_t from)
{
	int64_t	to;

	if (from < 0)
		return false;
	buf_puts(out, "time in ");
	put_ns(out, from);
	buf_puts(out, "..");
	if (!__builtin_add_overflow(from, self->aggregates.every_ns, &to))
		put_ns(out, to);
	return true;
}

/* If only the beginning of a value was kept, it has no filter term. */
static bool
pane_key(void *src, size_t row, struct buf *field, struct buf *value)
{
	struct stats_pane	*self = src;
	struct cell		 c[BY_MAX + 1];
	bool			 whole = counter_cells(self->c, (uint32_t)row, c);

	put_fields(self, field);
	if (whole && self->by.n == 1 && !self->steps)
		(void)field_value(value, &self->by.v[0], &c[is_timed(self)]);
	return true;
}

/* Append a filter expression for exactly the events of the row. False, and nothing is appended:
   there is none. */
static bool
put_row(struct stats_pane *self, size_t row, struct buf *out)
{
	struct cell	 c[BY_MAX + 1];
	struct buf	 term = { 0 };
	bool		 good = counter_cells(self->c, (uint32_t)row, c);

	if (self->steps)
		good = good && put_step(out, self, &c[0]);
	else if (is_timed(self))
		good = good && put_times(out, self, c[0].i);
	for (size_t i = 0; good && !self->steps && i < self->by.n; i++) {
		buf_clear(&term);
		good = put_term(&term, self, i, &c[is_timed(self) + i]);
		buf_printf(out, "%s%s", out->len > 0 ? " and " : "", buf_str(&term));
	}
	if (!good)
		buf_clear(out);
	buf_release(&term);
	return good;
}

static bool
pane_evidence(void *src, size_t row, struct table_evidence *out)
{
	out->kind = EVIDENCE_FILTER;
	return put_row(src, row, &out->filter);
}

/* ---- the table as a whole */

static void
set_columns(struct stats_pane *self)
{
	const struct aggregates	*a = &self->aggregates;

	memset(self->column, 0, sizeof self->column);
	self->column[0] = (struct table_column){ .name = "time", .kind = CELL_TIME,
	    .flags = COLUMN_FIRST_UP };
	for (unsigned i = 0; i < self->by.n; i++)
		self->column[is_timed(self) + i] = (struct table_column){
		    .name = self->by.titles[i], .title = self->by.titles[i],
		    .printed = self->by.titles[i],
		    .kind = CELL_TEXT, .tone = TONE_EVENT,
		    .width = self->by.n > 1 ? 20 : 32, .most = -1,
		    .flags = COLUMN_NAMES |
			(self->by.v[i].def->flags & FIELD_MIDDLE ? COLUMN_MIDDLE : COLUMN_CODE) };
	if (self->by.n == 1)
		self->column[is_timed(self)].name = "value";
	if (self->steps) {
		self->column[0] = (struct table_column){ .name = "value",
		    .title = self->by.titles[0], .kind = CELL_F64, .tone = TONE_EVENT,
		    .flags = COLUMN_FIRST_UP };
		self->column[col_to(self)] = (struct table_column){ .name = "to",
		    .title = "up to", .kind = CELL_F64, .flags = COLUMN_FIRST_UP };
		self->column[col_bar(self)] = (struct table_column){ .name = "bar", .title = "",
		    .kind = CELL_TEXT, .width = BAR_CELLS,
		    .flags = COLUMN_SCREEN | COLUMN_NO_SORT };
	}
	memcpy(&self->column[col_stats(self)], stats_columns, sizeof stats_columns);
	for (unsigned i = 0; i < a->n; i++)
		self->column[col_aggregates(self) + i] = (struct table_column){
		    .name = a->v[i].name, .printed = a->v[i].name, .kind = CELL_F64 };
	self->column[col_when(self)] = (struct table_column){ .name = "activity",
	    .kind = CELL_SPARK, .width = WHEN_WIDTH, .rank = 3,
	    .flags = COLUMN_SCREEN | COLUMN_NO_SORT };
}

/* The first order: ranges and intervals in theirs; else by the first aggregate or events. */
static unsigned
first_order(const struct stats_pane *self)
{
	if (self->steps || is_timed(self))
		return 0;
	return self->aggregates.n > 0 ? col_aggregates(self) : col_stats(self) + STATS_EVENTS;
}

/* Find names that events of several providers share; their rows say so. */
static void
find_providers(struct stats_pane *self)
{
	bool	by_name = self->by.n == 1 && !self->steps && !is_timed(self) &&
	    self->by.v[0].def != NULL && strcmp(self->by.v[0].def->name, KEY_USUAL) == 0;

	if (self->providers_at == self->p.t.stamp + 1)
		return;
	self->providers_at = self->p.t.stamp + 1;
	mem_free(self->providers);
	self->providers = NULL;
	if (!by_name)
		return;
	self->nproviders = counter_keys(self->c);
	self->providers = mem_zalloc(self->nproviders, sizeof *self->providers);
	counter_providers(self->c, self->providers);
}

static const struct table *
stats_table(void *arg, struct view *v)
{
	struct stats_pane	*self = arg;

	follow(self, v);
	set_columns(self);
	find_most(self);
	counter_cover(self->c, v->window.from, v->window.to - 1);
	self->p.t = (struct table){ .column = self->column, .ncolumns = col_when(self) + 1,
	    .nrows = counter_keys(self->c), .src = self, .cell = pane_cell, .key = pane_key,
	    .evidence = pane_evidence, .sort = first_order(self) + 1,
	    .tie = is_timed(self) ? col_stats(self) + STATS_EVENTS + 1 : 0,
	    .empty = v->filter.text == NULL ? "no events in this window (0 shows the whole trace)" :
	    v->window.whole ? "no event matches the filter (X drops its last term)" :
	    "no event matches in this window (X drops a term, 0 shows the whole trace)" };
	if (counting_busy(&self->counting))
		self->p.t.empty = "counting";
	else if (counter_without(self->c)->events > 0)
		self->p.t.empty = "no event here has this field";
	self->p.t.stamp = self->p.t.rows_stamp = (self->round << 40) + counter_all(self->c)->events;
	find_providers(self);
	return &self->p.t;
}

/* Is there a gap in the window? If so, counts are incomplete. */
static bool
has_gap(const struct view *v)
{
	for (size_t i = 0; i < v->gaps.n; i++)
		if (v->gaps.v[i].to >= v->window.from && v->gaps.v[i].from < v->window.to)
			return true;
	return false;
}

/* Remarks about what is not exact, or was left out. */
static void
put_remarks(const struct stats_pane *self, struct buf *out)
{
	const struct aggregates	*a = &self->aggregates;
	uint64_t		 beyond = counter_beyond(self->c)->events;

	if (beyond > 0)
		buf_counts(out, ", # event{s} with values that are not listed", beyond);
	for (size_t i = 0; i < a->n; i++) {
		const struct count_remarks	r = counter_remarks(self->c, &a->v[i]);

		if (a->v[i].kind == AGGREGATE_PCT && r.sketched > 0)
			buf_printf(out, ", %s within 1 %%", a->v[i].name);
		if (a->v[i].kind == AGGREGATE_DISTINCT && r.capped > 0)
			buf_printf(out, ", %s is a lower bound", a->v[i].name);
		if (a->v[i].kind == AGGREGATE_DISTINCT || r.others == 0 ||
		    (i > 0 && a->v[i].value == a->v[i - 1].value))
			continue;
		buf_counts(out, ", #", r.others);
		buf_printf(out, " values of %s are not numbers", a->values.names[a->v[i].value]);
	}
}

static void
stats_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct stats_pane	*self = arg;
	const struct table	*t = stats_table(self, v);
	uint64_t		 without = counter_without(self->c)->events;

	buf_puts(left, self->steps ? "histogram of " : "by ");
	put_key(self, left);
	table_pane_put_sort(&self->p, t, ", ", left);
	if (has_gap(v))
		buf_puts(right, "at least ");
	buf_counts(right, "# event{s}, ", events_with(self));
	buf_counts(right, self->steps ? "# step{s}" : is_timed(self) || self->by.n > 1 ?
	    "# row{s}" : "# value{s}", counter_keys(self->c));
	if (without > 0)
		buf_counts(right, self->by.n > 1 ? " (# have none)" : " (# lack{s|} it)", without);
	put_remarks(self, right);
	if (counting_busy(&self->counting))
		buf_printf(right, ", %u %% counted",
		    percent_of(counting_share(&self->counting)));
}

/* Values are copied as displayed, not as in filters. */
static bool
stats_field(void *arg, struct view *v, struct field_at *out)
{
	struct stats_pane	*self = arg;
	size_t			 row = table_pane_row(&self->p, v);
	struct cell		 c;

	if (row == TABLE_NO_ROW)
		return false;
	(void)pane_key(self, row, &out->name, &out->value);
	if (out->value.len == 0)
		(void)put_row(self, row, &out->term);
	for (unsigned i = is_timed(self); i < key_columns(self); i++) {
		if (i > is_timed(self))
			buf_putc(&out->text, ' ');
		value_cell(self, (uint32_t)row, i, &c);
		buf_add(&out->text, c.text.p, c.text.len);
	}
	return true;
}

/* Of the aggregated field that the table is sorted by, else of the first field of the key. */
static void
histogram_of_column(struct stats_pane *self, struct view *v)
{
	const struct table	*t = stats_table(self, v);
	unsigned		 col = table_pane_by(&self->p, t);
	const char		*name = self->by.names[0];
	char			*field;

	if (col >= col_aggregates(self) && col < col_aggregates(self) + self->aggregates.n)
		name = self->aggregates.values.names[
		    self->aggregates.v[col - col_aggregates(self)].value];
	field = mem_strdup(name);
	(void)count_by(self, v, field, true);
	mem_free(field);
}

static void
stats_act(void *arg, struct view *v, int64_t what, const char *words)
{
	struct stats_pane	*self = arg;

	v->stopped = false;
	if (what == ACT_HISTOGRAM_OF_COLUMN)
		histogram_of_column(self, v);
	else
		(void)count_by(self, v, words, what == ACT_HISTOGRAM);
}

static void
put_aggregate(const struct stats_pane *self, const struct aggregate *a, struct buf *out)
{
	buf_printf(out, "--%s=", a->kind == AGGREGATE_PCT ? "pct" : aggregate_name(a->kind));
	if (a->kind == AGGREGATE_PCT) {
		buf_f64(out, (double)a->share * 100 / AGGREGATE_WHOLE);
		buf_putc(out, ':');
	}
	buf_puts(out, self->aggregates.values.names[a->value]);
	buf_putc(out, '\0');
}

/* The option for the order, if tnav stats has another one by default. */
static void
put_order(struct stats_pane *self, const struct table *t, struct buf *out)
{
	unsigned	by = table_pane_by(&self->p, t);
	unsigned	own = is_timed(self) ? 0 : col_stats(self) + STATS_EVENTS;
	const char	*name;

	if (by >= t->ncolumns || (by == own && !self->p.inverted))
		return;
	name = t->column[by].name;
	if (by >= is_timed(self) && by < key_columns(self))
		name = self->by.names[by - is_timed(self)];
	buf_printf(out, "--sort=%s:%s%c", name,
	    table_sorts_up(t, by) != self->p.inverted ? "asc" : "desc", '\0');
}

static bool
stats_print_options(void *arg, struct view *v, struct buf *out)
{
	struct stats_pane	*self = arg;
	const struct table	*t = stats_table(self, v);

	buf_puts(out, "--by=");
	put_fields(self, out);
	buf_putc(out, '\0');
	if (is_timed(self))
		buf_printf(out, "--every=%lldns%c", (long long)self->aggregates.every_ns, '\0');
	for (size_t i = 0; i < self->aggregates.n; i++)
		put_aggregate(self, &self->aggregates.v[i], out);
	put_order(self, t, out);
	return !self->steps;
}

static void
stats_release(void *arg)
{
	struct stats_pane	*self = arg;

	forget(self);
	counting_release(&self->counting);
	for (size_t i = 0; i <= BY_MAX; i++)
		buf_release(&self->text[i]);
}

const struct pane_ops	pane_stats = {
	.prints = "stats",
	.depends = PRINTS_WINDOW | PRINTS_FILTER,
	.print_options = stats_print_options,
	.hints = "open=only exclude sort sort-invert close help",
	.size = sizeof(struct stats_pane),
	.release = stats_release,
	.title = stats_title,
	.table = stats_table,
	TABLE_PANE,
	.enter = table_pane_enter,
	.field = stats_field,
	TABLE_PANE_SORTS,
	.act = stats_act,
};

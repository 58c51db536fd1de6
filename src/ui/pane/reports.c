/*
 * The menu of reports: those for which the trace has events, then the others as one row, which
 * Enter opens: what to collect for each. A letter or Enter shows a report.
 *
 *	g  gc      1,204  list garbage collections: pauses, sizes, reasons
 *	           -      10 more reports: not in this trace (Enter lists them)
 *	c  counters    -  not in this trace: collect --providers System.Runtime:0x0:4:...
 *
 * Invariant: a report has the same letter wherever its row is.
 */
#include "tnav/analysis/report.h"
#include "ui/pane/choice.h"

enum { CHAR, NAME, EVENTS, ABOUT, MENU_COLUMNS };

static const struct table_column	columns[MENU_COLUMNS] = {
	[CHAR] = { .name = "key", .title = "", .kind = CELL_TEXT, .tone = TONE_KEY },
	[NAME] = { .name = "report", .kind = CELL_TEXT, .tone = TONE_STRONG },
	[EVENTS] = { .name = "events", .kind = CELL_U64 },
	[ABOUT] = { .name = "about", .kind = CELL_TEXT, .width = 20, .most = -1 },
};

#define REPORT_ABOUT(id, does)	does,
static const char *const	about[REPORTS] = { REPORT_TABLE(REPORT_ABOUT) };

struct menu {
	struct table_pane	 p;
	uint64_t		 events[REPORTS];
	struct menu_keys	 letters;	/* by report */
	struct menu_keys	 choice;	/* by row */
	size_t			 report[REPORTS];	/* by row */
	size_t			 nhere;		/* the first rows: reports of this trace */
	bool			 open;		/* the others are listed, too */
};

static bool
is_here(const struct menu *self, size_t report)
{
	return self->events[report] > 0 || report == REPORT_summary;
}

static void
list_reports(struct menu *self, bool here)
{
	for (size_t i = 0; i < REPORTS; i++)
		if (is_here(self, i) == here) {
			self->report[self->choice.n] = i;
			self->choice.key[self->choice.n++] = self->letters.key[i];
		}
}

/* The letter of a report is the first unused one of its name; else a digit. */
static void
make_rows(struct menu *self)
{
	self->letters.n = self->choice.n = 0;
	for (size_t i = 0; i < REPORTS; i++) {
		buf_clear(&self->p.text);
		buf_printf(&self->p.text, "%s123456789", reports[i]->name);
		choice_add(&self->letters, buf_str(&self->p.text));
	}
	list_reports(self, true);
	self->nhere = self->choice.n;
	list_reports(self, false);
	self->open |= self->nhere <= 1 || self->nhere == REPORTS;	/* else there is no list */
}

/* The row that stands for all others. */
static bool
is_more(const struct menu *self, size_t row)
{
	return !self->open && row == self->nhere;
}

static void
more_cell(struct menu *self, unsigned col, struct cell *out)
{
	*out = cell_null();
	if (col != ABOUT)
		return;
	buf_clear(&self->p.text);
	buf_printf(&self->p.text, "%zu more reports: not in this trace (Enter lists them)",
	    REPORTS - self->nhere);
	*out = cell_str(buf_str(&self->p.text));
}

static void
reports_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct menu	*self = src;
	size_t		 i = self->report[row];

	if (is_more(self, row)) {
		more_cell(self, col, out);
		return;
	}
	*out = cell_null();
	if (col == CHAR)
		choice_cell(&self->choice, row, out);
	if (col == NAME)
		*out = cell_str(reports[i]->name);
	if (col == EVENTS && self->events[i] > 0)
		*out = cell_u64(self->events[i]);
	if (col != ABOUT)
		return;
	*out = cell_str(about[i]);
	if (is_here(self, i))
		return;
	buf_clear(&self->p.text);
	buf_puts(&self->p.text, "not in this trace: ");
	report_advice(reports[i], self->p.v->t, &self->p.text);
	*out = cell_str(buf_str(&self->p.text));
}

static enum tone
reports_tone(void *src, size_t row, unsigned col)
{
	const struct menu	*self = src;

	return row >= self->nhere && col > CHAR ? TONE_DIM : TONE_NORMAL;
}

static const struct table *
reports_table(void *arg, struct view *v)
{
	struct menu	*self = arg;

	if (table_pane_stale(&self->p, VIEW_INDEX)) {
		for (size_t i = 0; i < REPORTS; i++)
			self->events[i] = report_events(reports[i], v->t);
		make_rows(self);
	}
	self->p.steady = self->p.yields = true;
	self->p.whole = ABOUT + 1;	/* on most screens it is cut in the row */
	self->p.t = (struct table){ .column = columns, .ncolumns = MENU_COLUMNS,
	    .nrows = self->open ? REPORTS : self->nhere + 1, .src = self,
	    .cell = reports_cell, .tone = reports_tone,
	    .stamp = view_stamp(v, VIEW_INDEX) * 2 + self->open };
	return &self->p.t;
}

static void
reports_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct menu	*self = arg;
	unsigned	 n = 0;

	(void)reports_table(self, v);
	for (size_t i = 0; i < REPORTS; i++)
		n += self->events[i] > 0;
	buf_puts(left, "a letter shows one");
	buf_printf(right, "%u of %u have events here", n, (unsigned)REPORTS);
}

static bool
reports_key(void *arg, struct view *v, int32_t key)
{
	struct menu	*self = arg;

	(void)reports_table(self, v);
	for (size_t row = self->nhere; row < REPORTS && !self->open; row++)
		self->open = key == self->choice.key[row];
	(void)reports_table(self, v);
	return choice_stand(&self->choice, &self->p, v, key);
}

/* Open the list of the others. */
static bool
reports_enter(void *arg, struct view *v)
{
	struct menu	*self = arg;
	size_t		 row = table_pane_row(&self->p, v);

	if (row == TABLE_NO_ROW || !is_more(self, row))
		return false;
	self->open = true;
	return true;
}

static bool
reports_field(void *arg, struct view *v, struct field_at *out)
{
	struct menu	*self = arg;
	size_t		 row = table_pane_row(&self->p, v);

	if (row == TABLE_NO_ROW || is_more(self, row))
		return false;
	buf_puts(&out->text, reports[self->report[row]]->name);
	return true;
}

const struct pane_ops	pane_reports = {
	.hints = "choose-report close help",
	.size = sizeof(struct menu),
	.title = reports_title,
	.table = reports_table,
	TABLE_PANE,
	.enter = reports_enter,
	.field = reports_field,
	.key = reports_key,
};

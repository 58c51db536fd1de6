/*
 * The menu of reports: the subject of each, whether the trace has events for it, and if not, what
 * to collect. A letter or Enter shows a report.
 *
 *	g  gc      1,204  list garbage collections: pauses, sizes, reasons
 *	c  counters    -  collect --providers System.Runtime:0x0:4:EventCounterIntervalSec=1
 *
 * It is made from the list of reports.
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

#define BESIDE	5	/* lines for the titles and a text */

#define REPORT_ABOUT(id, does)	does,
static const char *const	about[REPORTS] = { REPORT_TABLE(REPORT_ABOUT) };

struct menu {
	struct table_pane	 p;
	struct table		 t;
	struct trace		*trace;
	struct view_changes	 seen;
	bool			 counted;
	uint64_t		 events[REPORTS];
	struct choice		 choice;
	struct buf		 text;
};

/* The first unused letter of its name; else a digit. */
static void
choose_keys(struct menu *self)
{
	self->choice.n = 0;
	for (size_t i = 0; i < REPORTS; i++) {
		buf_clear(&self->text);
		buf_printf(&self->text, "%s123456789", reports[i]->name);
		choice_add(&self->choice, buf_str(&self->text));
	}
}

static void
reports_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct menu	*self = src;

	*out = cell_null();
	if (col == CHAR)
		choice_cell(&self->choice, row, out);
	if (col == NAME)
		*out = cell_str(reports[row]->name);
	if (col == EVENTS && self->events[row] > 0)
		*out = cell_u64(self->events[row]);
	if (col != ABOUT)
		return;
	*out = cell_str(about[row]);
	if (self->events[row] > 0 || reports[row]->need == NULL)
		return;
	buf_clear(&self->text);
	buf_puts(&self->text, "not in this trace: ");
	report_advice(reports[row], self->trace, &self->text);
	*out = cell_str(buf_str(&self->text));
}

static enum tone
reports_tone(void *src, size_t row, unsigned col)
{
	const struct menu	*self = src;

	return self->events[row] == 0 && reports[row]->need != NULL && col > CHAR ? TONE_DIM :
	    TONE_NORMAL;
}

static const struct table *
reports_table(void *arg, struct view *v)
{
	struct menu	*self = arg;

	if (!self->counted || view_changed(v, &self->seen, VIEW_INDEX)) {
		for (size_t i = 0; i < REPORTS; i++)
			self->events[i] = report_events(reports[i], v->t);
		choose_keys(self);
		self->seen = v->changes;
		self->counted = true;
	}
	self->p.steady = true;
	self->trace = v->t;
	self->t = (struct table){ .column = columns, .ncolumns = MENU_COLUMNS, .nrows = REPORTS,
	    .src = self, .cell = reports_cell, .tone = reports_tone, .sort = TABLE_UNSORTED,
	    .tie = TABLE_UNSORTED, .stamp = view_stamp(v, VIEW_INDEX) };
	return &self->t;
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
	return choice_stand(&self->choice, &self->p, v, key);
}

static bool
reports_field(void *arg, struct view *v, struct field_at *out)
{
	struct menu	*self = arg;
	size_t		 row = table_pane_row(&self->p, v);

	if (row == TABLE_NO_ROW)
		return false;
	buf_puts(&out->text, reports[row]->name);
	return true;
}

static void
reports_release(void *arg)
{
	buf_release(&((struct menu *)arg)->text);
	table_pane_release(arg);
}

/* On most screens the text of a row is cut. It is shown in full below the list, if all rows
   still fit. */
static void
reports_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct menu	*self = arg;

	self->p.whole = r.h >= REPORTS + BESIDE ? ABOUT + 1 : 0;
	table_pane_draw(self, v, c, r, focus);
}

const struct pane_ops	pane_reports = {
	.name = "reports",
	.hints = "choose-report close help",
	.size = sizeof(struct menu),
	.release = reports_release,
	.title = reports_title,
	.table = reports_table,
	.draw = reports_draw,
	.move = table_pane_move,
	.field = reports_field,
	.point = table_pane_point,
	.key = reports_key,
};

/*
 * One pane for all reports. It shows the report that was chosen by its name or in the menu, for the
 * window and the filter.
 *
 *	lost     at least: 18 events were lost in 8 gaps		never left out for room
 *	in all   60 collections (gen0 45, gen1 4, gen2 11)		totals
 *	         paused 33.564 ms, 3.9 % of the time; longest 4.831 ms
 *	heap after each collection					where there is room
 *	    ▂▄▆█▂▄▆█
 *	titles
 *	rows of one kind						p: the next kind
 *
 * A report that is a page has its lines as rows. A list that Enter opens inside of a row takes the
 * place of the rows, and one inside of its rows the place of that; Esc or Backspace goes back.
 */
#include <string.h>

#include "tnav/analysis/report.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/text.h"
#include "tnav/engine/joined.h"
#include "ui/pane/plot.h"
#include "ui/pane/table.h"

/* A list inside of a row, and what was shown before it. */
struct report_step {
	struct table_inside	 at;
	uint64_t		 cursor, top;	/* of the list before: to go back to */
	unsigned		 by;
	bool			 chosen, inverted;
};

#define STEPS_MOST	32u

struct report_pane {
	struct table_pane	 p;
	struct table		*rows, *t;	/* t: the same, or a page of them */
	int			 w;		/* of the pane */
	unsigned		 part;
	uint64_t		 stamp;		/* for which t and the notes were made */
	bool			 raw;		/* ... and the names that t has */
	struct report_plot	 plot;
	bool			 has_plot;
	unsigned		 which;		/* number of the plot */
	size_t			 row;		/* the row that it belongs to */
	uint64_t		 plotted;	/* stamp for which it was made */
	enum { PLOT_AUTO, PLOT_LARGE, PLOT_OFF } large;
	int			 top;		/* lines of the plot as last drawn */
	struct report_step	 step[STEPS_MOST];
	unsigned		 nsteps;
	unsigned		 visits;	/* of such lists, and back */
	struct buf		 inside;	/* title of the list inside of a row */
	struct filter		*only;		/* rows that match are shown; or NULL: all */
	char			*only_text;
};

#define WIDTHS	4096u	/* of panes: the stamp of a page tells for which one it was made */
#define MARGINS	4	/* beside the text */
#define VISITS	4u	/* the next list has another stamp */

static const struct table_column	none[] = {
	{ .name = "report", .kind = CELL_TEXT },
};

/* Add a note for each line. The first has the label. */
static void
notes_add(struct report_pane *self, const char *label, const char *lines)
{
	for (size_t len; *lines != '\0' && self->p.nnotes < TABLE_NOTES; lines += len) {
		len = strcspn(lines, "\n");
		buf_add(&table_pane_note(&self->p, label, TONE_NORMAL, NULL)->text, lines, len);
		label = "";
		len += lines[len] == '\n';
	}
}

static void
note_loss(struct report_pane *self, const struct report_made *m)
{
	uint64_t	lost = 0, gaps = 0, own, in;
	bool		known = false;
	struct buf	b = { 0 };

	for (uint32_t i = 0; i < report_sources(m); i++) {
		known |= report_loss(m, i, &own, &in);
		lost = add_u64(lost, own);
		gaps = add_u64(gaps, in);
	}
	if (!known)
		buf_puts(&b, "the format has no sequence numbers: lost events cannot be detected");
	else if (lost > 0)
		buf_counts(&b, "# event{s} in # gap{s}: counts are lower bounds", lost, gaps);
	if (b.len > 0 && self->p.nnotes < TABLE_NOTES)
		buf_span(&table_pane_note(&self->p, "lost", TONE_LOSS, NULL)->text,
		    span_of_buf(&b));
	buf_release(&b);
}

/* The lines of a source, or of each of several the first one, which begins with its file. */
static void
note_totals(struct report_pane *self, struct view *v, const struct report_made *m)
{
	const char	*label = v->reporting.shown.window.whole ? "total" : "window";
	struct buf	 b = { 0 };

	if (report_sources(m) == 1) {
		notes_add(self, label, report_totals(m, 0));
		return;
	}
	for (uint32_t i = 0; i < report_sources(m); i++) {
		const char	*line = report_totals(m, i);

		if (*line != '\0')
			buf_printf(&b, "%s: %.*s\n",
			    text_base_name(trace_path(trace_source(v->t, i))),
			    (int)strcspn(line, "\n"), line);
	}
	notes_add(self, label, buf_str(&b));
	buf_release(&b);
}

static void
make_notes(struct report_pane *self, struct view *v, struct report_made *m)
{
	const struct report	*r = v->reporting.report;
	struct buf		 how = { 0 };

	table_pane_drop_notes(&self->p);
	if (m == NULL)
		return;
	if (report_rows(m) > 0 && (r->page == NULL || self->part > 0))
		note_loss(self, m);
	if (self->nsteps > 0)
		return;
	note_totals(self, v, m);
	if (report_remark(m) != NULL)
		notes_add(self, "", report_remark(m));
	if (report_rows(m) > 0 || report_present(r, v->t))
		return;
	report_how(r, v->t, &how);
	notes_add(self, "collect", buf_str(&how));
	buf_release(&how);
}

static const struct table *
empty_table(struct report_pane *self, struct view *v)
{
	bool	chosen = v->reporting.report != NULL;

	self->p.t = (struct table)TABLE_WITHOUT_ROWS(none, 1,
	    "no report was chosen (Alt-8 lists them)");
	self->p.t.stamp = self->p.t.rows_stamp = self->stamp;
	if (chosen && v->stopped)
		self->p.t.empty = "stopped (Alt-8 shows it again)";
	else if (chosen && v->complete)
		self->p.t.empty = "the trace is being read ...";
	else if (chosen && !v->following)
		self->p.t.empty = "available once the trace is indexed";
	else if (chosen)
		self->p.t.empty = trace_rows(v->t) > 0 ? "being read ..." : "no events yet";
	return &self->p.t;
}

static const char *
none_here(const struct view *v)
{
	if (v->window.whole && v->filter.text == NULL)
		return "none in this trace";
	if (v->window.whole)
		return "none match the filter (X drops its last term)";
	if (v->filter.text == NULL)
		return "none in this window (0 shows the whole trace)";
	return "none in this window and filter (X drops a term, 0 shows the whole trace)";
}

/* The list inside of a row, or the nearest one before it that is still there. */
static bool
make_inside(struct report_pane *self, const struct report_made *m)
{
	for (; self->nsteps > 0; self->nsteps--) {
		buf_clear(&self->inside);
		self->rows = report_inside(m, &self->step[self->nsteps - 1].at, &self->inside);
		if (self->rows != NULL)
			return true;
	}
	return false;
}

static void
drop_tables(struct report_pane *self)
{
	if (self->t != self->rows)
		table_free(self->t);
	table_free(self->rows);
	self->rows = self->t = NULL;
}

static void
make_table(struct report_pane *self, struct view *v, const struct report_made *m)
{
	struct page	page = { 0 };

	if (!make_inside(self, m))
		self->rows = self->only != NULL ? report_table_of(m, self->part, self->only) :
		    report_table(m, self->part);
	self->t = self->rows;
	self->rows->raw_names = self->raw;
	if (!self->p.bare)
		return;
	report_page(m, self->rows, false, &page);
	self->t = page_table(&page, self->rows, v->display.ascii ? TEXT_ASCII : TEXT_UTF8,
	    self->w > MARGINS ? (size_t)(self->w - MARGINS) : 1);
}

static const struct table *
report_pane_table(void *arg, struct view *v)
{
	struct report_pane	*self = arg;
	struct report_made	*m;
	uint64_t		 stamp;

	(void)reporting_step(&v->reporting, 0);
	m = reporting_made(&v->reporting);
	self->p.bare = m != NULL && report_rows(m) > 0 && self->part == 0 &&
	    v->reporting.report->page != NULL;
	stamp = (v->reporting.stamp + 1) * WIDTHS +
	    (self->p.bare ? (uint64_t)self->w % WIDTHS : 0);
	if (self->stamp == stamp && self->raw == v->display.raw_names)
		return self->t != NULL ? self->t : empty_table(self, v);
	self->stamp = stamp;
	self->raw = v->display.raw_names;
	drop_tables(self);
	make_notes(self, v, m);
	if (m == NULL)
		return empty_table(self, v);
	make_table(self, v, m);
	self->t->rows_stamp = stamp * TABLE_COLUMNS + self->part +
	    REPORT_PARTS * (self->visits % VISITS);
	self->t->stamp = self->t->rows_stamp * 2 + self->raw;
	self->t->empty = report_present(v->reporting.report, v->t) ?
	    none_here(v) : "the trace has no such events";
	if (self->only != NULL && report_rows(m) > 0)
		self->t->empty = "no row matches (:heap shows all)";
	return self->t;
}

static void
report_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct report_pane	*self = arg;
	const struct table	*t = report_pane_table(arg, v);
	const struct report	*r = v->reporting.report;
	const struct window	*w;

	if (r == NULL)
		return;
	buf_puts(left, r->title);
	if (self->nsteps > 0)
		buf_printf(left, ": %s", buf_str(&self->inside));
	else if (report_parts(r) > 1 && r->part[self->part].title != NULL)
		buf_printf(left, ": %s", r->part[self->part].title);
	if (self->only_text != NULL && self->nsteps == 0)
		buf_printf(left, ", %s", self->only_text);
	table_pane_put_sort(&self->p, t, ", ", left);
	if (t == &self->p.t)
		return;
	if (reporting_busy(&v->reporting))
		buf_puts(right, "reading, ");
	w = &v->reporting.shown.window;
	if (w->whole)
		buf_puts(right, "whole trace");
	else
		view_window_text(v->t, w, right);
	if (!self->p.bare)
		buf_counts(right, ", # row{s}", t->nrows);
}

/* ---- the plot */

#define PLOT_FROM	20	/* least height of the pane for a plot by default */
#define PLOT_MOST	12
#define ROWS_LEAST	3	/* including titles */

static bool
find_plot(struct report_pane *self, struct view *v)
{
	size_t			 row = table_pane_row(&self->p, v);	/* may make the table
									   again */
	struct report_made	*m = reporting_made(&v->reporting);

	if (m == NULL || self->large == PLOT_OFF)
		return false;
	if (self->plotted == self->stamp && self->row == row)
		return self->has_plot;
	report_plot_release(&self->plot);
	self->has_plot = report_rows(m) > 0 &&
	    report_plot(m, self->part, row, self->which, &self->plot);
	self->plotted = self->stamp;
	self->row = row;
	return self->has_plot;
}

static int
plot_lines(const struct report_pane *self, int h)
{
	int	notes = (int)self->p.nnotes + 1;

	if (self->large == PLOT_LARGE)
		return h - ROWS_LEAST >= PLOT_LINES ? h - ROWS_LEAST : 0;
	if (h < PLOT_FROM)
		return 0;
	return (h - notes) / 2 < PLOT_MOST ? (h - notes) / 2 : PLOT_MOST;
}

static void
report_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct report_pane	*self = arg;
	int			 h = 0;

	self->w = r.w;
	if (find_plot(self, v))
		h = plot_lines(self, r.h);
	if (h > 0)
		plot_draw(&self->plot, v, c, (struct rect){ r.y, r.x, h, r.w });
	self->top = h;
	r.y += h;
	r.h -= h;
	table_pane_draw(self, v, c, r, focus);
}

static bool
report_point(void *arg, struct view *v, int y, int x)
{
	struct report_pane	*self = arg;

	return y >= self->top && table_pane_point(self, v, y - self->top, x);
}

/* Large; the next plot, large, and so on; then none; then by the available room. */
static void
next_plot(struct report_pane *self, struct view *v)
{
	if (self->large == PLOT_LARGE)
		self->which++;
	self->large = self->large == PLOT_OFF ? PLOT_AUTO : PLOT_LARGE;
	self->plotted = 0;
	if (find_plot(self, v))
		return;
	if (self->which == 0)
		view_say(v, "%s has no plot", v->reporting.report != NULL ?
		    v->reporting.report->name : "the pane");
	self->which = 0;
	self->large = self->large == PLOT_LARGE ? PLOT_OFF : PLOT_AUTO;
	self->plotted = 0;
}

/* ---- lists inside of rows */

/* Another list takes the place of this one. */
static void
show_inside(struct report_pane *self)
{
	table_pane_reset(&self->p);
	self->stamp = self->plotted = 0;
	self->visits++;
}

static bool
report_enter(void *arg, struct view *v)
{
	struct report_pane	*self = arg;
	struct table_evidence	 e;
	struct report_step	*step;
	bool			 is = table_pane_evidence(&self->p, v, &e) &&
				    e.kind == EVIDENCE_INSIDE;

	buf_release(&e.filter);
	if (!is)
		return table_pane_enter(self, v);
	if (self->nsteps == STEPS_MOST) {	/* the first one is forgotten */
		memmove(self->step, self->step + 1, (STEPS_MOST - 1) * sizeof *self->step);
		self->nsteps--;
	}
	step = &self->step[self->nsteps++];
	*step = (struct report_step){ .at = e.inside, .cursor = self->p.list.cursor,
	    .top = self->p.list.top, .by = self->p.by, .chosen = self->p.chosen,
	    .inverted = self->p.inverted };
	show_inside(self);
	return false;
}

/* Back to the list before, as it was left. */
static bool
report_up(void *arg, struct view *v)
{
	struct report_pane		*self = arg;
	const struct report_step	*step;

	if (self->nsteps == 0)
		return false;
	step = &self->step[--self->nsteps];
	show_inside(self);
	self->p.by = step->by;
	self->p.chosen = step->chosen;
	self->p.inverted = step->inverted;
	(void)table_pane_row(&self->p, v);
	self->p.list.cursor = step->cursor;
	self->p.list.top = step->top;
	self->p.touched = true;
	return true;
}

/* Show only the rows that match; "": all. False: after a message. */
static bool
choose_rows(struct report_pane *self, struct view *v, const struct report *r, const char *text)
{
	struct filter_error	 err = { 0 };
	struct filter		*f = NULL;
	bool			 good = true;

	if (text[0] != '\0')
		good = filter_new(&f, text, strlen(text), NULL, true, 0, &err) == 0 &&
		    report_filters(r, f, &err.text);
	if (!good) {
		view_refuse(v, "%s: %s", r->name, buf_str(&err.text));
		filter_free(f);
	} else {
		filter_free(self->only);
		mem_free(self->only_text);
		self->only = f;
		self->only_text = f != NULL ? mem_strdup(text) : NULL;
		self->nsteps = 0;
		show_inside(self);
	}
	filter_error_release(&err);
	return good;
}

/* what: a report; REPORTS: the next kind of rows of the current report; REPORTS + 1: its next
   plot; REPORTS + 2: fold or unfold the row. */
static void
report_act(void *arg, struct view *v, int64_t what, const char *arg_text)
{
	struct report_pane	*self = arg;
	const struct report	*r;

	v->stopped = false;
	if (what < REPORTS && (reports[what]->rows_filtered || self->only != NULL) &&
	    !choose_rows(self, v, reports[what], reports[what]->rows_filtered ? arg_text : ""))
		return;
	r = v->reporting.report;
	if (what < REPORTS && r != reports[what]) {
		self->part = self->which = 0;
		self->large = PLOT_AUTO;
		self->nsteps = 0;
		show_inside(self);
		reporting_choose(&v->reporting, reports[what]);
	} else if (what == REPORTS + 1) {
		next_plot(self, v);
	} else if (what == REPORTS + 2) {
		if (!table_pane_toggle(&self->p, v))
			view_say(v, "nothing to fold here");
	} else if (what == REPORTS && r != NULL && report_parts(r) > 1) {
		if (self->nsteps == 0)
			self->part = (self->part + 1) % report_parts(r);
		self->nsteps = 0;
		show_inside(self);
	} else if (what == REPORTS) {
		view_say(v, "this report has only one kind of rows");
	}
}

static bool
cell_is(const struct table *t, size_t row, const char *name, const char *text)
{
	struct cell	c = table_cell_at(t, row, table_find_column(t, name, strlen(name), NULL));

	return c.kind == CELL_TEXT && span_is(c.text, text);
}

/* The row of the summary under the cursor, or TABLE_NO_ROW. */
static size_t
summary_row(struct report_pane *self, struct view *v)
{
	size_t			 row = table_pane_row(&self->p, v);
	const struct table	*t = report_pane_table(self, v);

	if (v->reporting.report != &report_summary || row == TABLE_NO_ROW ||
	    row >= t->nrows)
		return TABLE_NO_ROW;
	return t != self->rows ? page_table_row(t, row) : row;
}

static bool
time_of(const struct table *t, size_t row, const char *name, int64_t *ns)
{
	struct cell	c = table_cell_at(t, row, table_find_column(t, name, strlen(name), NULL));

	*ns = c.i;
	return c.kind == CELL_TIME;
}

#define NARROWER	0.9	/* of the window, to be worth showing alone */

/* Set the window and the filter of a diagnosis. */
static void
show_evidence(struct report_pane *self, struct view *v, size_t row)
{
	int64_t	since, until;
	double	all = (double)v->window.to - (double)v->window.from;

	if (time_of(self->rows, row, "since", &since) &&
	    time_of(self->rows, row, "until", &until)) {
		since = trace_ts(v->t, since);
		until = trace_ts(v->t, until);
		if (until > since && (double)until - (double)since < NARROWER * all)
			(void)view_window(v, since, until + 1);
	}
	(void)table_pane_enter(self, v);
	view_say(v, "what the diagnosis is about ([ goes back)");
}

/* What the summary says of a report goes to that report, a diagnosis to its evidence. */
static const char *
report_opens(void *arg, struct view *v)
{
	struct report_pane	*self = arg;
	size_t			 row = summary_row(self, v);
	bool			 diagnosis;

	if (row == TABLE_NO_ROW)
		return NULL;
	diagnosis = cell_is(self->rows, row, "kind", "diagnosis");
	if (!diagnosis && !cell_is(self->rows, row, "kind", "report") &&
	    !cell_is(self->rows, row, "kind", "missing"))
		return NULL;
	for (int64_t i = 0; i < REPORTS; i++) {
		const char	*name = diagnosis ? reports[i]->name : reports[i]->title;

		if (!cell_is(self->rows, row, diagnosis ? "opens" : "what", name))
			continue;
		if (diagnosis)
			show_evidence(self, v, row);
		return reports[i]->name;
	}
	if (!diagnosis)
		return NULL;
	show_evidence(self, v, row);
	return "calls";
}

static bool
report_useful(void *arg, struct view *v, const char *command)
{
	const struct report_pane	*self = arg;
	const struct report		*r = v->reporting.report;

	if (strcmp(command, "sort") == 0)
		return !self->p.bare;
	if (strcmp(command, "report-rows") == 0)
		return r != NULL && report_parts(r) > 1;
	if (strcmp(command, "inside-back") == 0)
		return self->nsteps > 0;
	if (strcmp(command, "report-plot") == 0)
		return r != NULL && (r->plot->title != NULL || r->plot_row != NULL);
	return true;
}

static bool
report_print_options(void *arg, struct view *v, struct buf *out)
{
	const struct report_pane	*self = arg;
	const struct report		*r = v->reporting.report;

	if (r == NULL || self->nsteps > 0)
		return false;
	buf_add(out, r->name, strlen(r->name) + 1);
	if (self->only_text != NULL)
		buf_printf(out, "--filter=%s%c", self->only_text, '\0');
	if (report_parts(r) > 1)
		buf_printf(out, "--by=%s%c", r->part[self->part].kind, '\0');
	return true;
}

static void
report_pane_release(void *arg)
{
	struct report_pane	*self = arg;

	drop_tables(self);
	buf_release(&self->inside);
	filter_free(self->only);
	mem_free(self->only_text);
	report_plot_release(&self->plot);
}

const struct pane_ops	pane_report = {
	.depends = PRINTS_WINDOW | PRINTS_FILTER,
	.print_options = report_print_options,
	.hints = "open=go inside-back report-rows report-plot sort reports=menu close help",
	.useful = report_useful,
	.size = sizeof(struct report_pane),
	.release = report_pane_release,
	.title = report_title,
	.table = report_pane_table,
	.draw = report_draw,
	.move = table_pane_move,
	.enter = report_enter,
	.opens = report_opens,
	.up = report_up,
	.enters = "Go to the row's event, or show its events; in the summary, show the report; of "
	    "the heap, show what is inside.",
	.field = table_pane_field,
	.point = report_point,
	TABLE_PANE_SORTS,
	.act = report_act,
};

/*
 * tnav gc, tnav counters and so on: one driver for all reports.
 *
 *	text, CSV, TSV	the rows of one kind, with the columns for people; text: then the totals
 *	JSON lines	the rows of all kinds, the summary last
 */
#include <string.h>

#include "app/command.h"
#include "app/exit.h"
#include "app/gaps.h"
#include "app/listing.h"
#include "app/pass.h"
#include "app/run.h"
#include "tnav/analysis/report.h"
#include "tnav/base/err.h"
#include "tnav/engine/joined.h"

/* The part that --by selects, or the first. Returns 0, or EXIT_USAGE after a message. */
static int
read_part(struct run *s, const struct report *r, unsigned *part)
{
	const char	*by = s->opt->text[OPT_BY];
	struct buf	 kinds = { 0 };

	*part = 0;
	if (by == NULL)
		return 0;
	*part = report_part_find(r, by, strlen(by));
	if (*part < report_parts(r))
		return 0;
	for (unsigned i = 0; i < report_parts(r); i++)
		if (r->part[i].kind[0] != '\0')	/* "": all kinds */
			buf_printf(&kinds, "%s%s", kinds.len > 0 ? ", " : "", r->part[i].kind);
	message_put("--by: the rows of %s are of kind %s", r->name, buf_str(&kinds));
	buf_release(&kinds);
	return run_usage(s);
}

static void
pick(struct run *s, const struct report *r, const struct table *t, unsigned part)
{
	if (s->npick > 0)
		return;
	if (part != REPORT_ALL)
		listing_pick_source(s, r->column, r->ncolumns);
	for (unsigned i = 0; part == REPORT_ALL && i < r->ncolumns; i++)
		if (listing_has(s, &r->column[i]))
			listing_pick(s, i);
	if (part == REPORT_ALL)
		return;
	for (const unsigned *c = r->part[part].column; *c != REPORT_END; c++)
		if ((r->column[*c].flags & COLUMN_RARE) == 0 || s->st.format != OUT_TEXT ||
		    (t->nrows > 0 && (t->idle >> *c & 1) == 0))
			listing_pick(s, *c);
}

/* Begin a line of the tail: the file, if there are several. */
static void
put_whose(struct run *s, uint32_t source)
{
	buf_add(&s->tail, s->where.p, s->where.len);
	if (s->joined)
		buf_printf(&s->tail, "%s: ", trace_path(trace_source(s->t, source)));
}

/* Say how many events were lost: any of them could belong to the report. */
static void
put_loss(struct run *s, const struct report_made *m, uint32_t source)
{
	uint64_t	lost, gaps;

	if (!report_loss(m, source, &lost, &gaps) || lost == 0 || report_rows(m) == 0)
		return;
	put_whose(s, source);
	buf_counts(&s->tail, "# event{s} lost in # gap{s}: counts are lower bounds\n", lost, gaps);
}

static void
put_totals_of(struct run *s, const struct report_made *m, uint32_t source)
{
	const char	*line = report_totals(m, source);

	for (size_t len; *line != '\0'; line += len) {
		len = strcspn(line, "\n");
		put_whose(s, source);
		buf_add(&s->tail, line, len);
		buf_putc(&s->tail, '\n');
		len += line[len] == '\n';
	}
	put_loss(s, m, source);
}

/* Lines after the rows of text. */
static void
put_totals(struct run *s, const struct report_made *m)
{
	for (uint32_t i = 0; i < report_sources(m); i++)
		put_totals_of(s, m, i);
}

static void
tell_empty(struct run *s, const struct report *r)
{
	struct buf	how = { 0 };
	const char	*line;

	if (report_present(r, s->t) && selection_is_part(&s->sel)) {
		message_note("%s: no such events in this selection", run_name(s));
		return;
	}
	message_note("%s: the trace has no events for the report %s", run_name(s), r->name);
	report_how(r, s->t, &how);
	line = buf_str(&how);
	for (size_t len; *line != '\0'; line += len) {
		len = strcspn(line, "\n");
		message_note("%.*s", (int)len, line);
		len += line[len] == '\n';
	}
	buf_release(&how);
}

static void
tell(struct run *s, const struct report *r, struct report_made *m,
    const struct pass_result *result)
{
	run_take_result(s, result);
	run_tell_remark(s, report_remark(m));
	if (report_rows(m) == 0)
		tell_empty(s, r);
	run_tell_loss(s);
}

/* The rows of kind summary alone: they are the last ones. */
static int
print_summary(struct run *s, const struct report_made *m)
{
	struct table		*all = report_table(m, REPORT_ALL);
	struct table_order	 order = { .n = 0 };
	int			 err;

	table_order_make(&order, all, TABLE_UNSORTED, true);
	order.n = 0;
	for (size_t i = 0; i < all->nrows; i++) {
		if (span_is(table_cell_at(all, i, 0).text, "summary"))
			order.row[order.n++] = (uint32_t)i;
	}
	all->nrows = order.n;
	err = listing_print_order(s, all, &order);
	table_order_release(&order);
	table_free(all);
	return err;
}

/* A page, unless columns or rows are chosen. */
static bool
is_page(const struct run *s, const struct report *r, unsigned part)
{
	return r->page != NULL && part == 0 && s->st.format == OUT_TEXT && s->npick == 0 &&
	    s->sort == TABLE_UNSORTED && !s->opt->given[OPT_TOP] && !s->opt->given[OPT_LIMIT];
}

static int
print_page(struct run *s, const struct report_made *m, const struct table *t)
{
	struct page	page = { 0 };
	int		err;

	if (s->many) {
		buf_puts(output_buf(s->o), s->printed ? "\n" : "");
		page_heading(&page, s->file);
	}
	report_page(m, t, true, &page);
	err = listing_page(s, &page);
	page_release(&page);
	return err;
}

/* Text has the rows in the order of the viewer. The other forms keep that of the report. */
static int
print_rows(struct run *s, struct table *t)
{
	bool	own = s->sort == TABLE_UNSORTED && t->sort != 0 &&
		    s->st.format == OUT_TEXT;
	int	err;

	if (own) {
		s->sort = t->sort - 1;
		s->sort_up = table_sorts_up(t, s->sort);
	}
	err = listing_print(s, t);
	if (own)
		s->sort = TABLE_UNSORTED;
	return err;
}

/* Does it compare two files? Text has only what differs. */
static bool
compares(const struct run *s, const struct report *r)
{
	const char	*by = s->opt->text[OPT_BY];

	return r->compared != NULL && s->opt->nfiles == 2 &&
	    (by == NULL || strcmp(by, r->compared) == 0);
}

/* Keep the first file's report, or show what differs in the second one's. True: print no rows. */
static bool
compare(struct run *s, const struct report *r, struct report_made **m, unsigned *part)
{
	if (s->before != NULL && *part != REPORT_ALL) {
		*part = report_part_find(r, r->compared, strlen(r->compared));
		s->many = false;
		buf_clear(&s->where);
	}
	if (s->before != NULL)
		return false;
	s->before = *m;
	*m = NULL;
	return *part != REPORT_ALL;
}

/* The rows of a part, or those that match -f where it is about rows. */
static struct table *
table_of(struct run *s, const struct report *r, const struct report_made *m, unsigned part)
{
	struct table	*t;

	if (!r->rows_filtered || s->sel.filter == NULL)
		return report_table(m, part);
	t = report_table_of(m, part, s->sel.filter);
	if (t->nrows == 0 && report_rows(m) > 0)
		message_note("%s: -f: matches no row", run_name(s));
	return t;
}

/* Returns 0, or EXIT_USAGE after a message. */
static int
check_filter(struct run *s, const struct report *r)
{
	struct buf	why = { 0 };
	int		code = 0;

	if (r->rows_filtered && s->sel.filter != NULL &&
	    !report_filters(r, s->sel.filter, &why))
		code = run_refuse(s, "-f: %s", buf_str(&why));
	buf_release(&why);
	return code;
}

/* diagnoses: only those, with all columns. */
static int
print_report(struct run *s, const struct report *r, unsigned part, bool diagnoses)
{
	/* Rows of several kinds have no common order: those of one, then the summary. */
	bool			 chosen = part == REPORT_ALL &&
				    (s->sort != TABLE_UNSORTED || s->opt->given[OPT_TOP]);

	struct report_options	 o = {
		.pass = run_pass_options(s),
		.ascii = s->st.format != OUT_TEXT || s->st.mode == TEXT_ASCII,
		.before = s->before, .diagnoses = diagnoses,
	};
	struct report_made	*m = NULL, *own = NULL;
	struct pass_result	 result;
	struct table		*t;
	bool			 page, quiet;
	int			 err = run_need(s, report_needs(r, s->t));

	if (r->rows_filtered)
		o.pass.filter = NULL;
	if (err == ERR_OK)
		err = report_make(&m, r, s->t, &o, &result);
	progress_end(&s->progress);
	if (err == ERR_OK) {
		own = m;
		quiet = compares(s, r) && compare(s, r, &own, &part);
		if (quiet) {
			tell(s, r, m, &result);
			return ERR_OK;
		}
		page = is_page(s, r, part);
		t = table_of(s, r, m, chosen ? 0 : part);
		if (!page)
			pick(s, r, t, diagnoses ? REPORT_ALL : part);
		err = page ? print_page(s, m, t) : print_rows(s, t);
		table_free(t);
		if (chosen && err == 0)
			err = print_summary(s, m);
		if (s->st.format == OUT_TEXT)
			put_totals(s, m);
		tell(s, r, m, &result);
	}
	report_free(own);
	return err;
}

int
report_each(struct run *s)
{
	const struct report	*r = s->opt->command->report;
	unsigned		 part;
	int			 code = listing_check(s, r->column, r->ncolumns);

	if (code == 0)
		code = read_part(s, r, &part);
	if (code == 0)
		code = check_filter(s, r);
	if (code != 0)
		return code;
	if (out_is_whole(s->st.format) && s->opt->text[OPT_BY] == NULL)
		part = REPORT_ALL;
	return exit_of_reading(print_report(s, r, part, false));
}

int
diagnose_each(struct run *s)
{
	const struct report	*r = &report_summary;
	unsigned		 part = report_part_find(r, "diagnosis", strlen("diagnosis"));

	return exit_of_reading(print_report(s, r, s->st.format == OUT_TEXT ? 0 : part, true));
}

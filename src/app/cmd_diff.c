/*
 * tnav diff: what differs between two traces, several of each side, or two windows of one.
 *
 *	A1 A2 -- B1 B2		each file is measured	-> struct sides, one for each part
 *				after the last one	-> what was recorded, then the tables
 */
#include <string.h>
#include <sys/stat.h>

#include "app/command.h"
#include "app/diff_request.h"
#include "app/exit.h"
#include "app/listing.h"
#include "app/pass.h"
#include "app/payload.h"
#include "app/run.h"
#include "tnav/analysis/diff.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/engine/field.h"

#define LIMITS_SHOWN	10u
#define PAGE_ROWS	12u		/* of each part of the page */
#define PAGE_EVENTS	(1u << 20)	/* of a trace beyond which the page has only events */
#define PAGE_BYTES	(32 << 20)	/* ... or of its file */
#define PICK		(1u + DIFF_KEYS + DIFF_COLUMNS)
#define COUNT(a)	(sizeof (a) / sizeof *(a))

/* ---- measuring */

/* Are the fields there, and what they need? */
static int
check_fields(struct run *s, const struct diff_request *r)
{
	struct field_list	 by = { .n = 0 };
	struct buf		 why = { 0 };
	int			 code = 0;

	if (field_list_init(&by, diff_events_by(r), &why) == 0)
		code = run_check_fields(s, &by, "--by");
	field_list_release(&by);
	buf_release(&why);
	return code;
}

static int
measure_part(struct run *s, struct page_part *p, struct diff_measuring *m)
{
	int	err, code = p->r.what == DIFF_EVENTS ? check_fields(s, &p->r) : 0;

	if (code != 0)
		return code;
	err = run_need(s, diff_needs(&p->r, s->t));
	if (err == ERR_OK)
		err = diff_measure(p->d, &p->r, m);
	progress_end(&s->progress);
	message_lines(run_name(s), ": ", buf_str(m->why));
	buf_clear(m->why);
	return err == ERR_USAGE ? run_usage(s) : exit_of_reading(err);
}

/* Is any of the files a long trace, as far as can be seen without reading it? */
static bool
has_long_file(const struct options *o)
{
	struct stat	st;

	for (size_t i = 0; i < o->nfiles; i++)
		if (stat(o->files[i], &st) == 0 && S_ISREG(st.st_mode) && st.st_size > PAGE_BYTES)
			return true;
	return false;
}

static int
measure(struct run *s, struct diff_run *r)
{
	struct buf		why = { 0 };
	struct diff_measuring	m = { .t = s->t, .name = run_name(s),
				    .pass = run_pass_options(s), .why = &why,
				    .quiet = r->page };
	int			worst = 0;

	r->brief = r->brief || (r->page && (trace_rows(s->t) > PAGE_EVENTS ||
	    has_long_file(s->opt)));
	for (unsigned i = 0; i < r->nparts && worst <= EXIT_DAMAGED; i++)
		if (!r->brief || i == DIFF_PART_EVENTS)
			exit_worsen(&worst, measure_part(s, &r->part[i], &m));
	diff_measured(&m);
	run_take_result(s, &m.result);
	buf_release(&why);
	return worst;
}

/* ---- printing */

/* The columns of a part, at most PICK of them. Returns how many. */
static size_t
pick(const struct run *s, const struct table *t, const struct page_part *p, unsigned *col)
{
	static const char *const	people[] = { "a", "b", "change", "interval" };
	bool				text = out_is_for_people(s->st.format);
	unsigned			keys = t->ncolumns - DIFF_COLUMNS;
	size_t				n = 0;

	bool				tree = text && p->r.what == DIFF_TREE;

	for (unsigned i = text ? 1 : 0; i < keys && !tree; i++)
		col[n++] = i;
	if (text && (p->r.what == DIFF_SPANS || (p->r.of != NULL && p->r.of->dur != NULL)))
		col[n++] = keys + DIFF_FIGURE;
	for (unsigned i = 0; text && i < COUNT(people); i++)
		if (p->r.of == NULL || p->r.of->judging == DIFF_BY_NOISE ||
		    strcmp(people[i], "interval") != 0)
			col[n++] = table_find_column(t, people[i], strlen(people[i]), NULL);
	if (tree)
		col[n++] = keys - 1;		/* names are indented */
	for (unsigned i = keys; !text && i < t->ncolumns; i++)
		if ((t->column[i].flags & COLUMN_SCREEN) == 0)
			col[n++] = i;
	return n;
}

static void
pick_listed(struct run *s, const struct table *t, const struct page_part *p)
{
	unsigned	col[PICK];
	size_t		n = s->npick == 0 ? pick(s, t, p, col) : 0;

	for (size_t i = 0; i < n; i++)
		listing_pick(s, col[i]);
}

/* What was recorded: as a page, or as rows. */
static int
print_about(struct run *s, struct page_part *p)
{
	struct table	*t;
	struct page	 page = { 0 };
	int		 err;

	if (!out_is_for_people(s->st.format)) {
		t = diff_table(p->d, &(struct diff_table_of){ .about = true });
		pick_listed(s, t, p);
		err = listing_print_order(s, t, NULL);
		table_free(t);
		return err;
	}
	diff_about(p->d, &page);
	err = listing_page(s, &page);
	page_release(&page);
	return err;
}

/* Text has a tree as a tree, unless the rows are chosen by their change. */
static struct diff_table_of
table_of(const struct run *s, const struct page_part *p)
{
	return (struct diff_table_of){ .people = out_is_for_people(s->st.format),
	    .tree = p->r.what == DIFF_TREE && s->st.format == OUT_TEXT &&
	    s->sort == TABLE_UNSORTED && !s->opt->given[OPT_TOP],
	    .ascii = s->st.mode == TEXT_ASCII };
}

/* Sorted by the numbers: people see texts. */
static int
print_sorted(struct run *s, struct page_part *p, struct table *t)
{
	const struct diff_table_of	 of = { .people = false };
	struct table			*numbers = diff_table(p->d, &of);
	struct table_order		 order = { .n = 0 };
	int				 err;

	table_order_make(&order, numbers, s->sort, s->sort_up);
	order.n = listing_top(s, order.n);
	err = listing_print_order(s, t, &order);
	table_order_release(&order);
	table_free(numbers);
	return err;
}

static int
print_rows(struct run *s, struct page_part *p)
{
	const struct diff_table_of	 of = table_of(s, p);
	struct table			*t = diff_table(p->d, &of);
	int				 err = ERR_OK;

	if (!s->opt->given[OPT_FIELDS] && s->st.format != OUT_PARQUET)
		err = print_about(s, p);
	pick_listed(s, t, p);
	if (err == ERR_OK)
		err = s->sort != TABLE_UNSORTED ? print_sorted(s, p, t) : listing_print(s, t);
	table_free(t);
	return err;
}

/* ---- folded stacks */

struct folded_lines {
	struct output	*o;
	uint64_t	 left;
	int		 err;
};

static void
print_path(void *arg, struct span path, const double weight[2])
{
	struct folded_lines	*f = arg;
	struct buf		*out = output_buf(f->o);

	if (f->left == 0 || f->err != ERR_OK)
		return;
	f->left--;
	if (output_is_tty(f->o))	/* a terminal gets no controls */
		(void)text_clean(out, path, message_mode(true), SIZE_MAX);
	else
		buf_span(out, path);
	buf_printf(out, " %.0f %.0f\n", weight[0], weight[1]);
	f->err = output_step(f->o);
}

static int
print_folded(struct run *s, struct page_part *p)
{
	struct folded_lines	f = { s->o, s->opt->given[OPT_LIMIT] ?
				    s->opt->number[OPT_LIMIT] : UINT64_MAX, ERR_OK };

	diff_fold(p->d, print_path, &f);
	return f.err;
}

/* A part of the page: what changed, and of how many. */
static int
print_section(struct run *s, struct page_part *p, const char *title, const char *option)
{
	const struct diff_table_of	 of = table_of(s, p);
	struct table			*t = diff_table(p->d, &of);
	struct page			 page = { 0 };
	unsigned			 col[PICK];
	size_t				 all, changed = diff_changed(p->d, &all);
	size_t				 n = pick(s, t, p, col);
	int				 err;

	page_heading(&page, title);
	page_paragraph(&page, TABLE_NO_ROW);
	if (p->r.of != NULL && p->r.of->judging == DIFF_BY_PRESENCE)
		changed = all;		/* also those that both have */
	t->nrows = changed < PAGE_ROWS ? changed : PAGE_ROWS;
	if (all == 0)
		buf_puts(&page.text, "Neither side has any.");
	else if (changed == 0)
		buf_printf(&page.text, "Of %zu figures none is shown to have changed: %s", all,
		    option);
	else if (t->nrows < all)
		buf_printf(&page.text, "%zu of %zu figures changed%s: %s", changed, all,
		    t->nrows < changed ? ", and these most" : "", option);
	else
		page.n--;
	buf_puts(output_buf(s->o), "\n");
	err = listing_page(s, &page);
	page_release(&page);
	if (err == ERR_OK && t->nrows > 0)
		err = table_print(s->o, &s->st, t, NULL, col, n);
	table_free(t);
	return err;
}

/* Traces without requests or samples have no part about these. */
static bool
is_listed(const struct diff_run *r, unsigned part)
{
	size_t	all;

	if (r->brief)
		return part == DIFF_PART_EVENTS;
	(void)diff_changed(r->part[part].d, &all);
	return (part != DIFF_PART_REQUESTS && part != DIFF_PART_METHODS) || all > 0;
}

static int
print_page(struct run *s, struct diff_run *r)
{
	static const struct {
		const char	*title, *option;
	} of[DIFF_PARTS] = {
		[DIFF_PART_DIAGNOSES] = { "Diagnoses", "--diagnose lists them." },
		[DIFF_PART_REQUESTS] = { "Requests, by route",
		    "--report requests lists all." },
		[DIFF_PART_EVENTS] = { "Events", "--by provider,name lists all." },
		[DIFF_PART_SPANS] = { "Spans", "--spans lists all." },
		[DIFF_PART_METHODS] = { "Methods, as shares of the samples",
		    "--report samples lists all." },
	};
	int		err = print_about(s, &r->part[DIFF_PART_EVENTS]);

	for (unsigned i = 0; i < r->nparts && err == ERR_OK; i++)
		if (is_listed(r, i))
			err = print_section(s, &r->part[i], of[i].title, of[i].option);
	if (r->brief)
		buf_puts(output_buf(s->o), "\nThese are long traces: --diagnose and --spans "
		    "compare more, and take longer.\n");
	return err;
}

static void
check_limit(struct run *s, struct diff_run *r, const struct diff_limit *l, const char *text)
{
	struct buf	rows = { 0 };
	size_t		n = 0;

	for (unsigned i = 0; i < r->nparts; i++)
		if (r->part[i].r.of == NULL || r->part[i].r.of->judging != DIFF_BY_PRESENCE)
			n += diff_limit_check(r->part[i].d, l, &rows, LIMITS_SHOWN);
	if (n > 0) {
		s->beyond = true;
		message_put("--fail-on '%.100s': %zu row%s beyond it", text, n,
		    n == 1 ? " is" : "s are");
	}
	message_lines("", "  ", buf_str(&rows));
	buf_release(&rows);
}

static void
check_limits(struct run *s, struct diff_run *r)
{
	for (size_t i = 0, use = 0; i < s->opt->nuses; i++)
		if (s->opt->use[i].id == OPT_FAIL_ON)
			check_limit(s, r, &r->limit[use++], s->opt->use[i].arg);
}

static void
diff_run_free(void *kept)
{
	diff_run_release(kept);
	mem_free(kept);
}

static int
begin(struct run *s)
{
	struct diff_run	*r = mem_zalloc(1, sizeof *r);

	s->kept = r;
	s->kept_free = diff_run_free;
	s->unfinished = true;
	return diff_run_init(r, s);
}

int
diff_each(struct run *s)
{
	struct diff_run	*r;
	int		 code = s->kept == NULL ? begin(s) : 0;

	if (code != 0)
		return code;
	r = s->kept;
	if (r->measured != s->file_at)		/* an earlier file could not be read */
		return run_usage(s);
	code = measure(s, r);
	if (code > EXIT_DAMAGED)
		return code;
	r->measured++;
	if (r->measured < s->opt->nfiles)
		return code;
	s->many = false;
	s->unfinished = false;
	for (unsigned i = 0; i < r->nparts; i++)
		if (diff_left_out(r->part[i].d) > 0)
			message_put("diff: too many different keys: some are left out");
	/* The end of the run reports errors of writing. */
	if (s->opt->given[OPT_FOLD])
		(void)print_folded(s, &r->part[0]);
	else
		(void)(r->page ? print_page(s, r) : print_rows(s, &r->part[0]));
	check_limits(s, r);
	return code;
}

/* ---- files */

int
subcommand_diff(const struct options *o)
{
	struct options	 two = *o;
	char		*twice[2] = { o->files[0], o->files[0] };

	if (o->nfiles == 1 && (o->given[OPT_B_FROM] || o->given[OPT_B_TO])) {
		two.files = twice;
		two.nfiles = 2;
		two.apart = 1;
	} else if (o->nfiles == 2) {
		two.apart = 1;
	} else if (o->apart == 0 || o->apart == o->nfiles) {
		return exit_usage(o->nfiles == 1 ? "diff: of one file, --b-from or --b-to says "
		    "which window is B" : "diff: write -- between the files of A and those of B");
	}
	for (size_t i = 0; i < two.nfiles; i++)
		if (strcmp(two.files[i], "-") == 0 && o->nfiles == 1)
			return exit_usage("diff: standard input cannot be read twice");
	return run_files(&two);
}

/*
 * tnav diff: what differs between two traces, several of each side, or two windows of one.
 *
 *	A1 A2 -- B1 B2		each file is measured	-> struct sides, one for each part
 *				after the last one	-> what was recorded, then the tables
 */
#include <string.h>

#include "app/command.h"
#include "app/diff_request.h"
#include "app/exit.h"
#include "app/gaps.h"
#include "app/listing.h"
#include "app/pass.h"
#include "app/payload.h"
#include "app/run.h"
#include "tnav/analysis/diff.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/engine/bins.h"
#include "tnav/engine/field.h"

#define KEYS_MAX	(1u << 18)
#define TEXT_MAX	1024u
#define LIMITS_TOLD	10u
#define PAGE_ROWS	12u		/* of each part of the page */
#define PAGE_EVENTS	(1u << 20)	/* of a trace beyond which the page has only events */
#define PICK		(1u + DIFF_KEYS + DIFF_COLUMNS)
#define COUNT(a)	(sizeof (a) / sizeof *(a))

/* ---- measuring */

/* The window of the current file, of the times of its events. */
static struct diff_window
window_of(struct run *s)
{
	struct diff_window	w = { .name = run_name(s), .lost = run_lost(s) };
	int64_t			first, last;

	if (!trace_range(s->t, &first, &last))
		first = last = 0;
	w.from = s->sel.has_from && s->sel.from > first ? s->sel.from : first;
	w.to = s->sel.has_to && s->sel.to <= last ? sub_i64(s->sel.to, 1) : last;
	return w;
}

/* Do events of one type always have the same key? */
static bool
of_types(const struct field_list *by, struct trace *t)
{
	for (size_t i = 0; i < by->n; i++)
		if (field_ref_of(&by->v[i], t) != OF_TYPE)
			return false;
	return trace_has(t, HAS_IDS);
}

static int
measure_events(struct run *s, struct asked_diff *p, const struct diff_window *w)
{
	struct field_list	 by = { .n = 0 };
	struct counter		*c;
	struct buf		 text, why;
	bool			 sources = false;
	int			 code = 0, err;

	buf_init(&text);
	buf_init(&why);
	buf_puts(&text, diff_request_by(s));
	if (field_list_init(&by, buf_str(&text), &why) == 0) {
		sources = of_types(&by, s->t);
		code = run_check_fields(s, &by, "--by");
	}
	if (sources) {
		field_list_release(&by);
		buf_puts(&text, ",provider,level");
		(void)field_list_init(&by, buf_str(&text), &why);
	}
	if (code == 0) {
		c = counter_new(s->t, &by, &(struct count_options){ .fields.words = WORDS_BARE,
		    .keys = KEYS_MAX, .text = TEXT_MAX, .valued = true, .each = true, .bins = true,
		    .slices = DIFF_SLICES, .slices_from = w->from, .slices_to = w->to });
		err = run_pass(s, field_list_has(&by, FIELD_ROWS) ? PASS_TIME : PASS_ANY,
		    &counter_ops, c);
		if (err == ERR_OK)
			diff_add_counter(p->d, c, sources);
		code = exit_of_reading(err);
		counter_free(c);
	}
	field_list_release(&by);
	buf_release(&text);
	buf_release(&why);
	return code;
}

/* Pair all spans; only those that match the filter, if `filtered`. Returns 0, or an exit code. */
static int
pair(struct run *s, bool filtered, struct spans **out)
{
	struct spans_options	 o = { .filter = filtered ? s->sel.filter : NULL,
		.has_from = s->sel.has_from, .from = s->sel.from,
		.has_to = s->sel.has_to, .to = s->sel.to, .tick = run_tick_pairing, .tick_arg = s };
	struct spans		*spans = spans_new(s->t);
	struct pass_result	 result;
	int			 err = spans_build(spans, &o, &result);

	progress_end(&s->progress);
	if (err != ERR_OK) {
		spans_free(spans);
		return exit_of_reading(err);
	}
	run_take_result(s, &result);
	if (spans_remark(spans) != NULL)
		message_put("%s: %s", run_name(s), spans_remark(spans));
	*out = spans;
	return 0;
}

static int
measure_spans(struct run *s, struct asked_diff *p)
{
	struct spans	*spans;
	int		 code = pair(s, true, &spans);

	if (code != 0)
		return code;
	diff_add_spans(p->d, spans);
	spans_free(spans);
	return 0;
}

/* Count the spans that others are counted per. */
static int
measure_wholes(struct run *s, struct diff_run *r, struct asked_diff *p)
{
	struct spans	*spans;
	uint64_t	 n;
	int		 code = pair(s, false, &spans);

	if (code != 0)
		return code;
	n = diff_add_wholes(p->d, spans, r->span);
	spans_free(spans);
	if (n > 0)
		return 0;
	message_put("%s: --per: no span is named '%.100s'; `tnav spans` lists the names",
	    run_name(s), r->span);
	return run_usage(s);
}

/* A part of the current window: slice i, or all of it. */
static struct report_options
report_options_of(struct run *s)
{
	return (struct report_options){ .filter = s->sel.filter, .has_from = s->sel.has_from,
	    .from = s->sel.from, .has_to = s->sel.has_to, .to = s->sel.to,
	    .tick = run_tick_reading, .tick_arg = s, .ascii = true };
}

/* Add the rows of the report in this window. */
static int
add_report(struct run *s, struct asked_diff *p, const struct report_options *o)
{
	struct report_made	*m = NULL;
	struct pass_result	 result;
	struct table		*t;
	int			 err = report_make(&m, p->of->report, s->t, o, &result);

	if (err == ERR_OK) {
		t = report_table(m, REPORT_ALL);
		diff_add_table(p->d, t, &p->columns);
		table_free(t);
		run_take_result(s, &result);
	}
	report_free(m);
	return err;
}

/* The ends of a slice, as a window of a pass. */
static void
slice_window(const struct diff_window *w, unsigned slice, int64_t *from, int64_t *to)
{
	*from = time_bucket_start(slice, w->from, w->to, DIFF_SLICES);
	*to = slice + 1 < DIFF_SLICES ?
	    time_bucket_start(slice + 1, w->from, w->to, DIFF_SLICES) : add_i64(w->to, 1);
}

static int
measure_report(struct run *s, struct asked_diff *p, const struct diff_window *w)
{
	const struct report	*report = p->of->report;
	struct report_options	 o = report_options_of(s);
	int			 err = run_need(s, report_needs(report, s->t));

	bool			 once = p->of->time != NULL || p->of->judging != DIFF_BY_NOISE;

	o.diagnoses = p->of->judging == DIFF_BY_PRESENCE;
	if (!o.diagnoses && !report_present(report, s->t))
		message_put("%s: the trace has no events for the report %s", run_name(s),
		    report->name);
	if (once)
		err = err == ERR_OK ? add_report(s, p, &o) : err;
	o.has_from = o.has_to = true;
	for (unsigned i = 0; !once && i < DIFF_SLICES && err == ERR_OK; i++) {
		slice_window(w, i, &o.from, &o.to);
		p->columns.slice = i;
		if (o.from < o.to)
			err = add_report(s, p, &o);
	}
	progress_end(&s->progress);
	return exit_of_reading(err);
}

static int
add_tree(struct run *s, struct diff_run *r, struct asked_diff *p, unsigned slice)
{
	const struct calltree_options		 o = { .weight = &r->weight,
						    .filter = s->sel.filter };
	const struct calltree_shape_options	 so = { .form = FORM_TOP_DOWN };
	struct calltree				*c = calltree_new(s->t, &o);
	struct calltree_shape			*shape;
	int	err = run_pass_filter(s, calltree_order(c), calltree_filter(c), &calltree_ops, c);

	calltree_settle(c);
	if (err == ERR_OK) {
		shape = calltree_shape_new(c, &so);
		diff_add_shape(p->d, shape, slice);
		calltree_shape_free(shape);
	}
	calltree_free(c);
	return err;
}

/* A tree for each slice, so that it is known how each node varies. */
static int
measure_tree(struct run *s, struct diff_run *r, struct asked_diff *p,
    const struct diff_window *w)
{
	struct selection	 whole = s->sel;
	struct buf		 why;
	int			 err = ERR_OK;

	buf_init(&why);
	if (r->measured == 0)
		err = calltree_weight_init(&r->weight, calltree_weight_usual(s->t), &why);
	buf_release(&why);
	(void)run_need(s, NEEDS_SYMBOLS);
	s->sel.has_from = s->sel.has_to = true;
	for (unsigned i = 0; i < DIFF_SLICES && err == ERR_OK; i++) {
		slice_window(w, i, &s->sel.from, &s->sel.to);
		if (s->sel.from < s->sel.to)
			err = add_tree(s, r, p, i);
	}
	progress_end(&s->progress);
	s->sel.has_from = whole.has_from;
	s->sel.has_to = whole.has_to;
	s->sel.from = whole.from;
	s->sel.to = whole.to;
	return exit_of_reading(err);
}

static int
measure_part(struct run *s, struct diff_run *r, struct asked_diff *p)
{
	struct diff_window	w = window_of(s);
	int			code = 0;

	diff_begin(p->d, s->t, &w);
	if (p->per == DIFF_PER_SPAN)
		code = measure_wholes(s, r, p);
	if (code != 0)
		return code;
	switch (p->what) {
	case COMPARED_EVENTS:
		return measure_events(s, p, &w);
	case COMPARED_SPANS:
		return measure_spans(s, p);
	case COMPARED_REPORT:
		return measure_report(s, p, &w);
	case COMPARED_TREE:
		return measure_tree(s, r, p, &w);
	}
	return EXIT_USAGE;
}

static int
measure(struct run *s, struct diff_run *r)
{
	int	worst = 0, code;

	r->brief = r->brief || (r->page && trace_rows(s->t) > PAGE_EVENTS);
	for (unsigned i = 0; i < r->nparts && worst <= EXIT_DAMAGED; i++) {
		if (r->brief && i != DIFF_PART_EVENTS)
			continue;
		code = measure_part(s, r, &r->part[i]);
		worst = code > worst ? code : worst;
	}
	return worst;
}

/* ---- printing */

/* The columns of a part, at most PICK of them. Returns how many. */
static size_t
pick(const struct run *s, const struct table *t, const struct asked_diff *p, unsigned *col)
{
	static const char *const	people[] = { "a", "b", "change", "interval" };
	bool				text = out_is_for_people(s->st.format);
	unsigned			keys = t->ncolumns - DIFF_COLUMNS;
	size_t				n = 0;

	bool				tree = text && p->what == COMPARED_TREE;

	for (unsigned i = text ? 1 : 0; i < keys && !tree; i++)
		col[n++] = i;
	if (text && (p->what == COMPARED_SPANS || (p->of != NULL && p->of->dur != NULL)))
		col[n++] = keys + DIFF_FIGURE;
	for (unsigned i = 0; text && i < COUNT(people); i++)
		if (p->of == NULL || p->of->judging == DIFF_BY_NOISE ||
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
pick_listed(struct run *s, const struct table *t, const struct asked_diff *p)
{
	unsigned	col[PICK];
	size_t		n = s->npick == 0 ? pick(s, t, p, col) : 0;

	for (size_t i = 0; i < n; i++)
		listing_pick(s, col[i]);
}

/* What was recorded: as a page, or as rows. */
static int
print_about(struct run *s, struct asked_diff *p)
{
	struct table	*t;
	struct page	 page;
	int		 err;

	if (!out_is_for_people(s->st.format)) {
		t = diff_table(p->d, &(struct diff_table_of){ .about = true });
		pick_listed(s, t, p);
		err = listing_print_order(s, t, NULL);
		table_free(t);
		return err;
	}
	page_init(&page);
	diff_about(p->d, &page);
	err = listing_page(s, &page);
	page_release(&page);
	return err;
}

/* Text has a tree as a tree, unless the rows are chosen by their change. */
static struct diff_table_of
table_of(const struct run *s, const struct asked_diff *p)
{
	return (struct diff_table_of){ .people = out_is_for_people(s->st.format),
	    .tree = p->what == COMPARED_TREE && s->st.format == OUT_TEXT &&
	    s->sort == TABLE_UNSORTED && !s->opt->given[OPT_TOP],
	    .ascii = s->st.mode == TEXT_ASCII };
}

/* Sorted by the numbers: people see texts. */
static int
print_sorted(struct run *s, struct asked_diff *p, struct table *t)
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
print_rows(struct run *s, struct asked_diff *p)
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

/* A part of the page: what changed, and of how many. */
static int
print_section(struct run *s, struct asked_diff *p, const char *title, const char *option)
{
	const struct diff_table_of	 of = table_of(s, p);
	struct table			*t = diff_table(p->d, &of);
	struct page			 page;
	unsigned			 col[PICK];
	size_t				 all, changed = diff_changed(p->d, &all);
	size_t				 n = pick(s, t, p, col);
	int				 err;

	page_init(&page);
	page_heading(&page, title);
	page_paragraph(&page, TABLE_NO_ROW);
	if (p->of != NULL)
		changed = all;		/* of diagnoses also those that both have */
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

static int
print_page(struct run *s, struct diff_run *r)
{
	static const struct {
		const char	*title, *option;
	} of[DIFF_PARTS] = {
		{ "Diagnoses", "--diagnose lists them." },
		{ "Events", "--by provider,name lists all." },
		{ "Spans", "--spans lists all." },
	};
	int		err = print_about(s, &r->part[DIFF_PART_EVENTS]);

	for (unsigned i = 0; i < r->nparts && err == ERR_OK; i++)
		if (!r->brief || i == DIFF_PART_EVENTS)
			err = print_section(s, &r->part[i], of[i].title, of[i].option);
	if (r->brief)
		buf_puts(output_buf(s->o), "\nThese are long traces: --diagnose and --spans "
		    "compare more, and take longer.\n");
	return err;
}

static void
check_limit(struct run *s, struct diff_run *r, const struct diff_limit *l, const char *text)
{
	struct buf	rows;
	size_t		n = 0;

	buf_init(&rows);
	for (unsigned i = 0; i < r->nparts; i++)
		if (r->part[i].of == NULL || r->part[i].of->judging != DIFF_BY_PRESENCE)
			n += diff_limit_check(r->part[i].d, l, &rows, LIMITS_TOLD);
	if (n > 0) {
		s->beyond = true;
		message_put("--fail-on '%.100s': %zu row%s beyond it", text, n,
		    n == 1 ? " is" : "s are");
	}
	for (const char *p = buf_str(&rows), *end; *p != '\0'; p = end + 1) {
		end = strchr(p, '\n');
		message_put("  %.*s", (int)(end - p), p);
	}
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
	diff_request_release(kept);
	mem_free(kept);
}

static int
begin(struct run *s)
{
	struct diff_run	*r = mem_zalloc(1, sizeof *r);

	s->kept = r;
	s->kept_free = diff_run_free;
	s->unfinished = true;
	return diff_request_init(r, s);
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
		message_put(o->nfiles == 1 ? "diff: of one file, --b-from or --b-to says which "
		    "window is B" : "diff: write -- between the files of A and those of B");
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < two.nfiles; i++)
		if (strcmp(two.files[i], "-") == 0 && o->nfiles == 1) {
			message_put("diff: standard input cannot be read twice");
			return EXIT_USAGE;
		}
	return run_files(&two);
}

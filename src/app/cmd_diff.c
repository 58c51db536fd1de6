/*
 * tnav diff: what differs between two traces, several of each side, or two windows of one.
 *
 *	A1 A2 -- B1 B2		each file is measured	-> struct sides
 *				after the last one	-> what was recorded, then the table
 */
#include <math.h>
#include <string.h>

#include "app/command.h"
#include "app/exit.h"
#include "app/gaps.h"
#include "app/listing.h"
#include "app/pass.h"
#include "app/payload.h"
#include "app/run.h"
#include "tnav/analysis/diff.h"
#include "tnav/analysis/report.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/engine/bins.h"
#include "tnav/engine/field.h"

#define KEYS_MAX	(1u << 18)
#define TEXT_MAX	1024u
#define LIMITS_TOLD	10u
#define COUNT(a)	(sizeof (a) / sizeof *(a))
#define SPAN_PREFIX	"span"

enum compared { COMPARED_EVENTS, COMPARED_SPANS, COMPARED_REPORT, COMPARED_TREE };

/* The rows of a report that are compared. */
struct compared_report {
	const struct report	*report;
	const char		*kind, *by;	/* by: columns of the key */
	const char		*time, *dur;	/* columns; time NULL: each slice has a report of
						   its own */
	const char		*n, *weight;	/* columns of what a row stands for; NULL: 1 */
	const char		*counted;
	bool			 bytes, shares;
};

static const struct compared_report	compared_reports[] = {
	{ .report = &report_gc, .kind = "gc", .by = "generation", .time = "start", .dur = "pause",
	    .counted = "collections" },
	{ .report = &report_allocs, .kind = "type", .by = "type", .n = "count",
	    .weight = "bytes", .counted = "allocated bytes", .bytes = true },
	{ .report = &report_exceptions, .kind = "exception", .by = "type", .time = "t",
	    .dur = "flight", .counted = "exceptions" },
	{ .report = &report_contention, .kind = "contention", .by = "site", .time = "start",
	    .dur = "dur", .counted = "waits" },
	{ .report = &report_jit, .kind = "jit", .by = "tier", .time = "start", .dur = "dur",
	    .counted = "compiled methods" },
	{ .report = &report_threadpool, .kind = "adjustment", .by = "reason", .time = "t",
	    .counted = "adjustments" },
	{ .report = &report_requests, .kind = "request", .by = "side,route", .time = "start",
	    .dur = "dur", .counted = "requests" },
	{ .report = &report_tasks, .kind = "task", .by = "task", .time = "scheduled",
	    .dur = "dur", .counted = "tasks" },
	{ .report = &report_samples, .kind = "method", .by = "method", .n = "exclusive",
	    .counted = "samples", .shares = true },
};

struct diff_run {
	enum compared		 what;
	const struct compared_report *of;	/* COMPARED_REPORT */
	struct diff_columns	 columns;
	const char		*span;		/* --per span:NAME */
	enum diff_per		 per;
	struct diff_limit	 limit[OPTION_USES];
	size_t			 nlimits;
	struct sides		*d;
	size_t			 measured;
	struct calltree_weight	 weight;
};

static void
diff_run_free(void *kept)
{
	struct diff_run	*r = kept;

	calltree_weight_release(&r->weight);
	diff_free(r->d);
	mem_free(r);
}

static int
usage(struct run *s)
{
	s->stop = true;
	return EXIT_USAGE;
}

/* ---- options */

static int
read_what(struct run *s, struct diff_run *r)
{
	const struct options	*o = s->opt;
	const char		*name = o->text[OPT_REPORT];

	if (o->given[OPT_REPORT] + o->given[OPT_SPANS] + o->given[OPT_THREADS] +
	    o->given[OPT_TREE] > 1 || (o->given[OPT_BY] && (o->given[OPT_SPANS] ||
	    o->given[OPT_THREADS] || o->given[OPT_TREE]))) {
		message_put("diff: only one of --by, --report, --spans, --threads and --tree can "
		    "be given, or --report with --by");
		return usage(s);
	}
	if (o->given[OPT_TREE] && o->text[OPT_TREE] != NULL) {
		message_put("--tree: diff compares the tree from the top down; it takes no form");
		return usage(s);
	}
	if (o->given[OPT_SPANS])
		r->what = COMPARED_SPANS;
	if (o->given[OPT_TREE])
		r->what = COMPARED_TREE;
	for (size_t i = 0; name != NULL && i < COUNT(compared_reports); i++)
		if (strcmp(compared_reports[i].report->name, name) == 0)
			r->of = &compared_reports[i];
	if (name == NULL)
		return 0;
	if (r->of == NULL) {
		message_put("--report: '%.100s' is not one of gc, allocs, exceptions, contention, "
		    "jit, threadpool, requests, tasks, samples", name);
		return usage(s);
	}
	r->what = COMPARED_REPORT;
	return 0;
}

static int
read_per(struct run *s, struct diff_run *r)
{
	static const char *const	names[] = { "second", "event", "", "none" };
	const char			*text = s->opt->text[OPT_PER];
	size_t				 len = strlen(SPAN_PREFIX);

	r->per = r->what == COMPARED_TREE || (r->of != NULL && r->of->shares) ?
	    DIFF_PER_EVENT : DIFF_PER_SECOND;
	if (text == NULL)
		return 0;
	for (unsigned i = 0; i < COUNT(names); i++)
		if (names[i][0] != '\0' && strcmp(text, names[i]) == 0) {
			r->per = (enum diff_per)i;
			return 0;
		}
	if (strncmp(text, SPAN_PREFIX, len) == 0 && (text[len] == ':' || text[len] == ' ') &&
	    text[len + 1] != '\0') {
		r->per = DIFF_PER_SPAN;
		r->span = text + len + 1;
		return 0;
	}
	message_put("--per: '%.100s' is not one of second, event, span:NAME, none", text);
	return usage(s);
}

static int
read_limits(struct run *s, struct diff_run *r)
{
	struct buf	why;
	int		code = 0;

	buf_init(&why);
	for (size_t i = 0; i < s->opt->nuses && code == 0; i++) {
		if (s->opt->use[i].id != OPT_FAIL_ON)
			continue;
		if (diff_limit_parse(&r->limit[r->nlimits++], s->opt->use[i].arg, &why) < 0) {
			message_put("--fail-on: '%.100s': %s", s->opt->use[i].arg, buf_str(&why));
			code = usage(s);
		}
	}
	buf_release(&why);
	return code;
}

/* ---- keys */

static struct diff_options
options_of(const struct run *s, const struct diff_run *r)
{
	size_t	n = s->opt->nfiles;

	return (struct diff_options){ .per = r->per, .span = r->span, .counted = "events",
	    .traces = { (unsigned)s->opt->apart, (unsigned)(n - s->opt->apart) } };
}

static const char *
by_of(const struct run *s)
{
	if (s->opt->given[OPT_THREADS])
		return "process,thread.role,thread";
	return s->opt->given[OPT_BY] ? s->opt->text[OPT_BY] : "provider,name";
}

static unsigned
column_of(const struct report *r, const char *name)
{
	struct table	t = { .column = r->column, .ncolumns = r->ncolumns };

	if (name == NULL)
		return UINT_MAX;
	return table_find_column(&t, name, strlen(name), NULL);
}

/* The columns of a report's key, from --by or its own. */
static int
read_report_key(struct run *s, struct diff_run *r, struct diff_options *o)
{
	const struct compared_report	*c = r->of;
	const char			*p = s->opt->given[OPT_BY] ? s->opt->text[OPT_BY] : c->by;
	struct table	 t = { .column = c->report->column, .ncolumns = c->report->ncolumns };
	struct buf	 why;
	int		 code = 0;

	r->columns = (struct diff_columns){ .kind = c->kind,
	    .time = column_of(c->report, c->time), .dur = column_of(c->report, c->dur),
	    .n = column_of(c->report, c->n), .weight = column_of(c->report, c->weight) };
	buf_init(&why);
	for (size_t len; p != NULL && code == 0; p = p[len] == ',' ? p + len + 1 : NULL) {
		unsigned	col;

		len = strcspn(p, ",");
		col = table_find_column(&t, p, len, &why);
		if (col == t.ncolumns || o->nkeys == DIFF_KEYS) {
			message_put("--by: %s", o->nkeys == DIFF_KEYS ? "too many columns" :
			    buf_str(&why));
			code = usage(s);
			break;
		}
		r->columns.key[o->nkeys] = col;
		o->key[o->nkeys++] = t.column[col].name;
	}
	buf_release(&why);
	o->counted = c->counted;
	o->bytes = c->bytes;
	return code;
}

static int
read_event_key(struct run *s, struct diff_options *o, struct field_list *by)
{
	struct buf	why;
	int		code = 0;

	buf_init(&why);
	if (field_list_init(by, by_of(s), &why) < 0)
		code = EXIT_USAGE;
	if (code == 0 && by->n > DIFF_KEYS) {
		buf_printf(&why, "at most %u fields can be given", DIFF_KEYS);
		code = EXIT_USAGE;
	}
	if (code != 0)
		message_put("--by: %s", buf_str(&why));
	for (size_t i = 0; code == 0 && i < by->n; i++)
		o->key[o->nkeys++] = by->titles[i];
	buf_release(&why);
	return code == 0 ? 0 : usage(s);
}

static int
begin(struct run *s)
{
	struct diff_run		*r = mem_zalloc(1, sizeof *r);
	struct diff_options	 o;
	struct field_list	 by = { .n = 0 };
	struct table		*t;
	int			 code;

	s->kept = r;
	s->kept_free = diff_run_free;
	s->unfinished = true;
	code = read_what(s, r);
	if (code == 0)
		code = read_per(s, r);
	if (code == 0)
		code = read_limits(s, r);
	if (code != 0)
		return code;
	o = options_of(s, r);
	if (r->what == COMPARED_REPORT) {
		code = read_report_key(s, r, &o);
	} else if (r->what == COMPARED_SPANS) {
		o.counted = "spans";
		o.key[0] = "group";
		o.key[1] = "name";
		o.nkeys = 2;
	} else if (r->what == COMPARED_TREE) {
		o.counted = "samples";
		o.key[0] = "path";
		o.key[1] = "method";
		o.nkeys = 2;
		o.tree = true;
	} else {
		code = read_event_key(s, &o, &by);
	}
	if (code == 0) {
		r->d = diff_new(&o);
		t = diff_table(r->d, &(struct diff_table_of){ .about = false });
		code = listing_check(s, t->column, t->ncolumns);
		table_free(t);
	}
	field_list_release(&by);
	return code;
}

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
	w.to = s->sel.has_to && s->sel.to <= last ? s->sel.to - 1 : last;
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
measure_events(struct run *s, struct diff_run *r, const struct diff_window *w)
{
	struct field_list	 by = { .n = 0 };
	struct counter		*c;
	struct buf		 text, why;
	bool			 sources = false;
	int			 code = 0, err;

	buf_init(&text);
	buf_init(&why);
	buf_puts(&text, by_of(s));
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
			diff_add_counter(r->d, c, sources);
		code = exit_of_reading(err);
		counter_free(c);
	}
	field_list_release(&by);
	buf_release(&text);
	buf_release(&why);
	return code;
}

/* Pair all spans; only those that match the filter, if `filtered`. */
static struct spans *
pair(struct run *s, bool filtered)
{
	struct spans_options	 o = { .filter = filtered ? s->sel.filter : NULL,
		.has_from = s->sel.has_from, .from = s->sel.from,
		.has_to = s->sel.has_to, .to = s->sel.to, .tick = run_tick_pairing, .tick_arg = s };
	struct spans		*spans = spans_new(s->t);
	struct pass_result	 result;

	if (spans_build(spans, &o, &result) != ERR_OK) {
		spans_free(spans);
		return NULL;
	}
	progress_end(&s->progress);
	run_take_result(s, &result);
	if (spans_remark(spans) != NULL)
		message_put("%s: %s", run_name(s), spans_remark(spans));
	return spans;
}

static int
measure_spans(struct run *s, struct diff_run *r)
{
	struct spans	*spans = pair(s, true);

	if (spans == NULL)
		return EXIT_DAMAGED;
	diff_add_spans(r->d, spans);
	spans_free(spans);
	return 0;
}

/* Count the spans that others are counted per. */
static int
measure_wholes(struct run *s, struct diff_run *r)
{
	struct spans	*spans = pair(s, false);
	uint64_t	 n;

	if (spans == NULL)
		return EXIT_DAMAGED;
	n = diff_add_wholes(r->d, spans, r->span);
	spans_free(spans);
	if (n > 0)
		return 0;
	message_put("%s: --per: no span is named '%.100s'; `tnav spans` lists the names",
	    run_name(s), r->span);
	return usage(s);
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
add_report(struct run *s, struct diff_run *r, const struct report_options *o)
{
	struct report_made	*m = NULL;
	struct pass_result	 result;
	struct table		*t;
	int			 err = report_make(&m, r->of->report, s->t, o, &result);

	if (err == ERR_OK) {
		t = report_table(m, REPORT_ALL);
		diff_add_table(r->d, t, &r->columns);
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
	    time_bucket_start(slice + 1, w->from, w->to, DIFF_SLICES) : w->to + 1;
}

static int
measure_report(struct run *s, struct diff_run *r, const struct diff_window *w)
{
	const struct report	*report = r->of->report;
	struct report_options	 o = report_options_of(s);
	int			 err = run_need(s, report_needs(report, s->t));

	if (!report_present(report, s->t))
		message_put("%s: the trace has no events for the report %s", run_name(s),
		    report->name);
	if (r->of->time != NULL)
		err = err == ERR_OK ? add_report(s, r, &o) : err;
	o.has_from = o.has_to = true;
	for (unsigned i = 0; r->of->time == NULL && i < DIFF_SLICES && err == ERR_OK; i++) {
		slice_window(w, i, &o.from, &o.to);
		r->columns.slice = i;
		if (o.from < o.to)
			err = add_report(s, r, &o);
	}
	progress_end(&s->progress);
	return exit_of_reading(err);
}

static int
add_tree(struct run *s, struct diff_run *r, unsigned slice)
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
		diff_add_shape(r->d, shape, slice);
		calltree_shape_free(shape);
	}
	calltree_free(c);
	return err;
}

/* A tree for each slice, so that it is known how each node varies. */
static int
measure_tree(struct run *s, struct diff_run *r, const struct diff_window *w)
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
			err = add_tree(s, r, i);
	}
	progress_end(&s->progress);
	s->sel.has_from = whole.has_from;
	s->sel.has_to = whole.has_to;
	s->sel.from = whole.from;
	s->sel.to = whole.to;
	return exit_of_reading(err);
}

static int
measure(struct run *s, struct diff_run *r)
{
	struct diff_window	w = window_of(s);
	int			code = 0;

	diff_begin(r->d, s->t, &w);
	if (r->per == DIFF_PER_SPAN)
		code = measure_wholes(s, r);
	if (code != 0)
		return code;
	switch (r->what) {
	case COMPARED_EVENTS:
		return measure_events(s, r, &w);
	case COMPARED_SPANS:
		return measure_spans(s, r);
	case COMPARED_REPORT:
		return measure_report(s, r, &w);
	case COMPARED_TREE:
		return measure_tree(s, r, &w);
	}
	return EXIT_USAGE;
}

/* ---- printing */

static void
pick(struct run *s, const struct table *t, const struct diff_run *r)
{
	static const char *const	people[] = { "a", "b", "change", "interval" };
	bool				text = s->st.format == OUT_TEXT;
	unsigned			keys = t->ncolumns - DIFF_COLUMNS;

	if (s->npick > 0)
		return;
	for (unsigned i = text ? 1 + (r->what == COMPARED_TREE) : 0; i < keys; i++)
		listing_pick(s, i);
	if (text && (r->what == COMPARED_SPANS || (r->of != NULL && r->of->dur != NULL)))
		listing_pick(s, keys + DIFF_FIGURE);
	for (unsigned i = 0; text && i < COUNT(people); i++)
		listing_pick(s, table_find_column(t, people[i], strlen(people[i]), NULL));
	for (unsigned i = keys; !text && i < t->ncolumns; i++)
		if ((t->column[i].flags & COLUMN_SCREEN) == 0)
			listing_pick(s, i);
}

/* What was recorded: as a page, or as rows. */
static int
print_about(struct run *s, struct diff_run *r)
{
	struct table	*t;
	struct page	 page;
	int		 err;

	if (s->st.format != OUT_TEXT) {
		t = diff_table(r->d, &(struct diff_table_of){ .about = true });
		pick(s, t, r);
		err = listing_print_order(s, t, NULL);
		table_free(t);
		return err;
	}
	page_init(&page);
	diff_about(r->d, &page);
	err = listing_page(s, &page);
	page_release(&page);
	return err;
}

static int
print(struct run *s, struct diff_run *r)
{
	struct diff_table_of	 of = { .people = s->st.format == OUT_TEXT,
				    .ascii = s->st.mode == TEXT_ASCII };
	struct table		*t = diff_table(r->d, &of);
	int			 err = ERR_OK;

	if (!s->opt->given[OPT_FIELDS])
		err = print_about(s, r);
	pick(s, t, r);
	if (err == ERR_OK)
		err = listing_print(s, t);
	table_free(t);
	return err;
}

static void
check_limits(struct run *s, struct diff_run *r)
{
	struct buf	rows;
	size_t		n;

	buf_init(&rows);
	for (size_t i = 0, use = 0; i < s->opt->nuses; i++) {
		if (s->opt->use[i].id != OPT_FAIL_ON)
			continue;
		buf_clear(&rows);
		n = diff_limit_check(r->d, &r->limit[use++], &rows, LIMITS_TOLD);
		if (n == 0)
			continue;
		s->beyond = true;
		message_put("--fail-on '%.100s': %zu row%s beyond it", s->opt->use[i].arg, n,
		    n == 1 ? " is" : "s are");
		for (const char *p = buf_str(&rows), *end; *p != '\0'; p = end + 1) {
			end = strchr(p, '\n');
			message_put("  %.*s", (int)(end - p), p);
		}
	}
	buf_release(&rows);
}

int
diff_each(struct run *s)
{
	struct diff_run	*r = s->kept;
	int		 code = r == NULL ? begin(s) : 0;

	if (code != 0)
		return code;
	r = s->kept;
	if (r->measured != s->file_at)		/* an earlier file could not be read */
		return usage(s);
	code = measure(s, r);
	if (code > EXIT_DAMAGED)
		return code;
	r->measured++;
	if (r->measured < s->opt->nfiles)
		return code;
	s->many = false;
	s->unfinished = false;
	if (diff_left_out(r->d) > 0)
		message_put("diff: too many different keys: some are left out");
	(void)print(s, r);		/* the end of the run reports its errors */
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

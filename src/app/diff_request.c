/*
 * The options of diff as parts to compare.
 */
#include "app/diff_request.h"

#include <string.h>

#include "app/exit.h"
#include "app/listing.h"
#include "tnav/base/err.h"
#include "tnav/engine/field.h"
#include "tnav/out/message.h"

#define COUNT(a)	(sizeof (a) / sizeof *(a))
#define SPAN_PREFIX	"span"

static const struct compared_report	compared_reports[] = {
	{ .report = &report_gc, .kind = "gc", .by = "generation", .time = "start", .dur = "pause" },
	{ .report = &report_allocs, .kind = "type", .by = "type", .n = "count",
	    .weight = "bytes", .bytes = true },
	{ .report = &report_exceptions, .kind = "exception", .by = "type", .time = "t",
	    .dur = "flight" },
	{ .report = &report_contention, .kind = "contention", .by = "site", .time = "start",
	    .dur = "dur" },
	{ .report = &report_jit, .kind = "jit", .by = "tier", .time = "start", .dur = "dur" },
	{ .report = &report_threadpool, .kind = "adjustment", .by = "reason", .time = "t" },
	{ .report = &report_requests, .kind = "request", .by = "side,route", .time = "start",
	    .dur = "dur" },
	{ .report = &report_tasks, .kind = "task", .by = "task", .time = "scheduled",
	    .dur = "dur" },
	{ .report = &report_heap, .kind = "type", .by = "type", .n = "count", .weight = "bytes",
	    .bytes = true, .judging = DIFF_BY_VALUE },
	{ .report = &report_summary, .kind = "diagnosis", .by = "id,unit", .weight = "number",
	    .judging = DIFF_BY_PRESENCE },
	{ .report = &report_cpu, .kind = "thread", .by = "process,threadName", .n = "samples",
	    .shares = true },
	{ .report = &report_switches, .kind = "thread", .by = "process,threadName",
	    .n = "switches" },
	{ .report = &report_samples, .kind = "method", .by = "method", .n = "exclusive",
	    .shares = true },
};

/* ---- options */

static const struct compared_report *
find_report(const char *name)
{
	for (size_t i = 0; i < COUNT(compared_reports); i++)
		if (strcmp(compared_reports[i].report->name, name) == 0)
			return &compared_reports[i];
	return NULL;
}

static const enum option_id	kinds[] = {
	OPT_REPORT, OPT_SPANS, OPT_THREADS, OPT_TREE, OPT_HEAP, OPT_DIAGNOSE,
};

/* Is it a page: text, and nothing chosen? */
static bool
is_page(const struct run *s)
{
	static const enum option_id	chosen[] = {
		OPT_BY, OPT_FIELDS, OPT_SORT, OPT_TOP, OPT_LIMIT,
	};

	for (size_t i = 0; i < COUNT(kinds); i++)
		if (s->opt->given[kinds[i]])
			return false;
	for (size_t i = 0; i < COUNT(chosen); i++)
		if (s->opt->given[chosen[i]])
			return false;
	return out_is_for_people(s->st.format);
}

static int
read_report(struct run *s, struct asked_diff *p, const char *name)
{
	struct buf	names;

	p->what = COMPARED_REPORT;
	p->of = find_report(name);
	if (p->of != NULL)
		return 0;
	buf_init(&names);
	for (size_t i = 0; i < COUNT(compared_reports); i++)
		buf_printf(&names, "%s%s", i > 0 ? ", " : "", compared_reports[i].report->name);
	message_put("--report: '%.100s' is not one of %s", name, buf_str(&names));
	buf_release(&names);
	return run_usage(s);
}

static int
read_what(struct run *s, struct diff_run *r)
{
	const struct options	*o = s->opt;
	struct asked_diff	*p = &r->part[0];
	unsigned		 given = 0;

	for (size_t i = 0; i < COUNT(kinds); i++)
		given += o->given[kinds[i]];
	if (given > 1 || (given == 1 && o->given[OPT_BY] && !o->given[OPT_REPORT])) {
		message_put("diff: only one of --by, --report, --spans, --threads, --tree, --heap "
		    "and --diagnose can be given, or --report with --by");
		return run_usage(s);
	}
	if (o->given[OPT_TREE] && o->text[OPT_TREE] != NULL) {
		message_put("--tree: diff compares the tree from the top down; it takes no form");
		return run_usage(s);
	}
	r->nparts = 1;
	r->page = is_page(s);
	if (r->page) {
		r->nparts = DIFF_PARTS;
		r->part[DIFF_PARTS - 1].what = COMPARED_SPANS;
	}
	if (o->given[OPT_SPANS])
		p->what = COMPARED_SPANS;
	if (o->given[OPT_TREE])
		p->what = COMPARED_TREE;
	if (r->page || o->given[OPT_DIAGNOSE])
		return read_report(s, p, "summary");
	if (o->given[OPT_HEAP])
		return read_report(s, p, "heap");
	return o->given[OPT_REPORT] ? read_report(s, p, o->text[OPT_REPORT]) : 0;
}

static int
read_per(struct run *s, struct diff_run *r, struct asked_diff *p)
{
	static const char *const	names[] = { "second", "event", "", "none" };
	const char			*text = s->opt->text[OPT_PER];
	size_t				 len = strlen(SPAN_PREFIX);

	p->per = DIFF_PER_NONE;
	if (p->of != NULL && p->of->judging != DIFF_BY_NOISE)
		return 0;
	p->per = p->what == COMPARED_TREE || (p->of != NULL && p->of->shares) ?
	    DIFF_PER_EVENT : DIFF_PER_SECOND;
	if (text == NULL)
		return 0;
	for (unsigned i = 0; i < COUNT(names); i++)
		if (names[i][0] != '\0' && strcmp(text, names[i]) == 0) {
			p->per = (enum diff_per)i;
			return 0;
		}
	if (strncmp(text, SPAN_PREFIX, len) == 0 && (text[len] == ':' || text[len] == ' ') &&
	    text[len + 1] != '\0') {
		p->per = DIFF_PER_SPAN;
		r->span = text + len + 1;
		return 0;
	}
	message_put("--per: '%.100s' is not one of second, event, span:NAME, none", text);
	return run_usage(s);
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
			code = run_usage(s);
		}
	}
	buf_release(&why);
	return code;
}

/* ---- keys */

static struct diff_options
options_of(const struct run *s, const struct diff_run *r, const struct asked_diff *p)
{
	size_t	n = s->opt->nfiles;

	return (struct diff_options){ .per = p->per, .span = r->span,
	    .traces = { (unsigned)s->opt->apart, (unsigned)(n - s->opt->apart) } };
}

const char *
diff_request_by(const struct run *s)
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
read_report_key(struct run *s, struct asked_diff *p, struct diff_options *o)
{
	const struct compared_report	*c = p->of;
	const char			*at = s->opt->given[OPT_BY] ? s->opt->text[OPT_BY] : c->by;
	struct table	 t = { .column = c->report->column, .ncolumns = c->report->ncolumns };
	struct buf	 why;
	int		 code = 0;

	p->columns = (struct diff_columns){ .kind = c->kind,
	    .time = column_of(c->report, c->time), .dur = column_of(c->report, c->dur),
	    .n = column_of(c->report, c->n), .weight = column_of(c->report, c->weight) };
	buf_init(&why);
	for (size_t len; at != NULL && code == 0; at = at[len] == ',' ? at + len + 1 : NULL) {
		unsigned	col;

		len = strcspn(at, ",");
		col = table_find_column(&t, at, len, &why);
		if (col == t.ncolumns || o->nkeys == DIFF_KEYS) {
			message_put("--by: %s", o->nkeys == DIFF_KEYS ? "too many columns" :
			    buf_str(&why));
			code = run_usage(s);
			break;
		}
		p->columns.key[o->nkeys] = col;
		o->key[o->nkeys++] = t.column[col].name;
	}
	buf_release(&why);
	o->bytes = c->bytes;
	o->judging = c->judging;
	return code;
}

static int
read_event_key(struct run *s, struct diff_options *o, struct field_list *by)
{
	struct buf	why;
	int		code = 0;

	buf_init(&why);
	if (field_list_init(by, diff_request_by(s), &why) < 0)
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
	return code == 0 ? 0 : run_usage(s);
}

static int
begin_part(struct run *s, struct diff_run *r, struct asked_diff *p)
{
	struct field_list	 by = { .n = 0 };
	struct diff_options	 o;
	struct table		*t;
	int			 code = read_per(s, r, p);

	if (code != 0)
		return code;
	o = options_of(s, r, p);
	if (p->what == COMPARED_REPORT) {
		code = read_report_key(s, p, &o);
	} else if (p->what == COMPARED_SPANS) {
		o.key[0] = "group";
		o.key[1] = "name";
		o.nkeys = 2;
	} else if (p->what == COMPARED_TREE) {
		o.key[0] = "path";
		o.key[1] = "method";
		o.nkeys = 2;
		o.tree = true;
	} else {
		code = read_event_key(s, &o, &by);
	}
	if (code == 0) {
		p->d = diff_new(&o);
		t = diff_table(p->d, &(struct diff_table_of){ .about = false });
		code = r->page ? 0 : listing_check(s, t->column, t->ncolumns);
		table_free(t);
	}
	field_list_release(&by);
	return code;
}

int
diff_request_init(struct diff_run *r, struct run *s)
{
	int	code = read_what(s, r);

	if (code == 0)
		code = read_limits(s, r);
	for (unsigned i = 0; i < r->nparts && code == 0; i++)
		code = begin_part(s, r, &r->part[i]);
	return code;
}

void
diff_request_release(struct diff_run *r)
{
	for (unsigned i = 0; i < r->nparts; i++)
		diff_free(r->part[i].d);
	calltree_weight_release(&r->weight);
}

/*
 * The options of diff as parts to compare.
 */
#include "app/diff_request.h"

#include <string.h>

#include "app/exit.h"
#include "app/listing.h"
#include "tnav/engine/field.h"
#include "tnav/out/message.h"

#define COUNT(a)	(sizeof (a) / sizeof *(a))
#define SPAN_PREFIX	"span"

/* ---- options */

static const enum option_id	kinds[] = {
	OPT_REPORT, OPT_SPANS, OPT_THREADS, OPT_TREE, OPT_FOLD, OPT_HEAP, OPT_DIAGNOSE,
};

/* What folded stacks have nothing of. */
static const enum option_id	table_options[] = {
	OPT_FIELDS, OPT_SORT, OPT_TOP, OPT_PER, OPT_FAIL_ON,
};

static bool
any_given(const struct options *o, const enum option_id *id, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (o->given[id[i]])
			return true;
	return false;
}

/* Is it a page: text, and nothing chosen? */
static bool
is_page(const struct run *s)
{
	static const enum option_id	chosen[] = {
		OPT_BY, OPT_FIELDS, OPT_SORT, OPT_TOP, OPT_LIMIT,
	};

	return !any_given(s->opt, kinds, COUNT(kinds)) &&
	    !any_given(s->opt, chosen, COUNT(chosen)) && out_is_for_people(s->st.format);
}

static int
read_report(struct run *s, struct page_part *p, const char *name)
{
	struct buf	names = { 0 };

	p->r.what = DIFF_REPORT;
	p->r.of = diff_report_find(name, &names);
	if (p->r.of == NULL)
		message_put("--report: '%.100s' is not one of %s", name, buf_str(&names));
	buf_release(&names);
	return p->r.of != NULL ? 0 : run_usage(s);
}

static int
read_what(struct run *s, struct diff_run *r)
{
	const struct options	*o = s->opt;
	struct page_part	*p = &r->part[0];
	unsigned		 given = 0;

	for (size_t i = 0; i < COUNT(kinds); i++)
		given += o->given[kinds[i]];
	if (given > 1 || (given == 1 && o->given[OPT_BY] && !o->given[OPT_REPORT]))
		return run_refuse(s, "diff: only one of --by, --report, --spans, --threads, "
		    "--tree, --fold, --heap and --diagnose can be given, or --report with --by");
	if (o->given[OPT_TREE] && o->text[OPT_TREE] != NULL)
		return run_refuse(s, "--tree: diff compares the tree from the top down; it takes "
		    "no form");
	if (o->given[OPT_FOLD] && (s->st.format != OUT_TEXT || any_given(o, table_options,
	    COUNT(table_options))))
		return run_refuse(s, "diff: --fold prints the stacks of both sides with their "
		    "weights: it does not work with --format, --fields, --sort, --top, --per and "
		    "--fail-on");
	r->nparts = 1;
	r->page = is_page(s);
	if (r->page) {
		r->nparts = DIFF_PARTS;
		r->part[DIFF_PART_SPANS].r.what = DIFF_SPANS;
		(void)read_report(s, &r->part[DIFF_PART_REQUESTS], "requests");
		(void)read_report(s, &r->part[DIFF_PART_METHODS], "samples");
	}
	if (o->given[OPT_SPANS])
		p->r.what = DIFF_SPANS;
	if (o->given[OPT_TREE] || o->given[OPT_FOLD])
		p->r.what = DIFF_TREE;
	if (r->page || o->given[OPT_DIAGNOSE])
		return read_report(s, p, "summary");
	if (o->given[OPT_HEAP])
		return read_report(s, p, "heap");
	return o->given[OPT_REPORT] ? read_report(s, p, o->text[OPT_REPORT]) : 0;
}

static int
read_per(struct run *s, struct diff_request *r)
{
	static const char *const	names[] = { "second", "event", "", "none" };
	const char			*text = s->opt->text[OPT_PER];
	size_t				 len = strlen(SPAN_PREFIX);

	r->per = diff_per_usual(r);
	if (text == NULL || (r->of != NULL && (r->of->judging != DIFF_BY_NOISE || r->of->means)))
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
	return run_refuse(s, "--per: '%.100s' is not one of second, event, span:NAME, none", text);
}

static int
read_limits(struct run *s, struct diff_run *r)
{
	struct buf	why = { 0 };
	int		code = 0;

	for (size_t i = 0; i < s->opt->nuses && code == 0; i++) {
		if (s->opt->use[i].id != OPT_FAIL_ON)
			continue;
		if (diff_limit_parse(&r->limit[r->nlimits++], s->opt->use[i].arg, &why) < 0)
			code = run_refuse(s, "--fail-on: '%.100s': %s", s->opt->use[i].arg,
			    buf_str(&why));
	}
	buf_release(&why);
	return code;
}

/* ---- parts */

static int
begin_part(struct run *s, struct diff_run *r, struct page_part *p)
{
	const unsigned	 traces[2] = { (unsigned)s->opt->apart,
			    (unsigned)(s->opt->nfiles - s->opt->apart) };
	struct table	*t;
	struct buf	 why = { 0 };
	int		 code = read_per(s, &p->r);

	if (code != 0)
		return code;
	if (s->opt->given[OPT_BY])
		p->r.by = s->opt->text[OPT_BY];
	else if (s->opt->given[OPT_THREADS])
		p->r.by = "process,thread.role,thread";
	p->d = diff_open(&p->r, traces, &why);
	if (p->d == NULL) {
		code = run_refuse(s, "--by: %s", buf_str(&why));
	} else {
		t = diff_table(p->d, &(struct diff_table_of){ .about = false });
		code = r->page ? 0 : listing_check(s, t->column, t->ncolumns);
		table_free(t);
	}
	buf_release(&why);
	return code;
}

int
diff_run_init(struct diff_run *r, struct run *s)
{
	int	code = read_what(s, r);

	if (code == 0)
		code = read_limits(s, r);
	for (unsigned i = 0; i < r->nparts && code == 0; i++)
		code = begin_part(s, r, &r->part[i]);
	return code;
}

void
diff_run_release(struct diff_run *r)
{
	for (unsigned i = 0; i < r->nparts; i++) {
		diff_free(r->part[i].d);
		diff_request_release(&r->part[i].r);
	}
}

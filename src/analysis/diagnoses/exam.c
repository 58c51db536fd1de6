/*
 * The exam: rows of reports by name, words for sentences, evidence.
 *
 * Invariant: exam_init() leaves what exam_release() can release, also when it fails.
 */
#include "analysis/diagnoses/exam.h"

#include <string.h>

#include "analysis/reports/common.h"
#include "tnav/analysis/origin.h"
#include "tnav/base/num.h"
#include "tnav/base/text.h"
#include "tnav/base/units.h"

#define START_MOST_NS	INT64_C(5000000000)	/* of a program's start */
#define ROUNDS_LEAST	100u		/* stops of all threads: the sampler, all the time */
#define SECONDS_LEAST	0.1		/* nothing can be said of less */
#define START_SHARE	0.2			/* of the window */
#define UNMARKED	0.99		/* of the samples are external */

/* ---- rows of reports */

bool
exam_reads(const char *report)
{
	static const char *const	read[] = { "gc", "samples", "counters", "jit",
					    "contention", "requests", "threadpool", "exceptions" };

	for (size_t i = 0; i < sizeof read / sizeof *read; i++)
		if (strcmp(report, read[i]) == 0)
			return true;
	return false;
}

bool
exam_names(const char *ids, const char *id)
{
	size_t	len = strlen(id);

	for (const char *at = ids; at != NULL; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, id, len) == 0 && (at[len] == ',' || at[len] == '\0'))
			return true;
	}
	return false;
}

/* One that is not in the list would be there for the summary, but not for the diagnoses alone. */
static const struct report_work *
find_part(const struct exam *e, const char *report)
{
	return exam_reads(report) ? report_work_find(e->part, e->nparts, report) : NULL;
}

struct table *
exam_rows(const struct exam *e, const char *report, const char *kind)
{
	const struct report_work	*p = find_part(e, report);

	return p != NULL ? rows_table(p->rows, kind) : NULL;
}

unsigned
exam_column(const struct table *t, const char *column)
{
	return t != NULL ? table_find_column(t, column, strlen(column), NULL) : 0;
}

static struct cell
cell_of(const struct table *t, size_t row, unsigned column)
{
	return t != NULL ? table_cell_at(t, row, column) : cell_none();
}

double
exam_number_at(const struct table *t, size_t row, unsigned column)
{
	struct cell	c = cell_of(t, row, column);

	return table_number_or(&c, 0);
}

struct span
exam_text_at(const struct table *t, size_t row, unsigned column)
{
	struct cell	c = cell_of(t, row, column);

	if (c.word.p != NULL)
		return c.word;
	return c.kind == CELL_TEXT ? c.text : (struct span){ NULL, 0 };
}

double
exam_number(const struct table *t, size_t row, const char *column)
{
	return exam_number_at(t, row, exam_column(t, column));
}

struct span
exam_text(const struct table *t, size_t row, const char *column)
{
	return exam_text_at(t, row, exam_column(t, column));
}

bool
exam_greatest(const struct table *t, const char *column, size_t *row)
{
	unsigned	col = exam_column(t, column);
	double		most = 0;

	*row = 0;
	if (t == NULL || t->nrows == 0)
		return false;
	for (size_t i = 0; i < t->nrows; i++) {
		double	v = exam_number_at(t, i, col);

		if (i > 0 && v <= most)
			continue;
		most = v;
		*row = i;
	}
	return true;
}

double
exam_counter(const struct exam *e, const char *counter, const char *column)
{
	struct table	*t = exam_rows(e, "counters", "series");
	unsigned	 name = exam_column(t, "name"), col = exam_column(t, column);
	double		 v = 0;

	for (size_t i = 0; t != NULL && i < t->nrows; i++)
		if (spans_equal(exam_text_at(t, i, name), span_of(counter)))
			v += exam_number_at(t, i, col);
	table_free(t);
	return v;
}

/* Is the method one of the libraries that come with .NET? */
static bool
is_library(struct span method)
{
	return span_begins(method, "System.") || span_begins(method, "Microsoft.");
}

struct exam_compiled
exam_compiled(const struct exam *e, double from, double until)
{
	struct table		*t = exam_rows(e, "jit", "jit");
	unsigned		 start = exam_column(t, "start"), self = exam_column(t, "self");
	unsigned		 background = exam_column(t, "background");
	unsigned		 dynamic = exam_column(t, "dynamic");
	unsigned		 name = exam_column(t, "method");
	struct exam_compiled	 out = { .n = 0 };

	for (size_t i = 0; t != NULL && i < t->nrows; i++) {
		double	at = exam_number_at(t, i, start), took = exam_number_at(t, i, self);

		if (at < from || at >= until || exam_number_at(t, i, background) > 0)
			continue;
		out.n++;
		out.ns += took;
		if (is_library(exam_text_at(t, i, name)))
			out.library_ns += took;
		if (exam_number_at(t, i, dynamic) <= 0)
			continue;
		out.dynamic++;
		out.dynamic_ns += took;
	}
	table_free(t);
	return out;
}

/* ---- words */

static void
put_count(struct buf *b, double v)
{
	buf_grouped(b, u64_of(v));
}

void
put_number(struct buf *b, double v)
{
	if (v < 10)
		buf_printf(b, "%.1f", v > 0 ? v : 0);
	else
		buf_grouped(b, u64_of(v + 0.5));
}

static void
put_share(struct buf *b, double share)
{
	buf_printf(b, share < 0.1 ? "%.1f %%" : "%.0f %%", share * 100);
}

static void
put_seconds(struct buf *b, double seconds)
{
	units_dur_short(b, i64_of(seconds * 1e9), true);
}

static void
put_bytes(struct buf *b, double bytes)
{
	units_bytes(b, u64_of(bytes));
}

/* Append the next number as this word says, or else the cause. Returns how many numbers that
   takes. */
static size_t
say_value(struct diagnosis *d, struct span word, const double *v)
{
	static const struct {
		const char	*word;
		void		(*put)(struct buf *b, double v);
	} values[] = { { "count", put_count }, { "number", put_number }, { "share", put_share },
	    { "seconds", put_seconds }, { "bytes", put_bytes } };

	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (spans_equal(word, span_of(values[i].word))) {
			values[i].put(&d->text, *v);
			return 1;
		}
	buf_span(&d->text, span_of_buf(&d->cause));
	return 0;
}

void
say_numbers(struct diagnosis *d, const char *words, const double *v)
{
	for (const char *p = words; *p != '\0'; p++) {
		size_t	len = strcspn(p, "|}");

		if (*p != '{') {
			buf_putc(&d->text, *p);
			continue;
		}
		v += say_value(d, (struct span){ (const uint8_t *)p + 1, len - 1 }, v);
		if (p[len] == '|') {
			buf_putc(&d->text, ' ');
			p = buf_form(&d->text, p + len + 1, v[-1] == 1);
		} else {
			p += len;
		}
	}
}

bool
put_top_type(const struct exam *e, struct diagnosis *d, const char *most)
{
	struct sign_top	top;

	if (!signs_top_type(e->signs->ticks, &top)) {
		buf_puts(&d->cause, "unknown");
		return false;
	}
	signs_cause(e->signs, top.key, "allocated in", &d->cause);
	buf_printf(&d->text, " %s ", most);
	say(d, "{cause}.");
	return true;
}

void
evidence_report(struct diagnosis *d, const char *report, const char *by)
{
	d->report = report;
	buf_puts(&d->command, report);
	if (by != NULL)
		buf_printf(&d->command, " --by %s", by);
}

void
evidence_site(struct diagnosis *d, const struct exam *e, const struct site *s)
{
	uint32_t	label = s->own != LABEL_NONE ? s->own : s->below;

	d->report = "calls";
	buf_puts(&d->command, "stacks --tree");
	if (label == LABEL_NONE || !calltree_label_filter(&e->wall.shape->label[label],
	    &d->filter))
		return;
	buf_puts(&d->command, " -f ");
	text_shell(&d->command, buf_str(&d->filter));
}

/* ---- the exam */

/* The tree of samples, if their threads' states are known. */
static const struct calltree *
samples_tree(const struct exam *e)
{
	const struct report_work	*p = find_part(e, "samples");

	return p != NULL ? p->s->tree : NULL;
}

static const struct gc_collections *
collections(const struct exam *e)
{
	const struct report_work	*p = find_part(e, "gc");

	return p != NULL ? p->s->own : NULL;
}

/* .NET 9 marks all samples as external, since it stops threads in another way. */
static bool
is_unmarked(const struct exam *e)
{
	const struct calltree	*tree = samples_tree(e);
	struct calltree_totals	 all;
	struct origin		 o = { 0 };
	bool			 is;

	if (tree == NULL)
		return false;
	calltree_totals(tree, &all);
	if (all.part < UNMARKED * all.weight)
		return false;
	origin_read(&o, e->run->home);
	is = span_begins(span_of_buf(&o.runtime), "9.");
	origin_release(&o);
	return is;
}

/*
 * The time of the exam is that of the samples, if there are any: what describes the program's code
 * may have been recorded long before, and is written for seconds afterwards.
 */
bool
exam_init(struct exam *e, const struct report_run *run, const struct signs *signs,
    const struct report_work *part, unsigned nparts)
{
	const struct trace_info	*info = trace_info(run->home);
	int64_t			 start;

	*e = (struct exam){ .run = run, .part = part, .nparts = nparts, .signs = signs };
	if (!report_times(run, &e->first, &e->last) || e->last <= e->first)
		return false;
	if (signs->stopping.n >= ROUNDS_LEAST &&
	    signs->stopping.since > signs->stopping.first) {
		e->first = signs->stopping.first;
		e->last = signs->stopping.since;
	}
	e->seconds = ((double)e->last - (double)e->first) / 1e9;
	start = i64_of(e->seconds * 1e9 * START_SHARE);
	e->started = e->first + (start < START_MOST_NS ? start : START_MOST_NS);
	e->processors = info->processors > 0 ? (unsigned)min_u64(info->processors, 4096) : 1;
	if (e->seconds < SECONDS_LEAST)
		return false;
	wall_init(&e->wall, samples_tree(e), is_unmarked(e));
	pauses_init(&e->pauses, collections(e));
	return true;
}

void
exam_release(struct exam *e)
{
	wall_release(&e->wall);
	pauses_release(&e->pauses);
}

/*
 * Fuzz target: all reports of a whole trace of any format: fields of payloads that are not what the
 * runtime writes, pairs, gaps, sums, rows, plots. Corpus: tests/fuzz/corpus/reports.
 */
#include "fuzz_trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tnav/analysis/report.h"
#include "tnav/base/err.h"
#include "tnav/engine/trace.h"

#define ROWS		256u

/* Objects, arrays and texts of a cell end where they should, and no number is none. */
static void
check_json(struct span s)
{
	int	depth = 0;
	bool	text = false;

	for (size_t i = 0; i < s.len; i++) {
		char	c = (char)s.p[i];

		if (text && c == '\\') {
			i++;
			continue;
		}
		if (c == '"')
			text = !text;
		if (text)
			continue;
		check(memchr("NI", c, 2) == NULL);	/* NaN, Infinity */
		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
		check(depth >= 0);
	}
	check(depth == 0 && !text);
}

static void
check_row(const struct table *t, size_t row, struct buf *out)
{
	struct table_evidence	e = { .kind = EVIDENCE_NONE };
	struct cell		c;

	for (unsigned col = 0; col < t->ncolumns; col++) {
		t->cell(t->src, row, col, &c);
		buf_clear(out);
		cell_json(out, &c);
		check_json(span_of_buf(out));
		cell_text(out, &c, true);
		if (c.kind == CELL_F64 || c.kind == CELL_SHARE)
			check(isfinite(c.f));
	}
	t->cell(t->src, row, 0, &c);
	check(c.kind == CELL_TEXT && c.text.len > 0);
	if (t->evidence(t->src, row, &e) && e.kind == EVIDENCE_FILTER)
		check(e.filter.len > 0);
	buf_release(&e.filter);
}

static size_t
check_table(struct table *t)
{
	size_t		n = t->nrows;
	struct buf	out = { 0 };

	for (size_t row = 0; row < n && row < ROWS; row++)
		check_row(t, row, &out);
	if (n > 0)
		check_row(t, n - 1, &out);
	buf_release(&out);
	table_free(t);
	return n;
}

static void
check_plots(const struct report_made *m)
{
	struct report_plot	p;
	bool			more = true;

	for (unsigned which = 0; more; which++) {
		more = report_plot(m, 0, 0, which, &p);
		for (size_t i = 1; i < p.n; i++)
			check(p.ns[i] >= p.ns[i - 1]);
		for (size_t i = 0; i < p.n * p.layers; i++)
			check(isfinite(p.v[i]));
		report_plot_release(&p);
	}
}

static void
check_report(struct trace *t, const struct report *r, const struct report_options *o)
{
	struct pass_result	 result;
	struct report_made	*m;
	uint64_t		 lost, gaps;
	size_t			 all, parts = 0;

	check(report_make(&m, r, t, o, &result) == ERR_OK);
	all = check_table(report_table(m, REPORT_ALL));
	check(all == report_rows(m));
	for (unsigned i = 0; i < report_parts(r); i++) {
		size_t	n = check_table(report_table(m, i));

		check(n <= all);
		parts += n;
	}
	check(parts == 0 || all > 0);
	(void)report_totals(m, 0);
	(void)report_remark(m);
	(void)report_loss(m, 0, &lost, &gaps);
	check_plots(m);
	report_free(m);
}

static void
look(struct trace *t)
{
	struct report_options	o = { .pass.workers = 1 };

	for (unsigned i = 0; i < REPORTS; i++)
		check_report(t, reports[i], &o);
	o.pass.has_from = o.pass.has_to = true;
	o.pass.from = trace_info(t)->sync_ts;
	o.pass.to = o.pass.from + trace_info(t)->freq / 100 + 1;
	for (unsigned i = 0; i < REPORTS; i++)
		check_report(t, reports[i], &o);
}

FUZZ_NAMED(look)

/* One route is slow, others aren't. */
#include "analysis/diagnoses/exam.h"

#include "tnav/base/mem.h"

#define LEAST		5.0		/* requests of a route */
#define TIMES		5.0		/* its median beside that of the others */
#define MEDIAN_NS	100e6
#define SHARE		0.3		/* of the time of the side's requests */

/* The longest median of the other routes of that side. 0: there are none. */
static double
others(const struct table *t, size_t slow)
{
	struct span	side = exam_text(t, slow, "side");
	unsigned	col = exam_column(t, "side");
	double		n = 0, sum = 0;

	for (size_t i = 0; i < t->nrows; i++) {
		if (i == slow || !spans_equal(exam_text_at(t, i, col), side) ||
		    exam_number(t, i, "count") < LEAST)
			continue;
		sum += exam_number(t, i, "p50") * exam_number(t, i, "count");
		n += exam_number(t, i, "count");
	}
	return n > 0 ? sum / n : 0;
}

/* What the requests waited for, by their phases. */
static void
put_phase(const struct exam *e, struct buf *out)
{
	struct table	*t = exam_rows(e, "requests", "phase");
	size_t		 row;

	if (exam_greatest(t, "total", &row)) {
		buf_puts(out, " Of the time of all requests ");
		put_share(out, exam_number(t, row, "share"));
		buf_puts(out, " is the phase ");
		buf_span(out, exam_text(t, row, "phase"));
		buf_puts(out, ".");
	}
	table_free(t);
}

static bool
examine(const struct exam *e, struct diagnosis *d)
{
	struct table	*t = exam_rows(e, "requests", "route");
	double		 median, other, share;
	size_t		 row;

	if (!exam_greatest(t, "total", &row)) {
		table_free(t);
		return false;
	}
	median = exam_number(t, row, "p50");
	share = exam_number(t, row, "share");
	other = others(t, row);
	if (exam_number(t, row, "count") < LEAST || other <= 0 || median < TIMES * other ||
	    median < MEDIAN_NS || share < SHARE) {
		table_free(t);
		return false;
	}
	d->share = share;
	d->value = median / 1e9;
	d->unit = "s";
	buf_span(&d->cause, exam_text(t, row, "route"));
	buf_span(&d->text, span_of_buf(&d->cause));
	buf_puts(&d->text, " took ");
	put_seconds(&d->text, d->value);
	buf_puts(&d->text, " (median), the other routes ");
	put_seconds(&d->text, other / 1e9);
	buf_counts(&d->text, ". Its # request{s} are ", (uint64_t)exam_number(t, row, "count"));
	put_share(&d->text, share);
	buf_puts(&d->text, " of the time of all.");
	table_free(t);
	put_phase(e, &d->text);
	evidence_report(d, "requests", NULL);
	return true;
}

const struct diagnosis_def	diagnosis_slow_endpoint = {
	.id = "slow-endpoint",
	.title = "One route is much slower than the others.",
	.why = "The time is spent where the route's requests wait.",
	.examine = examine,
};

/* One route is slow, others aren't. */
#include "analysis/diagnoses/exam.h"

#define LEAST		5.0		/* requests of a route */
#define TIMES		5.0		/* its median beside that of the others */
#define MEDIAN_NS	100e6
#define SHARE		0.3		/* of the time of the side's requests */

/* The other routes of that side. */
struct other_routes {
	double	median;		/* ns: mean of their medians, by requests; 0: there are none */
	double	total;		/* ns: of all routes of the side */
};

static struct other_routes
read_others(const struct table *t, size_t slow)
{
	struct span		 of = exam_text(t, slow, "side");
	unsigned		 side = exam_column(t, "side"), count = exam_column(t, "count");
	unsigned		 p50 = exam_column(t, "p50"), total = exam_column(t, "total");
	struct other_routes	 out = { 0, 0 };
	double			 n = 0, sum = 0;

	for (size_t i = 0; i < t->nrows; i++) {
		if (!spans_equal(exam_text_at(t, i, side), of))
			continue;
		out.total += exam_number_at(t, i, total);
		if (i == slow || exam_number_at(t, i, count) < LEAST)
			continue;
		sum += exam_number_at(t, i, p50) * exam_number_at(t, i, count);
		n += exam_number_at(t, i, count);
	}
	out.median = n > 0 ? sum / n : 0;
	return out;
}

/* What the requests waited for, by their phases. */
static void
put_phase(const struct exam *e, struct diagnosis *d)
{
	struct table	*t = exam_rows(e, "requests", "phase");
	size_t		 row;

	if (exam_greatest(t, "total", &row)) {
		say(d, " Of the time of all requests {share} is the phase ",
		    exam_number(t, row, "share"));
		buf_span(&d->text, exam_text(t, row, "phase"));
		say(d, ".");
	}
	table_free(t);
}

bool
examine_slow_endpoint(const struct exam *e, struct diagnosis *d)
{
	struct table		*t = exam_rows(e, "requests", "route");
	struct other_routes	 others;
	double			 median, other, share;
	size_t			 row;

	if (!exam_greatest(t, "total", &row)) {
		table_free(t);
		return false;
	}
	median = exam_number(t, row, "p50");
	others = read_others(t, row);
	other = others.median;
	share = others.total > 0 ? exam_number(t, row, "total") / others.total : 0;
	if (exam_number(t, row, "count") < LEAST || other <= 0 || median < TIMES * other ||
	    median < MEDIAN_NS || share < SHARE) {
		table_free(t);
		return false;
	}
	d->share = share;
	d->value = median / 1e9;
	buf_span(&d->cause, exam_text(t, row, "route"));
	say(d, "{cause} took {seconds} (median), the other routes {seconds}. Its "
	    "{count|request|requests} are {share} of the time of all.", d->value, other / 1e9,
	    exam_number(t, row, "count"), share);
	table_free(t);
	put_phase(e, d);
	return true;
}

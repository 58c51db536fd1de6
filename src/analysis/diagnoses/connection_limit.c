/* Requests wait for a connection. */
#include "analysis/diagnoses/exam.h"

#define LEAST		10.0		/* requests that waited */
#define SHARE		0.3		/* of the time of all requests */
#define QUEUED_NS	10e6		/* the median wait */

/* The host of the requests that took most of the time. */
static void
put_host(const struct exam *e, struct buf *out)
{
	struct table	*t = exam_rows(e, "requests", "route");
	unsigned	 side = exam_column(t, "side"), total = exam_column(t, "total");
	size_t		 row = SIZE_MAX;
	struct span	 url;
	unsigned	 slashes = 0;

	for (size_t i = 0; t != NULL && i < t->nrows; i++)
		if (spans_equal(exam_text_at(t, i, side), span_of("client")) &&
		    (row == SIZE_MAX || exam_number_at(t, i, total) >
		    exam_number_at(t, row, total)))
			row = i;
	if (row != SIZE_MAX) {
		url = exam_text(t, row, "route");
		for (size_t i = 0; i < url.len && slashes < 3; i++) {
			slashes += url.p[i] == '/';
			if (slashes < 3)
				buf_putc(out, (char)url.p[i]);
		}
	}
	table_free(t);
}

bool
examine_connection_limit(const struct exam *e, struct diagnosis *d)
{
	struct table	*t = exam_rows(e, "requests", "phase");
	unsigned	 phase = exam_column(t, "phase");
	double		 n = 0, median = 0, share = 0, longest = 0;

	for (size_t i = 0; t != NULL && i < t->nrows; i++) {
		if (!spans_equal(exam_text_at(t, i, phase), span_of("queue")))
			continue;
		n = exam_number(t, i, "count");
		median = exam_number(t, i, "p50");
		share = exam_number(t, i, "share");
		longest = exam_number(t, i, "max");
	}
	table_free(t);
	if (n < LEAST || share < SHARE || median < QUEUED_NS)
		return false;
	d->share = share;
	d->value = median / 1e9;
	put_host(e, &d->cause);
	say(d, "{count|request|requests}", n);
	say(d, d->cause.len > 0 ? " to {cause}" : "");
	say(d, " waited {seconds} (median) for a connection, at most {seconds}: {share} of the "
	    "time of all requests.", d->value, longest / 1e9, share);
	return true;
}

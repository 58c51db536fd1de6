/* Exceptions as control flow. */
#include "analysis/diagnoses/exam.h"

#define A_SECOND	100.0
#define THROWING	0.05		/* of the time of a thread, where fewer are thrown */
#define A_SECOND_LEAST	20.0

bool
examine_exception_storm(const struct exam *e, struct diagnosis *d)
{
	struct table	*t = exam_rows(e, "exceptions", "summary");
	double		 n = exam_number(t, 0, "count"), rate = n / e->seconds;
	double		 throwing = wall_threads(&e->wall, DOING_THROW);
	size_t		 row;

	table_free(t);
	if (rate < A_SECOND && (throwing < THROWING || rate < A_SECOND_LEAST))
		return false;
	d->share = throwing > 0.1 ? throwing : 0.1;
	d->value = rate;
	say(d, "{number} exceptions a second were thrown", rate);
	if (throwing > 0)
		say(d, "; threads spent {share} of a thread's time on throwing and catching them",
		    throwing);
	say(d, ".");
	t = exam_rows(e, "exceptions", "type");
	if (exam_greatest(t, "count", &row)) {
		struct span	from = exam_text(t, row, "sources");

		buf_span(&d->cause, exam_text(t, row, "type"));
		buf_puts(&d->cause, from.len > 0 ? ", thrown in " : "");
		buf_span(&d->cause, from);
		say(d, " {share} of them are {cause}.", exam_number(t, row, "count") / n);
	}
	table_free(t);
	return true;
}

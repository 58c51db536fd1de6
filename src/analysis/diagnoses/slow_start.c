/* The start costs: code is loaded and compiled before the program works. */
#include "analysis/diagnoses/exam.h"

#include "tnav/base/mem.h"

#define COMPILED_S	2.0		/* on the program's own threads */
#define SHARE		0.4		/* of the start */

static bool
examine(const struct exam *e, struct diagnosis *d)
{
	struct table	*t = exam_rows(e, "jit", "jit");
	unsigned	 start = exam_column(t, "start"), self = exam_column(t, "self");
	unsigned	 background = exam_column(t, "background");
	double		 ns = 0, end = (double)e->started;
	uint64_t	 n = 0;

	for (size_t i = 0; t != NULL && i < t->nrows; i++) {
		if (exam_number_at(t, i, background) > 0 ||
		    exam_number_at(t, i, start) >= (double)e->started)
			continue;
		ns += exam_number_at(t, i, self);
		n++;
	}
	table_free(t);
	d->value = ns / 1e9;
	if (d->value < COMPILED_S || ns < SHARE * (end - (double)e->first))
		return false;
	d->share = ns / (e->seconds * 1e9);
	d->unit = "s";
	d->until = e->started;
	buf_puts(&d->cause, "compiling methods");
	buf_counts(&d->text, "# method{s} were compiled in the first ", n);
	put_seconds(&d->text, (end - (double)e->first) / 1e9);
	buf_puts(&d->text, ", which took ");
	put_seconds(&d->text, d->value);
	buf_puts(&d->text, ".");
	evidence_report(d, "jit", NULL);
	return true;
}

const struct diagnosis_def	diagnosis_slow_start = {
	.id = "slow-start",
	.title = "The start is slow: most of it is compiling.",
	.why = "Code that is compiled ahead of time (ReadyToRun, Native AOT) starts faster.",
	.examine = examine,
};

/* The start costs: code is loaded and compiled before the program works. */
#include "analysis/diagnoses/exam.h"

#include <math.h>

#define COMPILED_S	2.0		/* on the program's own threads */
#define SHARE		0.4		/* of the start */

static bool
examine(const struct exam *e, struct diagnosis *d)
{
	double			length = (double)e->started - (double)e->first;
	struct exam_compiled	c = exam_compiled(e, -INFINITY, (double)e->started);

	d->value = c.ns / 1e9;
	if (d->value < COMPILED_S || c.ns < SHARE * length)
		return false;
	d->share = c.ns / (e->seconds * 1e9);
	d->unit = "s";
	d->until = e->started;
	buf_puts(&d->cause, "compiling methods");
	buf_counts(&d->text, "# method{s} were compiled in the first ", c.n);
	put_seconds(&d->text, length / 1e9);
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

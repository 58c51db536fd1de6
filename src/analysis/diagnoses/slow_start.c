/* The start costs: code is compiled before the program works. */
#include "analysis/diagnoses/exam.h"

#include <math.h>

#define START_NS	5e9		/* the window's first seconds */
#define COMPILED_S	1.5		/* on the program's own threads */
#define SHARE		0.3		/* of the start */
#define LIBRARIES	0.5		/* of the time; they are compiled ahead of time */

bool
examine_slow_start(const struct exam *e, struct diagnosis *d)
{
	double			length = fmin((double)e->last - (double)e->first, START_NS);
	struct exam_compiled	c = exam_compiled(e, -INFINITY, (double)e->first + length);

	d->value = c.ns / 1e9;
	if (d->value < COMPILED_S || c.ns < SHARE * length)
		return false;
	d->share = c.ns / (e->seconds * 1e9);
	d->until = e->first + (int64_t)length;
	say(d, "{count|method|methods} were compiled in the first {seconds}, which took {seconds}.",
	    (double)c.n, length / 1e9, d->value);
	if (c.library_ns < LIBRARIES * c.ns) {
		buf_puts(&d->cause, "compiling methods");
	} else {
		buf_puts(&d->cause, "compiling methods of System and Microsoft");
		say(d, " Of this time {share} went into the libraries of .NET, which are there in "
		    "compiled form: DOTNET_ReadyToRun=0, DOTNET_TieredCompilation=0 or a "
		    "profiler's settings have them compiled again.", c.library_ns / c.ns);
	}
	return true;
}

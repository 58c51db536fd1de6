/* Short-lived garbage costs pauses. */
#include "analysis/diagnoses/exam.h"

#define PAUSED		0.08		/* of the time, with */
#define BYTES_LEAST	50e6		/* bytes a second; or */
#define BYTES		1e9

bool
examine_allocation_rate(const struct exam *e, struct diagnosis *d)
{
	double		rate = e->signs->bytes / e->seconds;
	struct sign_top	top;

	d->share = e->pauses.paused_why[WHY_SMALL] / e->seconds;
	if (rate < BYTES && (d->share < PAUSED || rate < BYTES_LEAST))
		return false;
	d->value = rate;
	say(d, "{bytes}/s were allocated, which caused {count|collection|collections}; they "
	    "paused the program for {share} of the time.", rate, (double)e->pauses.n,
	    e->pauses.paused / e->seconds);
	if (signs_top_type(e->signs->ticks, &top)) {
		signs_cause(e->signs, top.key, "allocated in", &d->cause);
		say(d, " {share} of the bytes are {cause}.", top.sum.bytes / top.total);
	}
	return true;
}

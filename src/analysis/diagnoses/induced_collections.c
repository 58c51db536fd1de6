/* The program requests collections again and again. */
#include "analysis/diagnoses/exam.h"

#define LEAST		5u
#define A_SECOND	0.5
#define SHARE		0.3		/* of all collections */

bool
examine_induced_collections(const struct exam *e, struct diagnosis *d)
{
	const struct pause_sums	*p = &e->pauses;
	uint64_t		 n = p->why[WHY_INDUCED];

	if (n < LEAST || (double)n < A_SECOND * e->seconds ||
	    (double)n < SHARE * (double)p->n)
		return false;
	d->share = p->paused_why[WHY_INDUCED] / e->seconds;
	d->value = (double)n / e->seconds;
	say(d, "{count} of {count|collection|collections} were requested, {number} a second; they "
	    "paused the program for {share} of the time.", (double)n, (double)p->n, d->value,
	    d->share);
	if (p->requests > 0) {
		buf_puts(&d->cause, "GC.Collect, called from ");
		buf_span(&d->cause, p->requested_by);
		say(d, " Most are requested by {cause}.");
	} else {
		buf_puts(&d->cause, "GC.Collect");
		d->certainty = LIKELY;
	}
	return true;
}

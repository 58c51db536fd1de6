/* Large objects that soon die cause collections of the whole heap. */
#include "analysis/diagnoses/exam.h"

#define LEAST		5u
#define A_SECOND	0.5
#define SHARE		0.5		/* of the collections of gen2 */

bool
examine_large_object_churn(const struct exam *e, struct diagnosis *d)
{
	const struct pause_sums	*p = &e->pauses;
	uint64_t		 n = p->why_gen2[WHY_LARGE];
	struct sign_top		 top;

	if (n < LEAST || (double)n < A_SECOND * e->seconds ||
	    (double)n < SHARE * (double)p->gen[2])
		return false;
	/* The runtime gives the same reason where small pinned objects are allocated. */
	if (e->signs->ticks_n > 0 && e->signs->large_bytes <= 0)
		return false;
	d->share = p->paused_why[WHY_LARGE] / e->seconds;
	d->value = (double)n / e->seconds;
	say(d, "{count} of {count|collection|collections} of the whole heap were caused by large "
	    "objects; they paused the program for {share} of the time.", (double)n,
	    (double)p->gen[2], d->share);
	if (signs_top_type(e->signs->large, &top)) {
		signs_cause(e->signs, top.key, "allocated in", &d->cause);
		say(d, " {bytes}/s of objects of 85,000 bytes or more were allocated, {share} of "
		    "it {cause}.", e->signs->large_bytes / e->seconds, top.sum.bytes / top.total);
	} else {
		buf_puts(&d->cause, "unknown");
		d->certainty = LIKELY;
	}
	return true;
}

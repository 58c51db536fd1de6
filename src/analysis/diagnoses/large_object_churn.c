/* Large objects that soon die cause collections of the whole heap. */
#include "analysis/diagnoses/exam.h"

#define LEAST		5u
#define A_SECOND	0.5
#define SHARE		0.5		/* of the collections of gen2 */

static bool
examine(const struct exam *e, struct diagnosis *d)
{
	const struct pause_sums	*p = &e->pauses;
	uint64_t		 n = p->why_gen2[WHY_LARGE];
	struct sign_top		 top;

	if (n < LEAST || (double)n < A_SECOND * e->seconds ||
	    (double)n < SHARE * (double)p->gen[2])
		return false;
	d->share = p->paused_why[WHY_LARGE] / e->seconds;
	d->value = (double)n / e->seconds;
	d->unit = "collections/s";
	buf_counts(&d->text, "# of # collection{s} of the whole heap were caused by large objects",
	    n, p->gen[2]);
	buf_puts(&d->text, "; they paused the program for ");
	put_share(&d->text, d->share);
	buf_puts(&d->text, " of the time.");
	if (signs_top_type(e->signs->large, &top)) {
		signs_cause(e->signs, top.key, "allocated in", &d->cause);
		buf_puts(&d->text, " ");
		put_bytes(&d->text, e->signs->large_bytes / e->seconds);
		buf_puts(&d->text, "/s of objects of 85,000 bytes or more were allocated, ");
		put_share(&d->text, top.sum.bytes / top.total);
		buf_puts(&d->text, " of it ");
		buf_span(&d->text, span_of_buf(&d->cause));
		buf_puts(&d->text, ".");
	} else {
		buf_puts(&d->cause, "unknown");
		d->certainty = LIKELY;
	}
	evidence_report(d, "allocs", NULL);
	return true;
}

const struct diagnosis_def	diagnosis_large_object_churn = {
	.id = "large-object-churn",
	.title = "Large objects that are soon garbage cause full collections.",
	.why = "Memory of large objects is freed only when gen2 is collected. Use them again, for "
	    "example from ArrayPool<T>.Shared.",
	.examine = examine,
	.explains = DIAGNOSIS_BIT(cpu_bound) | DIAGNOSIS_BIT(allocation_rate) |
	    DIAGNOSIS_BIT(promotion_churn),
};

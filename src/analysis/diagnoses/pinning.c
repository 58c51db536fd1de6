/* Pinned objects keep the heap from being compacted. */
#include "analysis/diagnoses/exam.h"

#define PINS		1000.0		/* objects in one collection */
#define FREE		0.2		/* share of the heap that is free between them */
#define COLLECTIONS	3u

bool
examine_pinning(const struct exam *e, struct diagnosis *d)
{
	const struct pause_sums	*p = &e->pauses;
	struct sign_top		 top;

	if (p->n < COLLECTIONS || p->pinned < PINS || p->fragmented < FREE)
		return false;
	d->share = p->paused / e->seconds;
	d->value = p->pinned;
	say(d, "Up to {number} objects were pinned when a collection ran; up to {share} of the "
	    "heap was free space that could not be given back.", p->pinned, p->fragmented);
	if (signs_top(e->signs->pinned, &top)) {
		struct sign_top	ticks;

		signs_cause(e->signs, top.key, "", &d->cause);
		say(d, " Most of them are {cause}");
		if (signs_top_type(e->signs->ticks, &ticks) && ticks.key.a == top.key.a &&
		    ticks.key.b != TEXT_NONE) {
			say(d, "; most of this type are allocated in ");
			buf_span(&d->text, texts_at(e->signs->texts, (uint32_t)ticks.key.b));
		}
		say(d, ".");
	} else {
		buf_puts(&d->cause, "unknown");
		d->certainty = LIKELY;
	}
	return true;
}

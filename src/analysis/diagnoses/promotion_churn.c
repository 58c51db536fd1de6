/* Objects live just long enough to be promoted, and die then. */
#include "analysis/diagnoses/exam.h"

#define PAUSED		0.05		/* of the time */
#define DIED_A_SECOND	4e6		/* bytes that were promoted to gen2 and died there */
#define DIED		0.4		/* of what was promoted to it */

bool
examine_promotion_churn(const struct exam *e, struct diagnosis *d)
{
	const struct pause_sums	*p = &e->pauses;
	double			 died = p->promoted[1] - (p->stayed > 0 ? p->stayed : 0);

	if (p->paused < PAUSED * e->seconds || died < DIED_A_SECOND * e->seconds ||
	    died < DIED * p->promoted[1])
		return false;
	d->share = p->paused / e->seconds;
	d->value = p->promoted[1] / e->seconds;
	say(d, "{bytes}/s were promoted to gen2, and {share} of that died there. Collections "
	    "paused the program for {share} of the time, at most {seconds} at once.", d->value,
	    died / p->promoted[1], d->share, p->longest);
	if (!put_top_type(e, d, "Most of what was allocated is"))
		d->certainty = LIKELY;
	return true;
}

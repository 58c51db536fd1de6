/* It takes long to stop the threads for collections. */
#include "analysis/diagnoses/exam.h"

#define SHARE		0.25		/* of the time, or */
#define LONGEST_S	0.1
#define MEAN_S		0.0025		/* less: threads that do not run can't stop, either */
#define LEAST		3u

bool
examine_slow_suspension(const struct exam *e, struct diagnosis *d)
{
	double		total = (double)e->signs->stopping.total / 1e9;
	double		longest = (double)e->signs->stopping.longest / 1e9;
	struct site	site;

	d->share = total / e->seconds;
	d->value = total / (double)e->signs->stopping.n;
	if (e->signs->stopping.n < LEAST || d->share < SHARE || longest < LONGEST_S ||
	    d->value < MEAN_S)
		return false;
	say(d, "Stopping the threads took {share} of the time, {seconds} each time (mean), at "
	    "most {seconds}.", d->share, d->value, longest);
	if (wall_top(&e->wall, DOING_RUN, &site) && site.own != LABEL_NONE) {
		wall_name(&e->wall, site.own, false, &d->cause);
		say(d, " The threads that stopped last ran {cause}, by samples.");
		d->certainty = LIKELY;
		evidence_site(d, e, &site);
		return true;
	}
	buf_puts(&d->cause, "unknown");
	d->certainty = POSSIBLE;
	return true;
}

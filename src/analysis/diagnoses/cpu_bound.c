/* Few methods burn the processors. */
#include "analysis/diagnoses/exam.h"

#define THREADS		0.7		/* that run managed code, on average */
#define SHARE		0.5		/* of their time, by one site */
#define ROUNDS		100.0

bool
examine_cpu_bound(const struct exam *e, struct diagnosis *d)
{
	double		running = wall_threads(&e->wall, DOING_RUN);
	struct site	site;

	if (e->wall.rounds < ROUNDS || running < THREADS ||
	    !wall_top(&e->wall, DOING_RUN, &site) ||
	    site.samples < SHARE * e->wall.doing[DOING_RUN])
		return false;
	d->share = running / e->processors;
	d->value = running;
	d->certainty = LIKELY;
	wall_cause(&e->wall, &site, &d->cause);
	say(d, "{number} threads ran managed code at a time (mean), on "
	    "{count|processor|processors}; {share} of that in {cause}.", running, e->processors,
	    site.samples / e->wall.doing[DOING_RUN]);
	evidence_site(d, e, &site);
	return true;
}

/* The finalizer thread is busy or stuck, so that objects wait to be finalized. */
#include "analysis/diagnoses/exam.h"

#define BUSY		0.3		/* share of its samples, or of the time */
#define STUCK_S		2.0
#define ROUNDS		50.0

/* How much of the time finalizers ran: the greater of what samples and events tell. */
static double
busy_share(const struct exam *e)
{
	double	open = 0, sampled = 0, by_events;

	if (e->wall.rounds >= ROUNDS)
		sampled = wall_threads(&e->wall, DOING_FINALIZE);
	if (e->signs->finalizers.open)
		open = ((double)e->last - (double)e->signs->finalizers.since) / 1e9;
	if (open < STUCK_S)
		open = 0;
	by_events = ((double)e->signs->finalizers.busy / 1e9 + open) / e->seconds;
	return by_events > sampled ? by_events : sampled;
}

bool
examine_slow_finalizers(const struct exam *e, struct diagnosis *d)
{
	struct site	site;

	d->share = d->value = busy_share(e);
	if (d->share < BUSY)
		return false;
	say(d, "The finalizer thread was busy for {share} of the time", d->share);
	if (wall_top(&e->wall, DOING_FINALIZE, &site)) {
		wall_cause(&e->wall, &site, &d->cause);
		say(d, ", most of it in {cause}");
		evidence_site(d, e, &site);
	} else {
		buf_puts(&d->cause, "unknown");
		d->certainty = LIKELY;
	}
	if (e->signs->finalizers.objects > 0)
		say(d, "; it finalized {number} objects a second",
		    (double)e->signs->finalizers.objects / e->seconds);
	say(d, ".");
	return true;
}

/* Time goes into compiling methods after the start. */
#include "analysis/diagnoses/exam.h"

#include <math.h>

#define SHARE		0.10		/* of a thread's time, after the start */
#define ORDINARY_SHARE	0.20		/* the same, of ordinary methods */
#define METHODS		50u
#define ORDINARY_S	5.0		/* methods are compiled when they first run: later it is no
					   start any more */
#define ORDINARY	500.0		/* ordinary ones a second, with SHARE */
#define PARTS		3u		/* of the time without the start: SHARE in each */
#define DYNAMIC		20.0		/* dynamic methods a second, with */
#define DYNAMIC_SHARE	0.02
#define DYNAMIC_METHODS	100u

/* One burst is not all the time: what a program runs at its end, or for the first time. */
static bool
goes_on(const struct exam *e, double begin, double left)
{
	double	part = left / PARTS;

	for (unsigned i = 0; i < PARTS; i++)
		if (exam_compiled(e, begin + part * i, begin + part * (i + 1)).ns < SHARE * part)
			return false;
	return true;
}

/* Dynamic methods tell at once; ordinary ones only long after the start. */
static bool
is_much(const struct exam *e, const struct exam_compiled *c, double after)
{
	double			begin = fmax((double)e->first + ORDINARY_S * 1e9,
				    (double)e->started);
	double			left = (double)e->last - begin;
	struct exam_compiled	late;

	if (c->dynamic_ns > 0.5 * c->ns)
		return (c->dynamic >= METHODS && c->ns >= SHARE * after) ||
		    (c->dynamic >= DYNAMIC_METHODS && c->ns >= DYNAMIC_SHARE * after &&
		    (double)c->dynamic >= DYNAMIC * after / 1e9);
	late = exam_compiled(e, begin, INFINITY);
	return left > 1e9 && late.n >= METHODS && (late.ns >= ORDINARY_SHARE * left ||
	    (late.ns >= SHARE * left && (double)late.n >= ORDINARY * left / 1e9)) &&
	    goes_on(e, begin, left);
}

bool
examine_compiling(const struct exam *e, struct diagnosis *d)
{
	double		after = ((double)e->last - (double)e->started);
	struct exam_compiled	c = exam_compiled(e, (double)e->started, INFINITY);
	struct site	site;

	d->share = after > 0 ? c.ns / after : 0;
	if (!is_much(e, &c, after))
		return false;
	d->value = (double)c.n / (after / 1e9);
	d->since = e->started;
	say(d, "{count|method|methods} were compiled after the start, which took {share} of a "
	    "thread's time. ", (double)c.n, d->share);
	if (c.dynamic_ns > 0.5 * c.ns) {
		say(d, "{share} of them are dynamic methods", (double)c.dynamic / (double)c.n);
		buf_puts(&d->cause, "dynamic methods");
	} else {
		say(d, "Most are ordinary methods that run for the first time");
		buf_puts(&d->cause, "methods that run for the first time");
	}
	if (c.dynamic_ns > 0.5 * c.ns && (wall_top(&e->wall, DOING_OTHER, &site) ||
	    wall_top(&e->wall, DOING_RUN, &site)) && site.own != LABEL_NONE) {
		buf_puts(&d->cause, ", made by ");
		wall_cause(&e->wall, &site, &d->cause);
		say(d, ", most made by ");
		wall_cause(&e->wall, &site, &d->text);
	}
	say(d, ".");
	return true;
}

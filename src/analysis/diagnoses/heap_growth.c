/*
 * What survives grows steadily.
 *
 *	       .  ' |		sizes after collections, in three parts of as many:
 *	    . '  '  |		their least sizes rise from part to part, and most of the
 *	. '         |		sizes lie near a line
 *	 1    2    3
 *
 * Few collections tell of growth only if one was of the whole heap: others leave garbage. The last
 * two tell if nearly all that was allocated between them stayed.
 */
#include "analysis/diagnoses/exam.h"

#include <math.h>

#define PARTS		3u
#define COLLECTIONS	6u		/* or fewer, if one was of gen2 */
#define COLLECTIONS_LEAST PARTS
#define FIT_OF_FEW	0.8
#define GROWTH		8e6		/* bytes over the window */
#define GROWTH_A_SECOND	1e6
#define TIMES		1.5		/* the last part's least size beside the first one's */
#define FIT		0.6		/* r squared of the line */
#define STAYED		0.7		/* of what was allocated between two collections */
#define APART_S		1.0		/* between them */
#define LATE		0.4		/* of the window, before the later one */

struct trend {
	double	slope, fit;		/* bytes a second; r squared */
};

/* Least squares over the sizes after the program's start. */
static struct trend
fit_line(const struct pause_sums *p, double from)
{
	double		n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0, dx, dy;
	struct trend	out = { 0, 0 };

	for (size_t i = 0; i < p->nheap; i++) {
		double	at = p->heap[i].at - from;

		if (at < 0)
			continue;
		n++;
		x += at;
		y += p->heap[i].bytes;
	}
	if (n < COLLECTIONS_LEAST)
		return out;
	for (size_t i = 0; i < p->nheap; i++) {
		double	at = p->heap[i].at - from;

		if (at < 0)
			continue;
		dx = at - x / n;
		dy = p->heap[i].bytes - y / n;
		xx += dx * dx;
		yy += dy * dy;
		xy += dx * dy;
	}
	if (xx > 0 && yy > 0) {
		out.slope = xy / xx;
		out.fit = xy * xy / (xx * yy);
	}
	return out;
}

/* The least sizes of the parts. Returns the number of collections, 0 if the sizes don't rise. */
static size_t
find_least(const struct pause_sums *p, double from, double *least, bool *old)
{
	size_t	first = 0, n;

	while (first < p->nheap && p->heap[first].at < from)
		first++;
	n = p->nheap - first;
	*old = false;
	for (unsigned i = 0; i < PARTS; i++)
		least[i] = INFINITY;
	for (size_t i = 0; i < n; i++) {
		const struct heap_size	*h = &p->heap[first + i];
		size_t			 part = i * PARTS / n;

		if (h->bytes < least[part])
			least[part] = h->bytes;
		*old |= h->old && part > 0;
	}
	for (unsigned i = 0; i < PARTS; i++)
		if (!isfinite(least[i]) || (i > 0 && least[i] <= least[i - 1]))
			return 0;
	return n;
}

static bool
is_much(double slope, double first, double last)
{
	return slope >= GROWTH_A_SECOND && last - first >= GROWTH && last >= TIMES * first;
}

static void
put_growth(struct diagnosis *d, double slope, double first, double last)
{
	d->value = slope;
	say(d, "The heap grew by {bytes}/s, from {bytes} to {bytes}", slope, first, last);
}

static bool
examine_line(const struct exam *e, struct diagnosis *d)
{
	double		from = (double)e->started / 1e9, least[PARTS];
	struct trend	line = fit_line(&e->pauses, from);
	bool		old;
	size_t		n = find_least(&e->pauses, from, least, &old);

	if (n < COLLECTIONS_LEAST || (n < COLLECTIONS && (!old || line.fit < FIT_OF_FEW)) ||
	    line.fit < FIT || !is_much(line.slope, least[0], least[PARTS - 1]))
		return false;
	put_growth(d, line.slope, least[0], least[PARTS - 1]);
	say(d, " after collections (a line explains {share} of the sizes).", line.fit);
	return true;
}

static bool
examine_last(const struct exam *e, struct diagnosis *d)
{
	const struct heap_size	*last, *x;
	double			 allocated, stayed, apart;

	if (e->pauses.nheap < 2)
		return false;
	last = &e->pauses.heap[e->pauses.nheap - 1];
	x = last - 1;
	allocated = last->before - x->bytes;
	stayed = last->bytes - x->bytes;
	apart = last->at - x->at;
	if (allocated <= 0 || apart < APART_S ||
	    last->at < (double)e->first / 1e9 + LATE * e->seconds ||
	    stayed < STAYED * allocated || !is_much(stayed / apart, x->bytes, last->bytes))
		return false;
	put_growth(d, stayed / apart, x->bytes, last->bytes);
	say(d, " after the last two collections: {share} of what was allocated between them "
	    "stayed.", stayed / allocated);
	return true;
}

bool
examine_heap_growth(const struct exam *e, struct diagnosis *d)
{
	if (!examine_line(e, d) && !examine_last(e, d))
		return false;
	d->share = 0.3 + e->pauses.paused / e->seconds;
	d->since = e->started;
	d->certainty = e->pauses.gen[2] >= 2 ? LIKELY : POSSIBLE;
	if (e->pauses.gen[2] == 0)
		say(d, " No collection of gen2 ran: what it would free is not known.");
	(void)put_top_type(e, d, "Most of what was allocated meanwhile is");
	return true;
}

/*
 * The clocks of joined traces.
 *
 *	ticks	| boot ........... sync (UTC known) .......|	the clock of one machine since its
 *							boot: its UTC differs by the rounding of
 *							sync times only
 *
 * Two traces whose boots (sync time less its ticks) differ by at most 20 ms were recorded since one
 * boot of one machine, and their ticks are the same clock. Else their sync times are all that is
 * known of their distance.
 */
#include "engine/joined/joined.h"

#include "tnav/base/num.h"
#include "tnav/base/units.h"

#define BOOT_NS		((int64_t)20000000)	/* sync times are cut to ms; see also above */

int64_t
clock_boot_utc(const struct trace_info *i)
{
	return sub_i64(i->sync_utc, units_ticks_ns(i->sync_ts, 0, i->freq));
}

bool
joined_same_boot(const struct trace_info *a, const struct trace_info *b)
{
	int64_t	apart = sub_i64(clock_boot_utc(a), clock_boot_utc(b));

	return a->freq == b->freq && a->has_sync_utc && b->has_sync_utc &&
	    apart >= -BOOT_NS && apart <= BOOT_NS;
}

/* What to go by for a source, if nothing was said. */
static enum trace_clock
choose(const struct trace_info *first, const struct trace_info *i)
{
	if (first->has_sync_utc && i->has_sync_utc)
		return joined_same_boot(first, i) ? CLOCK_TICKS : CLOCK_UTC;
	return CLOCK_START;
}

struct clock_of
clock_of_trace(struct trace *t)
{
	int64_t	first, last;

	if (!trace_range(t, &first, &last))
		first = trace_info(t)->sync_ts;
	return (struct clock_of){ trace_info(t), first };
}

enum trace_clock
clocks_compare(struct clock_map *c, const struct clock_of *first, const struct clock_of *of,
    enum trace_clock wanted, int64_t shift_ns, int64_t freq)
{
	struct clock_map	own = { .mul = freq, .div = first->info->freq };
	enum trace_clock	by = wanted;

	*c = (struct clock_map){ .mul = freq, .div = of->info->freq };
	if (by == CLOCK_AUTO)
		by = choose(first->info, of->info);
	if (by == CLOCK_UTC && !(first->info->has_sync_utc && of->info->has_sync_utc))
		by = CLOCK_START;
	switch (by) {
	case CLOCK_AUTO:
	case CLOCK_TICKS:
		break;
	case CLOCK_UTC:
		c->from = of->info->sync_ts;
		c->to = units_ns_ticks(sub_i64(of->info->sync_utc, first->info->sync_utc),
		    clock_to(&own, first->info->sync_ts), freq);
		break;
	case CLOCK_START:
		c->from = of->first;
		c->to = clock_to(&own, first->first);
		break;
	}
	c->to = add_i64(c->to, units_ns_ticks(shift_ns, 0, freq));
	return by;
}

/* Is the time of its first event known? That of the first region is, later ones have no earlier
   events. Who looks at rows that may move is shown more by the first that comes. */
static bool
knows_first(const struct trace *whole, struct trace *t)
{
	bool	known;

	lock_take(t->lock);
	known = t->progress.ended_ns != 0 || t->index.regions.n > 0 ||
	    (whole->eager && t->progress.events > 0);
	lock_drop(t->lock);
	return known;
}

/* The first source gives the clock, whatever it is compared by. */
static void
clock_first(struct trace *t, struct joined_source *s)
{
	s->clock = (struct clock_map){ .mul = t->format.info.freq, .div = trace_info(s->t)->freq };
	s->by = CLOCK_TICKS;
}

bool
joined_clock(struct trace *t, uint32_t source)
{
	struct joined		*j = t->joined;
	struct joined_source	*s = &j->source[source], *zero = &j->source[0];
	struct clock_of		 first, of;
	struct clock_map	 map;
	enum trace_clock	 by;
	bool			 known;

	if (source == 0) {
		clock_first(t, s);
		return true;
	}
	/* Asked before the times are read: the sources grow meanwhile. */
	known = zero->by != CLOCK_AUTO && knows_first(t, zero->t) && knows_first(t, s->t);
	first = clock_of_trace(zero->t);
	of = clock_of_trace(s->t);
	by = clocks_compare(&map, &first, &of, j->how.clock,
	    j->shift != NULL ? j->shift[source] : 0, t->format.info.freq);
	if (by == CLOCK_START && !known)
		return false;
	s->clock = map;
	s->by = by;
	return true;
}

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

/* UTC at tick 0. */
static int64_t
boot_utc(const struct trace_info *i)
{
	return sub_i64(i->sync_utc, units_ticks_ns(i->sync_ts, 0, i->freq));
}

bool
joined_same_boot(const struct trace_info *a, const struct trace_info *b)
{
	int64_t	apart = sub_i64(boot_utc(a), boot_utc(b));

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

static int64_t
first_ts(struct trace *t)
{
	int64_t	first, last;

	return trace_range(t, &first, &last) ? first : trace_info(t)->sync_ts;
}

static void
clock_set(struct trace *t, struct joined_source *s, int64_t shift_ns)
{
	const struct joined	*j = t->joined;
	const struct trace_info	*of = trace_info(s->t), *first = trace_info(j->source[0].t);
	struct clock_map	*c = &s->clock;
	int64_t			 freq = t->format.info.freq;

	*c = (struct clock_map){ .mul = freq, .div = of->freq };
	s->by = j->how.clock != CLOCK_AUTO ? j->how.clock : choose(first, of);
	if (s->by == CLOCK_UTC && !(first->has_sync_utc && of->has_sync_utc))
		s->by = CLOCK_START;
	switch (s->by) {
	case CLOCK_AUTO:
	case CLOCK_TICKS:
		break;
	case CLOCK_UTC:
		c->from = of->sync_ts;
		c->to = units_ns_ticks(sub_i64(of->sync_utc, first->sync_utc),
		    t->format.info.sync_ts, freq);
		break;
	case CLOCK_START:
		c->from = first_ts(s->t);
		c->to = clock_to(&j->source[0].clock, first_ts(j->source[0].t));
		break;
	}
	c->to = add_i64(c->to, units_ns_ticks(shift_ns, 0, freq));
}

void
joined_clocks(struct trace *t)
{
	struct joined	*j = t->joined;

	/* The first source gives the clock, whatever it is compared by. */
	j->source[0].by = CLOCK_TICKS;
	j->source[0].clock = (struct clock_map){ .mul = t->format.info.freq,
	    .div = trace_info(j->source[0].t)->freq };
	for (uint32_t i = 1; i < j->n; i++)
		clock_set(t, &j->source[i], j->shift != NULL ? j->shift[i] : 0);
}

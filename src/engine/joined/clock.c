/*
 * Ticks of a source as those of the joined trace.
 *
 *	ts of the source	from ... ts
 *	ts of the whole		to ..... to + (ts - from) * mul / div
 */
#include "engine/joined/joined.h"

#include "tnav/base/num.h"

static int64_t
scale(__int128 ticks, int64_t mul, int64_t div)
{
	__int128	v = ticks * mul;

	v = v >= 0 ? v / div : -((-v + div - 1) / div);
	return v > INT64_MAX ? INT64_MAX : v < INT64_MIN ? INT64_MIN : (int64_t)v;
}

int64_t
clock_to(const struct clock_map *c, int64_t ts)
{
	if (c->mul == c->div)
		return c->to == c->from ? ts : add_i64(sub_i64(ts, c->from), c->to);
	return add_i64(scale((__int128)ts - c->from, c->mul, c->div), c->to);
}

int64_t
clock_from(const struct clock_map *c, int64_t ts)
{
	if (c->mul == c->div)
		return c->to == c->from ? ts : add_i64(sub_i64(ts, c->to), c->from);
	return add_i64(scale((__int128)ts - c->to, c->div, c->mul), c->from);
}

bool
clock_same(const struct clock_map *a, const struct clock_map *b)
{
	return a->mul == b->mul && a->div == b->div &&
	    sub_i64(a->to, a->from) == sub_i64(b->to, b->from);
}

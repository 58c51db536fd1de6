/*
 * The total cost of making results again and again while a trace grows, with a simulated clock.
 */
#include "../support/test.h"
#include "tnav/base/task.h"

#define MS	INT64_C(1000000)
#define S	(1000 * MS)
#define TURN	(20 * MS)

struct cost {
	uint64_t	decoded;	/* events, in all runs */
	int64_t		spent;		/* time, in all runs */
	int64_t		stale;		/* the longest time between the starts of two runs */
};

/* A session of so many events per second. A run takes event_ns to decode one event. */
static struct cost
session(int64_t length, uint64_t per_s, int64_t event_ns)
{
	struct pace	p = { .n = 0 };
	struct cost	c = { 0 };
	int64_t		last = 0;

	for (int64_t now = TURN; now < length; now += TURN) {
		uint64_t	n = (uint64_t)(now / MS) * per_s / 1000;

		if (n <= p.n || !(pace_grown(&p, n) || pace_rested(&p, now)))
			continue;
		if (last > 0 && now - last > c.stale)
			c.stale = now - last;
		last = now;
		pace_begin(&p, n, now);
		c.decoded += n;
		c.spent += (int64_t)n * event_ns;
		now += (int64_t)n * event_ns;
		pace_end(&p, now);
	}
	return c;
}

/* Twice the session costs twice as much, not four times. */
TEST(the_cost_of_all_makings_is_linear_in_the_session)
{
	static const struct { uint64_t per_s; int64_t event_ns; } kind[] = {
		{ 100, 100 }, { 1000, 100 }, { 10000, 100 }, { 100000, 100 }, { 100000, 1000 },
		{ 1000, 20000 }, { 50000, 19000 },
	};

	for (unsigned i = 0; i < sizeof kind / sizeof *kind; i++) {
		for (int64_t length = 60 * S; length <= 8 * 3600 * S; length *= 2) {
			struct cost	c = session(length, kind[i].per_s, kind[i].event_ns);
			uint64_t	events = (uint64_t)(length / S) * kind[i].per_s;

			/* The time: an eighth of the session, and runs that grow by a quarter. */
			assert_true(c.spent <= length / 8 +
			    5 * (int64_t)events * kind[i].event_ns);
			/* The same in events, of which the trace itself counts five times. */
			assert_true(c.decoded <= (uint64_t)(length / 8 / kind[i].event_ns) +
			    5 * events);
		}
	}
}

/* Results that are cheap to make are never old. */
TEST(what_is_cheap_is_made_every_second)
{
	struct cost	c = session(3600 * S, 1000, 10);

	assert_in_range(c.stale, S, 2 * S);
	c = session(3600 * S, 1000, 100);		/* 0.36 s at last */
	assert_in_range(c.stale, S, 5 * S);
}

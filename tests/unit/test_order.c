/*
 * Sorting by time: any number of runs, of times that are spread evenly or not, comes out as a stable
 * sort has it, keys without an event among them.
 */
#include "engine/view/order.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "../support/noise.h"
#include "../support/test.h"

#define KEYS_MOST	70000u

enum times { SPREAD, FEW_DIFFERENT, CROWDED, FAR, TIMES };

static int64_t
random_time(enum times times)
{
	uint64_t	v = noise_bits();

	switch (times) {
	case FEW_DIFFERENT:
		return (int64_t)(v >> 8 & 7);
	case CROWDED:			/* nearly all in a small part of the range */
		return (v & 0xff) == 0 ? (int64_t)(v >> 24) : (int64_t)(v >> 54);
	case FAR:
		return (int64_t)v;
	default:
		return -20000000 + (int64_t)(v >> 38);
	}
}

/* Times in ascending runs of about so many. */
static void
make_keys(struct key_at *k, size_t n, enum times times, size_t run)
{
	size_t	from = 0;

	for (size_t i = 0; i < n; i++) {
		size_t	at = i;
		int64_t	ts = random_time(times);

		if (noise_bits() % run == 0)
			from = i;
		for (; at > from && k[at - 1].ts > ts; at--)
			k[at] = k[at - 1];
		k[at].ts = ts;
	}
	for (size_t i = 0; i < n; i++)
		k[i].at = (noise_bits() & 7) == 0 ? KEY_NOWHERE : (uint32_t)i;
}

struct placed {
	struct key_at	k;
	size_t		was;
};

SORT_ORDER(by_time, struct placed, RISING(k.ts) RISING(was))

static void
sort_and_compare(size_t n, enum times times, size_t run)
{
	struct key_at		*k = mem_alloc((n + 1) * sizeof *k);
	struct placed		*want = mem_alloc((n + 1) * sizeof *want);
	struct order_room	 room = { .key = NULL };

	make_keys(k, n, times, run);
	for (size_t i = 0; i < n; i++)
		want[i] = (struct placed){ k[i], i };
	qsort(want, n, sizeof *want, by_time);
	keys_sort(k, n, &room);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(k[i].ts, want[i].k.ts);
		assert_int_equal(k[i].at, want[i].k.at);
	}
	order_room_release(&room);
	mem_free(k);
	mem_free(want);
}

TEST(keys_come_out_as_a_stable_sort_has_them)
{
	static const size_t	some[] = { 0, 1, 2, 300, 5000, KEYS_MOST };
	static const size_t	run[] = { 1, 40, 400 };

	for (size_t i = 0; i < sizeof some / sizeof *some; i++)
		for (size_t r = 0; r < sizeof run / sizeof *run; r++)
			for (enum times t = SPREAD; t < TIMES; t++)
				sort_and_compare(some[i], t, run[r]);
}

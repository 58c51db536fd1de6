/*
 * Buckets and bins of time, compared with counting each time by itself.
 */
#include "../support/test.h"
#include "tnav/base/mem.h"
#include "tnav/engine/bins.h"

#define TIMES	60u
#define MOST	8u

struct counted {
	int64_t		ts;
	uint64_t	n;
};

static uint32_t
random_next(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

/* Each time is covered before it is counted. The second key counts the double. */
static void
count(struct bins *b, const struct counted *v, unsigned n)
{
	bins_init(b, MOST);
	bins_key(b);
	for (unsigned i = 0; i < n; i++) {
		bins_cover(b, v[i].ts);
		bins_add(b, 0, v[i].ts, v[i].n);
		if (i == 0)
			bins_key(b);
	}
	for (unsigned i = 0; i < n; i++)
		bins_add(b, 1, v[i].ts, v[i].n * 2);
}

/* The parts are the shortest that suffice, and each has what lies in it. */
static void
check_bins(const struct bins *b, const struct counted *v, unsigned n)
{
	int64_t		least = v[0].ts, greatest = v[0].ts;
	uint64_t	out[2][BINS_MOST];
	unsigned	parts = bins_get(b, 0, out[0]);

	for (unsigned i = 0; i < n; i++) {
		least = v[i].ts < least ? v[i].ts : least;
		greatest = v[i].ts > greatest ? v[i].ts : greatest;
	}
	assert_int_equal(bins_get(b, 1, out[1]), parts);
	assert_true(b->first == least >> b->shift && b->last == greatest >> b->shift);
	assert_int_equal(parts, b->last - b->first + 1);
	assert_in_range(parts, 1, MOST);
	if (b->shift > 0)
		assert_true((greatest >> (b->shift - 1)) - (least >> (b->shift - 1)) >= MOST);
	for (unsigned k = 0; k < parts; k++) {
		uint64_t	want = 0;

		for (unsigned i = 0; i < n; i++)
			if (v[i].ts >> b->shift == b->first + (int64_t)k)
				want += v[i].n;
		assert_int_equal(out[0][k], want);
		assert_int_equal(out[1][k], want * 2);
	}
}

/* As much later as there are bits, so that parts of all lengths occur, before and after 0. */
static void
fill(struct counted *v, unsigned bits, uint64_t *state)
{
	int64_t	from = (int64_t)(random_next(state) % 1000) - 500;

	for (unsigned i = 0; i < TIMES; i++)
		v[i] = (struct counted){ from + (int64_t)(random_next(state) >> (31 - bits)) -
		    ((int64_t)1 << bits) / 2, 1 + random_next(state) % 9 };
}

TEST(bins_are_the_shortest_that_suffice_in_any_order)
{
	struct counted	v[TIMES];
	uint64_t	state = 1;

	for (unsigned bits = 1; bits < 31; bits++) {
		struct bins	b;

		fill(v, bits, &state);
		for (unsigned n = 1; n <= TIMES; n += n < 4 ? 1 : 14) {
			count(&b, v, n);
			check_bins(&b, v, n);
			bins_release(&b);
		}
	}
}

TEST(merged_bins_are_those_of_all_times)
{
	struct counted	v[2 * TIMES];
	uint64_t	state = 2;

	for (unsigned bits = 0; bits < 30 * 30; bits++) {
		struct bins	a, b, none;

		fill(v, 1 + bits % 30, &state);
		fill(v + TIMES, 1 + bits / 30, &state);
		for (unsigned i = 0; i < TIMES; i++)	/* some lie far before, some far behind */
			v[TIMES + i].ts += (int64_t)(bits % 3 << bits % 29) - ((int64_t)1 << bits % 29);
		count(&a, v, TIMES);
		count(&b, v + TIMES, TIMES);
		bins_init(&none, MOST);
		bins_cover_all(&a, &none);
		bins_cover_all(&a, &b);
		bins_merge(&a, 0, &b, 0);
		bins_merge(&a, 1, &b, 1);
		check_bins(&a, v, 2 * TIMES);
		bins_cover_all(&none, &a);
		assert_true(none.first == a.first && none.last == a.last &&
		    none.shift == a.shift);
		bins_release(&a);
		bins_release(&b);
		bins_release(&none);
	}
}

TEST(without_times_there_are_no_bins)
{
	struct bins	b;
	uint64_t	out[BINS_MOST];

	bins_init(&b, MOST);
	bins_key(&b);
	assert_int_equal(bins_get(&b, 0, out), 0);
	bins_release(&b);
}

TEST(a_bucket_begins_with_its_first_tick)
{
	static const struct { int64_t from, to; unsigned n; } cases[] = {
		{ 0, 10, 10 }, { 0, 10, 3 }, { -7, 5, 4 }, { 100, 103, 8 }, { 5, 1000, 80 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		int64_t		from = cases[i].from, to = cases[i].to;
		unsigned	n = cases[i].n, at;

		for (int64_t ts = from; ts < to; ts++) {
			at = time_bucket(ts, from, to, n);
			assert_true(at < n);
			assert_true(time_bucket_start(at, from, to, n) <= ts);
			assert_true(ts < time_bucket_start(at + 1, from, to, n));
		}
		assert_int_equal(time_bucket_start(0, from, to, n), from);
		assert_int_equal(time_bucket_start(n, from, to, n), to);
		assert_int_equal(time_bucket(from - 1, from, to, n), 0);
		assert_int_equal(time_bucket(to, from, to, n), n - 1);
		assert_int_equal(time_bucket(INT64_MAX, from, to, n), n - 1);
		assert_int_equal(time_bucket(to - 1, from, to, 0), 0);
		assert_int_equal(time_bucket(to - 1, from, to, 1), 0);
		assert_int_equal(time_bucket(to, from, from, n), 0);
	}
}

/* Threads 1 and 257 share a place among the recent ones. */
TEST(a_run_has_one_thread_and_one_bucket)
{
	static const struct { uint32_t thread; int64_t bucket; uint32_t size; } events[] = {
		{ 1, 0, 10 }, { 2, 0, 1 }, { 1, 0, 20 }, { 257, 0, 3 }, { 1, 0, 5 }, { 2, 0, 1 },
		{ 1, 1, 7 },
	};
	static const struct thread_run	want[] = {
		{ 1, 2, 0, 30 }, { 2, 2, 0, 2 }, { 257, 1, 0, 3 }, { 1, 1, 0, 5 }, { 1, 1, 1, 7 },
	};
	struct runs	s = { 0 };

	for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
		runs_add(&s, &(struct event){ .thread = events[i].thread, .size = events[i].size },
		    events[i].bucket);
	assert_int_equal(s.n, sizeof want / sizeof want[0]);
	for (size_t i = 0; i < s.n; i++)
		assert_true(s.v[i].thread == want[i].thread && s.v[i].n == want[i].n &&
		    s.v[i].bucket == want[i].bucket && s.v[i].bytes == want[i].bytes);
	mem_free(s.v);
}

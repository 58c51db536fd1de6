/*
 * Durations by name: each is given once, and the duration of each rank is that of a sorted list,
 * for any size, number and order.
 */
#include "analysis/spans/durs.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "../support/noise.h"
#include "../support/test.h"

#define NAMES	5u

/* A random duration; its distribution depends on the name. */
static int64_t
random_dur(uint32_t name)
{
	uint64_t	v = noise_bits();

	switch (name) {
	case 0:
		return (int64_t)(v % 3000);
	case 1:
		return 15000000 + (int64_t)(v % 7);		/* nearly all alike */
	case 2:
		return (int64_t)(v >> (1 + v % 63));		/* of any size */
	case 3:
		return (int64_t)v;				/* negative ones, too */
	default:
		return v % 2 == 0 ? INT64_MAX : (int64_t)UINT32_MAX - 1 + (int64_t)(v % 4);
	}
}

static void
check_name(const struct durs *d, uint32_t name, int64_t *v, size_t n)
{
	uint64_t	rank[DUR_RANKS];
	int64_t		out[DUR_RANKS];

	qsort(v, n, sizeof *v, compare_i64);
	for (unsigned turn = 0; turn < 8; turn++) {
		for (unsigned k = 0; k < DUR_RANKS; k++)
			rank[k] = turn == 0 ? k % 2 * (n - 1) : noise_bits() % n;
		durs_ranks(d, name, v[n - 1], rank, out);
		for (unsigned k = 0; k < DUR_RANKS; k++)
			assert_int_equal(out[k], v[rank[k]]);
	}
}

/* Counts the durations of each name. */
static void
count_given(void *arg, uint32_t name, const uint32_t *v, uint32_t words, bool wide)
{
	(void)v;
	((size_t *)arg)[name] += wide ? words / 2 : words;
}

/* n durations of each name. */
static void
check_durs(size_t n)
{
	size_t		given[NAMES] = { 0 };
	struct durs	d;
	int64_t		*v[NAMES];

	durs_init(&d, count_given, given);
	for (uint32_t name = 0; name < NAMES; name++)
		v[name] = mem_alloc(n * sizeof **v);
	for (size_t i = 0; i < n; i++) {
		for (uint32_t name = 0; name < NAMES; name++) {
			v[name][i] = random_dur(name);
			durs_add(&d, name, v[name][i]);
		}
	}
	durs_give(&d);
	assert_false(d.no_room);
	for (uint32_t name = 0; name < NAMES; name++) {
		assert_int_equal(given[name], n);
		check_name(&d, name, v[name], n);
		mem_free(v[name]);
	}
	durs_release(&d);
}

TEST(a_rank_is_what_sorting_finds)
{
	static const size_t	n[] = { 1, 2, 7, 1000, 40000 };

	for (size_t i = 0; i < sizeof n / sizeof *n; i++)
		check_durs(n[i]);
}

/* More than are kept in memory. */
TEST(what_is_put_into_a_file_is_found)
{
	check_durs(1200000);
}

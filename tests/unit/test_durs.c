/*
 * Durations by name: the duration of each rank is that of a sorted list, for any size, number and
 * order, and any division among collectors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/spans/durs.h"
#include "tnav/base/mem.h"
#include "../support/noise.h"

#define PARTS	3u
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

static int
by_value(const void *a, const void *b)
{
	const int64_t	*x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void
check_name(const struct dur_pool *p, uint32_t name, int64_t *v, size_t n)
{
	uint64_t	rank[DUR_RANKS];
	int64_t		out[DUR_RANKS];

	qsort(v, n, sizeof *v, by_value);
	for (unsigned turn = 0; turn < 8; turn++) {
		for (unsigned k = 0; k < DUR_RANKS; k++)
			rank[k] = turn == 0 ? k % 2 * (n - 1) : noise_bits() % n;
		dur_pool_ranks(p, name, v[n - 1], rank, out);
		for (unsigned k = 0; k < DUR_RANKS; k++)
			assert_int_equal(out[k], v[rank[k]]);
	}
}

/* n durations of each name. */
static void
check_pool(size_t n)
{
	struct dur_pool	*p = dur_pool_new();
	struct durs	 part[PARTS];
	int64_t		*v[NAMES];

	for (unsigned i = 0; i < PARTS; i++)
		durs_init(&part[i], p, NULL, NULL);
	for (uint32_t name = 0; name < NAMES; name++) {
		v[name] = mem_alloc(n * sizeof **v);
		for (size_t i = 0; i < n; i++) {
			v[name][i] = random_dur(name);
			durs_add(&part[noise_bits() % PARTS], name, v[name][i]);
		}
	}
	for (unsigned i = 0; i < PARTS; i++) {
		durs_give(&part[i]);
		durs_release(&part[i]);
	}
	assert_false(dur_pool_no_room(p));
	for (uint32_t name = 0; name < NAMES; name++) {
		check_name(p, name, v[name], n);
		mem_free(v[name]);
	}
	dur_pool_free(p);
}

static void
test_a_rank_is_what_sorting_finds(void **state)
{
	static const size_t	n[] = { 1, 2, 7, 1000, 40000 };

	(void)state;
	for (size_t i = 0; i < sizeof n / sizeof *n; i++)
		check_pool(n[i]);
}

/* More than are kept in memory. */
static void
test_what_is_put_into_a_file_is_found(void **state)
{
	(void)state;
	check_pool(1200000);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_a_rank_is_what_sorting_finds),
		cmocka_unit_test(test_what_is_put_into_a_file_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Exact sums of doubles, in any order, compared with 128-bit sums of whole numbers.
 */
#include "../support/noise.h"
#include "../support/test.h"
#include "tnav/base/sum.h"

#define MANY	1000u

/* A whole number of up to 100 bits that is a double. */
static __int128
random_whole(void)
{
	__int128	v = (__int128)(noise_bits() >> 11) << noise_bits() % 48;

	return noise_bits() & 1 ? v : -v;
}

TEST(a_sum_is_the_nearest_double_in_any_order)
{
	__int128	v[MANY];
	double		value;

	for (unsigned round = 0; round < 200; round++) {
		unsigned	n = 1 + (unsigned)(noise_bits() % MANY);
		struct sum	up = { .n = 0 }, down = { .n = 0 }, half = { .n = 0 };
		__int128	all = 0;

		for (unsigned i = 0; i < n; i++) {
			v[i] = random_whole();
			all += v[i];
			sum_add(&up, (double)v[i]);
			sum_add(i % 2 ? &down : &half, (double)v[i]);
		}
		sum_merge(&down, &half);
		assert_true(sum_value(&up, &value));
		assert_true(value == (double)all);
		assert_true(sum_value(&down, &value));
		assert_true(value == (double)all);
		sum_release(&up);
		sum_release(&down);
		sum_release(&half);
	}
}

TEST(what_is_small_is_not_lost_beside_what_is_large)
{
	static const double	 v[] = { 1e100, 1, -1e100, 0x1p53, 1, 0x1p-60, -0x1p53 };
	struct sum		 s = { .n = 0 };
	double			 value;

	for (size_t i = 0; i < sizeof v / sizeof v[0]; i++)
		sum_add(&s, v[i]);
	assert_true(sum_value(&s, &value));
	assert_true(value == 2);		/* and 2^-60, which rounding takes */
	sum_add(&s, -2);
	assert_true(sum_value(&s, &value));
	assert_true(value == 0x1p-60);
	sum_release(&s);
}

TEST(half_way_what_is_below_decides)
{
	struct sum	s = { .n = 0 };
	double		value;

	sum_add(&s, 0x1p53);
	sum_add(&s, 1);
	assert_true(sum_value(&s, &value));
	assert_true(value == 0x1p53);		/* the tie goes to the even one */
	sum_add(&s, 0x1p-20);
	assert_true(sum_value(&s, &value));
	assert_true(value == 0x1p53 + 2);
	sum_release(&s);
}

TEST(a_sum_beyond_doubles_has_no_value)
{
	struct sum	s = { .n = 0 };
	double		value;

	assert_true(sum_value(&s, &value));
	assert_true(value == 0);
	sum_add(&s, 1.7e308);
	sum_add(&s, 1.7e308);
	assert_false(sum_value(&s, &value));
	sum_release(&s);
}

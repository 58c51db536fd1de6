/*
 * Arrays by index that grow, and bisection.
 */
#include <stdbool.h>

#include "../support/test.h"
#include "tnav/base/array.h"
#include "tnav/base/mem.h"

TEST(what_a_longer_array_adds_is_zero)
{
	uint32_t	*v = NULL;
	size_t		 n = 0;

	for (size_t i = 0; i < 1000; i += 7) {
		v = array_reach(v, &n, i, sizeof *v);
		assert_true(n > i);
		for (size_t k = 0; k < n; k++)
			assert_int_equal(v[k], k < i && k % 7 == 0 ? k + 1 : 0);
		v[i] = (uint32_t)i + 1;
	}
	array_clear(v, n, sizeof *v);
	for (size_t k = 0; k < n; k++)
		assert_int_equal(v[k], 0);
	mem_free(v);
	array_clear(NULL, 0, sizeof *v);
}

TEST(an_array_that_has_the_index_stays)
{
	size_t	 n = 0, had;
	char	*v = array_reach(NULL, &n, 20, 1);

	had = n;
	for (size_t i = 0; i < had; i++)
		assert_ptr_equal(array_reach(v, &n, i, 1), v);
	assert_int_equal(n, had);
	mem_free(v);
}

/* Each key below, in and above arrays of each length finds the place that a walk finds. */
TEST(bisection_finds_the_first_that_is_not_before)
{
	static const int	v[] = { 1, 3, 3, 3, 5, 7, 9, 9, 11, 13, 15 };

	for (size_t n = 0; n <= sizeof v / sizeof *v; n++)
		for (int key = 0; key < 17; key++) {
			size_t	at = 0, walked = 0;

			BISECT(at, n, i, v[i] < key);
			while (walked < n && v[walked] < key)
				walked++;
			assert_int_equal(at, walked);
		}
}

/* Is i below a million? Counts how often this is asked. */
static bool
below_a_million(size_t i, unsigned *steps)
{
	++*steps;
	return i < 1000000;
}

TEST(bisection_begins_at_its_variable_and_takes_few_steps)
{
	size_t		at = 4;
	unsigned	steps = 0;

	BISECT(at, 4, i, i < 100);
	assert_int_equal(at, 4);
	BISECT(at, SIZE_MAX, i, below_a_million(i, &steps));
	assert_int_equal(at, 1000000);
	assert_true(steps <= 64);
}

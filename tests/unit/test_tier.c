/*
 * Samples of long tests: as many as asked for, the same for the same seed, all in make check-all.
 */
#include "../support/test.h"
#include "../support/tier.h"

#define ITEMS	100u

static size_t
count(const bool *take)
{
	size_t	n = 0;

	for (size_t i = 0; i < ITEMS; i++)
		n += take[i];
	return n;
}

TEST(a_sample_has_as_many_items_as_asked_for)
{
	bool	take[ITEMS], ever[ITEMS] = { false };

	unsetenv("TNAV_CHECK_PART");
	for (int round = 0; round < 500; round++) {
		assert_int_equal(check_sample(take, ITEMS, 7), 7);
		assert_int_equal(count(take), 7);
		for (size_t i = 0; i < ITEMS; i++)
			ever[i] |= take[i];
	}
	assert_int_equal(count(ever), ITEMS);
	assert_int_equal(check_sample(take, ITEMS, ITEMS + 1), ITEMS);
	assert_int_equal(count(take), ITEMS);
}

TEST(check_all_leaves_nothing_out)
{
	bool	take[ITEMS];

	setenv("TNAV_CHECK_ALL", "1", 1);
	assert_true(check_all());
	assert_int_equal(check_sample(take, ITEMS, 1), ITEMS);
	assert_int_equal(count(take), ITEMS);
	setenv("TNAV_CHECK_ALL", "0", 1);
	assert_false(check_all());
}

TEST(a_part_comes_from_the_environment_but_not_where_all_is_checked)
{
	bool	take[ITEMS];

	unsetenv("TNAV_CHECK_PART");
	assert_int_equal(check_part(), 1);
	setenv("TNAV_CHECK_PART", "3", 1);
	assert_int_equal(check_part(), 3);
	assert_int_equal(check_sample(take, ITEMS, 7), 2);
	assert_int_equal(check_sample(take, ITEMS, 2), 1);
	assert_int_equal(check_sample(take, ITEMS, ITEMS), ITEMS / 3);
	setenv("TNAV_CHECK_PART", "0", 1);
	assert_int_equal(check_part(), 1);
	setenv("TNAV_CHECK_PART", "3", 1);
	setenv("TNAV_CHECK_ALL", "1", 1);
	assert_int_equal(check_part(), 1);
	unsetenv("TNAV_CHECK_ALL");
}

TEST(the_seed_comes_from_the_environment)
{
	assert_int_equal(check_seed(), 12345);
}

static int
begin_group(void)
{
	setenv("TNAV_SEED", "12345", 1);
	setenv("TNAV_CHECK_ALL", "", 1);
	return 0;
}

GROUP(begin_group, NULL)

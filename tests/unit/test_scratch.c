/*
 * Records of which there are more than fit in memory.
 */
#include "../support/test.h"
#include "tnav/io/scratch.h"

#define CHUNK	65536u		/* records of a piece of memory */

static uint64_t
value_at(const struct scratch *s, uint64_t i)
{
	return *(const uint64_t *)scratch_at(s, i);
}

static void
add(struct scratch *s, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		uint64_t	*p = scratch_add(s);

		assert_non_null(p);
		*p = scratch_n(s) - 1;
	}
}

static void
has_all(const struct scratch *s)
{
	for (uint64_t i = scratch_first(s); i < scratch_n(s); i++)
		assert_int_equal(value_at(s, i), i);
}

TEST(records_stay_where_they_are)
{
	struct scratch	*s = scratch_new(sizeof(uint64_t));
	uint64_t	*first;
	size_t		 run;

	add(s, 1);
	first = scratch_at(s, 0);
	add(s, 3 * CHUNK);
	assert_ptr_equal(scratch_at(s, 0), first);
	assert_int_equal(scratch_n(s), 3 * CHUNK + 1);
	has_all(s);
	(void)scratch_run(s, CHUNK - 10, &run);
	assert_int_equal(run, 10);
	scratch_cut(s, CHUNK + 5);
	add(s, CHUNK);
	has_all(s);
	scratch_free(s);
}

TEST(the_memory_of_forgotten_records_takes_later_ones)
{
	struct scratch	*s = scratch_new(sizeof(uint64_t));
	const void	*first, *second;

	add(s, 2 * CHUNK);
	first = scratch_at(s, 0);
	second = scratch_at(s, CHUNK);
	scratch_forget(s, CHUNK - 1);
	add(s, 1);
	assert_ptr_not_equal(scratch_at(s, 2 * CHUNK), first);
	scratch_forget(s, 2 * CHUNK);
	add(s, 2 * CHUNK);
	assert_ptr_equal(scratch_at(s, 3 * CHUNK), first);
	add(s, 1);
	assert_ptr_equal(scratch_at(s, 4 * CHUNK), second);
	has_all(s);
	for (unsigned i = 0; i < 20; i++) {
		scratch_forget(s, scratch_n(s) - i);
		add(s, CHUNK / 2 + i);
		has_all(s);
	}
	scratch_forget(s, scratch_n(s));
	add(s, 3 * CHUNK);
	has_all(s);
	scratch_free(s);
}

/*
 * Tallies: keys of any cells, found again, sorted by their counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "app/tally.h"

static void
test_every_key_is_found_again(void **state)
{
	struct tally	*y = tally_new(2);
	char		 name[16];

	(void)state;
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned i = 0; i < 5000; i++) {
			struct cell	c[2];

			snprintf(name, sizeof name, "%u", i);
			c[0] = cell_str(name);
			c[1] = cell_u64(i);
			assert_int_equal(tally_find(y, c), i);
		}
	}
	assert_int_equal(tally_sort(y), 5000);
	tally_free(y);
}

static void
test_cells_come_back_as_they_went_in(void **state)
{
	struct cell	 in[5] = { cell_str("a\nb"), cell_i64(-3), { .kind = CELL_NULL },
			    cell_raw("[1]", 3), cell_f64(0.5) };
	struct cell	 out[5];
	struct tally	*y = tally_new(5);

	(void)state;
	assert_int_equal(tally_find(y, in), 0);
	tally_cells(y, 0, out);
	for (int i = 0; i < 5; i++)
		assert_int_equal(out[i].kind, in[i].kind);
	assert_int_equal(out[0].text.len, 3);
	assert_memory_equal(out[0].text.p, "a\nb", 3);
	assert_true(out[1].i == -3);
	assert_memory_equal(out[3].text.p, "[1]", 3);
	assert_true(out[4].f == 0.5);
	tally_free(y);
}

static void
test_kinds_tell_keys_apart(void **state)
{
	struct cell	 one = cell_u64(1), text = cell_str("1"), yes = cell_bool(true);
	struct tally	*y = tally_new(1);

	(void)state;
	assert_int_equal(tally_find(y, &one), 0);
	assert_int_equal(tally_find(y, &text), 1);
	assert_int_equal(tally_find(y, &yes), 2);
	tally_free(y);
}

static void
test_most_events_come_first_and_equal_ones_keep_their_order(void **state)
{
	static const uint64_t	events[] = { 1, 7, 3, 7 }, sorted[] = { 1, 3, 2, 0 };
	struct tally		*y = tally_new(1);
	struct cell		 c;

	(void)state;
	for (uint64_t i = 0; i < 4; i++) {
		c = cell_u64(i);
		tally_count(y, tally_find(y, &c))->events = events[i];
	}
	assert_int_equal(tally_sort(y), 4);
	for (uint32_t i = 0; i < 4; i++) {
		tally_cells(y, i, &c);
		assert_int_equal(c.u, sorted[i]);
	}
	tally_free(y);
}

static void
test_long_texts_are_kept_up_to_the_limit(void **state)
{
	static char	 text[TALLY_TEXT_MAX + 2];
	struct cell	 c, out;
	struct tally	*y = tally_new(1);

	(void)state;
	memset(text, 'x', sizeof text - 1);
	c = cell_str(text);
	assert_int_equal(tally_find(y, &c), 0);
	tally_cells(y, 0, &out);
	assert_int_equal(out.text.len, TALLY_TEXT_MAX);
	tally_free(y);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_every_key_is_found_again),
		cmocka_unit_test(test_cells_come_back_as_they_went_in),
		cmocka_unit_test(test_kinds_tell_keys_apart),
		cmocka_unit_test(test_most_events_come_first_and_equal_ones_keep_their_order),
		cmocka_unit_test(test_long_texts_are_kept_up_to_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

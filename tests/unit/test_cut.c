/* Cutting the names of types and methods, and choosing the columns that have room. */
#include "../support/cases.h"
#include "tnav/analysis/cut.h"
#include "tnav/analysis/fit.h"

CASE(name)
{
	cut_name(out, arg[0], TEXT_ASCII, case_u64(arg[1]));
	assert_true(text_width(span_of_buf(out), TEXT_ASCII) <= case_u64(arg[1]));
}

CASE(brief)
{
	struct span	s = cut_brief(arg[0]);

	buf_add(out, s.p, s.len);
}

CASE(least)
{
	buf_u64(out, cut_least(arg[0], TEXT_ASCII));
}

CASES("cut.txt", 25)

TEST(no_cut_is_wider_than_its_room)
{
	static const char *const	names[] = {
		"System.List`1[System.String].Add(!0, !1) [async]", "(((", ")]>.", "a.b.c.d.e.f.g",
		"<>c__DisplayClass.<Main>b__0()", "libc.so.6!read+0x12", "..ctor", "a(b", "....",
		"\xce\xb1.\xce\xb2\xce\xb3\xce\xb4(\xce\xb5)",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (size_t cells = 3; cells < 50; cells++)
			for (int mode = TEXT_UTF8; mode <= TEXT_ASCII; mode++) {
				struct buf	*b = test_buf();

				cut_name(b, span_of(names[i]), (enum text_mode)mode, cells);
				assert_true(text_width(span_of_buf(b), (enum text_mode)mode) <= cells);
			}
}

/* type, thrown, share with a bar, and a state that is the same in all rows. */
static void
columns(struct fit_column c[4])
{
	c[0] = (struct fit_column){ .in = true, .full = 30, .least = 20,
	    .flags = FIT_WORDS | FIT_NAMES };
	c[1] = (struct fit_column){ .in = true, .full = 6, .least = 6 };
	c[2] = (struct fit_column){ .in = true, .full = 16, .least = 16, .bare = 7, .rank = 1 };
	c[3] = (struct fit_column){ .in = true, .full = 6, .least = 6,
	    .flags = FIT_WORDS | FIT_SAME };
}

TEST(all_columns_stay_where_there_is_room)
{
	struct fit_column	c[4];

	columns(c);
	assert_int_equal(fit_columns(c, 4, 70, 2), 6);
	assert_int_equal(c[0].w, 30);
	assert_int_equal(c[2].w, 16);
	assert_true(c[3].in);
}

TEST(what_is_the_same_in_all_rows_goes_first_then_bars_then_ranks)
{
	struct fit_column	c[4];

	columns(c);
	assert_int_equal(fit_columns(c, 4, 46, 2), 0);
	assert_false(c[3].in);
	assert_int_equal(c[2].w, 7);
	assert_int_equal(c[0].w, 29);
	columns(c);
	c[2].flags |= FIT_BARS;
	c[2].bare = 0;
	assert_int_equal(fit_columns(c, 4, 46, 2), 8);
	assert_false(c[2].in);
	assert_int_equal(c[0].w, 30);
	columns(c);
	assert_int_equal(fit_columns(c, 4, 40, 2), 0);
	assert_int_equal(c[2].w, 7);
	assert_int_equal(c[0].w, 23);
	columns(c);
	assert_int_equal(fit_columns(c, 4, 30, 2), 0);
	assert_false(c[2].in);
	assert_int_equal(c[0].w, 22);
}

TEST(a_name_is_cut_after_all_else_is_left_out)
{
	struct fit_column	c[4];

	columns(c);
	assert_int_equal(fit_columns(c, 4, 15, 2), 0);
	assert_false(c[1].in);
	assert_true(c[0].in);
	assert_int_equal(c[0].w, 15);
}

TEST(a_time_goes_before_a_duration_and_a_column_that_stays_stays)
{
	struct fit_column	c[3] = {
		{ .in = true, .full = 8, .least = 8, .flags = FIT_TIME },
		{ .in = true, .full = 8, .least = 8, .flags = FIT_DUR },
		{ .in = true, .full = 8, .least = 8, .flags = FIT_STAYS },
	};

	(void)fit_columns(c, 3, 20, 2);
	assert_false(c[0].in);
	assert_true(c[1].in);
	(void)fit_columns(c, 3, 8, 2);
	assert_false(c[1].in);
	assert_true(c[2].in);
}

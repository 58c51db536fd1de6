/* Cutting the names of types and methods, and choosing the columns that have room. */
#include "../support/test.h"
#include "tnav/analysis/cut.h"
#include "tnav/analysis/fit.h"

static const char *
cut(const char *name, size_t cells)
{
	struct buf	*b = test_buf();

	cut_name(b, span_of(name), TEXT_ASCII, cells);
	assert_true(text_width(span_of_buf(b), TEXT_ASCII) <= cells);
	return buf_str(b);
}

TEST(a_name_that_fits_is_not_cut)
{
	assert_string_equal(cut("Shop.Stock.Take(int)", 20), "Shop.Stock.Take(int)");
}

TEST(arguments_are_cut_first_and_keep_their_brackets)
{
	assert_string_equal(cut("Shop.Stock.Take(int, Shop.Truth)", 24), "Shop.Stock.Take(int, S~)");
	assert_string_equal(cut("Shop.Stock.Take(int, Shop.Truth)", 18), "Shop.Stock.Take(~)");
	assert_string_equal(cut("Shop.Stock.Take(int) [async]", 26), "Shop.Stock.Take(~) [async]");
}

TEST(namespaces_are_cut_before_the_last_part)
{
	assert_string_equal(cut("System.Net.Sockets.SocketException", 27),
	    "~Sockets.SocketException");
	assert_string_equal(cut("Shop.OutOfStockException", 21), "~OutOfStockException");
	assert_string_equal(cut("Shop.Stock.Take(int)", 10), "~Take(~)");
	assert_string_equal(cut("Shop.Stock.Take()", 8), "~Take()");
}

TEST(what_follows_the_own_name_of_the_last_part_goes_before_it)
{
	assert_string_equal(cut("System.Collections.Generic.List`1[System.String]", 16),
	    "~List`1[System.~");
	assert_string_equal(cut("Shop.Stock.Take(int)", 6), "~Take~");
	assert_string_equal(cut("S.Take(int)", 6), "~Take~");
	assert_string_equal(cut("Take(int)", 6), "Take(~");
	/* Not what is behind its brackets: an array of them is another type. */
	assert_string_equal(cut("System.Collections.Generic.List`1[System.String][]", 16),
	    "~List`1[Syste~[]");
	assert_string_equal(cut("System.Collections.Generic.List`1[System.String][]", 9),
	    "~List`1[~");
}

TEST(of_a_type_before_its_method_the_ends_stay_where_they_say_something)
{
	assert_string_equal(cut("System.Threading.ExecutionContext.RunInternal(int)", 26),
	    "Execu~ntext.RunInternal(~)");
	assert_string_equal(cut("System.Threading.ExecutionContext.RunInternal(int)", 21),
	    "~RunInternal(~)");
	assert_string_equal(cut("System.Threading.ExecutionContext", 12), "Execu~ontext");
	assert_string_equal(cut("ThreadPoolWorkerThreadAdjustment/Sample", 22), "ThreadP~ustment/Sample");
}

TEST(brackets_hide_separators)
{
	assert_string_equal(cut("System.List`1[System.String].Add(!0)", 8), "~Add(~)");
	assert_string_equal(cut("Shop.Day+<Step>d__10.MoveNext()", 30), "~Day+<Step>d__10.MoveNext()");
	assert_string_equal(cut("Shop.Stock.Shelf..ctor(int)", 16), "~Shelf..ctor(~)");
}

TEST(a_name_without_room_for_itself_is_cut_in_its_middle)
{
	assert_string_equal(cut("Shop.OutOfStockException", 11), "OutOf~ption");
	assert_string_equal(cut("OutOfStockException", 10), "OutO~ption");
}

TEST(the_indent_of_a_tree_stays)
{
	assert_string_equal(cut("    Shop.Stock.Take(int)", 22), "    Shop.Stock.Take(~)");
}

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

				cut_name(b, span_of(names[i]), mode, cells);
				assert_true(text_width(span_of_buf(b), mode) <= cells);
			}
}

TEST(in_brief_a_method_has_its_type_and_no_arguments)
{
	assert_true(span_is(cut_brief(span_of("Shop.Stocks.Stock.Take(int, Shop.Truth)")),
	    "Stock.Take"));
	assert_true(span_is(cut_brief(span_of("Shop.Stock.Take<Shop.Item>()")),
	    "Stock.Take<Shop.Item>"));
	assert_true(span_is(cut_brief(span_of("Shop.Stocks.Stock..ctor(int)")),
	    "Stocks.Stock..ctor"));
	assert_true(span_is(cut_brief(span_of("")), ""));
}

TEST(the_least_width_has_room_for_the_last_part)
{
	assert_int_equal(cut_least(span_of("Shop.OutOfStockException"), TEXT_ASCII), 20);
	assert_int_equal(cut_least(span_of("Shop.Stock.Take(int)"), TEXT_ASCII), 14);
	assert_int_equal(cut_least(span_of("Generic.List`1[Item][]"), TEXT_ASCII), 10);
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

/*
 * Tables: orders of rows, columns by name, and what is printed of one.
 */
#include "../support/test.h"
#include "tnav/analysis/table.h"
#include "tnav/base/mem.h"

/* Rows with a number, -1: none, a text and a parent, TABLE_NO_ROW: none. */
struct row {
	int64_t		 n;
	const char	*text;
	size_t		 parent;
};

#define TOP	TABLE_NO_ROW

static const struct table_column	columns[] = {
	{ .name = "n", .kind = CELL_U64 },
	{ .name = "text", .kind = CELL_TEXT },
	{ .name = "at", .kind = CELL_TIME, .flags = COLUMN_FIRST_UP },
	{ .name = "spark", .kind = CELL_SPARK, .flags = COLUMN_SCREEN },
};

static void
cell(void *src, size_t row, unsigned col, struct cell *out)
{
	const struct row	*r = &((const struct row *)src)[row];

	*out = (struct cell){ .kind = CELL_NULL };
	if (col == 1)
		*out = cell_str(r->text);
	else if (r->n >= 0)
		*out = col == 0 ? cell_u64((uint64_t)r->n) : cell_time(r->n);
}

static size_t
parent(void *src, size_t row)
{
	return ((const struct row *)src)[row].parent;
}

static struct table
table_of(const struct row *rows, size_t n)
{
	return (struct table){ .column = columns, .ncolumns = 4, .nrows = n, .src = (void *)rows,
	    .cell = cell, .parent = parent, .sort = TABLE_UNSORTED, .tie = TABLE_UNSORTED };
}

static void
need_order(const struct table *t, unsigned col, bool up, const char *want)
{
	struct table_order	o = { .n = 0 };
	struct buf		b;

	buf_init(&b);
	table_order_make(&o, t, col, up);
	for (size_t i = 0; i < o.n; i++)
		buf_printf(&b, "%s%u", i > 0 ? " " : "", o.row[i]);
	assert_string_equal(buf_str(&b), want);
	table_order_release(&o);
	buf_release(&b);
}

TEST(rows_sort_by_numbers_and_texts_and_what_is_missing_is_last)
{
	static const struct row	rows[] = {
		{ 5, "b", TOP }, { -1, NULL, TOP }, { 70, "a", TOP }, { 5, "ab", TOP },
		{ 0, "", TOP },
	};
	struct table	t = table_of(rows, 5);

	need_order(&t, TABLE_UNSORTED, true, "0 1 2 3 4");
	need_order(&t, 0, false, "2 0 3 4 1");		/* equal ones as they came */
	need_order(&t, 0, true, "4 0 3 2 1");
	need_order(&t, 1, true, "4 2 3 0 1");
	need_order(&t, 1, false, "0 3 2 4 1");
	t.nrows = 0;
	need_order(&t, 0, true, "");
}

TEST(numbers_of_64_bits_are_told_apart)
{
	static const struct row	rows[] = {
		{ INT64_MAX - 1, "", TOP }, { INT64_MAX, "", TOP }, { INT64_MAX - 2, "", TOP },
	};
	struct table	t = table_of(rows, 3);

	need_order(&t, 0, true, "2 0 1");
	need_order(&t, 2, false, "1 0 2");
}

/* Sums are digits where 64 bits have no room for them. */
TEST(numbers_of_more_than_64_bits_sort_between_the_others)
{
	static const char *const	up[] = {
		"-99999999999999999999",
		"-18446744073709551616", "9223372036854775808", "18446744073709551617",
		"221360928859030273626", "1955354871588220804522",
	};
	long double	last = 0, n;
	struct cell	c;

	for (size_t i = 0; i < sizeof up / sizeof *up; i++) {
		c = cell_raw(up[i], strlen(up[i]));
		assert_true(table_number(&c, &n));
		assert_true(i == 0 || n > last);
		last = n;
	}
	c = cell_raw("[1,2]", 5);
	assert_false(table_number(&c, &n));
	c = cell_raw("-", 1);
	assert_false(table_number(&c, &n));
	c = cell_raw("", 0);
	assert_false(table_number(&c, &n));
}

TEST(what_sorts_alike_stands_by_the_tie)
{
	static const struct row	rows[] = {
		{ 1, "same", TOP }, { 9, "same", TOP }, { 4, "same", TOP }, { 2, "a", TOP },
	};
	struct table	t = table_of(rows, 4);

	t.tie = 0;
	need_order(&t, 1, true, "3 1 2 0");
	need_order(&t, 1, false, "1 2 0 3");
}

TEST(children_stand_behind_their_parents_in_every_order)
{
	static const struct row	rows[] = {
		{ 1, "x", TOP }, { 7, "c", 0 }, { 8, "b", 0 }, { 3, "a", 2 }, { 5, "y", TOP },
		{ 2, "d", 4 }, { 6, "e", 2 },
	};
	struct table	t = table_of(rows, 7);

	need_order(&t, TABLE_UNSORTED, true, "0 1 2 3 6 4 5");
	need_order(&t, 0, false, "4 5 0 2 6 3 1");
	need_order(&t, 0, true, "0 1 2 3 6 4 5");
	need_order(&t, 1, false, "4 5 0 1 2 6 3");
	assert_int_equal(table_depth(&t, 6), 2);
	assert_int_equal(table_depth(&t, 4), 0);
}

/* Against a sort of another kind: each row is inserted in front of the first that is greater. */
TEST(orders_of_many_rows_are_those_of_an_insertion_sort)
{
	enum { N = 700 };
	static struct row	rows[N];
	struct table		t = table_of(rows, N);
	struct table_order	o = { .n = 0 };
	uint32_t		want[N];
	unsigned		seed = 12345;

	for (size_t i = 0; i < N; i++) {
		size_t	at = i;

		seed = seed * 1103515245u + 12345u;
		rows[i] = (struct row){ .n = seed >> 16 & 63, .text = "", .parent = TOP };
		while (at > 0 && rows[want[at - 1]].n > rows[i].n) {
			want[at] = want[at - 1];
			at--;
		}
		want[at] = (uint32_t)i;
	}
	table_order_make(&o, &t, 0, true);
	assert_int_equal(o.n, N);
	assert_memory_equal(o.row, want, sizeof want);
	table_order_release(&o);
}

TEST(columns_are_found_by_name_and_a_wrong_one_gives_near_names_or_all)
{
	struct table	t = table_of(NULL, 0);
	struct buf	why;

	buf_init(&why);
	assert_int_equal(table_find_column(&t, "text", 4, &why), 1);
	assert_int_equal(why.len, 0);
	assert_int_equal(table_find_column(&t, "texts", 5, NULL), 4);
	t.absent = 1u << 2;
	assert_int_equal(table_find_column(&t, "tex", 3, &why), 4);
	assert_string_equal(buf_str(&why), "unknown column \"tex\" (near: text)");
	buf_clear(&why);
	assert_int_equal(table_find_column(&t, "wrong", 5, &why), 4);
	assert_string_equal(buf_str(&why), "unknown column \"wrong\" (n, text, spark)");
	assert_false(table_in_files(&t, 2));
	assert_false(table_in_files(&t, 3));
	assert_true(table_in_files(&t, 0));
	assert_false(table_sorts_up(&t, 0));
	assert_true(table_sorts_up(&t, 1));
	assert_true(table_sorts_up(&t, 2));
	buf_release(&why);
}

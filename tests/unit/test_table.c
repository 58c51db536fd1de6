/*
 * Tables: orders of rows, columns by name, and what is printed of one.
 */
#include "../support/cases.h"
#include "../support/nt4_writer.h"
#include "../support/nt6_writer.h"
#include "../support/rows.h"
#include "tnav/analysis/page.h"
#include "tnav/analysis/table.h"
#include "tnav/analysis/tables.h"
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
	    .cell = cell, .parent = parent };
}

static void
need_order(const struct table *t, unsigned col, bool up, const char *want)
{
	struct table_order	 o = { .n = 0 };
	struct buf		*b = test_buf();

	table_order_make(&o, t, col, up);
	for (size_t i = 0; i < o.n; i++)
		buf_printf(b, "%s%u", i > 0 ? " " : "", o.row[i]);
	assert_string_equal(buf_str(b), want);
	table_order_release(&o);
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

	t.tie = 1;
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
	struct table	 t = table_of(NULL, 0);
	struct buf	*why = test_buf();

	assert_int_equal(table_find_column(&t, "text", 4, why), 1);
	assert_int_equal(why->len, 0);
	assert_int_equal(table_find_column(&t, "texts", 5, NULL), 4);
	t.absent = 1u << 2;
	assert_int_equal(table_find_column(&t, "tex", 3, why), 4);
	assert_string_equal(buf_str(why), "unknown column \"tex\" (near: text)");
	buf_clear(why);
	assert_int_equal(table_find_column(&t, "wrong", 5, why), 4);
	assert_string_equal(buf_str(why), "unknown column \"wrong\" (n, text, spark)");
	assert_false(table_in_files(&t, 2));
	assert_false(table_in_files(&t, 3));
	assert_true(table_in_files(&t, 0));
	assert_false(table_sorts_up(&t, 0));
	assert_true(table_sorts_up(&t, 1));
	assert_true(table_sorts_up(&t, 2));
}

/* The thread ids 5 and 7 are used twice. */
static void
write_incarnations(struct nt4_writer *w)
{
	static const struct nt4_event	events[] = {
		{ .tid = 5, .seq = 1, .ts = 50 },
		{ .tid = 5, .seq = 1, .ts = 60 },		/* another incarnation */
		{ .tid = 5, .seq = 4, .ts = 70 },		/* 2 and 3 are lost */
		{ .tid = 7, .seq = 1, .ts = 100 },
		{ .tid = 7, .seq = 3, .ts = 200 },		/* 2 is lost */
		{ .tid = 7, .seq = 1, .ts = 300 },		/* another incarnation */
		{ .tid = 7, .seq = 6, .ts = 400 },		/* 2 to 5 are lost */
		{ .tid = 7, .seq = 8, .ts = 500 },		/* 7 is lost */
		{ .tid = 9, .seq = 1, .ts = 550 },
		{ .tid = 9, .seq = 11, .ts = 600 },		/* 2 to 10 are lost */
	};

	nt4_begin(w, NULL, "P", "E", NULL, 0);
	nt4_block(w, "EventBlock", NT4_COMPRESSED);
	for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
		struct nt4_event	e = events[i];

		e.mid = 1;
		e.capture = e.tid;
		nt4_event(w, &e);
	}
	nt4_block_end(w);
	nt4_end(w);
}

/* A thread with a name and without an id; and without a process, if that is 0. */
static void
write_named(struct nt6_writer *w, unsigned index, unsigned pid, const char *name)
{
	nt6_number(w, 3 + strlen(name) + (pid > 0 ? 2 : 0), 2);
	nt6_number(w, index, 1);
	nt6_number(w, 1, 1);
	nt6_number(w, strlen(name), 1);
	nt6_bytes(w, name, strlen(name));
	if (pid > 0) {
		nt6_number(w, 2, 1);
		nt6_number(w, pid, 1);
	}
}

/* Both processes have a thread 101. */
static void
write_processes(struct nt6_writer *w)
{
	static const struct nt6_event	events[] = {
		{ .seq = 1, .thread = 2, .ticks = 100, .size = 2 },
		{ .seq = 3, .thread = 2, .ticks = 200 },		/* 2 is lost */
		{ .seq = 8, .thread = 2, .ticks = 300, .size = 4 },	/* 4 to 7 are lost */
		{ .seq = 1, .thread = 3, .ticks = 50 },
		{ .seq = 9, .thread = 3, .ticks = 600, .size = 8 },	/* 2 to 8 are lost */
		{ .seq = 1, .thread = 1, .ticks = 640, .size = 1 },
		{ .seq = 4, .thread = 1, .ticks = 645 },		/* 2 and 3 are lost */
		{ .seq = 1, .thread = 4, .ticks = 650, .size = 3 },
		{ .seq = 1, .thread = 5, .ticks = 630, .size = 5 },
		{ .seq = 1, .thread = 6, .ticks = 700 },
	};

	nt6_init(w);
	nt6_begin(w, NT6_METADATA);
	nt6_row(w, 1, "E");
	nt6_finish(w);
	nt6_begin(w, NT6_THREADS);
	nt6_thread_of(w, 1, 20, 101);
	nt6_thread_of(w, 2, 10, 101);
	nt6_thread_of(w, 3, 10, 102);
	write_named(w, 4, 20, "beta");
	write_named(w, 5, 20, "alpha");
	write_named(w, 6, 0, "gamma");
	nt6_thread_of(w, 7, 20, 103);		/* without events */
	nt6_finish(w);
	for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
		struct nt6_event	e = events[i];

		e.mid = 1;
		e.seq--;			/* an event adds 1 */
		nt6_begin(w, NT6_EVENTS);
		nt6_event(w, &e);
		nt6_finish(w);
	}
	nt6_end(w);
}

static void
put_threads(struct buf *b, struct trace *t, const struct threads_of *of)
{
	static const unsigned	 shown[] = { THREADS_TID, THREADS_PID, THREADS_INDEX, THREADS_NAME,
				    THREADS_EVENTS, THREADS_BYTES, THREADS_FIRST, THREADS_LAST,
				    THREADS_LOST, THREADS_GAPS, THREADS_SHARE,
				    THREADS_INCARNATIONS };
	struct table		*table = threads_table(t, of);

	for (size_t i = 0; i < table->nrows; i++) {
		struct table_evidence	e = { .kind = EVIDENCE_NONE };

		buf_printf(b, "%*s", 2 * (int)table_depth(table, i), "");
		if (!table->heading(table->src, i, b))
			buf_puts(b, "thread");
		for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
			struct cell	c;

			table->cell(table->src, i, shown[k], &c);
			buf_putc(b, '|');
			cell_text(b, &c, false);
		}
		table->evidence(table->src, i, &e);
		buf_printf(b, "|%s\n", buf_str(&e.filter));
		buf_release(&e.filter);
	}
	table_free(table);
}

/* A trace, and of what: a window in ns, a part, else all of it. */
CASE(tree)
{
	static const struct count	part[7] = {
		[0] = { .events = 1, .bytes = 1, .first = 640, .last = 640 },
		[1] = { .events = 2, .bytes = 6, .first = 100, .last = 300 },
		[3] = { .events = 1, .bytes = 3, .first = 650, .last = 650 },
	};
	struct nt4_writer		w4;
	struct nt6_writer		w6;
	long long			from, to;
	struct threads_of		of = { .tree = true, .to = INT64_MAX };
	bool				processes = span_is(arg[0], "processes");
	struct rows			*r;
	struct gap			*gaps;

	if (processes)
		write_processes(&w6);
	else
		write_incarnations(&w4);
	r = processes ? rows_open(w6.p, w6.len, NULL) : rows_open(w4.p, w4.len, NULL);
	if (sscanf(case_text(arg[1]), "%lld-%lld", &from, &to) == 2)
		of = (struct threads_of){ .tree = true, .window = true, .from = from, .to = to };
	else if (span_is(arg[1], "part"))
		of = (struct threads_of){ .tree = true, .part = part, .only_part = true };
	of.ngaps = trace_gaps(r->t, &gaps);
	of.gaps = gaps;
	put_threads(out, r->t, &of);
	mem_free(gaps);
	if (processes)
		nt6_release(&w6);
	else
		nt4_release(&w4);
}

CASE(grouped)
{
	struct cell	c = cell_i64(case_i64(arg[0]));

	c.show |= SHOW_GROUPED;
	cell_text(out, &c, false);
}

CASE(rounded)
{
	struct cell	c = cell_f64(case_f64(arg[0]));

	c.show |= SHOW_GROUPED;
	cell_text(out, &c, false);
}

CASES("table.txt", 12)

/* A word is broken only where it takes most of a line; items are indented, and know their row. */
TEST(a_page_wraps_at_words)
{
	static const struct {
		const char	*text;
		unsigned	 indent;
		size_t		 row;
	} want[] = {
		{ "Heading", 0, TABLE_NO_ROW }, { "one two three", 2, 7 }, { "four.five six", 4, 7 },
		{ "Microsoft-Windows-", 2, 8 }, { "DotNETRuntime", 4, 8 },
		{ "", 0, TABLE_NO_ROW }, { "Other", 0, TABLE_NO_ROW },
	};
	struct page		 p = { 0 };
	struct page_line	*line;

	page_heading(&p, "Heading");
	page_item(&p, 7);
	buf_puts(&p.text, "one two three  four.five six");
	page_item(&p, 8);
	buf_puts(&p.text, "Microsoft-Windows-DotNETRuntime");
	page_heading(&p, "Other");
	assert_int_equal(page_lines(&p, TEXT_UTF8, 22, &line), 7);
	for (size_t i = 0; i < 7; i++) {
		assert_true(spans_equal(line[i].text, span_of(want[i].text)));
		assert_int_equal(line[i].indent, want[i].indent);
		assert_int_equal(line[i].row, want[i].row);
	}
	mem_free(line);
	page_release(&p);
}

/*
 * Groups of rows: the figures of each group, in the order that it says; and totals from a summary.
 */
#include "../support/test.h"
#include "analysis/reports/common.h"
#include "analysis/reports/totals.h"
#include "tnav/base/limits.h"

enum {
	C_KIND, C_DUR, C_TID, C_STATE, C_COUNT, C_SHARE, C_THREADS, C_OPEN, C_TOTAL, C_MAX, C_LOST,
	C_GAPS, C_COLUMNS, C_KEY = C_COLUMNS
};
static const struct table_column	columns[C_COLUMNS] = {
	[C_KIND] = { .name = "kind", .kind = CELL_TEXT },
	[C_DUR] = { .name = "dur", .kind = CELL_DUR },
	[C_TID] = { .name = "tid", .kind = CELL_U64 },
	[C_STATE] = { .name = "state", .kind = CELL_TEXT },
	[C_COUNT] = { .name = "count", .kind = CELL_U64 },
	[C_SHARE] = { .name = "share", .kind = CELL_SHARE },
	[C_THREADS] = { .name = "threads", .kind = CELL_U64 },
	[C_OPEN] = { .name = "open", .kind = CELL_U64 },
	[C_TOTAL] = { .name = "total", .kind = CELL_DUR },
	[C_MAX] = { .name = "max", .kind = CELL_DUR },
	[C_LOST] = { .name = "lost", .kind = CELL_U64 },
	[C_GAPS] = { .name = "gaps", .kind = CELL_U64 },
};
static const struct figure_columns	figures = { .total = C_TOTAL, .max = C_MAX };

static const struct report		report;

#define FIGURE(col, what, in)	{ .to = (col), .how = FIGURE_##what, .from = (in) }
#define FIGURE_ROWS(col)	{ .to = (col), .how = FIGURE_COUNT }
#define FIGURE_WORD(col, in, text) \
	{ .to = (col), .how = FIGURE_COUNT, .from = (in), .word = (text) }

#define OF_KEY \
	FIGURE_ROWS(C_COUNT), FIGURE(C_DUR, STATISTICS, C_DUR), FIGURE(C_SHARE, SHARE, C_DUR), \
	FIGURE(C_THREADS, DIFFERENT, C_TID)
#define OF_ALL \
	FIGURE_ROWS(C_COUNT), FIGURE_WORD(C_OPEN, C_STATE, "open"), \
	FIGURE(C_DUR, STATISTICS, C_DUR), FIGURE(C_THREADS, GROUPS, 1)
static const struct grouping	groupings[] = {
	{ .kind = "byKey", .of = "wait", .key = { C_KEY }, .figure = { OF_KEY }, .sort = { C_DUR },
	    .best = C_DUR, .has_event = true },
	{ .kind = "byTid", .of = "wait", .key = { C_TID }, .shown = { C_TID }, .figure = { OF_KEY },
	    .sort = { C_COUNT }, .after = true, .filter = "tid = ", .filter_by = C_TID },
	{ .kind = "summary", .of = "wait", .figure = { OF_ALL } },
	{ .kind = NULL },
};

static void
put_wait(struct rows *r, uint64_t key, uint64_t tid, int64_t dur)
{
	row_begin(r, "wait");
	row_put(r, C_KEY, cell_u64(key));
	row_put(r, C_TID, cell_u64(tid));
	row_put(r, C_DUR, dur >= 0 ? cell_dur(dur) : cell_null());
	row_put(r, C_STATE, cell_str(dur >= 0 ? "paired" : "open"));
	row_event(r, 100 + dur, (uint64_t)(1000 + dur));
}

/* Key 7: 30 and 10 on threads 1 and 2; key 5: 60, and one that is open, on thread 2. */
static struct rows *
rows_of_four(void)
{
	struct rows		*r = rows_new(columns, C_COLUMNS);
	struct group_rows	*g = group_rows_new(r, groupings, &figures);

	put_wait(r, 7, 1, 30);
	put_wait(r, 7, 2, 10);
	put_wait(r, 5, 2, 60);
	put_wait(r, 5, 2, -1);
	row_begin(r, "other");
	row_put(r, C_KEY, cell_u64(7));
	group_rows_put(g, &report, NULL);
	group_rows_free(g);
	return r;
}

static struct cell
cell_at(struct table *t, size_t row, unsigned col)
{
	struct cell	c;

	t->cell(t->src, row, col, &c);
	return c;
}

static void
assert_text(struct cell c, const char *text)
{
	assert_int_equal(c.text.len, strlen(text));
	assert_memory_equal(c.text.p, text, c.text.len);
}

TEST(groups_come_first_and_the_summary_last)
{
	static const char *const	kind[] = { "byKey", "byKey", "wait", "wait", "wait", "wait",
						    "other", "byTid", "byTid", "summary" };
	struct rows			*r = rows_of_four();
	struct table			*t = rows_table(r, NULL);

	assert_int_equal(t->nrows, sizeof kind / sizeof *kind);
	for (size_t i = 0; i < t->nrows; i++)
		assert_text(cell_at(t, i, C_KIND), kind[i]);
	table_free(t);
	rows_free(r);
}

TEST(a_group_has_the_figures_of_its_rows)
{
	struct rows		*r = rows_of_four();
	struct table		*t = rows_table(r, "byKey");
	struct table_evidence	 e;

	assert_int_equal(cell_at(t, 0, C_TOTAL).i, 60);		/* key 5 has the greatest sum */
	assert_int_equal(cell_at(t, 0, C_COUNT).u, 2);
	assert_int_equal(cell_at(t, 0, C_THREADS).u, 1);
	assert_true(cell_at(t, 0, C_SHARE).f == 0.6);
	assert_int_equal(cell_at(t, 1, C_TOTAL).i, 40);
	assert_int_equal(cell_at(t, 1, C_MAX).i, 30);
	assert_int_equal(cell_at(t, 1, C_THREADS).u, 2);
	assert_true(cell_at(t, 1, C_SHARE).f == 0.4);
	assert_true(t->evidence(t->src, 0, &e));
	assert_int_equal(e.kind, EVIDENCE_EVENT);
	assert_int_equal(e.ts, 160);
	table_free(t);
	rows_free(r);
}

TEST(a_filter_ends_with_the_value_that_is_shown)
{
	struct rows		*r = rows_of_four();
	struct table		*t = rows_table(r, "byTid");
	struct table_evidence	 e = { .kind = EVIDENCE_NONE };

	assert_int_equal(cell_at(t, 0, C_TID).u, 2);
	assert_int_equal(cell_at(t, 0, C_COUNT).u, 3);
	assert_true(t->evidence(t->src, 0, &e));
	assert_string_equal(buf_str(&e.filter), "tid = 2");
	buf_release(&e.filter);
	table_free(t);
	rows_free(r);
}

static void
assert_left_out(const struct rows *r, const char *words)
{
	struct buf	b = { 0 };

	rows_remarks(r, &b);
	assert_true(span_begins(span_of_buf(&b), words));
	buf_release(&b);
}

TEST(rows_beyond_the_limit_are_counted_and_left_out)
{
	struct rows		*r = rows_new(columns, C_COLUMNS);
	struct group_rows	*g = group_rows_new(r, groupings, &figures);
	struct table		*t;

	for (uint32_t i = 0; i < LIMIT_REPORT_ROWS + 5u; i++)
		put_wait(r, i % 3, 1, 10);
	assert_left_out(r, "5 more rows");
	group_rows_put(g, &report, NULL);
	t = rows_table(r, "summary");
	assert_int_equal(cell_at(t, 0, C_COUNT).u, LIMIT_REPORT_ROWS + 5u);
	table_free(t);
	t = rows_table(r, "byKey");
	assert_int_equal(t->nrows, 3);
	table_free(t);
	t = rows_table(r, "wait");
	assert_int_equal(t->nrows, LIMIT_REPORT_ROWS - 3);
	assert_left_out(r, "9 more rows");		/* the row by thread does not fit either */
	table_free(t);
	group_rows_free(g);
	rows_free(r);
}

#define SUMS \
	FIGURE(C_STATE, COUNTS, C_STATE), FIGURE(C_DUR, JSON, C_DUR), \
	FIGURE(C_TOTAL, TOTAL, C_DUR)
static const struct grouping	only_sums[] = {
	{ .kind = "summary", .of = "wait", .figure = { SUMS } },
	{ .kind = NULL },
};

static void
assert_sums(size_t n, const char *states, const char *durs, struct cell total)
{
	struct rows		*r = rows_new(columns, C_COLUMNS);
	struct group_rows	*g = group_rows_new(r, only_sums, &figures);
	struct table		*t;

	put_wait(r, 1, 1, -1);
	for (size_t i = 0; i < n; i++)
		put_wait(r, 1, 1, 20);
	group_rows_put(g, &report, NULL);
	t = rows_table(r, "summary");
	assert_text(cell_at(t, 0, C_STATE), states);
	assert_text(cell_at(t, 0, C_DUR), durs);
	assert_int_equal(cell_at(t, 0, C_TOTAL).kind, total.kind);
	assert_int_equal(cell_at(t, 0, C_TOTAL).u, total.u);
	assert_int_equal(cell_at(t, 0, C_MAX).kind, CELL_NONE);
	table_free(t);
	group_rows_free(g);
	rows_free(r);
}

TEST(texts_are_counted_in_order_and_a_total_of_nothing_is_null)
{
	assert_sums(2, "{\"open\":1,\"paired\":2}", "{\"count\":2,\"total\":40,\"min\":20,"
	    "\"mean\":20,\"p50\":20,\"p90\":20,\"p99\":20,\"p999\":20,\"max\":20}",
	    cell_dur(40));
	assert_sums(0, "{\"open\":1}", "{\"count\":0,\"total\":0}", cell_null());
}

TEST(hidden_rows_are_only_in_groups)
{
	struct rows		*r = rows_new(columns, C_COLUMNS);
	struct group_rows	*g = group_rows_new(r, groupings, &figures);
	struct table		*t;

	row_begin(r, "wait");
	row_hide(r);
	row_put(r, C_TID, cell_u64(3));
	group_rows_put(g, &report, NULL);
	t = rows_table(r, NULL);
	assert_int_equal(t->nrows, 2);
	assert_text(cell_at(t, 0, C_KIND), "byTid");
	assert_text(cell_at(t, 1, C_KIND), "summary");
	table_free(t);
	group_rows_free(g);
	rows_free(r);
}

static void
check_totals(const char *format, const char *want)
{
	struct rows	*r = rows_of_four();
	struct buf	*b = test_buf();

	totals_put(r, C_COLUMNS, format, b);
	assert_string_equal(buf_str(b), want);
	rows_free(r);
}

TEST(totals_follow_the_format)
{
	check_totals("{count|wait|waits} of {threads|thread|threads}",
	    "4 waits of 2 threads");
	check_totals("{open|wait has|waits have} no end", "1 wait has no end");
	check_totals("{count}[, {open} open][, {lost} lost][ in {total}]", "4, 1 open in 100 ns");
	check_totals("{dur.max} or {dur.nothing}.", "60 ns or .");
	check_totals("[+open {open} open][0open all ended][+tid of {tid}]", "1 open");
	check_totals("[+gaps {gaps}][0gaps none][0threads no thread]", "");
	check_totals("[?lost lost {count}][!lost loss unknown][!count no count]", "loss unknown");
}

/*
 * The events pane: columns, pages, rows of a filtered list. tests/golden/screens has the rest.
 */
#include "../support/desk.h"
#include "../support/test.h"
#include "ui/view/column.h"

#define DEMO	"tests/data/demo.nettrace"

TEST(a_set_of_columns_reads_back_from_its_text)
{
	struct column_set	 cs = { .n = 0 };
	struct buf		*text = test_buf(), *why = test_buf();

	columns_default(&cs);
	assert_true(columns_set(&cs, "event, label.TraceId,payload.a.b,time", why));
	columns_text(&cs, text);
	assert_string_equal(buf_str(text), "event,label.TraceId,payload.a.b,time");
	assert_false(columns_set(&cs, "", why));
	assert_false(columns_set(&cs, "event,nope", why));
	buf_clear(text);
	columns_text(&cs, text);
	assert_string_equal(buf_str(text), "event,label.TraceId,payload.a.b,time");
	columns_release(&cs);
}

/* Down and up through all pages, with blocks, gaps and repeats: the same rows from both sides. */
DESK_TEST(pages_with_rows_between_events_meet_every_event, DEMO, 12, 80)
{
	struct view	*v = &d->ui->v;
	uint64_t	 row = 0;

	desk_do(d, "B");
	for (int i = 0; i < 40; i++) {
		desk_do(d, "<Space>");
		assert_true(v->sel.row > row && v->sel.row - row < 10);
		row = v->sel.row;
	}
	for (int i = 0; i < 60 && v->sel.row > 0; i++) {
		desk_do(d, "b");
		assert_true(row - v->sel.row < 10);
		row = v->sel.row;
	}
	assert_int_equal(v->sel.row, 0);
}

/* Each row of the filtered list, met from any side, is the one that the query counts out. */
DESK_TEST(rows_of_a_filtered_list_are_those_of_its_query, DEMO, 24, 80)
{
	struct view	*v = &d->ui->v;
	uint64_t	 n, a, b, i = 7;

	desk_do(d, ":`filter name ~ Alloc or tid = 15` <Enter>");
	n = view_count(v);
	assert_true(n > 1000 && n < trace_rows(d->t));
	for (int k = 0; k < 6000; k++) {
		i = k < 1500 ? (uint64_t)k % n : k < 3000 ? (n - 1 + n - (uint64_t)k % n) % n :
		    (i * 6364136223846793005u + 1442695040888963407u) % n;
		assert_int_equal(view_row(v, i, &a), 1);
		assert_int_equal(query_row(v->filter.q, i, &b), 1);
		assert_int_equal(a, b);
	}
	assert_int_equal(view_row(v, n, &a), 0);
	desk_do(d, "X");
	assert_int_equal(view_row(v, 3, &a), 1);
	assert_int_equal(a, 3);
}

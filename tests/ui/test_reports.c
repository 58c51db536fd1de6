/*
 * Reports in the viewer: the menu, one pane for all of them, where Enter goes, window and filter.
 */
#include <unistd.h>

#include "../support/desk.h"
#include "../support/test.h"
#include "analysis/reports/common.h"
#include "tnav/analysis/report.h"
#include "ui/view/reporting.h"

#define DEMO	"tests/data/demo.nettrace"
#define TOUR	"tests/data/tour.nettrace.zst"
#define OTHER	"tests/data/features/v4-headers-only.nettrace"

/* A result that arrives during a frame needs another frame, so it is not taken by drawing. */
DESK_TEST(a_report_does_not_change_during_a_frame, TOUR, 24, 80)
{
	struct reporting	*r = &d->ui->v.reporting;
	uint64_t		 stamp;

	desk_do(d, "M-0");
	stamp = r->stamp;
	view_change(&d->ui->v, VIEW_SCOPE);
	for (unsigned i = 0; i < 100; i++) {
		assert_true(reporting_step(r, 0));
		assert_true(r->stamp == stamp);
		usleep(10000);
	}
	while (reporting_step(r, 1000000))
		;
	assert_true(r->stamp != stamp);
}

/* Each of the registry, on a trace that has what it reads or not: a pane, and no crash. */
TEST(each_report_is_shown_by_its_name)
{
	static const char *const	trace[] = { DEMO, OTHER };
	char				keys[64];

	for (size_t t = 0; t < sizeof trace / sizeof *trace; t++) {
		struct desk	d = desk_open(trace[t], 24, 80, t == 1, NULL);

		for (unsigned i = 0; i < REPORTS; i++) {
			snprintf(keys, sizeof keys, ": `%s` <Enter>", reports[i]->name);
			desk_try(&d, keys, reports[i]->title);
			desk_try(&d, "p p > <Down> <Enter> I G z M-p M-p M-p M-p z", reports[i]->title);
		}
		desk_close(&d);
	}
}

/* The index is complete, but the viewer has not looked yet when the keys come. */
TEST(a_report_that_is_asked_for_early_waits_for_names)
{
	struct ui_options	 o = { .color = UI_COLOR_AUTO };
	struct desk		 d = desk_open(TOUR, 24, 80, false, NULL);
	struct buf		*why = test_buf();

	ui_free(d.ui);
	d.ui = ui_new(d.t, &o, memterm_screen(d.m), why);
	assert_non_null(d.ui);
	memterm_press(d.m, ":");
	memterm_type(d.m, "samples");
	desk_do(&d, "<Enter>");
	desk_need(&d, "WaitHandle.WaitOne");
	desk_close(&d);
}

/* H has something to show only where a clean name is not the one in the trace. */
TEST(names_that_are_clean_already_are_no_other_names)
{
	static const struct table_column	column[] = {
		{ .name = "kind", .kind = CELL_TEXT }, { .name = "method", .kind = CELL_TEXT },
	};
	static const char *const		raw[] = { "Shop.Price()", "<Price>d__1.MoveNext()" };

	for (unsigned i = 0; i < 4; i++) {
		struct rows	*r = rows_new(column, 2);
		struct table	*t;
		struct cell	 c = { .kind = CELL_NONE };

		row_begin(r, "method");
		if (i / 2 == 0)
			row_name(r, 1, span_of(raw[i % 2]), span_of(raw[0]));
		else
			row_clean_name(r, 1, span_of(raw[0]), span_of(raw[i % 2]));
		t = rows_table(r, NULL);
		assert_int_equal(t->has_names, i % 2);
		for (unsigned k = 0; k < 2; k++) {
			t->raw_names = k == 1;
			t->cell(t->src, 0, 1, &c);
			assert_true(spans_equal(c.word, span_of(raw[k == 1 ? i % 2 : 0])));
		}
		table_free(t);
		rows_free(r);
	}
}

/*
 * Reports in the viewer: the menu, one pane for all of them, where Enter goes, window and filter.
 */
#include <unistd.h>

#include "../support/desk.h"
#include "../support/test.h"
#include "analysis/reports/common.h"
#include "tnav/analysis/report.h"
#include "tnav/base/buf.h"
#include "ui/view/reporting.h"

#define DEMO	"tests/data/demo.nettrace"
#define TOUR	"tests/data/tour.nettrace.zst"
#define CUT	"tests/data/spans/cut-gc.nettrace"
#define OTHER	"tests/data/features/v4-headers-only.nettrace"
#define COUNTERS_ONLY

static void
check_menu(int rows, int cols, bool ascii)
{
	struct desk	d = desk_open(DEMO, rows, cols, ascii, NULL);

	desk_do(&d, "M-8");
	desk_need(&d, "have events here");
	desk_need(&d, "list garbage collections");
	desk_need(&d, " 572 ");
	desk_do(&d, "g");
	desk_need(&d, "60 collections (gen0 45, gen1 4, gen2 11)");
	desk_need(&d, "paused 33.56");
	desk_need(&d, "60 rows");
	desk_do(&d, "q");
	desk_need_not(&d, "60 collections");
	desk_close(&d);
}

TEST(the_menu_shows_a_report_by_its_letter)
{
	check_menu(24, 80, false);
	check_menu(24, 80, true);
	check_menu(50, 200, false);
}

TEST(enter_goes_to_the_collection)
{
	struct desk	d = desk_open(DEMO, 50, 200, false, NULL);

	desk_do(&d, ": `gc` <Enter>");
	desk_do(&d, "j <Enter>");
	desk_need_bottom(&d, "row ");
	desk_need(&d, "Count=2 Depth=1");
	desk_close(&d);
}

TEST(a_report_without_rows_has_no_empty_plot)
{
	struct desk	d = desk_open(DEMO, 50, 200, false, NULL);

	desk_do(&d, ": `jit` <Enter> z");
	desk_need(&d, "the trace has no such events");
	desk_need_not(&d, "methods compiled");
	desk_do(&d, ": `report-plot` <Enter>");
	desk_need_bottom(&d, "jit has no plot");
	desk_do(&d, ": `gc` <Enter>");
	desk_need(&d, "heap after each collection");
	desk_close(&d);
}

/* A column without a value in the rows is left out, so that names have the room. */
TEST(a_column_without_values_is_not_shown)
{
	struct desk	d = desk_open(TOUR, 24, 80, false, NULL);

	desk_do(&d, ": `loader` <Enter> z");
	desk_need(&d, "System.Diagnostics.DiagnosticSource.dll");
	desk_need_not(&d, " self ");
	desk_do(&d, ": `jit` <Enter> : `filter name = MethodLoadVerbose` <Enter>");
	desk_need(&d, "dur");		/* it is sorted by it, and has none now */
	desk_do(&d, ": `filter Depth = 77` <Enter>");
	desk_need(&d, "none match the filter");
	desk_do(&d, "X : `counters` <Enter>");
	desk_need(&d, "    3 ");
	desk_need_not(&d, "3.0000");
	desk_close(&d);
}

/* H: the names of methods as they are in the trace, and back; of other rows it says so. */
TEST(names_of_a_report_are_clean_or_raw)
{
	static const struct {
		const char	*keys, *clean, *raw;
	}	shows[] = {
		{ ": `jit` <Enter> z / `RunAsync` <Enter> ", "Shop.Day.RunAsync() [async]",
		    "Shop.Day+<RunAsync>d__" },
		{ ": `exceptions` <Enter> ", "Shop.Day.Answe", "Shop.Day+<Answe" },
		{ ": `samples` <Enter> ", "AsyncTaskMethodBuilder<__Canon>.", "(value class " },
		{ ": `summary` <Enter> G ", "Shop.Day.Tellers.lambda(", "+<>c__DisplayClass" },
	};
	struct desk	d = desk_open(TOUR, 50, 200, false, NULL);

	for (size_t i = 0; i < sizeof shows / sizeof *shows; i++) {
		desk_do(&d, shows[i].keys);
		desk_need(&d, shows[i].clean);
		desk_need_not(&d, shows[i].raw);
		desk_do(&d, "H");
		desk_need_bottom(&d, "raw names");
		desk_need(&d, shows[i].raw);
		desk_need_not(&d, shows[i].clean);
		desk_do(&d, "H");
		desk_need_bottom(&d, "clean names");
		desk_need(&d, shows[i].clean);
		desk_need_not(&d, shows[i].raw);
	}
	desk_do(&d, ": `gc` <Enter> H");
	desk_need_bottom(&d, "these rows have no names of methods or frames");
	desk_close(&d);
}

/* The longest pause is the first row of the order by pause. */
TEST(a_report_sorts_by_any_column)
{
	struct desk	d = desk_open(DEMO, 50, 200, false, NULL);

	desk_do(&d, ": `gc` <Enter> : `sort pause` <Enter> g <Enter>");
	desk_need_bottom(&d, "row 4,447");
	desk_close(&d);
}

TEST(a_report_follows_window_and_filter)
{
	struct desk	d = desk_open(DEMO, 24, 80, false, NULL);

	desk_do(&d, ": `gc` <Enter> : `filter-add Count > 50` <Enter>");
	desk_need(&d, "11 collections");
	desk_do(&d, ": `filter-add Count = 7777` <Enter>");
	desk_need(&d, "none match the filter (X drops its last term)");
	desk_do(&d, "X X");
	desk_need(&d, "60 collections");
	desk_do(&d, "M-2 w w");
	desk_need_not(&d, "60 collections");
	desk_do(&d, "0");
	desk_need(&d, "60 collections");
	desk_close(&d);
}

TEST(a_report_says_what_was_lost_and_what_to_collect)
{
	struct desk	d = desk_open(CUT, 50, 200, false, NULL);

	desk_do(&d, ": `gc` <Enter>");
	desk_need(&d, "at least: 18 events were lost");
	desk_do(&d, "z");
	desk_need(&d, "no GCRestartEEEnd");
	desk_close(&d);
	d = desk_open(OTHER, 24, 120, false, NULL);
	desk_do(&d, "M-8");
	desk_need(&d, "not in this trace: collect --providers Microsoft-Windows-DotNETRuntime:0x1:4");
	desk_do(&d, "/`tasks` <Enter>");
	desk_need(&d, "System.Threading.Tasks.TplEventSource:0x");	/* whole, on lines of its own */
	desk_do(&d, "g");
	desk_need(&d, "dotnet-trace collect --providers Microsoft-Windows-DotNETRuntime:0x1:4");
	desk_close(&d);
}

/* What is cut in the rows stands below them; Enter leads to the report that a row sums up. */
/* A result that arrives during a frame needs another frame, so it is not taken by drawing. */
TEST(a_report_does_not_change_during_a_frame)
{
	struct desk		 d = desk_open(TOUR, 24, 80, false, NULL);
	struct reporting	*r = d.ui->v.reporting;
	uint64_t		 stamp;

	desk_do(&d, "M-0");
	stamp = reporting_stamp(r);
	view_change(&d.ui->v, VIEW_ASKED);
	for (unsigned i = 0; i < 100; i++) {
		assert_true(reporting_step(r, 0));
		assert_true(reporting_stamp(r) == stamp);
		usleep(10000);
	}
	while (reporting_step(r, 1000000))
		;
	assert_true(reporting_stamp(r) != stamp);
	desk_close(&d);
}

TEST(the_summary_tells_all_and_leads_on)
{
	struct desk	d = desk_open(TOUR, 24, 80, false, NULL);

	desk_do(&d, "M-0");
	desk_need(&d, "56,443 events in");
	desk_do(&d, "j j j j j j j");
	desk_need(&d, "externalShare 40.3");	/* where time went */
	desk_do(&d, "j j j j j j j j j j j j j j");
	desk_need(&d, "longest spans");
	desk_do(&d, "j j j j j");
	desk_need(&d, "  38 exceptions of 5 types, 20 faults, 38 caught; in ");
	desk_need(&d, "  at most 3.592 ms");
	desk_do(&d, "<Enter>");
	desk_need(&d, "report  Exceptions: Types");
	desk_need(&d, "3.592 ms");
	desk_do(&d, "M-0");
	desk_need(&d, "56,443 events in");
	desk_do(&d, "G <Enter>");
	desk_need(&d, "report  Context switches");
	desk_need(&d, "collect-linux");
	desk_do(&d, "M-0");
	desk_need(&d, "56,443 events in");
	desk_do(&d, "g <Enter>");
	desk_need_bottom(&d, "nothing in report to go to");
	desk_close(&d);
}

/* Nothing in this trace tells the runtime, nor in the other one the command: no value is empty. */
TEST(what_the_summary_lacks_leaves_no_empty_value)
{
	struct desk	d = desk_open(DEMO, 24, 80, false, NULL);

	desk_do(&d, "M-0");
	desk_need(&d, "  trace    system                  Linux, x64");
	desk_need(&d, "  trace    process                 /usr/share/");
	desk_close(&d);
	d = desk_open("tests/data/features/v4-dropped-events.nettrace", 24, 80, false, NULL);
	desk_do(&d, "M-0");
	desk_need(&d, "process");
	desk_need(&d, "pid 4242");
	desk_need_not(&d, "runtime");
	desk_need_not(&d, "system");
	desk_close(&d);
}

/* One key from the first screen; a page of its own. Enter leads to what shows a remark. */
static void
check_summary(int rows, int cols)
{
	struct desk	d = desk_open(DEMO, rows, cols, false, NULL);

	desk_do(&d, "M-0");
	desk_need(&d, "report  Summary \xe2\x94\x80");
	desk_need(&d, "10,854 events in 864");
	desk_need(&d, "induced collections");
	desk_need(&d, "60 collections");
	desk_need_not(&d, " events \xe2\x94\x80");
	desk_do(&d, "G");
	desk_need(&d, "dotnet-trace collect-linux ");
	desk_do(&d, "p G");
	desk_need(&d, "report  Summary: What stands out \xe2\x94\x80");
	desk_do(&d, "<Enter>");
	desk_need(&d, "AllocationTick");
	desk_close(&d);
}

TEST(the_summary_is_one_key_away)
{
	check_summary(24, 80);
	check_summary(50, 200);
}

/* The greatest heap and the longest pause are what the expected report has (heapAfterMax, max). */
static void
check_plot(int rows, int cols, bool ascii)
{
	struct desk	d = desk_open(DEMO, rows, cols, ascii, NULL);

	desk_do(&d, ": `gc` <Enter> M-p");
	desk_need(&d, ascii ? "heap after each collection  0 gen0 1 gen1 2 gen2 3 loh 4 poh" :
	    "heap after each collection  gen0 gen1 gen2 loh poh");
	desk_need(&d, "10,207,312");
	desk_need(&d, ascii ? "22" : "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88");
	desk_do(&d, "M-p");
	desk_need(&d, " pauses");
	desk_need(&d, "4.831 ms");
	desk_do(&d, "M-p");
	desk_need_not(&d, " pauses");
	desk_need_not(&d, "heap after each");
	desk_close(&d);
}

TEST(plots_show_heap_and_pauses)
{
	struct desk	d;

	check_plot(24, 80, false);
	check_plot(24, 80, true);
	check_plot(50, 200, false);
	d = desk_open(OTHER, 24, 80, false, NULL);
	desk_do(&d, ": `gc` <Enter> M-p");
	desk_close(&d);
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
			desk_do(&d, keys);
			desk_need(&d, reports[i]->title);
			desk_do(&d, "p p > I G z M-p M-p M-p M-p z");
			desk_need(&d, reports[i]->title);
		}
		desk_close(&d);
	}
}

/* The index is complete, but the viewer has not looked yet when the keys come. */
TEST(a_report_that_is_asked_for_early_waits_for_names)
{
	struct ui_options	o = { .color = UI_COLOR_AUTO };
	struct desk		d = desk_open(TOUR, 24, 80, false, NULL);
	struct buf		why;

	ui_free(d.ui);
	buf_init(&why);
	d.ui = ui_new(d.t, &o, memterm_screen(d.m), &why);
	assert_non_null(d.ui);
	memterm_press(d.m, ":");
	memterm_type(d.m, "samples");
	memterm_press(d.m, "<Enter>");
	desk_rest(&d);
	desk_need(&d, "System.Threading.WaitHandle.WaitOne");
	desk_close(&d);
	buf_release(&why);
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

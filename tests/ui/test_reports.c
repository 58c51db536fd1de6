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
#define CUT	"tests/data/spans/cut-gc.nettrace"
#define OTHER	"tests/data/features/v4-headers-only.nettrace"
#define COUNTERS_ONLY

static void
check_menu(int rows, int cols, bool ascii)
{
	struct desk	d = desk_open(DEMO, rows, cols, ascii, NULL);

	desk_try(&d, "M-8", "have events here", "list garbage collections", " 572 ");
	desk_try(&d, "g", "60 collections (gen0 45, gen1 4, gen2 11)", "paused 33.56", "1 of 60");
	desk_try_not(&d, "q", "60 collections");
	desk_close(&d);
}

TEST(the_menu_shows_a_report_by_its_letter)
{
	check_menu(24, 80, false);
	check_menu(24, 80, true);
	check_menu(50, 200, false);
}

DESK_TEST(enter_goes_to_the_collection, DEMO, 50, 200)
{
	desk_do(d, ": `gc` <Enter>");
	desk_try_bottom(d, "j <Enter>", "row ");
	desk_need(d, "Count=20 Depth=2");	/* of the second longest pause */
}

DESK_TEST(a_report_without_rows_has_no_empty_plot, DEMO, 50, 200)
{
	desk_try(d, ": `jit` <Enter> z", "the trace has no such events");
	desk_need_not(d, "methods compiled");
	desk_try_bottom(d, ": `report-plot` <Enter>", "jit has no plot");
	desk_try(d, ": `gc` <Enter>", "heap after each collection");
}

/* A column without a value in the rows is left out, so that names have the room. */
DESK_TEST(a_column_without_values_is_not_shown, TOUR, 24, 80)
{
	desk_try(d, ": `loader` <Enter> z", "System.Diagnostics.DiagnosticSource.dll");
	desk_need_not(d, " self ");
	desk_do(d, ": `jit` <Enter> : `filter name = MethodLoadVerbose` <Enter>");
	desk_need(d, "dur");		/* it is sorted by it, and has none now */
	desk_try(d, ": `filter Depth = 77` <Enter>", "none match the filter");
	desk_try(d, "X : `counters` <Enter>", "    3 ");
	desk_need_not(d, "3.0000");
}

/* H: the names of methods as they are in the trace, and back; of other rows it says so. */
DESK_TEST(names_of_a_report_are_clean_or_raw, TOUR, 50, 200)
{
	static const struct {
		const char	*keys, *clean, *raw;
	}	shows[] = {
		{ ": `jit` <Enter> z / `RunAsync` <Enter> ", "Shop.Day.RunAsync() [async]",
		    "Shop.Day+<RunAsync>d__" },
		{ ": `exceptions` <Enter> ", "Shop.Day.Answe", "Shop.Day+<Answe" },
		{ ": `samples` <Enter> ", "AsyncTaskMethodBuilder<__Canon>.", "(value class " },
		{ ": `summary` <Enter> g ", "Shop.Day.Tellers.lambda(", "+<>c__DisplayClass" },
	};

	for (size_t i = 0; i < sizeof shows / sizeof *shows; i++) {
		desk_try(d, shows[i].keys, shows[i].clean);
		desk_need_not(d, shows[i].raw);
		desk_try_bottom(d, "H", "raw names");
		desk_need(d, shows[i].raw);
		desk_need_not(d, shows[i].clean);
		desk_try_bottom(d, "H", "clean names");
		desk_need(d, shows[i].clean);
		desk_need_not(d, shows[i].raw);
	}
	desk_try(d, ": `threadpool` <Enter> ", "adjustment");
	desk_try_bottom(d, "H", "these rows have no names of methods or frames");
}

/* The longest pause comes first, by number the first collection. */
DESK_TEST(a_report_sorts_by_any_column, DEMO, 50, 200)
{
	desk_try_bottom(d, ": `gc` <Enter> g <Enter>", "row 4,447");
	desk_try_bottom(d, ": `gc` <Enter> : `sort number` <Enter> g <Enter>", "row 122");
}

DESK_TEST(a_report_follows_window_and_filter, DEMO, 24, 80)
{
	desk_try(d, ": `gc` <Enter> : `filter-add Count > 50` <Enter>", "11 collections");
	desk_do(d, ": `filter-add Count = 7777` <Enter>");
	desk_need(d, "none match the filter (X drops its last term)");
	desk_try(d, "X X", "60 collections");
	desk_try_not(d, "M-2 w w", "60 collections");
	desk_try(d, "0", "60 collections");
}

DESK_TEST(a_report_says_what_was_lost_and_what_to_collect, CUT, 50, 200)
{
	desk_try(d, ": `gc` <Enter>", "18 events in ");
	desk_try(d, "z", "no GCRestartEEEnd");
	desk_reopen(d, OTHER, 24, 120, false, NULL);
	desk_do(d, "M-8");
	desk_need(d, "not in this trace: collect --providers Microsoft-Windows-DotNETRuntime:0x1:4");
	desk_do(d, "/`tasks` <Enter>");
	desk_need(d, "System.Threading.Tasks.TplEventSource:0x");	/* whole, on lines of its own */
	desk_try(d, "g", "dotnet-trace collect --providers Microsoft-Windows-DotNETRuntime:0x1:4");
}

/* What is cut in the rows stands below them; Enter leads to the report that a row sums up. */
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

DESK_TEST(the_summary_tells_all_and_leads_on, TOUR, 24, 80)
{
	desk_try(d, "M-0", "Nothing is wrong", "What stands out", "Where time went");
	desk_try(d, "/ `Exceptions: 20` <Enter>", "  Exceptions: 20 failures of 5 types, seen 38 times");
	desk_try(d, "<Enter>", "report  Exceptions: Types", "3.592 ms");
	desk_try(d, "M-0", "What stands out");
	desk_try(d, "G", "Not in this trace", "Context switches: dotnet-trace collect-linux");
	desk_try(d, "<Enter>", "report  Context switches", "collect-linux");
	desk_try(d, "M-0", "What stands out");
	desk_try_bottom(d, "g <Enter>", "nothing in report to go to");
}

/* Nothing in this trace tells the runtime, nor in the other one the command: no value is empty. */
DESK_TEST(what_the_summary_lacks_leaves_no_empty_value, DEMO, 50, 80)
{
	desk_try(d, "M-0", "    System: Linux, x64", "    Process: /usr/share/");
	desk_reopen(d, "tests/data/features/v4-dropped-events.nettrace", 50, 80, false, NULL);
	desk_try(d, "M-0", "Process: ", "pid 4242");
	desk_need_not(d, "  Runtime:", "System:");
}

/* One key from the first screen; a page of its own. Enter leads to what shows a remark. */
static void
check_summary(int rows, int cols)
{
	struct desk	d = desk_open(DEMO, rows, cols, false, NULL);

	desk_try(&d, "M-0", "report  Summary \xe2\x94\x80", "2 processors, 10,854 events, none lost");
	desk_need(&d, "1. The program forces garbage collections.", "59 of 60 collections");
	desk_need_not(&d, " events \xe2\x94\x80");
	desk_try(&d, "G", "dotnet-trace collect-linux ");
	desk_try(&d, "p", "report  Summary: What is wrong", "induced-collections");
	desk_try(&d, "p G", "report  Summary: What stands out \xe2\x94\x80");
	desk_try(&d, "<Enter>", "AllocationTick");
	desk_close(&d);
}

TEST(the_summary_is_one_key_away)
{
	check_summary(24, 80);
	check_summary(50, 200);
}

/* Enter on a diagnosis shows its evidence: a report, or the calls with the method that waits. */
DESK_TEST(a_diagnosis_leads_to_its_evidence, "tests/data/clinic/deadlock.nettrace.zst", 24, 80)
{
	desk_try(d, "M-0", "1. Threads wait for each other for ever.", "Thread 17793 waits in");
	desk_try(d, "j j j <Enter>", "report  Lock contention", "Program.Main.lambda()");
	desk_reopen(d, "tests/data/clinic/starvation.nettrace.zst", 50, 200, false, NULL);
	desk_try(d, "M-0", "1. Work waits for pool threads.", "in Task.Wait, called from");
	desk_try(d, "j j <Enter>", "calls  top-down", "Program.Starvation.lambda()");
	assert_non_null(strstr(d->ui->v.filter.text, "stack.method ="));
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
	desk_try(&d, "M-p", " pauses", "4.831 ms");
	desk_try_not(&d, "M-p", " pauses", "heap after each");
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

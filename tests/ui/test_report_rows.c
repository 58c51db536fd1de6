/*
 * What each report of the tour shows on two screens, and where Enter goes from its rows. Sums and
 * rows are those that other tests hold against other implementations.
 */
#include "../support/desk.h"
#include "../support/test.h"

#define TOUR	"tests/data/tour.nettrace.zst"
#define CUT	"tests/data/spans/cut-contention.nettrace"

struct shown {
	const char	*show;		/* keys */
	const char	*total;		/* what it comes to */
	const char	*small;		/* a text on the small screen, and one that only the */
	const char	*large;		/* ... large one has room for */
	const char	*row;		/* where Enter goes: on the bottom line, or ... */
	const char	*filter;	/* ... what the events are filtered by */
};

static const struct shown	table[] = {
	{ ": `allocs` <Enter>", "51,236,848 bytes in 433 ticks, 23 types, 7 threads",
	    "System.Byte[]", "bytes/s", NULL, "name = GC/AllocationTick and TypeName = " },
	{ "M-8 a p", "51,236,848 bytes in 433 ticks", "Shop.Day.Catalogue(int)", "last",
	    "row 16,", NULL },
	{ ": `allocs` <Enter> p p", "51,236,848 bytes in 433 ticks", "43,275,312", "last", NULL,
	    "name = GC/AllocationTick and tid = 35" },
	{ ": `exceptions` <Enter>", "20 failures of 5 types, seen 38 times, 38 caught",
	    "Shop.OutOfStockException", "Shop.Day.Reserve(int", NULL,
	    "name = Exception/Start and ExceptionType = " },
	{ ": `exceptions` <Enter> p", "20 failures of 5 types", "no such page",
	    "CLSCompliant", "row 9,301", NULL },
	{ ": `contention` <Enter>", "39 waits of 7 threads for 4 locks took 304.092 ms",
	    "17.953 ms", "measured", "2.809 0", NULL },
	{ ": `contention` <Enter> p", "39 waits of 7 threads", "Shop.Day.Tellers.l", "p90", NULL,
	    "name = Contention/Start and stack.method = " },
	{ ": `contention` <Enter> p p", "39 waits of 7 threads", "0x7efad0001fa8", "p90", NULL,
	    "name = Contention/Start and LockID = " },
	{ ": `jit` <Enter>", "1,468 compilations took 1.383 561 s", "OptimizedTier1Instrumented",
	    "native", "row 29,604", NULL },
	{ ": `jit` <Enter> p p", "1,468 compilations", "e.CoreLib.dll", "mean", "row 29,604", NULL },
	{ ": `jit` <Enter> p p p", "1,468 compilations", "689.527 ms", "mean", "row 2,943", NULL },
	{ ": `loader` <Enter>", "63 assemblies, 63 modules", "System.Private.CoreLib",
	    "System.Private.CoreLib.dll", "row 50", NULL },
	{ ": `threadpool` <Enter>", "2 to 3 worker threads, 2 at the last adjustment",
	    "Initializing", "throughput", "row 2,897", NULL },
	{ ": `requests` <Enter>", "client: 90 requests, p50 14.952 ms", "643.830 ms",
	    "http://127.0.0.1:42359/order/1", "row 3,985", NULL },
	{ ": `requests` <Enter> p", "client: 90 requests", "/order/{n}", "p99", "row 3,985", NULL },
	{ ": `requests` <Enter> p p p", "client: 90 requests", "273.77", "70.4 %", "row 5,431",
	    NULL },
	{ ": `tasks` <Enter>", "1 wait blocked a thread, for 2.535 682 s", "143.233 ms",
	    "activity", NULL, NULL },
};

static void
check_shown(const struct shown *s, int rows, int cols, bool ascii)
{
	struct desk	d = desk_open(TOUR, rows, cols, ascii, NULL);

	desk_try(&d, s->show, s->total);
	desk_need(&d, s->small);
	if (cols > 100) {
		desk_try(&d, "z", s->large);
		desk_do(&d, "z");
	}
	desk_need(&d, "15,791 events in 9 gaps: counts are lower bounds");
	desk_do(&d, "<Enter>");
	if (s->row != NULL)
		desk_need_bottom(&d, s->row);
	if (s->filter != NULL)
		desk_need(&d, cols > 100 ? s->filter : "f: name = ");
	desk_close(&d);
}

/* As elsewhere on the screen: µs, and us where there is no such character. */
TEST(units_are_those_of_the_screen)
{
	struct desk	d;

	d = desk_open(TOUR, 24, 80, false, NULL);
	desk_try(&d, ": `exceptions` <Enter>", "in flight 467.523 \xc2\xb5s (p50)");
	desk_reopen(&d, TOUR, 24, 80, true, NULL);
	desk_try(&d, ": `exceptions` <Enter>", "in flight 467.523 us (p50)");
	desk_try(&d, "M-0", "What stands out");
	desk_try(&d, "/ `task 3 sch` <Enter>", "255.526 us");
	desk_try(&d, "/ `gen0` <Enter>", "collections (gen0 6");
}

/* A line a side; and without a window and a filter none of these is blamed. */
DESK_TEST(totals_and_empty_parts_say_what_is_so, TOUR, 24, 80)
{
	desk_try(d, ": `requests` <Enter>", "client: 90 requests, p50 14.952 ms, p99 643.830 ms");
	desk_need(d, "server: 90 requests, p50 12.118 ms, p99 83.600 ms");
	desk_try(d, ": `threadpool` <Enter> p", "none in this trace");
	desk_do(d, ": `filter-add tid = 1` <Enter>");
	desk_need(d, "none match the filter (X drops its last term)");
}

/* On a small screen, too, it is told what a row is about. */
DESK_TEST(what_rows_are_about_comes_first, TOUR, 24, 80)
{
	static const struct { const char *keys, *titles; } cases[] = {
		{ ": `jit` <Enter> p p", "  module           " },
		{ "p", "   thread   count  " },
		{ "M-8 a p", "  method         " },
		{ "p", "   thread  " },
		{ ": `exceptions` <Enter> p p", "  method         " },
		{ ": `requests` <Enter> p p p", "  phase  " },
	};
	const char	*line;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		desk_try(d, cases[i].keys, cases[i].titles);
		line = memterm_line(d->m, memterm_find(d->m, cases[i].titles));
		assert_memory_equal(line, cases[i].titles, strlen(cases[i].titles));
	}
	/* > lists the columns as they stand: the second follows the first. */
	desk_try_bottom(d, ": `jit` <Enter> p p p : `sort thread` <Enter> > <Down> <Enter>",
	    "report sorted by count");
	desk_try_bottom(d, "> <Up> <Enter>", "report sorted by thread");
}

/* A command that is longer than the line is shown in full. */
DESK_TEST(what_an_absent_report_needs_is_not_cut, "tests/data/demo.nettrace", 24, 80)
{
	desk_try(d, ": `threadpool` <Enter>", "tnav record --providers Microsoft-Windows-");
	desk_need(d, "FrameworkEventSource:0x2:5 PID", "FrameworkEventSource:0x2:5 -p PID");
	desk_need(d, "the trace has no such events");
	memterm_resize(d->m, 13, 44);		/* then what it says last goes first */
	desk_rest(d);
	desk_need(d, "it needs these events", "tnav record");
}

/* Kernel events can't be had from a runtime, so no --providers are told. */
DESK_TEST(kernel_events_are_collected_by_another_command, TOUR, 24, 80)
{
	desk_try(d, ": `cpu` <Enter>", "dotnet-trace collect-linux --profile cpu-sampling");
	desk_need_not(d, "tnav record");
	desk_try(d, ": `switches` <Enter>", "dotnet-trace collect-linux --profile thread-time");
	desk_try_not(d, "M-8", "collect-linux");
	desk_try(d, "G", " more reports: not in this trace (Enter lists them)");
	desk_try(d, "<Enter>", "not in this trace: dotnet-trace collect-linux");
	desk_try(d, "q M-8", "not in this trace: dotnet-trace collect-linux");
}

TEST(reports_are_shown_on_small_and_large_screens)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		check_shown(&table[i], 24, 80, i % 2 == 1);
		check_shown(&table[i], 50, 200, false);
	}
}

/* What a trace cuts stands there as cut, with the loss that may explain it. */
DESK_TEST(waits_without_an_end_are_open, CUT, 50, 200)
{
	desk_try(d, ": `contention` <Enter>", "8 waits have no end, 1 no start");
	desk_try(d, "z G", "open", "orphan", "4 events in ");
}

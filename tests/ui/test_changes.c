/*
 * What changed, in the viewer: from one trace to another, from the rest to a range. The figures are
 * those of `tnav diff`, which tests/check/diff.py holds against a second implementation.
 */
#include <stdio.h>
#include <unistd.h>

#include "../support/data.h"
#include "../support/desk.h"
#include "../support/test.h"

#define DEAD	"tests/data/clinic/deadlock.nettrace.zst"
#define STORM	"tests/data/clinic/exceptions.nettrace.zst"
#define STARVED	"tests/data/clinic/starvation.nettrace.zst"
#define TOUR	"tests/data/tour.nettrace.zst"
#define POINTER	"\xe2\x96\xb8 "

static void
compare(struct desk *d, const char *name)
{
	char	keys[4096];

	snprintf(keys, sizeof keys, ":`diff %s` <Enter>", data_path(name));
	desk_do(d, keys);
	desk_rest(d);
}

DESK_TEST(a_file_is_compared_and_diagnoses_come_first, DEAD, 24, 80)
{
	compare(d, STORM);
	desk_need(d, POINTER "changes  to exceptions.nettrace.zst", "  A  deadlock.nettrace.zst: ",
	    "  B  exceptions.nettrace.zst: ", "change          interval", "diagnosis  exception-storm",
	    "new", "diagnosis  deadlock", "gone", "events/s ");
	desk_try(d, "p", ", diagnoses only");
	desk_need_not(d, "events/s ");
	desk_try(d, "p", ", events only", "Exception/Start");
	desk_try(d, "p", ", spans only", "ExceptionThrown");
	desk_try(d, "p", ", methods only", "Thread.Sleep(");
	desk_try(d, "p", "diagnosis  exception-storm", "events/s ");
}

DESK_TEST(on_a_large_screen_each_row_has_its_verdict, DEAD, 50, 200)
{
	compare(d, STORM);
	desk_need(d, "verdict", "group", "exceptions/s");
	desk_try(d, "z", "Exception/Start", "Rates are per second.");
}

DESK_TEST_WITH(changes_are_readable_in_ascii, DEAD, 24, 80, NULL)
{
	desk_reopen(d, DEAD, 24, 80, true, NULL);
	compare(d, STORM);
	desk_need(d, "> changes  to exceptions.nettrace.zst", "diagnosis  exception-storm", "new");
}

/* Of events it shows those of A; of what A has not, it says so. */
DESK_TEST(enter_leads_to_the_rows_in_a, DEAD, 24, 80)
{
	compare(d, STORM);
	desk_try_bottom(d, "/`exception-storm` <Enter> <Enter>", "A has none of these");
	desk_try(d, "p p /`Thread/Sample` <Enter> <Enter>", "f: provider = ", "Thread/Sample");
}

/* What takes more of the processor is a method, and writes no event more. */
DESK_TEST(methods_are_shares_of_the_samples, DEAD, 24, 80)
{
	compare(d, STARVED);
	desk_need(d, "method     ", "Monitor.Wait(", "82.62 %", "new");
	desk_try_bottom(d, "/`Monitor.Wait` <Enter> <Enter>", "A has none of these");
	desk_try(d, "p p p p /`Thread.Sleep` <Enter> <Enter>", "Samples by method");
}

/* The filter is for both traces. */
DESK_TEST(the_filter_is_for_both, DEAD, 24, 80)
{
	compare(d, STORM);
	desk_do(d, ":`filter name ~ Exception` <Enter>");
	desk_rest(d);
	desk_do(d, ":`changes` <Enter>");
	desk_rest(d);
	desk_try(d, "p p", "Exception/Start");
	desk_need_not(d, "Thread/Sample");
	desk_do(d, ":`filter Nonsense = 1` <Enter>");
	desk_rest(d);
}

DESK_TEST(what_cannot_be_compared_is_said, DEAD, 24, 80)
{
	desk_try_bottom(d, ":`diff range` <Enter>", "mark a range first");
	desk_try_bottom(d, ":`diff 'q` <Enter>", "there is no mark q");
	desk_do(d, ":`diff /nonexistent/file` <Enter>");
	desk_rest(d);
	desk_need(d, "/nonexistent/file: No such file");
	compare(d, "tests/data/clinic");
	desk_need(d, "is a directory");
	compare(d, "tests/data/clinic/deadlock.nettrace.zst");
	desk_need_bottom(d, "this trace is shown already");
	desk_try_bottom(d, ":`diff off` <Enter>", "nothing is compared any more");
	desk_need(d, "nothing is compared (");
}

DESK_TEST(an_empty_file_is_said_to_be_empty, DEAD, 24, 80)
{
	char	path[] = "/tmp/tnav-changes-XXXXXX", keys[64];
	int	fd = mkstemp(path);

	assert_true(fd >= 0);
	snprintf(keys, sizeof keys, ":`diff %s` <Enter>", path);
	desk_do(d, keys);
	desk_rest(d);
	desk_need(d, ": is empty");
	close(fd);
	unlink(path);
}

/* The copied command line compares the same two. */
DESK_TEST(the_command_for_it_names_both_traces, DEAD, 24, 160)
{
	const char	*line, *a, *b;

	compare(d, STORM);
	desk_try_bottom(d, "f `tid > 1` <Enter> :`changes` <Enter> y c", "copied the command line");
	line = memterm_copied(d->m);
	a = strstr(line, "deadlock.nettrace.zst");
	b = strstr(line, "exceptions.nettrace.zst");
	assert_ptr_equal(strstr(line, "tnav diff -f 'tid > 1' "), line);
	assert_true(a != NULL && b != NULL && a < b);
	desk_try_bottom(d, "M-c y c", "copied the command line");
	assert_ptr_equal(strstr(memterm_copied(d->m), "tnav diff --tree -f 'tid > 1' "),
	    memterm_copied(d->m));
	desk_try_bottom(d, "M-i y c", "copied the command line");
	assert_ptr_equal(strstr(memterm_copied(d->m), "tnav diff --fold -f 'tid > 1' "),
	    memterm_copied(d->m));
	desk_try_bottom(d, "_ y c", "copied the command line");
	assert_null(strstr(memterm_copied(d->m), "exceptions"));
}

/* A range and its rest have a form of stacks, which prints the same. */
DESK_TEST(the_command_for_a_range_names_it, TOUR, 24, 160)
{
	desk_do(d, ":`25%` <Enter> v :`50%` <Enter> :`diff range` <Enter> M-c");
	desk_rest(d);
	desk_try_bottom(d, "y c", "copied the command line");
	assert_non_null(strstr(memterm_copied(d->m), " --compare="));
}

/* From what lies before a mark to what lies after it, as a range and its rest. */
DESK_TEST(the_two_sides_of_a_mark_are_compared, TOUR, 24, 80)
{
	desk_do(d, ":`50%` <Enter> m a :`diff 'a` <Enter>");
	desk_rest(d);
	desk_need(d, "from the rest to the range", "  A  the rest: ", "  B  the range: ");
}

/* A and B: the greater share is the width, and a sign says where it is more. */
DESK_TEST(the_flame_graph_has_both_traces, DEAD, 50, 160)
{
	compare(d, STORM);
	desk_do(d, "M-i z");
	desk_rest(d);
	desk_need(d, "A and B", "+ more in B", "|all 100.0 %", "A 100.0 %, B 100.0 %", "+", "-Program");
	desk_do(d, "M-c");
	desk_rest(d);
	desk_need(d, "in B", "B %", "points");
	desk_try_bottom(d, "_", "no longer compared");
	desk_rest(d);
	desk_need_not(d, "in B");
}

/* Esc stops it, and it can go on. */
DESK_TEST(a_comparison_is_stopped_and_goes_on, DEAD, 24, 80)
{
	char	keys[4096];

	snprintf(keys, sizeof keys, ":`diff %s` <Enter> <Esc>", data_path(STORM));
	desk_do(d, keys);
	desk_do(d, ":`changes` <Enter>");
	desk_rest(d);
	desk_need(d, "exception-storm");
}

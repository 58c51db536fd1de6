/*
 * Calls and the flame graph in the viewer: they follow window and filter, Enter leads to events or
 * zooms, rules fold frames here and in stacks, and a drawing costs what the screen has.
 *
 * The figures are those of the folded stacks in ../shared/oracle/symbols, or of tnav stacks, which
 * tests/check/stacks.py holds against them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "../support/desk.h"

#define TOUR	"tests/data/tour.nettrace.zst"
#define WAIT	"System.Threading.Monitor.Wait(object, int)"

static void
test_calls_follow_the_filter_and_enter_shows_the_events(void **state)
{
	struct desk	d = desk_open(TOUR, 50, 200, false, NULL);

	(void)state;
	desk_do(&d, "M-c :`calls methods` <Enter>");
	desk_rest(&d);
	desk_need(&d, "by method, by samples");
	desk_need(&d, "13,862 samples");
	desk_need(&d, WAIT);
	desk_need(&d, "2,324");
	desk_do(&d, ":`filter Type = 2` <Enter>");
	desk_rest(&d);
	desk_need_not(&d, "13,862 samples");
	desk_do(&d, "X /`Monitor.Wait` <Enter> <Enter>");
	desk_rest(&d);
	desk_need(&d, "2,324 samples");
	desk_close(&d);
}

static void
check_size(int rows, int cols, bool ascii)
{
	struct desk	d = desk_open(TOUR, rows, cols, ascii, NULL);

	desk_do(&d, "M-c");
	desk_rest(&d);
	desk_need(&d, "top-down, by samples");
	desk_do(&d, "p p");
	desk_rest(&d);
	desk_need(&d, "bottom-up, by samples");
	desk_need(&d, "WaitOneNoCheck");
	desk_do(&d, "(");
	desk_rest(&d);
	desk_need(&d, "callers of System.");
	desk_do(&d, "q M-i");
	desk_rest(&d);
	desk_need(&d, "|all 100.0 %");
	desk_do(&d, "j <Enter>");
	desk_need(&d, "zoomed");
	desk_need_not(&d, "|all 100.0 %");
	desk_do(&d, "<Enter>");
	desk_need(&d, "|all 100.0 %");
	desk_close(&d);
}

static void
test_calls_and_flame_graph_on_small_and_large_screens(void **state)
{
	(void)state;
	check_size(24, 80, false);
	check_size(50, 200, false);
	check_size(24, 80, true);
}

static void
test_the_weight_is_chosen_by_name_and_what_is_missing_is_told(void **state)
{
	struct desk	d = desk_open(TOUR, 50, 160, false, NULL);

	(void)state;
	desk_do(&d, "M-c :`weight exceptions` <Enter>");
	desk_rest(&d);
	desk_need(&d, "by exceptions");
	desk_do(&d, ":`weight switches` <Enter>");
	desk_rest(&d);
	desk_need(&d, "no context switches");
	desk_do(&d, ":`weight payload.Nothing` <Enter>");
	desk_need_bottom(&d, "weight:");
	desk_close(&d);
}

static void
test_rules_fold_frames_of_calls_and_of_stacks(void **state)
{
	struct desk	d = desk_open(TOUR, 50, 160, false, NULL);

	(void)state;
	desk_do(&d, "M-c :`fold ^System\\.Threading as waits` <Enter> :`calls methods` <Enter>");
	desk_rest(&d);
	desk_need(&d, "folded");
	desk_need(&d, "waits");
	desk_need_not(&d, WAIT);
	desk_do(&d, ":`filter name = Thread/Sample and stack ~ Monitor.Wait` <Enter> M-2 g M-4");
	desk_rest(&d);
	desk_need(&d, "#0    waits");
	desk_do(&d, ":`unfold` <Enter>");
	desk_need(&d, "#0    " WAIT);
	desk_close(&d);
}

static void
test_a_range_is_compared_with_the_rest(void **state)
{
	struct desk	d = desk_open(TOUR, 50, 160, false, NULL);

	(void)state;
	desk_do(&d, "M-c _");
	desk_need_bottom(&d, "mark a range first");
	desk_do(&d, "M-2 v G v M-c _");
	desk_rest(&d);
	desk_need(&d, "in range");
	desk_need(&d, "difference");
	desk_do(&d, "_");
	desk_rest(&d);
	desk_need_not(&d, "difference");
	desk_close(&d);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_calls_follow_the_filter_and_enter_shows_the_events),
		cmocka_unit_test(test_calls_and_flame_graph_on_small_and_large_screens),
		cmocka_unit_test(test_the_weight_is_chosen_by_name_and_what_is_missing_is_told),
		cmocka_unit_test(test_rules_fold_frames_of_calls_and_of_stacks),
		cmocka_unit_test(test_a_range_is_compared_with_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

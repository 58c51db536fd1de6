/*
 * Calls and the flame graph in the viewer: they follow window and filter, Enter leads to events or
 * zooms, rules fold frames here and in stacks, and a drawing costs what the screen has.
 *
 * The figures are those of the folded stacks in ../shared/oracle/symbols, or of tnav stacks, which
 * tests/check/stacks.py holds against them.
 */
#include <unistd.h>

#include "../support/data.h"
#include "../support/desk.h"
#include "../support/nt4_writer.h"
#include "../support/test.h"
#include "ui/command/command.h"

#define BLOCKS		100u		/* of stacks that all differ */
#define STACKS		300u
#define FRAMES		6u
#define STEPS_HERE	10000u		/* that a key may wait for; the whole tree has many more */

#define TOUR	"tests/data/tour.nettrace.zst"
#define WAIT	"System.Threading.Monitor.Wait(object, int)"

DESK_TEST(calls_follow_the_filter_and_enter_shows_the_events, TOUR, 50, 200)
{
	desk_do(d, "M-c :`idle` <Enter> :`calls methods` <Enter>");
	desk_rest(d);
	desk_need(d, "by method, weighted by samples", "13,862 samples", WAIT, "2,324");
	desk_do(d, ":`filter Type = 2` <Enter>");
	desk_rest(d);
	desk_need_not(d, "13,862 samples");
	desk_do(d, "X /`Monitor.Wait` <Enter> <Enter>");
	desk_rest(d);
	desk_need(d, "2,324 samples");
}

/* Only the events that can have the weight are read, whatever the filter. */
DESK_TEST(events_without_the_weight_are_not_read, TOUR, 50, 200)
{
	static const char *const	commands[] = {
		"weight exceptions", "weight bytes", "weight cpu",
	};
	uint64_t	before;

	desk_do(d, "M-c :`weight count` <Enter>");
	desk_rest(d);
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		before = data_decoded(d->ui->v.t);
		(void)ui_command(d->ui, commands[i]);
		d->ui->screen.dirty = true;
		desk_rest(d);
		desk_need_not(d, "by count");
		assert_true((data_decoded(d->ui->v.t) - before) * 2 < trace_rows(d->ui->v.t));
	}
}

static void
check_size(int rows, int cols, bool ascii)
{
	struct desk	d = desk_open(TOUR, rows, cols, ascii, NULL);

	desk_do(&d, "M-c");
	desk_rest(&d);
	desk_need(&d, "top-down, weighted by samples, 83 % idle hidden");
	desk_do(&d, "p p");
	desk_rest(&d);
	desk_need(&d, "bottom-up, weighted by samples", "Thread.Sleep");
	desk_do(&d, "(");
	desk_rest(&d);
	desk_need(&d, "callers of System.");
	desk_do(&d, "q M-i");
	desk_rest(&d);
	desk_need(&d, "all 100.0 %");
	desk_try(&d, "j <Enter>", "zoomed");
	desk_need_not(&d, "all 100.0 %");
	desk_try(&d, "<Enter>", "all 100.0 %");
	desk_close(&d);
}

TEST(calls_and_flame_graph_on_small_and_large_screens)
{
	check_size(24, 80, false);
	check_size(50, 200, false);
	check_size(24, 80, true);
}

/* Callers and callees that there are not: is it the name, or the place of the method? */
DESK_TEST(callers_and_callees_that_are_missing_are_explained, TOUR, 24, 80)
{
	desk_try(d, "M-c :`idle` <Enter> :`callers NoSuchMethod` <Enter>",
	    "no stack has a frame with this name");
	desk_try(d, ":`callees NoSuchMethod` <Enter>", "no stack has a frame with this name");
	desk_try(d, ":`calls top-down` <Enter> g (", "callers of ");
	desk_need(d, "it is outermost: nothing calls it");
	desk_try_not(d, ":`callees " WAIT "` <Enter>", "no event of this trace has a stack");
	desk_try(d, ":`calls bottom-up` <Enter> g )", "it calls nothing in these stacks");
	desk_try_not(d, ":`filter row < 3` <Enter>", "it calls nothing");
	desk_do(d, ":`fold Wait as waiting` <Enter> :`unfold Wait` <Enter>");
	desk_need_bottom(d, "no such fold rule; there are: Wait as waiting");
}

DESK_TEST(the_weight_is_chosen_by_name_and_what_is_missing_is_told, TOUR, 50, 160)
{
	desk_do(d, "M-c :`weight exceptions` <Enter>");
	desk_rest(d);
	desk_need(d, "by exceptions");
	desk_do(d, ":`weight switches` <Enter>");
	desk_rest(d);
	desk_need(d, "no context switches");
	desk_try(d, ":`weight cpu` <Enter>", "0 CPU samples");
	desk_do(d, ":`weight samples` <Enter> :`filter Type = 3` <Enter>");
	desk_rest(d);
	desk_need(d, "no event with this weight");
	desk_do(d, "X");
	desk_rest(d);
	desk_need_not(d, "no event with this weight");
	desk_try_bottom(d, ":`weight payload.Nothing` <Enter>", "weight:");
}

/* Samples are the usual weight; where the filter leaves none, its events are counted. */
DESK_TEST(stacks_of_a_filter_without_samples_are_counted, TOUR, 50, 160)
{
	desk_do(d, ":`filter name = GC/AllocationTick` <Enter> M-i");
	desk_rest(d);
	desk_need(d, "by count", "all 100.0 %");
	desk_do(d, "X");
	desk_rest(d);
	desk_need(d, "by samples");
	desk_do(d, ":`weight samples` <Enter> :`filter name = GC/AllocationTick` <Enter>");
	desk_rest(d);
	desk_need(d, "no event with this weight");
}

DESK_TEST(rules_fold_frames_of_calls_and_of_stacks, TOUR, 50, 160)
{
	desk_do(d, "M-c :`fold ^System\\.Threading as waits` <Enter> :`calls methods` <Enter>");
	desk_rest(d);
	desk_need(d, "folded", "waits");
	desk_need_not(d, WAIT);
	desk_do(d, ":`filter name = Thread/Sample and stack ~ Monitor.Wait` <Enter> M-2 g M-4");
	desk_rest(d);
	desk_need(d, "#0    waits");
	desk_try(d, ":`unfold` <Enter>", "#0    " WAIT);
}

DESK_TEST(a_range_is_compared_with_the_rest, TOUR, 50, 160)
{
	desk_try_bottom(d, "M-c :`idle` <Enter> _", "mark a range first");
	desk_do(d, "M-2 g v `1000G` v M-c _");
	desk_rest(d);
	desk_need(d, "in range", "points");
	desk_try_bottom(d, "_", "mark the range to compare with this one");
	desk_rest(d);
	desk_need(d, "mark the other range");
	desk_need_not(d, "in range");
	desk_do(d, "M-2 G v `200k` v M-c");
	desk_rest(d);
	desk_need(d, "two ranges");
	desk_need_not(d, "overlap");
	desk_need(d, "points");
	desk_do(d, "M-2 g v G v M-c");
	desk_rest(d);
	desk_need(d, "two ranges that overlap");
	desk_do(d, "_");
	desk_rest(d);
	desk_need_not(d, "points", "two ranges");
}

/* What is asked for is on a small screen, too, and leads the list; afterwards it is as before. */
DESK_TEST(the_difference_leads_the_list_on_80_columns, TOUR, 24, 80)
{
	desk_do(d, "M-2 g v `1000G` v M-c :`calls methods` <Enter>");
	desk_need(d, "incl %  \xe2\x86\x93" "exclusive");
	desk_try(d, "_", "\xe2\x86\x93points");
	desk_try_bottom(d, "> <Up> <Enter>", "calls sorted by range %");
	desk_try(d, "_ _", "incl %  \xe2\x86\x93" "exclusive");
	desk_need_not(d, "range %");
}

/* To the right of the last callee of a frame is a callee of another one. */
DESK_TEST(the_flame_graph_moves_to_what_is_beside_a_bar, TOUR, 24, 80)
{
	unsigned	steps = 0;

	desk_do(d, "M-i :`idle` <Enter>");
	desk_do(d, "j j");
	while (strstr(desk_bottom(d), "nothing further right") == NULL && steps++ < 40)
		desk_do(d, "l");
	assert_in_range(steps, 11, 39);		/* the bars that are seen in this row */
	for (unsigned i = 1; i < steps; i++) {
		desk_do(d, "h");
		assert_null(strstr(desk_bottom(d), "nothing further left"));
	}
	desk_try_bottom(d, "h", "nothing further left");
	desk_try(d, "<Enter>", "weighted by samples, zoomed, : mostly");
	desk_need_bottom(d, "Enter on the widest bar goes back");
	desk_try(d, "?", "Zoom to the frame; on the widest");
}

/* The widest bar is "all", of which a range and the rest have the same share: all of it. */
TEST(the_flame_graph_says_which_part_is_marked)
{
	struct desk	d = desk_open(TOUR, 24, 80, true, NULL);

	desk_do(&d, "M-i :`idle` <Enter>");
	desk_rest(&d);
	desk_need(&d, ", : mostly external", "% external");
	desk_do(&d, "M-2 :`50%` <Enter> v :`67%` <Enter> v M-i _");
	desk_rest(&d);
	desk_need(&d, "range and rest, + more in range", "|all 100.0 %",
	    "+System.Threading.Thread.StartCallback() ", "9.7 % in range, +0.0 points");
	desk_try(&d, "j", "10.2 % in range, +5.3 points");
	desk_try(&d, "j", "-WorkerThread", "8.4 % in range, -3.8 points");
	desk_do(&d, "_ _");
	desk_rest(&d);
	desk_need_not(&d, "in range");
	desk_do(&d, ":`weight exceptions` <Enter>");
	desk_rest(&d);
	desk_need(&d, "|all 100.0 %");
	desk_need_not(&d, "mostly");
}

/* The lines below the title that begins so. */
static const char *
below(struct memterm *m, const char *title)
{
	int	y = memterm_find(m, title);

	assert_true(y >= 0);
	return strstr(strstr(memterm_text(m), title), "\n") + 1;
}

/* G goes to the fifth line of bars, of which 13 rows show three. */
TEST(a_flame_graph_that_is_scrolled_shows_what_a_taller_one_shows)
{
	struct desk	 d = desk_open(TOUR, 24, 80, true, NULL);
	struct buf	*tall = test_buf(), *above = test_buf();
	const char	*bars;
	size_t		 n;

	desk_do(&d, "M-i :`idle` <Enter>");
	desk_rest(&d);
	desk_do(&d, "G");
	desk_rest(&d);
	buf_puts(tall, below(d.m, "> flame"));
	desk_reopen(&d, TOUR, 13, 80, true, NULL);
	desk_do(&d, "M-i :`idle` <Enter>");
	desk_rest(&d);
	buf_puts(above, memterm_text(d.m));
	above->len = (size_t)(below(d.m, "> flame") - memterm_text(d.m));
	desk_do(&d, "G");
	desk_rest(&d);
	bars = below(d.m, "> flame");
	n = strcspn(bars, "9");		/* of 1,988 in the foot */
	assert_true(n > (size_t)3 * 79);
	assert_memory_equal(memterm_text(d.m), above->p, above->len);
	assert_memory_equal(bars, strstr(buf_str(tall), ":WorkerThread"), n - strlen("  1,"));
	desk_close(&d);
}

/* To the right and back again, over bars that have others below them. */
DESK_TEST(the_cursor_moves_along_the_calls_of_one_caller, TOUR, 50, 200)
{
	desk_do(d, "M-i");
	desk_rest(d);
	desk_try(d, "j", "% external  System.Threading.Thread.StartCallback()");
	desk_try(d, "l", "% external  Shop.Program.Main(string[])");
	desk_try(d, "h", "% external  System.Threading.Thread.StartCallback()");
	desk_try(d, "h", "% external  System.Threading.Thread.StartCallback()");
}

/* The foot says what the frame under the cursor weighs. Turned, callees are above. */
TEST(the_flame_graph_is_moved_over_searched_and_pointed_at)
{
	static const struct { const char *keys, *foot; } steps[] = {
		{ "G", "  1,988 (14.3 %), exclusive 1,988, 99.7 % external  System." },
		{ "k", "  1,989 (14.3 %), exclusive 0, 99.7 % external  System." },
		{ "g", "  13,862 (100.0 %), exclusive 0, 97.4 % external  all" },
		{ "2 j", "  3,671 (26.5 %), exclusive 45, 94.6 % external  System." },
		{ "k", "  11,061 (79.8 %), exclusive 1, 97.7 % external  System." },
		{ "/ `Main` <Enter>", "  1,458 (10.5 %), exclusive 3, 93.8 % external  Shop.Program.Main" },
		{ "g C-d", "  1,988 (14.3 %)" }, { "C-u", "  13,862 (100.0 %)" },
		{ "<PgDn>", "  1,988 (14.3 %)" }, { "<PgUp>", "  13,862 (100.0 %)" },
		{ "p k", "  11,061 (79.8 %)" }, { "k", "  3,671 (26.5 %)" }, { "j", "  11,061 (79.8 %)" },
	};
	struct desk	d = desk_open(TOUR, 24, 80, false, NULL);

	desk_do(&d, "M-i :`idle` <Enter>");
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		desk_rest(&d);
		desk_do(&d, steps[i].keys);
		desk_rest(&d);
		desk_need(&d, steps[i].foot);
	}
	desk_do(&d, "p <F12>");
	desk_rest(&d);
	memterm_mouse(d.m, MOUSE_PRESS, memterm_find(d.m, ":WorkerThread"), 70, 0);
	desk_rest(&d);
	desk_need(&d, "  295 (2.1 %), exclusive 0, 70.8 % external  Shop.Day.RunAsync(Options, Truth)");
	memterm_mouse(d.m, MOUSE_PRESS, memterm_find(d.m, ":all"), 79, 0);
	desk_rest(&d);
	desk_need(&d, "  13,862 (100.0 %)");
	desk_do(&d, "/ `Program.Main` <Enter> i");
	desk_need(&d, "stack.method = \"Shop.Program.Main(");
}

static void
write_many_stacks(const char *path)
{
	FILE			*f = fopen(path, "wb");
	struct nt4_writer	 w;
	uint32_t		 seed = 4711, seq = 0;

	assert_non_null(f);
	nt4_begin(&w, f, "Stacks", "Number", NULL, 0);
	for (uint32_t b = 0; b < BLOCKS; b++) {
		uint64_t	ips[STACKS][FRAMES];

		for (uint32_t i = 0; i < STACKS * FRAMES; i++) {
			seed = seed * 1103515245 + 12345;
			ips[i / FRAMES][i % FRAMES] = 0x10000 + (seed >> 8) % 5000;
		}
		nt4_stacks(&w, 1, STACKS, ips[0], FRAMES);
		nt4_block(&w, "EventBlock", NT4_COMPRESSED);
		for (uint32_t i = 1; i <= STACKS; i++) {
			struct nt4_event	e = { .mid = 1, .tid = 7, .capture = 7,
						    .seq = seq + 1, .ts = seq + 1, .stack = i };

			nt4_event(&w, &e);
			seq++;
		}
		nt4_block_end(&w);
	}
	nt4_end(&w);
	nt4_release(&w);
	assert_int_equal(fclose(f), 0);
}

/* Trees of more nodes than a key may wait for are shaped by other threads, whatever is asked. */
TEST(no_key_waits_for_the_shape_of_a_large_tree)
{
	static const char *const	keys[] = {
		"M-c", "p", "p", "p", ":`calls threads` <Enter>", ":`fold ^0x1 as one` <Enter>",
		":`unfold` <Enter>", "M-i", "j <Enter>", "*", ":`filter row > 100` <Enter>",
	};
	char		path[] = "/tmp/tnav-calls-XXXXXX";
	int		fd = mkstemp(path);
	struct desk	d;

	assert_true(fd >= 0);
	(void)close(fd);
	write_many_stacks(path);
	d = desk_open(path, 50, 160, false, NULL);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		desk_do(&d, keys[i]);
		desk_rest(&d);
		assert_true(d.ui->v.calls.shapings.steps < STEPS_HERE);
		desk_need_not(&d, "being added up");
	}
	desk_need(&d, "zoomed");
	/* Keys that come before the shape is there give it up. */
	desk_do(&d, "M-c p p p p p p p p p p p p q M-i q");
	desk_rest(&d);
	assert_true(d.ui->v.calls.shapings.steps < STEPS_HERE);
	desk_close(&d);
	(void)unlink(path);
}

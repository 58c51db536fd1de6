/*
 * The timeline with its lanes, and the threads, on a terminal in memory.
 *
 * v4-dropped-events (D): ticks of 1 ms; events at 1, 2 and 5 ms on thread 5 and at 4 ms on thread
 * 6. Thread 5 lost 3 between 1 and 2 ms and 3 between 2 and 3; thread 6 lost 3 before 3 ms and 1
 * between 3 and 4. The window [1 ms, 6 ms) has five ticks.
 */
#include "../support/desk.h"
#include "../support/test.h"
#include "tnav/base/mem.h"
#include "ui/draw/canvas.h"
#include "ui/pane/density.h"

#define D	"tests/data/features/v4-dropped-events.nettrace"
#define PIDS	"tests/data/features/v6-threads.nettrace"
#define HEPH	"tests/data/traces/actors-1worker.heph"

#define TOUR	"tests/data/tour.nettrace.zst"

#define HATCH	"\xe2\x96\x91"	/* fewer than 10 lost */
#define HATCH_10	"\xe2\x96\x92"	/* fewer than 1,000 */
#define HATCH_1000	"\xe2\x96\x93"	/* more */
#define FULL	"\xe2\x96\x88"
#define POINTER	"\xe2\x96\xb8"

/* The lane whose label begins so, from the label on; "" when there is none. */
static const char *
lane(struct desk *d, const char *label)
{
	for (int y = 0; y < d->ui->screen.rows; y++) {
		const char	*line = memterm_line(d->m, y);

		line += strncmp(line, POINTER, 3) == 0 ? 3 : line[0] != '\0';
		line += strspn(line, " *+-");
		if (strncmp(line, label, strlen(label)) == 0)
			return line;
	}
	return "";
}

static size_t
count_of(const char *line, const char *what)
{
	size_t	n = 0;

	for (const char *p = line; (p = strstr(p, what)) != NULL; p += strlen(what))
		n++;
	return n;
}

/* How far into the line the label is, as an order of lanes. */
static int
line_of(struct desk *d, const char *label)
{
	for (int y = 0; y < d->ui->screen.rows; y++) {
		const char	*line = memterm_line(d->m, y);

		line += strncmp(line, POINTER, 3) == 0 ? 3 : line[0] != '\0';
		line += strspn(line, " *+-");
		if (strncmp(line, label, strlen(label)) == 0)
			return y;
	}
	return -1;
}

DESK_TEST(a_lane_a_thread_shows_events_and_hatches_what_was_lost, D, 24, 80)
{
	assert_string_equal(lane(d, "5  "), "");	/* one line at first */
	desk_try(d, "M-1", POINTER " timeline");
	/* An event of a thread is one full cell, for each is the greatest of its lane. */
	assert_int_equal(count_of(lane(d, "5  "), FULL), 3);
	assert_int_equal(count_of(lane(d, "6  "), FULL), 1);
	/* Both lost something over two of the five ticks, thread 5 with an event in between. */
	assert_true(count_of(lane(d, "5  "), HATCH) > 20);
	assert_true(count_of(lane(d, "6  "), HATCH) > 20);
	/* The line of thread 5 ends with its event at 5 ms, long after its gaps. */
	assert_true(strstr(lane(d, "5  "), "     " FULL) != NULL);
	desk_need(d, "0.005");
}

TEST(in_ascii_lanes_are_a_ramp_and_losses_a_slash)
{
	struct desk	d = desk_open(D, 24, 80, true, NULL);

	desk_do(&d, "M-1");
	assert_int_equal(count_of(lane(&d, "5  "), "@"), 3);
	assert_true(count_of(lane(&d, "6  "), "/") > 20);
	for (const char *p = memterm_text(d.m); *p != '\0'; p++)
		assert_true((*p >= ' ' && *p < 127) || *p == '\n');
}

DESK_TEST(the_status_says_what_the_cell_under_the_cursor_stands_for, D, 24, 100)
{
	desk_do(d, "M-1");
	desk_need(d, "1 event, 2 gaps, under 1 lost");	/* all, at 1 ms: a part of 3 and 3 */
	desk_try(d, "j", "1 event, 1 gap, under 1 lost");	/* thread 5 alone */
	desk_try(d, "@`1ms..3ms` <Enter> M-1", "1 event, 1 gap");
}

/*
 * Thread 42 of the tour lost 2,525 events in the 234.3 ms from 3.2589 s on, thread 40 lost 1,916 in
 * the 232.6 ms from 3.2316 s on: about 11 and 8 in a cell of a millisecond.
 */
DESK_TEST(a_loss_shows_its_magnitude_and_each_cell_its_share, TOUR, 24, 132)
{
	const char	*caption;
	double		 ms;

	desk_do(d, "M-1 z @`3.3s..3.4s` <Enter> M-1");
	assert_int_equal(count_of(lane(d, "40 "), HATCH_10), 0);
	assert_true(count_of(lane(d, "40 "), HATCH) > 90);
	assert_int_equal(count_of(lane(d, "42 "), HATCH), 0);
	assert_true(count_of(lane(d, "42 "), HATCH_10) > 90);
	desk_do(d, "j");
	caption = strstr(memterm_text(d->m), "cell of ");
	assert_non_null(caption);
	ms = strtod(caption + strlen("cell of "), NULL);
	assert_true(ms > 0.9 && ms < 1.1);
	caption = strstr(caption, "1 gap, about ");
	assert_non_null(caption);
	assert_int_equal(strtol(caption + strlen("1 gap, about "), NULL, 10),
	    (long)(2525 * ms / 234.327 + 0.5));
	desk_do(d, "0 M-1");		/* a cell of 45 ms, and 7,430 lost in 102.8 ms */
	assert_true(count_of(lane(d, "40 "), HATCH_1000) > 0);
}

DESK_TEST(lanes_keep_their_order_when_the_window_changes, D, 24, 100)
{
	desk_do(d, "M-1");
	assert_true(line_of(d, "5  ") < line_of(d, "6  "));	/* 3 events and 1 */
	desk_do(d, "@`4ms..5ms` <Enter> M-1");
	assert_true(line_of(d, "5  ") < line_of(d, "6  "));	/* none and 1 */
	desk_do(d, ":`sort events` <Enter>");			/* it is asked for */
	assert_true(line_of(d, "6  ") < line_of(d, "5  "));
	desk_do(d, "0 M-1");
	assert_true(line_of(d, "6  ") < line_of(d, "5  "));
	desk_do(d, "f `tid = 5` <Enter> M-1");			/* a filter is another question */
	assert_true(line_of(d, "5  ") < line_of(d, "6  "));
}

/* Without room for views, the whole trace is counted in its file's order, and a window by rows. */
TEST(counts_in_the_order_of_the_file_are_those_by_rows)
{
	struct desk		 rows = desk_open(TOUR, 24, 100, false, NULL);
	struct desk		 file = desk_open_cached(TOUR, 24, 100, 1);
	const struct tally	*a = &rows.ui->v.tallies.lanes, *b = &file.ui->v.tallies.lanes;

	assert_true(a->done && a->counting.by_rows);
	assert_true(b->done && !b->counting.by_rows);
	assert_true(a->nparts > 1 && a->nparts == b->nparts);
	assert_true(a->lines > 1 && a->lines == b->lines && a->threads == b->threads);
	assert_memory_equal(a->all, b->all, a->nparts * sizeof *a->all);
	assert_memory_equal(a->events, b->events, a->threads * sizeof *a->events);
	assert_memory_equal(a->bytes, b->bytes, a->threads * sizeof *a->bytes);
	assert_memory_equal(a->bins, b->bins, (size_t)a->lines * a->nparts * sizeof *a->bins);
	desk_do(&file, "W");
	desk_rest(&file);
	assert_true(b->done && b->counting.by_rows);
	desk_close(&rows);
}

DESK_TEST(the_length_of_a_range_is_seen_while_it_is_drawn, D, 24, 100)
{
	desk_try_bottom(d, "M-1 v l", "range 2.000 ms");
	desk_try_bottom(d, "l", "range 4.000 ms");
}

/* Its zeros stay: what is drawn does not jump, and it reads the same when it ends. */
DESK_TEST(a_range_reads_the_same_while_it_is_drawn_and_when_it_ends, TOUR, 24, 100)
{
	const char	*from, *unit;
	struct buf	 len = { 0 };

	desk_do(d, "M-1 v l");
	for (int i = 0; i < 12; i++) {
		desk_do(d, "l");
		from = strstr(desk_bottom(d), "  range ");
		from += from != NULL ? 2 : 0;
		unit = from != NULL ? strstr(from, " ms") : NULL;
		if (unit == NULL || unit - from < 10 || unit[-4] != '.')
			fail_msg("no three decimals: %s", desk_bottom(d));
		buf_clear(&len);
		buf_add(&len, from + 6, (size_t)(unit + 3 - from - 6));
	}
	desk_try_bottom(d, "v", buf_str(&len));
	from = strchr(desk_bottom(d), '(');
	assert_non_null(from);
	assert_int_equal(strncmp(from + 1, buf_str(&len), len.len), 0);
	buf_release(&len);
}

DESK_TEST(a_process_has_the_density_of_its_threads, PIDS, 40, 132)
{
	desk_do(d, "M-1");
	assert_true(count_of(lane(d, "process 2000"), FULL) > 0);
}

DESK_TEST(left_and_right_move_by_cells_and_stay_on_the_lane, D, 24, 80)
{
	desk_try_row(d, "M-1 l", 1);
	desk_try_row(d, "l", 2);
	desk_try_row(d, "h h", 0);
	desk_do(d, "j l l");		/* the lane of thread 5 has no event at 4 ms */
	assert_int_equal(d->ui->v.sel.row, 3);
}

DESK_TEST(a_range_is_drawn_and_enter_zooms_to_it, D, 24, 80)
{
	desk_try(d, "M-1 l v l", "[====");
	desk_try(d, "v", "range 0.002 000 s");
	desk_do(d, "<Enter>");
	assert_int_equal(trace_ns(d->t, d->ui->v.window.from), 2000000);
	assert_int_equal(d->ui->v.window.row1 - d->ui->v.window.row0, 2);
	assert_false(d->ui->v.range.set);
	desk_need_not(d, "[====");
	desk_do(d, "[");
	assert_true(d->ui->v.window.whole);
	desk_try(d, "v <Esc>", "range dropped");
	assert_false(d->ui->v.range.set);
}

DESK_TEST(the_window_can_be_a_single_tick, D, 24, 80)
{
	desk_do(d, "M-1 l v v <Enter>");
	assert_int_equal((uint64_t)d->ui->v.window.to - (uint64_t)d->ui->v.window.from, 1);
	assert_int_equal(d->ui->v.window.row1 - d->ui->v.window.row0, 1);
	assert_int_equal(count_of(lane(d, "all"), FULL), 1);
	desk_need(d, "all 4.000 ms");		/* the minimap, with the window in it */
	desk_need(d, "[");
	desk_try(d, "w", "cannot get any shorter");
	desk_do(d, "0");
	assert_true(d->ui->v.window.whole);
}

DESK_TEST(a_filter_changes_the_exact_picture, D, 24, 80)
{
	desk_do(d, "M-1 f `n = 9` <Enter>");
	assert_int_equal(count_of(lane(d, "5  "), FULL), 1);
	assert_int_equal(count_of(lane(d, "6  "), FULL), 0);
	assert_int_equal(count_of(lane(d, "all"), FULL), 1);
}

DESK_TEST(lanes_are_sorted_pinned_and_hidden, D, 24, 120)
{
	struct pane	*p;

	desk_do(d, "M-1");
	assert_true(line_of(d, "5  ") < line_of(d, "6  "));
	desk_do(d, "I");
	assert_true(line_of(d, "5  ") > line_of(d, "6  "));
	desk_try(d, "I :`sort lost` <Enter>", "by lost");
	assert_true(line_of(d, "5  ") < line_of(d, "6  "));
	desk_try(d, ":`sort nonsense` <Enter>", "events, lost, busy or name");
	/* The cursor goes with its lane to the top. */
	desk_do(d, "g j j p");
	assert_true(line_of(d, "6  ") < line_of(d, "5  "));
	p = &d->ui->panes.pane[PANE_TIMELINE];
	assert_int_equal(p->ops->thread(p->self, &d->ui->v), 1);
	/* In [5 ms, 6 ms) thread 6 has nothing, but it is pinned. */
	desk_try(d, "@`5ms..6ms` <Enter> Z", "no lane is empty");
	assert_true(line_of(d, "6  ") > 0);
	desk_do(d, "p");
	assert_true(line_of(d, "6  ") < 0);
	desk_need(d, "1 empty lane hidden");
	desk_try(d, "Z", "all lanes are shown");
	assert_true(line_of(d, "6  ") > 0);
	desk_try(d, "Z", "1 empty lane");
}

/* Opened, the timeline takes half of the screen, but no more than its lanes can use. */
DESK_TEST(the_timeline_leaves_room_that_it_has_no_use_for, D, 60, 100)
{
	const struct pane	*p = &d->ui->panes.pane[PANE_TIMELINE];

	desk_do(d, "M-1");
	assert_in_range(p->at.h, 3 * 3 + 2, 3 * 3 + 4);	/* all and two threads, three lines each */
}

/* What works on lanes says so where there are none, and does not change them unseen. */
DESK_TEST(where_there_are_no_lanes_their_keys_say_why, D, 10, 60)
{
	static const char *const	keys[] = { ">", "I", "p" };

	desk_do(d, "M-1");
	for (size_t i = 0; i < 3; i++)
		desk_try(d, keys[i], "not enough room for lanes");
	desk_try(d, "z p", "only thread lanes");
	desk_try(d, "j p", "lane pinned");
	desk_try(d, "> <Down> <Enter>", "lanes sorted by lost");
	desk_try(d, "M-2 z p", "p has no use in events; it works in timeline, ");
}

DESK_TEST(search_hits_and_marks_are_ticks_above_the_lanes, D, 24, 80)
{
	int	y;

	desk_do(d, "m x M-1 /`n=5` <Enter>");
	y = memterm_find(d->m, "\xe2\x96\xbe");
	assert_true(y > 0);
	assert_int_equal(count_of(memterm_line(d->m, y), "\xe2\x96\xbe"), 2);
	assert_non_null(strstr(memterm_line(d->m, y), " x"));
}

DESK_TEST(lanes_are_grouped_by_process, PIDS, 40, 120)
{
	desk_do(d, "M-1");
	assert_true(line_of(d, "process 1000") > 0);
	assert_int_equal(line_of(d, "1002"), line_of(d, "process 1000") + 1);	/* more events */
	assert_true(line_of(d, "2001") > line_of(d, "process 2000"));
	desk_need(d, "far index");
	desk_try(d, "M-5", "process 2000");
}

/* The lines of the processes in the order of the screen. */
static void
need_processes(struct desk *d, const char *const *labels, int n)
{
	for (int i = 0; i < n; i++)
		if (line_of(d, labels[i]) < 0 ||
		    (i > 0 && line_of(d, labels[i]) < line_of(d, labels[i - 1])))
			fail_msg("%s is not in its place:\n%s", labels[i], memterm_text(d->m));
}

/*
 * v6-threads: process 1000 has the events of 0, 2 and 100 ms, 2000 that of 8 ms, 8589934597 that
 * of 6 ms, a thread without process that of 4 ms. The first of their threads' names: "Main
 * thread", "far index", none, "vl...".
 */
DESK_TEST(processes_are_ordered_as_their_threads_are, PIDS, 40, 132)
{
	static const char *const	a = "process 1000", *b = "process 2000",
				*c = "process 8589934597", *none = "no process";

	desk_do(d, "M-5 z :`sort first` <Enter>");
	need_processes(d, (const char *const []){ a, none, c, b }, 4);
	desk_do(d, "I");
	need_processes(d, (const char *const []){ b, c, none, a }, 4);
	desk_do(d, ":`sort last` <Enter> I");
	need_processes(d, (const char *const []){ a, b, c, none }, 4);
	desk_do(d, ":`sort name` <Enter>");
	need_processes(d, (const char *const []){ a, b, none, c }, 4);
	desk_do(d, ":`sort events` <Enter>");
	need_processes(d, (const char *const []){ a, b, c, none }, 4);
	assert_non_null(strstr(lane(d, a), " 3 "));	/* what its threads have together */
	desk_do(d, "I");
	assert_true(line_of(d, a) > line_of(d, b));
	/* The lanes of the timeline likewise. */
	desk_do(d, "z M-1");
	need_processes(d, (const char *const []){ a, b, c, none }, 4);
	desk_do(d, "I");
	need_processes(d, (const char *const []){ b, c, none, a }, 4);
	assert_non_null(strstr(lane(d, none), " 1 "));
	assert_non_null(strstr(lane(d, a), " 3 "));
	desk_do(d, ":`sort name` <Enter>");
	need_processes(d, (const char *const []){ c, none, b, a }, 4);
}

/* Events at 1, 2, 4 and 5 ms: of the first and the last that pass, the farther one is ahead. */
DESK_TEST(a_move_finds_what_passes_in_its_direction, D, 24, 80)
{
	desk_do(d, "f `t < 1500us or t > 4500us` <Enter>");
	desk_rest(d);
	view_select_toward(&d->ui->v, 1, 1);
	desk_rest(d);
	assert_int_equal(d->ui->v.sel.row, 3);
	view_select_toward(&d->ui->v, 2, -1);
	desk_rest(d);
	assert_int_equal(d->ui->v.sel.row, 0);
}

DESK_TEST(columns_of_what_was_lost_stand_only_where_something_was, PIDS, 40, 132)
{
	desk_try(d, "M-5", "bytes");
	desk_need_not(d, "share lost");
	desk_try(d, ":`sort lost` <Enter>", "no lost events detected");
	desk_try(d, "> <Down> <Down> <Enter>", "sorted by first");	/* events, bytes, first */
	desk_try(d, "M-1 > <Down> <Enter>", "lanes sorted by busy");	/* events, busy: nothing was lost */
	desk_try(d, "> <Up> <Enter>", "lanes sorted by events");
	desk_try(d, ":`sort lost` <Enter>", "no lost events detected");
	desk_reopen(d, D, 24, 132, false, NULL);
	desk_try(d, "M-5", "share lost");
	assert_non_null(strstr(lane(d, "5 "), " 12 "));	/* three payloads of 4 bytes */
	desk_do(d, "@`5ms..6ms` <Enter>");
	assert_null(strstr(lane(d, "5 "), " 12 "));
	assert_non_null(strstr(lane(d, "5 "), " 4 "));
}

/* Of a gap that the window cuts, what is lost is in proportion to its time in the window; the sum
   over the cells is that of the gaps, by thread and of all. */
static void
check_lost(struct desk *d, int w)
{
	struct view	*v = &d->ui->v;
	size_t		 threads = trace_threads(v->t);
	struct lost_row	*rows = mem_zalloc(threads + 1, sizeof *rows);
	float		*cells = mem_zalloc((threads + 1) * (size_t)w, sizeof *cells);
	double		*want = mem_zalloc(threads + 1, sizeof *want);

	for (uint32_t i = 0; i <= threads; i++)
		rows[i] = (struct lost_row){ i < threads ? i : EVENT_NONE, (int)i };
	for (size_t i = 0; i < v->gaps.n; i++) {
		const struct gap	*g = &v->gaps.v[i];
		int64_t			 from = g->from > v->window.from ? g->from : v->window.from;
		int64_t			 to = g->to < v->window.to ? g->to : v->window.to;
		double			 lost = (double)g->lost;

		if (g->to < v->window.from || g->from >= v->window.to)
			continue;
		if (g->from < v->window.from || g->to >= v->window.to)
			lost *= (double)(to - from) / (double)(g->to - g->from);
		want[g->thread] += lost;
		want[threads] += lost;
	}
	density_lost(v, rows, threads + 1, cells, w);
	for (size_t i = 0; i <= threads; i++) {
		struct lost_row	one = { i < threads ? (uint32_t)i : EVENT_NONE, 0 };
		double		sum = 0, here = 0;

		for (int x = 0; x < w; x++) {
			struct lost_here	at = density_lost_here(v, &one, 1, x, w);

			sum += (double)cells[i * (size_t)w + (size_t)x];
			here += at.lost;
			assert_int_equal(cells[i * (size_t)w + (size_t)x] > 0, at.gaps > 0);
		}
		assert_true(here > want[i] - 0.001 && here < want[i] + 0.001);
		assert_true(sum > want[i] - 0.1 && sum < want[i] + 0.1 + 0.001 * w);
	}
	mem_free(rows);
	mem_free(cells);
	mem_free(want);
}

DESK_TEST(what_was_lost_is_spread_over_the_time_of_its_gap, TOUR, 40, 120)
{
	struct view	*v = &d->ui->v;

	desk_do(d, "M-1");
	assert_true(v->gaps.n > 3);
	check_lost(d, 80);
	check_lost(d, 7);
	for (size_t i = 0; i < v->gaps.n; i += 3) {
		const struct gap	g = v->gaps.v[i];
		int64_t			third = (g.to - g.from) / 3;

		if (third < 2)
			continue;
		desk_do(d, "0");
		assert_true(view_window(v, g.from + third, g.to - third));
		check_lost(d, 80);
		assert_true(view_window(v, g.from - third, g.from + third));
		check_lost(d, 33);
		assert_true(view_window(v, g.to - third, g.to + third));
		check_lost(d, 33);
	}
}

DESK_TEST(spans_are_bars_and_what_is_nested_lies_below, HEPH, 40, 100)
{
	int64_t	from, to;
	int	y;

	desk_do(d, "M-1 z");
	y = line_of(d, "1  ");
	assert_true(y > 0);
	/* "Running thread-local process" lies within "Scheduling processes", a line below. */
	assert_true(strspn(memterm_line(d->m, y + 1), " ") > 10);
	assert_true(strlen(memterm_line(d->m, y + 1)) > 20);
	/* Row 1 took 138.796 us from 1.209381 ms on. */
	desk_do(d, ":`row 1` <Enter> v r");
	assert_true(view_range(&d->ui->v, &from, &to));
	assert_int_equal(trace_ns(d->t, from), 1209381);
	assert_in_range(trace_ns(d->t, to) - trace_ns(d->t, from), 138790, 138800);
	desk_do(d, "<Enter>");
	assert_int_equal(trace_ns(d->t, d->ui->v.window.from), 1209381);
	/* A bar that is long enough has its name in it. */
	desk_need(d, "Initialised the worker thread");
}

/* Counted to the middle of the third of four parts: behind that the index' counts stand in. */
TEST(what_is_not_counted_yet_is_drawn_as_the_index_has_it)
{
	uint32_t	bins[8] = { 0, 0, 0, 0, 1, 2, 3, 0 };
	uint32_t	rough[8] = { 0, 0, 0, 0, 9, 9, 9, 8 };
	struct tally	y = { .nparts = 4, .from = 0, .to = 40, .upto = 25, .bins = bins,
			    .rough = rough };

	assert_int_equal(tally_bin(&y, 1, 0), 1);
	assert_int_equal(tally_bin(&y, 1, 1), 2);
	assert_int_equal(tally_bin(&y, 1, 2), 9);
	assert_int_equal(tally_bin(&y, 1, 3), 8);
	y.done = true;
	assert_int_equal(tally_bin(&y, 1, 2), 3);
	assert_int_equal(tally_bin(&y, 1, 3), 0);
}

/* ---- gaps and threads */

DESK_TEST(every_gap_has_a_row_in_the_list_even_of_a_thread_without_events, D, 24, 100)
{
	int	y = memterm_find(d->m, "6: 3 events lost within 3 ms");

	assert_int_equal(count_of(memterm_text(d->m), " lost within "), 4);
	/* The sequence point of 3 ms told of it: behind the event of 2 ms, before that of 4 ms. */
	assert_true(y > memterm_find(d->m, "0.002 000"));
	assert_true(y < memterm_find(d->m, "0.004 000"));
	desk_try(d, "} }", "thread 6: ");
	/* With a filter on another thread it is no part of the list. */
	desk_do(d, "f `tid = 5` <Enter>");
	assert_int_equal(count_of(memterm_text(d->m), " lost within "), 2);
}

DESK_TEST(threads_are_sorted_by_any_column, D, 24, 132)
{
	desk_try(d, "M-5", "sorted by lost");
	desk_need(d, "0.005 000");			/* last of thread 5 */
	desk_do(d, ":`sort share` <Enter>");	/* 6 lost four of five */
	assert_true(line_of(d, "6 ") < line_of(d, "5 "));
	desk_do(d, "I");
	assert_true(line_of(d, "6 ") > line_of(d, "5 "));
	desk_do(d, ":`sort first` <Enter> I");
	assert_true(line_of(d, "5 ") < line_of(d, "6 "));
	desk_try(d, "> <Down> <Enter>", "sorted by last");
	desk_try(d, "> <Up> <Enter>", "sorted by first");
}

DESK_TEST(the_activity_of_a_thread_hatches_its_losses, D, 24, 132)
{
	desk_do(d, "M-5");
	assert_true(count_of(lane(d, "5 "), HATCH) > 5);
	assert_true(count_of(lane(d, "6 "), HATCH) > 5);
	desk_do(d, "@`5ms..6ms` <Enter>");
	assert_int_equal(count_of(lane(d, "5 "), HATCH), 0);
}

#define HTTP	"tests/data/spans/cut-http.nettrace"
#define CELLS	512u

/*
 * The cells of a thread's lane in which an event of the order //1/1 lies, and those that have none
 * but another event: from the events, whose ids tnav activities shows below it.
 */
static void
cells_of(struct desk *d, uint64_t tid, size_t *lit, size_t *others)
{
	static const char *const	ids[] = { "00000011-0000-0000-0000-0000b2999d59",
		"00001011-0000-0000-0000-0000b2a99d59", "00001111-0000-0000-0000-0000b2aa9d59",
		"00001211-0000-0000-0000-0000b2ab9d59" };
	const struct view	*v = &d->ui->v;
	unsigned		 w = v->tallies.lanes.nparts;
	bool			 own[CELLS] = { false }, other[CELLS] = { false };
	struct event		 e;
	uint8_t			 guid[16];
	struct buf		*text = test_buf();

	assert_in_range(w, 1, CELLS);
	for (uint64_t row = 0; row < trace_rows(d->t); row++) {
		struct thread_stat	st = { .has_tid = false };
		bool			is = false;
		unsigned		x;

		assert_int_equal(trace_event(d->t, row, &e), 1);
		trace_thread(d->t, e.thread, &st);
		if (st.tid != tid)
			continue;
		buf_clear(text);
		if (trace_activity(d->t, &e, guid))
			guid_text(text, guid);
		for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
			is |= strcmp(buf_str(text), ids[i]) == 0;
		x = (unsigned)((double)(e.ts - v->window.from) * w /
		    (double)(v->window.to - v->window.from));
		own[x] |= is;
		other[x] |= !is;
	}
	*lit = *others = 0;
	for (unsigned x = 0; x < w; x++) {
		*lit += own[x];
		*others += other[x] && !own[x];
	}
}

/* One key: its events stand above the low line of the others, on each thread's lane. */
DESK_TEST(an_activity_is_lit_on_all_lanes, HTTP, 50, 160)
{
	static const char *const	high[] = { "\xe2\x96\x83", "\xe2\x96\x84", "\xe2\x96\x85",
		"\xe2\x96\x86", "\xe2\x96\x87", "\xe2\x96\x88" };
	static const char *const	tids[] = { "25 ", "26 ", "29 " };
	size_t	all = 0;

	desk_try(d, "g V", "the activity is highlighted");
	for (size_t i = 0; i < sizeof tids / sizeof *tids; i++) {
		size_t	lit, others, seen = 0;

		cells_of(d, strtoull(tids[i], NULL, 10), &lit, &others);
		for (size_t k = 0; k < sizeof high / sizeof *high; k++)
			seen += count_of(lane(d, tids[i]), high[k]);
		assert_int_equal(seen, lit);
		/* Where more was lost than there is, the lane is hatched. */
		assert_in_range(count_of(lane(d, tids[i]), "\xe2\x96\x81"), i == 0 ? others : 1,
		    others);
		all += lit;
	}
	assert_true(all > 2);
	desk_try_not(d, "X", "the activity is highlighted");
	desk_close(d);
	/* Alike for a TraceId, and without Unicode. */
	*d = desk_open("tests/data/features/v6-labels-all-kinds.nettrace", 50, 160, true, NULL);
	desk_try_not(d, "j j j", "the activity is highlighted");
	desk_try(d, "V", "label.TraceId = ", "the activity is highlighted");
	assert_int_equal(count_of(lane(d, "all"), "@"), 2);	/* two events have it */
	desk_need(d, ".   .   @   .");
}

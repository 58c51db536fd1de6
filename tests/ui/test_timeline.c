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
#include "ui/pane/density.h"

#define D	"tests/data/features/v4-dropped-events.nettrace"

#define TOUR	"tests/data/tour.nettrace.zst"

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

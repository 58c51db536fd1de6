/*
 * Panes that are tables: gaps, folds, search, choice of columns, copies, and what drawing costs.
 *
 * v4-dropped-events (D): thread 6 lost 3 by a sequence point of 3 ms and 1 before 4 ms, thread 5
 * lost 3 between 1 and 2 ms and 3 by the sequence point. v6-threads: four processes.
 */
#include <unistd.h>

#include "../support/desk.h"
#include "../support/test.h"
#include "app/export.h"
#include "tnav/base/mem.h"
#include "ui/pane/table.h"

#define D	"tests/data/features/v4-dropped-events.nettrace"
#define PIDS	"tests/data/features/v6-threads.nettrace"
#define DEMO	"tests/data/demo.nettrace"
#define TOUR	"tests/data/tour.nettrace.zst"

static const struct ui_options	writing = { .export = &app_export };

/* ---- gaps */

/* The line of the screen that is so many rows below the titles of the gaps. */
static const char *
gap_line(struct desk *d, int row)
{
	return memterm_line(d->m, memterm_find(d->m, "  sequence numbers") + 1 + row);
}

DESK_TEST(gaps_stand_by_size_and_enter_goes_to_one, D, 24, 132)
{
	desk_try(d, ":`gaps` <Enter>", "10 lost in 4 gaps");
	assert_non_null(strstr(gap_line(d, 0), " 3 "));
	assert_non_null(strstr(gap_line(d, 3), " 1 "));	/* the smallest is last */
	assert_non_null(strstr(gap_line(d, 3), "0.004 000"));
	desk_try(d, "G <Enter>", "\xe2\x96\xb8 events");
	assert_int_equal(d->ui->v.sel.row, 2);			/* the event of 4 ms */
	desk_need_not(d, "hidden by the filter");
	desk_do(d, "f `tid = 5` <Enter> M-g G <Enter>");	/* that of thread 6 again */
	desk_need_bottom(d, "that event is hidden by the filter: at the nearest event");
	desk_do(d, "X");
	desk_do(d, "M-g :`sort from` <Enter> I");
	assert_non_null(strstr(gap_line(d, 0), "0.003 000"));
	desk_try(d, "M-2 @`4.5ms..6ms` <Enter> M-g", "no lost events in this window");
	desk_need(d, "0 lost in 0 of 4 gaps");
}

/* In ASCII the arrow of the sorted column is a letter, and its title ends where its numbers do. */
TEST(the_title_of_the_sorted_column_is_aligned_in_ascii_too)
{
	struct desk	d = desk_open(D, 24, 132, true, NULL);
	const char	*title, *row;

	desk_do(&d, "M-5");
	title = strstr(memterm_line(d.m, memterm_find(d.m, "v lost")), "v lost");
	assert_int_equal(title[6], ' ');
	row = memterm_line(d.m, memterm_find(d.m, "v lost") + 1);
	title = memterm_line(d.m, memterm_find(d.m, "v lost"));
	row += strstr(title, "v lost") + 5 - title;
	assert_true(row[0] >= '0' && row[0] <= '9' && row[1] == ' ');
}

DESK_TEST(durations_of_a_column_keep_their_zeros, D, 24, 132)
{
	desk_try(d, "M-g", "  1.000 ms");
}

DESK_TEST(the_cursor_stays_on_its_gap_in_another_order, D, 24, 132)
{
	struct table_pane	*p = d->ui->panes.pane[PANE_GAPS].self;
	size_t			 row;

	desk_do(d, "M-g G");
	row = table_pane_row(p, &d->ui->v);
	desk_do(d, "I");
	assert_int_equal(table_pane_row(p, &d->ui->v), row);
	assert_int_equal(p->list.cursor, 0);
	desk_do(d, ":`sort why` <Enter>");
	assert_int_equal(table_pane_row(p, &d->ui->v), row);
	desk_try(d, ":`sort whz` <Enter>", "unknown column \"whz\" (near: why)");
	desk_do(d, ":`sort other` <Enter>");
	desk_need(d, "unknown column \"other\" (gap, tid, life, why, after, from, to, ");
}

/* ---- trees */

DESK_TEST(a_process_folds_and_the_cursor_stays_on_it, PIDS, 40, 132)
{
	int	y;

	desk_do(d, "M-5 z");
	y = memterm_find(d->m, "process 1000");
	desk_need(d, "1001");
	desk_try_not(d, "g h", " 1001 ");
	desk_need(d, "+process 1000");
	assert_int_equal(memterm_find(d->m, "process 1000"), y);
	assert_true(memterm_mark(d->m, y, 4) & MARK_CURSOR);
	desk_try(d, "I", "+process 1000");	/* it stays folded in another order */
	desk_try(d, "l", "1001");
	desk_do(d, "j h");			/* from a thread to its process */
	assert_true(memterm_mark(d->m, memterm_find(d->m, "process 1000"), 4) & MARK_CURSOR);
}

/* ---- search, columns */

DESK_TEST(a_search_in_a_table_is_for_its_rows, DEMO, 40, 132)
{
	int	y;

	desk_do(d, "M-7 z /`allocationtick` <Enter>");
	y = memterm_find(d->m, "GC/AllocationTick");
	assert_true(memterm_mark(d->m, y, 4) & MARK_CURSOR);
	assert_int_equal(d->ui->v.sel.row, 0);
	assert_null(d->ui->v.search.pattern);
	desk_do(d, "/`^GC/` <Enter> n N");
	y = memterm_find(d->m, "\xe2\x96\xb8 GC/");
	assert_true(y > 0);
	desk_try(d, "/`nothing of that name` <Enter>", "no row of stats matches");
	desk_try(d, "/`(` <Enter>", "search: ");
	desk_try(d, "<Esc> ! /`x` <Enter>", "no row of problems matches");
}

/* > marks the column that the rows are sorted by; typing narrows the list, and Esc leaves it. */
DESK_TEST(a_table_is_sorted_by_a_column_that_is_picked, DEMO, 24, 100)
{
	desk_try(d, "M-7 >", "sorted by it now", "1 of", "Enter takes events");
	desk_try(d, "<Esc>", "sorted by events");
	desk_try(d, "> `fir` <Enter>", "sorted by first");
	desk_try(d, "<F6>", "Enter takes first");
	desk_try(d, "`zzz` <Enter>", "unknown column");
	desk_try(d, ":`sort byt` <Enter>", "sorted by bytes");
	desk_try(d, "I", "reversed");
}

/* The place in a list stands in its title only if the list is longer than its pane. */
DESK_TEST(a_list_says_where_it_is, DEMO, 24, 80)
{
	desk_try(d, "M-7", "10,854 events, 1 of 30 values");
	desk_try(d, "j j", "10,854 events, 3 of 30 values");
	desk_try(d, "G", "10,854 events, 30 of 30 values");
	memterm_resize(d->m, 60, 80);
	desk_try(d, "z", "10,854 events, 30 values");
	memterm_resize(d->m, 20, 40);
	desk_try(d, "k", "29 of 30");
}

/* The averages are 0, 0.0006, 96.1615, 479.3281 and 22.9066: the greatest needs one decimal. */
DESK_TEST(headings_have_units_and_one_unit_the_decimals_of_its_greatest, TOUR, 24, 80)
{
	desk_do(d, ": `threadpool` <Enter>");
	desk_need(d, "throughput (/s)");
	desk_need(d, "Warmup                     0.0");
	desk_need(d, "Warmup                   479.3");
	assert_false(desk_shows(d, "0.0006"));
}

DESK_TEST(what_explains_an_event_leaves_room_for_the_events, DEMO, 50, 132)
{
	desk_do(d, "K");
	desk_need(d, "decoded with");
	assert_true(memterm_find(d->m, "explain  q closes") > memterm_find(d->m, "events"));
	desk_do(d, "/ `decoded` <Enter>");
	desk_need(d, "/decoded/");
}

DESK_TEST(columns_of_a_table_are_chosen_by_name, D, 24, 132)
{
	desk_try(d, "M-5 :`columns tid,pid,lost` <Enter>", "pid", "4242");
	desk_need_not(d, "share lost");
	desk_try(d, ":`columns tid,nope` <Enter>", "columns: unknown column \"nope\"");
	desk_try(d, "c", "columns tid,pid,lost");
	desk_do(d, "<Esc> M-2");
	desk_need(d, "payload");		/* those of the events are as they were */
}

/* ---- copies */

/* What is copied and written is what the subcommand prints: it is the same printer. */
DESK_TEST_WITH(rows_of_a_table_are_copied_and_written, D, 24, 132, &writing)
{
	char	 path[] = "/tmp/tnav-test-XXXXXX.csv", text[512] = "", keys[128];
	FILE	*f;

	desk_do(d, "M-g G y y");
	assert_string_equal(memterm_copied(d->m),
	    "   1    6  0.003000000  0.004000000");
	desk_do(d, "y j");
	assert_string_equal(memterm_copied(d->m),
	    "{\"gap\":1,\"tid\":6,\"life\":1,\"why\":\"gap\",\"after\":null,\"from\":3000000,"
	    "\"to\":4000000}");
	desk_do(d, "M-5 :`columns tid,events,lost` <Enter> Y");
	assert_string_equal(memterm_copied(d->m),
	    "tid  events  lost\n  5       3     6\n  6       1     4\n");
	close(mkstemps(path, 4));
	snprintf(keys, sizeof keys, "P`-f %s` <Enter>", path);
	desk_try(d, keys, "threads written to /tmp/tnav-test-");
	f = fopen(path, "r");
	assert_true(fread(text, 1, sizeof text - 1, f) > 0);
	fclose(f);
	unlink(path);
	assert_string_equal(text, "tid,events,lost\r\n5,3,6\r\n6,1,4\r\n");
	desk_try(d, ":`w /a/x.folded` <Enter>", "--fold -o /a/x.folded ");
	desk_try(d, "M-c :`w x.speedscope.json` <Enter>",
	    "it: tnav stacks --weight=");
	desk_try(d, ":`w x.pb.gz` <Enter>", "it: tnav convert -o x.pb.gz ");
	desk_try(d, ":`w x.SVG` <Enter>", "no pictures are written");
}

/* The command that prints what a pane shows, without the file at its end. */
static const char *
command_of(struct desk *d, const char *keys)
{
	static char	line[512];
	char		*end;

	desk_do(d, keys);
	desk_do(d, "y c");
	snprintf(line, sizeof line, "%s", memterm_copied(d->m));
	end = strrchr(line, ' ');
	assert_non_null(end);
	*end = '\0';
	return line;
}

DESK_TEST_WITH(the_command_line_that_is_copied_prints_the_table_at_hand, D, 24, 132, &writing)
{
	assert_string_equal(command_of(d, "f `tid = 5` <Enter>"), "tnav dump -f 'tid = 5'");
	assert_string_equal(command_of(d, "M-5"), "tnav threads");
	assert_string_equal(command_of(d, "M-g"), "tnav gaps");
	assert_string_equal(command_of(d, "!"), "tnav check");
	assert_string_equal(command_of(d, "q :`tally name,tid sum row p99.5 dur` <Enter>"),
	    "tnav stats --by=name,tid --sum=row --pct=99.5:dur --sort=sum.row:desc -f 'tid = 5'");
	assert_string_equal(command_of(d, ":`sort tid` <Enter> I"),
	    "tnav stats --by=name,tid --sum=row --pct=99.5:dur --sort=tid:desc -f 'tid = 5'");
	assert_string_equal(command_of(d, "@ `1ms..3ms` <Enter> M-g"),
	    "tnav gaps --from=1000000ns --to=3000000ns");
	assert_string_equal(command_of(d, "M-9"),
	    "tnav spans --list --top=10000 -f 'tid = 5' --from=1000000ns --to=3000000ns");
}

/* ---- cost */

static unsigned	asked;

static void
counting_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	(void)src;
	asked++;
	*out = col == 0 ? cell_u64(row) : cell_str("text");
}

static const struct table_column	two[] = {
	{ .name = "n", .kind = CELL_U64 }, { .name = "text", .kind = CELL_TEXT },
};

static const struct table *
counting_table(void *self, struct view *v)
{
	static struct table	t = { .column = two, .ncolumns = 2, .nrows = 300000,
				    .sort = 1, .cell = counting_cell };

	(void)self;
	(void)v;
	return &t;
}

TEST(a_redraw_asks_for_the_cells_on_the_screen_only)
{
	static const struct pane_ops	ops = { .table = counting_table };
	struct desk			d = desk_open(D, 24, 80, false, NULL);
	struct table_pane		p = { .name = "counting", .ops = &ops };
	struct rect			r = { 1, 0, 22, 80 };

	table_pane_draw(&p, &d.ui->v, &d.ui->screen.c, r, true);
	for (int i = 0; i < 5; i++) {
		asked = 0;
		(void)table_pane_move(&p, &d.ui->v, (struct move){ i % 2 ? MOVE_LAST :
		    MOVE_PAGES, 1 });
		table_pane_draw(&p, &d.ui->v, &d.ui->screen.c, r, true);
		/* 21 rows of two cells, once to be measured and once to be drawn. */
		assert_in_range(asked, 1, 2 * 2 * 21);
	}
	table_pane_release(&p);
}

/* ---- filters */

/* While all are off, switching one on leaves it alone; if none is on, all are switched on. */
DESK_TEST(filter_terms_are_switched_one_by_one_and_together, D, 24, 132)
{
	static const struct { const char *keys, *bottom; bool first, second; } steps[] = {
		{ "", "row 1 ", true, true },
		{ "M-f", "all filters are off (Alt-f: on)", false, false },
		{ "M-f", "filters are on", true, true },
		{ "M-f g <Space>", "on: tid = 5", true, false },
		{ "<Space>", "off: tid = 5", false, false },
		{ "M-f", "filters are on", true, true },
		{ "<Space>", "off: tid = 5", false, true },
		{ "M-f", "all filters are off (Alt-f: on)", false, false },
		{ "M-f", "filters are on", false, true },
	};

	desk_do(d, "f `tid = 5` <Enter> :`filter-add row > 0` <Enter> :`filters` <Enter>");
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		desk_do(d, steps[i].keys);
		desk_need_bottom(d, steps[i].bottom);
		desk_need(d, steps[i].first ? "[on]         tid = 5" : "[  ]         tid = 5");
		desk_need(d, steps[i].second ? "[on]         row > 0" : "[  ]         row > 0");
	}
}

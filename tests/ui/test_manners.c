/*
 * What makes the viewer pleasant: no key is dead in silence, the bottom line names the keys that
 * matter where one is, a message says what to do next.
 *
 * v4-dropped-events (D): four events, at 1, 2, 4 and 5 ms, n = 1, 5, 5, 9, the third on thread 6,
 * the others on thread 5; before three of them some were lost.
 */
#include <ctype.h>

#include "../support/desk.h"
#include "../support/test.h"
#include "../support/tier.h"
#include "tnav/analysis/report.h"
#include "tnav/base/mem.h"
#include "ui/command/command.h"
#include "ui/term/key.h"

#define D	"tests/data/features/v4-dropped-events.nettrace"
#define DEMO	"tests/data/demo.nettrace"
#define TOUR	"tests/data/tour.nettrace.zst"

#define ROWS	24
#define COLS	80

#define POINTER	"\xe2\x96\xb8"

/* ---- no key is dead in silence */

/* All that can be seen: text and marks. */
static void
see(struct desk *d, struct buf *out)
{
	buf_clear(out);
	buf_puts(out, memterm_text(d->m));
	for (int y = 0; y < ROWS; y++)
		for (int x = 0; x < COLS; x++)
			buf_putc(out, (char)('0' + memterm_mark(d->m, y, x)));
}

/* How a pane is come to: its keys. */
static const struct way {
	enum pane_id	 pane;
	const char	*keys;
} ways[] = {
	{ PANE_EVENTS, "" }, { PANE_TIMELINE, "M-1" }, { PANE_DETAILS, "M-3" },
	{ PANE_STACK, "M-4" }, { PANE_THREADS, "M-5" },
	{ PANE_STATS, "M-7" }, { PANE_GAPS, "M-g" }, { PANE_PROBLEMS, "!" }, { PANE_HELP, "?" },
	{ PANE_EXPLAIN, "K" },
	{ PANE_COLUMNS, "c" }, { PANE_FILTERS, ":`filters` <Enter>" },
	{ PANE_MARKS, ":`marks` <Enter>" },
	/* ... with nothing in the list */
	{ PANE_EVENTS, "f `tid = 77` <Enter>" }, { PANE_TIMELINE, "f `tid = 77` <Enter> M-1 j" },
	{ PANE_DETAILS, "f `tid = 77` <Enter> M-3" }, { PANE_STACK, "f `tid = 77` <Enter> M-4" },
	{ PANE_STATS, "f `tid = 77` <Enter> M-7" },
};
#define WAYS_WITH_EVENTS	13

/* The key on a fresh viewer in that pane: does it quit, or change what is seen? */
static bool
is_seen(const struct way *w, struct key_pair k)
{
	struct desk	 d = desk_open(D, ROWS, COLS, false, NULL);
	struct buf	*before = test_buf(), *after = test_buf();
	bool		 seen;

	desk_do(&d, w->keys);
	assert_int_equal(d.ui->panes.focus, w->pane);
	see(&d, before);
	ui_key(d.ui, k.key);
	if (k.then != TK_NONE)
		ui_key(d.ui, k.then == TK_ANY ? 'a' : k.then);
	d.ui->screen.dirty = true;
	desk_rest(&d);
	see(&d, after);
	seen = d.ui->quit || strcmp(buf_str(before), buf_str(after)) != 0;
	desk_close(&d);
	return seen;
}

static int
try_command(const struct command *cmd)
{
	int		 failed = 0;
	const char	*p = cmd->keys;
	struct key_pair	 k = key_pair_next(&p);

	for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
		if ((cmd->scope & SCOPE(ways[w].pane)) == 0 || is_seen(&ways[w], k))
			continue;
		print_error("%s after \"%s\" does nothing and says nothing\n", cmd->name,
		    ways[w].keys);
		failed++;
	}
	return failed;
}

TEST(no_key_is_dead_in_silence_where_it_is_bound)
{
	int	failed = 0;

	for (size_t i = check_seed() % check_part(); i < command_ntable; i += check_part()) {
		const struct command	*cmd = &command_table[i];

		if (cmd->keys[0] != '\0' && strcmp(cmd->name, "redraw") != 0 &&
		    strcmp(cmd->name, "suspend") != 0)	/* these reach the terminal alone */
			failed += try_command(cmd);
	}
	assert_int_equal(failed, 0);
}

/* ---- the bottom line */

TEST(the_bottom_line_names_what_matters_in_the_pane)
{
	static const char *const	want[] = {
		"f filter  ? help  Alt-5 threads  Alt-1 timeline", "w in  s out  v range",
		"i only  x without  = tally  yf copy", "ys copy", "Enter only  } gap  > sort",
		"Enter only  x without  > sort",
		"Enter go  i only  > sort", "} gap  q close",
		"q close", "q close", "Space show  J down  K up  a add", "Space switch  n name  d delete",
		"Enter go  x delete",
	};

	for (size_t w = 0; w < WAYS_WITH_EVENTS; w++) {
		struct desk	d = desk_open(D, ROWS, COLS, false, NULL);

		desk_try_bottom(&d, ways[w].keys, want[w]);
		desk_close(&d);
	}
}

/* ---- help */

DESK_TEST(help_tells_first_what_the_keys_do_in_the_pane, D, 500, COLS)
{
	int	own, others;

	desk_try(d, "?", "help  events; ");
	own = memterm_find(d->m, "Go to the next hit.");
	others = memterm_find(d->m, "In filters");
	assert_true(own > 0 && (others < 0 || others > own));
	assert_true(memterm_find(d->m, "Name the term under the cursor.") > others);
	assert_int_equal(memterm_find(d->m, "In events"), 2);
	assert_true(memterm_find(d->m, ":filter") < memterm_find(d->m, "Filter and search"));
	desk_try(d, "q :`filters` <Enter> ?", "help  filters; ");
	assert_true(memterm_find(d->m, "Name the term under the cursor.") > 0);
	assert_true(memterm_find(d->m, "Name the term") < memterm_find(d->m, "Go to the next hit."));
	desk_try(d, "? ?", "help  filters; ");
	desk_try(d, "q q ?", "help  events; ");
}

/* On a narrow screen, too: page by page, nothing is cut. */
DESK_TEST(help_fits_40_columns_and_names_every_command, D, 12, 40)
{
	struct buf	*all = test_buf();
	char		 name[64];

	desk_do(d, "?");
	for (int i = 0; i < 200; i++) {
		for (int y = 2; y < 11; y++) {
			buf_puts(all, memterm_line(d->m, y));
			buf_putc(all, '\n');
		}
		if (desk_shows(d, "end of the list"))
			break;
		desk_do(d, "<Space>");
	}
	assert_true(desk_shows(d, "end of the list"));
	if (strstr(buf_str(all), "\xe2\x80\xa6\n") != NULL)
		fail_msg("cut: %.200s", strstr(buf_str(all), "\xe2\x80\xa6\n") - 100);
	for (size_t i = 0; i < command_ntable; i++) {
		(void)snprintf(name, sizeof name, ":%s", command_table[i].name);
		if (strstr(buf_str(all), name) == NULL)
			fail_msg("help does not tell of %s", name);
	}
	desk_try(d, "g /`Halve` <Enter>", "Halve the window");
}

/* ---- the way to the panes */

DESK_TEST(f2_lists_every_pane_and_a_digit_or_letter_chooses, D, 40, COLS)
{
	desk_do(d, "<F2>");
	for (int y = memterm_find(d->m, POINTER " panes"); y < 39; y++)
		assert_null(strstr(memterm_line(d->m, y), "\xe2\x80\xa6"));	/* nothing is cut */
	for (int i = 0; i < PANES; i++)
		if (i != PANE_CHOOSER)
			desk_need(d, pane_names[i]);
	desk_try(d, "5", POINTER " threads");
	desk_try(d, "<F2> g", POINTER " gaps");
	desk_try(d, "<F2> f", POINTER " filters");
	desk_try(d, "<F2> <Home> j j <Enter>", POINTER " details");
}

/* The key in front of a name on the screen of <F2>; '\0': the name has none. */
static char
key_of(const struct desk *d, const char *name)
{
	struct buf	*find = test_buf();
	const char	*at;

	buf_printf(find, "  %s ", name);
	at = strstr(memterm_text(d->m), buf_str(find));
	return at != NULL && at[-1] != ' ' ? at[-1] : '\0';
}

DESK_TEST(f2_lists_every_report_under_the_panes_each_with_a_key_of_its_own, DEMO, ROWS, COLS)
{
	char	keys[REPORTS + 1] = "", key[2] = "";

	desk_try(d, "<F2>", " panes, ");
	desk_do(d, "G");
	for (size_t i = 0; i < REPORTS; i++) {
		key[0] = key_of(d, reports[i]->name);
		assert_true(isalnum((unsigned char)key[0]));
		assert_null(strchr(keys, key[0]));
		keys[i] = key[0];
	}
	for (size_t i = 0; i < REPORTS; i++) {
		key[0] = keys[i];
		desk_try(d, key, "\xe2\x96\xb8 report");
		desk_need(d, reports[i]->title);
		desk_do(d, "<F2> G");
	}
	desk_try(d, "<Home> /`Lock cont` <Enter> <Enter>", "Lock contention");
	desk_need_not(d, " panes, ");
}

/* Of the reports some have several kinds of rows, some have plots. */
DESK_TEST(keys_that_do_nothing_in_a_report_are_not_on_the_bottom_line,
    "tests/data/tour.nettrace.zst", ROWS, 100)
{
	unsigned	one = 0, several = 0, plots = 0;
	char		script[64];

	for (size_t i = 0; i < REPORTS; i++) {
		bool	kinds = report_parts(reports[i]) > 1, plot = reports[i]->plot[0].title != NULL;

		if (!report_present(reports[i], d->t))
			continue;
		(void)snprintf(script, sizeof script, ":`%s` <Enter>", reports[i]->name);
		desk_do(d, script);
		assert_int_equal(strstr(desk_bottom(d), " p rows") != NULL, kinds);
		if (plot)
			desk_need_bottom(d, "Alt-p plot");
		*(kinds ? &several : &one) += 1;
		plots += plot;
	}
	assert_true(one > 0 && several > 0 && plots > 0);
	desk_do(d, ":`summary` <Enter>");
	assert_null(strstr(desk_bottom(d), "Alt-p"));
}

/* ---- where the hits of a search are */

/* The rows of the list are found by the names of their types; the screen must tick their places. */
static void
need_ticks(struct desk *d, const char *name)
{
	struct view	*v = &d->ui->v;
	uint64_t	 count = view_count(v), row;
	struct rect	 r = d->ui->panes.pane[PANE_EVENTS].at;
	int		 h = r.h - 1, ticked = 0;	/* the first line are the titles */
	bool		*want = mem_zalloc((size_t)h, sizeof *want);

	for (uint64_t i = 0; i < count; i++) {
		struct event	e;

		assert_int_equal(view_event(v, i, &e, &row), 1);
		if (strstr(trace_type(d->t, e.type)->name, name) != NULL)
			want[i * (uint64_t)h / count] = true;
	}
	for (int i = 0; i < h; i++) {
		const char	*line = memterm_line(d->m, r.y + 1 + i);
		size_t		 len = strlen(line);
		bool		 tick = len > 3 && strcmp(line + len - 3, "\xe2\x94\xa4") == 0;

		if (tick != want[i])
			fail_msg("line %d:\n%s", r.y + 1 + i, memterm_text(d->m));
		ticked += tick;
	}
	assert_true(ticked > 0);
	mem_free(want);
}

DESK_TEST(the_hits_of_a_search_are_ticked_on_the_scrollbar_and_the_line_of_time, DEMO, ROWS, COLS)
{
	int	marked = 0;

	desk_need_not(d, "\xe2\x94\xa4");
	desk_do(d, "/`HeapStats` <Enter>");
	need_ticks(d, "HeapStats");
	for (int x = 0; x < COLS; x++)
		marked += (memterm_mark(d->m, 3, x) & MARK_HIT) != 0;
	assert_true(marked > 0);
	desk_do(d, "f `name ~ GC/` <Enter>");
	need_ticks(d, "HeapStats");
	desk_try_bottom(d, "<Esc>", "search dropped");
	desk_need_not(d, "\xe2\x94\xa4");
	desk_try_bottom(d, "n", "/HeapStats/  ");	/* the last one is repeated */
	need_ticks(d, "HeapStats");
	desk_try_not(d, ":`noh` <Enter>", "\xe2\x94\xa4");
}

/* ---- what is copied is shown */

/* The counts are marked: a count that begins again has other ones. */
DESK_TEST(a_pane_beside_the_threads_does_not_count_them_again, TOUR, 50, 200)
{
	struct tally	*y = &d->ui->v.tallies.by_thread;

	desk_do(d, "M-5");
	assert_true(y->done);
	y->bytes[0] += 1000000;
	desk_try(d, ":`calls` <Enter>", POINTER " calls", " threads ");
	assert_true(y->bytes[0] >= 1000000);
	desk_do(d, "w");
	assert_true(y->bytes[0] < 1000000);
}

/* ---- the time window */

DESK_TEST(zooming_out_as_far_as_in_shows_all_again_and_the_event_stays, DEMO, ROWS, COLS)
{
	uint64_t	rows = trace_rows(d->t);

	for (uint64_t row = 0; row < rows; row += row + 1 < rows && row + 37 >= rows ?
	    rows - 1 - row : 37) {
		for (int depth = 1; depth <= 12; depth++) {
			view_select_row(&d->ui->v, row);
			for (int i = 0; i < depth; i++) {
				ui_key(d->ui, 'w');
				assert_true(d->ui->v.sel.row == row);
				assert_true(d->ui->v.sel.ts >= d->ui->v.window.from &&
				    d->ui->v.sel.ts < d->ui->v.window.to);
			}
			for (int i = 0; i < depth; i++)
				ui_key(d->ui, 's');
			assert_true(d->ui->v.window.whole);
			assert_true(d->ui->v.sel.row == row);
		}
	}
}

/*
 * What makes the viewer pleasant: no key is dead in silence, the bottom line names the keys that
 * matter where one is, a message says what to do next.
 *
 * v4-dropped-events (D): four events, at 1, 2, 4 and 5 ms, n = 1, 5, 5, 9, the third on thread 6,
 * the others on thread 5; before three of them some were lost.
 */
#include <ctype.h>

#include "../support/data.h"
#include "../support/desk.h"
#include "../support/test.h"
#include "../support/tier.h"
#include "tnav/analysis/report.h"
#include "tnav/base/units.h"
#include "tnav/base/mem.h"
#include "ui/command/command.h"
#include "ui/term/key.h"

#define D	"tests/data/features/v4-dropped-events.nettrace"
#define AFTER_POINT	"tests/data/features/v6-dropped-events.nettrace"
#define CUT	"tests/data/features/v6-cut-in-block.nettrace"
#define EMPTY	"tests/data/features/v4-headers-only.nettrace"
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

DESK_TEST(a_key_that_is_of_no_use_in_a_pane_says_where_it_is, D, ROWS, COLS)
{
	desk_try_bottom(d, "I", "I has no use in events; it works in timeline, ");
	desk_try_bottom(d, "! w", "w has no use in problems (q closes it)");
	desk_try_bottom(d, "! <F7>", "no command on F7");
}

TEST(cancel_says_what_q_does)
{
	static const char *const	keys[] = { "<Esc>", "C-g", "C-c" };

	for (size_t i = 0; i < 3; i++) {
		struct desk	d = desk_open(D, ROWS, COLS, false, NULL);

		desk_try_bottom(&d, keys[i], "nothing to cancel; q quits");
		desk_do(&d, "M-5");
		desk_try_bottom(&d, keys[i], "q closes threads, Q quits");
		desk_do(&d, "z");
		desk_try_bottom(&d, keys[i], "q closes the maximised pane");
		desk_do(&d, "q q q");
		assert_true(d.ui->quit);
		desk_close(&d);
	}
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

DESK_TEST(a_key_that_is_bound_anew_stands_on_the_bottom_line, D, ROWS, COLS)
{
	desk_try_bottom(d, ":`bind events Z filter` <Enter> j", "Z filter");
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

/* What covers the panes gives the focus back to the one in which it was opened. */
DESK_TEST(help_goes_back_to_the_pane_that_it_is_about, D, 24, 80)
{
	desk_try(d, ":`gc` <Enter> ? q", "\xe2\x96\xb8 report");
	desk_try(d, "? <Esc>", "\xe2\x96\xb8 report");
	desk_try(d, "z ? q", "\xe2\x96\xb8 report");	/* it is maximised as before */
	desk_need_not(d, " events  ");
	desk_try(d, "z M-8 ? q", "\xe2\x96\xb8 reports");
	desk_try(d, "q", "\xe2\x96\xb8 report ");
	desk_do(d, "<F2> M-8 q");		/* a list that a list opened: not back to that */
	desk_need(d, "\xe2\x96\xb8 report ");
	desk_try(d, "? <Tab> ? q", "\xe2\x96\xb8 events");
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

DESK_TEST(help_explains_the_drawings_of_the_pane, D, 100, COLS)
{
	desk_try(d, "M-1 ?", "Legend", "\xe2\x96\x91 \xe2\x96\x92 \xe2\x96\x93");
	desk_need(d, "Lost events: fewer than 10");
}

/* ---- the way to the panes */

DESK_TEST(tab_opens_one_pane_after_the_other_where_there_is_room_for_one, D, ROWS, COLS)
{
	desk_try(d, "<Tab>", POINTER " details");
	desk_try(d, "<Tab>", POINTER " stack");
	desk_need_not(d, "details");
	desk_try(d, "<S-Tab>", POINTER " details");
	desk_try(d, "<S-Tab>", POINTER " events");
	desk_need_not(d, "details");
	desk_try(d, "M-5 <Tab>", POINTER " events");	/* among those that are open */
	desk_try(d, "<Tab>", POINTER " threads");
}

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

/* They differ at their ends. */
DESK_TEST(providers_that_are_cut_can_be_told_apart, "tests/data/tour.nettrace.zst", ROWS, COLS)
{
	desk_try(d, ":`stats provider,name` <Enter>", "tNETRuntimeRundown  Method/DCStopVerbose");
	desk_need(d, " Microsoft-Windows-DotNETRuntime      GC/SuspendEEStart");
	desk_try(d, "M-2 :`columns time,provider,event,payload` <Enter>", "dows-DotNETRuntime ");
	desk_try(d, "G", "ETRuntimeRundown ");
}

DESK_TEST(what_option_types_on_a_mac_is_told, D, ROWS, 120)
{
	desk_do(d, "`\xe2\x88\x9e`");
	desk_need_bottom(d, "Option-5");
	desk_need_bottom(d, "Use Option as Meta key");
	desk_do(d, "`\xc3\xa4`");
	assert_null(strstr(desk_bottom(d), "Option"));
}

DESK_TEST(messages_keep_what_was_said, D, ROWS, COLS)
{
	int	newer, older;

	desk_try(d, "G G :`zorn` <Enter> :`messages` <Enter>", POINTER " messages");
	newer = memterm_find(d->m, "zorn");
	older = memterm_find(d->m, "end of the list");
	assert_true(newer > 0 && older > newer);
}

TEST(the_first_screen_says_when_the_trace_was_started)
{
	struct desk	 d = desk_open(D, ROWS, COLS, false, NULL);
	struct buf	*want = test_buf();

	assert_true(trace_info(d.t)->has_sync_utc);
	buf_puts(want, "process 4242  started ");
	units_utc(want, trace_info(d.t)->sync_utc, 0);
	assert_non_null(strstr(memterm_line(d.m, 1), buf_str(want)));
	desk_need(&d, "! 10 lost in 4 gaps");
	desk_reopen(&d, D, ROWS - 1, COLS, false, NULL);	/* no lines for it: in the title */
	desk_need(&d, strstr(buf_str(want), "started"));
	assert_null(strstr(memterm_line(d.m, 1), "started"));
}

DESK_TEST(dividers_meet_the_titles, D, 50, 200)
{
	desk_need(d, "\xe2\x94\x80\xe2\x94\xac\xe2\x94\x80 details");
	desk_need(d, "\xe2\x94\x80\xe2\x94\xb4\xe2\x94\x80");
	desk_reopen(d, D, 50, 200, true, NULL);
	desk_need(d, "-+- details");
}

DESK_TEST(help_has_every_command, D, 400, 200)
{
	char	name[64];

	desk_do(d, "?");
	for (size_t i = 0; i < command_ntable; i++) {
		(void)snprintf(name, sizeof name, ":%s", command_table[i].name);
		if (memterm_find(d->m, name) < 0)
			fail_msg("help does not tell of %s", name);
	}
}

/* ---- a gap in the details */

/* Capture thread 5 has numbers 1, 5 and 9 at 1, 2 and 5 ms: 2 to 4 and 6 to 8 are missing. */
DESK_TEST(details_tell_what_a_gap_is_and_what_to_do_about_it, D, 40, 120)
{
	desk_try(d, "M-3", "lost after", "3 events, numbers 2 \xe2\x80\xa6 4", "event after");
	desk_need(d, "0.002 000 s  ");
	desk_need_not(d, "lost before");
	desk_try(d, "}", "lost before", "within         1 ms", "0.001 000 s  ", "row 0");
	desk_need(d, "detected by    sequence numbers", "--buffersize");
}

/*
 * Thread 12 has number 3 at 3 ms, a sequence point knows 10 at 6 ms, then 12 is read at 8 ms: 11 was
 * lost between the latter two, though the event before is at 3 ms.
 */
DESK_TEST(details_of_a_gap_that_begins_at_a_sequence_point, AFTER_POINT, 40, 120)
{
	desk_do(d, "G");
	desk_do(d, "M-3");
	desk_need(d, "lost before      8 events, 7 of them reported earlier by a sequence point; number 11");
	desk_need(d, "within         2 ms", "event before   0.003 000 s  Feat.Drop/T  row 2");
	desk_do(d, "M-2");
	desk_do(d, "k");
	desk_do(d, "k");
	desk_do(d, "k");
	desk_try(d, "M-3", "lost after       7 events, numbers 4 \xe2\x80\xa6 10");
	desk_need(d, "within         3 ms");
}

DESK_TEST(enter_on_a_thread_asks_for_its_process_where_ids_are_shared_alone, D, ROWS, COLS)
{
	desk_try(d, "M-5 <Enter>", "f: tid = ");
	desk_need_not(d, "pid = ");
	desk_do(d, "X");
	assert_null(d->ui->v.filter.text);
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

DESK_TEST(the_scrollbar_shows_what_of_the_list_is_on_the_screen, DEMO, ROWS, COLS)
{
	struct rect	r = d->ui->panes.pane[PANE_EVENTS].at;

	desk_do(d, "/`HeapStats` <Enter> g");
	assert_true(memterm_mark(d->m, r.y + 1, COLS - 1) & MARK_CURSOR);
	assert_false(memterm_mark(d->m, r.y + r.h - 1, COLS - 1) & MARK_CURSOR);
	desk_do(d, "G");
	assert_false(memterm_mark(d->m, r.y + 1, COLS - 1) & MARK_CURSOR);
	assert_true(memterm_mark(d->m, r.y + r.h - 1, COLS - 1) & MARK_CURSOR);
}

/* ---- going to a time */

DESK_TEST(a_time_without_an_event_of_its_own_says_so, D, ROWS, COLS)
{
	desk_try_row(d, "@`2ms` <Enter>", 1);
	desk_do(d, "@`-500us` <Enter>");	/* from 1.5 ms on it is the first */
	assert_int_equal(d->ui->v.sel.row, 1);
	desk_need_bottom(d, "at the first event after that time");
	desk_try(d, "@`4ms..2ms` <Enter>", "the range ends before it starts");
	desk_do(d, "<Esc> @`9s..10s` <Enter>");
	desk_need(d, "the trace has no events in 9s..10s: it lasts from 0.001 000 s to 0.005 000 s");
}

DESK_TEST(going_to_a_time_outside_the_window_is_one_step_of_history, DEMO, ROWS, COLS)
{
	int64_t	from, to;

	desk_do(d, "@`0.1s..0.2s` <Enter>");
	from = d->ui->v.window.from;
	to = d->ui->v.window.to;
	desk_do(d, "@`0.5s` <Enter>");
	assert_true(d->ui->v.window.from > from);
	desk_do(d, "[");
	assert_true(d->ui->v.window.from == from && d->ui->v.window.to == to);
	assert_true(d->ui->v.sel.ts >= from && d->ui->v.sel.ts < to);
}

DESK_TEST(a_jump_that_led_nowhere_is_no_step_of_history, D, ROWS, COLS)
{
	desk_try_bottom(d, "g [", "nothing to go back to");
	desk_try_bottom(d, "j j m a /`nowhere` <Enter> n n [", "nothing to go back to");
	desk_try_row(d, "G n [", 2);
	desk_try_row(d, "]", 3);
}

/* ---- modes are told while they last */

DESK_TEST(the_list_s_title_tells_of_filters_that_are_off_and_of_times_from_elsewhere, D, ROWS, COLS)
{
	desk_try(d, "f `tid = 6` <Enter> M-f j", "events  filters off, Alt-f: on");
	desk_try(d, "M-f T j k", "f: tid = 6  (times relative to a chosen event, T resets)");
	desk_try_not(d, "T", "from the zero");
	desk_try(d, ":`time-format delta` <Enter> j", "(times relative to the cursor)");
}

/* ---- small screens */

DESK_TEST(the_loss_is_read_on_a_narrow_screen_before_the_file_s_name, D, 10, 40)
{
	assert_non_null(strstr(memterm_line(d->m, 0), "v4-dropp"));
	assert_non_null(strstr(memterm_line(d->m, 0), "! 10 lost in 4 gaps"));
	memterm_resize(d->m, 24, 80);
	desk_rest(d);
	assert_non_null(strstr(memterm_line(d->m, 0), "v4-dropped-events.nettrace  V4  4 ev"));
}

DESK_TEST(enter_shows_details_where_there_is_room_for_one_pane_alone, D, 10, 40)
{
	desk_try(d, "<Enter>", "\xe2\x96\xb8 details");
	desk_try(d, "q", "\xe2\x96\xb8 events");
	desk_reopen(d, D, ROWS, COLS, false, NULL);
	desk_try(d, ":`layout single` <Enter> <Enter>", "\xe2\x96\xb8 details");
}

DESK_TEST(the_column_under_the_cursor_is_told_where_there_is_no_line_of_titles, D, ROWS, COLS)
{
	desk_do(d, "l");
	assert_null(strstr(desk_bottom(d), "column: "));	/* the title is marked */
	memterm_resize(d->m, 12, COLS);
	desk_rest(d);
	desk_try_bottom(d, "h", "column: event");
	desk_try(d, "i", "f: name = ");
}

/* ---- what is copied is shown */

DESK_TEST(what_was_copied_is_read_on_the_bottom_line, D, ROWS, 120)
{
	desk_try_bottom(d, "f `tid = 5` <Enter> y c", "copied the command line (");
	desk_need_bottom(d, ": tnav dump -f 'tid = 5' ");
	desk_do(d, "y t");
	desk_need_bottom(d, memterm_copied(d->m));
}

DESK_TEST(a_wide_pane_of_threads_tells_of_bytes, D, ROWS, 200)
{
	desk_do(d, "M-5");
	desk_need(d, "events   bytes");	/* the payload of each event is one number of 4 */
	assert_non_null(strstr(memterm_line(d->m, memterm_find(d->m, "\xe2\x96\xb8     5")),
	    "     3      12  "));
}

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

/* ---- the trace's health */

DESK_TEST(problems_say_what_is_so_and_what_to_change_at_collection, D, ROWS, COLS)
{
	desk_try(d, "!", "NetTrace V4, closed", "10 events lost in 4 gaps");
	desk_need_not(d, "at least");
	desk_need(d, "dotnet-trace --buffersize");
	desk_need_not(d, "stop it cleanly");
	desk_try(d, "}", "\xe2\x96\xb8 events");
	assert_int_equal(d->ui->v.sel.row, 1);
	desk_reopen(d, CUT, ROWS, COLS, false, NULL);
	desk_try(d, "!", ", cut at byte ");
	desk_need(d, "stop the collection cleanly (dotnet-trace: Enter or Ctrl-C)");
	desk_need(d, "no lost events detected so far");
	desk_reopen(d, DEMO, ROWS, COLS, false, NULL);	/* of the runtime's events alone */
	desk_try(d, "!", "no TplEventSource", "System.Threading.Tasks.TplEventSource:0x80");
}

/* ---- what can't be found */

DESK_TEST(an_empty_list_says_what_empties_it_and_the_key_however_long_the_filter, D, ROWS, COLS)
{
	desk_do(d, "@`2ms..3ms` <Enter> f `tid = 77 and (name ~ one or name ~ two or name ~ three "
	    "or name ~ four)` <Enter>");
	desk_need(d, "no event in this window matches the filter tid = 77");
	desk_need(d, "X drops the last term, 0 shows the whole trace");
	desk_try_not(d, "0", "in this window");
	desk_need(d, "X drops the last term");
	desk_do(d, "f C-u `tid = 6` <Enter> /`n=9` <Enter>");
	desk_need_bottom(d, "no event of this filter matches /n=9/");
	desk_try_bottom(d, "X @`2ms..3ms` <Enter> n", "no event in this window matches /n=9/");
}

DESK_TEST(a_trace_without_events_has_no_times, EMPTY, ROWS, COLS)
{
	desk_need(d, "this trace has no events");
	desk_need_not(d, "no events yet");
	for (const char *k = "wsadWSAD0"; *k != '\0'; k++) {
		char	key[] = { *k, '\0' };

		desk_try_bottom(d, key, "this trace has no events");
	}
	desk_try_not(d, "M-1", " s \xe2\x94\x80");	/* no window in the title */
}

TEST(the_thread_under_the_cursor_is_kept_or_left_out)
{
	static const char *const	ways_to_it[] = { "M-5", "M-1 j" };

	for (size_t i = 0; i < 2; i++) {
		struct desk	d = desk_open(D, ROWS, COLS, false, NULL);

		desk_do(&d, ways_to_it[i]);
		desk_try(&d, "i", "f: tid = 5", "3 of 4");
		desk_try(&d, "X x", "f: not tid = 5", "1 of 4");
		desk_close(&d);
	}
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

/* As tnav info says of the sample. */
TEST(the_first_screen_and_the_problems_tell_runtime_and_command)
{
	static const struct {
		int		 rows, cols;
		bool		 ascii;
		const char	*process, *providers;
	} size[] = {
		{ 24, 80, false, " /usr/sh\u2026l serve wait=1  .NET 10.0.12.0  Linux x64  "
		    "started 2026-11-22T07:20:21Z", " Shop-Audit 18,617  "
		    "Micro\u2026pleProfiler 13,862  Micro\u2026tNETRuntime 12,113  +11 more" },
		{ 24, 80, true, " /usr/sh~l serve wait=1  .NET 10.0.12.0  Linux x64  "
		    "started 2026-11-22T07:20:21Z", " Shop-Audit 18,617  "
		    "Micro~pleProfiler 13,862  Micro~tNETRuntime 12,113  +11 more" },
		{ 24, 64, false, " /usr/\u2026erve wait=1  .NET 10.0.12.0  "
		    "started 2026-11-22T07:20:21Z", " Shop-Audit 18,617  "
		    "Microsof\u2026ore-SampleProfiler 13,862  +12 more" },
		{ 43, 132, false, " /usr/share/dotnet/dotnet /srv/app/shop.dll serve wait=1  "
		    ".NET 10.0.12.0  Linux x64  started 2026-11-22T07:20:21Z",
		    " Shop-Audit 18,617  Microsoft-DotNETCore-SampleProfiler 13,862  "
		    "Microsoft-Windows-DotNETRuntime 12,113  +11 more" },
		{ 50, 200, false, " /usr/share/dotnet/dotnet /srv/app/shop.dll serve wait=1  "
		    ".NET 10.0.12.0  Linux x64  started 2026-11-22T07:20:21Z",
		    " Shop-Audit 18,617  Microsoft-DotNETCore-SampleProfiler 13,862  "
		    "Microsoft-Windows-DotNETRuntime 12,113  "
		    "Microsoft-Windows-DotNETRuntimeRundown 6,465  +10 more" },
	};
	struct desk	d;

	for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
		d = desk_open(TOUR, size[i].rows, size[i].cols, size[i].ascii, NULL);
		assert_string_equal(memterm_line(d.m, 1), size[i].process);
		assert_ptr_equal(strstr(memterm_line(d.m, 2), size[i].providers),
		    memterm_line(d.m, 2));
		desk_try_not(&d, ":`set header off` <Enter>", "Shop-Audit 18,617");
		desk_try(&d, ":`set header on` <Enter>", "Shop-Audit 18,617");
		desk_do(&d, "M-5");		/* a second pane needs the lines more */
		assert_int_equal(strstr(memterm_line(d.m, 1), ".NET") != NULL, size[i].rows >= 40);
		desk_close(&d);
	}
	d = desk_open(TOUR, 12, 40, false, NULL);
	desk_need(&d, "events  .NET 10.0.12.0 ");
	desk_reopen(&d, TOUR, ROWS - 1, COLS, false, NULL);
	desk_need(&d, "events  .NET 10.0.12.0  /usr/share/dotnet/dotnet /srv/app/shop.dll");
	desk_do(&d, "i");
	desk_need_not(&d, ".NET 10.0.12.0");		/* the filter is told in its place */
	desk_do(&d, "X");
	desk_try(&d, "!", "command  /usr/share/dotnet/dotnet /srv/app/shop.dll serve wait=1");
	desk_need(&d, "runtime  .NET 10.0.12.0 on Linux");
}

DESK_TEST(q_closes_what_is_seen_and_says_so_where_nothing_changes, D, ROWS, COLS)
{
	/* The one that was opened last, then the one that it had hidden, then it quits. */
	desk_try_not(d, "M-5 M-7 q", "by name");
	desk_need(d, "sorted by lost");
	assert_false(d->ui->quit);
	desk_try_not(d, "q", "sorted by lost");
	assert_false(d->ui->quit);
	desk_do(d, "q");
	assert_true(d->ui->quit);
	desk_close(d);
	/* A pane that is hidden is not closed in silence: nothing else is there to close. */
	*d = desk_open(D, ROWS, COLS, false, NULL);
	desk_try_not(d, ":`layout single` <Enter> M-5 M-2", "sorted by lost");
	desk_do(d, "q");
	assert_true(d->ui->quit);
	desk_close(d);
	/* Where the strip has one line, opened or not, closing it changes nothing. */
	*d = desk_open(D, 9, COLS, false, NULL);
	desk_try_bottom(d, "M-1 q", "timeline closed");
	assert_false(d->ui->quit);
	desk_do(d, "q");
	assert_true(d->ui->quit);
	desk_close(d);
	/* A maximised pane becomes small again first. */
	*d = desk_open(D, ROWS, COLS, false, NULL);
	desk_try(d, "M-5 z q", "sorted by lost", " events ");
	assert_false(d->ui->quit);
}

DESK_TEST(tab_completes_names_of_files, D, ROWS, 200)
{
	const char	*folder = data_path("tests/data/features/");
	char		 keys[4200];

	snprintf(keys, sizeof keys, ":`e %sv6-dropped-e` <Tab>", folder);
	desk_try_bottom(d, keys, "v6-dropped-events.nettrace");
	desk_do(d, "<Esc>");
	/* Of several each in its turn, sorted by name; P takes one, too. */
	snprintf(keys, sizeof keys, "P`%sv4-dropped-ev` <Tab>", folder);
	desk_try_bottom(d, keys, "v4-dropped-events.nettrace");
	desk_do(d, "<Esc>");
	snprintf(keys, sizeof keys, ":`e %sv4-` <Tab> <Tab>", folder);
	desk_try_bottom(d, keys, "v4-capture-threads.nettrace");
	desk_try_bottom(d, "<S-Tab>", "v4-activity-ids.nettrace");
	desk_do(d, "<Esc>");
	snprintf(keys, sizeof keys, ":`e %.*s` <Tab>", (int)strlen(folder) - 5, folder);
	desk_try_bottom(d, keys, "tests/data/features/");
}

DESK_TEST(settings_without_a_value_say_what_they_are, D, ROWS, 200)
{
	desk_do(d, ":`set blocks on` <Enter> :`set` <Enter>");
	desk_need_bottom(d, "time-format relative  columns time,");
	desk_need_bottom(d, "blocks on  mouse off");
	desk_try_bottom(d, ":`set color-threads` <Enter>", " color-threads off ");
}

DESK_TEST(a_filter_that_nothing_matches_says_which_key_undoes_it, D, ROWS, COLS)
{
	desk_do(d, "f `tid = 77` <Enter> M-7");
	desk_need(d, "no event matches the filter (X drops its last term)");
}

DESK_TEST(a_jump_to_the_selected_row_says_so, D, ROWS, COLS)
{
	desk_try_not(d, "1 G", "already there");
	desk_try_bottom(d, "1 G", "already there");
	desk_try_not(d, "0 G", "already there");
}

/* Room on the bottom line is counted in cells: a message of letters with two bytes each leaves the
   place of the row where it is. */
DESK_TEST(a_message_takes_as_many_cells_as_it_has, D, ROWS, COLS)
{
	desk_need_bottom(d, "row 0");
	desk_try_bottom(d, ": `ääääääääääääääääääääääää` <Enter>", "ääääääääääääääääääääääää");
	desk_need_bottom(d, "row 0");
}

/*
 * The viewer on a terminal in memory: keys in, text of the screen out. The traces are those of
 * tests/data; what their events say is known from other readers.
 *
 * v4-dropped-events: four events, at 1, 2, 4 and 5 ms; before three of them some were lost.
 */
#include "../support/desk.h"
#include "../support/test.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/engine/trace.h"
#include "ui/draw/canvas.h"
#include "ui/command/command.h"
#include "ui/term/key.h"
#include "ui/draw/list.h"
#include "ui/shell.h"

#define DROPPED	"tests/data/features/v4-dropped-events.nettrace"
#define DEMO	"tests/data/demo.nettrace"

static void
press(struct desk *d, const char *keys)
{
	memterm_press(d->m, keys);
	desk_rest(d);
}

static void
type(struct desk *d, const char *text)
{
	memterm_type(d->m, text);
	desk_rest(d);
}

/* The row of the trace that the cursor stands on. */
static uint64_t
row(struct desk *d)
{
	return d->ui->v.sel.row;
}

/* ---- the first screen */

DESK_TEST(the_first_screen_stands_at_the_first_event, DROPPED, 24, 80)
{
	int	y;

	assert_non_null(strstr(memterm_line(d->m, 0), "v4-dropped-events.nettrace"));
	assert_non_null(strstr(memterm_line(d->m, 0), "4 ev"));
	assert_non_null(strstr(memterm_line(d->m, 0), "! "));
	assert_non_null(strstr(memterm_line(d->m, 4), "events"));
	y = memterm_find(d->m, "0.001 000");
	assert_true(y > 2);
	assert_true(memterm_mark(d->m, y, 10) & MARK_CURSOR);
	desk_need(d, "n=9");
	desk_need_bottom(d, "row 0");
	desk_need_bottom(d, "? help");
}

DESK_TEST(the_pane_with_the_keys_is_marked_without_colour, DROPPED, 24, 80)
{
	desk_need(d, "\xe2\x96\xb8 events");
	press(d, "M-5");
	desk_need(d, "\xe2\x96\xb8 threads");
	desk_need_not(d, "\xe2\x96\xb8 events");
	press(d, "<Tab>");
	desk_need(d, "\xe2\x96\xb8 events");
}

DESK_TEST(a_row_in_front_of_an_event_says_what_was_lost_there, DROPPED, 24, 80)
{
	int	y = memterm_find(d->m, "\xe2\x94\x80\xe2\x94\x80 5: 3 events lost within 1 ms");

	if (y < 0)
		fail_msg("no gap row:\n%s", memterm_text(d->m));
	assert_non_null(strstr(memterm_line(d->m, y), "(seq 2 \xe2\x80\xa6 4)"));
	assert_non_null(strstr(memterm_line(d->m, y + 1), "n=5"));
}

DESK_TEST(a_small_screen_says_how_large_it_must_be, DROPPED, 7, 80)
{
	desk_need(d, "too small");
	memterm_resize(d->m, 24, 39);
	desk_rest(d);
	desk_need(d, "too small");
	memterm_resize(d->m, 8, 40);
	desk_rest(d);
	desk_need_not(d, "too small");
	desk_need(d, "events");
	memterm_resize(d->m, 1, 1);
	desk_rest(d);
	assert_true(strlen(memterm_line(d->m, 0)) > 0);
}

TEST(every_size_of_screen_can_be_drawn_with_every_pane)
{
	struct desk	d = desk_open(DEMO, 24, 80, false, NULL);
	static const int sizes[][2] = { { 1, 1 }, { 2, 10 }, { 8, 40 }, { 9, 41 }, { 24, 80 },
			    { 30, 100 }, { 40, 160 }, { 50, 200 }, { 100, 400 }, { 8, 400 } };
	static const char *const keys[] = { "M-2", "M-3", "M-4", "M-6", "M-7", "M-5", "M-1", "!", "q",
			    "c", "q", "?", "q", "M-2", "C", "l", "C", "z", "z",
			    "w", "0" };

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		memterm_resize(d.m, sizes[i][0], sizes[i][1]);
		for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
			press(&d, keys[k]);	/* memterm looks at each frame */
		assert_false(d.ui->quit);
	}
}

TEST(the_pane_with_the_keys_is_shown_on_every_screen)
{
	static const int	cols[] = { 40, 100, 159, 160, 300 };
	static const char	*keys[] = { "", "M-5", "M-5 M-3", "M-1", "M-6 <Tab>", "M-5 M-7 <Tab>" };
	struct desk		d;

	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		d = desk_open(DROPPED, 50, 200, false, NULL);
		desk_do(&d, keys[k]);
		for (int rows = SHELL_MIN_ROWS; rows < 50; rows++)
			for (size_t c = 0; c < sizeof cols / sizeof *cols; c++) {
				d.ui->screen.rows = rows;
				d.ui->screen.cols = cols[c];
				layout_place(d.ui);
				if (!d.ui->panes.pane[d.ui->panes.focus].shown)
					fail_msg("\"%s\" on %d x %d", keys[k], rows, cols[c]);
			}
		desk_close(&d);
	}
}

DESK_TEST(a_wide_screen_shows_details_beside_and_threads_below, DEMO, 50, 200)
{
	int	events, details, threads;

	events = memterm_find(d->m, " events ");
	details = memterm_find(d->m, " details ");
	events = memterm_find(d->m, "\xe2\x96\xb8 events");
	assert_true(events > 0);
	assert_int_equal(events, details);
	threads = events + 1;		/* the top line has the word, too */
	while (threads < 50 && strstr(memterm_line(d->m, threads), " threads ") == NULL)
		threads++;
	assert_true(threads < 50);
	desk_need(d, "timeline");
	press(d, "q");
	assert_true(d->ui->quit);
}

TEST(without_unicode_every_cell_is_ascii)
{
	struct desk	d = desk_open(DEMO, 24, 80, true, NULL);	/* memterm looks */

	desk_need(&d, "> events");
	press(&d, "M-3 M-4 M-6 M-7 C M-5 ! q c q ? q w");
	desk_need(&d, "..");
}

/* ---- moving */

DESK_TEST(moving_keeps_inside_the_list, DROPPED, 24, 80)
{
	press(d, "k");
	assert_int_equal(row(d), 0);
	desk_need_bottom(d, "start of the list");
	press(d, "j j");
	assert_int_equal(row(d), 2);
	press(d, "G");
	assert_int_equal(row(d), 3);
	press(d, "j");
	desk_need_bottom(d, "end");
	press(d, "g");
	assert_int_equal(row(d), 0);
	press(d, "<PgDn>");
	assert_int_equal(row(d), 3);
	press(d, "b");
	assert_int_equal(row(d), 0);
	press(d, "3 j");
	assert_int_equal(row(d), 3);
	press(d, "1 G");
	assert_int_equal(row(d), 1);
}

DESK_TEST(paging_down_skips_no_event_and_comes_back, DEMO, 24, 80)
{
	uint64_t	n = trace_rows(d->t), before;

	assert_true(n > 1000);
	for (int i = 0; i < 20; i++) {
		before = row(d);
		press(d, "<Space>");
		assert_true(row(d) > before);
		assert_true(row(d) <= before + 20);
	}
	for (int i = 0; i < 20; i++)
		press(d, "b");
	assert_int_equal(row(d), 0);
	press(d, "C-d C-d C-u C-u");
	assert_int_equal(row(d), 0);
}

DESK_TEST(a_number_before_G_is_a_row, DEMO, 24, 80)
{
	press(d, "1 0 0 G");
	assert_int_equal(row(d), 100);
	desk_need_bottom(d, "row 100");
	press(d, "[");
	assert_int_equal(row(d), 0);
	press(d, "]");
	assert_int_equal(row(d), 100);
}

/* ---- time */

DESK_TEST(a_number_of_any_length_before_a_key_stops_at_the_ends, DROPPED, 300, 100)
{
	desk_try(d, "9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 <Space>", "row 3");
	desk_try(d, "9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 b", "row 0");
	desk_try(d, "c 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 b", "start of the list");
}

DESK_TEST(a_time_is_gone_to_and_a_range_is_the_window, DROPPED, 24, 80)
{
	press(d, "@");
	type(d, "4ms");
	press(d, "<Enter>");
	assert_int_equal(row(d), 2);
	press(d, "@");
	type(d, "2ms..4.5ms");
	press(d, "<Enter>");
	desk_need(d, "2 of 4");
	assert_int_equal(row(d), 1);		/* the window's first event */
	press(d, "0");
	desk_need_not(d, "2 of 4");
	press(d, "[");
	desk_need(d, "2 of 4");
	press(d, "@");
	type(d, "rubbish");
	press(d, "<Enter>");
	desk_need(d, "not a time");
	press(d, "<Esc>");
	press(d, "@");
	type(d, "9s");
	press(d, "<Enter>");
	desk_need_bottom(d, "is past the end; at the last event");
}

DESK_TEST(zooming_keeps_the_selected_event_on_its_line, DEMO, 24, 80)
{
	uint64_t	at;

	press(d, "5 0 0 G");
	at = row(d);
	press(d, "w w w");
	assert_int_equal(row(d), at);
	assert_false(d->ui->v.window.whole);
	press(d, "s s s s s");
	assert_int_equal(row(d), at);
	assert_true(d->ui->v.window.whole);
	press(d, "s");
	desk_need_bottom(d, "whole trace");
	press(d, "W d D a A A A A A A A A A A A A A");
	desk_need_bottom(d, "begins with the trace");
	press(d, "0");
	assert_true(d->ui->v.window.whole);
}

/* ---- filter */

DESK_TEST(a_filter_shows_only_what_matches_and_says_so, DROPPED, 24, 80)
{
	press(d, "f");
	type(d, "tid = 6");
	desk_need(d, "valid");
	press(d, "<Enter>");
	desk_need(d, "f: tid = 6", "1 of 4");
	assert_int_equal(row(d), 2);
	press(d, "X");
	desk_need_not(d, "f: tid");
	assert_int_equal(row(d), 2);		/* ... and the event stays */
	press(d, "X");
	desk_need_bottom(d, "no filter");
}

DESK_TEST(a_change_of_filter_keeps_the_event_on_its_line, DROPPED, 24, 80)
{
	int	y;

	press(d, "j");
	y = memterm_find(d->m, "\xe2\x96\xb8" "0.002");
	assert_true(y > 0);
	press(d, "f");
	type(d, "tid = 5");
	press(d, "<Enter>");
	assert_int_equal(row(d), 1);
	assert_int_equal(memterm_find(d->m, "\xe2\x96\xb8" "0.002"), y);
}

DESK_TEST(a_wrong_filter_stays_in_the_prompt_with_its_error, DROPPED, 24, 80)
{
	press(d, "f");
	type(d, "tid = = 6");
	desk_need(d, "column");
	press(d, "<Enter>");
	desk_need(d, "column");
	desk_need_bottom(d, "filter: tid = = 6");
	press(d, "<Esc>");
	desk_need_bottom(d, "? help");
	assert_null(d->ui->v.filter.text);
}

DESK_TEST(an_empty_list_says_why_and_which_key_helps, DROPPED, 24, 80)
{
	press(d, "f");
	type(d, "tid = 77");
	press(d, "<Enter>");
	desk_need(d, "no event matches the filter tid = 77", "X drops the last term");
	press(d, "j");
	press(d, "X");
	desk_need(d, "n=9");
	press(d, "@");
	type(d, "2.1ms..3.5ms");
	press(d, "<Enter>");
	desk_need(d, "0 shows the whole trace");
}

/* ---- search */

DESK_TEST(a_search_counts_its_hits_and_wraps_visibly, DROPPED, 24, 80)
{
	press(d, "/");
	type(d, "n=5");
	press(d, "<Enter>");
	assert_int_equal(row(d), 1);
	desk_need_bottom(d, "1 of 2");
	press(d, "n");
	assert_int_equal(row(d), 2);
	desk_need_bottom(d, "2 of 2");
	press(d, "n");
	assert_int_equal(row(d), 1);
	desk_need_bottom(d, "search wrapped");
	press(d, "N");
	assert_int_equal(row(d), 2);
	desk_need_bottom(d, "search wrapped");
	press(d, "/");
	type(d, "never");
	press(d, "<Enter>");
	desk_need_bottom(d, "no event");
	assert_int_equal(row(d), 2);
	press(d, "/");
	type(d, "(");
	press(d, "<Enter>");
	desk_need(d, "search:");
	press(d, "C-g");
}

/* ---- gaps and threads */

DESK_TEST(gaps_are_walked_forth_and_back, DROPPED, 24, 80)
{
	press(d, "}");
	assert_int_equal(row(d), 1);
	desk_need_bottom(d, "thread 5: 3 events lost");
	press(d, "} } } }");
	desk_need_bottom(d, "no later gap");
	press(d, "{ { { {");
	desk_need_bottom(d, "no earlier gap");
}

DESK_TEST(threads_stand_by_loss_and_filter_on_enter, DROPPED, 24, 80)
{
	int	y;

	press(d, "M-5");
	y = memterm_find(d->m, "share lost");
	assert_true(y > 0);
	assert_non_null(strstr(memterm_line(d->m, y + 1), "  5  "));
	desk_need(d, "whole trace");
	press(d, "@");
	type(d, "3.5ms..4.5ms");
	press(d, "<Enter>");
	desk_need(d, "this window");	/* ... in which thread 6 has its one event */
	y = memterm_find(d->m, "share lost");
	assert_true(strstr(memterm_line(d->m, y + 1), "  6  ") != NULL ||
	    strstr(memterm_line(d->m, y + 2), "  6  ") != NULL);
	press(d, "[ } } } } }");
	desk_need_bottom(d, "no later gap on thread 5");
	press(d, "<Enter>");
	desk_need(d, "f: tid = 5", "3 of 4", "\xe2\x96\xb8 events");
	press(d, "q");
	desk_need_not(d, "share lost");
	assert_false(d->ui->quit);
}

/* ---- details, help, problems */

DESK_TEST(details_follow_the_cursor, DROPPED, 70, 100)
{
	press(d, "<Enter>");
	desk_need(d, "details", "Feat.V4Drop", "\xe2\x96\xb8 events");
	press(d, "<Enter>");
	desk_need(d, "\xe2\x96\xb8 details");
	press(d, "G");
	desk_need(d, "0000  01 00 00 00");
	press(d, "<Enter> G");
	desk_need(d, "0000  09 00 00 00");
	press(d, "q");
	desk_need_not(d, "0000  09");
}

DESK_TEST(help_names_every_command_of_the_table, DROPPED, 300, 200)
{
	press(d, "?");
	for (size_t i = 0; i < command_ntable; i++)
		desk_need(d, command_table[i].help);
	press(d, "q");
	desk_need_not(d, command_table[0].help);
	assert_false(d->ui->quit);
}

DESK_TEST(problems_tell_of_the_file_and_of_the_losses, DROPPED, 24, 80)
{
	press(d, "!");
	desk_need(d, "events lost in");
	press(d, "<Esc>");
	desk_need_not(d, "events lost in");
}

/* ---- commands */

TEST(every_key_name_of_the_table_is_a_key_and_no_two_commands_share_one)
{
	struct keymap	map;

	keymap_init(&map);
	for (size_t i = 0; i < command_ntable; i++) {
		const struct command	*cmd = &command_table[i];
		const char		*p = cmd->keys;

		while (*p != '\0') {
			struct key_pair	k = key_pair_next(&p);

			if (k.key == TK_NONE)
				fail_msg("%s: a key of \"%s\" has no meaning", cmd->name, cmd->keys);
			for (int id = 0; id < PANES; id++) {
				const struct binding	*b;

				if ((cmd->scope & SCOPE(id)) == 0)
					continue;
				b = keymap_find(&map, k.key, k.then == TK_ANY ? 'q' : k.then,
				    SCOPE(id));
				/* ... but one that works in fewer panes may come first. */
				if (b == NULL || (b->cmd != cmd && (b->scope == cmd->scope ||
				    (b->scope & ~cmd->scope) != 0)))
					fail_msg("%s has not the key of %s", cmd->name, cmd->keys);
				assert_true(keymap_prefix(&map, k.key, SCOPE(id)) ==
				    (k.then != TK_NONE));
			}
			while (*p == ' ')
				p++;
		}
		assert_ptr_equal(command_by_name(cmd->name, strlen(cmd->name)), cmd);
	}
	keymap_release(&map);
}

DESK_TEST(the_command_line_runs_and_completes_names, DROPPED, 24, 80)
{
	press(d, ":");
	type(d, "drop");
	desk_need(d, "drop-filter");
	press(d, "M-:");		/* Esc and : in one breath */
	type(d, "fil");
	press(d, "<Tab>");
	type(d, "tid = 6");
	press(d, "<Enter>");
	desk_need(d, "f: tid = 6");
	press(d, ":");
	type(d, "nonsense");
	desk_need(d, "unknown command");
	press(d, "<Enter>");
	desk_need_bottom(d, "unknown command 'nonsense'");
}

DESK_TEST(unknown_keys_and_cancel_say_something_and_never_quit, DROPPED, 24, 80)
{
	press(d, "^");
	desk_need_bottom(d, "no command on ^ (? for help)");
	press(d, "<Esc>");
	desk_need_bottom(d, "q quits");
	press(d, "C-c C-g");
	desk_need_bottom(d, "q quits");
	assert_false(d->ui->quit);
	press(d, "q");
	assert_true(d->ui->quit);
}

static void
press_many(struct desk *d, const char *keys, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		memterm_press(d->m, keys);
}

DESK_TEST(ctrl_c_discards_the_keys_typed_before_it, DEMO, 24, 80)
{
	press_many(d, "j", 3);
	ui_turn(d->ui);
	assert_int_equal(view_index(&d->ui->v), 3);
	press_many(d, "j z f", 1000);
	memterm_press(d->m, "C-c Q");
	ui_turn(d->ui);
	assert_true(d->ui->quit);
	assert_int_equal(view_index(&d->ui->v), 3);
}

/* Gives one key at each call, and then none once. */
struct slow_screen {
	struct screen	 s;
	const int32_t	*key;
};

static struct input
read_slowly(struct screen *s)
{
	struct slow_screen	*slow = (struct slow_screen *)s;
	int32_t			 key = *slow->key++;

	return (struct input){ .kind = key == TK_NONE ? INPUT_NONE : INPUT_KEY, .code = key };
}

TEST(ctrl_c_that_arrives_while_a_key_is_run_discards_those_behind_it)
{
	static const struct screen_ops	ops = { .read = read_slowly };
	static const int32_t		keys[] = { 'a', 'b', 'c', TK_NONE, KEY_CTRL('C'), 'd',
					    TK_NONE };
	struct slow_screen		slow = { .s = { .ops = &ops }, .key = keys };
	struct typeahead		a = { .v = NULL };
	struct input			in;

	assert_int_equal(typeahead_read(&a, &slow.s), INPUT_NONE);
	assert_true(typeahead_next(&a, &in));
	assert_int_equal(in.code, 'a');
	assert_int_equal(typeahead_read(&a, &slow.s), INPUT_NONE);
	assert_true(typeahead_next(&a, &in));
	assert_int_equal(in.code, KEY_CTRL('C'));
	assert_true(typeahead_next(&a, &in));
	assert_int_equal(in.code, 'd');
	assert_false(typeahead_next(&a, &in));
	typeahead_release(&a);
}

DESK_TEST(pasted_text_is_no_command_but_text_in_a_prompt, DROPPED, 24, 80)
{
	memterm_paste(d->m, "q\rQ");
	desk_rest(d);
	assert_false(d->ui->quit);
	desk_need_bottom(d, "pasted");
	press(d, "f");
	memterm_paste(d->m, "tid\n= 6");
	desk_rest(d);
	desk_need_bottom(d, "filter: tid = 6");
}

TEST(a_script_runs_when_the_index_is_complete)
{
	struct ui_options	o = { .script = "filter tid = 5 ; last\ndetails" };
	struct desk		d = desk_open(DROPPED, 24, 80, false, &o);

	desk_need(&d, "f: tid = 5", "\xe2\x96\xb8 details");
	assert_int_equal(row(&d), 3);
}

TEST(options_set_filter_and_window)
{
	struct ui_options	o = { .filter = "tid = 5", .from = "2ms", .to = "6ms" };
	struct desk		d = desk_open(DROPPED, 24, 80, false, &o);

	desk_need(&d, "2 of 4");
}

DESK_TEST(each_change_of_the_view_is_told_by_its_kind, DROPPED, 24, 80)
{
	struct view		*v = &d->ui->v;
	struct view_changes	 never = { { 0 } }, seen = v->changes;
	const unsigned		 rows = VIEW_WINDOW | VIEW_ROWS | VIEW_FILTER | VIEW_SEARCH;

	assert_true(view_changed(v, &never, VIEW_SELECTION));
	assert_false(view_changed(v, &seen, ~0u));
	press(d, "j");
	assert_true(view_changed(v, &seen, VIEW_SELECTION));
	assert_false(view_changed(v, &seen, rows | VIEW_INDEX));
	desk_do(d, ":`filter tid = 5`<Enter>");
	assert_true(view_changed(v, &seen, VIEW_FILTER));
	assert_false(view_changed(v, &seen, VIEW_WINDOW | VIEW_ROWS | VIEW_INDEX));
	/* Going back to another event of the same window and filter asks nothing anew. */
	press(d, "G");
	seen = v->changes;
	view_remember(v);
	view_select(v, 0);
	assert_true(view_back(v, false));
	assert_int_equal(row(d), 3);
	assert_false(view_changed(v, &seen, rows));
	press(d, "w");
	assert_true(view_changed(v, &seen, VIEW_WINDOW));
	assert_true(view_changed(v, &seen, VIEW_FILTER));
}

DESK_TEST(an_idle_viewer_draws_nothing, DROPPED, 24, 80)
{
	unsigned	puts = memterm_puts(d->m);

	for (int i = 0; i < 100; i++)
		ui_turn(d->ui);
	assert_int_equal(memterm_puts(d->m), puts);
}

/* ---- the widgets */

TEST(a_canvas_lets_no_control_through_and_rows_add_up)
{
	static const char	 text[] = "a\033[31mb\r\n\xc2\x9b" "c\xe2\x80\xae\xe7\x95\x8c"
				    "e\xcc\x81\xf0\x9f\x98\x80\xff" "z";
	struct canvas		 c;
	struct buf		*b = test_buf();

	canvas_init(&c, false);
	for (int w = 1; w < 80; w++) {
		int	cells = 0;

		canvas_clear(&c, 1, w);
		(void)canvas_text(&c, 0, 0, w, ST_NORMAL,
		    (struct span){ (const uint8_t *)text, sizeof text - 1 });
		for (int x = 0; x < w; x++) {
			cells += canvas_at(&c, 0, x)->width;
			assert_true(canvas_at(&c, 0, x)->width == 0 ||
			    canvas_at(&c, 0, x)->cp[0] >= ' ');
		}
		assert_int_equal(cells, w);
	}
	buf_clear(b);
	canvas_row(&c, 0, b);
	assert_non_null(strstr(buf_str(b), "a^[[31mb^M^J<U+009B>c<U+202E>\xe7\x95\x8c"));
	/* Drawing over half of a wide character leaves no half. */
	canvas_clear(&c, 1, 4);
	(void)canvas_puts(&c, 0, 0, 4, ST_NORMAL, "\xe7\x95\x8c\xe7\x95\x8c");
	(void)canvas_puts(&c, 0, 1, 2, ST_NORMAL, "xy");
	buf_clear(b);
	canvas_row(&c, 0, b);
	assert_string_equal(buf_str(b), " xy");
	canvas_release(&c);
}

static bool
draws_no_cjk(int32_t cp, unsigned cells)
{
	assert_true(cp >= 0x80 && cells > 0);
	return cp != 0x754c;
}

TEST(a_character_that_the_terminal_draws_in_another_width_is_spelled_out)
{
	struct canvas	 c;
	struct buf	*b = test_buf();

	canvas_init(&c, false);
	c.agrees = draws_no_cjk;
	canvas_clear(&c, 1, 20);
	assert_int_equal(canvas_puts(&c, 0, 0, 20, ST_NORMAL, "a\xe7\x95\x8c\xc3\xa4" "b"), 11);
	canvas_row(&c, 0, b);
	assert_string_equal(buf_str(b), "a<U+754C>\xc3\xa4" "b");
	canvas_release(&c);
}

TEST(a_list_without_a_cursor_has_it_at_its_top)
{
	struct list	l = { .scrolls = true };

	list_fit(&l, 100, 20);
	assert_true(list_move(&l, (struct move){ MOVE_LAST, 0 }));
	assert_true(l.top == 80 && l.cursor == 80);
	list_fit(&l, 30, 20);
	assert_true(l.top == 10 && l.cursor == 10);
	list_show(&l, 5);
	assert_true(l.top == 0 && l.cursor == 0);
	assert_true(list_move(&l, (struct move){ MOVE_HALVES, 1 }));
	assert_true(l.top == 10 && l.cursor == 10);
	assert_true(list_move(&l, (struct move){ MOVE_TO, 4 }));
	list_fit(&l, 30, 20);
	assert_true(l.top == 4 && l.cursor == 4);
	assert_true(list_move(&l, (struct move){ MOVE_LINES, -1 }));
	assert_true(l.top == 3 && l.cursor == 3);
	assert_false(list_move(&l, (struct move){ MOVE_SIDE, 1 }));
	assert_true(list_move(&l, (struct move){ MOVE_FIRST, 0 }));
	assert_false(list_move(&l, (struct move){ MOVE_FIRST, 0 }));
}

TEST(lists_of_2_to_the_40_rows_move_like_small_ones)
{
	struct list	l = { 0 };
	uint64_t	n = (uint64_t)1 << 40;

	list_fit(&l, n, 20);
	assert_true(list_move(&l, (struct move){ MOVE_LAST, 0 }));
	assert_int_equal(l.cursor, n - 1);
	assert_int_equal(l.top, n - 20);
	assert_false(list_move(&l, (struct move){ MOVE_LINES, 1 }));
	assert_true(list_move(&l, (struct move){ MOVE_PAGES, -1 }));
	assert_int_equal(l.cursor, n - 20);
	assert_true(list_move(&l, (struct move){ MOVE_TO, (int64_t)1 << 33 }));
	assert_int_equal(l.cursor, (uint64_t)1 << 33);
	list_fit(&l, 3, 20);
	assert_int_equal(l.cursor, 2);
	list_fit(&l, 0, 20);
	assert_int_equal(l.cursor, 0);
	assert_false(list_move(&l, (struct move){ MOVE_LINES, 1 }));
}

TEST(key_names_are_read_and_written)
{
	struct buf	*b = test_buf();

	assert_int_equal(key_parse("C-d", 3), 4);
	assert_int_equal(key_parse("M-1", 3), TK_ALT + '1');
	assert_int_equal(key_parse("<Down>", 6), TK_DOWN);
	assert_int_equal(key_parse("<F10>", 5), TK_F10);
	assert_int_equal(key_parse("<", 1), '<');
	assert_int_equal(key_parse("<Nope>", 6), TK_NONE);
	assert_int_equal(key_parse("", 0), TK_NONE);
	key_write(b, TK_ALT + '1');
	key_write(b, 4);
	key_write(b, TK_F10);
	key_write(b, '}');
	assert_string_equal(buf_str(b), "Alt-1Ctrl-DF10}");
}

/* The name is cut before the number of events, and before what was lost. */
TEST(a_long_name_leaves_room_for_the_counts)
{
	static const char	name[] = "tests/data/features/"
				    "v6-payload-shorter-or-longer-than-fields.nettrace";
	struct desk		d = desk_open(name, 10, 40, false, NULL);

	assert_non_null(strstr(memterm_line(d.m, 0), "v6-payload-short"));
	assert_non_null(strstr(memterm_line(d.m, 0), "\xe2\x80\xa6  6 ev"));
	desk_reopen(&d, "tests/data/features/v4-dropped-events.nettrace", 10, 40, true, NULL);
	assert_non_null(strstr(memterm_line(d.m, 0), "4 ev  ! 10 lost in 4 gaps"));
}

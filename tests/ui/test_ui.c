/*
 * The viewer on a terminal in memory: keys in, text of the screen out. The traces are those of
 * tests/data; what their events say is known from other readers.
 *
 * v4-dropped-events: four events, at 1, 2, 4 and 5 ms; before three of them some were lost.
 */
#include "../support/desk.h"
#include "../support/test.h"
#include "ui/draw/canvas.h"
#include "ui/command/command.h"
#include "ui/term/key.h"
#include "ui/draw/list.h"
#include "ui/shell.h"

#define DROPPED	"tests/data/features/v4-dropped-events.nettrace"
#define DEMO	"tests/data/demo.nettrace"

/* ---- the first screen */

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
			desk_do(&d, keys[k]);	/* memterm looks at each frame */
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

/* ---- details, help, problems */

DESK_TEST(help_names_every_command_of_the_table, DROPPED, 300, 200)
{
	desk_do(d, "?");
	for (size_t i = 0; i < command_ntable; i++)
		desk_need(d, command_table[i].help);
	desk_do(d, "q");
	desk_need_not(d, command_table[0].help);
	assert_false(d->ui->quit);
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
	desk_do(d, "f");
	memterm_paste(d->m, "tid\n= 6");
	desk_rest(d);
	desk_need_bottom(d, "filter: tid = 6");
}

DESK_TEST(each_change_of_the_view_is_told_by_its_kind, DROPPED, 24, 80)
{
	struct view		*v = &d->ui->v;
	struct view_changes	 never = { { 0 } }, seen = v->changes;
	const unsigned		 rows = VIEW_WINDOW | VIEW_ROWS | VIEW_FILTER | VIEW_SEARCH;

	assert_true(view_changed(v, &never, VIEW_SELECTION));
	assert_false(view_changed(v, &seen, ~0u));
	desk_do(d, "j");
	assert_true(view_changed(v, &seen, VIEW_SELECTION));
	assert_false(view_changed(v, &seen, rows | VIEW_INDEX));
	desk_do(d, ":`filter tid = 5`<Enter>");
	assert_true(view_changed(v, &seen, VIEW_FILTER));
	assert_false(view_changed(v, &seen, VIEW_WINDOW | VIEW_ROWS | VIEW_INDEX));
	/* Going back to another event of the same window and filter asks nothing anew. */
	desk_do(d, "G");
	seen = v->changes;
	view_remember(v);
	view_select(v, 0);
	assert_true(view_back(v, false));
	assert_int_equal(d->ui->v.sel.row, 3);
	assert_false(view_changed(v, &seen, rows));
	desk_do(d, "w");
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

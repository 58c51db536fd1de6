/*
 * Marks, and the mouse, on a terminal in memory.
 *
 * v4-dropped-events (D): events at 1, 2 and 5 ms on thread 5 and at 4 ms on thread 6.
 */
#include "../support/desk.h"
#include "../support/test.h"
#include "ui/draw/canvas.h"
#include "ui/view/marks.h"

#define D	"tests/data/features/v4-dropped-events.nettrace"
#define DEMO	"tests/data/demo.nettrace"

/* ---- the list of marks by itself */

TEST(marks_are_in_time_order_and_a_letter_stands_once)
{
	struct marks	m = { .n = 0 };

	assert_int_equal(marks_set(&m, 'b', 20, 7, NULL)->letter, 'b');
	assert_int_equal(marks_set(&m, 'a', 10, 3, "first")->letter, 'a');
	assert_int_equal(marks_set(&m, '\0', 20, 6, NULL)->letter, 'c');	/* the next free */
	assert_int_equal(m.n, 3);
	assert_int_equal(m.v[0].ts, 10);
	assert_int_equal(m.v[1].off, 6);
	assert_int_equal(m.v[2].off, 7);
	assert_string_equal(marks_find(&m, 'a')->note, "first");
	/* Another letter on an event takes the place of its own; the note stays. */
	marks_set(&m, 'x', 10, 3, NULL);
	assert_null(marks_find(&m, 'a'));
	assert_string_equal(marks_find(&m, 'x')->note, "first");
	/* A letter set anew leaves the event that it stood on. */
	marks_set(&m, 'b', 30, 1, NULL);
	assert_int_equal(m.n, 3);
	assert_int_equal(marks_find(&m, 'b')->ts, 30);
	marks_release(&m);
}

TEST(the_next_mark_is_another_than_the_events_own)
{
	struct marks	m = { .n = 0 };

	marks_set(&m, 'a', 10, 3, NULL);
	marks_set(&m, 'b', 20, 7, NULL);
	assert_int_equal(marks_next(&m, 10, 3, 1)->letter, 'b');
	assert_null(marks_next(&m, 20, 7, 1));
	assert_int_equal(marks_next(&m, 20, 7, -1)->letter, 'a');
	assert_null(marks_next(&m, 10, 3, -1));
	assert_int_equal(marks_next(&m, 10, 2, 1)->letter, 'a');
	assert_int_equal(marks_next(&m, 10, 4, -1)->letter, 'a');
	marks_release(&m);
}

TEST(there_are_only_so_many_marks)
{
	struct marks	m = { .n = 0 };

	for (unsigned i = 0; i < MARKS_MAX; i++)
		assert_non_null(marks_set(&m, '\0', i, 1, NULL));
	assert_int_equal(m.v[26].letter, '\0');		/* there are no more letters */
	assert_null(marks_set(&m, '\0', 5000, 1, NULL));
	assert_non_null(marks_set(&m, '\0', 3, 1, "it has one already"));
	marks_release(&m);
}

/* ---- on the screen */

DESK_TEST(a_jump_to_a_mark_takes_the_window_along, D, 24, 80)
{
	desk_try_row(d, "m a @`4ms..6ms` <Enter>", 2);
	desk_try_row(d, "' a", 0);
	desk_need(d, "mark a at 0.001 000 s");
	assert_true(d->ui->v.window.from <= d->ui->v.sel.ts && d->ui->v.sel.ts < d->ui->v.window.to);
	desk_try_row(d, "' '", 2);
	desk_try_row(d, "' '", 0);
	desk_try(d, "' b", "no mark b");
}

DESK_TEST(a_mark_that_the_filter_hides_leads_to_the_nearest_event, D, 24, 80)
{
	desk_try_row(d, "m a f `tid = 6` <Enter> ' a", 2);
	desk_need(d, "hidden by the filter");
}

DESK_TEST(notes_stand_in_the_list_of_marks, D, 24, 100)
{
	int	y;

	desk_try(d, ":`marks` <Enter>", "no marks");
	desk_do(d, "q G M `it ends here` <Enter> g m z :`marks` <Enter>");
	y = memterm_find(d->m, "\xe2\x96\xb8 marks") + 3;
	assert_non_null(strstr(memterm_line(d->m, y), "it ends here"));
	assert_non_null(strstr(memterm_line(d->m, y), "a "));
	assert_non_null(strstr(memterm_line(d->m, y), "0.005 000"));
	assert_non_null(strstr(memterm_line(d->m, y - 1), "z "));
	desk_need(d, "2 marks");
	desk_try_row(d, "j <Enter>", 3);
	assert_int_equal(d->ui->panes.focus, PANE_EVENTS);
	desk_try(d, ":`marks` <Enter> x x x", "nothing to delete");
	assert_int_equal(d->ui->v.marks.n, 0);
}

DESK_TEST(next_and_previous_mark_say_when_there_is_none, D, 24, 80)
{
	desk_try(d, "u", "no marks (");
	desk_try(d, "j m a G u", "no later mark");
	desk_try_row(d, "U", 1);
	desk_try(d, "U", "no earlier mark");
}

/* ---- the mouse */

static void
mouse(struct desk *d, enum mouse_kind kind, int y, int x, int n)
{
	memterm_mouse(d->m, kind, y, x, n);
	desk_rest(d);
}

DESK_TEST(the_mouse_is_off_until_it_is_switched_on, D, 24, 80)
{
	int	y = memterm_find(d->m, "n=9");

	assert_true(y > 0);
	mouse(d, MOUSE_PRESS, y, 30, 0);
	assert_int_equal(d->ui->v.sel.row, 0);
	desk_try(d, "<F12>", "mouse on");
	mouse(d, MOUSE_PRESS, y, 30, 0);
	assert_int_equal(d->ui->v.sel.row, 3);
	/* Rows of gaps between do not count, and nothing has moved on the screen. */
	assert_int_equal(memterm_find(d->m, "n=9"), y);
	y = memterm_find(d->m, "0.002 000");
	mouse(d, MOUSE_PRESS, y, 30, 0);
	assert_int_equal(d->ui->v.sel.row, 1);
	assert_int_equal(memterm_find(d->m, "0.002 000"), y);
	mouse(d, MOUSE_PRESS, memterm_find(d->m, "n=9"), 30, 0);
	desk_do(d, ":`mouse off` <Enter>");
	mouse(d, MOUSE_PRESS, memterm_find(d->m, "n=1"), 30, 0);
	assert_int_equal(d->ui->v.sel.row, 3);
}

/* As typed afterwards: before the character that was clicked, or at the end; wide ones, too. */
DESK_TEST(a_click_in_a_prompt_sets_its_cursor, D, 24, 80)
{
	static const struct { int x; const char *text; } cases[] = {
		{ 0, "ab\xe4\xb8\x96" "cdX" }, { 1, "Xab\xe4\xb8\x96" "cd" },
		{ 3, "abX\xe4\xb8\x96" "cd" }, { 4, "abX\xe4\xb8\x96" "cd" },
		{ 5, "ab\xe4\xb8\x96" "Xcd" }, { 60, "ab\xe4\xb8\x96" "cdX" },
	};

	desk_do(d, "<F12>");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		desk_do(d, ": `ab\xe4\xb8\x96" "cd`");
		mouse(d, MOUSE_PRESS, d->ui->screen.rows - 1, cases[i].x, 0);
		mouse(d, MOUSE_PRESS, 5, 20, 0);		/* beside it: nothing */
		assert_int_equal(d->ui->v.sel.row, 0);
		desk_do(d, "`X`");
		assert_string_equal(buf_str(&d->ui->typing.prompt.text), cases[i].text);
		desk_do(d, "<Esc>");
	}
	desk_do(d, ":");
	mouse(d, MOUSE_PRESS, d->ui->screen.rows - 1, 1, 0);
	desk_do(d, "<Esc> f `tid = 5` <Enter>");
}

/* The help has nothing to choose: a click changes nothing. */
/* The events stay where they are; below the list there is nothing of them. */
DESK_TEST(a_list_pops_up_over_the_events_and_a_click_beside_it_closes_it, DEMO, 24, 80)
{
	struct buf	*events = test_buf();
	int		 title;

	desk_do(d, "<F12> j j m a");
	for (int y = 0; y < 8; y++)
		buf_puts(events, memterm_line(d->m, y));
	desk_try(d, ":`marks` <Enter>", "\xe2\x96\xb8 marks");
	title = memterm_find(d->m, "\xe2\x96\xb8 marks");
	assert_int_equal(title, 17);
	for (int y = 0; y < 8; y++)
		if (y != 4)		/* the title of the events, which lost the keys */
			assert_non_null(strstr(buf_str(events), memterm_line(d->m, y)));
	for (int x = 0; x < 80; x++)
		assert_int_equal(memterm_mark(d->m, 22, x), memterm_mark(d->m, 22, 0));
	mouse(d, MOUSE_PRESS, 8, 20, 0);
	assert_int_equal(d->ui->panes.focus, PANE_EVENTS);
	desk_need_not(d, " marks ");
	desk_try(d, ":`marks` <Enter>", "\xe2\x96\xb8 marks");
	desk_try_not(d, "q", " marks ");
}

DESK_TEST(a_click_in_the_help_does_not_disturb, D, 24, 80)
{
	struct buf	*before = test_buf();

	desk_do(d, "<F12> ? j j j");
	buf_puts(before, memterm_text(d->m));
	for (int y = 1; y < 22; y++) {
		mouse(d, MOUSE_PRESS, y, 10, 0);
		mouse(d, MOUSE_PRESS, y, 10, 0);
		assert_string_equal(memterm_text(d->m), buf_str(before));
	}
}

DESK_TEST(a_click_gives_the_keys_to_a_pane_and_the_wheel_scrolls, DEMO, 24, 80)
{
	desk_do(d, "<F12> M-5");
	assert_int_equal(d->ui->panes.focus, PANE_THREADS);
	mouse(d, MOUSE_PRESS, memterm_find(d->m, "0.001 053"), 20, 0);
	assert_int_equal(d->ui->panes.focus, PANE_EVENTS);
	assert_int_equal(d->ui->v.sel.row, 2);
	mouse(d, MOUSE_WHEEL, 20, 20, 1);
	assert_int_equal(d->ui->v.sel.row, 5);
	mouse(d, MOUSE_WHEEL, 20, 20, -1);
	assert_int_equal(d->ui->v.sel.row, 2);
	/* Outside of everything, and with no button. */
	mouse(d, MOUSE_PRESS, -1, -1, 0);
	mouse(d, MOUSE_DRAG, 500, 500, 0);
	mouse(d, MOUSE_RELEASE, 0, 0, 0);
	assert_int_equal(d->ui->v.sel.row, 2);
}

DESK_TEST(a_drag_on_the_timeline_makes_a_range, DEMO, 24, 80)
{
	int64_t	from, to;

	desk_do(d, "<F12> M-1");
	mouse(d, MOUSE_PRESS, 5, 40, 0);
	assert_false(d->ui->v.range.set);
	mouse(d, MOUSE_DRAG, 5, 60, 0);
	mouse(d, MOUSE_DRAG, 5, 50, 0);
	mouse(d, MOUSE_RELEASE, 5, 50, 0);
	assert_true(view_range(&d->ui->v, &from, &to));
	/* Eleven of the cells, which begin behind the labels. */
	assert_in_range((to - from) * 60 / (d->ui->v.window.to - d->ui->v.window.from), 10, 11);
	desk_need(d, "[=========]");
	desk_do(d, "<Enter>");
	assert_int_equal(d->ui->v.window.from, from);
	assert_int_equal(d->ui->v.window.to, to);
}

DESK_TEST(a_click_on_a_heading_sorts, D, 24, 80)
{
	int	y, x;

	desk_do(d, "<F12> M-5");
	y = memterm_find(d->m, "share lost");
	x = (int)(strstr(memterm_line(d->m, y), "events") - memterm_line(d->m, y));
	mouse(d, MOUSE_PRESS, y, x, 0);
	desk_need(d, "sorted by events");
	mouse(d, MOUSE_PRESS, y, x, 0);
	desk_need(d, "reversed");
}

/* Two presses on one row, the second soon after the first; two slow ones only select. */
DESK_TEST(a_double_click_is_enter, DEMO, 30, 100)
{
	int	y, x;

	desk_do(d, "<F12> M-8");
	y = memterm_find(d->m, "list garbage collections");
	mouse(d, MOUSE_PRESS, y, 30, 0);
	d->ui->drag.at_ns -= 10000000000;
	mouse(d, MOUSE_PRESS, y, 30, 0);
	desk_need(d, "have events here");
	d->ui->drag.at_ns = INT64_MAX;		/* as soon as can be */
	mouse(d, MOUSE_PRESS, y, 30, 0);
	desk_need(d, "60 collections");
	/* On titles it is two clicks: they sort, and reverse. */
	desk_do(d, "Q");
	desk_reopen(d, D, 24, 80, false, NULL);
	desk_do(d, "<F12> M-5");
	y = memterm_find(d->m, "share lost");
	x = (int)(strstr(memterm_line(d->m, y), "events") - memterm_line(d->m, y));
	mouse(d, MOUSE_PRESS, y, x, 0);
	d->ui->drag.at_ns = INT64_MAX;
	mouse(d, MOUSE_PRESS, y, x, 0);
	desk_need(d, "reversed");
	assert_int_equal(d->ui->panes.focus, PANE_THREADS);
}

static void
click_hint(struct desk *d, const char *hint)
{
	const char	*line, *at;

	mouse(d, MOUSE_PRESS, d->ui->screen.rows - 1, 79, 0);	/* a message goes */
	line = desk_bottom(d);
	at = strstr(line, hint);
	if (at == NULL)
		fail_msg("%s is not on: %s", hint, line);
	mouse(d, MOUSE_PRESS, d->ui->screen.rows - 1, (int)(at - line), 0);
}

TEST(a_click_on_a_hint_is_its_key)
{
	struct desk	d = desk_open(D, 24, 80, true, NULL);

	desk_do(&d, "<F12>");
	click_hint(&d, "Alt-5 threads");
	assert_int_equal(d.ui->panes.focus, PANE_THREADS);
	click_hint(&d, "sort");
	assert_int_equal(d.ui->typing.prompt.kind, PROMPT_COMMAND);
	desk_do(&d, "<Down> <Enter>");
	desk_need_bottom(&d, "threads sorted by gaps");
	click_hint(&d, "q close");
	assert_int_equal(d.ui->panes.focus, PANE_EVENTS);
	click_hint(&d, "f filter");
	assert_int_equal(d.ui->typing.prompt.kind, PROMPT_FILTER);
	mouse(&d, MOUSE_PRESS, 23, 3, 0);	/* a prompt has the keys */
	assert_int_equal(d.ui->typing.prompt.kind, PROMPT_FILTER);
}

DESK_TEST(a_click_on_the_titles_of_events_says_why_they_do_not_sort, D, 24, 80)
{
	desk_do(d, "<F12>");
	mouse(d, MOUSE_PRESS, memterm_find(d->m, "payload"), 20, 0);
	desk_need_bottom(d, "events stay in time order");
	assert_int_equal(d->ui->v.sel.row, 0);
	mouse(d, MOUSE_OTHER, 12, 20, 0);
	assert_int_equal(d->ui->v.sel.row, 0);
}

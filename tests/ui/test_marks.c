/*
 * Marks, and the mouse, on a terminal in memory.
 *
 * v4-dropped-events (D): events at 1, 2 and 5 ms on thread 5 and at 4 ms on thread 6.
 */
#include "../support/desk.h"
#include "../support/test.h"
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

/* ---- the mouse */

static void
mouse(struct desk *d, enum mouse_kind kind, int y, int x, int n)
{
	memterm_mouse(d->m, kind, y, x, n);
	desk_rest(d);
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

DESK_TEST(a_click_on_the_titles_of_events_says_why_they_do_not_sort, D, 24, 80)
{
	desk_do(d, "<F12>");
	mouse(d, MOUSE_PRESS, memterm_find(d->m, "payload"), 20, 0);
	desk_need_bottom(d, "events stay in time order");
	assert_int_equal(d->ui->v.sel.row, 0);
	mouse(d, MOUSE_OTHER, 12, 20, 0);
	assert_int_equal(d->ui->v.sel.row, 0);
}

/*
 * What hands that know less, vim and htop press without thinking does what they mean.
 *
 * v4-dropped-events (D): four events, at 1, 2, 4 and 5 ms, n = 1, 5, 5, 9, the third on thread 6,
 * the others on thread 5.
 */
#include "../support/desk.h"
#include "../support/pty.h"
#include "../support/test.h"

#define D	"tests/data/features/v4-dropped-events.nettrace"
#define DEMO	"tests/data/demo.nettrace"

/* ---- searching */

/* The line of the events that the cursor stands on, from the first row's. */
static int
cursor_line(struct desk *d)
{
	struct rect	r = d->ui->panes.pane[PANE_EVENTS].at;

	for (int y = r.y + 1; y < r.y + r.h; y++)
		if (memterm_mark(d->m, y, 3) & MARK_CURSOR)
			return y - r.y - 1;
	fail_msg("no cursor:\n%s", memterm_text(d->m));
	return 0;
}

/* The sample has no gaps in its list: a line is a row. */
DESK_TEST(a_hit_comes_a_third_down_and_the_list_stays_where_the_hit_is_seen, DEMO, 24, 80)
{
	int	h = d->ui->panes.pane[PANE_EVENTS].at.h - 1, stayed = 0, third = 0;

	assert_int_equal(d->ui->v.gaps.n, 0);
	desk_do(d, "/`HeapStats|/Start|/Stop|Suspend` <Enter>");
	for (int i = 0; i < 60; i++) {
		uint64_t	top = d->ui->v.sel.row - (uint64_t)cursor_line(d), was = d->ui->v.sel.row;
		uint64_t	now;

		desk_do(d, i % 3 == 2 ? "n n n n n n n n n" : "n");
		now = d->ui->v.sel.row - (uint64_t)cursor_line(d);
		if (i % 3 != 2 && d->ui->v.sel.row >= top && d->ui->v.sel.row < top + (uint64_t)h) {
			assert_int_equal(now, top);
			stayed += d->ui->v.sel.row != was;
		} else if (cursor_line(d) == h / 3) {
			third++;
		}
	}
	assert_true(stayed > 3);
	assert_true(third > 0);
}

/* ---- what was found, on terminals */

/* The cell of the text on the line. */
static int
cell_of(const char *line, const char *text)
{
	const char	*at = strstr(line, text);
	int		 x = 0;

	assert_non_null(at);
	for (; line < at; line++)
		x += ((unsigned char)*line & 0xc0) != 0x80;
	return x;
}

TEST(what_was_found_is_seen_in_colour_and_without)
{
	static char	plain[] = "NO_COLOR=1", locale[] = "LC_ALL=C.UTF-8";

	for (int mono = 0; mono < 2; mono++) {
		char		*env[] = { locale, mono ? plain : NULL, NULL };
		struct pty	*p = pty_tnav(NULL, D, 24, 80, env);
		int		 y, x;

		pty_wait_text(p, "n=9");
		pty_try(p, "/n=5\r", "1 of 2");
		pty_settle(p);
		y = pty_wait_line(p, "0.002 000");
		x = cell_of(pty_line(p, y), "n=5");
		if (mono) {		/* the cursor's row is reversed, the hit in it is not */
			assert_true(pty_reverse(p, y, x - 1));
			assert_false(pty_reverse(p, y, x));
		} else {
			assert_true(pty_background(p, y, x));
		}
		y = pty_wait_line(p, "0.004 000");
		x = cell_of(pty_line(p, y), "n=5");
		assert_true(mono ? pty_reverse(p, y, x) : pty_background(p, y, x));
		assert_false(pty_reverse(p, y, x - 1));
		assert_false(pty_background(p, y, x - 1));
		pty_quit(p, "Q", 0);
	}
}

/* Names of events are bold; the match stands out from them, too, off the cursor's row and on it. */
TEST(what_was_found_is_seen_on_bold)
{
	static char	plain[] = "NO_COLOR=1", locale[] = "LC_ALL=C.UTF-8";

	for (int mono = 0; mono < 2; mono++) {
		char		*env[] = { locale, mono ? plain : NULL, NULL };
		struct pty	*p = pty_tnav(NULL, DEMO, 24, 80, env);
		int		 y, x;

		pty_wait_text(p, "10,854");
		pty_try(p, "/GC/HeapStats\r", "1 of ");
		pty_settle(p);
		y = pty_wait_line(p, "GC/HeapStats ");
		x = cell_of(pty_line(p, y), "GC/HeapStats");
		for (int at_it = 1; at_it >= 0; at_it--) {
			bool	around;

			pty_wait_text(p, at_it ? "row 155 " : "row 154 ");
			around = pty_reverse(p, y, x - 1);
			assert_true(around == (at_it == 1));
			assert_true(mono ? pty_reverse(p, y, x) != around :
			    pty_background(p, y, x));
			pty_send(p, "k");
			pty_settle(p);
		}
		pty_quit(p, "Q", 0);
	}
}

/* The last screen of a search does not depend on how fast its text was typed. */
TEST(a_search_ends_on_the_same_screen_typed_slowly_or_at_once)
{
	static const char	text[] = "/GC/RestartEEStop\r";
	static char		locale[] = "LC_ALL=C.UTF-8";
	char			*env[] = { locale, NULL };
	struct buf		screen[2] = { 0 };

	for (int slow = 0; slow < 2; slow++) {
		struct pty	*p = pty_tnav(NULL, DEMO, 24, 80, env);
		char		 key[2] = "";

		pty_wait_text(p, "10,854");
		pty_settle(p);
		for (size_t i = 0; slow && (key[0] = text[i]) != '\0'; i++) {
			pty_send(p, key);
			pty_settle(p);
		}
		if (!slow)
			pty_send(p, text);
		pty_wait_text(p, "1 of ");
		pty_settle(p);
		pty_dump(p, &screen[slow]);
		pty_quit(p, "Q", 0);
	}
	assert_string_equal(buf_str(&screen[0]), buf_str(&screen[1]));
	buf_release(&screen[0]);
	buf_release(&screen[1]);
}

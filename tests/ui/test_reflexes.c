/*
 * What hands that know less, vim and htop press without thinking does what they mean.
 *
 * v4-dropped-events (D): four events, at 1, 2, 4 and 5 ms, n = 1, 5, 5, 9, the third on thread 6,
 * the others on thread 5.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/data.h"
#include "../support/desk.h"
#include "../support/pty.h"
#include "../support/test.h"
#include "app/export.h"

#define D	"tests/data/features/v4-dropped-events.nettrace"
#define DEMO	"tests/data/demo.nettrace"
#define TOUR	"tests/data/tour.nettrace.zst"

static const struct ui_options	exporting = { .export = &app_export };

/* ---- a folder that is the user's home */

static char	folder[] = "tnav-reflexes-XXXXXX", home[8192];

static int
make_folder(void)
{
	char	cwd[4096];

	if (getcwd(cwd, sizeof cwd) == NULL || mkdtemp(folder) == NULL)
		return -1;
	snprintf(home, sizeof home, "%s/%s", cwd, folder);
	setenv("HOME", home, 1);
	return 0;
}

static int
remove_folder(void)
{
	return test_remove(home);
}

static int
lines_of(const char *text)
{
	int	n = 0;

	for (; *text != '\0'; text++)
		n += *text == '\n';
	return n;
}

/* ---- the command line */

DESK_TEST_WITH(w_writes_what_is_listed_into_the_home_and_asks_before_it_replaces, D, 24, 80,
    &exporting)
{
	desk_try_bottom(d, ":`w ~/rows.txt` <Enter>", "4 rows");
	assert_int_equal(lines_of(desk_file(home, "rows.txt")), 4);
	desk_try_bottom(d, "f `tid = 6` <Enter> :`w ~/rows.txt` <Enter>", "replace it? (y/n)");
	desk_do(d, "n");
	assert_int_equal(lines_of(desk_file(home, "rows.txt")), 4);
	desk_do(d, "P `~/rows.txt` <Enter> y");
	assert_int_equal(lines_of(desk_file(home, "rows.txt")), 1);
	desk_do(d, "M-5 :`w ~/threads.jsonl` <Enter>");	/* of a table its rows */
	assert_int_equal(lines_of(desk_file(home, "threads.jsonl")), 2);
	assert_non_null(strstr(desk_file(home, "threads.jsonl"), "\"tid\":6"));
	desk_try_bottom(d, ":`w ~/threads.jsonl` <Enter>", "replace it? (y/n)");
	desk_do(d, "n :`save-session ~/session` <Enter>");
	assert_true(lines_of(desk_file(home, "session")) > 1);
	desk_try_bottom(d, ":`save-session ~/session` <Enter>", "replace it? (y/n)");
	desk_do(d, "n");
}

DESK_TEST_WITH(names_of_trees_are_written_without_the_tree, TOUR, 24, 80, &exporting)
{
	static const char *const	panes[] = { "calls top-down", "calls bottom-up",
		"activities" };
	char				script[160];
	const char			*s;

	for (size_t i = 0; i < sizeof panes / sizeof *panes; i++) {
		snprintf(script, sizeof script, ":`%s` <Enter> :`w -f ~/tree.jsonl` <Enter>",
		    panes[i]);
		desk_do(d, script);
		s = desk_file(home, "tree.jsonl");
		assert_true(lines_of(s) > 50);
		assert_non_null(strstr(s, "\"name\":\""));
		assert_null(strstr(s, "\"name\":\" "));
		assert_null(strstr(s, "\"name\":\"\xe2\x94\x83"));
	}
}

DESK_TEST_WITH(w_asks_before_it_writes_much_with_about_the_size, TOUR, 24, 80, &exporting)
{
	static const char	said[] = "write about ";
	const char		*line;
	char			 path[8300], gone[8300];
	struct stat		 st;
	double			 mb;

	snprintf(path, sizeof path, "%s/much.jsonl", home);
	snprintf(gone, sizeof gone, "%s/gone.jsonl", home);
	desk_try_bottom(d, ":`w ~/gone.jsonl` <Enter>", "MB? (y/n)");
	desk_do(d, "n");
	assert_int_equal(stat(gone, &st), -1);
	desk_try_bottom(d, ":`w ~/much.jsonl` <Enter>", said);
	line = strstr(memterm_line(d->m, 23), said);
	assert_non_null(line);
	mb = strtod(line + strlen(said), NULL);
	desk_try_bottom(d, "y", "56,443 rows");
	assert_int_equal(stat(path, &st), 0);
	assert_true(mb * 1e6 > 0.8 * (double)st.st_size && mb * 1e6 < 1.2 * (double)st.st_size);
	desk_try_bottom(d, ":`w ~/much.jsonl` <Enter>", "replace it with about ");
	desk_do(d, "n");
	desk_try_bottom(d, ":`w -f ~/much.jsonl` <Enter>", "56,443 rows");
}

/* Of 56,443 rows with eight columns each. */
DESK_TEST_WITH(w_asks_before_it_writes_much_of_a_table, TOUR, 24, 120, &exporting)
{
	static const char	said[] = "write about ";
	const char		*line;
	struct stat		 st;
	char			 path[8300];
	double			 mb;

	snprintf(path, sizeof path, "%s/table.jsonl", home);
	desk_try(d, ":`tally row,time,event,provider,name,tid,keywords,level` <Enter>",
	    "0x10800");
	desk_try_bottom(d, ":`w ~/table.jsonl` <Enter>", said);
	line = strstr(memterm_line(d->m, 23), said);
	assert_non_null(line);
	mb = strtod(line + strlen(said), NULL);
	desk_do(d, "n");
	assert_int_equal(stat(path, &st), -1);
	desk_do(d, ":`w ~/table.jsonl` <Enter> y");
	assert_int_equal(stat(path, &st), 0);
	assert_true(mb * 1e6 > 0.8 * (double)st.st_size && mb * 1e6 < 1.2 * (double)st.st_size);
}

DESK_TEST(e_opens_another_trace_and_reads_this_one_again, D, 24, 80)
{
	char	script[8192];

	snprintf(script, sizeof script, "f `tid = 6` <Enter> M-5 :`e %s` <Enter>",
	    data_path(DEMO));
	desk_do(d, script);
	assert_non_null(strstr(memterm_line(d->m, 0), "demo.nettrace"));
	desk_need(d, "10,854");
	assert_null(d->ui->v.filter.text);
	desk_try_row(d, "G", 10853);
	desk_try_bottom(d, ":`e /nowhere` <Enter>", "/nowhere");
	assert_non_null(strstr(memterm_line(d->m, 0), "demo.nettrace"));
	desk_try_bottom(d, ":`e` <Enter>", "the file has not changed");
}

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

/* ---- exceptions and errors */

/* By the names and levels themselves. */
static bool
is_error(struct desk *d, const struct event *e)
{
	const struct event_type	*ty = trace_type(d->t, e->type);
	size_t			 len = strlen(ty->name);

	if (ty->level >= 1 && ty->level <= 2)
		return true;
	return strstr(ty->name, "Exception") != NULL && strstr(ty->name, "ExceptionCatch") == NULL &&
	    strstr(ty->name, "ExceptionFilter") == NULL &&
	    strstr(ty->name, "ExceptionFinally") == NULL &&
	    (len < 4 || strcmp(ty->name + len - 4, "Stop") != 0);
}

DESK_TEST(e_comes_to_each_exception_once_and_not_to_its_end,
    "tests/data/spans/cut-exceptions.nettrace", 24, 80)
{
	uint64_t	n = trace_rows(d->t);
	struct event	e;
	unsigned	found = 0, ends = 0;

	for (uint64_t row = 0; row < n; row++) {
		assert_int_equal(trace_event(d->t, row, &e), 1);
		ends += strstr(trace_type(d->t, e.type)->name, "Exception") != NULL;
		if (row == 0 || !is_error(d, &e))
			continue;
		desk_try_row(d, "e", row);
		found++;
	}
	assert_true(found > 2 && ends > 2 * found);
	desk_try_bottom(d, "e", "no later exception or error");
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

/* ---- marks, tables */

TEST(a_row_of_a_table_is_copied_all_of_it_and_each_is_written)
{
	static const char *const	panes[] = { "M-5", "M-7", "M-g", "!", ":`marks` <Enter>",
					    "m a :`marks` <Enter>", "c" };
	char				script[128];

	for (size_t i = 0; i < sizeof panes / sizeof *panes; i++) {
		struct desk	d = desk_open(D, 24, 100, false, &exporting);
		int		rows;

		desk_do(&d, panes[i]);
		desk_do(&d, "Y");
		rows = lines_of(memterm_copied(d.m));
		snprintf(script, sizeof script, "P `~/table-%zu.txt` <Enter>", i);
		desk_do(&d, script);
		snprintf(script, sizeof script, "table-%zu.txt", i);
		assert_int_equal(lines_of(desk_file(home, script)), rows);
		if (rows > 0)
			assert_string_equal(desk_file(home, script), memterm_copied(d.m));
		desk_do(&d, "y y");
		if (rows > 0)	/* a line of it */
			assert_true(lines_of(memterm_copied(d.m)) < rows);
		desk_close(&d);
	}
}

/* ---- two events */

/* By the values that are written at the top of this file. */
/* Long values share the line: both are as wide as the other. */
DESK_TEST(two_long_values_are_compared_side_by_side, DEMO, 24, 80)
{
	const char	*title, *line;
	size_t		 pinned, selected;

	desk_do(d, "M-d G");
	title = memterm_line(d->m, memterm_find(d->m, "  field "));
	pinned = (size_t)(strstr(title, "pinned") - title);
	selected = (size_t)(strstr(title, "selected") - title);
	assert_in_range(80 - selected, selected - pinned - 4, selected - pinned);
	line = memterm_line(d->m, memterm_find(d->m, "  means "));
	assert_non_null(strstr(line, "A GC handle was created: its"));
	assert_non_null(strstr(line, "Written at the start: the"));
}

GROUP(make_folder, remove_folder)

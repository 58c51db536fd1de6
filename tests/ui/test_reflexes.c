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
#include "ui/command/command.h"

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

TEST(vim_s_ways_out_quit)
{
	static const char *const	ways[] = { "q", "q!", "wq", "x" };

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct desk	d = desk_open(D, 24, 80, false, NULL);
		char		script[32];

		snprintf(script, sizeof script, "M-5 :`%s` <Enter>", ways[i]);
		desk_do(&d, script);
		assert_true(d.ui->quit);
		desk_close(&d);
	}
}

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

DESK_TEST(a_number_is_a_row_and_a_percentage_a_part, DEMO, 24, 80)
{
	desk_try_row(d, ":`42` <Enter>", 42);
	desk_try_row(d, ":`50%` <Enter>", 10854 / 2);
	desk_try(d, ":`$`", "Enter goes to the last row");
	desk_try_row(d, "<Enter>", 10853);
	desk_try_row(d, "' '", 10854 / 2);
	desk_try_bottom(d, ":`$` <Enter> :`$` <Enter>", "end of the list");
	desk_try_bottom(d, ":`$5` <Enter>", "unknown command '$5'");
	desk_try_row(d, "2 5 %", 10854 / 4);
	desk_do(d, "/`GC` <Enter> 8 4 4 3 1 9 2 1 6 0 1 n");	/* nobody waits for so many */
	desk_need_bottom(d, "at most 10,000 hits at once");
	desk_try_row(d, "1 0 0 %", 10853);
	desk_try_bottom(d, "%", "neither starts nor ends a span; 50% goes to the middle");
	desk_try_bottom(d, ":`101%` <Enter>", "type a percentage first");
	desk_try_bottom(d, ":`99999` <Enter>", "the last row is 10,853");
	desk_try_bottom(d, "@`0%..1%` <Enter> 9 9 9 9 G", "row 9,999 is after this window");
	desk_try_bottom(d, ":`42x` <Enter>", "unknown command '42x'");
}

DESK_TEST(words_that_are_short_for_several_commands_or_misspelt_say_which_are_meant, D, 24, 120)
{
	desk_do(d, ":`filter- x` <Enter>");
	desk_need_bottom(d, "'filter-' is ambiguous: filter-add, filter-keep, filter-toggle, "
	    "filter-name, filter-delete");
	desk_try_bottom(d, ":`fliter tid = 6` <Enter>", "unknown command 'fliter' (near: filter");
	desk_try_bottom(d, ":`expor x` <Enter>", "'expor' is short for export; type it in full");
	desk_try(d, ":`labe x` <Enter>", "\xe2\x96\xb8 details");	/* nothing else begins so */
}

/* ---- the list above the prompt */

DESK_TEST(what_stands_out_is_run_and_named_before_and_the_list_says_how_many_there_are, D, 24, 80)
{
	desk_try(d, ":`zo`", "Enter runs zoom-in");
	desk_need_bottom(d, "1 of ");
	desk_try_bottom(d, "<Down>", "2 of ");
	desk_need(d, "Enter runs zoom-out");
	desk_try(d, "<Up>", "Enter runs zoom-in");
	desk_do(d, "C-n <Enter>");
	desk_need_bottom(d, "the window is the whole trace");		/* zoom-out did */
	desk_try_not(d, ":", "Enter runs");		/* nothing stands out yet */
	desk_do(d, "<Enter>");
	assert_int_equal(d->ui->typing.prompt.kind, PROMPT_NONE);
	desk_do(d, ":`thrds`");		/* letters of a name are not its beginning */
	desk_need_not(d, "Enter runs");
	desk_try_not(d, "<Enter>", "\xe2\x96\xb8 threads");
	desk_try(d, "C-g :`thre` <Enter>", "\xe2\x96\xb8 threads");
	desk_need_bottom(d, ":threads");		/* what was run, which was not typed */
}

DESK_TEST(tab_puts_one_word_after_the_other, D, 24, 80)
{
	desk_do(d, ":`filter-` <Tab>");
	assert_string_equal(buf_str(&d->ui->typing.prompt.text), "filter-add ");
	desk_need(d, "Enter runs filter-add");
	desk_do(d, "<Tab>");
	assert_string_equal(buf_str(&d->ui->typing.prompt.text), "filter-keep ");
	desk_need(d, "Enter runs filter-keep");
	desk_do(d, "<Tab> <S-Tab>");
	assert_string_equal(buf_str(&d->ui->typing.prompt.text), "filter-keep ");
	desk_try(d, "`tid = 6` <Enter> :`filters` <Enter>", "tid = 6");
	/* In a filter, too; Enter on a word of the list takes it, and the filter goes on. */
	desk_do(d, "q f `provid`");
	desk_do(d, "<Down> <Enter>");
	assert_int_equal(d->ui->typing.prompt.kind, PROMPT_FILTER);
	assert_string_equal(buf_str(&d->ui->typing.prompt.text), "provider ");
}

DESK_TEST(alt_and_a_letter_edits_a_prompt_and_never_leaves_it, D, 24, 80)
{
	struct prompt	*p = &d->ui->typing.prompt;

	desk_do(d, "/`one two.three` M-b");
	assert_int_equal(p->at, 8);
	desk_do(d, "M-b M-b");
	assert_int_equal(p->at, 0);
	desk_do(d, "M-f");
	assert_int_equal(p->at, 3);
	desk_do(d, "M-d");
	assert_string_equal(buf_str(&p->text), "one.three");
	desk_do(d, "C-e C-w");
	assert_string_equal(buf_str(&p->text), "");
	for (char c = 'a'; c <= 'z'; c++) {
		char	key[] = { 'M', '-', c, '\0' };

		desk_do(d, key);
		assert_int_equal(p->kind, PROMPT_SEARCH);
		key[2] = (char)(c - 'a' + 'A');
		desk_do(d, key);
		assert_int_equal(p->kind, PROMPT_SEARCH);
	}
}

/* ---- places */

DESK_TEST(times_are_seconds_parts_and_lengths_from_a_beginning, D, 24, 120)
{
	struct view	*v = &d->ui->v;

	desk_do(d, "@`0.004` <Enter>");
	assert_int_equal(v->sel.row, 2);
	desk_do(d, "@`50%` <Enter>");		/* of 1 to 5 ms: 3 ms, the next is at 4 */
	assert_int_equal(v->sel.row, 2);
	desk_do(d, "@`0%` <Enter>");
	assert_int_equal(v->sel.row, 0);
	desk_do(d, "@`2ms..+2500us` <Enter>");	/* 2 to 4.5 ms */
	assert_int_equal(view_count(v), 2);
	assert_int_equal(v->sel.row, 1);
	desk_do(d, "0 G @`1ms..3ms` <Enter>");
	assert_int_equal(v->sel.row, 0);	/* the window's first event, not the nearest */
	desk_do(d, "3 G");
	desk_need_bottom(d, "row 3 is after this window: at its last event (0 shows the whole");
	assert_int_equal(v->sel.row, 1);
	desk_do(d, "0 @`25%..75%` <Enter>");	/* 2 to 4 ms, without its end */
	assert_int_equal(view_count(v), 1);
	desk_try_bottom(d, "0 @`9s` <Enter>", "9.000 000 s is past the end; at the last event");
	desk_try(d, "@`soon` <Enter>", "not a time: \"soon\"");
	desk_try(d, "<Esc> @`50x%` <Enter>", "not a time: \"50x%\"");
}

DESK_TEST(a_row_that_the_filter_hides_says_so, D, 24, 100)
{
	desk_try_bottom(d, "f `tid = 6` <Enter> 0 1 G", "row 1 is hidden by the filter");
	assert_int_equal(d->ui->v.sel.row, 2);
}

/* What less and vim have besides j, k and [. */
DESK_TEST(control_keys_move_by_lines_and_back, D, 24, 80)
{
	desk_try_row(d, "C-n", 1);
	desk_try_row(d, "C-e", 2);
	desk_try_row(d, "C-p", 1);
	desk_try_row(d, "C-y", 0);
	desk_try_row(d, "G C-o", 0);
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

DESK_TEST(a_search_shows_where_it_leads_while_it_is_typed_and_esc_takes_it_back, DEMO, 24, 80)
{
	uint64_t	first;

	desk_do(d, "1 0 G /`HeapSt`");
	first = d->ui->v.sel.row;
	assert_true(first > 10);
	desk_need(d, "GC/HeapStats");
	desk_try_row(d, "<Esc>", 10);
	assert_null(d->ui->v.search.pattern);
	desk_try_bottom(d, "n", "no search yet");	/* it was never made */
	desk_do(d, "/`HeapSt` C-u `SetGC`");
	assert_int_equal(d->ui->v.sel.row, 10);	/* from where it began, not from the hit */
	desk_try_row(d, "C-u `HeapStats` <Enter>", first);
	desk_need_bottom(d, "/HeapStats/  1 of ");
	desk_try_row(d, "[", 10);
	desk_do(d, "/`GC/Start` <Esc> n");	/* the one before is as it was */
	desk_need_bottom(d, "/HeapStats/  1 of ");
}

/* The line of the screen with the text is marked from there on. */
static void
need_hit(struct desk *d, const char *text)
{
	int	y = memterm_find(d->m, text);

	if (y < 0)
		fail_msg("\"%s\" is not on the screen:\n%s", text, memterm_text(d->m));
	for (int x = 0; x < 80; x++)
		if (memterm_mark(d->m, y, x) & MARK_HIT)
			return;
	fail_msg("\"%s\" is not marked:\n%s", text, memterm_text(d->m));
}

DESK_TEST(help_details_and_tables_are_searched_where_one_is, DEMO, 24, 80)
{
	uint64_t	row = d->ui->v.sel.row;

	desk_do(d, "? /`Nothing needs`");
	need_hit(d, "Nothing needs");		/* before Enter */
	desk_try_not(d, "<Esc>", "Nothing needs");
	desk_try_bottom(d, "/`window` <Enter>", "/window/  1 of ");
	desk_try_bottom(d, "n", "/window/  2 of ");
	desk_try_bottom(d, "N N", "search wrapped");
	desk_try_bottom(d, "/`nowhere in it` <Enter>", "no row of help matches /nowhere in it/");
	desk_do(d, "q M-3 /`ticks ` <Enter>");
	need_hit(d, "ticks");
	assert_true(memterm_mark(d->m, memterm_find(d->m, "\xe2\x96\xb8ticks"), 3) & MARK_CURSOR);
	desk_do(d, "q K /`address` <Enter>");
	need_hit(d, "address");
	desk_do(d, "q M-7 /`AllocationTick` <Enter>");
	need_hit(d, "GC/AllocationTick");
	assert_true(memterm_mark(d->m, memterm_find(d->m, "\xe2\x96\xb8 GC/AllocationTick"), 3) &
	    MARK_CURSOR);
	assert_int_equal(d->ui->v.sel.row, row);
	assert_null(d->ui->v.search.pattern);
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

/* As & of less and F4 of htop take it; ZZ quits as in vim and less. */
DESK_TEST(a_word_as_a_filter_becomes_a_pattern, DEMO, 24, 80)
{
	static const char *const	keys[] = { "f", "&", "<F4>" };
	char	script[64];

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		snprintf(script, sizeof script, "%s `HeapStats` <Enter>", keys[i]);
		desk_try_bottom(d, script, "filter: /HeapStats/");
		desk_need(d, "not a comparison; press Enter to match it as text");
		desk_try(d, "<Enter>", "f: /HeapStats/", "60 of 10,854");
		desk_do(d, "X");
	}
	desk_try_bottom(d, "f `id ~` <Enter>", "filter: id ~");	/* no word: an error as ever */
	desk_do(d, "<Esc> M-1 Z Z");
	assert_false(d->ui->quit);		/* there it hides lanes */
	desk_do(d, "M-2 Z Z");
	assert_true(d->ui->quit);
}

/* ---- marks, tables */

DESK_TEST(marks_and_notes_are_seen_in_the_list, D, 24, 100)
{
	const char	*line;

	desk_do(d, "j m k j M `look here` <Enter> g");
	line = memterm_line(d->m, memterm_find(d->m, "0.002 000"));
	assert_int_equal(line[0], 'k');
	assert_int_equal(line[strlen(line) - 1], 'k');
	line = memterm_line(d->m, memterm_find(d->m, "0.004 000"));
	assert_non_null(strstr(line, ": look here"));
	line = memterm_line(d->m, memterm_find(d->m, "0.005 000"));
	assert_int_equal(line[0], ' ');
}

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

DESK_TEST(two_events_are_compared_field_by_field, D, 40, 100)
{
	const char	*line;

	desk_try(d, "M-d", "this event is pinned");
	desk_need(d, "\xe2\x96\xb8 events");		/* the keys are still there */
	desk_do(d, "j");
	line = memterm_line(d->m, memterm_find(d->m, " n  "));
	assert_non_null(strstr(line, " 1  "));
	assert_non_null(strstr(line, " 5"));
	desk_need(d, "pinned: 0.001 000 s, selected: +1 ms");
	desk_need_not(d, " thread ");			/* alike */
	desk_do(d, "j");
	line = memterm_line(d->m, memterm_find(d->m, " thread "));
	assert_non_null(strstr(line, " 5  "));
	assert_non_null(strstr(line, " 6"));
	desk_try(d, "M-d k", "pinned: 0.004 000 s, selected: -2 ms");	/* another one is pinned */
	desk_need_not(d, "\xe2\x94\x82 n  ");
	desk_try_bottom(d, "j M-d", "no longer pinned");
	desk_try_not(d, "j :`diff` <Enter> q", "this event is pinned");
}

DESK_TEST(where_there_is_room_for_one_pane_tab_shows_what_differs, D, 10, 40)
{
	desk_try_bottom(d, "M-d", "pinned: move on, then Tab shows what");
	desk_try(d, "j <Tab>", "\xe2\x96\xb8 diff", "3 events, ");
}

/* ---- history */

DESK_TEST(the_ends_of_the_history_say_so, D, 24, 80)
{
	desk_try_bottom(d, "[", "nothing to go back to");
	desk_try_bottom(d, "]", "nothing to go forward to");
	desk_try_row(d, "G [", 0);
	desk_try_bottom(d, "[", "nothing to go back to");
	desk_try_row(d, "] ]", 3);
	desk_need_bottom(d, "nothing to go forward to");
}

GROUP(make_folder, remove_folder)

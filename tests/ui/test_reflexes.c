/*
 * What hands that know less, vim and htop press without thinking does what they mean.
 *
 * v4-dropped-events (D): four events, at 1, 2, 4 and 5 ms, n = 1, 5, 5, 9, the third on thread 6,
 * the others on thread 5.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../support/desk.h"
#include "app/export.h"
#include "tnav/base/buf.h"
#include "ui/command/command.h"

#define D	"tests/data/features/v4-dropped-events.nettrace"
#define DEMO	"tests/data/demo.nettrace"

static const struct ui_options	exporting = { .export = &app_export };

/* ---- a folder that is the user's home */

static char	folder[] = "tnav-reflexes-XXXXXX", home[8192];

static int
make_folder(void **state)
{
	char	cwd[4096];

	(void)state;
	if (getcwd(cwd, sizeof cwd) == NULL || mkdtemp(folder) == NULL)
		return -1;
	snprintf(home, sizeof home, "%s/%s", cwd, folder);
	setenv("HOME", home, 1);
	return 0;
}

static int
remove_folder(void **state)
{
	char	line[sizeof home + 16];

	(void)state;
	snprintf(line, sizeof line, "rm -rf '%s'", home);
	return system(line);
}

/* A file of the home as text; "" if there is none. */
static const char *
in_home(const char *name)
{
	static char	 text[1 << 20];
	char		 path[sizeof home + 64];
	size_t		 n = 0;
	FILE		*f;

	snprintf(path, sizeof path, "%s/%s", home, name);
	f = fopen(path, "r");
	if (f != NULL) {
		n = fread(text, 1, sizeof text - 1, f);
		fclose(f);
	}
	text[n] = '\0';
	return text;
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

static void
test_vim_s_ways_out_quit(void **state)
{
	static const char *const	ways[] = { "q", "q!", "wq", "x" };

	(void)state;
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct desk	d = desk_open(D, 24, 80, false, NULL);
		char		script[32];

		snprintf(script, sizeof script, "M-5 :`%s` <Enter>", ways[i]);
		desk_do(&d, script);
		assert_true(d.ui->quit);
		desk_close(&d);
	}
}

static void
test_w_writes_what_is_listed_into_the_home_and_asks_before_it_replaces(void **state)
{
	struct desk	d = desk_open(D, 24, 80, false, &exporting);

	(void)state;
	desk_do(&d, ":`w ~/rows.txt` <Enter>");
	desk_need_bottom(&d, "4 rows");
	assert_int_equal(lines_of(in_home("rows.txt")), 4);
	desk_do(&d, "f `tid = 6` <Enter> :`w ~/rows.txt` <Enter>");
	desk_need_bottom(&d, "replace it? (y/n)");
	desk_do(&d, "n");
	assert_int_equal(lines_of(in_home("rows.txt")), 4);
	desk_do(&d, "P `~/rows.txt` <Enter> y");
	assert_int_equal(lines_of(in_home("rows.txt")), 1);
	desk_do(&d, "M-5 :`w ~/threads.jsonl` <Enter>");	/* of a table its rows */
	assert_int_equal(lines_of(in_home("threads.jsonl")), 2);
	assert_non_null(strstr(in_home("threads.jsonl"), "\"tid\":6"));
	desk_do(&d, ":`w ~/threads.jsonl` <Enter>");
	desk_need_bottom(&d, "replace it? (y/n)");
	desk_do(&d, "n :`save-session ~/session` <Enter>");
	assert_true(lines_of(in_home("session")) > 1);
	desk_do(&d, ":`save-session ~/session` <Enter>");
	desk_need_bottom(&d, "replace it? (y/n)");
	desk_do(&d, "n");
	desk_close(&d);
}

static void
test_e_opens_another_trace_and_reads_this_one_again(void **state)
{
	struct desk	d = desk_open(D, 24, 80, false, NULL);
	char		script[8192];

	(void)state;
	snprintf(script, sizeof script, "f `tid = 6` <Enter> M-5 :`e %s/%s` <Enter>",
	    getenv("srcdir") != NULL ? getenv("srcdir") : ".", DEMO);
	desk_do(&d, script);
	assert_non_null(strstr(memterm_line(d.m, 0), "demo.nettrace"));
	desk_need(&d, "10,854");
	assert_null(d.ui->v.filter.text);
	desk_do(&d, "G");
	assert_int_equal(d.ui->v.sel.row, 10853);
	desk_do(&d, ":`e /nowhere` <Enter>");
	desk_need_bottom(&d, "/nowhere");
	assert_non_null(strstr(memterm_line(d.m, 0), "demo.nettrace"));
	desk_do(&d, ":`e` <Enter>");
	desk_need_bottom(&d, "the file has not changed");
	desk_close(&d);
}

static void
test_a_number_is_a_row_and_a_percentage_a_part(void **state)
{
	struct desk	d = desk_open(DEMO, 24, 80, false, NULL);

	(void)state;
	desk_do(&d, ":`42` <Enter>");
	assert_int_equal(d.ui->v.sel.row, 42);
	desk_do(&d, ":`50%` <Enter>");
	assert_int_equal(d.ui->v.sel.row, 10854 / 2);
	desk_do(&d, "2 5 %");
	assert_int_equal(d.ui->v.sel.row, 10854 / 4);
	desk_do(&d, "1 0 0 %");
	assert_int_equal(d.ui->v.sel.row, 10853);
	desk_do(&d, "%");
	desk_need_bottom(&d, "type a percentage first");
	desk_do(&d, ":`101%` <Enter>");
	desk_need_bottom(&d, "type a percentage first");
	desk_do(&d, ":`99999` <Enter>");
	desk_need_bottom(&d, "the last row is 10853");
	desk_do(&d, ":`42x` <Enter>");
	desk_need_bottom(&d, "unknown command '42x'");
	desk_close(&d);
}

static void
test_words_that_are_short_for_several_commands_or_misspelt_say_which_are_meant(void **state)
{
	struct desk	d = desk_open(D, 24, 120, false, NULL);

	(void)state;
	desk_do(&d, ":`filter- x` <Enter>");
	desk_need_bottom(&d, "'filter-' is ambiguous: filter-add, filter-keep, filter-toggle, "
	    "filter-name, filter-delete");
	desk_do(&d, ":`fliter tid = 6` <Enter>");
	desk_need_bottom(&d, "unknown command 'fliter' (near: filter");
	desk_do(&d, ":`expor x` <Enter>");
	desk_need_bottom(&d, "'expor' is short for export; type it in full");
	desk_do(&d, ":`threa x` <Enter>");		/* nothing else begins so */
	desk_need(&d, "\xe2\x96\xb8 threads");
	desk_close(&d);
}

/* ---- the list above the prompt */

static void
test_what_stands_out_is_run_and_named_before_and_the_list_says_how_many_there_are(void **state)
{
	struct desk	d = desk_open(D, 24, 80, false, NULL);

	(void)state;
	desk_do(&d, ":`zo`");
	desk_need(&d, "Enter runs zoom-in");
	desk_need_bottom(&d, "1 of ");
	desk_do(&d, "<Down>");
	desk_need_bottom(&d, "2 of ");
	desk_need(&d, "Enter runs zoom-out");
	desk_do(&d, "C-n");
	desk_need(&d, "Enter runs zoom-in-far");
	desk_do(&d, "C-p <Up>");
	desk_need(&d, "Enter runs zoom-in");
	desk_do(&d, "C-n <Enter>");
	desk_need_bottom(&d, "the window is the whole trace");		/* zoom-out did */
	desk_do(&d, ":");
	desk_need_not(&d, "Enter runs");		/* nothing stands out yet */
	desk_do(&d, "<Enter>");
	assert_int_equal(d.ui->typing.prompt.kind, PROMPT_NONE);
	desk_do(&d, ":`thrds` <Enter>");
	desk_need(&d, "\xe2\x96\xb8 threads");
	desk_need_bottom(&d, ":threads");		/* what was run, which was not typed */
	desk_close(&d);
}

static void
test_tab_puts_one_word_after_the_other(void **state)
{
	struct desk	d = desk_open(D, 24, 80, false, NULL);

	(void)state;
	desk_do(&d, ":`filter-` <Tab>");
	assert_string_equal(buf_str(&d.ui->typing.prompt.text), "filter-add ");
	desk_do(&d, "<Tab>");
	assert_string_equal(buf_str(&d.ui->typing.prompt.text), "filter-keep ");
	desk_do(&d, "<Tab> <S-Tab>");
	assert_string_equal(buf_str(&d.ui->typing.prompt.text), "filter-keep ");
	desk_do(&d, "`tid = 6` <Enter> :`filters` <Enter>");
	desk_need(&d, "tid = 6");
	/* In a filter, too; Enter on a word of the list takes it, and the filter goes on. */
	desk_do(&d, "q f `provid`");
	desk_do(&d, "<Down> <Enter>");
	assert_int_equal(d.ui->typing.prompt.kind, PROMPT_FILTER);
	assert_string_equal(buf_str(&d.ui->typing.prompt.text), "provider ");
	desk_close(&d);
}

static void
test_alt_and_a_letter_edits_a_prompt_and_never_leaves_it(void **state)
{
	struct desk	d = desk_open(D, 24, 80, false, NULL);
	struct prompt	*p = &d.ui->typing.prompt;

	(void)state;
	desk_do(&d, "/`one two.three` M-b");
	assert_int_equal(p->at, 8);
	desk_do(&d, "M-b M-b");
	assert_int_equal(p->at, 0);
	desk_do(&d, "M-f");
	assert_int_equal(p->at, 3);
	desk_do(&d, "M-d");
	assert_string_equal(buf_str(&p->text), "one.three");
	desk_do(&d, "C-e C-w");
	assert_string_equal(buf_str(&p->text), "");
	for (char c = 'a'; c <= 'z'; c++) {
		char	key[] = { 'M', '-', c, '\0' };

		desk_do(&d, key);
		assert_int_equal(p->kind, PROMPT_SEARCH);
		key[2] = (char)(c - 'a' + 'A');
		desk_do(&d, key);
		assert_int_equal(p->kind, PROMPT_SEARCH);
	}
	desk_close(&d);
}

/* ---- places */

static void
test_times_are_seconds_parts_and_lengths_from_a_beginning(void **state)
{
	struct desk	d = desk_open(D, 24, 120, false, NULL);
	struct view	*v = &d.ui->v;

	(void)state;
	desk_do(&d, "@`0.004` <Enter>");
	assert_int_equal(v->sel.row, 2);
	desk_do(&d, "@`50%` <Enter>");		/* of 1 to 5 ms: 3 ms, the next is at 4 */
	assert_int_equal(v->sel.row, 2);
	desk_do(&d, "@`0%` <Enter>");
	assert_int_equal(v->sel.row, 0);
	desk_do(&d, "@`2ms..+2500us` <Enter>");	/* 2 to 4.5 ms */
	assert_int_equal(view_count(v), 2);
	assert_int_equal(v->sel.row, 1);
	desk_do(&d, "0 G @`1ms..3ms` <Enter>");
	assert_int_equal(v->sel.row, 0);	/* the window's first event, not the nearest */
	desk_do(&d, "3 G");
	desk_need_bottom(&d, "row 3 is after this window: at its last event (0 shows the whole");
	assert_int_equal(v->sel.row, 1);
	desk_do(&d, "0 @`25%..75%` <Enter>");	/* 2 to 4 ms, without its end */
	assert_int_equal(view_count(v), 1);
	desk_do(&d, "0 @`9s` <Enter>");
	desk_need_bottom(&d, "9.000 000 s is past the end; at the last event");
	desk_do(&d, "@`soon` <Enter>");
	desk_need(&d, "not a time: \"soon\"");
	desk_do(&d, "<Esc> @`50x%` <Enter>");
	desk_need(&d, "not a time: \"50x%\"");
	desk_close(&d);
}

static void
test_a_row_that_the_filter_hides_says_so(void **state)
{
	struct desk	d = desk_open(D, 24, 100, false, NULL);

	(void)state;
	desk_do(&d, "f `tid = 6` <Enter> 0 1 G");
	desk_need_bottom(&d, "row 1 is hidden by the filter");
	assert_int_equal(d.ui->v.sel.row, 2);
	desk_close(&d);
}

/* ---- history */

static void
test_the_ends_of_the_history_say_so(void **state)
{
	struct desk	d = desk_open(D, 24, 80, false, NULL);

	(void)state;
	desk_do(&d, "[");
	desk_need_bottom(&d, "nothing to go back to");
	desk_do(&d, "]");
	desk_need_bottom(&d, "nothing to go forward to");
	desk_do(&d, "G [");
	assert_int_equal(d.ui->v.sel.row, 0);
	desk_do(&d, "[");
	desk_need_bottom(&d, "nothing to go back to");
	desk_do(&d, "] ]");
	assert_int_equal(d.ui->v.sel.row, 3);
	desk_need_bottom(&d, "nothing to go forward to");
	desk_close(&d);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_vim_s_ways_out_quit),
		cmocka_unit_test(
		    test_w_writes_what_is_listed_into_the_home_and_asks_before_it_replaces),
		cmocka_unit_test(test_e_opens_another_trace_and_reads_this_one_again),
		cmocka_unit_test(test_a_number_is_a_row_and_a_percentage_a_part),
		cmocka_unit_test(
		    test_words_that_are_short_for_several_commands_or_misspelt_say_which_are_meant),
		cmocka_unit_test(
		    test_what_stands_out_is_run_and_named_before_and_the_list_says_how_many_there_are),
		cmocka_unit_test(test_tab_puts_one_word_after_the_other),
		cmocka_unit_test(test_alt_and_a_letter_edits_a_prompt_and_never_leaves_it),
		cmocka_unit_test(test_times_are_seconds_parts_and_lengths_from_a_beginning),
		cmocka_unit_test(test_a_row_that_the_filter_hides_says_so),
		cmocka_unit_test(test_the_ends_of_the_history_say_so),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

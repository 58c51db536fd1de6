/*
 * What outlives a moment: settings, sessions, state of a trace, the list of filters, what was
 * typed before, what is copied and exported.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "../support/desk.h"
#include "../support/hostile.h"
#include "../support/test.h"
#include "app/export.h"
#include "tnav/base/text.h"
#include "tnav/engine/field.h"
#include "tnav/io/file.h"
#include "ui/command/commands.h"
#include "ui/state/keep.h"
#include "ui/state/rc.h"
#include "ui/state/state.h"

#define D	"tests/data/features/v4-dropped-events.nettrace"
#define DEMO	"tests/data/demo.nettrace"

static const struct ui_options	keeping = { .state = true, .export = &app_export };

/* ---- a folder for the user's files */

static char	folder[] = "tnav-session-XXXXXX";

static int
make_folder(void)
{
	char	here[4096];

	if (mkdtemp(folder) == NULL || getcwd(here, sizeof here) == NULL)
		return -1;
	strncat(here, "/", sizeof here - strlen(here) - 1);
	strncat(here, folder, sizeof here - strlen(here) - 1);
	setenv("XDG_STATE_HOME", here, 1);
	setenv("XDG_CONFIG_HOME", here, 1);
	setenv("XDG_RUNTIME_DIR", here, 1);
	unsetenv("TNAV_NO_STATE");
	return 0;
}

static const char *
in_folder(const char *name)
{
	static char	path[8192];

	snprintf(path, sizeof path, "%s/%s", getenv("XDG_STATE_HOME"), name);
	return path;
}

static int
remove_folder(void)
{
	return test_remove(getenv("XDG_STATE_HOME"));
}

static void
write_text(const char *path, const char *text)
{
	FILE	*f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void
write_rc(const char *text)
{
	(void)mkdir(in_folder("tnav"), 0700);
	write_text(in_folder("tnav/tnavrc"), text);
}

static void
read_text(const char *path, struct buf *out)
{
	assert_true(rc_read(path, out));
}

/* The output of a command. */
static void
run(const char *command, struct buf *out)
{
	FILE	*f = popen(command, "r");
	size_t	 n;

	assert_non_null(f);
	do {
		n = fread(buf_room(out, 4096), 1, 4096, f);
		out->len += n;
	} while (n > 0);
	assert_int_equal(pclose(f), 0);
}

static size_t
lines_of(struct buf *b)
{
	size_t	n = 0;

	for (size_t i = 0; i < b->len; i++)
		n += b->p[i] == '\n';
	return n;
}

static void
save_session(struct desk *d, const char *path)
{
	struct buf	*line = test_buf();

	buf_printf(line, "save-session %s", path);
	assert_true(ui_command(d->ui, buf_str(line)));
	d->ui->screen.dirty = true;
	desk_rest(d);
}

/* ---- tnavrc */

TEST(settings_bind_keys_and_a_wrong_line_is_told_and_left_out)
{
	struct desk	d;

	write_rc("# mine\nbind events <F6> filter tid = 6\nnonsense\nbind all Z row 3\n"
	    "unbind events j\nset time-format ticks\n");
	d = desk_open(D, 24, 80, false, &keeping);
	desk_need(&d, "tnavrc:3: unknown command 'nonsense'");
	assert_int_equal(d.ui->v.display.time_format, TIME_TICKS);
	desk_try(&d, "Z", "row 3");
	desk_try(&d, "j", "j has no use here");
	desk_try(&d, "<F6>", "f: tid = 6");
	desk_try(&d, "?", "F6 f F4");	/* the help is of the keys as they are */
	desk_close(&d);
	write_rc("");
}

TEST(every_wrong_line_of_the_settings_stays_among_the_messages)
{
	struct desk	d;

	write_rc("zorn\nset time-format ticks\n\nset time-format never\nbind events noise j\n");
	d = desk_open(D, 24, 100, false, &keeping);
	desk_need_bottom(&d, "tnavrc:1: unknown command 'zorn'");
	desk_need_bottom(&d, "(2 more: :messages)");
	desk_try(&d, ":`messages` <Enter>", "tnavrc:1: ", "tnavrc:4: time formats are");
	desk_need(&d, "not a key: \"noise\"", "3 messages");
	desk_close(&d);
	write_rc("");
}

/* Whatever is refused when it is typed is wrong in a file, too. */
TEST(every_command_that_is_refused_is_told_with_its_line)
{
	static const char *const	refused[] = {
		"filter tid =", "filter-add (", "filter-keep (", "search (", "color nothing",
		"columns zorn", "time-format never", "theme pink", "set theme pink",
		"set colour red", "mouse perhaps", "collapse perhaps", "blocks perhaps",
		"color-threads perhaps", "pane nowhere", "layout round", "row many", "part many",
		"time soon", "time 9ms..3ms", "tally Zorn", "stats Zorn", "histogram Zorn",
		"top Zorn", "fold (", "unfold zorn", "weight zorn", "bind events noise j",
		"unbind nowhere j", "go-mark ?", "at many", "mark-at many", "window-ticks many",
		"tour 99", "follow perhaps", "expor x", "zorn",
	};
	struct buf	*text = test_buf();
	struct desk	 d;
	char		 line[32];

	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		buf_printf(text, "# and now\n%s\n", refused[i]);
	write_rc(buf_str(text));
	d = desk_open(D, 100, 100, false, &keeping);
	desk_do(&d, ":`messages` <Enter>");
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		(void)snprintf(line, sizeof line, "tnavrc:%zu: ", 2 * i + 2);
		if (!desk_shows(&d, line))
			fail_msg("not told of: %s\n%s", refused[i], memterm_text(d.m));
	}
	desk_close(&d);
	write_rc("");
}

DESK_TEST_WITH(a_restored_position_is_announced, D, 24, 120, &keeping)
{
	desk_do(d, "G");
	keep_save(d->ui);
	desk_reopen(d, D, 24, 120, false, &keeping);
	desk_need(d, "row 3", "[restored position: g goes to the first row]");
	desk_try_not(d, "g", "restored");
	keep_save(d->ui);
	desk_reopen(d, D, 24, 120, false, &keeping);
	desk_need_not(d, "restored");
}

DESK_TEST(a_setting_that_is_none_changes_nothing, D, 24, 80)
{
	static const char *const	lines[] = {
		"bind", "bind events", "bind nowhere a quit", "bind events <Nope> quit",
		"bind events a", "bind events a nonsense", "set", "set x y", "set ascii perhaps",
		"set esc-delay soon", "color", "unbind", "filter-toggle 9", "at x", "window-ticks 2 1",
	};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		size_t	n = d->ui->keymap.n;

		(void)ui_command(d->ui, lines[i]);
		assert_int_equal(d->ui->keymap.n, n);
		assert_true(d->ui->v.message.len > 0);
		assert_false(d->ui->quit);
	}
}

/* ---- state of a trace */

TEST(filter_window_position_and_marks_come_back)
{
	struct desk	 d = desk_open(D, 24, 100, false, &keeping);
	struct stat	 st;
	struct buf	*name = test_buf();

	desk_do(&d, "@`1.5ms..6ms` <Enter> f `tid = 5` <Enter>");
	desk_do(&d, "G m a");
	keep_save(d.ui);
	desk_close(&d);

	d = desk_open(D, 24, 100, false, &keeping);
	desk_need(&d, "restored filter (X) and window (0)", "2 of 4", "row 3");
	desk_try_not(&d, "X 0", "restored");
	desk_try(&d, "g ' a", "mark a at", "row 3");

	/* It is the user's alone. */
	run("ls \"$XDG_STATE_HOME\"/tnav/*.tnav", name);
	name->p[name->len - 1] = '\0';
	assert_int_equal(stat(name->p, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	/* A link in its place is neither read nor written through. */
	assert_int_equal(unlink(name->p), 0);
	write_text(in_folder("elsewhere"), "filter tid = 6\n");
	assert_int_equal(symlink(in_folder("elsewhere"), name->p), 0);
	keep_save(d.ui);
	desk_reopen(&d, D, 24, 100, false, &keeping);
	desk_need_not(&d, "tid = 6");
	buf_clear(name);
	read_text(in_folder("elsewhere"), name);
	assert_string_equal(buf_str(name), "filter tid = 6\n");
}

TEST(state_is_of_the_file_not_of_its_name_and_can_be_switched_off)
{
	struct desk	 d = desk_open(D, 24, 100, false, &keeping);
	struct buf	*out = test_buf();

	desk_do(&d, ":`filter tid = 6` <Enter>");
	keep_save(d.ui);
	run("cp \"${srcdir:-.}\"/" D " \"$XDG_STATE_HOME\"/copy", out);
	desk_reopen(&d, in_folder("copy"), 24, 100, false, &keeping);
	desk_need(&d, "f: tid = 6");
	desk_reopen(&d, DEMO, 24, 100, false, &keeping);
	desk_need_not(&d, "restored");
	desk_close(&d);
	setenv("TNAV_NO_STATE", "1", 1);
	d = desk_open(D, 24, 100, false, &keeping);
	desk_need_not(&d, "f: tid = 6");
	desk_close(&d);
	unsetenv("TNAV_NO_STATE");
}

DESK_TEST(a_saved_session_is_a_script_that_brings_it_back, DEMO, 24, 100)
{
	struct ui_options	o = { .script_file = in_folder("s.tnav") };
	uint64_t		row, n;

	desk_do(d, "5 0 0 G w w :`filter name ~ GC` <Enter> :`filter-keep tid = 1` <Enter> j j");
	row = d->ui->v.sel.row;
	n = view_count(&d->ui->v);
	save_session(d, o.script_file);
	desk_need(d, "saved to");
	desk_reopen(d, DEMO, 24, 100, false, &o);
	assert_int_equal(d->ui->v.sel.row, row);
	assert_int_equal(view_count(&d->ui->v), n);
	assert_int_equal(d->ui->v.filter.n, 2);
	assert_false(d->ui->v.filter.item[1].on);
}

TEST(hostile_state_is_no_more_than_a_message)
{
	static const char	bad[] = "\033]52;c;AAAA\a\nfilter (((\nwindow-ticks 9 9 9 9\n"
				    "at -1 -1\nfilter-name \nmark-at\nrow 99999999999999999999\n";
	struct desk		d = desk_open(D, 24, 100, false, NULL);	/* memterm looks */

	rc_run(d.ui, "state", bad);
	desk_rest(&d);
	desk_do(&d, "j");
	assert_false(d.ui->quit);
}

/* ---- what may be written */

static bool
same_text(const char *path, const char *want)
{
	struct buf	*b = test_buf();
	bool		 same;

	read_text(path, b);
	same = strcmp(buf_str(b), want) == 0;
	return same;
}

DESK_TEST_WITH(a_file_is_replaced_only_after_a_yes, D, 24, 100, &keeping)
{
	static const char *const	commands[] = { "save-session", "export" };
	const char	*path = in_folder("asked");
	struct buf	*line = test_buf();

	for (size_t i = 0; i < 2; i++) {
		buf_clear(line);
		buf_printf(line, "%s %s", commands[i], path);
		write_text(path, "old");
		for (int k = 0; k < 5; k++) {
			static const char *const	no[] = { "n", "<Esc>", "<Enter>", "j", "N" };

			assert_true(ui_command(d->ui, buf_str(line)));
			desk_rest(d);
			desk_need(d, "replace it? (y/n)");
			desk_try(d, no[k], "nothing was written");
			assert_true(same_text(path, "old"));
		}
		/* A pasted y is no answer. */
		assert_true(ui_command(d->ui, buf_str(line)));
		memterm_paste(d->m, "y");
		desk_rest(d);
		desk_need_not(d, "(y/n)");
		desk_do(d, "y <Esc>");
		assert_true(same_text(path, "old"));
		assert_true(ui_command(d->ui, buf_str(line)));
		desk_try(d, "y", i == 0 ? "saved to" : "written to");
		assert_false(same_text(path, "old"));
	}
}

TEST(the_trace_and_what_is_no_file_are_never_written)
{
	static const char *const	commands[] = { "save-session", "export", "export -f" };
	const char	*names[] = { "trace", "link", "hard", "tnav", "fifo",
					    "/dev/null", "/dev/tty" };
	struct stat	 before, after;
	struct buf	*out = test_buf(), *line = test_buf();
	struct desk	 d;

	run("mkdir -p \"$XDG_STATE_HOME\"/tnav && cp \"${srcdir:-.}\"/" D
	    " \"$XDG_STATE_HOME\"/trace && cd \"$XDG_STATE_HOME\" && ln -s trace link && "
	    "ln trace hard && mkfifo fifo", out);
	d = desk_open(in_folder("trace"), 24, 200, false, &keeping);
	assert_int_equal(stat(in_folder("trace"), &before), 0);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
			buf_clear(line);
			buf_printf(line, "%s %s", commands[k],
			    names[i][0] == '/' ? names[i] : in_folder(names[i]));
			assert_true(ui_command(d.ui, buf_str(line)));
			if (strstr(buf_str(&d.ui->v.message), "cannot write ") == NULL)
				fail_msg("%s: %s", buf_str(line), buf_str(&d.ui->v.message));
			desk_do(&d, "y <Esc>");
		}
	}
	assert_int_equal(stat(in_folder("trace"), &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_int_equal(before.st_size, after.st_size);
	assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
}

TEST(a_script_waits_for_the_answer)
{
	struct ui_options	 o = { .export = &app_export };
	struct buf		*script = test_buf();
	struct desk		 d;

	write_text(in_folder("asked"), "old");
	buf_printf(script, "save-session %s ; row 2 ; details", in_folder("asked"));
	o.script = buf_str(script);
	d = desk_open(D, 24, 100, false, &o);
	desk_need(&d, "replace it? (y/n)");
	assert_int_equal(d.ui->v.sel.row, 0);
	desk_try(&d, "n", "row 2");
	assert_true(same_text(in_folder("asked"), "old"));
}

/* ---- the list of filters */

DESK_TEST(an_expression_is_parted_where_its_top_level_has_and, D, 24, 100)
{
	static const struct { const char *text; size_t terms; } cases[] = {
		{ "tid = 5", 1 }, { "tid = 5 and n = 5", 2 }, { "tid = 5 or n = 5", 1 },
		{ "(tid = 5 or tid = 6) and n = 5", 2 }, { "tid = 5 and not (n = 5 and n = 1)", 2 },
		{ "name ~ \"a and b\" and tid = 5", 2 }, { "/a and b/ and tid = 5", 2 },
		{ "tid = 5 and tid = 5 or n = 1", 1 }, { "tid = 5  and  tid > 1 and n = 1", 3 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_true(view_set_filter(&d->ui->v, NULL));
		assert_int_equal(d->ui->v.filter.n, 0);
		assert_true(view_set_filter(&d->ui->v, cases[i].text));
		if (d->ui->v.filter.n != cases[i].terms)
			fail_msg("%s: %zu terms", cases[i].text, d->ui->v.filter.n);
	}
}

/* ---- prompts */

TEST(pinned_lanes_and_the_layout_come_back)
{
	struct desk	 d = desk_open(D, 24, 100, false, &keeping);
	struct buf	*script = test_buf();

	desk_try(&d, "X 0 M-1 j j p k k :`layout wide` <Enter>", "*");
	state_write(d.ui, script);
	assert_non_null(strstr(buf_str(script), "pin-lane tid=6\n"));
	keep_save(d.ui);
	desk_reopen(&d, D, 24, 100, false, &keeping);
	desk_need(&d, "\xe2\x94\x80 details");		/* beside the events, as wide has it */
	desk_do(&d, "M-1");
	assert_true(memterm_find(d.m, "*") > 0);
	assert_true(memterm_find(d.m, "*") == memterm_find(d.m, "6      "));
	desk_try_not(&d, ":`pin-lane tid=6` <Enter> :`layout auto` <Enter>", "*");
	desk_try(&d, ":`pin-lane 6` <Enter>", "usage: pin-lane");
	keep_save(d.ui);
}

/* ---- copy and export */

TEST(copies_are_what_dump_prints)
{
	struct ui_options	o = { .export = &app_export };
	struct desk		d = desk_open(D, 24, 100, false, &o);

	desk_do(&d, "j y j");
	assert_non_null(strstr(memterm_copied(d.m), "{\"row\":1,"));
	assert_non_null(strstr(memterm_copied(d.m), "\"payload\":{\"n\":5}"));
	desk_do(&d, "y y");
	assert_non_null(strstr(memterm_copied(d.m), "n=5"));
	desk_do(&d, "y t");
	assert_string_equal(memterm_copied(d.m), "0.002000000s");
}

DESK_TEST(what_is_too_long_for_the_clipboard_goes_to_a_file, D, 24, 200)
{
	struct buf	*text = test_buf(), *path = test_buf(), *back = test_buf();
	const char	*at;

	for (unsigned i = 0; i <= MEMTERM_COPY_MAX; i++)
		buf_putc(text, 'x');
	copy_text(d->ui, "row", "", text);
	at = strstr(buf_str(&d->ui->v.message), "saved to ");
	assert_non_null(at);
	buf_puts(path, at + strlen("saved to "));
	assert_true(strncmp((char *)buf_str(path), getenv("XDG_RUNTIME_DIR"), strlen(getenv("XDG_RUNTIME_DIR"))) ==
	    0);
	read_text(buf_str(path), back);
	assert_int_equal(back->len, text->len);
}

DESK_TEST(the_copied_command_line_prints_the_rows_of_the_list, DEMO, 24, 100)
{
	static const char *const	scripts[] = {
		"", "w w", "f `name ~ 'GC/St'` <Enter>", "f `Reason = 1 and tid != 12` <Enter> w",
		"5 0 0 G W W f `provider ~ \"Run'*time$\"` <Enter>", "f `/it's/` <Enter>",
	};
	const char	*tnav = getenv("TNAV");
	struct buf	*command = test_buf(), *out = test_buf();

	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
		desk_do(d, "0");
		assert_true(view_set_filter(&d->ui->v, NULL));
		desk_do(d, scripts[i]);
		desk_do(d, "y c");
		assert_true(strncmp(memterm_copied(d->m), "tnav dump", 9) == 0);
		buf_clear(command);
		buf_printf(command, "%s%s", tnav != NULL ? tnav : "./tnav",
		    memterm_copied(d->m) + strlen("tnav"));
		buf_clear(out);
		run(buf_str(command), out);
		if (lines_of(out) != view_count(&d->ui->v))
			fail_msg("%s: %zu lines, %llu rows", buf_str(command), lines_of(out),
			    (unsigned long long)view_count(&d->ui->v));
	}
}

/* No character of it is taken for more than text by a terminal or a line editor. */
static void
need_harmless(const char *s)
{
	const uint8_t	*p = (const uint8_t *)s, *end = p + strlen(s);
	int32_t		 cp;

	while (p < end) {
		p += text_decode(p, end, &cp);
		if (cp < ' ' || (cp >= 0x7f && cp < 0xa0) || (cp >= 0x200b && cp <= 0x200f) ||
		    (cp >= 0x2028 && cp <= 0x202e) || (cp >= 0x2060 && cp <= 0x206f))
			fail_msg("U+%04X is in the copied text", (unsigned)cp);
	}
}

/* The words that bash makes of a command line, each in brackets. */
static void
words_of(const char *line, struct buf *out)
{
	struct buf	*script = test_buf(), *command = test_buf();

	buf_printf(script, "tnav() { printf '[%%s]' \"$@\"; }\n%s\n", line);
	write_text(in_folder("line"), buf_str(script));
	buf_printf(command, "bash '%s'", in_folder("line"));
	run(buf_str(command), out);
}

TEST(a_copied_command_line_is_one_and_holds_every_byte)
{
	struct desk	 d = desk_open(D, 24, 100, false, &keeping);
	struct buf	*text = test_buf(), *expr = test_buf();
	struct buf	*want = test_buf(), *is = test_buf();

	for (size_t n = 0; n < hostile_count(); n++) {
		buf_clear(text);
		buf_clear(expr);
		buf_clear(want);
		buf_clear(is);
		hostile_text(n, text);
		buf_puts(expr, "name != ");
		if (!filter_quote(expr, buf_str(text), strlen(buf_str(text))))
			continue;
		if (!view_set_filter(&d.ui->v, buf_str(expr)))
			continue;
		desk_do(&d, "y c");
		need_harmless(memterm_copied(d.m));
		buf_printf(want, "[dump][-f][%s][%s]", buf_str(expr), trace_path(d.t));
		words_of(memterm_copied(d.m), is);
		assert_string_equal(buf_str(is), buf_str(want));
	}
	assert_int_not_equal(access("tnav-pwned", F_OK), 0);
}

TEST(a_copied_field_has_no_controls_unless_asked)
{
	struct buf	trace = { 0 }, path = { 0 }, line = { 0 };
	struct desk	d;
	bool		raw = false;

	hostile_v6(&trace);
	hostile_write(&trace, &path);
	d = desk_open(buf_str(&path), 30, 100, false, &keeping);
	for (size_t n = 0; n < hostile_count(); n++) {
		buf_clear(&line);
		buf_printf(&line, "row %zu", n);
		assert_true(ui_command(d.ui, buf_str(&line)));
		desk_do(&d, "M-3 g");
		for (int i = 0; i < 12; i++) {
			desk_do(&d, "j y f");
			need_harmless(memterm_copied(d.m));
			desk_do(&d, "y F");
			raw |= strchr(memterm_copied(d.m), '\033') != NULL &&
			    strstr(buf_str(&d.ui->v.message), "pasting it may run") != NULL;
		}
		desk_do(&d, "M-2 y c");		/* the file's name is hostile, too */
		need_harmless(memterm_copied(d.m));
	}
	assert_true(raw);
	desk_close(&d);
	hostile_remove(&path);
	buf_release(&trace);
	buf_release(&line);
}

TEST(export_and_pipe_write_the_filtered_rows)
{
	struct ui_options	 o = { .export = &app_export };
	struct desk		 d = desk_open(DEMO, 24, 120, false, &o);
	struct buf		*keys = test_buf(), *out = test_buf();
	uint64_t		 n;

	desk_do(&d, "f `name = GC/Start` <Enter>");
	n = view_count(&d.ui->v);
	assert_true(n > 10);
	buf_printf(keys, "P `%s` <Enter>", in_folder("x.jsonl"));
	desk_try(&d, buf_str(keys), " rows (");
	read_text(in_folder("x.jsonl"), out);
	assert_int_equal(lines_of(out), n);
	assert_true(strncmp(out->p, "{\"row\":", 7) == 0);
	desk_try(&d, buf_str(keys), "exists");
	desk_do(&d, "<Esc>");
	buf_clear(keys);
	buf_printf(keys, "P `%s` <Enter>", in_folder("x.csv"));
	desk_do(&d, buf_str(keys));
	buf_clear(out);
	read_text(in_folder("x.csv"), out);
	assert_int_equal(lines_of(out), n + 1);
	buf_clear(keys);
	buf_printf(keys, "| `cat > '%s'` <Enter>", in_folder("piped"));
	desk_try(&d, buf_str(keys), "rows piped");
	buf_clear(out);
	read_text(in_folder("piped"), out);
	assert_int_equal(lines_of(out), n);
	desk_do(&d, "X | `exit 3` <Enter>");	/* it reads nothing, and that is no harm */
	desk_need(&d, "exited with code 3");
}

TEST(cut_writes_the_filtered_events_of_the_window_as_a_trace)
{
	struct ui_options	 o = { .export = &app_export };
	struct desk		 d = desk_open(DEMO, 24, 120, false, &o), part;
	struct buf		*keys = test_buf();
	uint64_t		 n;

	desk_do(&d, "f `name = GC/Start` <Enter>");
	n = view_count(&d.ui->v);
	assert_true(n > 10);
	buf_printf(keys, ":`cut %s` <Enter>", in_folder("part"));
	desk_try(&d, buf_str(keys), " events, 1 more for names (");
	desk_try(&d, buf_str(keys), "exists");
	desk_do(&d, "<Esc>");
	part = desk_open(in_folder("part.nettrace"), 24, 120, false, &o);
	desk_do(&part, "f `name = GC/Start` <Enter>");
	assert_int_equal(view_count(&part.ui->v), n);
}

/* Is the text in the file, as UTF-16? */
static bool
has_text(const char *path, const char *text)
{
	struct buf	*wide = test_buf(), *file = test_buf();

	for (const char *p = text; *p != '\0'; p++) {
		buf_putc(wide, *p);
		buf_putc(wide, '\0');
	}
	assert_true(file_read(path, 0, 64u << 20, file) >= 0);
	return memmem(file->p, file->len, wide->p, wide->len) != NULL;
}

TEST(redact_writes_what_cut_writes_without_its_texts)
{
	struct ui_options	 o = { .export = &app_export };
	struct desk		 d = desk_open(DEMO, 24, 120, false, &o), part;
	struct buf		*keys = test_buf();
	uint64_t		 n = view_count(&d.ui->v);

	buf_printf(keys, ":`redact %s` <Enter>", in_folder("red"));
	desk_try(&d, buf_str(keys), " texts redacted (");
	assert_false(has_text(in_folder("red.nettrace"), "demo.dll"));
	buf_clear(keys);
	buf_printf(keys, ":`cut %s` <Enter>", in_folder("whole"));
	desk_try(&d, buf_str(keys), " events (");
	assert_true(has_text(in_folder("whole.nettrace"), "demo.dll"));
	part = desk_open(in_folder("red.nettrace"), 24, 120, false, &o);
	assert_int_equal(view_count(&part.ui->v), n);
}

TEST(an_export_asked_for_too_early_begins_when_all_is_read)
{
	struct ui_options	 o = { .export = &app_export };
	struct desk		 d = desk_open(DEMO, 24, 120, false, &o);
	struct buf		*out = test_buf();

	desk_do(&d, "f `name = GC/Start` <Enter>");
	d.ui->v.complete = false;		/* as if the file were still being read */
	assert_true(export_start(d.ui, in_folder("early.jsonl"), false));
	assert_non_null(strstr(buf_str(&d.ui->v.message), "starts once the trace is indexed"));
	assert_null(d.ui->export);
	desk_rest(&d);				/* the next look at the index finds it whole */
	desk_need(&d, " rows (");
	read_text(in_folder("early.jsonl"), out);
	assert_int_equal(lines_of(out), view_count(&d.ui->v));
	d.ui->v.complete = false;
	assert_true(export_start(d.ui, in_folder("never.jsonl"), false));
	ui_key(d.ui, TK_ESC);
	desk_rest(&d);
	assert_int_not_equal(access(in_folder("never.jsonl"), F_OK), 0);
}

TEST(a_redacted_trace_that_waits_stays_redacted_beside_other_exports)
{
	struct ui_options	 o = { .export = &app_export };
	struct desk		 d = desk_open(DEMO, 24, 120, false, &o);

	desk_do(&d, "M-5");
	d.ui->v.complete = false;		/* as if the file were still being read */
	assert_true(export_cut(d.ui, in_folder("waits"), true));
	assert_true(export_start(d.ui, in_folder("threads.csv"), false));
	assert_int_equal(access(in_folder("threads.csv"), F_OK), 0);
	desk_rest(&d);
	desk_need(&d, " texts redacted (");
	assert_false(has_text(in_folder("waits.nettrace"), "demo.dll"));
}

TEST(esc_ends_an_export_and_leaves_nothing_behind)
{
	struct ui_options	 o = { .export = &app_export };
	struct desk		 d = desk_open(DEMO, 24, 120, false, &o);
	struct buf		*before = test_buf(), *after = test_buf();

	run("ls -A \"$XDG_STATE_HOME\"", before);
	assert_true(export_start(d.ui, in_folder("stopped.jsonl"), false));
	export_step(d.ui, 1);			/* the first rows and no more */
	assert_non_null(d.ui->export);
	assert_false(export_start(d.ui, in_folder("second.jsonl"), false));
	assert_true(ui_command(d.ui, "reread"));	/* what is written is of this trace */
	assert_non_null(strstr(buf_str(&d.ui->v.message), "an export is running"));
	desk_do(&d, "<Esc>");
	assert_null(d.ui->export);
	desk_need(&d, "stopped: nothing was written");
	run("ls -A \"$XDG_STATE_HOME\"", after);
	assert_string_equal(buf_str(after), buf_str(before));
	/* The next one goes through. */
	assert_true(export_start(d.ui, in_folder("stopped.jsonl"), false));
	desk_rest(&d);
	desk_need(&d, "10,854 rows (");
	/* Left meanwhile, it leaves nothing either. */
	buf_clear(before);
	buf_clear(after);
	run("ls -A \"$XDG_STATE_HOME\"", before);
	assert_true(export_start(d.ui, in_folder("left.jsonl"), false));
	export_step(d.ui, 1);
	assert_non_null(d.ui->export);
	desk_close(&d);
	run("ls -A \"$XDG_STATE_HOME\"", after);
	assert_string_equal(buf_str(after), buf_str(before));
}

/* ---- reading again */

TEST(a_file_that_has_changed_is_read_again_with_the_view_kept)
{
	struct buf	*out = test_buf();
	struct desk	 d;
	uint64_t	 rows;

	run("head -c 300000 \"${srcdir:-.}\"/" DEMO " >\"$XDG_STATE_HOME\"/grows", out);
	d = desk_open(in_folder("grows"), 24, 120, false, NULL);
	rows = trace_rows(d.ui->v.t);
	desk_do(&d, "f `name = GC/Start` <Enter> G");
	run("cat \"${srcdir:-.}\"/" DEMO " >\"$XDG_STATE_HOME\"/grows", out);
	d.ui->opt.reopen = &(struct trace_options){ .input_format = "heph" };
	desk_try(&d, "R", "cannot read the file again");	/* as another format */
	d.ui->opt.reopen = &(struct trace_options){ .workers = 1 };
	desk_try(&d, "R", "reloaded", "f: name = GC/Start");
	assert_true(trace_rows(d.ui->v.t) > rows);
	desk_try(&d, "R", "the file has not changed");
	desk_close(&d);
}

GROUP(make_folder, remove_folder)

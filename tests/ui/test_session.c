/*
 * What outlives a moment, where a script of tests/golden/screens cannot show it: hostile texts that are
 * copied, exports that wait or are stopped.
 */
#include <unistd.h>

#include "../support/desk.h"
#include "../support/hostile.h"
#include "../support/test.h"
#include "app/export.h"
#include "tnav/base/text.h"
#include "tnav/engine/field.h"
#include "tnav/io/file.h"
#include "ui/command/commands.h"
#include "ui/state/rc.h"

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

/* ---- settings */

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

/* ---- copy and export */

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
	assert_true(rc_read(buf_str(path), back));
	assert_int_equal(back->len, text->len);
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
	struct buf	*script = test_buf();

	buf_printf(script, "tnav() { printf '[%%s]' \"$@\"; }\n%s\n", line);
	assert_int_equal(setenv("SCRIPT", buf_str(script), 1), 0);
	run("bash -c \"$SCRIPT\"", out);
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
	assert_true(rc_read(in_folder("early.jsonl"), out));
	assert_int_equal(lines_of(out), view_count(&d.ui->v));
	d.ui->v.complete = false;
	assert_true(export_start(d.ui, in_folder("never.jsonl"), false));
	ui_key(d.ui, TK_ESC);
	desk_rest(&d);
	assert_int_not_equal(access(in_folder("never.jsonl"), F_OK), 0);
}

TEST(a_redacted_trace_that_waits_stays_redacted_beside_other_exports)
{
	static const char	 name[] = "d\0e\0m\0o\0.\0d\0l\0l";		/* UTF-16 */
	struct ui_options	 o = { .export = &app_export };
	struct desk		 d = desk_open(DEMO, 24, 120, false, &o);
	struct buf		*file = test_buf();

	desk_do(&d, "M-5");
	d.ui->v.complete = false;		/* as if the file were still being read */
	assert_true(export_cut(d.ui, in_folder("waits"), true));
	assert_true(export_start(d.ui, in_folder("threads.csv"), false));
	assert_int_equal(access(in_folder("threads.csv"), F_OK), 0);
	desk_rest(&d);
	desk_need(&d, " texts redacted (");
	assert_true(file_read(in_folder("waits.nettrace"), 0, 64u << 20, file) >= 0);
	assert_null(memmem(file->p, file->len, name, sizeof name));
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

GROUP(make_folder, remove_folder)

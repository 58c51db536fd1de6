/*
 * Whole screens, with their colours and marks, as tests/golden/screens has them.
 *
 *	test_screens             compare
 *	test_screens --update    write them anew (then read the difference before committing it)
 *
 * TNAV_SCREENS=NAME: only the files whose name contains it.
 * A file there is a script, and what each of its lines changes on the screen stands below it:
 *
 *	open ROWS COLS [ascii] TRACE	trace of tests/data; A + B: two as one list
 *	> KEYS				as desk_do() takes them, one after the other
 *	& KEYS				likewise, but what comes of them is looked at later
 *	paste TEXT
 *	press|drag|release Y X		of the first button
 *	wheel Y X STEPS
 *	resize ROWS COLS
 *	with state | NAME VALUE		an option of the next viewer: struct ui_options
 *	env NAME=VALUE
 *	sh COMMAND			in the folder, which is also the user's home; $COPIED is there
 *	wait TEXT | N bytes		until the screen has it, or so much of the file is shown
 *
 *	| 5 text			row 5 of the screen
 *	~ 5 T80				its colours, by runs of cells: a letter, marks, how many
 *	@ 23 7				where the cursor is
 *	= text				what was copied
 *	! quit				the viewer has ended; one with a state has saved it
 *	$ text				what the command has printed
 */
#define OWN_MAIN
#include <dirent.h>
#include <unistd.h>

#include "../support/desk.h"
#include "../support/frame_check.h"
#include "../support/test.h"
#include "app/export.h"
#include "tnav/base/mem.h"
#include "ui/follow.h"
#include "ui/state/keep.h"

#define FOLDER	"tests/golden/screens"
#define ROWS_MAX	60
#define TURNS	60000
#define SHOWN	"|~@=!$"	/* how lines begin that say what is on the screen */

static struct ui_options		options = { .export = &app_export };	/* of the next viewer */
static const char		letters[] = ".dsTtfkxmhebi+-uvgweRGYBMC";
static char			folder[] = "/tmp/tnav-screens-XXXXXX";	/* of unpacked traces */
static bool			update;

/* Paths are on the screen too, so they are below a folder of its own. */
static int
make_folder(void)
{
	static const char *const	home[] = { "HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME",
					    "XDG_RUNTIME_DIR" };
	const char	*srcdir = getenv("srcdir");
	char		*top = realpath(srcdir != NULL ? srcdir : ".", NULL);
	char		*tnav = realpath("tnav", NULL);
	struct buf	*tests = test_buf();
	int		 rc;

	if (top == NULL || mkdtemp(folder) == NULL || chdir(folder) != 0)
		return -1;
	for (int i = 0; i < 4; i++)
		(void)setenv(home[i], "/proc/self/cwd", 1);	/* the same in each run */
	if (tnav != NULL)
		(void)setenv("TNAV", tnav, 0);
	free(tnav);
	(void)unsetenv("TNAV_NO_STATE");
	buf_printf(tests, "%s/tests", top);
	free(top);
	rc = symlink(buf_str(tests), "tests");
	return rc == 0 ? setenv("srcdir", ".", 1) : rc;
}

static int
remove_folder(void)
{
	return test_remove(folder);
}

GROUP(make_folder, remove_folder)

_Static_assert(sizeof letters == ST_STYLES + 1, "a letter for each style");

/* What stands on the screen, as far as it was written down. */
struct shown {
	char	*text[ROWS_MAX], *style[ROWS_MAX];
	int	 y, x;
	char	*copied;
	bool	 quit;
};

/* The last frame; the screen that calls memterm_watch() gives no argument. */
static struct {
	struct buf	style[ROWS_MAX];
	int		rows, y, x;
} frame;

static void
put_run(struct buf *b, const struct canvas_cell *at, int n)
{
	buf_putc(b, letters[at->style]);
	if (at->mark & MARK_CURSOR)
		buf_putc(b, '_');
	if (at->mark & MARK_CURSOR_OFF)
		buf_putc(b, '-');
	if (at->mark & MARK_HIT)
		buf_putc(b, '*');
	buf_printf(b, "%d", n);
}

static void
see_row(const struct canvas *c, int y)
{
	const struct canvas_cell	*at = canvas_at(c, y, 0);

	buf_clear(&frame.style[y]);
	for (int x = 0, n; x < c->cols; x += n) {
		for (n = 1; x + n < c->cols && at[x + n].style == at[x].style &&
		    at[x + n].mark == at[x].mark; n++)
			;
		put_run(&frame.style[y], &at[x], n);
	}
}

static void
see(const struct canvas *c)
{
	frame_check(c);
	assert_true(c->rows <= ROWS_MAX);
	frame.rows = c->rows;
	frame.y = c->cursor_y;
	frame.x = c->cursor_x;
	for (int y = 0; y < c->rows; y++)
		see_row(c, y);
}

/* Has the text changed? It is kept. */
static bool
changes(char **kept, const char *now)
{
	if (*kept != NULL && strcmp(*kept, now) == 0)
		return false;
	free(*kept);
	*kept = strdup(now);
	return true;
}

static void
forget(struct shown *s)
{
	for (int y = 0; y < ROWS_MAX; y++) {
		free(s->text[y]);
		free(s->style[y]);
	}
	free(s->copied);
	*s = (struct shown){ .y = -1 };
}

/* A row of the screen. How much would be written is estimated for a fifth of a second, so a slow
   machine finds another number: it is "#". That of a trace is computed. */
static const char *
line_at(struct desk *d, int y)
{
	const char	*line = memterm_line(d->m, y), *end = strstr(line, " MB? (y/n) ");
	const char	*about = strstr(line, " about ");
	struct buf	*b;

	if (about == NULL || end == NULL || strstr(end, ".nettrace") != NULL)
		return line;
	b = test_buf();
	buf_printf(b, "%.*s about #%s", (int)(about - line), line, end);
	return buf_str(b);
}

/* Write down what is new on the screen. */
static void
put_shown(struct shown *s, struct desk *d, struct buf *out)
{
	const char	*line, *copied = memterm_copied(d->m);

	for (int y = 0; y < frame.rows; y++) {
		line = line_at(d, y);
		if (changes(&s->text[y], line))
			buf_printf(out, "|%2d %s\n", y, line);
		if (changes(&s->style[y], buf_str(&frame.style[y])))
			buf_printf(out, "~%2d %s\n", y, buf_str(&frame.style[y]));
	}
	if (frame.y >= 0 && (frame.y != s->y || frame.x != s->x))
		buf_printf(out, "@ %d %d\n", frame.y, frame.x);
	s->y = frame.y;
	s->x = frame.x;
	if (d->ui->quit && !s->quit)
		buf_puts(out, "! quit\n");
	s->quit = d->ui->quit;
	if (!changes(&s->copied, copied))
		return;
	for (size_t len; *copied != '\0'; copied += len + (copied[len] == '\n')) {
		len = strcspn(copied, "\n");
		buf_printf(out, "= %.*s\n", (int)len, copied);
	}
}

/* As the program ends. */
static void
end_desk(struct desk *d)
{
	keep_save(d->ui);
	desk_close(d);
	d->t = NULL;
}

/* A compressed trace is read as it comes, and its density estimated so: it is unpacked here. */
static const char *
unpacked(const char *path)
{
	const char	*name = strrchr(path, '/') + 1;
	struct buf	*to = test_buf(), *line = test_buf();

	if (strstr(path, ".zst") == NULL)
		return path;
	buf_add(to, name, strlen(name) - 4);
	buf_printf(line, "zstd -dqf -o '%s' '%s'", buf_str(to), path);
	assert_int_equal(system(buf_str(line)), 0);
	return buf_str(to);
}

static void
open_desk(struct desk *d, const char *args)
{
	int	rows, cols, used = 0, used_ascii = 0;

	if (d->t != NULL)
		desk_close(d);
	assert_int_equal(sscanf(args, "%d %d %n", &rows, &cols, &used), 2);
	if (strncmp(args + used, "ascii ", 6) == 0)
		used_ascii = 6;
	*d = desk_open_alike(unpacked(args + used + used_ascii), rows, cols, used_ascii > 0,
	    &options);
	options = (struct ui_options){ .export = &app_export };
	memterm_watch(d->m, see);
	d->ui->screen.dirty = true;
	desk_rest(d);
}

static void
point(struct desk *d, enum mouse_kind kind, const char *args)
{
	int	y, x, n = 0;

	assert_true(sscanf(args, "%d %d %d", &y, &x, &n) >= 2);
	memterm_mouse(d->m, kind, y, x, n);
	desk_rest(d);
}

static void
resize(struct desk *d, const char *args)
{
	int	rows, cols;

	assert_int_equal(sscanf(args, "%d %d", &rows, &cols), 2);
	memterm_resize(d->m, rows, cols);
	desk_rest(d);
}

static void
set_option(const char *args)
{
	static const struct { const char *name, **value; } texts[] = {
		{ "script ", &options.script }, { "script_file ", &options.script_file },
		{ "filter ", &options.filter }, { "from ", &options.from }, { "to ", &options.to },
	};

	if (strcmp(args, "state") == 0) {
		options.state = true;
		return;
	}
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		size_t		 len = strlen(texts[i].name);
		struct buf	*value;

		if (strncmp(args, texts[i].name, len) != 0)
			continue;
		value = test_buf();
		buf_puts(value, args + len);
		*texts[i].value = buf_str(value);
		return;
	}
	fail_msg("no option: %s", args);
}

static void
set_variable(const char *args)
{
	size_t		 len = strcspn(args, "=");
	struct buf	*name = test_buf();

	buf_add(name, args, len);
	assert_int_equal(setenv(buf_str(name), args + len + 1, 1), 0);
}

/* Put what it prints. */
static void
run_shell(const char *command, struct buf *out)
{
	FILE	*f = popen(command, "r");
	char	 line[4096];

	assert_non_null(f);
	while (fgets(line, sizeof line, f) != NULL)
		buf_printf(out, "$ %s%s", line, strchr(line, '\n') != NULL ? "" : "\n");
	if (pclose(f) != 0)
		fail_msg("failed: %s", command);
}

/* A text on the screen, or so many bytes that are read and shown. */
static bool
is_there(struct desk *d, const char *what)
{
	unsigned long long	bytes;
	int			used = 0;

	if (sscanf(what, "%llu bytes%n", &bytes, &used) == 1 && used > 0)
		return trace_size(d->ui->v.t) == bytes && follow_rests(d->ui);
	return desk_shows(d, what);
}

static void
wait_for(struct desk *d, const char *what)
{
	for (int i = 0; !is_there(d, what); i++) {
		if (i == TURNS)
			fail_msg("never there: %s\n%s", what, memterm_text(d->m));
		d->ui->follow.looked = 0;
		d->ui->timing.last_frame = 0;
		ui_turn(d->ui);
		usleep(1000);
	}
	desk_rest(d);
}

/* One after the other: each key finds all that was made by the one before. */
static void
do_keys(struct desk *d, const char *keys)
{
	while (*keys != '\0') {
		const char	*end = keys;
		bool		 typed = false;
		char		*one;

		while (*end != '\0' && (typed || *end != ' '))
			typed ^= *end++ == '`';
		one = mem_strndup(keys, (size_t)(end - keys));
		desk_do(d, one);
		mem_free(one);
		keys = end + strspn(end, " ");
	}
}

/* Do what the line says; false: it says nothing. */
static bool
do_line(struct desk *d, struct shown *s, const char *line, struct buf *out)
{
	static const char *const	mouse[] = { "press ", "drag ", "release ", "wheel " };
	const char			*blank = strchr(line, ' '), *args = blank + 1;

	if (blank == NULL)
		return false;
	for (int i = 0; i < 4; i++) {
		if (strncmp(line, mouse[i], strlen(mouse[i])) == 0) {
			point(d, (enum mouse_kind)i, args);
			return true;
		}
	}
	if (strncmp(line, "open ", 5) == 0) {
		forget(s);
		open_desk(d, args);
	} else if (strncmp(line, "> ", 2) == 0 || strncmp(line, "& ", 2) == 0) {
		do_keys(d, args);
	} else if (strncmp(line, "paste ", 6) == 0) {
		memterm_paste(d->m, args);
		desk_rest(d);
	} else if (strncmp(line, "resize ", 7) == 0) {
		resize(d, args);
	} else if (strncmp(line, "with ", 5) == 0) {
		set_option(args);
	} else if (strncmp(line, "env ", 4) == 0) {
		set_variable(args);
	} else if (strncmp(line, "sh ", 3) == 0) {
		(void)setenv("COPIED", d->t != NULL ? memterm_copied(d->m) : "", 1);
		run_shell(args, out);
	} else if (strncmp(line, "wait ", 5) == 0) {
		wait_for(d, args);
	} else {
		return false;
	}
	return true;
}

/* The script with what it shows now. */
static void
play(const char *text, struct buf *out)
{
	struct desk	d = { .t = NULL };
	struct shown	s = { .y = -1 };
	unsigned	n = 0;

	for (size_t len; *text != '\0'; text += len + (text[len] == '\n')) {
		char	*line;

		len = strcspn(text, "\n");
		if (len > 0 && strchr(SHOWN, text[0]) != NULL)
			continue;
		line = mem_strndup(text, len);
		buf_printf(out, "%s\n", line);
		if (do_line(&d, &s, line, out)) {
			n++;
			if (d.t != NULL && line[0] != '&')
				put_shown(&s, &d, out);
			if (d.t != NULL && d.ui->quit && d.ui->opt.state)
				end_desk(&d);
		} else if (len > 0 && line[0] != '#') {
			fail_msg("no line of a script: %s", line);
		}
		mem_free(line);
	}
	assert_true(n > 0);
	if (d.t != NULL)
		desk_close(&d);
	forget(&s);
}

/* Tell the first lines that differ, below what was done. */
static void
compare(const char *name, const char *want, const char *have)
{
	const char	*done = "";
	int		 done_len = 0;

	while (*want != '\0' && *have != '\0') {
		size_t	w = strcspn(want, "\n"), h = strcspn(have, "\n");

		if (w != h || memcmp(want, have, w) != 0)
			break;
		if (strchr(SHOWN, want[0]) == NULL) {
			done = want;
			done_len = (int)w;
		}
		want += w + (want[w] == '\n');
		have += h + (have[h] == '\n');
	}
	if (*want != '\0' || *have != '\0')
		fail_msg("%s: after \"%.*s\"\n-%.*s\n+%.*s", name, done_len, done,
		    (int)strcspn(want, "\n"), want, (int)strcspn(have, "\n"), have);
}

/* A prompt lists the folder: what it shows does not depend on the files before. */
static void
empty_folder(void)
{
	struct dirent	**e;
	int		 n = scandir(".", &e, NULL, NULL);

	for (int i = 0; i < n; i++) {
		if (e[i]->d_name[0] != '.' && strcmp(e[i]->d_name, "tests") != 0)
			assert_int_equal(test_remove(e[i]->d_name), 0);
		free(e[i]);
	}
	free(e);
}

static void
try_file(const char *name)
{
	char		*want = strdup(desk_file(FOLDER, name));
	struct buf	*now = test_buf(), *path = test_buf();
	FILE		*f;

	play(want, now);
	if (update) {
		buf_printf(path, "%s/%s", FOLDER, name);
		f = fopen(buf_str(path), "w");
		assert_non_null(f);
		fputs(buf_str(now), f);
		assert_int_equal(fclose(f), 0);
	} else {
		compare(name, want, buf_str(now));
	}
	free(want);
}

TEST(screens_are_as_they_were)
{
	const char	*only = getenv("TNAV_SCREENS");
	struct dirent	**e;
	int		 n = scandir(FOLDER, &e, NULL, alphasort);

	assert_true(n > 2);
	for (int i = 0; i < n; i++) {
		if (e[i]->d_name[0] != '.' && (only == NULL || strstr(e[i]->d_name, only) != NULL)) {
			try_file(e[i]->d_name);
			empty_folder();
		}
		free(e[i]);
	}
	free(e);
}

int
main(int argc, char **argv)
{
	update = argc > 1 && strcmp(argv[1], "--update") == 0;
	return test_run("screens");
}

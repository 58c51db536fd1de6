/*
 * README's tour and its four jobs are walked key by key on the trace that ./bootstrap demo opens,
 * at 80 x 24 and at 200 x 50, each line from the first screen. The keys are README's own; what must be
 * on the screen after each stands here.
 *
 *	| `Alt-5` `Enter` `}` | threads, most lost first; ... |		a line of README
 *	   M-5     <Enter> }						as keys
 *
 * A line of README without an entry here, an entry without a line, and a key without a screen fail.
 * Its command lines are walked by tests/check/readme.py.
 */
#include "../support/data.h"
#include "../support/desk.h"
#include "../support/test.h"

#define TOUR	"tests/data/tour.nettrace.zst"
#define HEPH	"tests/data/traces/actors-1worker.heph"
#define IN_HEPH	"`Alt-1` `z` `j`"	/* the line that is walked on that one */
#define HEAP	"tests/data/shared/traces/heap/net10-heap-two.nettrace.zst"
#define IN_HEAP	"`Alt-8` `h` `L` `j`"	/* ... and on this one */
#define TOKENS	8

/* What the line's keys show, one text a key, with one blank where there are more; BOTTOM: on the
   bottom line. */
#define BOTTOM	"\1"

static const struct line_walk {
	const char	*cell, *shows[TOKENS];
} walks[] = {
	{ "`:tour` `F3` `Esc`", { BOTTOM "1/10 Events by time", BOTTOM "2/10 Counts by event",
	    BOTTOM "tour ended" } },
	{ "`j` `Space` `G` `g`", { BOTTOM "row 1 ", BOTTOM "row 17 ", BOTTOM "row 56,442 ",
	    BOTTOM "row 0 " } },
	{ "`Alt-7` `Enter` `X`", { "Line 18,616", "name = \"Line\"",
	    "at least 56,443 e" } },
	{ "`/Exception.*Start` `n` `N`", { BOTTOM "1 of 122", BOTTOM "2 of 122",
	    BOTTOM "1 of 122" } },
	{ "`e` `Enter` `Alt-4` `q`", { "Exception/Start", "ExceptionMessage", "Shop.Day.Answer",
	    "\xe2\x96\xb8 events" } },
	{ "`f name ~ ^GC/` `Alt-7` `[`", { "f: name ~ ^GC/", "GC/AllocationTick 433",
	    "Line 18,616" } },
	{ "`Alt-9` `p` `Enter`", { "sorted by dur", "2.634 553 28.184 ms", BOTTOM "row 15,954 " } },
	{ "`/Request/Start` `V`", { BOTTOM "1 of ", "563 of 56,443" } },
	{ "`w` `d` `a` `s` `0`", { "0.088 \xe2\x80\xa6 2.333 s", "0.649 \xe2\x80\xa6 2.895 s",
	    "0.088 \xe2\x80\xa6 2.333 s", "0.088 \xe2\x80\xa6 4.013 s", "all 4.491 s" } },
	{ "`:tally TypeName sum AllocationAmount64` `Enter`", { "32,445,656",
	    "TypeName = \"System.Byte[]\"" } },
	{ "`Alt-8` `a` `p`", { "a letter shows one", "System.Byte[] 257",
	    "Shop.Day.Catalogue(int) 309" } },
	{ "`Alt-g` `Enter`", { "7,430", "7,430 events lost within" } },
	{ "`yc`", { BOTTOM "copied the command line" } },
	{ "`F12`", { BOTTOM "mouse on" } },
	{ "`!` `q` `?`", { "lost", "\xe2\x96\xb8 events", "Show only events that match" } },
	{ IN_HEPH, { "\xe2\x96\xb8 timeline", "receiving message", BOTTOM "row 0 " } },
	{ IN_HEAP, { "show who holds the memory", "32,064", "Listener 53.6 %",
	    "10,060,208 (53.8 %)" } },
	{ "`Alt-7` `Enter` `Alt-3`", { "Line 18,616", "name = \"Line\"",
	    "\xe2\x96\xb8 details" } },
	{ "`@2.1s` `@2.1s..2.4s` `yt`", { "2.106 856", "2.100 \xe2\x80\xa6 2.400 s",
	    BOTTOM "copied the time" } },
	{ "`Alt-5` `Enter` `}` `}`", { "9,421", "f: tid = 40", "75 events lost within",
	    "1,916 events lost within" } },
	{ "`/Http.*(Start\\|Stop)` `n` `f name ~ Http.*(Start\\|Stop)`",
	    { BOTTOM "1 of ", BOTTOM "2 of ", "f: name ~ Http" } },
};
#define WALKS	(sizeof walks / sizeof *walks)

/* What a large screen shows in place of some of these. */
static const struct {
	const char	*small, *large;
} otherwise[] = {
	{ BOTTOM "row 17 ", BOTTOM "row 21 " }, { "all 4.491 s", "0.088 \xe2\x80\xa6 4.579 s" },
};

static const char *
trace_of(const char *cell)
{
	if (strcmp(cell, IN_HEPH) == 0)
		return HEPH;
	return strcmp(cell, IN_HEAP) == 0 ? HEAP : TOUR;
}

/* ---- README */

static char *
read_readme(void)
{
	char	*text = calloc(1, 1 << 16);
	FILE	*f = fopen(data_path("README.md"), "r");

	assert_non_null(f);
	assert_true(fread(text, 1, (1 << 16) - 1, f) > 0);
	fclose(f);
	return text;
}

/* The first cell of a line of a table of keys: "| `x` `y` | ..."; false: it is none. */
static bool
cell_of(const char *line, char *out, size_t size)
{
	const char	*end = strncmp(line, "| `", 3) == 0 ? strstr(line, "` |") : NULL;

	if (end == NULL || end > line + strcspn(line, "\n"))
		return false;
	snprintf(out, size, "%.*s", (int)(end + 1 - (line + 2)), line + 2);
	return true;
}

/* ---- keys as README writes them */

static void
add_key(struct buf *out, const char *key)
{
	static const char *const	named[] = { "Enter", "Esc", "Tab", "Space", "F12", "F3", "F2" };

	for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
		if (strcmp(named[i], key) == 0) {
			buf_printf(out, "<%s> ", key);
			return;
		}
	}
	if (strncmp(key, "Alt-", 4) == 0)
		buf_printf(out, "M-%s ", key + 4);
	else if (strncmp(key, "Ctrl-", 5) == 0)
		buf_printf(out, "C-%s ", key + 5);
	else if (strchr(":/@f", key[0]) != NULL && key[1] != '\0')
		buf_printf(out, "%c C-u `%s` <Enter> ", key[0], key + 1 + strspn(key + 1, " "));
	else
		for (; *key != '\0'; key++)
			buf_printf(out, "%c ", *key);
}

/* The text with one blank in place of several. */
static void
squeeze(struct buf *out, const char *s)
{
	for (; *s != '\0'; s++)
		if (*s != ' ' || s[1] != ' ')
			buf_putc(out, *s);
}

static bool
is_shown(struct desk *d, const char *shows, bool large)
{
	bool		 bottom = shows[0] == BOTTOM[0], is;
	struct buf	*screen = test_buf();

	for (size_t i = 0; large && i < sizeof otherwise / sizeof *otherwise; i++)
		if (strcmp(shows, otherwise[i].small) == 0)
			shows = otherwise[i].large;
	squeeze(screen, bottom ? desk_bottom(d) : memterm_text(d->m));
	is = strstr(buf_str(screen), shows + bottom) != NULL;
	return is;
}

static int
press(struct desk *d, const char *key, const char *shows, bool large)
{
	struct buf	*keys = test_buf();

	add_key(keys, key);
	desk_do(d, buf_str(keys));
	if (getenv("TNAV_README_SCREENS") != NULL)
		fprintf(stderr, "---- %s\n%s\n", key, memterm_text(d->m));
	if (shows == NULL) {
		print_error("what must %s show?\n", key);
		return 1;
	}
	if (is_shown(d, shows, large))
		return 0;
	print_error("%s: not there: %s\n", key, shows);
	fprintf(stderr, "%s\n", memterm_text(d->m));
	return 1;
}

/* A bar in a table of Markdown is written \\|. */
static void
take_key(char *out, size_t size, const char *s, size_t len)
{
	size_t	n = 0;

	for (size_t i = 0; i < len && n + 1 < size; i++)
		if (s[i] != '\\' || i + 1 == len || s[i + 1] != '|')
			out[n++] = s[i];
	out[n] = '\0';
}

/* Press the keys of a line, one after another. */
static int
walk_line(struct desk *d, const char *cell, const struct line_walk *w, bool large)
{
	int		 failed = 0;
	size_t		 n = 0;
	const char	*p = cell;
	char		 key[256];

	for (p = strchr(p, '`'); p != NULL; p = strchr(p, '`')) {
		size_t	len = strcspn(p + 1, "`");

		take_key(key, sizeof key, p + 1, len);
		assert_true(n < TOKENS);
		failed += press(d, key, w != NULL ? w->shows[n] : NULL, large);
		n++;
		p += len + 2;
	}
	return failed;
}

static void
walk_readme(int rows, int cols)
{
	char		*text = read_readme(), cell[512];
	int		 failed = 0;
	size_t		 at = 0;
	struct desk	 d;

	for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
		const struct line_walk	*w = NULL;

		if (cell_of(line, cell, sizeof cell)) {
			if (at < WALKS && strcmp(walks[at].cell, cell) == 0)
				w = &walks[at++];
			else
				print_error("no entry here for %s\n", cell);
			failed += w == NULL;
			d = desk_open(trace_of(cell), rows, cols, false, NULL);
			failed += walk_line(&d, cell, w, rows > 24);
			desk_close(&d);
		}
		if (line[strcspn(line, "\n")] == '\0')
			break;
	}
	for (; at < WALKS; at++, failed++)
		print_error("not in README: %s\n", walks[at].cell);
	free(text);
	assert_int_equal(failed, 0);
}

TEST(every_key_of_readme_shows_what_it_says)
{
	walk_readme(24, 80);
}

TEST(so_it_does_on_a_large_screen)
{
	walk_readme(50, 200);
}

/*
 * The monkey at the program itself, in a pseudo-terminal: whatever it did, what stands on the
 * screen is what a full repaint puts there, and when it is left the terminal is as it was.
 *
 * How to run it longer or again: ../support/monkey_run.h.
 */
#include <signal.h>

#include "../support/asserts.h"
#include "../support/monkey.h"
#include "../support/monkey_run.h"
#include "../support/pty.h"
#include "tnav/base/text.h"
#include "ui/term/key.h"

#define CHECK_EVERY	20
#define FRAMES_MS	300	/* between frames that show progress, at most */
#define MARK		"zz9"
#define ASKS		"[tnav: press Enter to return]"

/* ---- steps as bytes of a terminal */

static void
put_key(struct buf *out, int32_t key)
{
	static const struct { int32_t key; const char *bytes; } named[] = {
		{ TK_UP, "\033OA" }, { TK_DOWN, "\033OB" }, { TK_RIGHT, "\033OC" },
		{ TK_LEFT, "\033OD" }, { TK_HOME, "\033OH" }, { TK_END, "\033OF" },
		{ TK_PGUP, "\033[5~" }, { TK_PGDN, "\033[6~" }, { TK_INSERT, "\033[2~" },
		{ TK_DELETE, "\033[3~" }, { TK_BACKSPACE, "\177" }, { TK_BACKTAB, "\033[Z" },
		{ TK_F1, "\033OP" }, { TK_F2, "\033OQ" }, { TK_F3, "\033OR" }, { TK_F4, "\033OS" },
		{ TK_F5, "\033[15~" }, { TK_F6, "\033[17~" }, { TK_F7, "\033[18~" },
		{ TK_F8, "\033[19~" }, { TK_F9, "\033[20~" }, { TK_F10, "\033[21~" },
		{ TK_F11, "\033[23~" }, { TK_F12, "\033[24~" },
	};
	char	utf8[4];

	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		if (named[i].key == key)
			buf_puts(out, named[i].bytes);
	if (key > TK_ALT) {
		buf_putc(out, '\033');
		key -= TK_ALT;
	}
	if (key < TK_BASE)
		buf_add(out, utf8, text_encode(key, utf8));
}

static void
put_keys(struct buf *out, const char *names)
{
	for (int32_t key = key_next(&names); key != TK_NONE; key = key_next(&names))
		put_key(out, key);
}

static void
put_mouse(struct buf *out, const char *what)
{
	int	y, x, n, button = what[0] == 'd' ? 32 : what[0] == 'w' ? 64 : 0;

	if (sscanf(what + strcspn(what, " "), "%d %d %d", &y, &x, &n) == 3)
		buf_printf(out, "\033[<%d;%d;%d%c", button + (button == 64 && n > 0), x + 1, y + 1,
		    what[0] == 'r' ? 'm' : 'M');
}

/* A pipe waits for Enter, and the keys that we need ourselves are to stay what they are. */
static bool
is_left_out(const char *line)
{
	return strstr(line, "prompt |") != NULL || strstr(line, "prompt : pip") != NULL ||
	    strstr(line, "bind") != NULL;
}

static void
send(struct pty *p, const struct buf *b)
{
	/* A NUL is a key that has no name here. */
	for (size_t i = 0; i < b->len; i += strlen(b->p + i) + 1)
		pty_send(p, b->p + i);
}

static void
play_step(struct pty *p, const char *line, const char *path, const struct buf *whole)
{
	size_t		 len = strcspn(line, " !");
	const char	*what = line + len + strspn(line + len, "! ");
	bool		 paste = strncmp(line, "paste", len) == 0;
	int		 rows, cols;
	struct buf	 b = { 0 };

	if (strncmp(line, "key", len) == 0) {
		put_keys(&b, what);
	} else if (strncmp(line, "prompt", len) == 0) {
		buf_printf(&b, "%c\025", what[0]);
		monkey_text(what + 1 + (what[1] == ' '), &b);
		buf_putc(&b, '\r');
	} else if (paste || strncmp(line, "type", len) == 0) {
		buf_puts(&b, paste ? "\033[200~" : "");
		monkey_text(what, &b);
		buf_puts(&b, paste ? "\033[201~" : "");
	} else if (strncmp(line, "mouse", len) == 0) {
		put_mouse(&b, what);
	} else if (strncmp(line, "size", len) == 0 && sscanf(what, "%d %d", &rows, &cols) == 2) {
		pty_resize(p, rows, cols);
	} else {
		monkey_file(path, whole, what);
	}
	(void)buf_str(&b);
	send(p, &b);
	(void)pty_drain(p, line[len] == '!' ? 0 : 5);
	buf_release(&b);
}

/* ---- what must be true */

/* Bring it to a prompt with a text of ours. False: it was left. */
static bool
reach_mark(struct pty *p)
{
	pty_resize(p, 24, 80);
	/* Out of a sequence that Alt-[ began, a prompt, two keys in a row, an overlay. */
	pty_send(p, "\a@\a\a\a:" MARK);
	return pty_reaches(p, ":" MARK);
}

/* The characters of a line of pty_dump(). */
static void
line_text(const char *cells, size_t len, struct buf *out)
{
	const char	*end = cells + len;

	for (const char *cell = cells; cell < end; cell++) {
		size_t	n = strcspn(cell, ";\n");

		for (const char *at = cell, *next; memchr(at, ' ', (size_t)(cell + n - at)) != NULL;
		    at = next + 1) {
			char	utf8[4];
			long	c = strtol(at, (char **)&next, 16);

			buf_add(out, utf8, text_encode((int32_t)c, utf8));
		}
		cell += n;
	}
}

static void
check_same(struct pty *p, const char *a, const char *b)
{
	struct buf	before = { 0 }, after = { 0 };

	for (int y = 0; *a != '\0' && *b != '\0'; y++) {
		size_t	na = strcspn(a, "\n") + 1, nb = strcspn(b, "\n") + 1;

		if (na != nb || memcmp(a, b, na) != 0) {
			line_text(a, na, &before);
			line_text(b, nb, &after);
			fail_msg("line %d changed by a repaint:\n%s\n%s\n%s; cells:\n%.*s%.*s", y,
			    buf_str(&before), buf_str(&after), pty_line(p, 23), (int)na, a, (int)nb, b);
		}
		a += na;
		b += nb;
	}
	buf_release(&before);
	buf_release(&after);
}

/* Does the top line tell that the file has changed? It does so within a second or so. */
static bool
tells_change(struct pty *p)
{
	return strstr(pty_line(p, 0), "[file") != NULL;
}

/* Until no frames come. What tells the index's progress changes by itself, and on a busy machine the
   frames that show progress come so far apart. */
static void
await_rest(struct pty *p)
{
	do
		pty_settle(p);
	while ((pty_drain(p, FRAMES_MS) > 0 || strstr(pty_line(p, 0), "[indexing") != NULL) &&
	    pty_running(p));
}

/* As after a stop: it trusts nothing, neither the screen nor the file. False: the mark was typed
   while a command had the terminal, which the monkey may start from the menu. */
static bool
repaint(struct pty *p)
{
	size_t		seen, len;
	const char	*out;

	(void)pty_output(p, &seen);
	kill(pty_pid(p), SIGCONT);
	do {
		pty_settle(p);
		if (pty_has(p, ASKS)) {
			pty_send(p, "\r");
			return false;
		}
		out = pty_output(p, &len);
	} while (memmem(out + seen, len - seen, MARK, strlen(MARK)) == NULL && pty_running(p));
	return true;
}

/* changed: what is drawn may still be of the file as it was, which is looked at now and then. */
static bool
check_repaint(struct pty *p, bool compare, bool changed)
{
	struct buf	before = { 0 }, after = { 0 };
	bool		told;

	if (!reach_mark(p))
		return false;
	if (changed && !repaint(p))
		return true;
	await_rest(p);
	told = tells_change(p);
	pty_dump(p, &before);
	compare = repaint(p) && compare;
	pty_dump(p, &after);
	if (compare && told == tells_change(p))
		check_same(p, buf_str(&before), buf_str(&after));
	buf_release(&before);
	buf_release(&after);
	pty_send(p, "\a");
	return pty_running(p);
}

/* ---- a script */

static void
play(const struct script *s, const char *path, const struct buf *whole)
{
	static const char	rc[] = "unbind all |\nunbind all P\nunbind all <F9>\n";
	char			term[64], locale[64], nowhere[] = "PATH=/dev/null/none";
	struct pty		*p;
	FILE			*f = fopen("rc", "w");
	bool			 runs, same, changed = false;

	assert_non_null(f);
	fputs(rc, f);
	assert_int_equal(fclose(f), 0);
	if (sscanf(s->line[MONKEY_SCREEN], "screen %63s %63s", term, locale) != 2)
		fail_msg("no such script");
	/* libvterm draws as others do what these send: it wraps too early behind xterm's rep. */
	same = strstr(term, "screen") != NULL;
	p = pty_tnav("exec \"$0\" -x rc \"$1\"", path, 24, 80,
	    (char *[]){ term, locale, nowhere, NULL });
	runs = pty_reaches(p, "a trace  ");
	if (!runs) {
		pty_quit(p, NULL, 2);		/* it is none that can be read */
		return;
	}
	for (size_t i = MONKEY_FIRST; i < s->n && runs; i++) {
		if (!is_left_out(s->line[i]))
			play_step(p, s->line[i], path, whole);
		runs = pty_running(p);
		changed |= strncmp(s->line[i], "file", 4) == 0;
		if (runs && (i % CHECK_EVERY == 0 || i + 1 == s->n)) {
			runs = check_repaint(p, same, changed);
			changed = false;
		}
	}
	if (runs && reach_mark(p))
		pty_send(p, "\025quit\r");
	pty_quit(p, NULL, 0);
}

static void
choose_screen(struct monkey *m, struct buf *out)
{
	static const char *const	terms[] = { "screen-256color", "screen-256color", "screen",
					    "xterm-256color", "linux", "vt100" };

	buf_printf(out, "TERM=%s ", terms[monkey_below(m, sizeof terms / sizeof *terms)]);
	buf_puts(out, monkey_below(m, 3) > 0 ? "LC_ALL=C.UTF-8" : "LC_ALL=C");
}

int
main(void)
{
	static const struct monkey_test	test = { .seeds = 8, .steps = 45, .max = 1 << 20,
					    .screen = choose_screen, .play = play };

	return monkey_main(&test);
}

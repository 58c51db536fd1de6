/*
 * The terminal: the only file that uses curses, for drawing. input.c decodes keys, restore.c
 * restores the terminal.
 *
 *	canvas --put--> stdscr --doupdate--> tty	tty --read--> input.c --> struct input
 *
 * Invariant: the terminal is not changed before restore.c has what undoes it. endwin() is used only
 * for suspending, because it waits for the terminal to accept its output.
 *
 * The handlers are installed before newterm(), which then does not change these signals.
 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "ui/term/term.h"

#include <sys/ioctl.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "tnav/base/mem.h"
#include "ui/draw/canvas.h"
#include "ui/term/entries.h"
#include "ui/term/input.h"
#include "ui/term/key.h"
#include "ui/term/restore.h"
#include "ui/term/theme.h"

/* Last, because <term.h> defines macros with common names such as cursor_left. */
#include <curses.h>
#include <term.h>

#define SIZE_MOST	2000u		/* columns, and lines, from the environment */
#define SIGNAL_MS	200		/* for the signal of a terminal that is gone */
#define ESC_DELAY_MS	100	/* for the rest of a key's bytes over a slow link */
#define ESC_DELAY_MOST	10000
#define STUCK_MS	300	/* for the terminal to accept bytes */
#define COPY_MAX	74994u	/* bytes of base64 that terminals accept at once */
#define READ_BYTES	256
#define HIT_PAIR	(ST_STYLES + 1)	/* colour pair; each style has one */

static const char	mouse_on[] = "\033[?1002h\033[?1006h";
static const char	mouse_off[] = "\033[?1006l\033[?1002l";
static const char	paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";

struct tty_screen {
	struct screen	 s;
	SCREEN		*curses;
	FILE		*in;
	int		 fd, out_fd;		/* out_fd: does not block */
	bool		 color, own_file, can_paste, mouse;
	int		 gone;			/* errno if the terminal has ended, else 0 */
	int		 esc_delay;		/* in ms */
	enum theme	 theme;
	struct input_decoder keys;
	struct buf	 keypad_on, keypad_off;
	struct buf	 region;		/* lets lines scroll in the whole screen */
	struct termios	 prog;			/* while the terminal is left */
	cchar_t		*line;
	size_t		 line_cap;
};

/* ---- restoring */

/* A terminfo string without its padding, which no supported terminal needs. */
static void
add_string(struct buf *out, const char *s)
{
	if (s == NULL || s == (const char *)-1)
		return;
	while (*s != '\0') {
		const char	*end = s[0] == '$' && s[1] == '<' ? strchr(s, '>') : NULL;

		if (end != NULL)
			s = end + 1;
		else
			buf_putc(out, *s++);
	}
}

/*
 * Compute the bytes that undo what is sent, for a screen of this many rows. A frame lets lines
 * scroll in a part of it for a moment: the terminal keeps that part when the program ends within
 * the frame, or some of it when its size changes then.
 */
static void
prepare_restore(struct tty_screen *t, int rows)
{
	struct buf	 b = { 0 };
	const char	*cup = tigetstr("cup"), *csr = tigetstr("csr");
	int		 last = rows > 0 ? rows - 1 : 0;

	buf_clear(&t->region);
	if (csr != NULL && csr != (const char *)-1)
		add_string(&t->region, tparm(csr, 0, last, 0, 0, 0, 0, 0, 0, 0));
	if (t->mouse)
		buf_puts(&b, mouse_off);
	if (t->can_paste)
		buf_puts(&b, paste_off);
	add_string(&b, tigetstr("sgr0"));
	add_string(&b, tigetstr("op"));
	buf_add(&b, t->keypad_off.p, t->keypad_off.len);
	buf_add(&b, t->region.p, t->region.len);
	add_string(&b, tparm(cup, last, 0, 0, 0, 0, 0, 0, 0, 0));
	add_string(&b, tigetstr("el"));
	add_string(&b, tigetstr("rmcup"));
	add_string(&b, tigetstr("cnorm"));
	(void)restore_bytes(b.p, b.len);
	buf_release(&b);
}

/* ---- the screen's operations */

static struct tty_screen *
term_of(struct screen *s)
{
	return (struct tty_screen *)s;	/* s is its first member */
}

static void
term_size(struct screen *s, int *rows, int *cols)
{
	struct tty_screen	*t = term_of(s);
	struct winsize		 ws;

	if (ioctl(t->fd, TIOCGWINSZ, &ws) == 0 && ws.ws_row > 0 && ws.ws_col > 0 &&
	    (ws.ws_row != LINES || ws.ws_col != COLS)) {
		restore_in_library(true);
		resizeterm(ws.ws_row, ws.ws_col);
		prepare_restore(t, LINES);
		restore_in_library(false);
	}
	*rows = LINES;
	*cols = COLS;
}

/*
 * A search hit has a background; without colours it is reversed against its row. Columns of density
 * cannot show it.
 */
static bool
is_found(const struct canvas_cell *cell)
{
	return (cell->mark & MARK_HIT) != 0 && cell->style != ST_BAR && cell->style != ST_GAP;
}

static bool
has_colours(const struct tty_screen *t)
{
	return t->color && t->theme != THEME_NONE && t->theme != THEME_MONO;
}

/* Has the terminal a colour of 256 for it? */
static bool
has_shade(const struct look *l)
{
	return COLORS >= 256 && l->fg256 >= 0;
}

static attr_t
look_attr(const struct tty_screen *t, const struct look *l)
{
	attr_t	a = A_NORMAL;

	a |= l->attr & LOOK_BOLD ? A_BOLD : 0;
	a |= l->attr & LOOK_DIM && !(t->color && has_shade(l)) ? A_DIM : 0;
	a |= l->attr & LOOK_REVERSE ? A_REVERSE : 0;
	return a;
}

/* The row under the cursor is one bar without styles: each change of style would cost bytes
   twice per move. */
static attr_t
cell_attr(const struct tty_screen *t, const struct canvas_cell *cell)
{
	struct look	l = theme_look(t->theme, (enum style)cell->style);
	attr_t		a = look_attr(t, &l);

	if (is_found(cell) && has_colours(t))
		return A_NORMAL;
	if (is_found(cell))
		return (cell->mark & MARK_CURSOR) ? A_BOLD | A_UNDERLINE : A_REVERSE;
	if (cell->mark & MARK_CURSOR)
		a = cell->style == ST_ESCAPED ? A_NORMAL : A_REVERSE;
	if (cell->mark & MARK_CURSOR_OFF)
		a |= A_UNDERLINE;
	if (cell->mark & MARK_HIT)
		a |= A_UNDERLINE | A_BOLD;
	return a;
}

static void
put_row(struct tty_screen *t, const struct canvas *c, int y)
{
	size_t	n = 0;

	t->line = mem_grow(t->line, &t->line_cap, (size_t)c->cols + 1, sizeof *t->line);
	for (int x = 0; x < c->cols; x++) {
		const struct canvas_cell	*cell = canvas_at(c, y, x);
		wchar_t			 w[CELL_MARKS + 2] = { L' ' };
		short			 pair = 0;

		if (cell->width == 0)
			continue;	/* curses makes the right half itself */
		if (has_colours(t) && is_found(cell))
			pair = HIT_PAIR;
		else if (has_colours(t) && (cell->mark & MARK_CURSOR) == 0)
			pair = (short)(cell->style + 1);
		for (unsigned i = 0; i <= CELL_MARKS; i++)
			w[i] = (wchar_t)cell->cp[i];
		if (setcchar(&t->line[n], w, cell_attr(t, cell), pair, NULL) == ERR)
			setcchar(&t->line[n], L"?", A_NORMAL, 0, NULL);
		n++;
	}
	mvadd_wchnstr(y, 0, t->line, (int)n);
}

/* Is this the errno of a write to a terminal that accepts no more output? */
static bool
is_end_of_output(int err)
{
	return err == EIO || err == ENXIO || err == ENODEV || err == EPIPE || err == EBADF ||
	    err == ENOSPC || err == EFBIG;
}

static void
put_bytes(struct tty_screen *t, const char *s)
{
	ssize_t	n = write(t->out_fd, s, strlen(s));

	(void)n;	/* an error here has no consequence */
}

/*
 * Curses reports write errors only in errno. Where it draws everything, the terminal may still have
 * the region of a frame before.
 */
static void
show_frame(struct tty_screen *t, const struct canvas *c)
{
	curs_set(c->cursor_y >= 0 ? 1 : 0);
	if (c->cursor_y >= 0)
		move(c->cursor_y, c->cursor_x);
	wnoutrefresh(stdscr);
	errno = 0;
	restore_in_frame(true);
	if (is_cleared(curscr))
		put_bytes(t, buf_str(&t->region));
	if (!restore_ending())
		doupdate();
	restore_in_frame(false);
}

static bool
term_put(struct screen *s, const struct canvas *c)
{
	struct tty_screen	*t = term_of(s);
	struct pollfd		 p = { .fd = t->out_fd, .events = POLLOUT };

	if (poll(&p, 1, 0) != 1)
		return false;
	if (p.revents & (POLLHUP | POLLERR | POLLNVAL))
		t->gone = EIO;
	if ((p.revents & POLLOUT) == 0)
		return false;
	for (int y = 0; y < c->rows && y < LINES; y++)
		put_row(t, c, y);
	restore_in_library(true);
	show_frame(t, c);
	if (is_end_of_output(errno))
		t->gone = errno;
	restore_in_library(false);
	return true;
}

static void
term_wait(struct screen *s, int timeout_ms)
{
	struct tty_screen	*t = term_of(s);
	struct pollfd		 p[4] = { { .fd = t->fd, .events = POLLIN },
				    { .fd = restore_fd(), .events = POLLIN },
				    { .fd = t->out_fd }, { .fd = s->wake_fd, .events = POLLIN } };

	if (poll(p, 4, timeout_ms) <= 0)
		return;
	if (p[1].revents != 0)
		restore_heard();
	if (p[2].revents != 0)		/* hung up or an error */
		t->gone = EIO;
}

/* ---- keys */

/* Read bytes that arrive within timeout_ms. False: none, or the terminal is gone. */
static bool
take_bytes(struct tty_screen *t, int timeout_ms)
{
	struct pollfd	p = { .fd = t->fd, .events = POLLIN };
	uint8_t		bytes[READ_BYTES];
	ssize_t		n;

	if (poll(&p, 1, timeout_ms) <= 0)
		return false;
	if ((p.revents & POLLIN) == 0) {
		t->gone = EIO;
		return false;
	}
	n = read(t->fd, bytes, sizeof bytes);
	if (n > 0)
		return input_feed(&t->keys, bytes, (size_t)n) > 0;
	if (n == 0)
		t->gone = EIO;
	else if (errno != EAGAIN && errno != EINTR)
		t->gone = errno;
	return false;
}

static struct input
next_key(struct tty_screen *t)
{
	struct input	in;
	bool		last = false;

	for (;;) {
		switch (input_next(&t->keys, last, &in)) {
		case INPUT_WHOLE:
			return in;
		case INPUT_EMPTY:
			if (!take_bytes(t, 0))
				return (struct input){ .kind = t->gone ? INPUT_GONE : INPUT_NONE };
			break;
		case INPUT_PART:
			last = !take_bytes(t, input_at_escape(&t->keys) ||
			    t->esc_delay > ESC_DELAY_MS ? t->esc_delay : ESC_DELAY_MS);
			break;
		}
	}
}

static struct input
term_read(struct screen *s)
{
	struct tty_screen	*t = term_of(s);

	if (t->gone || restore_ending())
		return (struct input){ .kind = INPUT_GONE };
	if (restore_take(RESTORE_STOPPING))
		return (struct input){ .kind = INPUT_SUSPEND };
	if (restore_take(RESTORE_CONTINUED)) {
		s->ops->repaint(s);
		return (struct input){ .kind = INPUT_RESIZE };
	}
	if (restore_take(RESTORE_RESIZED)) {
		/* The size may be the same again, but the contents are lost. */
		clearok(curscr, TRUE);
		return (struct input){ .kind = INPUT_RESIZE };
	}
	return next_key(t);
}

/* The key sequences from the terminal's description. */
static void
learn_keys(struct tty_screen *t)
{
	static const struct { char cap[6]; int32_t key; } map[] = {
		{ "kcuu1", TK_UP }, { "kcud1", TK_DOWN }, { "kcub1", TK_LEFT },
		{ "kcuf1", TK_RIGHT }, { "khome", TK_HOME }, { "kend", TK_END },
		{ "kpp", TK_PGUP }, { "knp", TK_PGDN }, { "kich1", TK_INSERT },
		{ "kdch1", TK_DELETE }, { "kbs", TK_BACKSPACE }, { "kcbt", TK_BACKTAB },
		{ "kent", TK_ENTER }, { "kfnd", TK_HOME }, { "kslt", TK_END },
		{ "ka1", TK_HOME }, { "kc1", TK_END }, { "ka3", TK_PGUP }, { "kc3", TK_PGDN },
		{ "kf1", TK_F1 }, { "kf2", TK_F2 }, { "kf3", TK_F3 }, { "kf4", TK_F4 },
		{ "kf5", TK_F5 }, { "kf6", TK_F6 }, { "kf7", TK_F7 }, { "kf8", TK_F8 },
		{ "kf9", TK_F9 }, { "kf10", TK_F10 }, { "kf11", TK_F11 }, { "kf12", TK_F12 },
	};

	for (size_t i = 0; i < sizeof map / sizeof *map; i++) {
		const char	*s = tigetstr(map[i].cap);

		if (s != NULL && s != (const char *)-1)
			input_learn(&t->keys, s, map[i].key);
	}
	input_usual(&t->keys);
}

/* ---- the terminal's modes */

static void
term_repaint(struct screen *s)
{
	struct tty_screen	*t = term_of(s);

	reset_prog_mode();
	put_bytes(t, buf_str(&t->keypad_on));
	if (t->can_paste)
		put_bytes(t, paste_on);
	if (t->mouse)
		put_bytes(t, mouse_on);
	clearok(curscr, TRUE);
}

/* Restore the terminal while another program has it. */
static void
step_back(struct tty_screen *t, struct termios *prog)
{
	tcgetattr(t->fd, prog);
	if (t->mouse)
		put_bytes(t, mouse_off);
	if (t->can_paste)
		put_bytes(t, paste_off);
	put_bytes(t, buf_str(&t->keypad_off));
	endwin();
	restore_settings();
	restore_hold(false);
}

static void
step_forward(struct tty_screen *t, const struct termios *prog)
{
	restore_hold(true);
	tcsetattr(t->fd, TCSANOW, prog);
	term_repaint(&t->s);
	restore_raise(RESTORE_RESIZED);
}

static void
term_suspend(struct screen *s)
{
	struct sigaction	dfl = { .sa_handler = SIG_DFL }, ours;
	struct termios		prog;

	step_back(term_of(s), &prog);
	sigaction(SIGTSTP, &dfl, &ours);
	kill(0, SIGTSTP);	/* the whole job, as the terminal driver does */
	/* ... continues here. */
	sigaction(SIGTSTP, &ours, NULL);
	step_forward(term_of(s), &prog);
}

static void
term_leave(struct screen *s)
{
	struct tty_screen	*t = term_of(s);

	step_back(t, &t->prog);
	restore_away(true);
}

static void
term_enter(struct screen *s, bool asks)
{
	static const char	text[] = "\r\n[tnav: press Enter to return]";
	struct tty_screen	*t = term_of(s);
	char			 c = 0;

	put_bytes(t, asks ? text : "");
	while (asks && !restore_ending() && c != '\n' && c != '\r' && read(t->fd, &c, 1) == 1)
		;
	restore_away(false);
	step_forward(t, &t->prog);
}

/* ---- the clipboard */

static void
put_base64(struct buf *out, const char *text, size_t len)
{
	static const char	digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789+/";
	const unsigned char	*p = (const unsigned char *)text;

	for (; len > 0; p += 3, len -= len < 3 ? len : 3) {
		unsigned	v = (unsigned)p[0] << 16 | (len > 1 ? (unsigned)p[1] << 8 : 0) |
				    (len > 2 ? p[2] : 0);

		buf_putc(out, digit[v >> 18]);
		buf_putc(out, digit[v >> 12 & 63]);
		buf_putc(out, len > 1 ? digit[v >> 6 & 63] : '=');
		buf_putc(out, len > 2 ? digit[v & 63] : '=');
	}
}

/* Write all of it, unless the terminal accepts nothing for a while: then end the sequence. */
static void
put_whole(struct tty_screen *t, const struct buf *b)
{
	struct pollfd	p = { .fd = t->out_fd, .events = POLLOUT };
	size_t		at = 0;

	while (at < b->len && !restore_ending()) {
		ssize_t	n = write(t->out_fd, b->p + at, b->len - at);

		if (n > 0)
			at += (size_t)n;
		else if (n == 0 || (errno != EAGAIN && errno != EINTR) ||
		    poll(&p, 1, STUCK_MS) == 0)
			break;
	}
	if (at < b->len)
		put_bytes(t, "\030");
}

/* OSC 52. tmux accepts it if allowed (set-clipboard on), but would drop it in an envelope. */
static bool
term_copy(struct screen *s, const char *text, size_t len)
{
	struct buf	 b = { 0 };

	if ((len + 2) / 3 * 4 > COPY_MAX)
		return false;
	buf_puts(&b, "\033]52;c;");
	put_base64(&b, text, len);
	buf_putc(&b, '\a');
	put_whole(term_of(s), &b);
	buf_release(&b);
	return true;
}

static bool
set_mouse(struct tty_screen *t, bool on)
{
	if (!t->can_paste)
		return false;	/* it lacks DEC's private modes */
	t->mouse = on;
	prepare_restore(t, LINES);
	put_bytes(t, on ? mouse_on : mouse_off);
	return true;
}

/* The theme's colours. With 256 colours, none has a background. */
static void
make_pairs(const struct tty_screen *t)
{
	for (short i = 0; t->color && i < ST_STYLES; i++) {
		struct look	l = theme_look(t->theme, (enum style)i);
		bool		many = has_shade(&l);

		init_pair((short)(i + 1), many ? l.fg256 : l.fg, many ? -1 : l.bg);
	}
}

static bool
set_theme(struct tty_screen *t, enum theme theme)
{
	if (theme == THEMES)
		return false;
	t->theme = theme;
	make_pairs(t);
	return true;
}

static bool
term_set(struct screen *s, const char *name, const char *value)
{
	char	*end;
	long	 n = strtol(value, &end, 10);

	if (strcmp(name, "mouse") == 0)
		return set_mouse(term_of(s), strcmp(value, "on") == 0);
	if (strcmp(name, "theme") == 0)
		return set_theme(term_of(s), theme_find(value));
	if (strcmp(name, "esc-delay") != 0 || end == value || *end != '\0')
		return false;
	if (n < 0 || n > ESC_DELAY_MOST)
		return false;
	term_of(s)->esc_delay = (int)n;
	return true;
}

static void
term_get(struct screen *s, const char *name, struct buf *out)
{
	if (strcmp(name, "theme") == 0)
		buf_puts(out, theme_names[term_of(s)->theme]);
	else if (strcmp(name, "esc-delay") == 0)
		buf_printf(out, "%d", term_of(s)->esc_delay);
}

static bool
term_agrees(int32_t cp, unsigned cells)
{
	return wcwidth((wchar_t)cp) == (int)cells;
}

static const struct screen_ops	term_ops = {
	.size = term_size,
	.put = term_put,
	.read = term_read,
	.wait = term_wait,
	.repaint = term_repaint,
	.suspend = term_suspend,
	.leave = term_leave,
	.enter = term_enter,
	.copy = term_copy,
	.set = term_set,
	.get = term_get,
	.agrees = term_agrees,
};

/* ---- opening and closing */

/* Keys come from standard input. If that is a trace, they come from the controlling terminal. */
static bool
open_tty(struct tty_screen *t, struct buf *why)
{
	const char	*name;

	if (isatty(STDIN_FILENO)) {
		t->in = stdin;
	} else {
		errno = 0;
		t->in = fopen("/dev/tty", "r+e");
		if (t->in == NULL && errno == ENOMEM)
			mem_exhausted();
		if (t->in == NULL) {
			buf_puts(why, "no terminal to read keys from");
			return false;
		}
		t->own_file = true;
	}
	t->fd = fileno(t->in);
	name = ttyname(STDOUT_FILENO);
	if (name != NULL)
		t->out_fd = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (t->out_fd < 0)
		t->out_fd = STDOUT_FILENO;
	return true;
}

static bool
has_string(const char *cap)
{
	const char	*s = tigetstr(cap);

	return s != NULL && s != (const char *)-1;
}

/* Curses also reports an unknown type for lack of memory. Check again. */
static bool
is_known_type(const char *type)
{
	int	err = 0;

	if (setupterm(type, STDOUT_FILENO, &err) == OK)
		return true;
	if (errno == ENOMEM)
		mem_exhausted();
	return setupterm(type, STDOUT_FILENO, &err) == OK;
}

/* Where the system does not know the type, an entry of ours may. *type is NULL for TERM. */
static bool
find_type(const char **type)
{
	const char	*entry;

	*type = NULL;
	if (is_known_type(NULL))
		return true;
	entry = entries_find(getenv("TERM"), type);
	return entry != NULL && setenv("TERMINFO", entry, 1) == 0 && is_known_type(*type);
}

/* Curses has read it; other programs are to find their own. */
static void
forget_entry(const char *before)
{
	if (before != NULL)
		(void)setenv("TERMINFO", before, 1);
	else
		(void)unsetenv("TERMINFO");
}

/* Can the cursor be placed with this TERM? */
static bool
term_usable(const char **type, struct buf *why)
{
	const char	*name = getenv("TERM");

	if (!find_type(type)) {
		buf_printf(why, "unknown terminal type \"%s\" (TERM)",
		    name != NULL ? name : "");
		return false;
	}
	if (!has_string("cup")) {
		buf_printf(why, "terminal type \"%s\" cannot position the cursor (TERM)", name);
		return false;
	}
	return true;
}

/* Read the terminal's description, before the terminal is changed. */
static void
describe(struct tty_screen *t)
{
	const char	*smcup = tigetstr("smcup");

	/* Terminals with DEC's private modes support or ignore this one. */
	t->can_paste = has_string("smcup") && strncmp(smcup, "\033[?", 3) == 0;
	add_string(&t->keypad_on, tigetstr("smkx"));
	add_string(&t->keypad_off, tigetstr("rmkx"));
	learn_keys(t);
}

/* As curses reads it. */
static int
delay_of_environment(void)
{
	const char	*s = getenv("ESCDELAY");
	char		*end;
	long		 n;

	if (s == NULL)
		return ESC_DELAY_MS;
	n = strtol(s, &end, 10);
	return end != s && *end == '\0' && n >= 0 && n <= ESC_DELAY_MOST ? (int)n : ESC_DELAY_MS;
}

static void
start_colors(struct tty_screen *t, enum ui_color color)
{
	const char	*no = getenv("NO_COLOR");

	if (color == UI_COLOR_NEVER || (color == UI_COLOR_AUTO && no != NULL && *no != '\0') ||
	    !has_colors() || start_color() == ERR)
		return;
	use_default_colors();
	t->color = COLOR_PAIRS > HIT_PAIR;
	if (t->color)
		init_pair(HIT_PAIR, COLOR_BLACK, COLOR_YELLOW);
	make_pairs(t);
}

static void
set_modes(struct tty_screen *t)
{
	raw();
	noecho();
	nonl();
	idlok(stdscr, TRUE);
	leaveok(stdscr, FALSE);
	typeahead(-1);		/* pending keys do not interrupt output */
	put_bytes(t, buf_str(&t->keypad_on));
	if (t->can_paste)
		put_bytes(t, paste_on);
}

/* Release what was opened. */
static void
release(struct tty_screen *t)
{
	if (t->own_file)
		fclose(t->in);
	if (t->out_fd >= 0 && t->out_fd != STDOUT_FILENO)
		close(t->out_fd);
	buf_release(&t->keypad_on);
	buf_release(&t->keypad_off);
	buf_release(&t->region);
	mem_free(t->line);
	mem_free(t);
}

/* Curses takes any size from the environment, and ends the program if it has no memory for it. */
static void
drop_bad_sizes(void)
{
	static const char *const	names[] = { "LINES", "COLUMNS" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char	*text = getenv(names[i]);

		if (text != NULL && strtoul(text, NULL, 10) > SIZE_MOST)
			(void)unsetenv(names[i]);
	}
}

static bool
start_curses(struct tty_screen *t, enum ui_color color, struct buf *why)
{
	const char	*type, *before = getenv("TERMINFO");
	char		*kept = before != NULL ? mem_strdup(before) : NULL;
	bool		 usable;

	drop_bad_sizes();
	usable = term_usable(&type, why);
	if (usable) {
		describe(t);
		prepare_restore(t, 24);
		restore_hold(true);
		t->curses = newterm(type, stdout, t->in);
	}
	forget_entry(kept);
	mem_free(kept);
	if (!usable)
		return false;
	if (t->curses == NULL)
		mem_exhausted();	/* its type is known, so memory is missing */
	start_colors(t, color);
	set_modes(t);
	prepare_restore(t, LINES);
	return true;
}

struct screen *
term_open(enum ui_color color, struct buf *why)
{
	struct tty_screen	*t = mem_zalloc(1, sizeof *t);
	bool			 usable;

	t->s.ops = &term_ops;
	t->s.wake_fd = -1;
	t->s.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	t->out_fd = -1;
	t->esc_delay = delay_of_environment();
	t->theme = theme_of_background(getenv("COLORFGBG"));
	input_init(&t->keys);
	if (!open_tty(t, why) || !restore_open(t->fd, t->out_fd, why)) {
		release(t);
		return NULL;
	}
	restore_in_library(true);
	usable = start_curses(t, color, why);
	restore_in_library(false);
	if (usable)
		return &t->s;
	term_close(&t->s);
	return NULL;
}

/* A terminal that hangs up is noticed a moment before its signal arrives. */
int
term_signal(const struct screen *s)
{
	struct pollfd	p = { .fd = restore_fd(), .events = POLLIN };

	if (((const struct tty_screen *)s)->gone && !restore_ending())
		(void)poll(&p, 1, SIGNAL_MS);
	return restore_ending();
}

int
term_failure(const struct screen *s)
{
	return ((const struct tty_screen *)s)->gone;
}

void
term_close(struct screen *s)
{
	struct tty_screen	*t = term_of(s);
	struct pollfd		 p = { .fd = t->out_fd, .events = POLLOUT };

	/* Give a slow terminal time to accept the restoring bytes. */
	if (poll(&p, 1, STUCK_MS / 3) != 1 || (p.revents & POLLOUT) == 0)
		tcflush(t->fd, TCOFLUSH);
	restore_now();
	restore_close();
	if (t->curses != NULL)
		delscreen(t->curses);
	release(t);
}

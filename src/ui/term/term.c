/*
 * The terminal: the only file that knows curses.
 *
 *	canvas --put--> stdscr --doupdate--> tty        tty --wgetch--> struct input
 *	signals --handler--> flags + a byte in a pipe --wait--> the loop
 *
 * Invariant: from term_open() to term_close() the terminal can be restored at any instruction, by
 * restore(), which uses only what was computed beforehand and never waits for output. Every way
 * out goes through it: the normal one, exit(), the end of memory, signals, faults. endwin() is
 * for suspending alone, because it waits for the terminal to take its output.
 *
 * The handlers are installed before newterm(), which then leaves these signals alone.
 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "ui/term/term.h"

#include <sys/ioctl.h>
#include <sys/time.h>
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
#include "tnav/base/text.h"
#include "ui/draw/canvas.h"
#include "ui/term/key.h"

/* Last, because <term.h> makes macros of names as common as cursor_left. */
#include <curses.h>
#include <term.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "(development)"
#endif

#define ESC_DELAY_MS	100	/* for the rest of a key's bytes to come over a slow link */
#define STUCK_MS	300	/* that the loop has to see a signal that ends the program */
#define ALT_STACK	65536
#define RESTORE_MAX	256
#define COPY_MAX	74994u	/* bytes of base64 that terminals take at once */

/* Codes of our own for keys that curses has no name for. */
#define KEY_PASTE_ON	0x2001
#define KEY_PASTE_OFF	0x2002
#define KEY_MOUSE_SGR	0x2003

static const char	mouse_on[] = "\033[?1002h\033[?1006h";
static const char	mouse_off[] = "\033[?1006l\033[?1002l";
static const char	paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l";
static const char	crash_text[] = "tnav " PACKAGE_VERSION
			    ": ended by a fault of its own; the terminal was restored\n";

static const int	end_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static const int	fault_signals[] = { SIGSEGV, SIGABRT, SIGFPE, SIGILL };

/* All that handlers touch. */
static struct {
	volatile sig_atomic_t	active;		/* the terminal is not as it was */
	volatile sig_atomic_t	in_frame;	/* inside a write that may never return */
	volatile sig_atomic_t	ending;		/* the signal that ends the program */
	volatile sig_atomic_t	resized, stopping, continued;
	volatile sig_atomic_t	away;		/* another program has the terminal */
	int			pipe[2];
	int			fd, out_fd;	/* the terminal; a descriptor that never blocks */
	struct termios		saved;
	char			bytes[RESTORE_MAX];
	volatile sig_atomic_t	nbytes;
	struct sigaction	old_bus;
} tty;

struct tty_screen {
	struct screen	 s;
	SCREEN		*curses;
	FILE		*in, *out;
	bool		 color, own_file, gone, pasting, can_paste, mouse;
	struct termios	 prog;			/* while it is away */
	void		*alt_stack;
	cchar_t		*line;
	size_t		 line_cap;
	struct sigaction old[NSIG];
};

/* ---- what each style looks like; meaning is never in colour alone */
struct look {
	attr_t	attr;		/* always */
	short	fg, bg;		/* with 8 colours or more; -1: the terminal's own */
	short	fg256;		/* with 256; -1: as fg */
};

static const struct look looks[ST_STYLES] = {
	[ST_NORMAL] = { A_NORMAL, -1, -1, -1 },
	[ST_DIM] = { A_DIM, -1, -1, -1 },
	[ST_STRONG] = { A_BOLD, -1, -1, -1 },
	[ST_TOP] = { A_BOLD, -1, -1, -1 },
	[ST_TITLE] = { A_DIM, -1, -1, -1 },
	[ST_FOCUS] = { A_BOLD, COLOR_CYAN, -1, -1 },
	[ST_KEY] = { A_BOLD, -1, -1, -1 },
	[ST_ESCAPED] = { A_REVERSE | A_DIM, -1, -1, -1 },
	[ST_TIME] = { A_NORMAL, -1, -1, -1 },
	[ST_THREAD] = { A_NORMAL, COLOR_CYAN, -1, 109 },
	[ST_EVENT] = { A_BOLD, -1, -1, -1 },
	[ST_BAR] = { A_NORMAL, COLOR_GREEN, -1, 71 },
	[ST_IN_BAR] = { A_REVERSE, COLOR_GREEN, -1, 71 },
	[ST_GAP] = { A_BOLD, COLOR_YELLOW, -1, 214 },
	[ST_WARN] = { A_BOLD, COLOR_YELLOW, -1, 214 },
	[ST_ERROR] = { A_BOLD, COLOR_RED, -1, 203 },
	[ST_RED] = { A_BOLD, COLOR_RED, -1, 203 },
	[ST_GREEN] = { A_BOLD, COLOR_GREEN, -1, 71 },
	[ST_YELLOW] = { A_BOLD, COLOR_YELLOW, -1, 214 },
	[ST_BLUE] = { A_BOLD, COLOR_BLUE, -1, 75 },
	[ST_MAGENTA] = { A_BOLD, COLOR_MAGENTA, -1, 176 },
	[ST_CYAN] = { A_BOLD, COLOR_CYAN, -1, 80 },
};

/* ---- restoring */

static void
restore(void)
{
	sigset_t	ttou, before;
	ssize_t		n;

	if (!tty.active)
		return;
	tty.active = 0;
	sigemptyset(&ttou);
	sigaddset(&ttou, SIGTTOU);	/* in the background, too */
	sigprocmask(SIG_BLOCK, &ttou, &before);
	if (tty.in_frame) {
		tcflush(tty.fd, TCOFLUSH);
		n = write(tty.out_fd, "\030", 1);	/* ends a sequence that was cut */
	}
	n = write(tty.out_fd, tty.bytes, (size_t)tty.nbytes);
	(void)n;
	tcsetattr(tty.fd, TCSANOW, &tty.saved);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void
die_of(int sig)
{
	sigset_t	set;

	restore();
	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
	_exit(128 + sig);
}

static void
on_signal(int sig)
{
	int			 saved_errno = errno;
	struct itimerval	 soon = { .it_value = { .tv_usec = STUCK_MS * 1000 } };
	ssize_t			 n;

	switch (sig) {
	case SIGWINCH:
		tty.resized = 1;
		break;
	case SIGCONT:
		tty.continued = 1;
		break;
	case SIGTSTP:
		tty.stopping = 1;
		break;
	case SIGALRM:
		if (tty.ending)
			die_of(tty.ending);
		break;
	default:
		if (tty.away && (sig == SIGINT || sig == SIGQUIT))
			return;		/* meant for the program that has the terminal */
		tty.ending = sig;
		if (tty.in_frame)
			die_of(sig);
		/* A plain system call, though POSIX forgot it in its list. */
		setitimer(ITIMER_REAL, &soon, NULL);
	}
	n = write(tty.pipe[1], "", 1);
	(void)n;
	errno = saved_errno;
}

static void
on_fault(int sig)
{
	ssize_t	n;

	restore();
	n = write(STDERR_FILENO, crash_text, sizeof crash_text - 1);
	(void)n;
	signal(sig, SIG_DFL);
	raise(sig);	/* delivered when this returns */
}

/*
 * The source's handler comes first: a page that a shrinking file lost is its own affair. If it
 * gave up it has set the default.
 */
static void
on_bus(int sig, siginfo_t *si, void *context)
{
	struct sigaction	now;
	ssize_t			n;

	/* A page that the file lost is the reader's matter; a signal that somebody sent is not. */
	if (si->si_code == BUS_ADRERR && (tty.old_bus.sa_flags & SA_SIGINFO) != 0 &&
	    tty.old_bus.sa_sigaction != NULL) {
		tty.old_bus.sa_sigaction(sig, si, context);
		if (sigaction(SIGBUS, NULL, &now) == 0 && now.sa_handler != SIG_DFL)
			return;
	}
	restore();
	n = write(STDERR_FILENO, crash_text, sizeof crash_text - 1);
	(void)n;
	signal(sig, SIG_DFL);
	raise(sig);
}

static void
install(struct tty_screen *t, int sig, void (*handler)(int), int flags)
{
	struct sigaction	sa = { .sa_handler = handler, .sa_flags = flags };

	sigfillset(&sa.sa_mask);
	if (sigaction(sig, NULL, &t->old[sig]) == 0 && t->old[sig].sa_handler != SIG_IGN)
		sigaction(sig, &sa, NULL);	/* what nohup and friends ignore stays ignored */
}

static void
install_all(struct tty_screen *t)
{
	struct sigaction	bus = { .sa_sigaction = on_bus,
				    .sa_flags = SA_SIGINFO | SA_ONSTACK };
	stack_t			stack = { .ss_size = ALT_STACK };

	t->alt_stack = mem_alloc(ALT_STACK);
	stack.ss_sp = t->alt_stack;
	sigaltstack(&stack, NULL);
	for (size_t i = 0; i < sizeof end_signals / sizeof *end_signals; i++)
		install(t, end_signals[i], on_signal, SA_RESTART);
	for (size_t i = 0; i < sizeof fault_signals / sizeof *fault_signals; i++)
		install(t, fault_signals[i], on_fault, (int)(SA_ONSTACK | SA_RESETHAND));
	install(t, SIGTSTP, on_signal, SA_RESTART);
	install(t, SIGCONT, on_signal, SA_RESTART);
	install(t, SIGWINCH, on_signal, SA_RESTART);
	install(t, SIGALRM, on_signal, SA_RESTART);
	sigfillset(&bus.sa_mask);
	sigaction(SIGBUS, &bus, &tty.old_bus);
}

static void
uninstall_all(struct tty_screen *t)
{
	struct itimerval	off = { 0 };
	stack_t			disable = { .ss_flags = SS_DISABLE, .ss_size = ALT_STACK };

	setitimer(ITIMER_REAL, &off, NULL);
	for (size_t i = 0; i < sizeof end_signals / sizeof *end_signals; i++)
		sigaction(end_signals[i], &t->old[end_signals[i]], NULL);
	for (size_t i = 0; i < sizeof fault_signals / sizeof *fault_signals; i++)
		sigaction(fault_signals[i], &t->old[fault_signals[i]], NULL);
	sigaction(SIGTSTP, &t->old[SIGTSTP], NULL);
	sigaction(SIGCONT, &t->old[SIGCONT], NULL);
	sigaction(SIGWINCH, &t->old[SIGWINCH], NULL);
	sigaction(SIGALRM, &t->old[SIGALRM], NULL);
	sigaction(SIGBUS, &tty.old_bus, NULL);
	sigaltstack(&disable, NULL);
	mem_free(t->alt_stack);
}

/* A terminfo string without its padding, which no terminal that we restore needs. */
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

/* Compute the bytes that restore() writes, for a screen of so many rows. */
static void
prepare_restore(struct tty_screen *t, int rows)
{
	struct buf	b;
	sigset_t	all, before;
	const char	*cup = tigetstr("cup");

	buf_init(&b);
	if (t->mouse)
		buf_puts(&b, mouse_off);
	if (t->can_paste)
		buf_puts(&b, paste_off);
	add_string(&b, tigetstr("sgr0"));
	if (t->color)
		add_string(&b, tigetstr("op"));
	add_string(&b, tigetstr("rmkx"));
	add_string(&b, tparm(cup, rows > 0 ? rows - 1 : 0, 0, 0, 0, 0, 0, 0, 0, 0));
	add_string(&b, tigetstr("el"));
	add_string(&b, tigetstr("rmcup"));
	add_string(&b, tigetstr("cnorm"));
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	tty.nbytes = b.len < RESTORE_MAX ? (int)b.len : 0;
	memcpy(tty.bytes, b.p, (size_t)tty.nbytes);
	sigprocmask(SIG_SETMASK, &before, NULL);
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
	struct winsize	ws;

	if (ioctl(tty.fd, TIOCGWINSZ, &ws) == 0 && ws.ws_row > 0 && ws.ws_col > 0 &&
	    (ws.ws_row != LINES || ws.ws_col != COLS)) {
		resizeterm(ws.ws_row, ws.ws_col);
		prepare_restore(term_of(s), LINES);
	}
	*rows = LINES;
	*cols = COLS;
}

/* The row under the cursor is one bar: each change of style in it would cost bytes twice a move. */
static attr_t
cell_attr(const struct canvas_cell *cell)
{
	attr_t	a = looks[cell->style].attr;

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
		if (t->color && (cell->mark & MARK_CURSOR) == 0)
			pair = (short)(cell->style + 1);
		for (unsigned i = 0; i <= CELL_MARKS; i++)
			w[i] = (wchar_t)cell->cp[i];
		if (setcchar(&t->line[n], w, cell_attr(cell), pair, NULL) == ERR)
			setcchar(&t->line[n], L"?", A_NORMAL, 0, NULL);
		n++;
	}
	mvadd_wchnstr(y, 0, t->line, (int)n);
}

static bool
term_put(struct screen *s, const struct canvas *c)
{
	struct tty_screen	*t = term_of(s);
	struct pollfd	 p = { .fd = tty.fd, .events = POLLOUT };

	if (poll(&p, 1, 0) != 1 || (p.revents & POLLOUT) == 0)
		return false;
	for (int y = 0; y < c->rows && y < LINES; y++)
		put_row(t, c, y);
	curs_set(c->cursor_y >= 0 ? 1 : 0);
	if (c->cursor_y >= 0)
		move(c->cursor_y, c->cursor_x);
	wnoutrefresh(stdscr);
	tty.in_frame = 1;
	if (!tty.ending)
		doupdate();
	tty.in_frame = 0;
	return true;
}

static void
term_wait(struct screen *s, int timeout_ms)
{
	struct tty_screen	*t = term_of(s);
	struct pollfd	 p[2] = { { .fd = tty.fd, .events = POLLIN },
			    { .fd = tty.pipe[0], .events = POLLIN } };
	char		 drop[64];
	int		 bytes = 0;

	if (poll(p, 2, timeout_ms) <= 0)
		return;
	while (p[1].revents != 0 && read(tty.pipe[0], drop, sizeof drop) == (ssize_t)sizeof drop)
		;
	if (p[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		t->gone = true;
	/* Readable without a byte is the end of a terminal that has no line to hang up. */
	else if ((p[0].revents & POLLIN) && ioctl(tty.fd, FIONREAD, &bytes) == 0 && bytes == 0)
		t->gone = true;
}

static int32_t
named_key(int32_t code)
{
	static const struct { int code; int32_t key; } map[] = {
		{ KEY_UP, TK_UP }, { KEY_DOWN, TK_DOWN }, { KEY_LEFT, TK_LEFT },
		{ KEY_RIGHT, TK_RIGHT }, { KEY_HOME, TK_HOME }, { KEY_END, TK_END },
		{ KEY_PPAGE, TK_PGUP }, { KEY_NPAGE, TK_PGDN }, { KEY_IC, TK_INSERT },
		{ KEY_DC, TK_DELETE }, { KEY_BACKSPACE, TK_BACKSPACE }, { KEY_BTAB, TK_BACKTAB },
		{ KEY_ENTER, TK_ENTER }, { KEY_FIND, TK_HOME }, { KEY_SELECT, TK_END },
		{ KEY_A1, TK_HOME }, { KEY_C1, TK_END }, { KEY_A3, TK_PGUP }, { KEY_C3, TK_PGDN },
	};

	for (size_t i = 0; i < sizeof map / sizeof *map; i++)
		if (map[i].code == code)
			return map[i].key;
	if (code >= KEY_F(1) && code <= KEY_F(12))
		return TK_F1 + (code - KEY_F(1));
	return TK_UNKNOWN;
}

/* The rest of a character: a byte that is no part of it is a key of its own. -1: it is none. */
static int32_t
rest_of_character(int first)
{
	uint8_t	bytes[4] = { (uint8_t)first };
	int	n = 1, len = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2, c;
	int32_t	cp;

	wtimeout(stdscr, ESC_DELAY_MS);		/* it may come a little later */
	for (; n < len && first >= 0xc0; n++) {
		c = wgetch(stdscr);
		if (c < 0x80 || c > 0xbf) {
			if (c != ERR)
				ungetch(c);
			break;
		}
		bytes[n] = (uint8_t)c;
	}
	nodelay(stdscr, TRUE);
	return text_decode(bytes, bytes + n, &cp) == (unsigned)n ? cp : -1;
}

/*
 * The next key: a code of curses, or a character, -1 if it is none. The bytes are UTF-8 whatever
 * the locale; curses' own get_wch() waits behind a byte that fits into no character until it has
 * swallowed what follows. False: there is none.
 */
static bool
get_key(int32_t *key, bool *code)
{
	int	c = wgetch(stdscr);

	*code = c >= KEY_MIN;
	*key = c < 0x80 || *code ? c : rest_of_character(c);
	return c != ERR;
}

/* After ESC: nothing, a character (Alt), or a sequence that nobody knows, to its end. */
static int32_t
after_escape(void)
{
	int32_t	ch;
	bool	code;
	int	limit = 4096;

	if (!get_key(&ch, &code))
		return TK_ESC;
	if (code) {
		ungetch(ch);
		return TK_ESC;
	}
	if (ch == '[' || ch == 'O' || ch == ']' || ch == 'P' || ch == '_' || ch == '^') {
		bool	to_st = ch != '[' && ch != 'O';

		while (limit-- > 0 && get_key(&ch, &code)) {
			if (to_st ? ch == '\a' || ch == '\\' : ch >= 0x40 && ch <= 0x7e)
				return TK_UNKNOWN;
		}
		return limit == 4095 ? TK_ALT + (int32_t)'[' : TK_UNKNOWN;
	}
	return ch == 27 ? TK_ESC : ch > 0 ? TK_ALT + ch : TK_UNKNOWN;
}

/* What follows ESC [ < of a mouse: button ; column ; line, then M (down) or m (up). */
static struct input
mouse_input(void)
{
	struct input	in = { .kind = INPUT_MOUSE,
			    .mouse = { .kind = MOUSE_RELEASE, .y = -1, .x = -1 } };
	int		v[3] = { 0 }, n = 0;
	int		wc;

	wtimeout(stdscr, ESC_DELAY_MS);		/* the rest may come a little later */
	for (wc = wgetch(stdscr); wc != ERR; wc = wgetch(stdscr)) {
		if (wc >= '0' && wc <= '9')
			v[n] = v[n] < 100000 ? v[n] * 10 + (wc - '0') : v[n];
		else if (wc == ';' && n < 2)
			n++;
		else
			break;
	}
	nodelay(stdscr, TRUE);
	if (n != 2 || (wc != 'M' && wc != 'm'))
		return in;
	in.mouse.x = v[1] - 1;
	in.mouse.y = v[2] - 1;
	if (v[0] & 64) {
		in.mouse.kind = MOUSE_WHEEL;
		in.mouse.n = (v[0] & 3) == 0 ? -1 : (v[0] & 3) == 1 ? 1 : 0;
	} else if ((v[0] & 3) == 0 && wc == 'M') {
		in.mouse.kind = v[0] & 32 ? MOUSE_DRAG : MOUSE_PRESS;
	}
	return in;
}

static struct input
key_input(struct tty_screen *t, int32_t wc, bool code)
{
	struct input	in = { .kind = INPUT_KEY, .code = wc > 0 ? wc : TK_UNKNOWN };

	if (code && wc == KEY_RESIZE)
		return (struct input){ .kind = INPUT_RESIZE };
	if (code && (wc == KEY_PASTE_ON || wc == KEY_PASTE_OFF)) {
		t->pasting = wc == KEY_PASTE_ON;
		return (struct input){ .kind = INPUT_PASTED };
	}
	if (code && wc == KEY_MOUSE_SGR && !t->pasting)
		return mouse_input();
	if (t->pasting) {
		in.kind = INPUT_PASTED;
		in.code = code || wc < 0 ? 0 : wc;
		return in;
	}
	if (code)
		in.code = named_key(wc);
	else if (wc == 27)
		in.code = after_escape();
	else if (wc == 127 || wc == '\b')
		in.code = TK_BACKSPACE;
	else if (wc == '\n')
		in.code = TK_ENTER;
	return in;
}

static struct input
term_read(struct screen *s)
{
	struct tty_screen	*t = term_of(s);
	int32_t		 key;
	bool		 code;

	if (t->gone || tty.ending)
		return (struct input){ .kind = INPUT_GONE };
	if (tty.stopping) {
		tty.stopping = 0;
		return (struct input){ .kind = INPUT_SUSPEND };
	}
	if (tty.continued) {
		tty.continued = 0;
		s->ops->repaint(s);
		return (struct input){ .kind = INPUT_RESIZE };
	}
	if (tty.resized) {
		tty.resized = 0;
		/* It may be as large as it was by now, but what stood there is gone. */
		clearok(curscr, TRUE);
		return (struct input){ .kind = INPUT_RESIZE };
	}
	if (!get_key(&key, &code))
		return (struct input){ .kind = INPUT_NONE };
	return key_input(t, key, code);
}

static void
put_bytes(const char *s)
{
	ssize_t	n = write(tty.out_fd, s, strlen(s));

	(void)n;	/* a terminal that takes nothing misses nothing */
}

static void
term_repaint(struct screen *s)
{
	struct tty_screen	*t = term_of(s);

	reset_prog_mode();
	if (t->can_paste)
		put_bytes(paste_on);
	if (t->mouse)
		put_bytes(mouse_on);
	clearok(curscr, TRUE);
}

/* Leave the terminal as it was found, for as long as another program has it. */
static void
step_back(struct tty_screen *t, struct termios *prog)
{
	tcgetattr(tty.fd, prog);
	if (t->mouse)
		put_bytes(mouse_off);
	if (t->can_paste)
		put_bytes(paste_off);
	endwin();
	tcsetattr(tty.fd, TCSANOW, &tty.saved);
	tty.active = 0;
}

static void
step_forward(struct tty_screen *t, const struct termios *prog)
{
	tty.active = 1;
	tcsetattr(tty.fd, TCSANOW, prog);
	term_repaint(&t->s);
	keypad(stdscr, TRUE);
	tty.resized = 1;
}

static void
term_suspend(struct screen *s)
{
	struct sigaction	dfl = { .sa_handler = SIG_DFL }, ours;
	struct termios		prog;

	step_back(term_of(s), &prog);
	sigaction(SIGTSTP, &dfl, &ours);
	kill(0, SIGTSTP);	/* the whole job, as the terminal's driver does */
	/* ... and here it goes on. */
	sigaction(SIGTSTP, &ours, NULL);
	step_forward(term_of(s), &prog);
}

static void
term_leave(struct screen *s)
{
	struct tty_screen	*t = term_of(s);

	step_back(t, &t->prog);
	tty.away = 1;
}

static void
term_enter(struct screen *s)
{
	static const char	text[] = "\r\n[tnav: Enter goes back]";
	struct tty_screen	*t = term_of(s);
	char			 c = 0;

	put_bytes(text);
	while (!tty.ending && c != '\n' && c != '\r' && read(tty.fd, &c, 1) == 1)
		;
	tty.away = 0;
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

/* All of it, unless the terminal takes nothing for a while: then the sequence is ended. */
static void
put_whole(const struct buf *b)
{
	struct pollfd	p = { .fd = tty.out_fd, .events = POLLOUT };
	size_t		at = 0;

	while (at < b->len && !tty.ending) {
		ssize_t	n = write(tty.out_fd, b->p + at, b->len - at);

		if (n > 0)
			at += (size_t)n;
		else if (n == 0 || (errno != EAGAIN && errno != EINTR) ||
		    poll(&p, 1, STUCK_MS) == 0)
			break;
	}
	if (at < b->len)
		put_bytes("\030");
}

/* OSC 52; tmux hands it on when it stands in an envelope, its escapes doubled. */
static bool
term_copy(struct screen *s, const char *text, size_t len)
{
	const char	*tmux = getenv("TMUX");
	bool		 wrap = tmux != NULL && tmux[0] != '\0';
	struct buf	 b;

	(void)s;
	if ((len + 2) / 3 * 4 > COPY_MAX)
		return false;
	buf_init(&b);
	buf_puts(&b, wrap ? "\033Ptmux;\033\033]52;c;" : "\033]52;c;");
	put_base64(&b, text, len);
	buf_puts(&b, wrap ? "\a\033\\" : "\a");
	put_whole(&b);
	buf_release(&b);
	return true;
}

static bool
set_mouse(struct tty_screen *t, bool on)
{
	if (!t->can_paste)
		return false;	/* it does not know DEC's private modes */
	t->mouse = on;
	prepare_restore(t, LINES);
	put_bytes(on ? mouse_on : mouse_off);
	return true;
}

static bool
term_set(struct screen *s, const char *name, const char *value)
{
	char	*end;
	long	 n = strtol(value, &end, 10);

	if (strcmp(name, "mouse") == 0)
		return set_mouse(term_of(s), strcmp(value, "on") == 0);
	if (strcmp(name, "esc-delay") != 0 || end == value || *end != '\0' || n < 0 || n > 10000)
		return false;
	set_escdelay((int)n);
	return true;
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
	.agrees = term_agrees,
};

/* ---- opening and closing */

/* Keys come from the standard input, unless a trace does: then from the controlling terminal. */
static bool
open_tty(struct tty_screen *t, struct buf *why)
{
	const char	*name;

	if (isatty(STDIN_FILENO)) {
		tty.fd = STDIN_FILENO;
		t->in = stdin;
	} else {
		t->in = fopen("/dev/tty", "r+e");
		if (t->in == NULL) {
			buf_puts(why, "there is no terminal to read keys from");
			return false;
		}
		t->own_file = true;
		tty.fd = fileno(t->in);
	}
	t->out = stdout;
	name = ttyname(STDOUT_FILENO);
	tty.out_fd = name != NULL ? open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
	if (tty.out_fd < 0)
		tty.out_fd = STDOUT_FILENO;
	if (tcgetattr(tty.fd, &tty.saved) != 0) {
		buf_puts(why, "the terminal can't be asked for its settings");
		return false;
	}
	return true;
}

/* Does this TERM let us place the cursor? */
static bool
term_usable(struct buf *why)
{
	const char	*name = getenv("TERM");
	int		 err = 0;

	if (setupterm(NULL, STDOUT_FILENO, &err) != OK) {
		buf_printf(why, "the terminal type \"%s\" is not known here (TERM)",
		    name != NULL ? name : "");
		return false;
	}
	if (tigetstr("cup") == NULL || tigetstr("cup") == (char *)-1) {
		buf_printf(why, "a terminal of type \"%s\" can't place its cursor (TERM)", name);
		return false;
	}
	return true;
}

static void
start_colors(struct tty_screen *t, enum ui_color color)
{
	const char	*no = getenv("NO_COLOR");

	if (color == UI_COLOR_NEVER || (color == UI_COLOR_AUTO && no != NULL && *no != '\0') ||
	    !has_colors() || start_color() == ERR)
		return;
	use_default_colors();
	t->color = COLOR_PAIRS > ST_STYLES;
	for (short i = 0; t->color && i < ST_STYLES; i++) {
		const struct look	*l = &looks[i];

		init_pair((short)(i + 1), COLORS >= 256 && l->fg256 >= 0 ? l->fg256 : l->fg,
		    l->bg);
	}
}

static void
set_modes(struct tty_screen *t)
{
	const char	*smcup = tigetstr("smcup");

	raw();
	noecho();
	nonl();
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	idlok(stdscr, TRUE);
	leaveok(stdscr, FALSE);
	/* Who knows the private modes of DEC takes this one, or leaves it alone. */
	t->can_paste = smcup != NULL && smcup != (char *)-1 && strncmp(smcup, "\033[?", 3) == 0;
	if (t->can_paste) {
		define_key("\033[200~", KEY_PASTE_ON);
		define_key("\033[201~", KEY_PASTE_OFF);
		define_key("\033[<", KEY_MOUSE_SGR);
		put_bytes(paste_on);
	}
}

struct screen *
term_open(enum ui_color color, struct buf *why)
{
	struct tty_screen	*t = mem_zalloc(1, sizeof *t);

	t->s.ops = &term_ops;
	t->s.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	if (!term_usable(why) || !open_tty(t, why)) {
		mem_free(t);
		return NULL;
	}
	if (pipe(tty.pipe) != 0) {
		buf_printf(why, "no pipe: %s", strerror(errno));
		mem_free(t);
		return NULL;
	}
	for (int i = 0; i < 2; i++) {
		fcntl(tty.pipe[i], F_SETFL, O_NONBLOCK);
		fcntl(tty.pipe[i], F_SETFD, FD_CLOEXEC);
	}
	install_all(t);
	prepare_restore(t, 24);
	tty.active = 1;
	t->curses = newterm(NULL, t->out, t->in);
	if (t->curses == NULL) {
		buf_puts(why, "the terminal can't be used");
		term_close(&t->s);
		return NULL;
	}
	if (getenv("ESCDELAY") == NULL)
		set_escdelay(ESC_DELAY_MS);
	start_colors(t, color);
	set_modes(t);
	prepare_restore(t, LINES);
	mem_on_exhausted(restore);
	atexit(restore);
	return &t->s;
}

int
term_signal(const struct screen *s)
{
	(void)s;
	return tty.ending;
}

void
term_close(struct screen *s)
{
	struct tty_screen	*t = term_of(s);
	struct pollfd	 p = { .fd = tty.fd, .events = POLLOUT };

	/* Give a terminal that is merely slow the time to take the restoring bytes. */
	if (poll(&p, 1, STUCK_MS / 3) != 1 || (p.revents & POLLOUT) == 0)
		tcflush(tty.fd, TCOFLUSH);
	restore();
	uninstall_all(t);
	if (t->curses != NULL)
		delscreen(t->curses);
	if (t->own_file)
		fclose(t->in);
	if (tty.out_fd != STDOUT_FILENO)
		close(tty.out_fd);
	close(tty.pipe[0]);
	close(tty.pipe[1]);
	mem_free(t->line);
	mem_free(t);
}

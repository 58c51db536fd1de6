/*
 * A program in a pseudo-terminal.
 *
 *	program <-slave- pty -master-> pty.c -> libvterm -> lines of text
 */
#include "pty.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <vterm.h>

#include "asserts.h"
#include "tnav/base/buf.h"
#include "tnav/base/text.h"

#define WATCHDOG_S	60
#define SETTLE_MS	50
#define LINE_MAX_BYTES	8192

struct pty {
	int		 master, slave;
	pid_t		 pid;
	bool		 ended;
	int		 status;
	struct termios	 before;
	VTerm		*vt;
	VTermScreen	*screen;
	int		 rows, cols;
	bool		 alternate, cursor;
	struct buf	 output;
	char		 line[LINE_MAX_BYTES];
};

static int
on_property(VTermProp prop, VTermValue *val, void *arg)
{
	struct pty	*p = arg;

	if (prop == VTERM_PROP_ALTSCREEN)
		p->alternate = val->boolean;
	if (prop == VTERM_PROP_CURSORVISIBLE)
		p->cursor = val->boolean;
	return 1;
}

static const VTermScreenCallbacks	callbacks = { .settermprop = on_property };

static void
run_child(struct pty *p, char *const argv[], char *const env[])
{
	close(p->master);
	if (setsid() < 0 || ioctl(p->slave, TIOCSCTTY, 0) != 0)
		_exit(126);
	for (int fd = 0; fd <= 2; fd++)
		if (dup2(p->slave, fd) < 0)
			_exit(126);
	setenv("TERM", "xterm-256color", 1);
	unsetenv("NO_COLOR");
	unsetenv("LINES");
	unsetenv("COLUMNS");
	unsetenv("TMUX");
	/* What the tests' own user has set up and looked at is none of their business. */
	setenv("TNAV_NO_STATE", "1", 1);
	setenv("XDG_CONFIG_HOME", "/dev/null/none", 1);
	for (size_t i = 0; env != NULL && env[i] != NULL; i++)
		putenv(env[i]);
	execv(argv[0], argv);
	_exit(127);
}

struct pty *
pty_start(int rows, int cols, char *const argv[], char *const env[])
{
	struct pty	*p = calloc(1, sizeof *p);
	struct winsize	 ws = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };

	p->rows = rows;
	p->cols = cols;
	p->cursor = true;
	p->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(p->master >= 0 && grantpt(p->master) == 0 && unlockpt(p->master) == 0);
	p->slave = open(ptsname(p->master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(p->slave >= 0);
	assert_int_equal(ioctl(p->slave, TIOCSWINSZ, &ws), 0);
	assert_int_equal(tcgetattr(p->slave, &p->before), 0);
	p->vt = vterm_new(rows, cols);
	vterm_set_utf8(p->vt, 1);
	p->screen = vterm_obtain_screen(p->vt);
	vterm_screen_enable_altscreen(p->screen, 1);
	vterm_screen_set_callbacks(p->screen, &callbacks, p);
	vterm_screen_reset(p->screen, 1);
	p->pid = fork();
	assert_true(p->pid >= 0);
	if (p->pid == 0)
		run_child(p, argv, env);
	return p;
}

struct pty *
pty_tnav(const char *script, const char *trace, int rows, int cols, char *const env[])
{
	const char	*srcdir = getenv("srcdir"), *tnav = getenv("TNAV");
	char		 program[4096], path[4096], bash[] = "/bin/bash", c[] = "-c";
	char		*text = strdup(script != NULL ? script : "");
	struct pty	*p;

	snprintf(program, sizeof program, "%s", tnav != NULL ? tnav : "./tnav");
	snprintf(path, sizeof path, "%s%s%s", trace[0] == '/' ? "" : srcdir != NULL ? srcdir : ".",
	    trace[0] == '/' ? "" : "/", trace);
	p = script != NULL ?
	    pty_start(rows, cols, (char *[]){ bash, c, text, program, path, NULL }, env) :
	    pty_start(rows, cols, (char *[]){ program, path, NULL }, env);
	free(text);
	return p;
}

void
pty_free(struct pty *p)
{
	if (!p->ended) {
		kill(p->pid, SIGKILL);
		waitpid(p->pid, &p->status, 0);
	}
	close(p->master);
	close(p->slave);
	vterm_free(p->vt);
	buf_release(&p->output);
	free(p);
}

pid_t
pty_pid(const struct pty *p)
{
	return p->pid;
}

/* Take output for at most timeout_ms; the bytes read, 0 when none came. */
static size_t
take(struct pty *p, int timeout_ms)
{
	struct pollfd	pf = { .fd = p->master, .events = POLLIN };
	char		bytes[16384];
	ssize_t		n;

	if (poll(&pf, 1, timeout_ms) != 1 || (pf.revents & POLLIN) == 0)
		return 0;
	n = read(p->master, bytes, sizeof bytes);
	if (n <= 0)
		return 0;
	vterm_input_write(p->vt, bytes, (size_t)n);
	buf_add(&p->output, bytes, (size_t)n);
	return (size_t)n;
}

static bool
reap(struct pty *p)
{
	if (!p->ended && waitpid(p->pid, &p->status, WNOHANG) == p->pid)
		p->ended = true;
	return p->ended;
}

bool
pty_running(struct pty *p)
{
	return !reap(p);
}

static void
give_up(struct pty *p, const char *what, const char *text)
{
	fprintf(stderr, "%s \"%s\"; the program has %s; the screen:\n", what, text,
	    p->ended ? "ended" : "not ended");
	for (int y = 0; y < p->rows; y++)
		fprintf(stderr, "%2d|%s\n", y, pty_line(p, y));
	fail();
}

void
pty_send(struct pty *p, const char *bytes)
{
	size_t	len = strlen(bytes);

	while (len > 0) {
		ssize_t	n = write(p->master, bytes, len);

		assert_true(n > 0);
		bytes += n;
		len -= (size_t)n;
	}
}

void
pty_hang_up(struct pty *p)
{
	close(p->master);
	p->master = -1;
}

void
pty_resize(struct pty *p, int rows, int cols)
{
	struct winsize	ws = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };

	p->rows = rows;
	p->cols = cols;
	vterm_set_size(p->vt, rows, cols);
	assert_int_equal(ioctl(p->master, TIOCSWINSZ, &ws), 0);
	/* The kernel tells the terminal's foreground process group: the program. */
}

void
pty_show(struct pty *p, const char *bytes)
{
	vterm_input_write(p->vt, bytes, strlen(bytes));
}

const char *
pty_line(struct pty *p, int y)
{
	size_t	len = 0, keep = 0;

	for (int x = 0; x < p->cols;) {
		VTermScreenCell	cell;
		VTermPos	pos = { .row = y, .col = x };

		if (!vterm_screen_get_cell(p->screen, pos, &cell))
			break;
		if (cell.chars[0] == 0)
			p->line[len++] = ' ';
		for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i] != 0; i++) {
			uint32_t	c = cell.chars[i];

			if (len + 8 > sizeof p->line || c == UINT32_MAX)
				break;
			len += text_encode((int32_t)c, p->line + len);
		}
		if (len > 0 && p->line[len - 1] != ' ')
			keep = len;
		x += cell.width > 0 ? cell.width : 1;
	}
	p->line[keep] = '\0';
	return p->line;
}

static void
dump_color(struct buf *out, const VTermColor *c)
{
	if (VTERM_COLOR_IS_INDEXED(c) && !VTERM_COLOR_IS_DEFAULT_FG(c) &&
	    !VTERM_COLOR_IS_DEFAULT_BG(c))
		buf_printf(out, "%u", c->indexed.idx);
	buf_putc(out, ',');
}

/* Of a blank what can be seen: the terminal may be told to erase it, or to write one. */
void
pty_dump(struct pty *p, struct buf *out)
{
	for (int y = 0; y < p->rows; y++) {
		for (int x = 0; x < p->cols; x++) {
			VTermScreenCell	cell;
			VTermPos	pos = { .row = y, .col = x };

			if (!vterm_screen_get_cell(p->screen, pos, &cell))
				continue;
			if (cell.chars[0] == 0) {
				cell.chars[0] = ' ';
				cell.chars[1] = 0;
			}
			for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i] != 0; i++)
				buf_printf(out, "%x ", cell.chars[i]);
			buf_printf(out, "%u%u", cell.attrs.underline, cell.attrs.reverse);
			if (cell.chars[0] != ' ' || cell.attrs.reverse) {
				buf_printf(out, "%u", cell.attrs.bold);
				dump_color(out, &cell.fg);
			}
			dump_color(out, &cell.bg);
			buf_putc(out, ';');
		}
		buf_putc(out, '\n');
	}
}

static int
find_line(struct pty *p, const char *text)
{
	for (int y = 0; y < p->rows; y++)
		if (strstr(pty_line(p, y), text) != NULL)
			return y;
	return -1;
}

bool
pty_has(struct pty *p, const char *text)
{
	return find_line(p, text) >= 0;
}

/* False: the program ended before. */
static bool
wait_for(struct pty *p, const char *text, bool there)
{
	time_t	until = time(NULL) + WATCHDOG_S;

	while (pty_has(p, text) != there) {
		if (take(p, 100) == 0 && reap(p) && take(p, 0) == 0)
			return false;
		if (time(NULL) > until)
			give_up(p, there ? "never came:" : "never went:", text);
	}
	return true;
}

bool
pty_reaches(struct pty *p, const char *text)
{
	return wait_for(p, text, true);
}

void
pty_wait_text(struct pty *p, const char *text)
{
	if (!wait_for(p, text, true))
		give_up(p, "not there:", text);
}

void
pty_try(struct pty *p, const char *bytes, const char *text)
{
	pty_send(p, bytes);
	pty_wait_text(p, text);
}

int
pty_wait_line(struct pty *p, const char *text)
{
	pty_wait_text(p, text);
	return find_line(p, text);
}

void
pty_wait_gone(struct pty *p, const char *text)
{
	if (!wait_for(p, text, false))
		give_up(p, "still there:", text);
}

int
pty_wait_end(struct pty *p, bool read_output)
{
	time_t	until = time(NULL) + WATCHDOG_S;

	while (!reap(p)) {
		if (read_output)
			(void)take(p, 20);
		else
			poll(NULL, 0, 20);
		if (time(NULL) > until)
			give_up(p, "the program", "does not end");
	}
	while (take(p, 20) > 0)
		;
	return p->status;
}

void
pty_stall(struct pty *p, const char *keys, int times)
{
	fcntl(p->master, F_SETFL, fcntl(p->master, F_GETFL) | O_NONBLOCK);
	for (int i = 0; i < times; i++) {
		ssize_t	n = write(p->master, keys, strlen(keys));

		(void)n;		/* a full queue of keys is full enough */
		poll(NULL, 0, 2);
	}
	fcntl(p->master, F_SETFL, fcntl(p->master, F_GETFL) & ~O_NONBLOCK);
}

size_t
pty_drain(struct pty *p, int quiet_ms)
{
	size_t	all = 0, n;

	do {
		n = take(p, quiet_ms);
		all += n;
	} while (n > 0);
	return all;
}

/* How often a thread went to sleep, if it sleeps now; -1: it does not, or that is not known. */
static long
thread_sleeps(const struct pty *p, const char *thread)
{
	char	 path[320], line[256], state = 0;
	long	 n = -1;
	FILE	*f;

	snprintf(path, sizeof path, "/proc/%ld/task/%s/status", (long)p->pid, thread);
	f = fopen(path, "r");
	while (f != NULL && fgets(line, sizeof line, f) != NULL)
		if (sscanf(line, "State: %c", &state) != 1)
			(void)sscanf(line, "voluntary_ctxt_switches: %ld", &n);
	if (f != NULL)
		fclose(f);
	return state == 'S' ? n : -1;
}

/*
 * The same of all threads: those in the background, which a busy machine lets wait, change the
 * screen when they end.
 */
static long
sleeps(const struct pty *p)
{
	char		 path[64];
	struct dirent	*d;
	long		 all = 0;
	DIR		*dir;

	snprintf(path, sizeof path, "/proc/%ld/task", (long)p->pid);
	dir = opendir(path);
	while (dir != NULL && all >= 0 && (d = readdir(dir)) != NULL) {
		long	n = d->d_name[0] != '.' ? thread_sleeps(p, d->d_name) : 0;

		all = n < 0 ? -1 : all + n;
	}
	if (dir != NULL)
		closedir(dir);
	return dir != NULL ? all : -1;
}

void
pty_settle(struct pty *p)
{
	bool	known = access("/proc/self/status", R_OK) == 0;
	time_t	until = time(NULL) + WATCHDOG_S;
	long	before;

	do {
		before = sleeps(p);
		if (time(NULL) > until)
			give_up(p, "the program", "does not rest");
	} while (pty_drain(p, SETTLE_MS) > 0 ||
	    (!reap(p) && known && (before < 0 || before != sleeps(p))));
}

const void *
pty_output(const struct pty *p, size_t *len)
{
	*len = p->output.len;
	return p->output.p;
}

long
pty_last(const struct pty *p, const char *bytes)
{
	size_t		 len, n = strlen(bytes);
	const char	*out = pty_output(p, &len);

	for (size_t i = len < n ? 0 : len - n + 1; i-- > 0; )
		if (memcmp(out + i, bytes, n) == 0)
			return (long)i;
	return -1;
}

bool
pty_alternate(const struct pty *p)
{
	return p->alternate;
}

bool
pty_cursor_visible(const struct pty *p)
{
	return p->cursor;
}

bool
pty_termios_same(const struct pty *p)
{
	struct termios	now;

	assert_int_equal(tcgetattr(p->slave, &now), 0);
	return now.c_iflag == p->before.c_iflag && now.c_oflag == p->before.c_oflag &&
	    now.c_cflag == p->before.c_cflag && now.c_lflag == p->before.c_lflag &&
	    memcmp(now.c_cc, p->before.c_cc, sizeof now.c_cc) == 0;
}

void
pty_check_restored(struct pty *p)
{
	assert_true(pty_termios_same(p));
	assert_false(pty_alternate(p));
	assert_true(pty_cursor_visible(p));
}

void
pty_quit(struct pty *p, const char *keys, int code)
{
	int	status;

	if (keys != NULL)
		pty_send(p, keys);
	status = pty_wait_end(p, true);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != code)
		fail_msg("wait status %x, not exit code %d", (unsigned)status, code);
	pty_check_restored(p);
	pty_free(p);
}

bool
pty_reverse(struct pty *p, int y, int x)
{
	VTermScreenCell	cell;
	VTermPos	pos = { .row = y, .col = x };

	return vterm_screen_get_cell(p->screen, pos, &cell) && cell.attrs.reverse;
}

bool
pty_background(struct pty *p, int y, int x)
{
	VTermScreenCell	cell;
	VTermPos	pos = { .row = y, .col = x };

	return vterm_screen_get_cell(p->screen, pos, &cell) && !VTERM_COLOR_IS_DEFAULT_BG(&cell.bg);
}

static void
put_index(struct buf *out, const VTermColor *c, bool own)
{
	if (own)
		buf_putc(out, '.');
	else
		buf_printf(out, "%u", c->indexed.idx);
}

static void
put_look(struct buf *out, const VTermScreenCell *c)
{
	bool	seen = c->chars[0] != 0 && c->chars[0] != ' ';

	if (c->attrs.bold && (seen || c->attrs.reverse))
		buf_putc(out, '+');
	if (c->attrs.underline)
		buf_putc(out, '_');
	if (c->attrs.reverse)
		buf_putc(out, '!');
	if ((VTERM_COLOR_IS_DEFAULT_FG(&c->fg) || !seen) && VTERM_COLOR_IS_DEFAULT_BG(&c->bg))
		return;
	put_index(out, &c->fg, VTERM_COLOR_IS_DEFAULT_FG(&c->fg));
	buf_putc(out, '/');
	put_index(out, &c->bg, VTERM_COLOR_IS_DEFAULT_BG(&c->bg));
}

void
pty_looks(struct pty *p, int y, struct buf *out)
{
	struct buf	look[2] = { 0 };
	int		n = 0;

	for (int x = 0; x <= p->cols; x++) {
		VTermScreenCell	 cell;
		VTermPos	 pos = { .row = y, .col = x };
		struct buf	*now = &look[x % 2], *last = &look[(x + 1) % 2];

		buf_clear(now);
		if (x < p->cols && vterm_screen_get_cell(p->screen, pos, &cell))
			put_look(now, &cell);
		if (x > 0 && (x == p->cols || strcmp(buf_str(now), buf_str(last)) != 0)) {
			buf_printf(out, "%s%s:%d", out->len > 0 ? " " : "", buf_str(last), n);
			n = 0;
		}
		n++;
	}
	buf_release(&look[0]);
	buf_release(&look[1]);
}

bool
pty_coloured(struct pty *p)
{
	for (int y = 0; y < p->rows; y++)
		for (int x = 0; x < p->cols; x++) {
			VTermScreenCell	cell;
			VTermPos	pos = { .row = y, .col = x };

			if (vterm_screen_get_cell(p->screen, pos, &cell) &&
			    (!VTERM_COLOR_IS_DEFAULT_FG(&cell.fg) ||
			    !VTERM_COLOR_IS_DEFAULT_BG(&cell.bg)))
				return true;
		}
	return false;
}

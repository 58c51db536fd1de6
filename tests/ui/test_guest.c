/*
 * A good guest in the terminal: few bytes, nothing left behind, and other programs let in and out.
 */
#include <signal.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/pty.h"
#include "../support/test.h"
#include "../support/tier.h"

#define DROPPED		"tests/data/features/v4-dropped-events.nettrace"
#define DEMO		"tests/data/demo.nettrace"
#define SCROLL_BYTES	300u	/* for one line at 24 x 80 */
#define QUIET_MS	300
#define LINES		20		/* that are scrolled; in a sample: */
#define LINES_SAMPLE	5

static bool
sent(struct pty *p, const char *bytes)
{
	size_t		 len;
	const char	*all = pty_output(p, &len);

	return memmem(all, len, bytes, strlen(bytes)) != NULL;
}

/* ---- bytes */

TEST(a_scrolled_line_takes_few_bytes_and_rest_takes_none)
{
	struct pty	*p = pty_tnav(NULL, DEMO, 24, 80, NULL);
	char		 want[32];

	pty_wait_text(p, "row 0");
	pty_try(p, "30j", "row 30");
	pty_settle(p);
	for (int i = 31; i < 31 + (check_all() ? LINES : LINES_SAMPLE); i++) {
		size_t	before, len;

		(void)pty_output(p, &before);
		snprintf(want, sizeof want, "row %d ", i);
		pty_try(p, "j", want);
		pty_settle(p);
		(void)pty_output(p, &len);
		if (len - before > SCROLL_BYTES)
			fail_msg("%zu bytes for one line", len - before);
	}
	assert_int_equal(pty_drain(p, QUIET_MS), 0);
	pty_quit(p, "Q", 0);
}

TEST(keys_that_are_there_already_cost_no_frame_each)
{
	struct pty	*p = pty_tnav(NULL, DEMO, 24, 80, NULL);
	struct buf	*keys = test_buf();
	size_t		 len;

	for (int i = 0; i < 400; i++)
		buf_putc(keys, ' ');
	pty_wait_text(p, "row 0");
	(void)pty_drain(p, QUIET_MS);
	pty_send(p, buf_str(keys));
	len = pty_drain(p, QUIET_MS);
	if (len > 40000)	/* of some 400 x 1,500 */
		fail_msg("%zu bytes for 400 pages", len);
	pty_quit(p, "Q", 0);
}

/* ---- where traces and keys come from */

TEST(a_trace_from_a_pipe_leaves_the_keys_to_the_terminal)
{
	struct pty	*p = pty_tnav("cat \"$1\" | \"$0\" -", DEMO, 24, 80, NULL);

	pty_wait_text(p, "10,854");
	pty_try(p, "jj", "row 2");
	pty_quit(p, "Q", 0);
	/* ... also while it still comes. */
	p = pty_tnav("{ head -c 300000 \"$1\"; sleep 2; tail -c +300001 \"$1\"; } | \"$0\" -",
	    DEMO, 24, 80, NULL);
	pty_wait_text(p, "[reading ");
	pty_try(p, "?", "In events");
	pty_send(p, "q");
	pty_wait_gone(p, "[reading ");
	pty_wait_text(p, "10,854");
	pty_quit(p, "Q", 0);
}

/* "1,555" */
static unsigned
number_at(const char *s)
{
	unsigned	n = 0;

	for (s += strspn(s, " "); (*s >= '0' && *s <= '9') || *s == ','; s++)
		if (*s != ',')
			n = n * 10 + (unsigned)(*s - '0');
	return n;
}

/* A viewer of a trace that comes through a pipe: so many bytes, the others once the gate is open. */
struct gated {
	char		 dir[32], gate[64];
	int		 fd;
	struct pty	*p;
};

static void
gated_start(struct gated *g, const char *trace, unsigned bytes)
{
	char	script[256];

	snprintf(g->dir, sizeof g->dir, "/tmp/tnav-gate-XXXXXX");
	assert_non_null(mkdtemp(g->dir));
	snprintf(g->gate, sizeof g->gate, "%s/gate", g->dir);
	assert_int_equal(mkfifo(g->gate, 0600), 0);
	snprintf(script, sizeof script, "{ head -c %u \"$1\"; cat %s; tail -c +%u \"$1\"; } | "
	    "\"$0\" -", bytes, g->gate, bytes + 1);
	g->p = pty_tnav(script, trace, 24, 80, NULL);
	g->fd = open(g->gate, O_WRONLY | O_CLOEXEC);	/* waits for its reader */
	assert_true(g->fd >= 0);
}

static void
gated_let_go(struct gated *g)
{
	close(g->fd);
	unlink(g->gate);
	rmdir(g->dir);
}

/*
 * demo.nettrace comes as far as 300,000 bytes. In front of that are 3,159 events that can be read,
 * and no more than 1,555 of the 4,811 of thread 12.
 */
TEST(lanes_grow_with_a_trace_that_comes_slowly)
{
	struct gated	 g;
	const char	*lane, *shown;
	unsigned	 n;

	gated_start(&g, DEMO, 300000);
	pty_wait_text(g.p, " 3,159 ev");
	pty_send(g.p, "\033" "1");
	pty_wait_text(g.p, ", indexing");
	lane = pty_line(g.p, pty_wait_line(g.p, "  12     "));
	assert_in_range(number_at(strstr(lane, "12 ") + 3), 1, 1555);
	/* All that has come is in the list, too. */
	shown = strstr(pty_line(g.p, 0), "V4 ");
	assert_non_null(shown);
	n = number_at(shown + 2);
	lane = strstr(pty_line(g.p, pty_wait_line(g.p, "all    ")), "all ");
	assert_int_equal(number_at(lane + 3), n);
	lane = pty_line(g.p, pty_wait_line(g.p, "  12     "));
	assert_non_null(strstr(lane, "\xe2\x96"));	/* bars */
	pty_send(g.p, "\033" "5");
	pty_wait_text(g.p, "indexing, 3");
	gated_let_go(&g);
	pty_wait_text(g.p, "whole trace, 4 threads");
	pty_send(g.p, "\033" "1");
	pty_wait_gone(g.p, "growing");
	pty_wait_text(g.p, "4,811");
	pty_quit(g.p, "Q", 0);
}

/*
 * The exception after the last of the 28 events in front of byte 12,000 is that of row 28. A step
 * to it waits until it comes, unless Esc comes first.
 */
TEST(a_step_waits_for_what_is_not_read_yet)
{
	struct gated	g;

	for (int stopped = 0; stopped < 2; stopped++) {
		gated_start(&g, "tests/data/spans/cut-exceptions.nettrace", 12000);
		pty_wait_text(g.p, "28 ev");
		pty_send(g.p, "G");
		pty_wait_text(g.p, "row 27");
		pty_send(g.p, "e");
		pty_wait_text(g.p, "no later exception or error yet: waiting");
		if (stopped) {
			pty_send(g.p, "\033");
			pty_wait_text(g.p, "stopped");
			pty_wait_text(g.p, "row 27");
		}
		gated_let_go(&g);
		pty_wait_text(g.p, "75 events");
		pty_wait_text(g.p, stopped ? "row 27" : "row 28");
		pty_wait_gone(g.p, "waiting");
		pty_quit(g.p, "Q", 0);
	}
}

/* ---- other programs */

TEST(stopped_it_leaves_the_terminal_as_it_was_and_comes_back_whole)
{
	struct pty	*p = pty_tnav("set -m; \"$0\" \"$1\"; echo STOPPED; read x; fg >/dev/null",
			    DROPPED, 24, 80, NULL);

	pty_wait_text(p, "n=9");
	pty_try(p, "j\032", "STOPPED");
	pty_check_restored(p);
	pty_resize(p, 30, 100);
	pty_try(p, "\r", "row 1");
	pty_wait_text(p, "n=9");
	assert_true(pty_alternate(p));
	pty_try(p, "j", "row 2");
	pty_quit(p, "Q", 0);
}

TEST(a_command_of_the_users_has_the_terminal_while_it_runs)
{
	struct pty	*p = pty_tnav(NULL, DEMO, 24, 80, NULL);

	pty_wait_text(p, "row 0");
	pty_wait_gone(p, "[indexing");
	pty_try(p, "|wc -l\r", "press Enter");
	assert_true(pty_has(p, "10854"));
	assert_false(pty_alternate(p));
	pty_try(p, "\r", "rows piped");
	/* Ctrl-C is the command's; one that reads little ends the writing quietly. */
	/* Nothing that is waited for stands in the prompt, or is left of the command before. */
	pty_try(p, "|printf '\\033[2Jbe%s' gun; exec sleep 1000\r", "begun");
	pty_try(p, "\003", "press Enter");
	pty_try(p, "\r", "signal 2");
	pty_try(p, "|printf '\\033[2Jbe%s' gun; head -n 1 >/dev/null\r", "begun");
	pty_wait_text(p, "press Enter");
	pty_try(p, "\r", "row 0");
	pty_quit(p, "Q", 0);
}

TEST(the_clipboard_is_that_of_the_terminal_in_tmux_too)
{
	static char	 tmux[] = "TMUX=/tmp/x,1,0";
	struct pty	*p = pty_tnav(NULL, DROPPED, 24, 80, NULL);

	pty_wait_text(p, "n=9");
	(void)pty_drain(p, QUIET_MS);
	assert_false(sent(p, "]52;"));		/* only when asked */
	pty_try(p, "yt", "copied");
	assert_true(sent(p, "\033]52;c;MC4wMDEwMDAwMDBz\a"));	/* 0.001000000s */
	pty_quit(p, "Q", 0);
	p = pty_tnav(NULL, DROPPED, 24, 80, (char *[]){ tmux, NULL });
	pty_wait_text(p, "n=9");
	pty_try(p, "yt", "only (OSC 52): tmux");	/* there is no such server */
	assert_true(sent(p, "\033]52;c;MC4wMDEwMDAwMDBz\a"));
	assert_false(sent(p, "\033Ptmux;"));
	pty_quit(p, "Q", 0);
}

/* ---- ends */

TEST(a_terminal_that_is_gone_ends_it_even_if_nobody_hears_the_signal)
{
	static const char *const	scripts[] = {
		"exec \"$0\" \"$1\"", "trap '' HUP; exec \"$0\" \"$1\"",
	};

	for (size_t i = 0; i < 2; i++) {
		struct pty	*p = pty_tnav(scripts[i], DEMO, 24, 80, NULL);
		int		 status;

		pty_wait_text(p, "row 0");
		pty_hang_up(p);
		status = pty_wait_end(p, false);
		if (i == 0)
			assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
		else
			assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
		pty_free(p);
	}
}

/* In the background, where nobody stops it for reading, each read of the terminal fails. */
TEST(a_terminal_whose_reads_fail_ends_it)
{
	struct pty	*p = pty_tnav("trap '' TTIN TTOU; set -m; \"$0\" \"$1\" </dev/tty & "
			    "wait $!; echo code $?", DEMO, 24, 80, NULL);

	pty_wait_text(p, "row 0");
	pty_try(p, "j", "the terminal is gone: Input/output error");
	pty_wait_text(p, "code 3");
	(void)pty_wait_end(p, true);
	pty_check_restored(p);
	pty_free(p);
}

TEST(a_terminal_that_takes_no_output_any_more_ends_it)
{
	char		 script[256], text[4096];
	int		 other = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	struct winsize	 ws = { .ws_row = 24, .ws_col = 80 };
	struct pty	*p;

	assert_true(other >= 0 && grantpt(other) == 0 && unlockpt(other) == 0);
	assert_int_equal(ioctl(other, TIOCSWINSZ, &ws), 0);
	snprintf(script, sizeof script, "\"$0\" \"$1\" >%s; echo code $?", ptsname(other));
	p = pty_tnav(script, DEMO, 24, 80, NULL);
	assert_true(read(other, text, sizeof text) > 0);
	close(other);
	pty_wait_text(p, "the terminal is gone: Input/output error");
	pty_wait_text(p, "code 3");
	(void)pty_wait_end(p, true);
	assert_true(pty_termios_same(p));
	pty_free(p);
}

/* ---- files */

TEST(a_file_that_may_not_grow_is_a_write_that_failed)
{
	char		 path[] = "tnav-guest-XXXXXX";
	int		 fd = mkstemp(path);
	struct pty	*p;

	assert_true(fd >= 0);
	close(fd);
	unlink(path);
	p = pty_tnav("ulimit -f 8; exec \"$0\" \"$1\"", DEMO, 24, 80, NULL);
	pty_wait_text(p, "row 0");
	pty_wait_gone(p, "[indexing");
	pty_send(p, "P");
	pty_send(p, path);
	pty_try(p, "\r", "File too large");
	assert_int_equal(access(path, F_OK), -1);
	pty_quit(p, "Q", 0);
}

TEST(what_was_looked_at_comes_back_the_next_time)
{
	static char	 off[] = "TNAV_NO_STATE=", dir[] = "tnav-guest-XXXXXX", env[4200];
	char		 here[4096];
	struct pty	*p;

	assert_non_null(mkdtemp(dir));
	assert_non_null(getcwd(here, sizeof here));
	snprintf(env, sizeof env, "XDG_STATE_HOME=%s/%s", here, dir);
	for (int i = 0; i < 2; i++) {
		p = pty_tnav(NULL, DROPPED, 24, 80, (char *[]){ off, env, NULL });
		if (i == 0) {
			pty_wait_text(p, "n=9");
			pty_try(p, "f", "filter:");
			pty_send(p, "tid = 6\r");
		} else {
			pty_wait_text(p, "[restored filter: X drops it]");
		}
		pty_wait_text(p, "1 of 4");
		pty_quit(p, "Q", 0);
	}
	assert_int_equal(test_remove(dir), 0);
}

/*
 * The program itself in a pseudo-terminal: what is on the cells, and that the terminal is as it
 * was, however the program ends.
 */
#include <signal.h>
#include <sys/wait.h>

#include "../support/pty.h"
#include "../support/test.h"

#define DROPPED	"tests/data/features/v4-dropped-events.nettrace"
#define DEMO	"tests/data/demo.nettrace"

TEST(a_session_on_a_small_trace)
{
	struct pty	*p = pty_tnav(NULL, DROPPED, 24, 80, NULL);
	int		 y;

	pty_wait_text(p, "n=9");
	assert_true(pty_alternate(p));
	assert_non_null(strstr(pty_line(p, 0), "v4-dropped-events.nettrace"));
	y = pty_wait_line(p, "0.001 000");
	assert_true(pty_reverse(p, y, 10));
	assert_true(pty_has(p, "5: 3 events lost within 1 ms (seq 2 \xe2\x80\xa6 4)"));
	pty_try(p, "jj", "row 2");
	pty_try(p, "/n=9\r", "1 of 1");
	pty_wait_text(p, "row 3");
	pty_try(p, "f", "filter:");
	pty_try(p, "tid = 5\r", "3 of 4");
	pty_try(p, "X@2ms\r", "row 1");
	pty_try(p, "g}", "thread 5: 3 events lost");
	pty_resize(p, 50, 200);
	pty_wait_text(p, "details");
	pty_wait_text(p, "sorted by lost");
	assert_true(pty_wait_line(p, "row 1") == 49);
	pty_wait_text(p, "Feat.V4Drop");
	pty_resize(p, 24, 80);
	pty_wait_gone(p, "sorted by lost");
	pty_quit(p, "q", 0);
}

TEST(the_mouse_is_asked_for_on_request_alone_and_given_back)
{
	struct pty	*p = pty_tnav(NULL, DROPPED, 24, 80, NULL);
	char		 click[32];
	int		 status;

	pty_wait_text(p, "n=9");
	assert_int_equal(pty_last(p, "\033[?1002h"), -1);
	pty_try(p, ":mouse on\r", "mouse on");
	assert_true(pty_last(p, "\033[?1002h") > 0);
	/* A click on the last event, in two pieces as a slow line may bring it. */
	snprintf(click, sizeof click, ";20;%dM", pty_wait_line(p, "n=9") + 1);
	pty_send(p, "\033[<0");
	pty_try(p, click, "row 3");
	/* Other buttons, a wheel to the side and cells that no screen has do nothing. */
	pty_send(p, "\033[<128;20;9M\033[<66;20;9M\033[<2;20;9M\033[<0;99999;99999M\033[<0;0;0M"
	    "\033[<0;4294967297;4294967305M\033[<0;-3;9M\033[<0;3M");
	pty_try(p, "k", "row 2");
	pty_send(p, "\033[<64;20;10M");		/* the wheel, up */
	pty_wait_text(p, "row 0");
	pty_send(p, "Q");
	status = pty_wait_end(p, true);
	assert_true(WIFEXITED(status));
	assert_true(pty_last(p, "\033[?1002l") > pty_last(p, "\033[?1002h"));
	assert_true(pty_last(p, "\033[?1006l") > pty_last(p, "\033[?1006h"));
	pty_check_restored(p);
	pty_free(p);
}

TEST(a_session_on_a_real_trace)
{
	struct pty	*p = pty_tnav(NULL, DEMO, 24, 80, NULL);

	pty_wait_text(p, "row 0");
	pty_wait_gone(p, "indexing");
	pty_try(p, "/GC.*Start\r", "1 of ");
	pty_wait_text(p, "GC");
	pty_try(p, "\r", "details");
	pty_try(p, "q\033" "5", "sorted by events");
	pty_try(p, "?", "In threads");
	pty_send(p, "qq");
	pty_wait_gone(p, "sorted by events");
	pty_resize(p, 50, 200);
	pty_wait_text(p, "sorted by events");
	pty_wait_text(p, "details");
	pty_quit(p, "Q", 0);
}

TEST(f10_and_arrows_are_known)
{
	struct pty	*p = pty_tnav(NULL, DROPPED, 24, 80, NULL);

	pty_wait_text(p, "n=9");
	pty_try(p, "\033OB\033OB", "row 2");
	pty_send(p, "\033[31;99;7u");		/* a sequence that nobody knows */
	pty_wait_text(p, "no command on this key");
	pty_try(p, "\033", "q quits");
	pty_quit(p, "\033[21~", 0);
}

TEST(bytes_that_are_no_character_take_no_other_key_along)
{
	static char	 c[] = "LC_ALL=C", utf8[] = "LC_ALL=C.UTF-8";
	char		*env[] = { c, utf8 };

	for (int i = 0; i < 2; i++) {
		struct pty	*p = pty_tnav(NULL, DROPPED, 24, 80, (char *[]){ env[i], NULL });

		pty_wait_text(p, "n=9");
		pty_try(p, "\xe9jj", "row 2");
		pty_send(p, "/\xc3\xa9\xff" "a\xe7\x95\x8c" "b");
		pty_wait_text(p, i == 0 ? "<U+00E9>a<U+754C>b" : "\xc3\xa9" "a\xe7\x95\x8c" "b");
		pty_quit(p, "\aQ", 0);
	}
}

TEST(a_screen_that_was_another_for_a_moment_is_drawn_anew)
{
	struct pty	*p = pty_tnav(NULL, DROPPED, 24, 80, NULL);
	size_t		 before, len;
	const char	*out;

	pty_wait_text(p, "n=9");
	pty_settle(p);
	(void)pty_output(p, &before);
	kill(pty_pid(p), SIGWINCH);
	pty_settle(p);
	out = pty_output(p, &len);
	assert_non_null(memmem(out + before, len - before, "n=9", 3));
	pty_quit(p, "q", 0);
}

TEST(a_paste_runs_nothing)
{
	struct pty	*p = pty_tnav(NULL, DROPPED, 24, 80, NULL);

	pty_wait_text(p, "row 0");
	pty_try(p, "\033[200~jjQq\rQ\033[201~", "pasted text ignored");
	assert_true(pty_has(p, "row 0") || !pty_has(p, "row 2"));
	pty_try(p, "f\033[200~tid = 6\033[201~\r", "1 of 4");
	pty_quit(p, "q", 0);
}

TEST(without_unicode_the_screen_is_ascii)
{
	static char	 env[] = "LC_ALL=C";
	struct pty	*p = pty_tnav(NULL, DROPPED, 24, 80, (char *[]){ env, NULL });

	pty_wait_text(p, "> events");
	pty_wait_text(p, "-- 5: 3 events lost");
	for (int y = 0; y < 24; y++)
		for (const char *s = pty_line(p, y); *s != '\0'; s++)
			assert_true(*s >= ' ' && *s < 127);
	pty_quit(p, "q", 0);
}

TEST(no_color_means_no_colour)
{
	static char	 env[] = "NO_COLOR=1";
	struct pty	*p = pty_tnav(NULL, DROPPED, 24, 80, (char *[]){ env, NULL });

	pty_wait_text(p, "row 0");
	assert_false(pty_coloured(p));
	pty_quit(p, "q", 0);
	p = pty_tnav(NULL, DROPPED, 24, 80, NULL);
	pty_wait_text(p, "row 0");
	assert_true(pty_coloured(p));
	pty_quit(p, "q", 0);
}

TEST(odd_terminals_are_refused_or_served)
{
	char	bad[][16] = { "TERM=nonesuch", "TERM=dumb", "TERM=" };
	char	good[][16] = { "TERM=vt100", "TERM=linux", "TERM=screen", "TERM=ansi" };

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct pty	*p = pty_tnav(NULL, DROPPED, 24, 80, (char *[]){ bad[i], NULL });

		pty_wait_text(p, "tnav dump");
		pty_quit(p, NULL, 2);
	}
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct pty	*p = pty_tnav(NULL, DROPPED, 24, 80, (char *[]){ good[i], NULL });

		pty_wait_text(p, "row 0");
		pty_quit(p, "q", 0);
	}
}

TEST(sizes_change_at_any_time)
{
	struct pty	*p = pty_tnav(NULL, DEMO, 24, 80, NULL);

	for (int i = 0; i < 100; i++)
		pty_resize(p, 1 + i * 7 % 60, 1 + i * 13 % 220);
	pty_resize(p, 3, 10);
	pty_wait_text(p, "too small");
	pty_resize(p, 24, 80);
	pty_wait_gone(p, "too small");
	pty_wait_text(p, "row 0");
	pty_quit(p, "q", 0);
}

/* A terminal that is resized between two bytes of a frame may keep or cut the region of that moment. */
TEST(lines_scroll_in_the_whole_screen_after_a_resize_and_at_the_end)
{
	static const char	part[] = "\033[1;5r", delete_last[] = "\033[24;1H\033[M";
	struct pty		*p = pty_tnav(NULL, DEMO, 24, 80, NULL);

	pty_wait_text(p, "row 0");
	pty_settle(p);
	pty_show(p, part);
	pty_show(p, delete_last);
	assert_string_not_equal(pty_line(p, 23), "");
	pty_resize(p, 24, 90);
	pty_settle(p);
	assert_string_not_equal(pty_line(p, 23), "");
	pty_show(p, delete_last);
	assert_string_equal(pty_line(p, 23), "");
	pty_show(p, part);
	assert_int_equal(kill(pty_pid(p), SIGTERM), 0);
	(void)pty_wait_end(p, true);
	pty_show(p, "\033[24;1Hlast");
	assert_string_equal(pty_line(p, 23), "last");
	pty_show(p, delete_last);
	assert_string_equal(pty_line(p, 23), "");
	pty_free(p);
}

TEST(every_signal_that_ends_it_restores_the_terminal)
{
	static const int	signals[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS,
				    SIGABRT, SIGFPE, SIGILL, SIGSYS, SIGPIPE, SIGXCPU,
				    SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2 };

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct pty	*p = pty_tnav(NULL, DEMO, 24, 80, NULL);
		int		 status;

		pty_wait_text(p, "row 0");
		kill(pty_pid(p), signals[i]);
		status = pty_wait_end(p, true);
		if (!WIFSIGNALED(status) || WTERMSIG(status) != signals[i])
			fail_msg("signal %d: wait status %x", signals[i], (unsigned)status);
		pty_check_restored(p);
		pty_free(p);
	}
}

TEST(a_stalled_terminal_does_not_keep_it_from_ending)
{
	static const int	signals[] = { SIGTERM, SIGHUP, SIGINT };

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct pty	*p = pty_tnav(NULL, DEMO, 50, 200, NULL);
		int		 status;

		pty_wait_text(p, "row 0");
		pty_stall(p, "  bb", 300);
		kill(pty_pid(p), signals[i]);
		status = pty_wait_end(p, false);
		if (!WIFSIGNALED(status) || WTERMSIG(status) != signals[i])
			fail_msg("signal %d: wait status %x", signals[i], (unsigned)status);
		assert_true(pty_termios_same(p));
		pty_free(p);
	}
}

TEST(an_idle_program_sends_nothing)
{
	struct pty	*p = pty_tnav(NULL, DROPPED, 24, 80, NULL);

	pty_wait_text(p, "row 0");
	pty_settle(p);
	(void)pty_drain(p, 500);
	assert_int_equal(pty_drain(p, 1000), 0);
	pty_quit(p, "q", 0);
}

/*
 * The program with a heap that ends, at each allocation between start and the first frame: exit
 * code 4, a line that says so, and the terminal as it was. Libraries' own allocations count.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/pty.h"
#define OWN_MAIN
#include "../support/test.h"
#include "../support/tier.h"

/* A sanitizer has a heap of its own, whose place no program can take. */
#ifdef __has_feature
#define SANITIZED	(__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED	1
#else
#define SANITIZED	0
#endif

#define TRACE	"tests/data/features/v4-dropped-events.nettrace"
#define COUNT	"tests/ui/test_nomem.count"
#define FRAME	"row 0"		/* of the first event, on the bottom line of the first frame */
#define SAMPLE	60

static void
write_zero(void)
{
	uint64_t	zero = 0;
	FILE		*f = fopen(COUNT, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(&zero, sizeof zero, 1, f), 1);
	assert_int_equal(fclose(f), 0);
}

static uint64_t
read_count(void)
{
	uint64_t	n = 0;
	FILE		*f = fopen(COUNT, "r");

	assert_non_null(f);
	assert_int_equal(fread(&n, sizeof n, 1, f), 1);
	fclose(f);
	return n;
}

static struct pty *
start(const char *at, bool once)
{
	static char	 program[] = "tests/support/nomem", count[] = "TNAV_NOMEM_COUNT=" COUNT;
	static char	 only[] = "TNAV_NOMEM_ONCE=1";
	char		 trace[4096], number[64];
	const char	*srcdir = getenv("srcdir");

	write_zero();
	snprintf(trace, sizeof trace, "%s/%s", srcdir != NULL ? srcdir : ".", TRACE);
	snprintf(number, sizeof number, "TNAV_NOMEM_AT=%s", at);
	return pty_start(24, 80, (char *[]){ program, trace, NULL },
	    (char *[]){ count, number, once ? only : NULL, NULL });
}

/* What was sent to change the terminal was undone later. */
static bool
undone(struct pty *p)
{
	static const char *const	pairs[][2] = {
		{ "\033[?1049h", "\033[?1049l" }, { "\033[?1h", "\033[?1l" },
		{ "\033=", "\033>" }, { "\033[?2004h", "\033[?2004l" },
		{ "\033[?25l", "\033[?25h" },
	};

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (pty_last(p, pairs[i][0]) > pty_last(p, pairs[i][1]))
			return false;
	return true;
}

/* The end of a program that was refused memory from the number on, or once. */
static void
check_end(uint64_t n, bool once)
{
	char		 at[32];
	struct pty	*p;
	bool		 shown;
	int		 status;

	snprintf(at, sizeof at, "%llu", (unsigned long long)n);
	p = start(at, once);
	shown = pty_reaches(p, FRAME);
	if (shown && pty_running(p))
		pty_send(p, "Q");
	status = pty_wait_end(p, true);
	if (!WIFEXITED(status))
		fail_msg("allocation %s refused (once: %d): wait status %x", at, once,
		    (unsigned)status);
	/* A library may do without what it was refused once. What other threads take before the first
	   frame in one run they take after it in another: then nothing was refused, or only when
	   the program had already decided to end. */
	if (!shown || WEXITSTATUS(status) != 0) {
		if (WEXITSTATUS(status) != 4 || pty_last(p, "tnav: out of memory") < 0)
			fail_msg("allocation %s refused (once: %d): exit code %d, message %s", at,
			    once, WEXITSTATUS(status),
			    pty_last(p, "tnav: out of memory") < 0 ? "missing" : "there");
	}
	if (!undone(p))
		fail_msg("allocation %s refused (once: %d): a mode is left on", at, once);
	pty_check_restored(p);
	pty_free(p);
}

static void
check_all_of(bool once)
{
	struct pty	*p;
	uint64_t	 n;
	bool		*take;

	p = start("18446744073709551615", once);
	pty_wait_text(p, FRAME);
	n = read_count();
	pty_quit(p, "Q", 0);
	/* That the heap is ours at all, that of curses too. */
	assert_true(n > 100);
	take = calloc(n, sizeof *take);
	assert_non_null(take);
	(void)check_sample(take, n, SAMPLE);
	for (uint64_t i = 0; i < n; i++)
		if (take[i])
			check_end(i, once);
	free(take);
	unlink(COUNT);
}

TEST(when_memory_ends_the_terminal_is_restored_and_the_code_is_4)
{
	check_all_of(false);
}

TEST(one_refusal_ends_it_so_too_or_changes_nothing)
{
	check_all_of(true);
}

int
main(void)
{
#if SANITIZED
	puts("built with sanitizers: their heap stands alone");
	return 0;
#endif
	return test_run("tests");
}

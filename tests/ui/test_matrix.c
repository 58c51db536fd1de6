/*
 * The program in all kinds of terminals: each TERM in each locale at each size draws, follows keys
 * and leaves; one that can't serve says so and what to do instead.
 */
#include <sys/wait.h>

#include "../support/pty.h"
#include "../support/test.h"
#include "../support/tier.h"

#define DEMO	"tests/data/demo.nettrace"

static const char *const	terms[] = {
	"xterm-256color", "xterm", "screen", "linux", "vt100", "ansi",
};
static const char *const	locales[] = { "C", "C.UTF-8" };
static const struct { int rows, cols; } sizes[] = {
	{ 10, 40 }, { 24, 80 }, { 43, 132 }, { 50, 200 }, { 1, 1 },
};

#define TERMS	(sizeof terms / sizeof *terms)
#define LOCALES	(sizeof locales / sizeof *locales)
#define SIZES	(sizeof sizes / sizeof *sizes)
#define SAMPLE	15u

static struct pty *
start(const char *term, const char *locale, int rows, int cols)
{
	char	t[64], l[64], state[] = "XDG_STATE_HOME=/dev/null/none";

	snprintf(t, sizeof t, "TERM=%s", term);
	snprintf(l, sizeof l, "LC_ALL=%s", locale);
	return pty_tnav(NULL, DEMO, rows, cols, (char *[]){ t, l, state, NULL });
}

static void
assert_left(struct pty *p, int code, const char *what)
{
	int	status = pty_wait_end(p, true);

	if (!WIFEXITED(status) || WEXITSTATUS(status) != code)
		fail_msg("%s: wait status %x", what, (unsigned)status);
	assert_true(pty_termios_same(p));
	pty_free(p);
}

static void
one(const char *term, const char *locale, int rows, int cols)
{
	struct pty	*p = start(term, locale, rows, cols);
	char		 what[128];

	snprintf(what, sizeof what, "%s, %s, %dx%d", term, locale, cols, rows);
	if (rows > 1) {
		pty_wait_text(p, "row 0");
		pty_wait_text(p, "events");
		pty_try(p, "jj", "row 2");
		pty_try(p, "\033" "5", "threads");
		pty_try(p, "?", "help");
		if (strcmp(locale, "C") == 0)
			for (int y = 0; y < rows; y++)
				for (const char *s = pty_line(p, y); *s != '\0'; s++)
					if (*s < ' ' || *s > '~')
						fail_msg("%s: line %d: %s", what, y, pty_line(p, y));
	} else {
		(void)pty_drain(p, 300);	/* nothing can be read there, and nothing breaks */
	}
	pty_send(p, "Q");
	assert_left(p, 0, what);
}

TEST(every_terminal_in_every_locale_at_every_size)
{
	bool	take[TERMS * LOCALES * SIZES];

	(void)check_sample(take, TERMS * LOCALES * SIZES, SAMPLE);
	for (size_t i = 0; i < TERMS * LOCALES * SIZES; i++)
		if (take[i])
			one(terms[i % TERMS], locales[i / TERMS % LOCALES],
			    sizes[i / TERMS / LOCALES].rows, sizes[i / TERMS / LOCALES].cols);
}

TEST(a_terminal_that_cannot_serve_is_told_what_can)
{
	static const char *const	bad[] = { "dumb", "nonesuch", "", "unknown" };

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		for (size_t l = 0; l < sizeof locales / sizeof *locales; l++) {
			struct pty	*p = start(bad[i], locales[l], 24, 80);

			pty_wait_text(p, "tnav dump");
			assert_false(pty_alternate(p));
			assert_left(p, 2, bad[i]);
		}
}

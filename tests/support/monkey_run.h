/*
 * Scripts of a monkey, each in a process of its own; one that breaks is made as short as it can be
 * and printed.
 *
 * TNAV_MONKEY_S=600 goes on for so many seconds, TNAV_MONKEY_SEED=7 begins with that seed,
 * TNAV_MONKEY_STEPS=400 makes scripts longer, TNAV_MONKEY_TRACE=FILE takes that trace alone, and
 * TNAV_MONKEY_SCRIPT=FILE plays what was printed.
 */
#ifndef TNAV_TESTS_MONKEY_RUN_H
#define TNAV_TESTS_MONKEY_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "monkey.h"

/*
 * Lines: "trace NAME PERCENT", how much of it; "screen ...", what the test makes of it; then steps.
 */
struct script {
	char	**line;
	size_t	  n, cap;
};

#define MONKEY_SCREEN	1		/* the line of that */
#define MONKEY_FIRST	2		/* the first step's */

struct monkey_test {
	unsigned	seeds, steps;	/* of make check */
	off_t		max;		/* bytes of a trace there */
	/* Choose a screen and append what the test wants to know of it. */
	void		(*screen)(struct monkey *m, struct buf *out);
	/* Play the steps; the working directory is a folder of their own. */
	void		(*play)(const struct script *s, const char *path, const struct buf *whole);
};

/* The exit code of the test. Not cmocka's, whose handlers of signals would come before those of
   the sanitizers. */
int	monkey_main(const struct monkey_test *test);

#endif

/*
 * What a monkey does at a viewer: a script of steps from a seed, a step a line, so that it can be
 * printed, cut down and played again.
 *
 *	key j <Down> C-d M-5		keys by name
 *	prompt f tid = 6		a prompt by its key, emptied, filled and entered
 *	type tid = 6			characters; \xNN is a byte, \\ a backslash
 *	paste tid = 6\x0a		the same, pasted
 *	mouse press 5 10 0		press, drag, release or wheel; line, column, steps
 *	size 24 80			another size of the screen
 *	file cut 50			change the file: see monkey_file()
 *
 * Behind the first word of a step stands a ! when the next one is not to wait for what it does.
 */
#ifndef TNAV_TESTS_MONKEY_H
#define TNAV_TESTS_MONKEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"

struct monkey {
	uint64_t	state;
	unsigned	rush;		/* percent of steps that are not waited for */
};

void		monkey_init(struct monkey *m, uint64_t seed);
uint64_t	monkey_below(struct monkey *m, uint64_t n);	/* 0 to n - 1 */
/* Append the next step, without a line end. */
void		monkey_step(struct monkey *m, struct buf *out);
/* The text of prompt, type and paste. */
void		monkey_text(const char *escaped, struct buf *out);

/*
 * Do to the file at path what a step says; whole: what it was at first.
 *
 *	cut P	keep P percent		grow P	P percent of it once more at its end
 *	flip P	change a byte there	whole	all of it, in place
 *	new P	another file, P percent of it, stands in its place
 *	gone	there is no file
 */
void		monkey_file(const char *path, const struct buf *whole, const char *what);

struct command;

/* Does it leave the viewer, whatever is shown? */
bool		monkey_quits(const struct command *cmd);
/* Texts that the monkey pipes rows to: nothing else may reach a shell. */
bool		monkey_may_run(const char *command);

#endif

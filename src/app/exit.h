/*
 * The exit codes of the program.
 */
#ifndef APP_EXIT_H
#define APP_EXIT_H

#include <stddef.h>

enum exit_code {
	EXIT_CLEAN,
	EXIT_DAMAGED,
	EXIT_USAGE,		/* or not readable as a trace */
	EXIT_OUTPUT,
	EXIT_RESOURCE,
};

/* What help and the man page say of a code. */
struct exit_text {
	enum exit_code	 code;
	const char	*phrase;
	const char	*text;
};

/* NULL at the end. */
const struct exit_text *exit_text(size_t i);

/* The code that the result of reading a trace comes to. */
int	exit_of_reading(int err);

#endif

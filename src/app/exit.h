/*
 * The exit codes of the program.
 */
#ifndef APP_EXIT_H
#define APP_EXIT_H

#include <stddef.h>

enum exit_code {
	EXIT_CLEAN,
	EXIT_DAMAGED,
	EXIT_USAGE,		/* a wrong command line, or not a trace */
	EXIT_OUTPUT,
	EXIT_RESOURCE,
	EXIT_CHANGED,		/* diff --fail-on */
};

/* The description of a code, for help and man page. */
struct exit_text {
	enum exit_code	 code;
	const char	*phrase;
	const char	*text;
};

/* NULL at the end. */
const struct exit_text *exit_text(size_t i);

/* Say in a message_put() what is wrong with the command line or the file. Returns EXIT_USAGE. */
int	exit_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The exit code for the result of reading a trace. */
int	exit_of_reading(int err);
/* Make it the worse one of itself and another code. */
void	exit_worsen(int *code, int other);

#endif

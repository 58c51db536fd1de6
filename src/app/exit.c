/*
 * The exit codes of the program: see the header.
 */
#include "app/exit.h"

#include <stdarg.h>

#include "tnav/base/err.h"
#include "tnav/out/message.h"

static const struct exit_text texts[] = {
	{ EXIT_CLEAN, "done",
	    "The work is done, and no damage was found. Lost events alone are not damage. The "
	    "viewer always ends with 0 after a normal quit." },
	{ EXIT_DAMAGED, "done, but the trace is damaged",
	    "The trace is damaged, cut short, or unreadable in part. Everything readable was "
	    "printed." },
	{ EXIT_USAGE, "wrong usage, or not a trace",
	    "The command line is wrong, or the file cannot be read as a trace." },
	{ EXIT_OUTPUT, "the output could not be written",
	    "The output could not be written. When a pipe is closed, SIGPIPE ends tnav without a "
	    "message." },
	{ EXIT_RESOURCE, "out of memory or another resource",
	    "The machine is out of memory, address space or file descriptors." },
	{ EXIT_CHANGED, "changed by more than --fail-on allows",
	    "diff has found a change beyond a limit of --fail-on." },
};

const struct exit_text *
exit_text(size_t i)
{
	return i < sizeof texts / sizeof texts[0] ? &texts[i] : NULL;
}

int
exit_usage(const char *fmt, ...)
{
	va_list	ap;

	va_start(ap, fmt);
	message_vput(fmt, ap);
	va_end(ap);
	return EXIT_USAGE;
}

int
exit_of_reading(int err)
{
	if (err >= 0)
		return EXIT_CLEAN;
	return err == ERR_NOMEM || err == ERR_LIMIT ? EXIT_RESOURCE : EXIT_DAMAGED;
}

void
exit_worsen(int *code, int other)
{
	if (other > *code)
		*code = other;
}

/*
 * The phrases for the error numbers.
 */
#include "tnav/base/err.h"

static const char *const	texts[] = {
	[-ERR_IO] = "input/output error", [-ERR_NOMEM] = "out of memory",
	[-ERR_TRUNCATED] = "the data is cut short",
	[-ERR_FORMAT] = "the data violates the format",
	[-ERR_UNSUPPORTED] = "not supported, or too new",
	[-ERR_LIMIT] = "a limit of the program was reached", [-ERR_CANCELED] = "cancelled",
	[-ERR_USAGE] = "not a valid request",
};

const char *
err_text(int err)
{
	if (err >= 0)
		return "no error";
	return err > -(int)(sizeof texts / sizeof *texts) ? texts[-err] : "unknown error";
}

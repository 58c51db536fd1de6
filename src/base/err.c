/*
 * The phrases for the error numbers.
 */
#include "tnav/base/err.h"

const char *
err_text(int err)
{
	switch (err) {
	case ERR_IO:
		return "input/output error";
	case ERR_NOMEM:
		return "out of memory";
	case ERR_TRUNCATED:
		return "the data is cut short";
	case ERR_FORMAT:
		return "the data violates the format";
	case ERR_UNSUPPORTED:
		return "not supported, or too new";
	case ERR_LIMIT:
		return "a limit of the program was reached";
	case ERR_CANCELED:
		return "cancelled";
	case ERR_USAGE:
		return "not a valid request";
	default:
		return err >= 0 ? "no error" : "unknown error";
	}
}

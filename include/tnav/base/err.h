/*
 * Error numbers. Results are int: >= 0 fine, negative one of these.
 * Iterators: 1 one more, 0 end, negative an error.
 */
#ifndef TNAV_BASE_ERR_H
#define TNAV_BASE_ERR_H

enum err {
	ERR_OK = 0,
	ERR_IO = -1,		/* the operating system reports an error: see errno */
	ERR_NOMEM = -2,
	ERR_TRUNCATED = -3,	/* the bytes end too early */
	ERR_FORMAT = -4,	/* the bytes are not what the format says */
	ERR_UNSUPPORTED = -5,	/* too new, or of a kind that is not read */
	ERR_LIMIT = -6,		/* a limit of tnav/base/limits.h */
	ERR_CANCELED = -7,
	ERR_USAGE = -8,
};

/* A lower-case phrase without a full stop; never NULL. */
const char	*err_text(int err);

#endif

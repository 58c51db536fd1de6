/*
 * The format of a state file: one "name value" per line. In a value, every byte except printable
 * ASCII, and \ itself, is written as \xHH, so a value is always one line.
 *
 *	tnav-state 1
 *	filter-add text = "a\x0ab"
 *
 * A file without the first line was written by an older version, as a script. Its lines are read as
 * records without escapes, and a value continues after a line end inside quotes.
 */
#ifndef UI_STATE_RECORD_H
#define UI_STATE_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "tnav/base/buf.h"

struct record_reader {
	const char	*p, *end;
	bool		 old;		/* written by an older version */
	unsigned	 wrong;		/* malformed lines */
	size_t		 vain;		/* bytes searched for the ends of quotes without one */
};

void	record_head(struct buf *out);		/* the first line */
void	record_put(struct buf *out, const char *name, const char *value);
void	record_reader_init(struct record_reader *r, const char *p, size_t len);
/* The next record. Clears name and value first. False: no more. */
bool	record_next(struct record_reader *r, struct buf *name, struct buf *value);

#endif

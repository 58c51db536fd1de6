/*
 * The form of a state file: data, one "name value" a line. In a value every byte but printable
 * ASCII, and \ itself, stands as \xHH, so that a value is one line whatever it holds.
 *
 *	tnav-state 1
 *	filter-add text = "a\x0ab"
 *
 * A file without the first line is of an older version, which wrote a script: its lines are taken
 * for records as they are, and a value goes on over a line end that stands in its quotes.
 */
#ifndef UI_STATE_RECORD_H
#define UI_STATE_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "tnav/base/buf.h"

struct record_reader {
	const char	*p, *end;
	bool		 old;		/* of an older version */
	unsigned	 wrong;		/* lines that are no records */
	size_t		 vain;		/* bytes gone through for quotes that have no end */
};

void	record_head(struct buf *out);		/* the first line */
void	record_put(struct buf *out, const char *name, const char *value);
void	record_reader_init(struct record_reader *r, const char *p, size_t len);
/* The next record; name and value are cleared first. False: there is none. */
bool	record_next(struct record_reader *r, struct buf *name, struct buf *value);

#endif

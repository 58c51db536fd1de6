/*
 * Traces over bytes in memory, and what they show as text.
 *
 *	struct rows *r = rows_open(bytes, len, "heph");
 *						indexed to its end; the bytes in an exact heap block
 *	rows_as_text(r)				a line an event: "100 7 heph/name {...}\n"
 *	rows_findings(r)			a line a finding: "warning cut 20\n", notes left out
 *
 * They are closed at the end of the rule, if not before.
 */
#ifndef TNAV_TESTS_ROWS_H
#define TNAV_TESTS_ROWS_H

#include "tnav/base/buf.h"
#include "tnav/engine/trace.h"

struct rows {
	struct trace	*t;		/* NULL: it was refused, why says so */
	int		 err;
	struct buf	 why, text;
	uint8_t		*bytes;
	size_t		 len;
};

struct rows	*rows_open(const void *bytes, size_t len, const char *format);
/* The same for a file of $srcdir/tests/data. */
struct rows	*rows_open_data(const char *name, const char *format);
void		 rows_close(struct rows *r);
const char	*rows_as_text(struct rows *r);
const char	*rows_file_order(struct rows *r);	/* likewise, as they lie in the file */
const char	*rows_findings(struct rows *r);
/* The addresses of an event's stack: "1000 2000". */
const char	*rows_stack(struct rows *r, uint64_t row);

#endif

/*
 * Quoted texts of the filter language, read and written. Private to the engine.
 */
#ifndef ENGINE_FILTER_QUOTE_H
#define ENGINE_FILTER_QUOTE_H

#include <stdbool.h>
#include <stddef.h>

#include "tnav/base/buf.h"

enum quote_end {
	QUOTE_CLOSED,
	QUOTE_OPEN,		/* the text ended first */
	QUOTE_BAD_ESCAPE,	/* *pos is at its backslash */
};

/* Does a quoted text begin here? How many bytes open it: 1, for $" 2, else 0. */
size_t	quote_opens(const char *s, size_t len);
/*
 * Read the text that is opened at *pos by a quote or by a slash, and leave *pos behind it. With
 * want not SIZE_MAX, *where is the place in s of byte want of the text.
 */
enum quote_end quote_read(const char *s, size_t len, size_t *pos, struct buf *out, size_t want,
	    size_t *where);

#endif

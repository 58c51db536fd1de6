/*
 * Reading quoted texts of the filter language. Private to the engine.
 */
#ifndef ENGINE_FILTER_QUOTE_H
#define ENGINE_FILTER_QUOTE_H

#include <stdbool.h>
#include <stddef.h>

#include "tnav/base/buf.h"

enum quote_end {
	QUOTE_CLOSED,
	QUOTE_OPEN,		/* the text ended first */
	QUOTE_BAD_ESCAPE,	/* *pos is the escape's backslash */
};

/* The number of bytes that open a quoted text at s: 1, or 2 for $"; 0: there is none. */
size_t	quote_opens(const char *s, size_t len);
/*
 * Read the text that a quote or a slash opens at *pos, and move *pos past it. If want is not
 * SIZE_MAX, *where is the offset in s of byte want of the text.
 */
enum quote_end quote_read(const char *s, size_t len, size_t *pos, struct buf *out, size_t want,
	    size_t *where);

#endif

/*
 * Searching bytes for one short text, as UTF-8 or as UTF-16LE, with or without case.
 *
 *	needle_init(&n, "gc/st", 5, true, false);
 *	needle_begin(&s, &n, bytes);
 *	for (p = needle_next(&s); p != NULL; p = needle_next(&s)) ...
 *
 * A search without case folds only ASCII letters. Since PCRE2 folds U+212A to k and U+017F to s, a
 * k or an s also matches any character beyond ASCII: the search may find too much, never too
 * little.
 */
#ifndef TNAV_BASE_NEEDLE_H
#define TNAV_BASE_NEEDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/cursor.h"

#define NEEDLE_MOST	64u		/* bytes of the text as it is searched for */

struct needle {
	uint8_t	text[NEEDLE_MOST];	/* lower case if caseless */
	uint8_t	len, unit;		/* bytes; bytes per code unit: 1 or 2 */
	uint8_t	at;			/* offset of the byte that memchr() looks for */
	uint8_t	first[2];		/* this byte in both cases */
	int8_t	beside;			/* offset of its neighbour, which must be equal to */
	uint8_t	beside_is, beside_fold;	/* ... beside_is after beside_fold is ORed in */
	bool	caseless, sure;		/* sure: every hit is an occurrence of the text */
};

struct needle_scan {
	const struct needle	*n;
	const uint8_t		*begin, *end, *next[2];
};

/* text is valid UTF-8; if caseless, ASCII. False: it is too long, or has only k and s. */
bool	needle_init(struct needle *n, const char *text, size_t len, bool caseless, bool utf16);
void	needle_begin(struct needle_scan *s, const struct needle *n, struct span bytes);
/* The next hit, or NULL. If n->sure, the occurrence begins n->at bytes before the result. */
const uint8_t *needle_next(struct needle_scan *s);
bool	needle_in(const struct needle *n, struct span bytes);

#endif

/*
 * Searching bytes for one short text, as UTF-8 or as UTF-16LE, with or without case.
 *
 *	needle_init(&n, "gc/st", 5, true, false);
 *	needle_begin(&s, &n, bytes);
 *	for (p = needle_next(&s); p != NULL; p = needle_next(&s)) ...
 *
 * Without case only ASCII letters fold, and k and s are taken to be any character beyond ASCII
 * too, as U+212A and U+017F are a k and an s to PCRE2: it may find too much, never too little.
 */
#ifndef TNAV_BASE_NEEDLE_H
#define TNAV_BASE_NEEDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/cursor.h"

#define NEEDLE_MOST	64u		/* bytes of the text as it is searched for */

struct needle {
	uint8_t	text[NEEDLE_MOST];	/* small letters where case is none */
	uint8_t	len, unit;		/* bytes; bytes of a character: 1 or 2 */
	uint8_t	at;			/* the byte that is looked for first, */
	uint8_t	first[2];		/* ... in both cases */
	int8_t	beside;			/* so far from it lies a byte that is this, */
	uint8_t	beside_is, beside_fold;	/* ... once these bits are set */
	bool	caseless, sure;		/* sure: nothing is found that is not the text */
};

struct needle_scan {
	const struct needle	*n;
	const uint8_t		*begin, *end, *next[2];
};

/* False: it is longer, or without a character to go by. text: valid UTF-8; caseless: ASCII. */
bool	needle_init(struct needle *n, const char *text, size_t len, bool caseless, bool utf16);
void	needle_begin(struct needle_scan *s, const struct needle *n, struct span bytes);
/* A byte of the next place where it occurs: n->at bytes after its begin if sure. NULL: none. */
const uint8_t *needle_next(struct needle_scan *s);
bool	needle_in(const struct needle *n, struct span bytes);

#endif

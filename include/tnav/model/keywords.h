/*
 * The words for keyword bits of .NET's own providers, from src/model/clr/keywords.tsv.
 */
#ifndef TNAV_MODEL_KEYWORDS_H
#define TNAV_MODEL_KEYWORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"

struct keyword {
	struct span	provider, name;
	struct span	text;		/* what it turns on; "-": no description */
	uint64_t	bits;
};

/* Enumerate: *at is NULL before the first. False: no more. */
bool	keyword_next(const char **at, struct keyword *k);
/* The next one of the provider that is set in mask and has a description. */
bool	keyword_next_of(const char **at, const char *provider, uint64_t mask, struct keyword *k);
/* The bits of a name, in any case, for a provider (NULL: any); false if there are none. */
bool	keyword_bit(const char *provider, struct span name, uint64_t *bits);
/* All known bits of a provider; 0: none is known. */
uint64_t keyword_mask(const char *provider);
/* Append " GC Exception": the words for the bits set in mask. Bits without a word are left out. */
void	keyword_words(struct buf *out, const char *provider, uint64_t mask);

#endif

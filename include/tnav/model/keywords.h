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
	struct span	text;		/* what it turns on; "-" where nobody says */
	uint64_t	bits;
};

/* All of them: *at is NULL before the first. False: there are no more. */
bool	keyword_next(const char **at, struct keyword *k);
/* The next one of the provider that mask has, and that is explained. */
bool	keyword_next_of(const char **at, const char *provider, uint64_t mask, struct keyword *k);
/* The bits of a name, in any case, for a provider (NULL: any); false if there are none. */
bool	keyword_bit(const char *provider, struct span name, uint64_t *bits);
/* Append " GC Exception": the words for what is set of mask; bits without a word have none. */
void	keyword_words(struct buf *out, const char *provider, uint64_t mask);

#endif

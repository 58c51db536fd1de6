/*
 * Texts, each kept once, by number.
 */
#ifndef ANALYSIS_TEXTS_H
#define ANALYSIS_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"

#define TEXT_NONE	UINT32_MAX

struct texts;

struct texts	*texts_new(void);
void		 texts_free(struct texts *t);
/* The number of a text: 0, 1 ... in the order of first occurrence. TEXT_NONE: no room. */
uint32_t	 texts_add(struct texts *t, struct span text);
uint32_t	 texts_add_str(struct texts *t, const char *text);
/* Valid until texts_free(). */
struct span	 texts_at(const struct texts *t, uint32_t i);

/* Counts how often each text occurs: {"Induced":19,"AllocSmall":5}. A zeroed one is empty. */
struct text_counts {
	struct texts	*texts;
	uint64_t	*count;		/* by number */
	size_t		 n, cap;
};
void		 text_counts_release(struct text_counts *c);
void		 text_counts_add(struct text_counts *c, struct span text, uint64_t by);
/* Append the JSON object, in the order of first occurrence. */
void		 text_counts_json(const struct text_counts *c, struct buf *out);

#endif

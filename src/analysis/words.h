/*
 * Texts of a trace, each kept once and known by its number: names of types, of methods, paths.
 */
#ifndef ANALYSIS_WORDS_H
#define ANALYSIS_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/cursor.h"

#define WORD_NONE	UINT32_MAX

struct words;

struct words	*words_new(void);
void		 words_free(struct words *w);		/* NULL is fine */
/* Its number, counted from 0. Beyond LIMIT_WORDS of them, or their bytes, all are one word that
   says so; a text that is longer than LIMIT_NAME is cut. */
uint32_t	 words_add(struct words *w, struct span text);
uint32_t	 words_n(const struct words *w);
/* Ends in a NUL; valid until words_free(). */
struct span	 words_at(const struct words *w, uint32_t word);
/* How many were asked for beyond the limit: they are one word. */
uint64_t	 words_beyond(const struct words *w);

#endif

/*
 * The values of `FIELD in (a, b, c ...)`, in order, so that a value is looked for by halving.
 * Private to the engine.
 */
#ifndef ENGINE_FILTER_SET_H
#define ENGINE_FILTER_SET_H

#include "engine/filter/ast.h"

/* Which literals a text is looked for among. */
enum set_texts {
	SET_ALL,		/* each letter as it is */
	SET_FOLD,		/* capitals are small letters: these, too: */
	SET_NO_NUMBER,		/* those that are no number */
	SET_NO_TIME,		/* ... no time of the clock */
	SET_TEXTS
};

/* The literals must live longer. */
struct filter_set	*filter_set_new(const struct filter_literal *lits, size_t n);
void			 filter_set_free(struct filter_set *s);

/* Is one of the literals this? Each adds to *steps how many it looked at. */
bool	filter_set_number(const struct filter_set *s, const struct filter_num *n, bool f32,
	    uint64_t *steps);
bool	filter_set_text(const struct filter_set *s, enum set_texts which, struct span text,
	    uint64_t *steps);
bool	filter_set_empty(const struct filter_set *s, enum set_texts which);
bool	filter_set_utc(const struct filter_set *s, struct utc utc, uint64_t *steps);
bool	filter_set_guid(const struct filter_set *s, const uint8_t guid[16], uint64_t *steps);
bool	filter_set_path(const struct filter_set *s, const struct activity_path *path,
	    uint64_t *steps);

#endif

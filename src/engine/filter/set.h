/*
 * The values of `FIELD in (a, b, c ...)`, sorted for binary search. Private to the engine.
 */
#ifndef ENGINE_FILTER_SET_H
#define ENGINE_FILTER_SET_H

#include "engine/filter/ast.h"

/* The literals that a text is compared with. */
enum set_texts {
	SET_ALL,		/* all, with case */
	SET_FOLD,		/* all, without case; the following also without case: */
	SET_NO_NUMBER,		/* those that are not numbers */
	SET_NO_TIME,		/* those that are not ISO times */
	SET_TEXTS
};

/* The literals must live longer. */
struct filter_set	*filter_set_new(const struct filter_literal *lits, size_t n);
void			 filter_set_free(struct filter_set *s);

/* Is one of the literals equal to this? Adds the number of comparisons to *steps. */
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

/*
 * What a pattern may cost at the most, told from its text. Private to regex.c.
 */
#ifndef BASE_REGEX_COST_H
#define BASE_REGEX_COST_H

#include <stdbool.h>
#include <stddef.h>

#define REGEX_DEGREES	8u

/* Steps that one start can take on n bytes: the sum of by_degree[d] * n^d. */
struct regex_cost {
	bool		known;		/* else nothing is said, and the rest is zero */
	bool		nests;		/* a group is repeated: each turn takes memory */
	double		by_degree[REGEX_DEGREES];
};

struct regex_cost regex_cost_of(const char *pattern, size_t len);
double	regex_cost_at(const struct regex_cost *c, double n);

#endif

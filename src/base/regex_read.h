/*
 * What the text of a pattern tells: the most that a match may cost, and what must occur in each
 * match. Private to regex.c.
 */
#ifndef BASE_REGEX_READ_H
#define BASE_REGEX_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "tnav/base/regex.h"

#define REGEX_DEGREES	8u

/* The most steps that one start can take on n bytes: the sum of by_degree[d] * n^d. */
struct regex_cost {
	bool		known;		/* if not, the rest is zero */
	bool		nests;		/* a group is repeated: each turn takes memory */
	unsigned	degrees;	/* those from here on are zero */
	double		by_degree[REGEX_DEGREES];
};

/* In ASCII text, each match contains n characters of a class, one after another. */
struct regex_run {
	unsigned	n;		/* 0: nothing is known */
	bool		has[128];
};

struct regex_reading {
	struct regex_cost	cost;
	struct regex_literals	literals;
	struct regex_run	run;
};

/* The pattern is one that PCRE2 has compiled, or one without metacharacters. */
void	regex_read(const char *pattern, size_t len, bool caseless, struct regex_reading *out);
double	regex_cost_at(const struct regex_cost *c, double n);

#endif

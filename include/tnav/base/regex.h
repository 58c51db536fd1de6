/*
 * Regular expressions: PCRE2 with JIT where it can be had, limits, and a deadline. A struct regex
 * is immutable after compiling and may be used by several threads, each with its own
 * struct regex_match.
 */
#ifndef TNAV_BASE_REGEX_H
#define TNAV_BASE_REGEX_H

#include <stdbool.h>
#include <stddef.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"

struct regex;
struct regex_match;

enum regex_case {
	REGEX_SMART,	/* a capital letter in the pattern (not of an escape) makes it sensitive */
	REGEX_EXACT,
};

/*
 * On failure *out is NULL, why holds one clean line, *at the byte of the pattern, and the result
 * is ERR_USAGE (a bad pattern) or ERR_LIMIT (too long or too nested).
 */
int	regex_new(struct regex **out, const char *pattern, size_t len, enum regex_case mode,
	    struct buf *why, size_t *at);
void	regex_free(struct regex *re);
struct regex_match *regex_match_new(void);
void	regex_match_free(struct regex_match *m);

/*
 * 1 a match, 0 none, ERR_LIMIT: too costly on this subject. [*from, *to) of the match if not NULL.
 * A subject beyond LIMIT_SUBJECT_JIT (LIMIT_SUBJECT without JIT) is searched up to there;
 * regex_match_cut() then says so. Bytes need not be valid UTF-8.
 */
int	regex_find(const struct regex *re, struct regex_match *m, struct span subject, size_t start,
	    size_t *from, size_t *to);
bool	regex_match_cut(const struct regex_match *m);
bool	regex_is_literal(const struct regex *re);	/* searched by memmem */

#endif

/*
 * Regular expressions: PCRE2, with a budget of steps. A struct regex is immutable after compiling
 * and may be used by several threads, each with its own struct regex_match.
 *
 *	regex_match_begin(m);				an event begins
 *	r = regex_find(re, m, text, 0, &from, &to);	as often as it has texts
 *
 * The budget is a count, never a time: what is found and what is too costly follows from the
 * patterns and the texts alone. It is the same whether the machine allows JIT or not.
 */
#ifndef TNAV_BASE_REGEX_H
#define TNAV_BASE_REGEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"

struct regex;
struct regex_match;

enum regex_case {
	REGEX_SMART,	/* a capital letter in the pattern (not of an escape) makes it sensitive */
	REGEX_EXACT,
	REGEX_FOLD,	/* capitals and small letters are the same, whatever the pattern has */
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
/* Restore the whole budget: LIMIT_REGEX_STEPS, and LIMIT_REGEX_BYTE for each byte searched. */
void	regex_match_begin(struct regex_match *m);
/* The steps that were counted since. */
uint64_t regex_match_steps(const struct regex_match *m);

/*
 * The steps left for searches with a known bound. A caller that remembers the result of a search
 * may charge its steps instead of repeating it. False: fewer are left and nothing is charged; then
 * the search must be repeated.
 */
uint64_t regex_match_bound(const struct regex_match *m);
bool	regex_match_charge(struct regex_match *m, uint64_t bound);

/*
 * 1 a match, 0 none, ERR_LIMIT: the budget is used up, or the memory for one match. The match is
 * [*from, *to), if they are not NULL. The bytes need not be valid UTF-8.
 */
int	regex_find(const struct regex *re, struct regex_match *m, struct span subject, size_t start,
	    size_t *from, size_t *to);
/*
 * For texts with a common prefix: the offset in the prefix before which no match begins, whatever
 * follows. 0: not known.
 */
size_t	regex_front(const struct regex *re, struct regex_match *m, struct span front);
/* regex_find(re, m, subject, 0, NULL, NULL), if front is such an offset. */
int	regex_find_after(const struct regex *re, struct regex_match *m, struct span subject,
	    size_t front);
bool	regex_is_literal(const struct regex *re);	/* searched by memmem */

/* ---- what must occur: a search for it is cheaper than a match */

#define REGEX_LITERAL_MOST	32u	/* bytes */
#define REGEX_LITERALS_MOST	8u

struct regex_literal {
	uint8_t		len;
	char		text[REGEX_LITERAL_MOST];	/* UTF-8, without a NUL */
};

struct regex_literals {
	unsigned		n;
	struct regex_literal	v[REGEX_LITERALS_MOST];
};

/*
 * Every match contains one of these; n 0: not known. For a caseless pattern they are ASCII, and
 * U+212A and U+017F count as k and s (base/needle.h). regex_find() from 0 on uses them: for a text
 * without any of them it returns 0 and takes no steps.
 */
const struct regex_literals *regex_literals(const struct regex *re);
bool	regex_caseless(const struct regex *re);
/* For tests: match without looking for literals first. */
void	regex_match_plain(struct regex_match *m);

#endif

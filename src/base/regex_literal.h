/*
 * What must occur in every match of a pattern: put together as the pattern is read. Private to
 * the reader of patterns.
 *
 *	ab(c|de)+f	"ab" then one of "c", "de" then "f": "ab" is chosen
 */
#ifndef BASE_REGEX_LITERAL_H
#define BASE_REGEX_LITERAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/regex_read.h"

/* Of a part of the pattern, whatever it matches. */
struct need {
	bool			exact;		/* it is the text of head, and nothing else */
	struct regex_literal	head, tail;	/* it begins and ends with; of an exact one both */
	struct regex_literals	best;		/* one of them occurs in it; none: not known */
	struct regex_run	run;		/* so does it */
};

void	need_any(struct need *n);		/* nothing is known */
void	need_nothing(struct need *n);		/* it takes no character */
void	need_text(struct need *n, const char *s, size_t len);	/* one character */
/* One character of the class, the text of which stands between brackets. */
void	need_class(struct need *n, const char *s, size_t len, bool caseless);
/* ... that \d, \w or \s stands for. */
void	need_kind(struct need *n, char letter);
/* b comes behind a. */
void	need_append(struct need *a, const struct need *b, bool caseless);
/* a or b. */
void	need_join(struct need *a, const struct need *b, bool caseless);
/* a, min times or more. */
void	need_repeat(struct need *a, uint64_t min, bool once, bool caseless);
/* Nothing comes behind it: what must occur. */
struct regex_literals need_end(const struct need *n, bool caseless);

#endif

/*
 * What must occur in every match of a pattern, built while the pattern is read. Private to the
 * reader of patterns.
 *
 *	ab(c|de)+f	"ab" then one of "c", "de" then "f": "ab" is chosen
 */
#ifndef BASE_REGEX_LITERAL_H
#define BASE_REGEX_LITERAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/regex_read.h"

/* What is known of every match of a part of the pattern. */
struct need {
	bool			exact;		/* the match is the text of head */
	struct regex_literal	head, tail;	/* it begins and ends with these */
	struct regex_literals	best;		/* it contains one of these; n 0: not known */
	struct regex_run	run;		/* it contains such a run */
};

void	need_any(struct need *n);		/* nothing is known of the match */
void	need_nothing(struct need *n);		/* the match is empty */
void	need_text(struct need *n, const char *s, size_t len);	/* one character */
/* One character of a class; s is the text between its brackets. */
void	need_class(struct need *n, const char *s, size_t len, bool caseless);
/* One character of \d, \w or \s. */
void	need_kind(struct need *n, char letter);
/* a followed by b. */
void	need_append(struct need *a, const struct need *b, bool caseless);
/* a or b. */
void	need_join(struct need *a, const struct need *b, bool caseless);
/* a, min times or more. */
void	need_repeat(struct need *a, uint64_t min, bool once, bool caseless);
/* The literals of a whole pattern. */
struct regex_literals need_end(const struct need *n, bool caseless);

#endif

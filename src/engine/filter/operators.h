/*
 * The table of operators, for the parser and the probes. Private to the engine.
 */
#ifndef ENGINE_FILTER_OPERATORS_H
#define ENGINE_FILTER_OPERATORS_H

#include "engine/filter/ast.h"

/* The operand of an operator, which also decides the fields that it can be used with. */
enum filter_operand {
	OPERAND_VALUE,		/* any */
	OPERAND_ORDERED,	/* a value that has an order with the field's values */
	OPERAND_PATTERN,
	OPERAND_SET,		/* (a, b) or a..b */
	OPERAND_BITS,		/* of keywords, and of payloads */
	OPERAND_PATH,		/* of an activity */
};

/* The orders of value and operand for which an operator is true, if it compares. */
#define HOLDS_LESS	0x1u
#define HOLDS_SAME	0x2u
#define HOLDS_MORE	0x4u

/* The longest comparison that s begins with, and the length of its name; or NULL. */
const struct filter_operator *operator_at(const char *s, size_t len, size_t *n);
/* The other spelling of "and" and "or", && and ||; NULL: it has none. */
const char *operator_sign(const struct filter_operator *o);
/* The operator with this precedence: and, or, not. */
const struct filter_operator *operator_of(enum filter_binds binds);
/* Is the comparison true for this order of a value and its operand (< 0, 0, > 0)? */
static inline bool
operator_holds(unsigned holds, int order)
{
	unsigned	bit = order < 0 ? HOLDS_LESS : HOLDS_MORE;

	if (order == 0)
		bit = HOLDS_SAME;
	return (holds & bit) != 0;
}

#endif

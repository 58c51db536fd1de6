/*
 * The table of operators, as the parser and the probes use it. Private to the engine.
 */
#ifndef ENGINE_FILTER_OPERATORS_H
#define ENGINE_FILTER_OPERATORS_H

#include "engine/filter/ast.h"

/* What stands behind it, and which fields it fits: those that the parser finds it for. */
enum filter_operand {
	OPERAND_NONE,
	OPERAND_VALUE,		/* any */
	OPERAND_ORDERED,	/* one that the field's values are ordered with */
	OPERAND_PATTERN,
	OPERAND_SET,		/* (a, b) or a..b */
	OPERAND_BITS,		/* of keywords, and of payloads */
	OPERAND_PATH,		/* of an activity */
};

/* For which orders of value and operand it holds, where it decides by order. */
#define HOLDS_LESS	0x1u
#define HOLDS_SAME	0x2u
#define HOLDS_MORE	0x4u

/* The longest comparison that is spelled here, and the bytes of its spelling; or NULL. */
const struct filter_operator *operator_at(const char *s, size_t len, size_t *n);
/* Another spelling of and or or: && and ||; NULL: it has none. */
const char *operator_sign(const struct filter_operator *o);
/* The one that binds so: and, or, not. */
const struct filter_operator *operator_of(enum filter_binds binds);
/* Does the comparison hold where a value is less than, as, or more than its operand? */
static inline bool
operator_holds(unsigned holds, int order)
{
	unsigned	bit = order < 0 ? HOLDS_LESS : HOLDS_MORE;

	if (order == 0)
		bit = HOLDS_SAME;
	return (holds & bit) != 0;
}

#endif

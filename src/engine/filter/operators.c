/*
 * The operators of the filter language: one entry each.
 *
 *	a = 1 and not b in (2, 3) or /x/
 *	  3    1   2     3         0  4		precedence of each
 */
#include "engine/filter/operators.h"

#include <string.h>
#include <strings.h>

#include "engine/filter/probe.h"

static const struct filter_operator	operators[] = {
	{ .name = "=", .binds = BINDS_COMPARE, .operand = OPERAND_VALUE, .op = FO_EQ,
	    .holds = HOLDS_SAME, .help = "Equal; text matches exactly. In an array, any element." },
	{ .name = "!=", .binds = BINDS_COMPARE, .operand = OPERAND_VALUE, .op = FO_EQ,
	    .negate = true, .holds = HOLDS_SAME, .help = "Present, and not equal." },
	{ .name = "<", .binds = BINDS_COMPARE, .operand = OPERAND_ORDERED, .op = FO_LT,
	    .holds = HOLDS_LESS, .help = "Less than." },
	{ .name = "<=", .binds = BINDS_COMPARE, .operand = OPERAND_ORDERED, .op = FO_LE,
	    .holds = HOLDS_LESS | HOLDS_SAME, .help = "At most." },
	{ .name = ">", .binds = BINDS_COMPARE, .operand = OPERAND_ORDERED, .op = FO_GT,
	    .holds = HOLDS_MORE, .help = "Greater than." },
	{ .name = ">=", .binds = BINDS_COMPARE, .operand = OPERAND_ORDERED, .op = FO_GE,
	    .holds = HOLDS_MORE | HOLDS_SAME, .help = "At least." },
	{ .name = "~", .binds = BINDS_COMPARE, .operand = OPERAND_PATTERN, .op = FO_TEXT,
	    .fits = probe_regex,
	    .help = "Matches a regular expression (a capital letter makes it case-sensitive)." },
	{ .name = "!~", .binds = BINDS_COMPARE, .operand = OPERAND_PATTERN, .op = FO_TEXT,
	    .fits = probe_regex,
	    .negate = true, .help = "Present, and does not match." },
	{ .name = "in", .binds = BINDS_COMPARE, .operand = OPERAND_SET, .op = FO_EQ,
	    .holds = HOLDS_SAME,
	    .help = "One of (a, b), or in the range a..b (b excluded)." },
	{ .name = "has", .binds = BINDS_COMPARE, .operand = OPERAND_BITS, .op = FO_BITS,
	    .help = "has FIELD: it is present. keywords has GC: these bits are set." },
	{ .name = "under", .binds = BINDS_COMPARE, .operand = OPERAND_PATH, .op = FO_UNDER,
	    .help = "activity under //1/2: this activity or one below it by path." },
	{ .name = "within", .binds = BINDS_COMPARE, .operand = OPERAND_PATH, .op = FO_WITHIN,
	    .derived = NEEDS_ACTIVITIES,
	    .help = "activity within //1/2: this activity or one that it caused, by the parents in "
	    "start events." },
	{ .name = "and", .binds = BINDS_AND, .help = "Both." },
	{ .name = "or", .binds = BINDS_OR, .help = "One or both." },
	{ .name = "not", .binds = BINDS_NOT, .help = "Negation." },
	{ .name = "( )", .binds = BINDS_ALONE, .help = "Grouping." },
	{ .name = "/regex/", .binds = BINDS_ALONE, .help = "Matches the row's text." },
	{ .name = NULL },
};

const struct filter_operator *
filter_operators(void)
{
	return operators;
}

/* Spellings of other languages. None of them can begin anything else in this language. */
static const struct { const char *spelled, *name; } others[] = {
	{ "==", "=" }, { "=~", "~" }, { "<>", "!=" }, { "&&", "and" }, { "||", "or" },
};

static const struct filter_operator *
operator_called(const char *name)
{
	const struct filter_operator	*o = operators;

	while (strcmp(o->name, name) != 0)
		o++;
	return o;
}

const struct filter_operator *
operator_at(const char *s, size_t len, size_t *n)
{
	const struct filter_operator	*found = NULL;

	*n = 0;
	for (const struct filter_operator *o = operators; o->name != NULL; o++) {
		size_t	l = strlen(o->name);

		if (o->binds == BINDS_COMPARE && l > *n && l <= len &&
		    strncasecmp(o->name, s, l) == 0) {
			found = o;
			*n = l;
		}
	}
	for (unsigned i = 0; i < sizeof others / sizeof *others && len >= 2; i++) {
		const struct filter_operator	*o = operator_called(others[i].name);

		if (memcmp(s, others[i].spelled, 2) == 0 && o->binds == BINDS_COMPARE) {
			found = o;
			*n = 2;
		}
	}
	return found;
}

const char *
operator_sign(const struct filter_operator *o)
{
	for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
		if (operator_called(others[i].name) == o)
			return others[i].spelled;
	return NULL;
}

const struct filter_operator *
operator_of(enum filter_binds binds)
{
	const struct filter_operator	*o = operators;

	while (o->binds != binds)
		o++;
	return o;
}

/*
 * The tree of a filter: the parser makes it, the evaluator reads it. Private to the engine.
 *
 *	provider ~ x and (id = 1 or id = 2)
 *
 *	AND -> term 0            nodes: kind, first child, next sibling, by index
 *	    -> OR -> term 1
 *	          -> term 2
 */
#ifndef ENGINE_FILTER_AST_H
#define ENGINE_FILTER_AST_H

#include "tnav/base/near.h"
#include "tnav/base/regex.h"
#include "tnav/base/units.h"
#include "tnav/engine/field.h"
#include "tnav/engine/filter.h"
#include "tnav/model/activity.h"

enum filter_op {
	FO_EQ,			/* = and in (...): equal to any of the literals */
	FO_LT, FO_LE, FO_GT, FO_GE,
	FO_RANGE,		/* in a..b: literals 0 and 1, each may be open */
	FO_TEXT,		/* compares the value as text, by fits() */
	FO_HAS,			/* has FIELD */
	FO_BITS,		/* FIELD has BITS */
	FO_UNDER,		/* under, by the activity's path */
	FO_WITHIN,		/* within, by the tree of activities */
};

enum num_kind { NUM_NONE, NUM_U, NUM_I, NUM_F };

struct filter_num {
	enum num_kind	 kind;
	union {
		uint64_t	 u;
		int64_t		 i;
		double		 f;
	};
	/* Of a decimal literal: its exact digits; f is the nearest double. */
	uint64_t	 whole;		/* without sign and fraction */
	bool		 exact, minus, fraction, huge;	/* exact: these are set; huge: whole needs
							   more than 64 bits */
};

struct filter_literal {
	char			*text;		/* len bytes and a NUL */
	size_t			 len, column;
	bool			 quoted, open;	/* open: the missing bound of a range */
	bool			 overflow;	/* digits beyond 64 bits */
	enum { UNIT_NONE, UNIT_TIME, UNIT_BYTES } unit;
	struct filter_num	 num;		/* NUM_NONE: text only. Times are ns. */
	bool			 has_guid, has_path, has_utc;
	uint8_t			 guid[16];
	struct activity_path	 path;
	struct utc		 utc;		/* if it is an ISO time */
};

struct filter_term {
	struct field_ref	 ref;
	enum filter_op		 op;
	bool			 negate;	/* != and !~: there are values, and none matches */
	uint8_t			 holds;		/* HOLDS_*, of the operator */
	unsigned		 derived;	/* facts that the operator needs */
	size_t			 column, end;	/* its place in the expression */
	struct regex		*re;
	void			(*fits)(struct probe *p, struct span value);	/* FO_TEXT */
	struct filter_literal	*lits;
	size_t			 nlits, cap;
	struct filter_set	*set;		/* FO_EQ with several literals; or NULL */
};

#define COST_TEXT	6u	/* from this cost on, long texts are formatted and searched */
#define COST_MAX	8u

struct filter_node {
	enum { NODE_TERM, NODE_AND, NODE_OR, NODE_NOT } kind;
	uint8_t		 cost;		/* cost of its most expensive term */
	uint32_t	 term;
	uint32_t	 first, next;	/* node indexes, 0: none; node 0 is never a child */
};

struct filter {
	struct filter_node	*nodes;
	struct filter_term	*terms;
	uint32_t		 root;
	size_t			 nnodes, nterms, nodes_cap, terms_cap;
	size_t			 borrowed;	/* its first terms belong to another filter */
};

/* ---- literal.c */

/* Set num, unit and has_* from the text. */
void	literal_classify(struct filter_literal *l);
void	literal_release(struct filter_literal *l);

static inline struct span
literal_text(const struct filter_literal *l)
{
	return (struct span){ (const uint8_t *)l->text, l->len };
}

/* n as a whole number, U or I; false: it is not a whole number of 64 bits. */
bool	num_whole(const struct filter_num *n, struct filter_num *whole);
/* The nearest 32-bit float; a number beyond their range is not changed. */
double	num_round_f32(double f);
/* Compare a value with a value or a literal. False if they have no order (a NaN). */
bool	num_compare(const struct filter_num *a, const struct filter_num *b, int *order);

/* ---- names.c: names in the trace, and those near a misspelt one */

enum name_kind { NAME_FIELD, NAME_HEADER, NAME_PROVIDER, NAME_NAME, NAME_EVENT, NAME_KEYWORD,
	NAME_LEVEL, NAME_OPCODE };

bool	names_have(struct trace *t, enum name_kind kind, const char *name);
/* Append " (near: A, B)" with up to three names, or nothing. */
void	names_near(struct buf *out, struct trace *t, enum name_kind kind, const char *name);
/* Add the names of the trace's types to the search; t may be NULL. */
void	names_consider(struct near *near, struct trace *t, enum name_kind kind);
/* The level of a name, or -1. */
int	level_of(const char *name, size_t len);

#endif

/*
 * What the parts of the filter language share: the tree that the parser makes and the evaluator
 * reads. Private to the engine.
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
	FO_EQ,			/* = and in (...): any of the literals */
	FO_LT, FO_LE, FO_GT, FO_GE,
	FO_RANGE,		/* in a..b: literals 0 and 1, each may be open */
	FO_TEXT,		/* of the value as text: fits() says */
	FO_HAS,			/* has FIELD */
	FO_BITS,		/* FIELD has BITS */
	FO_UNDER,		/* by path */
	FO_WITHIN,		/* by the tree of activities */
};

enum num_kind { NUM_NONE, NUM_U, NUM_I, NUM_F };

struct filter_num {
	enum num_kind	 kind;
	union {
		uint64_t	 u;
		int64_t		 i;
		double		 f;
	};
	/* F of a literal: its digits exactly, of which f is the nearest double. */
	uint64_t	 whole;		/* without sign and fraction */
	bool		 exact, minus, fraction, huge;	/* exact: these are known; huge: whole has
							   more than 64 bits */
};

struct filter_literal {
	char			*text;		/* len bytes and a NUL */
	size_t			 len, column;
	bool			 quoted, open;	/* open: a range has no bound here */
	bool			 overflow;	/* digits beyond 64 bits */
	enum { UNIT_NONE, UNIT_TIME, UNIT_BYTES } unit;
	struct filter_num	 num;		/* NUM_NONE: text only. Times are ns. */
	bool			 has_guid, has_path, has_utc;
	uint8_t			 guid[16];
	struct activity_path	 path;
	struct utc		 utc;		/* of an ISO time */
};

struct filter_term {
	struct field_ref	 ref;
	enum filter_op		 op;
	bool			 negate;	/* != and !~: there, and no match */
	uint8_t			 holds;		/* HOLDS_*, of the operator */
	size_t			 column, end;	/* where it stands in the expression */
	struct regex		*re;
	void			(*fits)(struct probe *p, struct span value);	/* FO_TEXT */
	struct filter_literal	*lits;
	size_t			 nlits, cap;
	struct filter_set	*set;		/* of several literals, FO_EQ; or NULL */
};

#define COST_TEXT	6u	/* from here on long texts are searched, each anew */
#define COST_MAX	8u

struct filter_node {
	enum { NODE_TERM, NODE_AND, NODE_OR, NODE_NOT } kind;
	uint8_t		 cost;		/* of its dearest term */
	uint32_t	 term;
	uint32_t	 first, next;	/* node indexes, 0: none; node 0 is never a child */
};

struct filter {
	struct filter_node	*nodes;
	struct filter_term	*terms;
	uint32_t		 root;
	size_t			 nnodes, nterms, nodes_cap, terms_cap;
};

/* ---- literal.c */

/* Fill num, unit, has_* from the text. */
void	literal_classify(struct filter_literal *l);
void	literal_release(struct filter_literal *l);

static inline struct span
literal_text(const struct filter_literal *l)
{
	return (struct span){ (const uint8_t *)l->text, l->len };
}

/* The whole number that n is, U or I; false: it is none of 64 bits. */
bool	num_whole(const struct filter_num *n, struct filter_num *whole);
/* The nearest float; what is beyond all stays. */
double	num_round_f32(double f);
/* A value against a value or a literal. False if they can't be compared (a NaN). */
bool	num_compare(const struct filter_num *a, const struct filter_num *b, int *order);

/* ---- names.c: what names there are, and which are near a misspelt one */

enum name_kind { NAME_FIELD, NAME_HEADER, NAME_PROVIDER, NAME_NAME, NAME_EVENT, NAME_KEYWORD,
	NAME_LEVEL, NAME_OPCODE };

bool	names_have(struct trace *t, enum name_kind kind, const char *name);
/* Append " (near: A, B)" with up to three names, or nothing. */
void	names_near(struct buf *out, struct trace *t, enum name_kind kind, const char *name);
/* Weigh those that the types of the trace have; t may be NULL. */
void	names_consider(struct near *near, struct trace *t, enum name_kind kind);
/* The level of a name, or -1. */
int	level_of(const char *name, size_t len);

#endif

/*
 * Parser of the filter language: text in, tree out, by recursive descent.
 *
 *	expr  = and { "or" and }
 *	and   = not { "and" not }
 *	not   = { "not" } ( "(" expr ")" | term )
 *	term  = /regex/ | "has" field
 *	      | field ( "=" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "!~" | "has" | "under" ) value
 *	      | field "in" ( "(" value { "," value } ")" | [value] ".." [value] )
 *
 * The end of a word depends on its role: a field ends at an operator, a value at a blank or at a
 * bracket that it did not open. So there is no list of tokens; each rule reads what it expects:
 * read.c has the words, term.c a term.
 *
 * Invariant: every chain of and/or is one node, so nothing recurses deeper than LIMIT_FILTER_DEPTH
 * levels of brackets. doc/filter.md describes the language.
 */
#include "engine/filter/parse.h"

#include "engine/filter/operators.h"
#include "engine/filter/set.h"

#include <assert.h>
#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"

/* ---- the tree */

static uint32_t
add_node(struct parser *p, int kind, uint8_t cost)
{
	struct filter	*f = p->f;

	ARRAY_ADD(f->nodes, f->nnodes, f->nodes_cap, (struct filter_node){
	    .kind = (uint8_t)kind, .cost = cost });
	return (uint32_t)(f->nnodes - 1);
}

/* A chain of and/or that is being read, with the last child of each cost. */
struct chain {
	uint32_t	node;
	uint32_t	last[COST_MAX + 1];
};

/* Insert a child. Children are sorted by cost; equal ones keep the order of the text. */
static void
add_child(struct parser *p, struct chain *chain, uint32_t child)
{
	struct filter	*f = p->f;
	unsigned	 cost = f->nodes[child].cost, before = cost;
	uint32_t	*link;

	while (before > 0 && chain->last[before] == 0)
		before--;
	link = chain->last[before] != 0 ? &f->nodes[chain->last[before]].next :
	    &f->nodes[chain->node].first;
	f->nodes[child].next = *link;
	*link = child;
	chain->last[cost] = child;
	if (cost > f->nodes[chain->node].cost)
		f->nodes[chain->node].cost = (uint8_t)cost;
	p->steps++;
}

static struct filter_term *
add_term(struct parser *p)
{
	struct filter	*f = p->f;

	f->terms = mem_grow(f->terms, &f->terms_cap, f->nterms + 1, sizeof *f->terms);
	f->terms[f->nterms] = (struct filter_term){ .column = p->pos };
	return &f->terms[f->nterms++];
}

void
filter_free(struct filter *f)
{
	if (f == NULL)
		return;
	for (size_t i = f->borrowed; i < f->nterms; i++) {
		struct filter_term	*term = &f->terms[i];

		for (size_t k = 0; k < term->nlits; k++)
			literal_release(&term->lits[k]);
		filter_set_free(term->set);
		mem_free(term->lits);
		field_ref_release(&term->ref);
		regex_free(term->re);
	}
	mem_free(f->terms);
	mem_free(f->nodes);
	mem_free(f);
}

/* ---- rules */

static bool
parse_term(struct parser *p, uint32_t *node)
{
	uint32_t		 index = (uint32_t)p->f->nterms;
	struct filter_term	*term = add_term(p);

	if (!term_read(p, term))
		return false;
	*node = add_node(p, NODE_TERM, field_cost(term));
	p->f->nodes[*node].term = index;
	return true;
}

static bool	parse_chain(struct parser *p, int kind, uint32_t *node);

static bool
parse_not(struct parser *p, uint32_t *node)
{
	bool		negate = false, good;
	size_t		start;
	uint32_t	child;

	while (read_first(p, operator_of(BINDS_NOT)->name))
		negate = !negate;
	read_blanks(p);
	start = p->pos;
	if (read_char(p, '(')) {
		if (p->depth++ == LIMIT_FILTER_DEPTH)
			return parse_fail(p, ERR_LIMIT, start,
			    "brackets are nested too deeply");
		good = parse_chain(p, NODE_OR, &child);
		if (good && !read_char(p, ')'))
			good = parse_fail(p, ERR_USAGE, read_at_end(p) ? start : p->pos,
			    read_at_end(p) ? "missing )" : "expected and, or or )");
		p->depth--;
	} else {
		good = parse_term(p, &child);
	}
	if (!good)
		return false;
	*node = child;
	if (negate) {
		*node = add_node(p, NODE_NOT, p->f->nodes[child].cost);
		p->f->nodes[*node].first = child;
	}
	return true;
}

/* Note the place of a term of the top level. */
static void
note_term(struct parser *p, size_t begin)
{
	struct filter_terms	*t = p->terms;

	if (t == NULL || p->depth > 0)
		return;
	ARRAY_ADD(t->v, t->n, t->cap, (struct filter_place){ begin, p->pos });
}

/* A member of a chain of `or` is a chain of `and`. */
static bool
parse_member(struct parser *p, int kind, uint32_t *node)
{
	size_t	begin;

	if (kind == NODE_OR)
		return parse_chain(p, NODE_AND, node);
	read_blanks(p);
	begin = p->pos;
	if (!parse_not(p, node))
		return false;
	note_term(p, begin);
	return true;
}

/* Parse a chain of `or`, whose members are chains of `and`. A chain of one becomes its member. */
static bool
parse_chain(struct parser *p, int kind, uint32_t *node)
{
	const struct filter_operator	*joint;
	struct chain			 chain = { 0 };
	uint32_t			 child;

	joint = operator_of(kind == NODE_OR ? BINDS_OR : BINDS_AND);
	if (!parse_member(p, kind, node))
		return false;
	if (!read_joint(p, joint))
		return true;
	if (kind == NODE_OR && p->depth == 0 && p->terms != NULL)
		p->terms->alternatives = true;
	chain.node = add_node(p, kind, 0);
	add_child(p, &chain, *node);
	do {
		if (!parse_member(p, kind, &child))
			return false;
		add_child(p, &chain, child);
	} while (read_joint(p, joint));
	*node = chain.node;
	return true;
}

void
parse_expression(struct parser *p)
{
	read_blanks(p);
	if (read_at_end(p)) {
		(void)parse_fail(p, ERR_USAGE, 0, "the filter is empty: without one, "
		    "all events are shown");
		return;
	}
	(void)add_node(p, NODE_AND, 0);		/* index 0 means none */
	if (!parse_chain(p, NODE_OR, &p->f->root))
		return;
	read_blanks(p);
	if (!read_at_end(p))
		(void)parse_fail(p, ERR_USAGE, p->pos, read_peek(p) == ')' ?
		    "unmatched )" : "expected and, or or the end");
}

int
filter_new(struct filter **out, const char *text, size_t len, struct trace *t, bool strict,
    int64_t now_ns, struct filter_error *err)
{
	struct parser	p = { .len = len, .t = t, .now_ns = now_ns, .strict = strict, .err = err };
	char		*copy;

	*out = NULL;
	err->column = 0;
	buf_clear(&err->text);
	if (len > LIMIT_FILTER_LEN) {
		(void)parse_fail(&p, ERR_LIMIT, LIMIT_FILTER_LEN, "the filter is too long "
		    "(%u bytes at most)", LIMIT_FILTER_LEN);
		return p.result;
	}
	copy = mem_strndup(text, len);
	p.s = copy;
	p.f = mem_zalloc(1, sizeof *p.f);
	parse_expression(&p);
	if (p.result == ERR_OK && t != NULL && strict)
		parse_remarks(&p);
	mem_free(copy);
	if (p.result != ERR_OK) {
		filter_free(p.f);
		return p.result;
	}
	*out = p.f;
	return ERR_OK;
}

struct filter *
filter_own(const char *text)
{
	struct filter		*f;
	struct filter_error	 err = { 0 };
	int			 r;

	r = filter_new(&f, text, strlen(text), NULL, false, 0, &err);
	assert(r == ERR_OK);
	(void)r;
	filter_error_release(&err);
	return f;
}

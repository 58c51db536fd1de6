/*
 * A filter for one of several joined traces, made from a filter.
 *
 *	f		terms 0 1   | nodes 0 1 2 3
 *	source = 1	term      0 | nodes         0 1
 *	the new one	terms 0 1 2 | nodes 0 1 2 3 4 5 6	6: AND -> 5, root of f
 *
 * Invariant: what the terms of f own stays that of f.
 */
#include "engine/filter/ast.h"

#include <stdio.h>
#include <string.h>

#include "tnav/base/mem.h"

/* The terms of f first, then those of `more`, and a node that has both expressions. */
static void
put_both(struct filter *more, const struct filter *f)
{
	struct filter_node	*nodes;
	struct filter_term	*terms;
	uint32_t		 at = (uint32_t)f->nnodes, n = at + (uint32_t)more->nnodes;

	nodes = mem_zalloc(n + 1, sizeof *nodes);
	memcpy(nodes, f->nodes, f->nnodes * sizeof *nodes);
	for (size_t i = 0; i < more->nnodes; i++) {
		struct filter_node	*x = &nodes[at + i];

		*x = more->nodes[i];
		x->term += (uint32_t)f->nterms;
		x->first += x->first != 0 ? at : 0;
		x->next += x->next != 0 ? at : 0;
	}
	nodes[at + more->root].next = f->root;
	nodes[n] = (struct filter_node){ .kind = NODE_AND, .cost = f->nodes[f->root].cost,
	    .first = at + more->root };
	terms = mem_zalloc(f->nterms + more->nterms, sizeof *terms);
	memcpy(terms, f->terms, f->nterms * sizeof *terms);
	memcpy(terms + f->nterms, more->terms, more->nterms * sizeof *terms);
	mem_free(more->nodes);
	mem_free(more->terms);
	*more = (struct filter){ .nodes = nodes, .terms = terms, .root = n, .nnodes = n + 1,
	    .nterms = f->nterms + more->nterms, .nodes_cap = n + 1,
	    .terms_cap = f->nterms + more->nterms, .borrowed = f->nterms };
}

struct filter *
filter_of_source(const struct filter *f, uint32_t source)
{
	char		 text[sizeof "source = 4294967295"];
	struct filter	*of;

	(void)snprintf(text, sizeof text, "source = %u", source);
	of = filter_own(text);
	if (f != NULL)
		put_both(of, f);
	return of;
}

/*
 * The rows in which an expression can match, from its conditions on `row`.
 *
 *	row in 5000..6000 and name = x		[5000, 6000)
 *	row in (7, 3) and row > 4		[5, 8)
 *	row = 1 or name = x			all
 *
 * Invariant: no row outside matches; those inside are decided as usual.
 */
#include <string.h>

#include "engine/filter/fast.h"

/* Extend the rows by those of a literal or of a range. */
static void
add_bounds(const struct filter_term *term, uint64_t *from, uint64_t *last, bool *any)
{
	struct whole	w;

	if (!term_whole(term, &w) || w.none)
		return;
	if (!*any || w.least < *from)
		*from = w.least;
	if (!*any || w.least + w.width > *last)
		*last = w.least + w.width;
	*any = true;
}

/* The rows of a term; false: it does not restrict rows. */
static bool
term_rows(const struct filter_term *term, uint64_t *from, uint64_t *last, bool *any)
{
	struct filter_term	one = *term;

	*any = false;
	if (term->ref.def->kind != FIELD_HEADER || strcmp(term->ref.def->name, "row") != 0 ||
	    term->negate || term->op > FO_RANGE)
		return false;
	if (term->op == FO_RANGE) {
		add_bounds(term, from, last, any);
		return true;
	}
	one.nlits = 1;
	for (size_t i = 0; i < term->nlits; i++) {
		one.lits = &term->lits[i];
		add_bounds(&one, from, last, any);
	}
	return true;
}

static void
node_rows(const struct filter *f, uint32_t node, uint64_t *row0, uint64_t *row1)
{
	const struct filter_node	*n = &f->nodes[node];
	uint64_t			 from, last;
	bool				 any;

	if (n->kind == NODE_AND)
		for (uint32_t c = n->first; c != 0; c = f->nodes[c].next)
			node_rows(f, c, row0, row1);
	if (n->kind != NODE_TERM || !term_rows(&f->terms[n->term], &from, &last, &any))
		return;
	if (any && from > *row0)
		*row0 = from;
	if (any && last < *row1)
		*row1 = last + 1;
	if (!any || *row1 < *row0)
		*row1 = *row0;
}

void
filter_rows(const struct filter *f, uint64_t *row0, uint64_t *row1)
{
	node_rows(f, f->root, row0, row1);
}

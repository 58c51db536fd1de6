/*
 * Marks that cancel each other out: a start and its stop within one piece, of a span that nobody
 * needs.
 */
#ifndef ANALYSIS_SPANS_BALANCE_H
#define ANALYSIS_SPANS_BALANCE_H

#include "analysis/spans/marks.h"

struct balance;

struct balance	*balance_new(const struct span_starts *needed);
void		 balance_free(struct balance *b);	/* NULL is fine */
void		 balance_clear(struct balance *b);	/* for the marks of another piece */
/* Look at the marks from the i-th on, which were just added. The balanced ones become void. */
void		 balance_add(struct balance *b, struct mark_list *m, size_t i);

#endif

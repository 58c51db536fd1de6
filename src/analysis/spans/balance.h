/*
 * A start and its stop within one piece: they are matched where they are found.
 */
#ifndef ANALYSIS_SPANS_BALANCE_H
#define ANALYSIS_SPANS_BALANCE_H

#include "analysis/spans/marks.h"

struct balance;

/* needed: the spans of others are void once they are matched. NULL: all spans are needed. */
struct balance	*balance_new(const struct span_starts *needed);
void		 balance_free(struct balance *b);	/* NULL is fine */
void		 balance_clear(struct balance *b);	/* for the marks of another piece */
/* Look at the marks from the i-th on, which were just added. */
void		 balance_add(struct balance *b, struct mark_list *m, size_t i);

#endif

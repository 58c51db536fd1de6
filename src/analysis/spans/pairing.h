/*
 * Which start belongs to which stop: the one place that takes marks in the order of time.
 */
#ifndef ANALYSIS_SPANS_PAIRING_H
#define ANALYSIS_SPANS_PAIRING_H

#include "analysis/spans/marks.h"

struct pairing	*pairing_new(struct spans *s);
void		 pairing_free(struct pairing *p);
/* The marks of the next piece, in which balance_add() matched some. */
void		 pairing_add(struct pairing *p, struct mark_list *m);
/* After the last mark: stops without an activity id are paired as far as that is sure. */
void		 pairing_end(struct pairing *p);
/* What is open stays without a stop. */
void		 pairing_leave(struct pairing *p);

#endif

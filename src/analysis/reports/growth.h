/* Bytes that a program allocated between collections, from the sizes before and after each. */
#ifndef ANALYSIS_REPORTS_GROWTH_H
#define ANALYSIS_REPORTS_GROWTH_H

#include "analysis/reports/collections.h"

static inline bool
growth_has_bytes(const struct gc_growth *x)
{
	return x->state >= GROWTH_AT_LEAST;
}

/* Find those of all collections. */
void	gc_growths(struct gc_collections *g);

#endif

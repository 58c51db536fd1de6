/*
 * What the spans of each name come to.
 */
#ifndef ANALYSIS_SPANS_SUMS_H
#define ANALYSIS_SPANS_SUMS_H

#include "analysis/spans/private.h"

/* Of all spans that are chosen. */
struct sums	*sums_new(const struct spans *s);
void		 sums_free(struct sums *n);
const struct span_sum	*sums_at(const struct sums *n, uint32_t i);
/* What could not be done for want of room, or NULL. */
const char	*sums_error(const struct sums *n);

#endif

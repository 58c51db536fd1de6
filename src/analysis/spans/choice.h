/*
 * Spans that were chosen in the background, once they are.
 */
#ifndef ANALYSIS_SPANS_CHOICE_H
#define ANALYSIS_SPANS_CHOICE_H

#include "analysis/spans/span_rows.h"

/* NULL: they were listed. */
const struct sums *span_choice_sums(const struct span_choice *x);
const struct span_rows *span_choice_rows(const struct span_choice *x);

#endif

/*
 * What a span is about, as its row of the table of pairs words it.
 */
#ifndef ANALYSIS_SPANS_LABEL_H
#define ANALYSIS_SPANS_LABEL_H

#include "analysis/spans/pairs.h"
#include "tnav/analysis/spans.h"

/* The row that spans of this name are of; NULL: of none. */
const struct span_pair	*pair_of(const struct span_name *n);
/* Append the label; any thread may ask. */
void	spans_label(const struct spans *s, const struct span_record *r, struct buf *out);

#endif

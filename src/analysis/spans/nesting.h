/*
 * Which spans lie in which, on one thread: depth, and time that is a span's own.
 */
#ifndef ANALYSIS_SPANS_NESTING_H
#define ANALYSIS_SPANS_NESTING_H

#include "analysis/spans/private.h"

/* Set depth and self of all records. */
void	nesting_make(struct spans *s);

#endif

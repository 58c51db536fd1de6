/*
 * The spans that are asked for: those chosen when they were found that begin in a range of time,
 * with an event that a filter holds of.
 */
#ifndef ANALYSIS_SPANS_RANGE_H
#define ANALYSIS_SPANS_RANGE_H

#include <stdatomic.h>

#include "analysis/spans/private.h"

struct span_range {
	const struct spans	*s;
	int64_t			 from, to;	/* ticks, [from, to); to INT64_MAX: to the end */
	struct filter_eval	*eval;		/* of first known events; NULL: every one */
	const atomic_bool	*stop;		/* once it is set the rest is left out; or NULL */
};

typedef void	(*span_take_fn)(void *arg, uint64_t span, const struct span_record *r);

/* As the options of a table say, without their filter. */
struct span_range span_range_of(const struct spans *s, const struct spans_table_of *of);
/* In the order of time. */
void	span_range_each(const struct span_range *w, span_take_fn take, void *arg);

#endif

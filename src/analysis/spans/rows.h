/*
 * Which spans and names a table lists.
 */
#ifndef ANALYSIS_SPANS_ROWS_H
#define ANALYSIS_SPANS_ROWS_H

#include "analysis/spans/sums.h"

struct span_rows {
	uint64_t	*span;		/* NULL: all, as they are */
	size_t		 nspans;
	uint32_t	*name;
	size_t		 nnames;
};

void	span_rows_list(struct span_rows *x, const struct spans *s, const struct sums *sums,
	    const struct spans_table_of *of);
void	span_rows_release(struct span_rows *x);

#endif

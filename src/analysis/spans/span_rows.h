/*
 * Which spans and names a table lists.
 */
#ifndef ANALYSIS_SPANS_SPAN_ROWS_H
#define ANALYSIS_SPANS_SPAN_ROWS_H

#include "analysis/spans/sums.h"

struct span_rows {
	uint64_t	*span;		/* NULL: all, as they are */
	size_t		 nspans;
	uint64_t	 all;		/* of which these are the longest */
	uint32_t	*name;
	size_t		 nnames;
};

void	span_rows_list(struct span_rows *x, const struct spans *s, const struct sums *sums,
	    const struct spans_table_of *of);
/* The longest of the range, of a name, a bucket or collections if the options say so. */
void	span_rows_longest(struct span_rows *x, const struct span_range *w,
	    const struct spans_table_of *of);
void	span_rows_copy(struct span_rows *x, const struct span_rows *of);
void	span_rows_release(struct span_rows *x);

#endif

/* The order of the rows of several sources in one table. */
#ifndef ANALYSIS_REPORTS_MERGE_H
#define ANALYSIS_REPORTS_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct row_place {
	uint32_t	of, row;	/* the source, and the row among its own */
};

struct row_to_merge {
	struct row_place at;
	const char	*kind;
	bool		 has_time;
	int64_t		 ns;
	unsigned	 group;		/* set by rows_merge() */
};

/* Order n rows, which come source after source. */
void	rows_merge(struct row_to_merge *v, size_t n);

#endif

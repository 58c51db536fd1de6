/* The request of stats: the fields of the key, the aggregates, the order of the rows. */
#ifndef APP_STATS_REQUEST_H
#define APP_STATS_REQUEST_H

#include "app/run.h"
#include "tnav/analysis/table.h"
#include "tnav/engine/aggregate.h"
#include "tnav/engine/field.h"

struct stats_request {
	struct field_list	 by;
	struct aggregates	 aggregates;
	int64_t			 every_ns;	/* 0: no intervals of time */
	struct table_column	*column;	/* time, fields of --by, counts, aggregates */
	unsigned		 ncolumns, nkeys;	/* nkeys: columns of the key, the first
							   ones */
	unsigned		 sort;		/* a column, or TABLE_UNSORTED: by most events */
	bool			 up;
};

/* Read the options. Returns 0, or EXIT_USAGE after a message. Release it in both cases. */
int	stats_request_init(struct stats_request *a, struct run *s);
void	stats_request_release(struct stats_request *a);

#endif

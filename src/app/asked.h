/* The request of stats: the fields of the key, the aggregates, the order of the rows. */
#ifndef APP_ASKED_H
#define APP_ASKED_H

#include "app/run.h"
#include "tnav/analysis/table.h"
#include "tnav/engine/aggregate.h"
#include "tnav/engine/field.h"

struct asked {
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
int	asked_init(struct asked *a, struct run *s);
void	asked_release(struct asked *a);

#endif

/*
 * What stats is asked for: the fields of the key, the aggregates, the order of the rows.
 */
#ifndef APP_ASKED_H
#define APP_ASKED_H

#include "app/run.h"
#include "tnav/analysis/table.h"
#include "tnav/engine/aggregate.h"
#include "tnav/engine/field.h"

struct asked {
	struct field_list	 by;
	struct aggregates	 aggregates;
	int64_t			 every_ns;	/* 0: not by time */
	struct table_column	*column;	/* time, by, what is counted, aggregates */
	unsigned		 ncolumns, nkeys;	/* nkeys: the first, which are the key */
	unsigned		 sort;		/* a column, or TABLE_UNSORTED: most events first */
	bool			 up;
};

/* Read the options. 0, or EXIT_USAGE after a message; release it in both cases. */
int	asked_init(struct asked *a, struct run *s);
void	asked_release(struct asked *a);

#endif

/*
 * The table of a subcommand on its way out, with --fields and --limit applied.
 */
#ifndef APP_LISTING_H
#define APP_LISTING_H

#include <stddef.h>

#include "app/run.h"
#include "tnav/analysis/table.h"

struct listing {
	unsigned	*pick;		/* the columns that were asked for, by number */
	size_t		 n;		/* 0: all of the table's */
};

/* Read --fields. 0, or EXIT_USAGE after a message; nothing is then to be released. */
int	listing_open(struct listing *l, struct run *s, const struct table_column *column,
	    unsigned ncolumns);
/* Print the table. 0, or ERR_IO, which the run's end tells. */
int	listing_print(struct listing *l, struct run *s, const struct table *t);
void	listing_close(struct listing *l);

#endif

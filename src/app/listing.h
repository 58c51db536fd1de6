/*
 * The table of a subcommand on its way out, with --fields and --limit applied.
 */
#ifndef APP_LISTING_H
#define APP_LISTING_H

#include "app/run.h"
#include "tnav/analysis/table.h"

/* Read --fields, of the columns that the command has. 0, or EXIT_USAGE after a message. */
int	listing_check(struct run *s, const struct table_column *column, unsigned ncolumns);
/* One more column, in place of those that the table has for all formats. */
void	listing_pick(struct run *s, unsigned col);
/* Read --sort, "sum.Size:asc"; without it the two are left as they are. 0, or EXIT_USAGE after a
   message. */
int	listing_sort(struct run *s, const struct table_column *column, unsigned ncolumns,
	    unsigned *col, bool *up);
/* Print the table's rows. 0, or ERR_IO, which the run's end tells. */
int	listing_print(struct run *s, const struct table *t);
/* The same in an order; NULL: as they are. */
int	listing_print_order(struct run *s, const struct table *t, const struct table_order *order);

#endif

/* Prints the table of a subcommand, with --fields, --sort, --top and --limit applied. */
#ifndef APP_LISTING_H
#define APP_LISTING_H

#include "app/run.h"
#include "tnav/analysis/page.h"
#include "tnav/analysis/table.h"

/* Read --fields and --sort for these columns. Returns 0, or EXIT_USAGE after a message. */
int	listing_check(struct run *s, const struct table_column *column, unsigned ncolumns);
/* Is the column one of this list in files? */
bool	listing_has(const struct run *s, const struct table_column *column);
/* Select those that say which of several joined traces a row is of. */
void	listing_pick_source(struct run *s, const struct table_column *column, unsigned n);
/* Select one more column, instead of the table's default columns. */
void	listing_pick(struct run *s, unsigned col);
/* Read --sort, such as "sum.Size:asc". Without it, *col and *up are unchanged. Returns 0, or
   EXIT_USAGE after a message. */
int	listing_sort(struct run *s, const struct table_column *column, unsigned ncolumns,
	    unsigned *col, bool *up);
/* How many of n rows --top leaves. */
size_t	listing_top(const struct run *s, size_t n);
/* Print the table's rows in the requested order, of which --top leaves the first; t->nrows is then
   how many these are. Returns 0, or ERR_IO, which the end of the run reports. */
int	listing_print(struct run *s, struct table *t);
/* Append "title     text" to out, with the text cleaned, and clear the text. */
void	listing_fact(const struct run *s, struct buf *out, const char *title, struct buf *text);
/* Print a page, wrapped for the terminal. Returns 0, or ERR_IO. */
int	listing_page(struct run *s, struct page *page);
/* Print rows in this order; NULL: in the table's order. */
int	listing_print_order(struct run *s, const struct table *t, const struct table_order *order);

#endif

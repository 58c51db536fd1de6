/*
 * The rows of a report with those of its groups, and its totals: a sentence for each summary, by a
 * format.
 *
 *	"{count|wait of|waits of} {threads|thread|threads}[ took {total}]\n"
 *
 *	{name}			the cell with this name: a number, a duration, bytes, a share, text
 *	{name.key}		a duration of this key in a cell of statistics
 *	{name|one|many}		a count, and what is counted
 *	[...]			left out if there is no value in it but zero counts, or if it
 *				repeats what is before it
 *	[?name ...]		left out if the cell has no value
 *	[!name ...]		left out if the cell has a value
 *	[+name ...]		left out if the count is 0
 *	[0name ...]		left out if the count is not 0
 */
#ifndef ANALYSIS_REPORTS_TOTALS_H
#define ANALYSIS_REPORTS_TOTALS_H

#include "analysis/reports/rows.h"

/* Append a sentence about a row of a table, by a format. Names are clean unless t->raw_names. */
void	sentence_put(const struct table *t, size_t row, const char *format, bool ascii,
	    struct buf *out);
/* ncolumns: with the hidden ones, which have names, too. */
void	totals_put(struct rows *r, unsigned ncolumns, const char *format, struct buf *out);

#endif

/*
 * The only printer of tables: as text, JSON lines, CSV or TSV, from a struct table or from single
 * rows.
 *
 *	writer_new(o, style, names, n) -> writer_row(w, cells)... -> writer_end(w)
 */
#ifndef TNAV_OUT_TABLE_H
#define TNAV_OUT_TABLE_H

#include <stddef.h>

#include "tnav/analysis/table.h"
#include "tnav/io/output.h"
#include "tnav/out/cell.h"

struct writer;

/*
 * names are the JSON keys and the titles of the columns. A text table takes its widths from the
 * first thousand rows, which are held back until then. A table without rows still has titles (not
 * in JSON). files: each row begins with a column `file`.
 */
struct writer	*writer_new(struct output *o, const struct out_style *st,
		    const char *const *names, size_t n, bool files);
/* The following rows belong to this file, and have its times. The name is borrowed. */
void		 writer_file(struct writer *w, const char *file, const struct out_style *st);
/* Rows are written by others: write the titles now, unless they are written already; out: assume
   that they are. Not for text tables. */
void		 writer_titles(struct writer *w, bool out);
/* One row of n cells. Returns 0 or ERR_IO. */
int		 writer_row(struct writer *w, const struct cell *cells);
/*
 * Write a row in parts, in CSV and TSV without a column `file`: n cells from column `first` on,
 * then the next part, then the end of the row. The output of a part may be added again.
 */
void		 writer_part(struct writer *w, size_t first, const struct cell *cells, size_t n);
int		 writer_row_end(struct writer *w);
/* Write the rows that are held back, and free w. Returns 0 or ERR_IO. */
int		 writer_end(struct writer *w);

/* A writer for these columns of a table. In text and CSV, titles include units. */
struct writer	*writer_for(struct output *o, const struct out_style *st, const struct table *t,
		    const unsigned *col, size_t n, bool files);
/*
 * Write at most `limit` rows of a table, in this order (NULL: the table's own), with these columns.
 * Returns 0 or ERR_IO.
 */
int		 writer_table(struct writer *w, const struct table *t,
		    const struct table_order *order, const unsigned *col, uint64_t limit);
/* Print these columns of a table as a complete output. Returns 0 or ERR_IO. */
int		 table_print(struct output *o, const struct out_style *st, const struct table *t,
		    const struct table_order *order, const unsigned *col, size_t ncols);

#endif

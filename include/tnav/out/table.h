/*
 * The only printer of tables: a text table, JSON lines, CSV or TSV, of a struct table or of rows
 * that come one by one.
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
 * names are the JSON keys and the titles of the columns. The text table
 * takes its widths from the first thousand rows, which are held back until then. A table of no
 * rows has its titles all the same (not in JSON). files: each row begins with a column `file`.
 */
struct writer	*writer_new(struct output *o, const struct out_style *st,
		    const char *const *names, size_t n, bool files);
/* The rows that follow are of this file, with its times. The name is borrowed. */
void		 writer_file(struct writer *w, const char *file, const struct out_style *st);
/* Rows come from elsewhere: write the titles now, if they are not out yet; or take them for out.
   Not of text tables. */
void		 writer_titles(struct writer *w, bool out);
/* One row of n cells. 0 or ERR_IO. */
int		 writer_row(struct writer *w, const struct cell *cells);
/*
 * The same in parts, of CSV and TSV without a column `file`: n cells from column first on, one part
 * after the other, then the end of the row. What a part has added to the output may be added again.
 */
void		 writer_part(struct writer *w, size_t first, const struct cell *cells, size_t n);
int		 writer_row_end(struct writer *w);
/* Write what is held back. 0 or ERR_IO. Frees w. */
int		 writer_end(struct writer *w);

/* One for rows of these columns of a table. In a text table units stand beside their names. */
struct writer	*writer_for(struct output *o, const struct out_style *st, const struct table *t,
		    const unsigned *col, size_t n, bool files);
/*
 * The rows of a table as rows of w, at most limit of them in the order given (NULL: as the table
 * has them); the columns are these of the table. 0 or ERR_IO.
 */
int		 writer_table(struct writer *w, const struct table *t,
		    const struct table_order *order, const unsigned *col, uint64_t limit);
/* These columns of a table as an output of its own. 0 or ERR_IO. */
int		 table_print(struct output *o, const struct out_style *st, const struct table *t,
		    const struct table_order *order, const unsigned *col, size_t ncols);

#endif

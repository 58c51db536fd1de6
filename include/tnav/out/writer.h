/*
 * Rows of named cells to an output: a text table, JSON lines, CSV or TSV.
 *
 *	writer_new(&w, o, style, columns, n) -> writer_row(w, cells)... -> writer_free(w)
 */
#ifndef TNAV_OUT_WRITER_H
#define TNAV_OUT_WRITER_H

#include <stddef.h>

#include "tnav/io/output.h"
#include "tnav/out/cell.h"

struct writer;

/*
 * names are the JSON keys and the titles of the columns; they must stay valid. The text table
 * takes its widths from the first thousand rows, which are held back until then. A table of no
 * rows has its titles all the same (not in JSON).
 */
struct writer	*writer_new(struct output *o, const struct out_style *st,
		    const char *const *names, size_t n);
/* One row of n cells. 0 or ERR_IO. */
int		 writer_row(struct writer *w, const struct cell *cells);
/* Write what is held back. 0 or ERR_IO. Frees w. */
int		 writer_end(struct writer *w);

#endif

/*
 * The only writer of event rows: for dump, and for export, pipe and copy in the viewer. It writes
 * whole lines of JSON or text, or the cells of selected fields as a table in any format.
 */
#ifndef TNAV_OUT_ROWS_H
#define TNAV_OUT_ROWS_H

#include "tnav/analysis/tables.h"
#include "tnav/engine/field.h"
#include "tnav/io/output.h"
#include "tnav/out/event.h"
#include "tnav/out/table.h"

struct row_writer;

/*
 * Write to o, which stays the caller's, in the style *st. fields NULL: whole lines, or all fields
 * with csv and tsv. The list is borrowed until the end. rows NULL: a table of fields ends with this
 * writer. Else the table is *rows, made by the first row writer and continued by those for the next
 * files; it is the caller's.
 */
struct row_writer *row_writer_new(struct trace *t, struct output *o, const struct out_style *st,
		    const struct event_out_options *opt, const struct field_list *fields,
		    struct writer **rows);
/* row: the event's row, if known. Returns 0 or ERR_IO. */
int	row_writer_event(struct row_writer *w, const struct event *e, uint64_t row);
/* Write a loss between the rows, as a line. Returns 0 or ERR_IO. */
int	row_writer_gap(struct row_writer *w, const struct placed_gap *g);
/* Write what follows the last row; frees w. Returns 0 or ERR_IO. */
int	row_writer_end(struct row_writer *w);

/*
 * Rows that another thread writes: a part is a row writer into memory, freed by row_writer_end().
 * False: parts are impossible, since columns of text are as wide as the rows of all parts.
 */
bool	row_writer_splits(const struct row_writer *w);
struct row_writer *row_writer_part(const struct row_writer *w);
/* The number of bytes in a part. */
size_t	row_writer_bytes(const struct row_writer *part);
/* Write the first bytes of a part, and empty it. Returns 0 or ERR_IO. */
int	row_writer_take(struct row_writer *w, struct row_writer *part, size_t bytes);

/* Append one event as a line without a line end. */
void	row_line(struct buf *out, struct trace *t, const struct out_style *st,
	    const struct event *e, uint64_t row);

#endif

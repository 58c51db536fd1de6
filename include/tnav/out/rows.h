/*
 * The only writer of event rows: for dump, and for export, pipe and copy in the viewer.
 * Whole lines of JSON or text, or the cells of chosen fields as a table in any form.
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
 * On an output, which stays the caller's, as *st. fields NULL: whole lines, or with csv and tsv all
 * fields. The list is borrowed until the end. rows NULL: a table of fields ends with this writer;
 * else *rows, which the first row writer makes, goes on in the next file and is the caller's.
 */
struct row_writer *row_writer_new(struct trace *t, struct output *o, const struct out_style *st,
		    const struct event_out_options *opt, const struct field_list *fields,
		    struct writer **rows);
/* row: the event's, where rows are known. 0 or ERR_IO. */
int	row_writer_event(struct row_writer *w, const struct event *e, uint64_t row);
/* A loss between the rows, as a line. 0 or ERR_IO. */
int	row_writer_gap(struct row_writer *w, const struct placed_gap *g);
/* Write what stands after the last row; frees w. 0 or ERR_IO. */
int	row_writer_end(struct row_writer *w);

/*
 * Rows that another thread writes: a part is a row writer into memory, which row_writer_end()
 * frees. False: there are none, since columns of text are as wide as the rows of all.
 */
bool	row_writer_splits(const struct row_writer *w);
struct row_writer *row_writer_part(const struct row_writer *w);
/* How many bytes a part has. */
size_t	row_writer_bytes(const struct row_writer *part);
/* Write the first bytes of a part, which is empty then. 0 or ERR_IO. */
int	row_writer_take(struct row_writer *w, struct row_writer *part, size_t bytes);

/* One event as a whole line without its end. */
void	row_line(struct buf *out, struct trace *t, const struct out_style *st,
	    const struct event *e, uint64_t row);

#endif

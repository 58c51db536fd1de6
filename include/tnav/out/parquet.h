/*
 * Tables as files of Parquet, for the engines in which people query many traces.
 *
 *	-o X.parquet	X.parquet, or X.gc.parquet ... for a table with rows of several kinds
 *	-o DIR		DIR/TRACE.parquet, or DIR/gc/TRACE.parquet ...
 *
 * Each file has the columns of the JSON lines, and before them `trace` and `started`: the trace's
 * name and its time 0, so that the files of many traces are one table. It appears when it is whole.
 */
#ifndef TNAV_OUT_PARQUET_H
#define TNAV_OUT_PARQUET_H

#include "tnav/analysis/table.h"
#include "tnav/engine/field.h"
#include "tnav/engine/pass.h"
#include "tnav/engine/trace.h"
#include "tnav/out/event.h"

/* Where the tables of a trace go. */
struct parquet_place {
	const char	*path;		/* of -o; NULL: standard output */
	const char	*name;		/* a folder in the folder, or NULL */
	const char	*trace;		/* the trace's name; or NULL: of no trace */
	struct trace	*t;		/* or NULL */
	unsigned	 workers;	/* threads that encode */
	bool		 one_kind;	/* of rows: their kind is not in names of files */
	bool		 stacks;	/* stacks of events with names are ids, in the tables
					   `stacks` and `frames` */
	/* Set when a file could not be written: its name, to be freed, and errno. */
	char		*failed;
	int		 error;
};

/* Does the path name a file? Otherwise it is a folder. */
bool	parquet_is_file(const char *path);
/* Append the name of a trace's file without its folders and endings, as a name of a file: at most
   200 bytes, no '/' and no '.' at its beginning. */
void	parquet_trace_name(struct buf *out, const char *path);
/* Append text as a name of a file: what others than letters, digits and "-_.,+=@" are is %XX. A
   long one ends in a hash. */
void	parquet_file_name(struct buf *out, struct span text);
/*
 * Write at most `limit` rows of a table, in this order (NULL: the table's own), with these columns.
 * Returns 0, or ERR_IO with failed and error.
 */
int	parquet_table(struct parquet_place *p, const struct table *t,
	    const struct table_order *order, const unsigned *col, size_t ncols, uint64_t limit);

/*
 * Events as a file: the columns `trace` and `time` (UTC), then the keys of the JSON lines, or the
 * chosen fields. Payloads are JSON. Or a file for each type of events, with the fields of its
 * payload as columns: DIR/type=PROVIDER%2FEVENT/TRACE.parquet. Types of several versions are one.
 *
 *	event_files_new -> look -> each batch: event_files_next, rows, event_files_close
 */
struct event_files;

/* fields NULL: all keys that the JSON of any trace may have. They are borrowed, and so is the name
   in the place. At most `limit` rows are taken. */
struct event_files *event_files_new(struct parquet_place *p, struct trace *t,
		    const struct event_out_options *opt, const struct field_list *fields,
		    uint64_t limit);
struct event_files *event_files_by_type(struct parquet_place *p, struct trace *t,
		    const struct event_out_options *opt);
void	event_files_free(struct event_files *x);
/* Do fields depend on the event? Then look at all events first, to know the types of columns. */
bool	event_files_look(const struct event_files *x);
/* Go on to the next batch of files. Returns 1; 0: there is no other; or ERR_IO as
   parquet_table(). */
int	event_files_next(struct event_files *x);
/* keep: give the files of the batch their names. Returns 0 or ERR_IO. */
int	event_files_close(struct event_files *x, bool keep);
bool	event_files_any(const struct event_files *x);	/* events were taken */

/* Passes over the events, to look at them and to take their rows; the argument is the files. */
extern const struct pass_ops	event_look_pass, event_rows_pass;

#endif

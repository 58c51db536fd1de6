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
 * chosen fields. Payloads are JSON.
 *
 *	event_file_new -> (look, looked) -> event_file_open -> parts -> event_file_take .. -> _end
 */
struct event_file;
struct event_part;

/* fields NULL: all keys that the JSON of any trace may have. They are borrowed, and the name of a
   folder in the place's. */
struct event_file *event_file_new(struct parquet_place *p, const char *name, struct trace *t,
		    const struct event_out_options *opt, const struct field_list *fields);
/* Do fields depend on the event? Then look at all events first, to know the types of columns. */
bool	event_file_looks(const struct event_file *f);
/* Open the file, before it takes rows. many: it is one of many open ones, and keeps no memory of
   rows that are written. Returns 0, or ERR_IO as parquet_table(). */
int	event_file_open(struct event_file *f, bool many);
/* Take the rows of a part, at most `limit`, in their order; the part is empty then. 0 or ERR_IO. */
int	event_file_take(struct event_file *f, struct event_part *part, uint64_t limit);
uint64_t event_file_rows(const struct event_file *f);	/* taken so far */
/* Memory of the rows that wait for a row group to be full; and let it be full now. */
size_t	event_file_bytes(const struct event_file *f);
int	event_file_flush(struct event_file *f);
/* keep: give the file its name. Frees f. Returns 0 or ERR_IO. */
int	event_file_end(struct event_file *f, bool keep);

/* Rows that a thread makes. */
struct event_part *event_part_new(struct event_file *f);
void	event_part_free(struct event_part *p);
void	event_part_add(struct event_part *p, const struct pass_batch *b);
uint32_t event_part_rows(const struct event_part *p);
/* Before the file is open: note what its fields are in this event, and for all events of a part. */
void	event_part_look(struct event_part *p, const struct event *e);
void	event_file_looked(struct event_file *f, struct event_part *part);

/*
 * A file for each type of events, with the fields of its payload as columns:
 * DIR/type=PROVIDER%2FEVENT/TRACE.parquet. Types of several versions are one.
 *
 *	event_types_new -> looks -> each batch: event_types_next, parts, event_types_take, .._close
 */
struct event_types;
struct event_types_part;

struct event_types *event_types_new(struct parquet_place *p, struct trace *t,
		    const struct event_out_options *opt);
void	event_types_free(struct event_types *x);
/* Go on to the next batch of types; false: there is no other. */
bool	event_types_next(struct event_types *x);
int	event_types_close(struct event_types *x, bool keep);
int	event_types_take(struct event_types *x, struct event_types_part *p);

struct event_types_part *event_types_part_new(struct event_types *x);
void	event_types_part_free(struct event_types_part *p);
/* Events of types that are not in the batch are left out. */
void	event_types_part_add(struct event_types_part *p, const struct pass_batch *b);
void	event_types_part_look(struct event_types_part *p, const struct event *e);
void	event_types_looked(struct event_types *x, struct event_types_part *p);

#endif

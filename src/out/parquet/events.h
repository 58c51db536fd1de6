/*
 * Events as a file of Parquet. Private to this directory.
 *
 *	event_file_new -> (look, looked) -> event_file_open -> parts -> event_file_take .. -> _end
 */
#ifndef OUT_PARQUET_EVENTS_H
#define OUT_PARQUET_EVENTS_H

#include "out/parquet/place.h"

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

#endif

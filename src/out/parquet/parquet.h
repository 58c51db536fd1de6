/*
 * Writing a file of Parquet: rows of typed columns. Knows nothing of traces and of tables.
 *
 *	parquet_file_new
 *	parquet_rows_new -> parquet_u64(r, column, ..) .. parquet_row_end(r), again and again
 *	parquet_file_add: rows, in order ... parquet_file_end
 *
 * Rows are made by any thread, each thread its own; one thread adds them. A row group has as many
 * of them as make about GROUP_ROWS rows; threads encode the groups, which are written in order. So
 * memory is that of a row group for each thread and one more, whatever is written. Of a group that
 * is written it serves the next ones.
 */
#ifndef OUT_PARQUET_PARQUET_H
#define OUT_PARQUET_PARQUET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"
#include "tnav/io/output.h"

enum parquet_type {
	PARQUET_BOOL,
	PARQUET_U8,
	PARQUET_U64, PARQUET_I64,
	PARQUET_TIME,		/* ns since 1970, UTC */
	PARQUET_F32, PARQUET_F64,
	PARQUET_UUID,		/* 16 bytes, as they are spelled */
	PARQUET_TEXT, PARQUET_JSON, PARQUET_BYTES,
	PARQUET_TYPES,
};

struct parquet_column {
	const char		*name;		/* any UTF-8 */
	enum parquet_type	 type;
	bool			 list;		/* a list of U64 or TEXT, without nulls in it */
	bool			 required;	/* each row has a value */
};

/* The cells of a column in some rows. */
struct parquet_cells {
	const struct parquet_column *column;
	uint8_t		 width;		/* of a value in memory */
	uint32_t	 n, values;	/* cells, up to the last value; those with a value */
	struct buf	 has;		/* a byte for each cell; empty: all or none have a value */
	struct buf	 value;		/* values of the same width; of texts and lists a ref */
	struct buf	 element;	/* of lists: the values that refs refer to */
	struct buf	 text;		/* the bytes that refs refer to */
};

/* A text in .text, or a list in .element. */
struct parquet_ref {
	uint32_t	at, len;
};

struct parquet_rows {
	struct parquet_rows	*next;		/* of those that are not used */
	size_t			 columns;
	uint32_t		 n;
	struct parquet_cells	 cell[];
};

/* The columns are borrowed. */
struct parquet_rows *parquet_rows_new(const struct parquet_column *columns, size_t n);
void	parquet_rows_free(struct parquet_rows *r);	/* NULL is fine */
void	parquet_rows_clear(struct parquet_rows *r);	/* keeps the memory */
size_t	parquet_rows_bytes(const struct parquet_rows *r);	/* that are used */

/* One cell of the row that is being made; a column without one has none: null. */
void	parquet_u64(struct parquet_rows *r, size_t column, uint64_t v);	/* all whole numbers,
									   bool, time */
void	parquet_uuid(struct parquet_rows *r, size_t column, const uint8_t bytes[16]);
/* TEXT becomes valid UTF-8, with U+FFFD for bad bytes. */
void	parquet_text(struct parquet_rows *r, size_t column, struct span text);
/* The same for bytes that were appended to the cells' .text from here on, which are valid. */
void	parquet_text_from(struct parquet_rows *r, size_t column, size_t from);
/* A text that is kept, put into another row of the same column and rows. */
void	parquet_again(struct parquet_rows *r, size_t column, struct parquet_ref ref);
/* Both without a cell, and how parquet_u64() and parquet_run() take such a text. */
struct parquet_ref parquet_keep(struct parquet_rows *r, size_t column, struct span text);
struct parquet_ref parquet_keep_from(struct parquet_rows *r, size_t column, size_t from);
static inline uint64_t
parquet_ref_value(struct parquet_ref ref)
{
	return (uint64_t)ref.len << 32 | ref.at;
}
/* The cells of the last n rows, which have none yet, all at once. has NULL: all have a value. */
void	parquet_run(struct parquet_rows *r, size_t column, const uint64_t *v, const bool *has,
	    uint32_t n);
/* A list: its elements, one by one, then the list itself. */
void	parquet_element_u64(struct parquet_rows *r, size_t column, uint64_t v);
void	parquet_element_text(struct parquet_rows *r, size_t column, struct span text);
struct parquet_ref parquet_list(struct parquet_rows *r, size_t column, uint32_t elements);
static inline void
parquet_row_end(struct parquet_rows *r)
{
	r->n++;
}
/* Leave the first n rows. */
void	parquet_rows_cut(struct parquet_rows *r, uint32_t n);

struct parquet_key {
	const char	*name, *value;
};

struct parquet_options {
	unsigned		 workers;
	int			 sorted;	/* the column in whose order the rows are, or -1 */
	const struct parquet_key *key;		/* facts for the footer */
	size_t			 nkeys;
	bool			 many;		/* one of many open files: keeps no memory */
};

struct parquet_file;

/* The columns and the keys are borrowed; the output is closed by the caller, after the end. */
struct parquet_file *parquet_file_new(struct output *o, const struct parquet_column *columns,
		    size_t n, const struct parquet_options *opt);
/* Rows without any, to be added. For the thread that adds. */
struct parquet_rows *parquet_file_rows(struct parquet_file *f);
/* Add rows, which become the file's. Returns 0 or ERR_IO. */
int	parquet_file_add(struct parquet_file *f, struct parquet_rows *r);
/* Bytes of the rows that wait for their group; and encode them now. */
size_t	parquet_file_bytes(const struct parquet_file *f);
int	parquet_file_flush(struct parquet_file *f);
/* Write what is left, and the footer; frees f. Returns 0 or ERR_IO. */
int	parquet_file_end(struct parquet_file *f);
void	parquet_file_drop(struct parquet_file *f);	/* without; NULL is fine */

#endif

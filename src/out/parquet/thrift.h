/*
 * Writing the compact protocol of Thrift, in which Parquet has its footer and its headers.
 *
 *	thrift_begin -> thrift_i32(t, 1, ..), thrift_open(t, 5) .. thrift_close(t) -> thrift_close
 *
 * Fields of a struct are written in the order of their ids. Only what Parquet needs is here.
 */
#ifndef OUT_PARQUET_THRIFT_H
#define OUT_PARQUET_THRIFT_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"

#define THRIFT_NESTING	8u

enum thrift_kind {
	THRIFT_TRUE = 1, THRIFT_FALSE, THRIFT_BYTE, THRIFT_I32 = 5, THRIFT_I64, THRIFT_BINARY = 8,
	THRIFT_LIST, THRIFT_STRUCT = 12,
};

struct thrift {
	struct buf	*out;
	unsigned	 depth;
	int		 last[THRIFT_NESTING];	/* by depth: the id of the last field */
};

void	put_zigzag(struct buf *out, int64_t v);		/* small absolute values are short */

/* A struct that is no field: the whole, or an element of a list. */
void	thrift_begin(struct thrift *t, struct buf *out);
void	thrift_element(struct thrift *t);
void	thrift_open(struct thrift *t, int id);		/* a field that is a struct */
void	thrift_close(struct thrift *t);			/* the end of any struct */

void	thrift_bool(struct thrift *t, int id, bool v);
void	thrift_byte(struct thrift *t, int id, int8_t v);
void	thrift_i32(struct thrift *t, int id, int32_t v);
void	thrift_i64(struct thrift *t, int id, int64_t v);
void	thrift_binary(struct thrift *t, int id, struct span v);
/* A list of n elements, which follow: by thrift_element(), or by the functions below. */
void	thrift_list(struct thrift *t, int id, enum thrift_kind of, size_t n);
void	thrift_put_bool(struct thrift *t, bool v);
void	thrift_put_int(struct thrift *t, int64_t v);	/* i32 and i64 */
void	thrift_put_binary(struct thrift *t, struct span v);

#endif

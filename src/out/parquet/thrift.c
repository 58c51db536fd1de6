/*
 * The compact protocol of Thrift.
 *
 *	field	(id - last id) << 4 | kind, or kind and the id; then the value
 *	number	zigzag, 7 bits a byte
 *	struct	fields, 0
 *	list	n << 4 | kind, or 0xf0 | kind and n; then the elements
 *
 * Format: thrift/doc/specs/thrift-compact-protocol.md
 */
#include "out/parquet/thrift.h"

#include <assert.h>

#define SHORT_STEP	15	/* the greatest step between ids that is written beside the kind */
#define SHORT_LIST	15u	/* shorter lists have their length beside the kind */

void
put_zigzag(struct buf *out, int64_t v)
{
	buf_varint(out, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

static void
put_field(struct thrift *t, int id, enum thrift_kind kind)
{
	int	step = id - t->last[t->depth];

	t->last[t->depth] = id;
	if (step > 0 && step <= SHORT_STEP) {
		buf_putc(t->out, (char)((unsigned)step << 4 | kind));
		return;
	}
	buf_putc(t->out, (char)kind);
	put_zigzag(t->out, id);
}

void
thrift_begin(struct thrift *t, struct buf *out)
{
	*t = (struct thrift){ .out = out };
}

void
thrift_element(struct thrift *t)
{
	assert(t->depth + 1 < THRIFT_NESTING);
	t->last[++t->depth] = 0;
}

void
thrift_open(struct thrift *t, int id)
{
	put_field(t, id, THRIFT_STRUCT);
	thrift_element(t);
}

void
thrift_close(struct thrift *t)
{
	buf_putc(t->out, 0);
	if (t->depth > 0)
		t->depth--;
}

void
thrift_bool(struct thrift *t, int id, bool v)
{
	put_field(t, id, v ? THRIFT_TRUE : THRIFT_FALSE);
}

void
thrift_byte(struct thrift *t, int id, int8_t v)
{
	put_field(t, id, THRIFT_BYTE);
	buf_putc(t->out, (char)v);
}

void
thrift_i32(struct thrift *t, int id, int32_t v)
{
	put_field(t, id, THRIFT_I32);
	put_zigzag(t->out, v);
}

void
thrift_i64(struct thrift *t, int id, int64_t v)
{
	put_field(t, id, THRIFT_I64);
	put_zigzag(t->out, v);
}

void
thrift_binary(struct thrift *t, int id, struct span v)
{
	put_field(t, id, THRIFT_BINARY);
	thrift_put_binary(t, v);
}

void
thrift_list(struct thrift *t, int id, enum thrift_kind of, size_t n)
{
	put_field(t, id, THRIFT_LIST);
	if (n < SHORT_LIST) {
		buf_putc(t->out, (char)(n << 4 | of));
		return;
	}
	buf_putc(t->out, (char)(0xf0u | of));
	buf_varint(t->out, n);
}

void
thrift_put_bool(struct thrift *t, bool v)
{
	buf_putc(t->out, v ? THRIFT_TRUE : THRIFT_FALSE);
}

void
thrift_put_int(struct thrift *t, int64_t v)
{
	put_zigzag(t->out, v);
}

void
thrift_put_binary(struct thrift *t, struct span v)
{
	buf_varint(t->out, v.len);
	buf_span(t->out, v);
}

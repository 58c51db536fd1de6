/* Messages of protocol buffers. */
#include "out/convert/proto.h"

#include <string.h>

#include "tnav/base/text.h"

enum wire { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_LENGTH = 2 };

static void
put_key(struct buf *b, unsigned field, enum wire wire)
{
	buf_varint(b, (uint64_t)field << 3 | wire);
}

void
proto_u64(struct buf *b, unsigned field, uint64_t v)
{
	put_key(b, field, WIRE_VARINT);
	buf_varint(b, v);
}

void
proto_fixed64(struct buf *b, unsigned field, uint64_t v)
{
	put_key(b, field, WIRE_FIXED64);
	buf_le(b, v, sizeof v);
}

void
proto_f64(struct buf *b, unsigned field, double v)
{
	uint64_t	bits;

	memcpy(&bits, &v, sizeof bits);
	proto_fixed64(b, field, bits);
}

void
proto_message(struct buf *b, unsigned field, const struct buf *message)
{
	put_key(b, field, WIRE_LENGTH);
	buf_varint(b, message->len);
	buf_span(b, span_of_buf(message));
}

void
proto_text(struct buf *b, unsigned field, struct span text)
{
	struct buf	valid = { 0 };

	if (text.len == 0 || text_skip_ascii(text.p, text.p + text.len) == text.p + text.len) {
		put_key(b, field, WIRE_LENGTH);
		buf_varint(b, text.len);
		buf_span(b, text);
		return;
	}
	text_from_utf8(&valid, text);
	proto_message(b, field, &valid);
	buf_release(&valid);
}

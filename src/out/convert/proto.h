/*
 * Messages of protocol buffers, written field by field: what pprof and Perfetto need of them.
 * https://protobuf.dev/programming-guides/encoding
 *
 *	proto_u64(b, 1, 150)		08 96 01
 *	proto_bytes(b, 2, "ab")		12 02 61 62
 *
 * A message inside another one is made in a buffer of its own, and added with proto_message().
 */
#ifndef OUT_CONVERT_PROTO_H
#define OUT_CONVERT_PROTO_H

#include "tnav/base/buf.h"

void	proto_u64(struct buf *b, unsigned field, uint64_t v);
void	proto_fixed64(struct buf *b, unsigned field, uint64_t v);
void	proto_f64(struct buf *b, unsigned field, double v);
void	proto_text(struct buf *b, unsigned field, struct span text);	/* made valid UTF-8 */
void	proto_message(struct buf *b, unsigned field, const struct buf *message);

#endif

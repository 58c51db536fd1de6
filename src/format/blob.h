/*
 * Blobs: the events of a block of NetTrace V4 to V6, one after another.
 *
 *	u16 header size  u16 flags (1: compressed)  i64 least time  i64 greatest ...   block
 *	header payload  header payload ...                                             blobs
 *
 * A compressed header says only what differs from the one before it in the block; so the state of
 * a decoder is one struct blob. How headers look is each version's own: it gives two functions,
 * which are inlined into the two loops over blobs, the scan and the decoder of views.
 *
 * Invariant: nothing is read outside the body's span, and a decoder's state is what the bytes of
 * the body in front of it say, so that any thread can start at any kept state.
 */
#ifndef TNAV_SRC_FORMAT_BLOB_H
#define TNAV_SRC_FORMAT_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/format/format.h"
#include "format/varint.h"

#define BLOB_HEADER_MOST	100u	/* more than any compressed header has */
#define BLOCK_HEADER_LEAST	20u	/* of an event block */
#define BLOB_INLINE		static inline __attribute__((always_inline))

struct blob {
	uint64_t	thread, capture, ts;
	uint32_t	metadata, seq, cpu, stack, labels;
	uint32_t	size;		/* of the payload */
	uint64_t	activity, related;	/* position in the body + 1; 0: none */
	bool		sorted;
	bool		clipped;	/* full: the payload's size is more than the blob's own */
};

/*
 * The header at p, which is no further than end: what is behind it, or NULL. Compressed: checked
 * is constant, and false only where BLOB_HEADER_MOST bytes are there. Full: *step is how many
 * bytes from there to the next blob, at least the payload's size, all inside the body.
 */
typedef const uint8_t	*(*blob_packed_fn)(struct blob *h, const uint8_t *p, const uint8_t *end,
			    const uint8_t *body, bool checked);
typedef const uint8_t	*(*blob_full_fn)(struct blob *h, const uint8_t *p, const uint8_t *end,
			    const uint8_t *body, uint32_t *step);

/* Read one number in a blob_packed_fn and move on. */
#define BLOB_VARINT(bits, lvalue, type, base)						\
	do {										\
		uint64_t	v_;							\
		p = varint_read(p, end, checked, bits, &v_);				\
		if (p == NULL)								\
			return NULL;							\
		(lvalue) = (type)((base) + v_);						\
	} while (0)

enum { BLOB_META_CPU, BLOB_SEQ_STACK, BLOB_CAPTURE, BLOB_THREAD, BLOB_TS, BLOB_ACTIVITY,
	BLOB_RELATED, BLOB_SIZE_LABELS, BLOB_COMPRESSED };

static inline bool
blob_compressed(const struct decode_state *st)
{
	return st->w[BLOB_COMPRESSED] != 0;
}

static inline void
blob_load(const struct decode_state *st, struct blob *h)
{
	h->metadata = (uint32_t)st->w[BLOB_META_CPU];
	h->cpu = (uint32_t)(st->w[BLOB_META_CPU] >> 32);
	h->seq = (uint32_t)st->w[BLOB_SEQ_STACK];
	h->stack = (uint32_t)(st->w[BLOB_SEQ_STACK] >> 32);
	h->capture = st->w[BLOB_CAPTURE];
	h->thread = st->w[BLOB_THREAD];
	h->ts = st->w[BLOB_TS];
	h->activity = st->w[BLOB_ACTIVITY];
	h->related = st->w[BLOB_RELATED];
	h->size = (uint32_t)st->w[BLOB_SIZE_LABELS];
	h->labels = (uint32_t)(st->w[BLOB_SIZE_LABELS] >> 32);
	h->sorted = h->clipped = false;
}

static inline void
blob_store(struct decode_state *st, const struct blob *h, uint64_t pos)
{
	st->pos = pos;
	st->w[BLOB_META_CPU] = h->metadata | (uint64_t)h->cpu << 32;
	st->w[BLOB_SEQ_STACK] = h->seq | (uint64_t)h->stack << 32;
	st->w[BLOB_CAPTURE] = h->capture;
	st->w[BLOB_THREAD] = h->thread;
	st->w[BLOB_TS] = h->ts;
	st->w[BLOB_ACTIVITY] = h->activity;
	st->w[BLOB_RELATED] = h->related;
	st->w[BLOB_SIZE_LABELS] = h->size | (uint64_t)h->labels << 32;
}

/*
 * The blob at p: returns where its payload begins and *step, the bytes from there to the next
 * blob, all inside the body. NULL: no whole blob is there.
 */
BLOB_INLINE const uint8_t *
blob_next(struct blob *h, const uint8_t *p, const uint8_t *end, const uint8_t *body,
    bool compressed, blob_packed_fn packed, blob_full_fn full, uint32_t *step)
{
	if (!compressed)
		return full(h, p, end, body, step);
	if (__builtin_expect((size_t)(end - p) >= BLOB_HEADER_MOST, 1))
		p = packed(h, p, end, body, false);
	else
		p = packed(h, p, end, body, true);
	if (p == NULL || h->size > (size_t)(end - p))
		return NULL;
	*step = h->size;
	return p;
}

/* format_ops.begin of a block of events, and of one of metadata in V4. */
int		 blob_begin(const struct format *f, const struct frame *fr, struct span body,
		    struct decode_state *st, const char **text);
const char	*blob_bad_text(const struct frame *fr);

/* The body of format_ops.scan. */
BLOB_INLINE int
blob_scan(const struct frame *fr, struct span body, struct decode_state *st, struct scan *s,
    bool compressed, bool mixed, blob_packed_fn packed, blob_full_fn full)
{
	const uint8_t	*p = body.p + st->pos, *end = body.p + body.len;
	struct blob	 h;

	blob_load(st, &h);
	while (p < end) {
		uint32_t	room, step, i;
		const uint8_t	*q;

		blob_store(st, &h, (uint64_t)(p - body.p));
		room = scan_room(s, fr->off, st);
		if (room == 0)
			return 0;
		for (i = 0; i < room && p < end; i++) {
			q = blob_next(&h, p, end, body.p, compressed, packed, full, &step);
			if (q == NULL)
				break;
			scan_event(s, mixed, (int64_t)h.ts, h.metadata, h.thread, h.capture, h.seq,
			    fr->body + (uint64_t)(q - body.p), h.size);
			if (h.labels > s->label_most) {
				s->label_most = h.labels;
				s->label_off = fr->body + (uint64_t)(p - body.p);
			}
			if (!compressed && h.clipped)
				scan_add_bad(s, fr->body + (uint64_t)(p - body.p), 0,
				    "a payload's size is more than its event's");
			p = q + step;
		}
		scan_took(s, i);
		if (i < room && p < end) {
			scan_add_bad(s, fr->body + (uint64_t)(p - body.p), (uint64_t)(end - p),
			    blob_bad_text(fr));
			return 1;
		}
	}
	return 1;
}

/* The body of format_ops.decode. */
BLOB_INLINE size_t
blob_decode(const struct frame *fr, struct span body, struct decode_state *st, struct event *out,
    size_t max, struct id_list *ids, blob_packed_fn packed, blob_full_fn full)
{
	const uint8_t	*p = body.p + st->pos, *end = body.p + body.len;
	bool		 compressed = blob_compressed(st);
	struct blob	 h;
	size_t		 n = 0;

	blob_load(st, &h);
	for (; n < max && p < end; n++) {
		struct event	*e = &out[n];
		uint32_t	 step;
		uint64_t	 at;
		const uint8_t	*q = blob_next(&h, p, end, body.p, compressed, packed, full, &step);

		if (q == NULL)
			break;
		at = (uint64_t)(q - body.p);
		*e = (struct event){
			.ts = (int64_t)h.ts, .off = fr->body + at, .size = h.size,
			.type = h.metadata, .seq = h.seq, .cpu = (int32_t)h.cpu, .stack = h.stack,
			.flags = h.sorted ? EVENT_SORTED : 0, .head = (uint16_t)(q - p),
			.activity_back = h.activity ? (uint32_t)(at - (h.activity - 1)) : 0,
			.related_back = h.related ? (uint32_t)(at - (h.related - 1)) : 0,
			.labels = h.labels,
		};
		e->thread = id_list_add(ids, h.thread);
		e->capture = h.capture == h.thread ? e->thread : id_list_add(ids, h.capture);
		p = q + step;
	}
	blob_store(st, &h, (uint64_t)(p - body.p));
	return n;
}

#endif

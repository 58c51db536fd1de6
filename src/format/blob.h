/*
 * Blobs: the events of a block of NetTrace V4 to V6, one after another.
 *
 *	u16 header size  u16 flags (1: compressed)  i64 least time  i64 greatest ...   block
 *	header payload  header payload ...                                             blobs
 *
 * A compressed header has only the differences from the header before it in the block, so the state
 * of a decoder is one struct blob. Headers of V6 have label lists in place of activity ids. The
 * parameter v6 is always a constant, so the compiler makes separate loops for each version, both
 * for the scan and for views.
 *
 * Invariant: nothing is read outside the body's span. The state of a decoder depends only on the
 * bytes of the body before it, so any thread can continue from any kept state.
 */
#ifndef TNAV_SRC_FORMAT_BLOB_H
#define TNAV_SRC_FORMAT_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/common.h"
#include "tnav/format/format.h"
#include "format/varint.h"

#define BLOB_HEADER_MOST	100u	/* bytes; every compressed header is shorter */
#define BLOB_FULL_V4		80u	/* an uncompressed header, its blob's size included */
#define BLOB_FULL_V6		52u
#define BLOCK_HEADER_LEAST	20u	/* of an event block */
#define BLOB_THREADS		32u	/* entries of the cache of thread ids */
#define BLOB_INLINE		static inline __attribute__((always_inline))

struct blob {
	uint64_t	thread, capture, ts;
	uint32_t	metadata, seq, cpu, stack, labels;
	uint32_t	size;		/* of the payload */
	uint64_t	activity, related;	/* position in the body + 1; 0: none */
	bool		clipped;	/* the payload's size is more than the blob's (full only) */
};

/* Used in blob_packed(): read a number at p and move p past it. */
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
	h->clipped = false;
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
 * Read the compressed header at p, p <= end. Returns the byte after it, or NULL. checked is a
 * constant, and false only if there are at least BLOB_HEADER_MOST bytes.
 */
BLOB_INLINE const uint8_t *
blob_packed(struct blob *h, const uint8_t *p, const uint8_t *end, const uint8_t *body, bool v6,
    bool checked)
{
	unsigned	flags;

	if (checked && p >= end)
		return NULL;
	flags = *p++;
	if (flags & 1)
		BLOB_VARINT(32, h->metadata, uint32_t, 0);
	if (flags & 2) {
		BLOB_VARINT(32, h->seq, uint32_t, h->seq);
		BLOB_VARINT(64, h->capture, uint64_t, 0);
		BLOB_VARINT(32, h->cpu, uint32_t, 0);
	}
	h->seq += v6 || h->metadata != 0;
	if (flags & 4)
		BLOB_VARINT(64, h->thread, uint64_t, 0);
	if (flags & 8)
		BLOB_VARINT(32, h->stack, uint32_t, 0);
	BLOB_VARINT(64, h->ts, uint64_t, h->ts);
	if (v6 && flags & 16)
		BLOB_VARINT(32, h->labels, uint32_t, 0);
	if (!v6 && flags & 16) {
		if (checked && end - p < 16)
			return NULL;
		h->activity = (uint64_t)(p - body) + 1;
		p += 16;
	}
	if (!v6 && flags & 32) {
		if (checked && end - p < 16)
			return NULL;
		h->related = (uint64_t)(p - body) + 1;
		p += 16;
	}
	if (flags & 128)
		BLOB_VARINT(32, h->size, uint32_t, 0);
	return p;
}

/*
 * Read the full header at p. Returns the byte after it; *step is the number of bytes from there to
 * the next blob: at least the payload's size, all inside the body.
 */
BLOB_INLINE const uint8_t *
blob_full(struct blob *h, const uint8_t *p, const uint8_t *end, const uint8_t *body, bool v6,
    uint32_t *step)
{
	const uint32_t	header = v6 ? BLOB_FULL_V6 : BLOB_FULL_V4;
	uint32_t	size;

	if ((size_t)(end - p) < header)
		return NULL;
	size = load_u32le(p);
	if (size < header - 4 || size > (size_t)(end - p) - 4)
		return NULL;
	h->metadata = load_u32le(p + 4);
	h->metadata &= 0x7fffffff;
	h->seq = load_u32le(p + 8);
	h->thread = load_u64le(p + 12);
	h->capture = load_u64le(p + 20);
	h->cpu = load_u32le(p + 28);
	h->stack = load_u32le(p + 32);
	h->ts = load_u64le(p + 36);
	if (v6) {
		h->labels = load_u32le(p + 44);
	} else {
		h->activity = (uint64_t)(p - body) + 44 + 1;
		h->related = (uint64_t)(p - body) + 60 + 1;
	}
	h->size = load_u32le(p + header - 4);
	*step = size - (header - 4);
	h->clipped = h->size > *step;
	if (h->clipped)
		h->size = *step;	/* the blob's own size counts */
	return p + header;
}

/*
 * Read the header of the blob at p. Returns the start of its payload; *step is the number of bytes
 * from there to the next blob, all inside the body. NULL: no whole blob is at p.
 */
BLOB_INLINE const uint8_t *
blob_next(struct blob *h, const uint8_t *p, const uint8_t *end, const uint8_t *body, bool v6,
    bool compressed, uint32_t *step)
{
	if (!compressed)
		return blob_full(h, p, end, body, v6, step);
	if (__builtin_expect((size_t)(end - p) >= BLOB_HEADER_MOST, 1))
		p = blob_packed(h, p, end, body, v6, false);
	else
		p = blob_packed(h, p, end, body, v6, true);
	if (p == NULL || h->size > (size_t)(end - p))
		return NULL;
	*step = h->size;
	return p;
}

/* format_ops.begin of a block of events, and of one of metadata in V4. */
int		 blob_begin(const struct format *f, const struct frame *fr, struct span body,
		    struct decode_state *st, const char **text);

/* Advance the state over the next n blobs, which are whole. */
BLOB_INLINE void
blob_pass(struct decode_state *st, struct span body, uint32_t n, bool v6, bool compressed)
{
	const uint8_t	*p = body.p + st->pos;
	uint32_t	 step = 0;
	struct blob	 h;

	blob_load(st, &h);
	for (; n > 0; n--)
		p = blob_next(&h, p, body.p + body.len, body.p, v6, compressed, &step) + step;
	blob_store(st, &h, (uint64_t)(p - body.p));
}

/* In V6 types and threads change from event to event. In V4 there are runs of equal ones. */
BLOB_INLINE int
blob_scan_as(const struct format *f, const struct frame *fr, struct span body,
    struct decode_state *st, struct scan *s, bool v6, bool compressed)
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
			q = blob_next(&h, p, end, body.p, v6, compressed, &step);
			if (q == NULL)
				break;
			scan_event(s, v6, (int64_t)h.ts, h.metadata, h.thread, h.capture, h.seq,
			    fr->body + (uint64_t)(q - body.p), h.size);
			if (h.labels > s->label_most) {
				s->label_most = h.labels;
				s->label_off = fr->body + (uint64_t)(p - body.p);
			}
			if (!compressed && h.clipped)
				scan_add_bad(s, fr->body + (uint64_t)(p - body.p), 0,
				    "a payload is larger than its event");
			p = q + step;
		}
		scan_took(s, i);
		if (i < room && p < end) {
			blob_pass(st, body, i, v6, compressed);
			if (fr->growing)
				return 1;
			scan_add_bad(s, fr->body + (uint64_t)(p - body.p), (uint64_t)(end - p),
			    format_bad_text(f, fr));
			return 1;
		}
	}
	blob_store(st, &h, (uint64_t)(p - body.p));
	return 1;
}

/* The body of format_ops.scan. */
BLOB_INLINE int
blob_scan(const struct format *f, const struct frame *fr, struct span body,
    struct decode_state *st, struct scan *s, bool v6)
{
	if (blob_compressed(st))
		return blob_scan_as(f, fr, body, st, s, v6, true);
	return blob_scan_as(f, fr, body, st, s, v6, false);
}

/* An entry of the cache: the id of a thread, and its index in the list + 1; 0: free. */
struct blob_thread {
	uint64_t	id;
	uint32_t	at;
};

/* The index of id in the list, by the cache b of BLOB_THREADS entries. */
static inline uint32_t
blob_thread_at(struct id_list *ids, struct blob_thread *b, uint64_t id)
{
	b += id % BLOB_THREADS;
	if (__builtin_expect(b->at == 0 || b->id != id, 0))
		*b = (struct blob_thread){ .id = id, .at = id_list_add(ids, id) + 1 };
	return b->at - 1;
}

BLOB_INLINE size_t
blob_decode_as(const struct frame *fr, struct span body, struct decode_state *st,
    struct event *out, size_t max, struct id_list *ids, bool v6, bool compressed)
{
	const uint8_t		*p = body.p + st->pos, *end = body.p + body.len;
	struct blob_thread	 threads[BLOB_THREADS] = { { .at = 0 } };
	struct blob		 h;
	size_t			 n = 0;

	blob_load(st, &h);
	for (; n < max && p < end; n++) {
		struct event	*e = &out[n];
		uint32_t	 step;
		uint64_t	 at;
		const uint8_t	*q = blob_next(&h, p, end, body.p, v6, compressed, &step);

		if (q == NULL)
			break;
		at = (uint64_t)(q - body.p);
		*e = (struct event){
			.ts = (int64_t)h.ts, .off = fr->body + at, .size = h.size,
			.type = h.metadata, .seq = h.seq, .cpu = (int32_t)h.cpu, .stack = h.stack,
			.head = (uint16_t)(q - p),
			.labels = v6 ? h.labels : 0,
		};
		if (!v6 && h.activity != 0)
			e->activity_back = (uint32_t)(at - (h.activity - 1));
		if (!v6 && h.related != 0)
			e->related_back = (uint32_t)(at - (h.related - 1));
		e->thread = blob_thread_at(ids, threads, h.thread);
		e->capture = h.capture == h.thread ? e->thread :
		    blob_thread_at(ids, threads, h.capture);
		p = q + step;
	}
	blob_store(st, &h, (uint64_t)(p - body.p));
	return n;
}

/* The body of format_ops.decode. */
BLOB_INLINE size_t
blob_decode(const struct frame *fr, struct span body, struct decode_state *st, struct event *out,
    size_t max, struct id_list *ids, bool v6)
{
	if (blob_compressed(st))
		return blob_decode_as(fr, body, st, out, max, ids, v6, true);
	return blob_decode_as(fr, body, st, out, max, ids, v6, false);
}

#endif

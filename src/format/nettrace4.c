/*
 * NetTrace V4 and V5: objects in the conventions of FastSerialization.
 *
 *	"Nettrace" 20 "!FastSerialization.1"
 *	object*		see fastser.h; their begin tag is 5
 *
 * Event and metadata blocks hold blobs: a header, full or compressed against the blob before it in
 * the block, and a payload: see blob.h.
 *
 * Invariant: nothing is read outside the body's span, and a decoder's state is what the bytes of
 * the body in front of it say, so that any thread can start at any kept state.
 * Format: "EventPipe (File) Format", spec/nettrace-v4-v5.
 */
#include <string.h>

#include "format/blob.h"
#include "format/common.h"
#include "format/fastser.h"
#include "tnav/base/err.h"

#define MAGIC		"Nettrace"
#define STREAM_HEADER	32u		/* bytes in front of the first object */
#define HEADER_FULL	80u		/* an uncompressed blob's header, its size included */

enum sub { SUB_EVENTS, SUB_METADATA, SUB_STACKS, SUB_POINT };

static const struct fast_kind	kinds[] = {
	{ "EventBlock", SUB_EVENTS, FRAME_EVENTS },
	{ "MetadataBlock", SUB_METADATA, FRAME_DATA },
	{ "StackBlock", SUB_STACKS, FRAME_DATA },
	{ "SPBlock", SUB_POINT, FRAME_BARRIER },
};

/* A Trace object for readers of 5 on would be a format that nobody wrote. */
static const struct fast_dialect	dialect = {
	.begin = 5, .trace_reader = 4, .block_reader = 2, .format = "NetTrace V4", .version = 4,
	.nkinds = sizeof kinds / sizeof *kinds, .kinds = kinds,
};

/* ---- the stream header and objects */

static int
nt4_probe(struct span head)
{
	size_t	n = head.len < strlen(MAGIC) ? head.len : strlen(MAGIC);

	if (head.len >= 12 && load_u32le(head.p + 8) == 0)
		return 0;		/* V6 and later */
	return n >= 2 && memcmp(head.p, MAGIC, n) == 0 ? 50 : 0;
}

static int
open_fast_header(struct span head, struct buf *why)
{
	struct cursor	c = cursor_init(head, 0);
	uint32_t	len;

	cursor_skip(&c, strlen(MAGIC));
	len = cursor_u32le(&c);
	if (cursor_ok(&c) && len == strlen(FAST_MAGIC) &&
	    fast_name_is(cursor_take(&c, len), FAST_MAGIC))
		return ERR_OK;
	if (!cursor_ok(&c)) {
		buf_puts(why, "is cut inside the stream header");
		return ERR_TRUNCATED;
	}
	buf_puts(why, "has a damaged stream header: NetTrace's first bytes, then something else");
	return ERR_FORMAT;
}

static int
nt4_open(struct format *f, uint64_t *first, struct buf *why)
{
	int	err = open_fast_header(source_span(f->source, 0, STREAM_HEADER), why);

	if (err == ERR_OK)
		err = fast_open(f, &dialect, STREAM_HEADER, first, why);
	f->info.has = HAS_IDS | HAS_NUMBERS | HAS_BLOCKS | HAS_STACKS | HAS_ACTIVITIES |
	    HAS_POINTERS;
	f->reuses_ids = true;
	return err;
}

static int
nt4_frame(const struct format *f, uint64_t off, struct frame *out)
{
	return fast_frame(f, &dialect, off, out);
}

static bool
nt4_resync(const struct format *f, uint64_t off, uint64_t *at)
{
	return fast_resync(f, &dialect, off, at);
}

/* ---- blob headers */

/* Compressed; checked is constant: only near the body's end has each byte to be compared. */
BLOB_INLINE const uint8_t *
header_compressed(struct blob *h, const uint8_t *p, const uint8_t *end, const uint8_t *body,
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
	h->seq += h->metadata != 0;
	if (flags & 4)
		BLOB_VARINT(64, h->thread, uint64_t, 0);
	if (flags & 8)
		BLOB_VARINT(32, h->stack, uint32_t, 0);
	BLOB_VARINT(64, h->ts, uint64_t, h->ts);
	if (flags & 16) {
		if (checked && end - p < 16)
			return NULL;
		h->activity = (uint64_t)(p - body) + 1;
		p += 16;
	}
	if (flags & 32) {
		if (checked && end - p < 16)
			return NULL;
		h->related = (uint64_t)(p - body) + 1;
		p += 16;
	}
	h->sorted = (flags & 64) != 0;
	if (flags & 128)
		BLOB_VARINT(32, h->size, uint32_t, 0);
	return p;
}

BLOB_INLINE const uint8_t *
header_full(struct blob *h, const uint8_t *p, const uint8_t *end, const uint8_t *body,
    uint32_t *step)
{
	uint32_t	size;

	if ((size_t)(end - p) < HEADER_FULL)
		return NULL;
	size = load_u32le(p);
	if (size < HEADER_FULL - 4 || size > (size_t)(end - p) - 4)
		return NULL;
	h->metadata = load_u32le(p + 4);
	h->sorted = h->metadata >> 31 == 0;
	h->metadata &= 0x7fffffff;
	h->seq = load_u32le(p + 8);
	h->thread = load_u64le(p + 12);
	h->capture = load_u64le(p + 20);
	h->cpu = load_u32le(p + 28);
	h->stack = load_u32le(p + 32);
	h->ts = load_u64le(p + 36);
	h->activity = (uint64_t)(p - body) + 44 + 1;
	h->related = (uint64_t)(p - body) + 60 + 1;
	h->size = load_u32le(p + 76);
	*step = size - (HEADER_FULL - 4);
	h->clipped = h->size > *step;
	if (h->clipped)
		h->size = *step;	/* the event's own size decides */
	return p + HEADER_FULL;
}

/*
 * The header of a block tells the least and the greatest time of its events, exactly in all files
 * seen: zeroes that took the place of compressed events decode as events, but not to these times.
 */
static void
check_times(const struct frame *fr, struct span body, struct scan *s)
{
	scan_close(s);
	if (s->frame_min <= s->frame_max &&
	    (s->frame_min != (int64_t)load_u64le(body.p + 4) ||
	    s->frame_max != (int64_t)load_u64le(body.p + 12)))
		scan_add_bad(s, fr->body, 0,
		    "a block's events have other times than its header tells: it was changed");
}

static int
nt4_scan(const struct format *f, const struct frame *fr, struct span body, struct decode_state *st,
    struct scan *s)
{
	size_t	nbad = s->nbad;
	int	r;

	(void)f;
	if (st->pos == load_u16le(body.p))
		scan_frame(s);
	r = blob_compressed(st) ?
	    blob_scan(fr, body, st, s, true, false, header_compressed, header_full) :
	    blob_scan(fr, body, st, s, false, false, header_compressed, header_full);
	if (r == 1 && !fr->cut && s->nbad == nbad)
		check_times(fr, body, s);
	return r;
}

static size_t
nt4_decode(const struct format *f, const struct frame *fr, struct span body,
    struct decode_state *st, struct event *out, size_t max, struct id_list *ids,
    struct id_list *types)
{
	(void)f, (void)types;
	return blob_decode(fr, body, st, out, max, ids, header_compressed, header_full);
}

/* ---- metadata and sequence points */

static void
commit_metadata(struct format *f, const struct frame *fr, struct span body)
{
	const uint8_t		*p, *end = body.p + body.len;
	struct decode_state	 st;
	struct blob		 h;
	const char		*text;

	if (blob_begin(f, fr, body, &st, &text) < 0) {
		diag_add(f->diag, SEV_WARN, FIND_BAD_BLOCK, fr->body, body.len, "%s", text);
		return;
	}
	blob_load(&st, &h);
	for (p = body.p + st.pos; p < end; ) {
		uint32_t	step;
		const uint8_t	*q = blob_next(&h, p, end, body.p, blob_compressed(&st),
				    header_compressed, header_full, &step);

		if (q == NULL) {
			diag_add(f->diag, SEV_WARN, FIND_BAD_BLOCK,
			    fr->body + (uint64_t)(p - body.p), (uint64_t)(end - p),
			    "the rest of a metadata block cannot be read");
			return;
		}
		fast_commit_row(f, (struct span){ q, h.size }, fr->body + (uint64_t)(q - body.p));
		p = q + step;
	}
}

static void
commit_point(struct format *f, const struct frame *fr, struct span body)
{
	struct cursor	c = cursor_init(body, fr->body);
	int64_t		ts = (int64_t)cursor_u64le(&c);
	uint32_t	count = cursor_u32le(&c);

	if (!cursor_ok(&c)) {
		diag_add(f->diag, SEV_WARN, FIND_BAD_BLOCK, fr->body, body.len,
		    "a sequence point is cut short");
		return;
	}
	if (!cursor_fits(&c, count, 12)) {
		/* Without its whole list it says nothing of incarnations: only the time holds. */
		diag_add(f->diag, SEV_WARN, FIND_BAD_BLOCK, fr->body, body.len,
		    "a sequence point lists more threads than it has room for");
		return;
	}
	f->up->barrier(f->up_arg, ts, fr->off);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t	id = cursor_u64le(&c);
		uint32_t	number = cursor_u32le(&c);

		f->up->barrier_thread(f->up_arg, id, number);
	}
	f->up->barrier_end(f->up_arg, 0, fr->next);
}

static int
nt4_commit(struct format *f, const struct frame *fr, struct span body)
{
	if (fr->kind == FRAME_SKIP) {
		fast_say_skipped(f, &dialect, fr);
		return ERR_OK;
	}
	switch ((enum sub)fr->sub) {
	case SUB_METADATA:
		commit_metadata(f, fr, body);
		break;
	case SUB_STACKS:
		format_commit_stacks(f, fr, body);
		break;
	case SUB_POINT:
		commit_point(f, fr, body);
		break;
	case SUB_EVENTS:
		break;
	}
	return ERR_OK;
}

const struct format_ops	format_nettrace4 = {
	.name = "nettrace4",
	.title = "NetTrace V4 and V5 (.nettrace)",
	.block = "EventBlock",
	.probe = nt4_probe,
	.open = nt4_open,
	.frame = nt4_frame,
	.resync = nt4_resync,
	.begin = blob_begin,
	.scan = nt4_scan,
	.decode = nt4_decode,
	.commit = nt4_commit,
	.stack = format_stack,
};

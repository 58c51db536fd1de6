/*
 * NetTrace V4 and V5: objects by the conventions of FastSerialization.
 *
 *	"Nettrace" 20 "!FastSerialization.1"
 *	object*		see fastser.h; their begin tag is 5
 *
 * Event and metadata blocks have blobs: a payload with a full header, or with one that is
 * compressed against the blob before it. See blob.h.
 *
 * Invariant: nothing is read outside the body's span. The state of a decoder depends only on the
 * bytes of the body before it, so any thread can continue from any kept state.
 * Format: "EventPipe (File) Format"; doc/formats/nettrace4.md.
 */
#include <string.h>

#include "format/blob.h"
#include "format/common.h"
#include "format/fastser.h"
#include "tnav/base/err.h"

#define MAGIC		"Nettrace"
#define STREAM_HEADER	32u		/* bytes before the first object */

enum sub { SUB_EVENTS, SUB_METADATA, SUB_STACKS, SUB_POINT };

static const struct fast_kind	kinds[] = {
	{ "EventBlock", SUB_EVENTS, FRAME_EVENTS },
	{ "MetadataBlock", SUB_METADATA, FRAME_DATA },
	{ "StackBlock", SUB_STACKS, FRAME_DATA },
	{ "SPBlock", SUB_POINT, FRAME_BARRIER },
};

/* There is no Trace object for readers above version 4. */
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
	    span_is(cursor_take(&c, len), FAST_MAGIC))
		return ERR_OK;
	if (!cursor_ok(&c)) {
		buf_puts(why, "is cut inside the stream header");
		return ERR_TRUNCATED;
	}
	buf_puts(why, "has a damaged stream header: the NetTrace magic is followed by something "
	    "else");
	return ERR_FORMAT;
}

static int
nt4_open(struct format *f, uint64_t *first, struct buf *why)
{
	int	err = open_fast_header(source_span(f->source, 0, STREAM_HEADER), why);

	if (err == ERR_OK)
		err = fast_open(f, &dialect, STREAM_HEADER, first, why);
	f->info.has = HAS_OF_NETTRACE4;
	f->reuses_ids = true;
	return err;
}

/* ---- events */

/*
 * The header of a block has the least and the greatest time of its events, exactly in all files
 * seen. If events were overwritten with zeroes, these decode as events too, but the times don't
 * match.
 */
static void
check_times(const struct frame *fr, struct span body, struct scan *s)
{
	scan_close(s);
	if (s->frame_min <= s->frame_max &&
	    (s->frame_min != (int64_t)load_u64le(body.p + 4) ||
	    s->frame_max != (int64_t)load_u64le(body.p + 12)))
		scan_add_bad(s, fr->body, 0,
		    "the times of a block's events do not match its header: the block was changed");
}

static int
nt4_scan(const struct format *f, const struct frame *fr, struct span body, struct decode_state *st,
    struct scan *s)
{
	size_t	nbad = s->nbad;
	int	r;

	if (st->pos == load_u16le(body.p))
		scan_frame(s);
	r = blob_scan(f, fr, body, st, s, false);
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
	return blob_decode(fr, body, st, out, max, ids, false);
}

/* ---- metadata */

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
		const uint8_t	*q = blob_next(&h, p, end, body.p, false,
				    blob_compressed(&st), &step);

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

static int
nt4_commit(struct format *f, const struct frame *fr, struct span body)
{
	if (fr->kind == FRAME_SKIP) {
		fast_say_skipped(f, fr);
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
		format_commit_point(f, fr, body, false);
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
	.frame = fast_frame,
	.resync = fast_resync,
	.begin = blob_begin,
	.scan = nt4_scan,
	.decode = nt4_decode,
	.commit = nt4_commit,
	.stack = format_stack,
};

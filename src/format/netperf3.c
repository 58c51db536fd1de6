/*
 * NetPerf V3 (.netperf of .NET Core 2): FastSerialization objects whose event blocks hold all.
 *
 *	20 "!FastSerialization.1"
 *	object*		see fastser.h; their begin tag is 4
 *
 *	event	i32 size of what follows
 *		i32 metadata id, i32 thread id, i64 ticks, 16 activity id, 16 related activity id
 *		i32 size, payload
 *		i32 size, addresses of the stack, innermost first
 *		zeroes up to a multiple of 4, which the event's size covers
 *
 * Metadata id 0 is a row of metadata in the place of an event. There are no sequence numbers and
 * no sequence points; events stand in the order of their times.
 *
 * Invariant: an event lies inside the body, its payload and its stack lie inside the event.
 * Format: spec/real-files, "NetPerf V3".
 */
#include <string.h>

#include "format/fastser.h"
#include "format/netperf.h"
#include "tnav/base/err.h"

#define STREAM_HEADER	24u	/* bytes in front of the first object */

static const struct fast_kind	kinds[] = {
	{ "EventBlock", 0, FRAME_EVENTS },
};

static const struct fast_dialect	dialect = {
	.begin = 4, .trace_oldest = 3, .trace_reader = 3, .block_reader = 1,
	.format = "NetPerf V3", .version = 3,
	.nkinds = sizeof kinds / sizeof *kinds, .kinds = kinds,
};

/* ---- objects */

static int
np3_probe(struct span head)
{
	static const uint8_t	magic[] = "\24\0\0\0" FAST_MAGIC;
	size_t			n = head.len < STREAM_HEADER ? head.len : STREAM_HEADER;

	return n >= 5 && memcmp(head.p, magic, n) == 0 ? 50 : 0;
}

static int
np3_open(struct format *f, uint64_t *first, struct buf *why)
{
	struct cursor	c = cursor_init(source_span(f->source, 0, STREAM_HEADER), 0);
	struct span	name = cursor_take(&c, cursor_u32le(&c));

	if (source_size(f->source) >= STREAM_HEADER && !fast_name_is(name, FAST_MAGIC)) {
		buf_puts(why, "does not begin as a NetPerf file does");
		return ERR_FORMAT;
	}
	f->info.has = HAS_IDS | HAS_BLOCKS | HAS_STACKS | HAS_ACTIVITIES | HAS_POINTERS;
	return fast_open(f, &dialect, STREAM_HEADER, first, why);
}

static int
np3_frame(const struct format *f, uint64_t off, struct frame *out)
{
	return fast_frame(f, &dialect, off, out);
}

static bool
np3_resync(const struct format *f, uint64_t off, uint64_t *at)
{
	return fast_resync(f, &dialect, off, at);
}

/* ---- events */

/* The state beyond pos: has a clipped event of this frame been said? */
enum { ST_SAID };

static int
np3_begin(const struct format *f, const struct frame *fr, struct span body, struct decode_state *st,
    const char **text)
{
	(void)f, (void)fr, (void)body, (void)text;
	memset(st, 0, sizeof *st);
	return ERR_OK;
}

static void
say_clipped(const struct frame *fr, uint64_t pos, const struct netperf_event *e,
    struct decode_state *st, struct scan *s)
{
	if (st->w[ST_SAID] != 0)
		return;
	st->w[ST_SAID] = 1;
	scan_add_bad(s, fr->body + pos, NETPERF_HEADER + e->size,
	    "an event's payload or stack does not fit the event");
}

static int
np3_scan(const struct format *f, const struct frame *fr, struct span body, struct decode_state *st,
    struct scan *s)
{
	const uint8_t	*p = body.p + st->pos, *end = body.p + body.len, *next = p;
	struct netperf_event	 e;

	(void)f;
	while (p < end) {
		uint32_t	room, n = 0;

		st->pos = (uint64_t)(p - body.p);
		room = scan_room(s, fr->off, st);
		if (room == 0)
			return 0;
		for (; n < room && p < end; p = next) {
			uint64_t	pos = (uint64_t)(p - body.p);
			uint64_t	off = fr->body + pos + NETPERF_HEADER;

			next = netperf_next(p, end, &e);
			if (next == NULL)
				break;
			if (e.clipped)
				say_clipped(fr, pos, &e, st, s);
			if (e.metadata == 0) {
				scan_add_row(s, off);
				continue;
			}
			/* Nobody numbers them; one run goes on while times do not fall. */
			scan_event(s, true, e.ts, e.metadata, e.thread, 0, (uint32_t)s->events, off,
			    e.size);
			n++;
		}
		scan_took(s, n);
		if (next == NULL) {
			scan_add_bad(s, fr->body + (uint64_t)(p - body.p), (uint64_t)(end - p),
			    fr->cut ? "a block is cut inside an event" :
			    "an event does not fit its block; the rest of the block is skipped");
			return 1;
		}
	}
	return 1;
}

static void
np3_commit_row(struct format *f, uint64_t id, uint64_t off)
{
	(void)id;
	fast_commit_row(f, netperf_row(f, off), off);
}

static int
np3_commit(struct format *f, const struct frame *fr, struct span body)
{
	(void)body;
	if (fr->kind == FRAME_SKIP)
		fast_say_skipped(f, &dialect, fr);
	return ERR_OK;
}

const struct format_ops	format_netperf3 = {
	.name = "netperf3",
	.title = "NetPerf V3 (.netperf)",
	.block = "EventBlock",
	.probe = np3_probe,
	.open = np3_open,
	.frame = np3_frame,
	.resync = np3_resync,
	.begin = np3_begin,
	.scan = np3_scan,
	.decode = netperf_decode,
	.commit = np3_commit,
	.commit_row = np3_commit_row,
	.own_stack = netperf_own_stack,
};

/*
 * NetPerf V3 (.netperf of .NET Core 2): FastSerialization objects, with all events in event blocks.
 *
 *	20 "!FastSerialization.1"
 *	object*		see fastser.h; their begin tag is 4
 *
 * Events: see netperf.c. Each is padded with zeroes to a multiple of 4, which its size includes.
 * There are no sequence points; events are in the order of their times.
 *
 * Format: doc/formats/netperf3.md.
 */
#include <string.h>

#include "format/common.h"
#include "format/fastser.h"
#include "format/netperf.h"
#include "tnav/base/err.h"

#define STREAM_HEADER	24u	/* bytes before the first object */

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

	if (source_size(f->source) >= STREAM_HEADER && !span_is(name, FAST_MAGIC)) {
		buf_puts(why, "does not begin like a NetPerf file");
		return ERR_FORMAT;
	}
	f->info.has = HAS_IDS | HAS_BLOCKS | HAS_STACKS | HAS_ACTIVITIES | HAS_POINTERS |
	    HAS_PROCESSORS;
	return fast_open(f, &dialect, STREAM_HEADER, first, why);
}

/* ---- events */

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
		fast_say_skipped(f, fr);
	return ERR_OK;
}

const struct format_ops	format_netperf3 = {
	.name = "netperf3",
	.title = "NetPerf V3 (.netperf)",
	.block = "EventBlock",
	.probe = np3_probe,
	.open = np3_open,
	.frame = fast_frame,
	.resync = fast_resync,
	.begin = format_begin,
	.scan = netperf_scan,
	.decode = netperf_decode,
	.commit = np3_commit,
	.commit_row = np3_commit_row,
	.own_stack = netperf_own_stack,
};

/*
 * NetPerf V1 and V2 (.netperf of .NET Core 2.0 and its previews): one object with all events.
 *
 *	20 "!FastSerialization.1"
 *	4 4 1 version least-reader 38 "Microsoft.DotNet.Runtime.EventPipeFile" 6
 *		i32 number of a forward reference: where the events end
 *		16 date, i64 ticks, i64 ticks a second
 *		event*			see netperf.c; without padding
 *	6
 *	i32 count  i32 offset ...	forward references; that of the events is where the 6 stands
 *	i32 offset of count  i32 offset of that
 *
 * An event's metadata id is the offset of the event that has its row of metadata. There are no
 * blocks: a frame is a run of events of up to RUN_BYTES. The three sizes in an event must agree, so
 * that damage is noticed where it is.
 *
 * Invariant: a frame's body is whole events, except for the last one of a file that is cut.
 * Format: doc/formats/netperf3.md, "V1 and V2".
 */
#include <string.h>

#include "format/common.h"
#include "format/fastser.h"
#include "format/netperf.h"
#include "tnav/base/err.h"

#define TYPE_NAME	"Microsoft.DotNet.Runtime.EventPipeFile"
#define NAME_AT		39u		/* offsets: of the type's name, after its length, */
#define FIELDS_AT	(NAME_AT + sizeof TYPE_NAME - 1 + 1)	/* of the object's fields, */
#define EVENTS_AT	(FIELDS_AT + 36u)			/* of the first event */
#define VERSION_AT	27u
#define RUN_BYTES	(64u << 10)
#define REFERENCES_MOST	64u
#define TAG_END		6u

/* ---- the stream header */

static int
np2_probe(struct span head)
{
	static const uint8_t	magic[] = "\24\0\0\0" FAST_MAGIC;

	if (head.len < FIELDS_AT || memcmp(head.p, magic, sizeof magic - 1) != 0 ||
	    memcmp(head.p + NAME_AT, TYPE_NAME, sizeof TYPE_NAME - 1) != 0)
		return 0;
	return 60;
}

static int
np2_open(struct format *f, uint64_t *first, struct buf *why)
{
	struct span	head = source_span(f->source, 0, EVENTS_AT);
	struct cursor	c = cursor_init(head, 0);
	uint32_t	version;

	if (np2_probe(head) == 0) {
		buf_puts(why, head.len < FIELDS_AT ? "is cut inside the stream header" :
		    "does not begin like a NetPerf V1 or V2 file");
		return ERR_FORMAT;
	}
	version = load_u32le(head.p + VERSION_AT);
	if (version < 1 || version > 2) {
		buf_printf(why, "has version %u of %s; tnav reads versions 1 and 2, and later "
		    "versions as Trace", version, TYPE_NAME);
		return ERR_UNSUPPORTED;
	}
	cursor_skip(&c, FIELDS_AT + 4);
	format_read_time(f, &c);
	if (!cursor_ok(&c)) {
		buf_puts(why, "is cut inside the stream header");
		return ERR_TRUNCATED;
	}
	f->info.format = version == 1 ? "NetPerf V1" : "NetPerf V2";
	f->info.version = version;
	f->info.pointer_size = 8;	/* not in the file: assumed */
	f->info.has = HAS_IDS | HAS_STACKS | HAS_ACTIVITIES | HAS_PROCESSORS;
	*first = EVENTS_AT;
	return ERR_OK;
}

/* ---- frames */

enum event_look {
	LOOK_NONE,		/* no event begins here */
	LOOK_WHOLE,
	LOOK_CUT,		/* the file ends inside it */
};

/* What begins at offset off? b extends from there to the end of the file. */
static enum event_look
event_look(struct span b, uint64_t off)
{
	uint32_t	size, payload, stack;

	if (b.len < NETPERF_HEADER)
		return b.len >= 8 && load_u32le(b.p) >= NETPERF_LEAST + 4 &&
		    load_u32le(b.p + 4) < off ? LOOK_CUT : LOOK_NONE;
	size = load_u32le(b.p);
	payload = load_u32le(b.p + 52);
	if (size < NETPERF_LEAST + 4 || load_u32le(b.p + 4) >= off ||
	    payload > size - NETPERF_LEAST - 4)
		return LOOK_NONE;
	stack = size - NETPERF_LEAST - 4 - payload;
	if (stack % 4 != 0)
		return LOOK_NONE;
	if (b.len - NETPERF_HEADER < (uint64_t)payload + 4)
		return LOOK_CUT;
	if (load_u32le(b.p + NETPERF_HEADER + payload) != stack)
		return LOOK_NONE;
	return b.len - 4 < size ? LOOK_CUT : LOOK_WHOLE;
}

/* Is the end of the events at off? *next: after the forward references and the trailer. */
static bool
events_end(struct span b, uint64_t off, uint64_t *next)
{
	struct cursor	c = cursor_init(b, off);
	bool		here = false;
	uint32_t	n;

	if (cursor_u8(&c) != TAG_END)
		return false;
	n = cursor_u32le(&c);
	if (n == 0 || n > REFERENCES_MOST)
		return false;
	for (uint32_t i = 0; i < n; i++)
		here |= cursor_u32le(&c) == (uint32_t)off;
	here &= cursor_u32le(&c) == (uint32_t)off + 1;
	(void)cursor_u32le(&c);
	*next = cursor_off(&c);
	return cursor_ok(&c) && here;
}

static bool
np2_resync(const struct format *f, uint64_t off, uint64_t *at)
{
	struct span	rest = source_span(f->source, off, UINT64_MAX);
	uint64_t	next;
	size_t		i = 0;

	for (; i < rest.len; i++) {
		struct span	b = { rest.p + i, rest.len - i };

		if (event_look(b, off + i) == LOOK_WHOLE || events_end(b, off + i, &next))
			break;
	}
	format_searched(f, i);
	*at = off + i;
	return i < rest.len;
}

static int
np2_frame(const struct format *f, uint64_t off, struct frame *out)
{
	struct span	b = source_span(f->source, off, UINT64_MAX);
	enum event_look	look = LOOK_NONE;
	uint64_t	pos = 0, next;

	if (events_end(b, off, &next)) {
		*out = (struct frame){ .off = off, .next = next };
		return 0;
	}
	while (pos < b.len && pos < RUN_BYTES) {
		look = event_look((struct span){ b.p + pos, b.len - pos }, off + pos);
		if (look != LOOK_WHOLE)
			break;
		pos += 4 + (uint64_t)load_u32le(b.p + pos);
	}
	/* An event that is longer than the file is believed only if no event follows it. */
	if (look == LOOK_CUT && !f->growing && np2_resync(f, off + pos + 1, &next))
		look = LOOK_NONE;
	if (look == LOOK_CUT)
		pos = b.len;
	if (pos == 0)	/* ERR_TRUNCATED: it may be the beginning of an event or of the end */
		return b.len < 8 || (b.p[0] == TAG_END && b.len < 17) ? ERR_TRUNCATED : ERR_FORMAT;
	*out = (struct frame){ .kind = FRAME_EVENTS, .off = off, .next = off + pos, .body = off,
	    .len = pos, .cut = look == LOOK_CUT };
	return 1;
}

/* ---- events */

static void
np2_commit_row(struct format *f, uint64_t id, uint64_t off)
{
	(void)id;
	fast_commit_old_row(f, netperf_row(f, off), off, (uint32_t)(off - NETPERF_HEADER),
	    f->info.version == 1);
}

static int
np2_commit(struct format *f, const struct frame *fr, struct span body)
{
	(void)f, (void)fr, (void)body;
	return ERR_OK;
}

const struct format_ops	format_netperf2 = {
	.name = "netperf2",
	.title = "NetPerf V1 and V2 (.netperf)",
	.probe = np2_probe,
	.open = np2_open,
	.frame = np2_frame,
	.resync = np2_resync,
	.begin = format_begin,
	.scan = netperf_scan,
	.decode = netperf_decode,
	.commit = np2_commit,
	.commit_row = np2_commit_row,
	.own_stack = netperf_own_stack,
};

/*
 * Heph 0.1.0 (.heph): packets one after another, of two kinds, all numbers big-endian.
 *
 *	event		C1FC1FB7 u32 size  u32 stream  u32 counter  u64 substream
 *			u64 start  u64 end  u16 length description  attribute*
 *	metadata	75D11D4D u32 size  u16 length option  value
 *
 *	packets	m e e e e e e m e e e		a frame is a metadata packet, or a run of
 *	frames	[][         ][][    ]		events of up to RUN_BYTES. The end of a run is
 *						found when its events are read: it is open
 *
 * An event is written when it ends, so the file is in the order of end times. The payload of an
 * event is its attributes, and its type is its description. A packet's size is accepted if a packet
 * or the end of the file follows it. A packet that is not accepted ends the run before it.
 *
 * Invariant: the frame at an offset depends only on the bytes after the offset.
 * Format: the specification of Heph 0.1.0; doc/formats/heph.md.
 */
#include <stdatomic.h>
#include <string.h>

#include "format/common.h"
#include "format/fields.h"
#include "tnav/base/array.h"
#include "tnav/base/err.h"
#include "tnav/base/hash.h"
#include "tnav/base/limits.h"
#include "tnav/base/text.h"
#include "tnav/format/format.h"

#define MAGIC_EVENT	0xC1FC1FB7u
#define MAGIC_METADATA	0x75D11D4Du
#define PACKET_HEAD	8u		/* magic and size */
#define EVENT_HEAD	42u		/* bytes of an event packet before its description */
#define METADATA_HEAD	10u		/* bytes of a metadata packet before its option's name */
#define DESCRIPTION_MOST 65535u
#define RUN_BYTES	(64u << 10)
#define BEGIN_FRAMES	16u		/* frames searched for an epoch when a file is opened */
#define NAME_TRIES	16u		/* candidates for the packet that are tried */

/* ---- packets */

enum packet_look {
	LOOK_NONE,		/* no packet begins here */
	LOOK_BAD,		/* a packet, but its size is too small, or beyond the file */
	LOOK_EVENT, LOOK_METADATA,
};

/* What begins at the start of rest, which extends to the end of the file? */
static enum packet_look
packet_look(struct span rest, uint32_t *size)
{
	uint32_t	magic, least;

	if (rest.len < PACKET_HEAD)
		return LOOK_NONE;
	magic = load_u32be(rest.p);
	*size = load_u32be(rest.p + 4);
	if (magic != MAGIC_EVENT && magic != MAGIC_METADATA)
		return LOOK_NONE;
	least = magic == MAGIC_EVENT ? EVENT_HEAD : METADATA_HEAD;
	if (*size < least || *size > rest.len)
		return LOOK_BAD;
	return magic == MAGIC_EVENT ? LOOK_EVENT : LOOK_METADATA;
}

/* Does a packet, of which the file may have only the first bytes, or the file's end come here? */
static inline bool
packet_begins(struct span rest)
{
	static const uint8_t	magic[2][4] = {
		{ 0xC1, 0xFC, 0x1F, 0xB7 }, { 0x75, 0xD1, 0x1D, 0x4D },
	};
	size_t			n = rest.len;

	if (n >= 4)		/* nearly always; this is called for each packet */
		return load_u32be(rest.p) == MAGIC_EVENT || load_u32be(rest.p) == MAGIC_METADATA;
	return n == 0 || memcmp(rest.p, magic[0], n) == 0 || memcmp(rest.p, magic[1], n) == 0;
}

static struct span
span_from(struct span s, uint64_t n)
{
	return (struct span){ s.p + n, s.len - (size_t)n };
}

/* Find the first place at or after off, before limit, that looks like a packet: its name fits. */
static bool
packet_find(const struct format *f, uint64_t off, uint64_t limit, uint64_t *at)
{
	struct span	rest = source_span(f->source, off, UINT64_MAX);
	uint64_t	from = off;
	bool		found = false;

	for (; !found && rest.len >= PACKET_HEAD && off < limit; off++) {
		uint32_t		size, head;
		enum packet_look	look = LOOK_NONE;

		if (rest.p[0] == 0xC1 || rest.p[0] == 0x75)
			look = packet_look(rest, &size);
		if (look > LOOK_BAD) {
			head = look == LOOK_EVENT ? EVENT_HEAD : METADATA_HEAD;
			found = load_u16be(rest.p + head - 2) <= size - head;
			*at = off;
		}
		rest = span_from(rest, 1);
	}
	format_searched(f, off - from);
	return found;
}

/* ---- epochs */

struct epoch {
	uint64_t	off;		/* valid from here on */
	int64_t		ns;
};

/* The committer's thread adds entries while others search: entries below n never change. */
struct epochs {
	_Atomic uint32_t n;
	struct epoch	 e[LIMIT_EPOCHS];
};

struct heph {
	struct epochs	 epochs;
};

static struct heph *
heph_of(const struct format *f)
{
	return f->priv;
}

static int64_t
epoch_at(const struct epochs *x, uint64_t off)
{
	uint32_t	n = atomic_load_explicit(&x->n, memory_order_acquire);
	size_t		after = 0;

	if (n == 0)
		return 0;
	BISECT(after, n, i, x->e[i].off <= off);
	return x->e[after > 0 ? after - 1 : 0].ns;	/* the first one is valid before it, too */
}

static void
epoch_add(struct format *f, uint64_t off, int64_t ns)
{
	struct epochs	*x = &heph_of(f)->epochs;
	uint32_t	 n = atomic_load_explicit(&x->n, memory_order_relaxed);

	if (n > 0 && x->e[n - 1].ns == ns)
		return;
	if (n == LIMIT_EPOCHS) {
		diag_add(f->diag, SEV_WARN, FIND_LIMIT, off, 0,
		    "more than %u epochs: the rest are left out", LIMIT_EPOCHS);
		return;
	}
	x->e[n] = (struct epoch){ off, ns };
	atomic_store_explicit(&x->n, n + 1, memory_order_release);
}

static void
sync_set(struct format *f, int64_t ns)
{
	if (f->info.has_sync_utc)
		return;
	f->info.sync_utc = ns;
	f->info.has_sync_utc = true;
}

struct option {
	struct span	name, value;
};

static bool
option_read(struct span packet, struct option *o)
{
	size_t	len;

	if (packet.len < METADATA_HEAD)
		return false;
	len = load_u16be(packet.p + PACKET_HEAD);
	if (len > packet.len - METADATA_HEAD)
		return false;
	o->name = (struct span){ packet.p + METADATA_HEAD, len };
	o->value = span_from(packet, METADATA_HEAD + len);
	return true;
}

static bool
option_is_epoch(const struct option *o, int64_t *ns)
{
	if (o->name.len != 5 || memcmp(o->name.p, "epoch", 5) != 0)
		return false;
	*ns = o->value.len < 8 ? -1 : (int64_t)load_u64be(o->value.p);
	return true;
}

static int
heph_commit(struct format *f, const struct frame *fr, struct span body)
{
	struct option	o;
	int64_t		ns;

	if (fr->kind != FRAME_DATA)
		return ERR_OK;		/* the last packet of a cut file: already reported */
	if (!option_read(body, &o))
		return diag_add(f->diag, SEV_WARN, FIND_METADATA, fr->off, body.len,
		    "a metadata packet is cut short");
	if (!option_is_epoch(&o, &ns)) {
		diag_add(f->diag, SEV_NOTE, FIND_UNKNOWN_KIND, fr->off, body.len,
		    "a metadata packet sets an unknown option");
		return ERR_OK;
	}
	if (ns < 0)
		return diag_add(f->diag, SEV_WARN, FIND_TIME, fr->off, body.len,
		    "an epoch is cut short or out of range; it is left out");
	epoch_add(f, fr->off, ns);
	sync_set(f, ns);
	return ERR_OK;
}

/* ---- frames */

/*
 * A packet begins at fr->off, but none follows it. If one begins inside it, the size is wrong and
 * the packet ends there. Otherwise, if it fits in the file, the damage is after it.
 */
static int
frame_damaged(const struct format *f, uint64_t left, uint32_t size, bool fits, struct frame *fr)
{
	bool		longer = !fits && size > left;
	uint64_t	next;

	if (!(longer && f->growing) && packet_find(f, fr->off + PACKET_HEAD,
	    fr->off + (fits ? size : left), &next)) {
		fr->len = next - fr->off;
		fr->cut = true;
		if (fr->kind == FRAME_EVENTS && fr->len < EVENT_HEAD)
			fr->kind = FRAME_SKIP;
	} else if (fits) {
		fr->len = size;
	} else if (longer) {
		fr->kind = FRAME_SKIP;
		fr->len = left;
		fr->cut = true;
	} else {
		return ERR_FORMAT;
	}
	fr->next = fr->off + fr->len;
	return 1;
}

static int
heph_frame(const struct format *f, uint64_t off, struct frame *out)
{
	struct span		rest = source_span(f->source, off, UINT64_MAX);
	uint32_t		size;
	enum packet_look	look = packet_look(rest, &size);

	if (look == LOOK_NONE)
		return rest.len < PACKET_HEAD && packet_begins(rest) ? ERR_TRUNCATED : ERR_FORMAT;
	*out = (struct frame){ .off = off, .body = off, .kind = FRAME_EVENTS };
	if (load_u32be(rest.p) == MAGIC_METADATA)
		out->kind = FRAME_DATA;
	if (look == LOOK_BAD || !packet_begins(span_from(rest, size)))
		return frame_damaged(f, rest.len, size, look != LOOK_BAD, out);
	out->open = look == LOOK_EVENT;
	out->len = size;
	if (out->open && size < RUN_BYTES)
		out->len = rest.len < RUN_BYTES ? rest.len : RUN_BYTES;
	out->next = off + out->len;
	return 1;
}

static bool
heph_resync(const struct format *f, uint64_t off, uint64_t *at)
{
	return packet_find(f, off, UINT64_MAX, at);
}

static int
heph_probe(struct span head)
{
	return head.len >= 2 && packet_begins(head) ? 50 : 0;
}

/* The epoch is needed to show the first rows; it is usually the first packet. */
static void
open_epoch(struct format *f)
{
	uint64_t	off = 0;
	struct frame	fr;

	for (unsigned i = 0; i < BEGIN_FRAMES && heph_frame(f, off, &fr) == 1; i++, off = fr.next) {
		struct option	o;
		int64_t		ns;

		if (fr.kind == FRAME_DATA && option_read(source_span(f->source, off, fr.len), &o) &&
		    option_is_epoch(&o, &ns) && ns >= 0) {
			sync_set(f, ns);
			return;
		}
	}
}

static int
heph_open(struct format *f, uint64_t *first, struct buf *why)
{
	struct span	head = source_span(f->source, 0, PACKET_HEAD);
	uint64_t	at;

	if (head.len < PACKET_HEAD && packet_begins(head)) {
		buf_puts(why, "is cut inside its first packet");
		return ERR_TRUNCATED;
	}
	if (!packet_begins(head) && !packet_find(f, 0, UINT64_MAX, &at)) {
		buf_puts(why, "holds no packet of a Heph trace");
		return ERR_FORMAT;
	}
	f->info.format = "Heph 0.1.0";
	f->info.version = 0;
	f->info.pointer_size = 8;
	f->info.freq = 1000000000;
	f->info.has = HAS_NUMBERS | HAS_DURATIONS | HAS_SUBSTREAMS;
	f->types_wide = true;
	f->no_end_mark = true;
	f->priv = arena_alloc(f->arena, sizeof(struct heph));
	memset(f->priv, 0, sizeof(struct heph));
	open_epoch(f);
	*first = 0;
	return ERR_OK;
}

/* ---- events */

/*
 * The type of an event is a hash of 64 bits of its description. No file can be made to have two
 * descriptions with equal hashes, because the keys of the hash are random.
 */
#define BAD_NAME	0x1u
#define BAD_START	0x2u
#define BAD_END		0x4u

/* A walk over the packets of a frame of events. */
struct packet_walk {
	const uint8_t	*end;		/* of the frame's body */
	const uint8_t	*sure;		/* an event header up to here is inside the file */
	size_t		 beyond;	/* bytes of the file after end */
	bool		 open, cut;
};

static struct packet_walk
run_begin(const struct format *f, const struct frame *fr, struct span body)
{
	struct packet_walk	 r = { .end = body.p + body.len, .open = fr->open, .cut = fr->cut };

	r.beyond = source_span(f->source, fr->body + body.len, UINT64_MAX).len;
	if (body.len + r.beyond >= EVENT_HEAD)
		r.sure = r.end + r.beyond - EVENT_HEAD;
	return r;
}

/*
 * The start of the packet after the event at p. NULL: the frame ends at p. A frame that is cut is
 * one packet, which ends with the frame. In an open frame each packet must be followed by another,
 * or by the end of the file.
 */
static inline __attribute__((always_inline)) const uint8_t *
run_next(const struct packet_walk *r, const uint8_t *p)
{
	size_t		left = (size_t)(r->end - p);
	const uint8_t	*next;
	uint32_t	size, magic;

	if (left < EVENT_HEAD || load_u32be(p) != MAGIC_EVENT)
		return NULL;
	if (r->cut)
		return r->end;
	size = load_u32be(p + 4);
	if (size < EVENT_HEAD || size > left)
		return NULL;
	next = p + size;
	if (!r->open)
		return next;
	if (next <= r->sure) {
		magic = load_u32be(next);
		return magic == MAGIC_EVENT || magic == MAGIC_METADATA ? next : NULL;
	}
	return packet_begins((struct span){ next, left - size + r->beyond }) ? next : NULL;
}

struct event_packet {
	uint32_t	stream, counter;
	int64_t		ts;
	uint64_t	dur, type;
	uint32_t	head, size;	/* bytes before the attributes, bytes of the attributes */
	unsigned	bad;
};

/* Read the event at p, whose packet ends at next. */
static inline __attribute__((always_inline)) void
event_read(const uint8_t *p, const uint8_t *next,
    struct event_packet *e)
{
	uint32_t	size = (uint32_t)(next - p);
	uint64_t	from, to;

	e->bad = 0;
	e->head = EVENT_HEAD + load_u16be(p + 40);
	if (e->head > size) {
		e->bad = BAD_NAME;
		return;
	}
	e->size = size - e->head;
	e->stream = load_u32be(p + 8);
	e->counter = load_u32be(p + 12);
	from = load_u64be(p + 24);
	to = load_u64be(p + 32);
	e->dur = to < from ? 0 : to - from;
	if (to < from)
		e->bad |= BAD_END;
	if (from > INT64_MAX) {
		e->bad |= BAD_START;
		from = INT64_MAX;
	}
	e->ts = (int64_t)from;
	e->type = hash_bytes(p + EVENT_HEAD, e->head - EVENT_HEAD);
}

/* A word of the decoder's state: the faults of this frame that were reported. */
enum { ST_REPORTED };

/* Report each fault once per frame. */
static void
say_bad(struct scan *s, struct decode_state *st, unsigned bad, uint64_t off, uint64_t bytes)
{
	bad &= ~(unsigned)st->w[ST_REPORTED];
	st->w[ST_REPORTED] |= bad;
	if (bad & BAD_NAME)
		scan_add_bad(s, off, bytes, "an event description does not fit its packet");
	if (bad & BAD_START)
		scan_add_bad(s, off, bytes, "an event starts later than can be represented");
	if (bad & BAD_END)
		scan_add_bad(s, off, bytes, "an event ends before it starts");
}

static int
heph_scan(const struct format *f, const struct frame *fr, struct span body,
    struct decode_state *st, struct scan *s)
{
	struct packet_walk	 run = run_begin(f, fr, body);
	const uint8_t		*p = body.p + st->pos, *next = p;
	struct event_packet	 e = { 0 };

	while (next != NULL && p < run.end) {
		uint32_t	room = scan_room(s, fr->off, st), n = 0;

		if (room == 0)
			return 0;
		for (; n < room; p = next) {
			uint64_t	off = fr->body + (uint64_t)(p - body.p);

			next = run_next(&run, p);
			if (next == NULL)
				break;
			event_read(p, next, &e);
			if (e.bad != 0)
				say_bad(s, st, e.bad, off, (uint64_t)(next - p));
			if (e.bad & BAD_NAME)
				continue;
			/* Counters begin at 0, numbers at 1. */
			scan_span(s, e.ts, e.type, e.stream, e.counter + 1, off + e.head, e.size);
			n++;
		}
		scan_took(s, n);
		st->pos = (uint64_t)(p - body.p);
	}
	if (p < run.end && !fr->open)
		scan_add_bad(s, fr->body + st->pos, body.len - st->pos,
		    "a packet has a wrong size and its header is cut short");
	return 1;
}

static size_t
heph_decode(const struct format *f, const struct frame *fr, struct span body,
    struct decode_state *st, struct event *out, size_t max, struct id_list *ids,
    struct id_list *types)
{
	struct packet_walk	 run = run_begin(f, fr, body);
	const uint8_t		*p = body.p + st->pos, *next;
	struct event_packet	 e = { 0 };
	size_t			 n = 0;

	for (; n < max; p = next) {
		next = run_next(&run, p);
		if (next == NULL)
			break;
		event_read(p, next, &e);
		if (e.bad & BAD_NAME)
			continue;
		out[n] = (struct event){
			.ts = e.ts, .dur = e.dur, .size = e.size, .seq = e.counter, .cpu = -1,
			.off = fr->body + (uint64_t)(p - body.p) + e.head,
			.labels = e.head,	/* so that heph_extra() finds the packet */
			.head = (uint16_t)(e.head < UINT16_MAX ? e.head : UINT16_MAX),
			.type = id_list_add(types, e.type),
			.thread = id_list_add(ids, e.stream),
		};
		out[n].capture = out[n].thread;
		n++;
	}
	st->pos = (uint64_t)(p - body.p);
	return n;
}

/*
 * Find the description with hash id that ends at off, where the attributes begin. Its length comes
 * before it, so all lengths are tried until the hash is right.
 */
static bool
name_before(const struct format *f, uint64_t off, uint64_t id, struct span *name)
{
	uint64_t	most = EVENT_HEAD + DESCRIPTION_MOST, from = off > most ? off - most : 0;
	struct span	b = source_span(f->source, from, off - from);
	unsigned	tries = 0;

	for (size_t len = 0; EVENT_HEAD + len <= b.len && tries < NAME_TRIES; len++) {
		const uint8_t	*p = b.p + (b.len - len - EVENT_HEAD);

		if (load_u32be(p) != MAGIC_EVENT || load_u16be(p + 40) != len)
			continue;
		*name = (struct span){ p + EVENT_HEAD, len };
		if (hash_bytes(name->p, len) == id)
			return true;
		tries++;
	}
	return false;
}

static void
heph_commit_row(struct format *f, uint64_t id, uint64_t off)
{
	static const struct field	attributes = {
		.name = "", .kind = FK_ATTRIBUTES, .slot = FIELD_NO_SLOT,
	};
	struct event_type	t = {
		.provider = "heph", .metadata_id = id, .source = SCHEMA_TRACE, .off = off,
		.fields = &attributes, .nfields = 1,
	};
	struct span		name;
	struct buf		b = { 0 };

	if (!name_before(f, off, id, &name) || f->up->type_known(f->up_arg, id, name, off))
		return;
	text_from_utf8(&b, name);
	t.name = name_keep(f, &b);
	f->up->type(f->up_arg, name, &t);
}

static void
heph_extra(const struct format *f, const struct event *e, struct event_extra *out)
{
	uint64_t	packet = e->off - e->labels;
	struct span	head = source_span(f->source, packet, EVENT_HEAD);

	*out = (struct event_extra){ .epoch = epoch_at(&heph_of(f)->epochs, packet) };
	if (head.len < EVENT_HEAD)
		return;
	out->has_substream = true;
	out->stream = load_u32be(head.p + 8);
	out->substream = load_u64be(head.p + 16);
}

const struct format_ops	format_heph = {
	.name = "heph",
	.title = "Heph 0.1.0 (.heph)",
	.probe = heph_probe,
	.open = heph_open,
	.frame = heph_frame,
	.resync = heph_resync,
	.begin = format_begin,
	.scan = heph_scan,
	.decode = heph_decode,
	.commit = heph_commit,
	.commit_row = heph_commit_row,
	.extra = heph_extra,
};

/*
 * NetTrace V6: blocks of one header each.
 *
 *	"Nettrace" u32 0  u32 6  u32 minor
 *	block*  =  u24 size  u8 kind  size bytes          the first is the Trace block
 *	0 0 0 0                                           the end
 *
 * Blocks begin without a magic number. Whether a block begins at an offset is decided by its
 * header, by the first bytes of its content, and by the header after it.
 *
 *	off ->  [size kind | content ...][size kind | content ...]
 *	              begins_block() looks here   ^ and here, if that is odd or of an unknown kind
 *
 * Event blocks have blobs (blob.h). Metadata, threads and label lists have rows of their own kinds.
 *
 * Invariant: nothing is read outside the body's span. If begins_block() refuses the block after
 * another one, frame() refuses it too, so the bytes after damage are searched at most twice.
 * Format: "NetTrace File Format (v6)"; doc/formats/nettrace6.md.
 */
#include "tnav/format/format.h"

#include <string.h>

#include "format/blob.h"
#include "format/common.h"
#include "format/fields.h"
#include "tnav/base/err.h"
#include "tnav/base/limits.h"

#define MAGIC		"Nettrace"
#define MAJOR		6u
#define STREAM_HEADER	20u
#define BLOCK_HEADER	4u
#define SIZE_MOST	0xffffffu
#define TRACE_LEAST	40u		/* bytes of the Trace block before its key/values */

/* Limits for deciding whether a block begins at an offset. */
#define LOOK		8u		/* rows of a content that are checked */
#define CHAIN		3u		/* plausible blocks in a row that are accepted anywhere */
#define UNKNOWN_RUN	16u		/* unknown blocks in a row that are skipped */
#define UNKNOWN_SMALL	0x10000u	/* ... and accepted if they have at most so many bytes */
#define STRETCH_BYTES	0x10000u	/* of empty blocks that are one frame, at most */
#define HEADER_SANE	4096u		/* a block's header is smaller */
#define REMOVE_SANE	0x10000u	/* a list of removed threads is smaller */
#define KINDS_ALL	256u		/* values of the byte for the kind */
#define SUB_STRETCH	KINDS_ALL	/* struct frame's sub: a run of empty blocks */

#define TEXT_TRACE	"a second Trace block is skipped"
#define TEXT_LABELS	"a block of label lists is cut short"

enum block_kind {
	KIND_END, KIND_TRACE, KIND_EVENTS, KIND_METADATA, KIND_POINT, KIND_STACKS, KIND_THREADS,
	KIND_REMOVE, KIND_LABELS, KIND_COUNT
};

static const enum frame_kind	frame_kinds[KIND_COUNT] = {
	[KIND_END] = FRAME_SKIP,
	[KIND_TRACE] = FRAME_SKIP,
	[KIND_EVENTS] = FRAME_EVENTS,
	[KIND_METADATA] = FRAME_DATA,
	[KIND_POINT] = FRAME_BARRIER,
	[KIND_STACKS] = FRAME_DATA,
	[KIND_THREADS] = FRAME_DATA,
	[KIND_REMOVE] = FRAME_BARRIER,
	[KIND_LABELS] = FRAME_DATA,
};

/* ---- blocks */

struct block_head {
	unsigned	kind;
	uint32_t	size;
};

static bool
block_read(const struct source *s, uint64_t off, struct block_head *b)
{
	struct span	h = source_span(s, off, BLOCK_HEADER);

	if (h.len < BLOCK_HEADER)
		return false;
	b->size = load_u32le(h.p) & SIZE_MOST;
	b->kind = h.p[3];
	return true;
}

/* Do the first rows fit? A row is a u16 size, an id, and a name's length or an item's kind. */
static bool
rows_fit(struct cursor *c, bool threads)
{
	bool	fits = true;

	for (unsigned i = 0; i < LOOK && fits && cursor_left(c) > 0; i++) {
		struct cursor	row = cursor_init(cursor_take(c, cursor_u16le(c)), 0);
		uint64_t	id = cursor_varu64(&row);

		fits = cursor_ok(&row) && (threads || (id > 0 && id <= UINT32_MAX));
		if (fits && threads && cursor_left(&row) > 0)
			fits = (uint8_t)(cursor_u8(&row) - 1) < 4;
		else if (fits && !threads)
			fits = cursor_varu32(&row) < cursor_left(&row);
	}
	return fits;
}

static bool
stacks_fit(struct cursor *c, uint32_t count)
{
	for (uint32_t i = 0; i < LOOK && i < count; i++) {
		uint32_t	size = cursor_u32le(c);

		if (size % 4 != 0)
			return false;
		cursor_skip(c, size);
	}
	return count > 0 || cursor_left(c) == 0;
}

static bool
event_header_fits(struct cursor *c, uint32_t size)
{
	uint16_t	header = cursor_u16le(c), flags = cursor_u16le(c);
	int64_t		min = (int64_t)cursor_u64le(c), max = (int64_t)cursor_u64le(c);

	return header >= BLOCK_HEADER_LEAST && header <= size && header <= HEADER_SANE &&
	    flags <= UINT8_MAX && min <= max;
}

/*
 * Could a block of this kind and size have this content? A content that the file cuts may fit; for
 * one that is only unusual see begins_block().
 */
static bool
content_fits(const struct block_head *b, struct span content)
{
	struct cursor	c = cursor_init(content, 0);
	uint32_t	x, y;
	bool		fits = false;

	switch ((enum block_kind)b->kind) {
	case KIND_TRACE:
		x = cursor_u16le(&c);
		y = cursor_u16le(&c);
		fits = b->size >= TRACE_LEAST && x >= 1601 && x <= 9999 && y >= 1 && y <= 12;
		break;
	case KIND_EVENTS:
		fits = event_header_fits(&c, b->size);
		break;
	case KIND_METADATA:
		x = cursor_u16le(&c);
		cursor_skip(&c, x);
		fits = x <= HEADER_SANE && rows_fit(&c, false);
		break;
	case KIND_POINT:
		cursor_skip(&c, 8);
		x = cursor_u32le(&c);
		y = cursor_u32le(&c);
		/* An entry has 2 to 15 bytes. */
		fits = x <= UINT8_MAX && 16 + 2 * (uint64_t)y <= b->size &&
		    16 + 15 * (uint64_t)y >= b->size;
		break;
	case KIND_STACKS:
		cursor_skip(&c, 4);
		y = cursor_u32le(&c);
		fits = 8 + 4 * (uint64_t)y <= b->size && stacks_fit(&c, y);
		break;
	case KIND_THREADS:
		fits = rows_fit(&c, true);
		break;
	case KIND_REMOVE:
		for (unsigned i = 0; i < LOOK && cursor_left(&c) > 0; i++) {
			cursor_varu64(&c);
			cursor_varu32(&c);
		}
		fits = b->size <= REMOVE_SANE;
		break;
	case KIND_LABELS:
		x = cursor_u32le(&c);
		y = cursor_u32le(&c);
		fits = x >= 1 && 8 + 2 * (uint64_t)y <= b->size;
		if (fits && y > 0)
			fits = ((cursor_u8(&c) & 0x7f) - 1u) < LABEL_VERSION;
		else
			fits = fits && b->size == 8;
		break;
	case KIND_END: case KIND_COUNT:
		break;
	}
	return cursor_ok(&c) ? fits : content.len < b->size;
}

static bool
plausible(const struct format *f, uint64_t off, const struct block_head *b)
{
	if (b->kind == KIND_END || b->kind >= KIND_COUNT)
		return false;
	return content_fits(b, source_span(f->source, off + BLOCK_HEADER, b->size));
}

static bool
is_end(const struct block_head *b)
{
	return b->kind == KIND_END && b->size == 0;
}

/*
 * Does a block, or the end, begin at off? A block that looks unusual or has an unknown kind, which
 * is allowed, is accepted if the file's end, the end mark or a plausible block follows.
 */
static bool
begins_block(const struct format *f, uint64_t off)
{
	uint64_t	size = source_size(f->source), at = off;

	for (unsigned n = 0; n < UNKNOWN_RUN; n++) {
		struct block_head	b;

		if (at >= size)
			return at == size;
		if (!block_read(f->source, at, &b))
			return true;		/* cut: possible */
		if (is_end(&b))
			return n == 0 || at + BLOCK_HEADER == size;
		if (plausible(f, at, &b))
			return true;
		if (n > 0 && b.kind < KIND_COUNT)
			return false;
		at += BLOCK_HEADER + b.size;
	}
	return at - off <= UNKNOWN_SMALL;
}

/*
 * Do CHAIN whole and plausible blocks begin here, or fewer and then the end of the file? Where
 * events are cut, their bytes may look like a block that the file cuts, or like a list of removed
 * threads that ends with the file: almost any bytes are such a list. Neither is evidence.
 */
static bool
begins_chain(const struct format *f, uint64_t off)
{
	uint64_t	size = source_size(f->source), at = off;
	bool		evident = false;

	for (unsigned n = 0; n < CHAIN; n++) {
		struct block_head	b;

		if (at >= size)
			return evident && at == size;
		if (!block_read(f->source, at, &b))
			return n > 1;
		if (evident && is_end(&b) && at + BLOCK_HEADER == size)
			return true;
		if ((n == 0 && b.size == 0) || !plausible(f, at, &b))
			return false;
		evident |= b.kind != KIND_REMOVE;
		at += BLOCK_HEADER + b.size;
	}
	return evident && at <= size;
}

static bool
nt6_resync(const struct format *f, uint64_t off, uint64_t *at)
{
	struct span	rest = source_span(f->source, off, UINT64_MAX);
	bool		found = false;
	size_t		i = 0;

	for (; !found && rest.len - i > BLOCK_HEADER; i++) {
		unsigned	kind = rest.p[i + 3];

		found = kind > KIND_TRACE && kind < KIND_COUNT && begins_chain(f, off + i);
		if (found)
			*at = off + i;
	}
	format_searched(f, i);
	return found;
}

/* ---- events */

static int
nt6_scan(const struct format *f, const struct frame *fr, struct span body, struct decode_state *st,
    struct scan *s)
{
	return blob_scan(f, fr, body, st, s, true);
}

static size_t
nt6_decode(const struct format *f, const struct frame *fr, struct span body,
    struct decode_state *st, struct event *out, size_t max, struct id_list *ids,
    struct id_list *types)
{
	(void)f, (void)types;
	return blob_decode(fr, body, st, out, max, ids, true);
}

/* ---- frames */

/* Do the events of a block end exactly at its end? */
static bool
events_are_whole(const struct format *f, const struct frame *fr, struct span body)
{
	const uint8_t		*p, *end = body.p + body.len;
	struct decode_state	 st;
	struct blob		 h;
	const char		*text;

	if (blob_begin(f, fr, body, &st, &text) < 0)
		return false;
	format_searched(f, body.len);
	blob_load(&st, &h);
	for (p = body.p + st.pos; p < end; ) {
		uint32_t	 step;
		const uint8_t	*q = blob_next(&h, p, end, body.p, true,
				    blob_compressed(&st), &step);

		if (q == NULL)
			return false;
		p = q + step;
	}
	return true;
}

/* The same for rows that begin with their size, after a header that does so too (if header). */
static bool
rows_are_whole(struct span body, bool header)
{
	struct cursor	c = cursor_init(body, 0);

	if (header)
		cursor_skip(&c, cursor_u16le(&c));
	while (cursor_left(&c) > 0)
		cursor_skip(&c, cursor_u16le(&c));
	return cursor_ok(&c);
}

/*
 * No block follows the one at fr. If its events or rows end exactly at its end, its size is right
 * and the bytes after it are damaged. Otherwise the size may be wrong, and the block ends at the
 * next chain of blocks.
 */
static void
block_end_search(const struct format *f, struct frame *fr)
{
	uint64_t	end = fr->body + fr->len, size = source_size(f->source), next;
	struct span	body = source_span(f->source, fr->body, fr->len);
	bool		fits = end <= size, rows = true, found;

	if (fits && fr->sub == KIND_EVENTS) {
		if (events_are_whole(f, fr, body))
			return;
	} else if (fits && (fr->sub == KIND_METADATA || fr->sub == KIND_THREADS)) {
		if (rows_are_whole(body, fr->sub == KIND_METADATA))
			return;
	} else {
		rows = false;
	}
	found = nt6_resync(f, fr->body, &next);
	if (fits && !(found && (next < end || rows)))
		return;
	fr->cut = true;
	fr->next = found ? next : size;
	fr->len = fr->next - fr->body;
}

/*
 * Small blocks without data, of which a run is accepted as one frame: UNKNOWN has an unknown kind.
 * EMPTY is valid but has no rows. HEADLESS lacks even the header of its kind.
 */
enum emptiness { NOT_EMPTY, UNKNOWN, EMPTY, HEADLESS };

/* The finding for a block of no bytes. Blocks of threads and of removed threads may have none. */
static const struct headless {
	const char		*text;
	enum severity		 severity;
	enum finding_kind	 finding;
}	headless[KIND_COUNT] = {
	[KIND_TRACE] = { TEXT_TRACE, SEV_NOTE, FIND_UNKNOWN_KIND },
	[KIND_EVENTS] = { FORMAT_TEXT_HEADER, SEV_WARN, FIND_BAD_BLOCK },
	[KIND_METADATA] = { FORMAT_TEXT_HEADER, SEV_WARN, FIND_BAD_BLOCK },
	[KIND_POINT] = { FORMAT_TEXT_POINT, SEV_WARN, FIND_BAD_BLOCK },
	[KIND_STACKS] = { FORMAT_TEXT_STACKS, SEV_WARN, FIND_STACK },
	[KIND_LABELS] = { TEXT_LABELS, SEV_WARN, FIND_LABEL },
};

static enum emptiness
block_emptiness(const struct format *f, uint64_t at, const struct block_head *b)
{
	struct cursor	c = cursor_init(source_span(f->source, at + BLOCK_HEADER, b->size), 0);
	struct cursor	head = c;
	bool		is_empty = false;

	if (BLOCK_HEADER + b->size > UNKNOWN_SMALL / UNKNOWN_RUN || cursor_left(&c) < b->size)
		return NOT_EMPTY;
	if (b->kind >= KIND_COUNT)
		return UNKNOWN;
	if (b->size == 0 && headless[b->kind].text != NULL)
		return HEADLESS;
	if (b->kind == KIND_THREADS || b->kind == KIND_REMOVE)
		is_empty = b->size == 0;
	else if (b->kind == KIND_EVENTS)
		is_empty = event_header_fits(&c, b->size) && cursor_u16le(&head) == b->size;
	else if (b->kind == KIND_METADATA)
		is_empty = cursor_u16le(&c) + 2u == b->size;
	else if (b->kind == KIND_STACKS || b->kind == KIND_LABELS)
		is_empty = b->size == 8 && (cursor_u32le(&c) > 0 || b->kind == KIND_STACKS) &&
		    cursor_u32le(&c) == 0;
	return is_empty && cursor_ok(&c) ? EMPTY : NOT_EMPTY;
}

/*
 * A file can be full of empty blocks of four bytes each, so a run of them is one frame. The run
 * ends where begins_block() accepts the next block, whatever comes later: before an EMPTY block,
 * which is plausible, or when UNKNOWN_RUN unknown blocks follow. begins_block() refuses an unknown
 * block before a headless one.
 */
static void
frame_stretch(const struct format *f, enum emptiness before, struct frame *fr)
{
	uint64_t		ends[UNKNOWN_RUN] = { 0 }, at = fr->next;
	enum emptiness		now;
	struct block_head	b;

	for (unsigned n = 0; at - fr->off < STRETCH_BYTES && block_read(f->source, at, &b); n++) {
		now = block_emptiness(f, at, &b);
		if (now == NOT_EMPTY || (now == HEADLESS && before != EMPTY))
			break;
		if (now == EMPTY)
			fr->next = at;
		else if (n >= UNKNOWN_RUN && ends[n % UNKNOWN_RUN] > fr->next)
			fr->next = ends[n % UNKNOWN_RUN];
		at += BLOCK_HEADER + b.size;
		ends[n % UNKNOWN_RUN] = at;
		before = now;
	}
	if (fr->next == fr->body + fr->len)
		return;
	fr->kind = FRAME_SKIP;
	fr->sub = SUB_STRETCH;
	fr->len = fr->next - fr->body;
}

static int
nt6_frame(const struct format *f, uint64_t off, struct frame *out)
{
	uint64_t		size = source_size(f->source), next;
	enum emptiness		empty;
	struct block_head	b;

	if (!block_read(f->source, off, &b))
		return ERR_TRUNCATED;
	*out = (struct frame){
		.kind = b.kind < KIND_COUNT ? frame_kinds[b.kind] : FRAME_SKIP, .sub = b.kind,
		.off = off, .body = off + BLOCK_HEADER, .len = b.size,
		.next = off + BLOCK_HEADER + b.size,
	};
	/* A newer writer may add content to the end block. */
	if (is_end(&b) || (b.kind == KIND_END && out->next == size))
		return 0;
	if (!begins_block(f, off) && (out->next <= size ||
	    (!f->growing && nt6_resync(f, off + 1, &next))))
		return ERR_FORMAT;
	if (f->growing && out->next > size) {
		out->next = size;
		out->len = size - out->body;
		out->cut = true;
		return 1;
	}
	if (!begins_block(f, out->next)) {
		block_end_search(f, out);
		return 1;
	}
	empty = block_emptiness(f, off, &b);
	if (empty != NOT_EMPTY)
		frame_stretch(f, empty, out);
	return 1;
}

/* ---- the stream header and the Trace block */

static int
nt6_probe(struct span head)
{
	if (head.len < 8 || memcmp(head.p, MAGIC, 8) != 0)
		return 0;
	/* A file that is too short is left to V4's open(), which refuses it. */
	if (head.len < 12)
		return 10;
	return load_u32le(head.p + 8) == 0 ? 60 : 0;
}

static int
open_header(const struct format *f, struct buf *why)
{
	struct cursor	c = cursor_init(source_span(f->source, 0, STREAM_HEADER), 0);
	struct span	magic = cursor_take(&c, strlen(MAGIC));
	uint32_t	zero = cursor_u32le(&c), major = cursor_u32le(&c);

	cursor_skip(&c, 4);
	if (!cursor_ok(&c)) {
		buf_puts(why, "is cut inside the stream header");
		return ERR_TRUNCATED;
	}
	if (memcmp(magic.p, MAGIC, magic.len) != 0 || zero != 0) {
		buf_puts(why, "is not NetTrace V6");
		return ERR_FORMAT;
	}
	if (major > MAJOR) {
		buf_printf(why, "is NetTrace version %u; tnav reads up to version %u", major,
		    MAJOR);
		return ERR_UNSUPPORTED;
	}
	if (major < MAJOR) {
		buf_printf(why, "has NetTrace version %u in the layout of version %u, which is not "
		    "a known format", major, MAJOR);
		return ERR_UNSUPPORTED;
	}
	return ERR_OK;
}

/* Parse decimal digits; false: it is no number, or greater than most. */
static bool
parse_number(struct span s, uint64_t most, uint64_t *v)
{
	*v = 0;
	for (size_t i = 0; i < s.len; i++) {
		unsigned	digit = s.p[i] - (unsigned)'0';

		if (digit > 9 || *v > (most - digit) / 10)
			return false;
		*v = *v * 10 + digit;
	}
	return s.len > 0;
}

/* Use the values of the keys that the format defines. */
static void
take_key_value(struct format *f, struct span key, struct span value, uint64_t off)
{
	struct trace_info	*in = &f->info;
	uint64_t		 v;
	bool			 ok = true;

	if (span_is(key, "HardwareThreadCount")) {
		ok = parse_number(value, UINT32_MAX, &v);
		if (ok)
			format_set_processors(f, (uint32_t)v);
	} else if (span_is(key, "ExpectedCPUSamplingRate")) {
		ok = parse_number(value, UINT32_MAX, &v);
		in->sampling_rate = ok ? (uint32_t)v : in->sampling_rate;
	} else if (span_is(key, "ProcessId")) {
		ok = parse_number(value, UINT64_MAX, &v);
		in->pid = ok ? v : in->pid;
		in->has_pid |= ok;
	}
	if (!ok)
		diag_add(f->diag, SEV_NOTE, FIND_BAD_HEADER, off, 0,
		    "the value of %.*s is not a number", (int)key.len, (const char *)key.p);
}

static void
read_key_values(struct format *f, struct cursor *c)
{
	struct trace_info	*in = &f->info;
	uint32_t		 count = cursor_u32le(c);
	uint64_t		 off = cursor_off(c);
	size_t			 room = cursor_left(c) / 2;	/* two empty strings */

	if (room > count)
		room = count;
	if (room > LIMIT_KEY_VALUES)
		room = LIMIT_KEY_VALUES;
	in->kv = arena_alloc(f->arena, room * sizeof *in->kv);
	while (in->nkv < room) {
		uint64_t	at = cursor_off(c);
		struct span	key = name_take_utf8(c), value = name_take_utf8(c);

		if (!cursor_ok(c))
			break;
		take_key_value(f, key, value, at);
		in->kv[in->nkv++] = (struct key_value){
			.key = name_from_utf8(f, key), .value = name_from_utf8(f, value),
		};
	}
	if (in->nkv < count)
		diag_add(f->diag, SEV_WARN, FIND_BAD_HEADER, off, 0, in->nkv == LIMIT_KEY_VALUES ?
		    "too many key/value pairs of the trace: the rest are left out" :
		    "the key/value pairs of the trace are cut short");
}

/* The end of the Trace block: by its size, unless blocks begin inside it and none after it. */
static uint64_t
trace_block_end(const struct format *f, uint32_t size)
{
	uint64_t	end = STREAM_HEADER + BLOCK_HEADER + (uint64_t)size, next;

	if (begins_block(f, end) ||
	    !nt6_resync(f, STREAM_HEADER + BLOCK_HEADER + TRACE_LEAST, &next) || next >= end)
		return end;
	diag_add(f->diag, SEV_WARN, FIND_BAD_HEADER, STREAM_HEADER, 0,
	    "the Trace block has a wrong size; it is read up to the next block");
	return next;
}

static int
nt6_open(struct format *f, uint64_t *first, struct buf *why)
{
	struct block_head	b = { .kind = KIND_TRACE, .size = SIZE_MOST };
	uint64_t		begin = STREAM_HEADER + BLOCK_HEADER;
	struct cursor		c;
	int			err = open_header(f, why);

	if (err < 0)
		return err;
	if (block_read(f->source, STREAM_HEADER, &b) &&
	    (b.kind != KIND_TRACE || b.size < TRACE_LEAST)) {
		buf_puts(why, "has a damaged stream header: no Trace block");
		return ERR_FORMAT;
	}
	*first = trace_block_end(f, b.size);
	if (*first > source_size(f->source)) {
		buf_puts(why, "is cut inside the stream header");
		return ERR_TRUNCATED;
	}
	f->info.format = "NetTrace V6";
	f->info.version = MAJOR;
	f->info.has = HAS_IDS | HAS_NUMBERS | HAS_BLOCKS | HAS_STACKS | HAS_ACTIVITIES |
	    HAS_LABELS | HAS_INDEXES | HAS_POINTERS | HAS_PROCESSORS;
	f->declares = true;
	c = cursor_init(source_span(f->source, begin, *first - begin), begin);
	format_read_clock(f, &c);
	read_key_values(f, &c);
	return ERR_OK;
}

/* ---- metadata rows */

/* Read the optional items; false: one is cut. *unknown: an item has an unknown kind, and so an
   unknown size, so no further ones can be read. */
static bool
read_optional(struct format *f, struct cursor *c, struct event_type *t, bool *unknown)
{
	enum {
		OPT_OPCODE = 1, OPT_KEYWORDS = 3, OPT_MESSAGE, OPT_DESCRIPTION, OPT_KEY_VALUE,
		OPT_PROVIDER_GUID, OPT_LEVEL, OPT_VERSION,
	};

	while (cursor_left(c) > 0) {
		switch (cursor_u8(c)) {
		case OPT_OPCODE:
			t->opcode = cursor_u8(c);
			t->has_opcode = cursor_ok(c);
			break;
		case OPT_KEYWORDS:
			t->keywords = cursor_u64le(c);
			break;
		case OPT_MESSAGE:
			t->message = name_read_utf8(f, c);
			break;
		case OPT_DESCRIPTION:
			t->description = name_read_utf8(f, c);
			break;
		case OPT_KEY_VALUE:
			name_take_utf8(c);
			name_take_utf8(c);
			break;
		case OPT_PROVIDER_GUID:
			cursor_skip(c, 16);
			break;
		case OPT_LEVEL:
			t->level = cursor_u8(c);
			break;
		case OPT_VERSION:
			t->version = cursor_u8(c);
			break;
		default:
			*unknown = true;
			return true;
		}
	}
	return cursor_ok(c);
}

/*
 * Returns NULL, or what is wrong with the row. Then the parts before the error are used, if these
 * include the names (t->name is not NULL).
 */
static const char *
read_row_type(struct format *f, struct cursor *c, struct event_type *t, bool *unknown)
{
	struct fields_row	 r = { .f = f, .layout = FIELDS_V6 };
	struct cursor		 optional;
	const char		*text = NULL, *name;

	t->provider = name_read_utf8(f, c);
	t->id = cursor_varu32(c);
	name = name_read_utf8(f, c);
	if (!cursor_ok(c))
		return FIELDS_TEXT_CUT;
	t->name = name;
	if (!fields_read(&r, c, &t->fields, &t->nfields))
		text = FIELDS_TEXT_BAD;
	t->source = t->nfields > 0 ? SCHEMA_TRACE : SCHEMA_NONE;
	optional = cursor_init(cursor_take(c, cursor_u16le(c)), 0);
	if (text == NULL && !cursor_ok(c))
		text = FIELDS_TEXT_CUT;
	if (!read_optional(f, &optional, t, unknown) && text == NULL)
		text = "an optional part of a metadata row is cut short";
	return text;
}

static void
commit_row(struct format *f, struct span row, uint64_t off)
{
	struct cursor		 c = cursor_init(row, off);
	struct event_type	 t = { .off = off, .source = SCHEMA_NONE };
	uint32_t		 id = cursor_varu32(&c);
	struct span		 content = { .p = c.p, .len = cursor_left(&c) };
	const char		*text = FIELDS_TEXT_CUT;
	bool			 unknown = false;

	if (content.len > 0 && f->up->type_known(f->up_arg, id, content, off))
		return;
	t.metadata_id = id;
	if (content.len > 0)
		text = read_row_type(f, &c, &t, &unknown);
	if (text == NULL && unknown)
		diag_add(f->diag, SEV_NOTE, FIND_METADATA, off, row.len, "an optional part of a "
		    "metadata row is of unknown kind; the remaining parts are skipped");
	fields_type(f, &t, content, row.len, text);
}

static void
commit_metadata(struct format *f, const struct frame *fr, struct span body)
{
	struct cursor	c = cursor_init(body, fr->body);

	cursor_skip(&c, cursor_u16le(&c));
	while (cursor_ok(&c) && cursor_left(&c) > 0) {
		uint64_t	off = cursor_off(&c);
		struct span	row = cursor_take(&c, cursor_u16le(&c));

		if (!cursor_ok(&c)) {
			diag_add(f->diag, SEV_WARN, FIND_BAD_BLOCK, off,
			    fr->body + body.len - off,
			    "the rest of a metadata block cannot be read");
			return;
		}
		commit_row(f, row, off + 2);
	}
	if (!cursor_ok(&c))
		diag_add(f->diag, SEV_WARN, FIND_BAD_BLOCK, fr->body, body.len,
		    FORMAT_TEXT_HEADER);
}

/* ---- threads */

/* Returns NULL, or what is wrong; the parts before the error are used. */
static const char *
read_thread(struct format *f, struct cursor *c, struct thread_decl *d)
{
	enum { INFO_NAME = 1, INFO_PID, INFO_TID, INFO_KEY_VALUE };
	size_t	room = cursor_left(c) / 3 + 1;	/* a kind, two empty strings */

	while (cursor_left(c) > 0) {
		switch (cursor_u8(c)) {
		case INFO_NAME:
			d->name = name_read_utf8(f, c);
			break;
		case INFO_PID:
			d->pid = cursor_varu64(c);
			d->has_pid = cursor_ok(c);
			break;
		case INFO_TID:
			d->tid = cursor_varu64(c);
			d->has_tid = cursor_ok(c);
			break;
		case INFO_KEY_VALUE:
			if (d->kv == NULL)
				d->kv = arena_alloc(f->arena, room * sizeof *d->kv);
			d->kv[d->nkv].key = name_read_utf8(f, c);
			d->kv[d->nkv].value = name_read_utf8(f, c);
			d->nkv += cursor_ok(c);
			break;
		default:
			return "an item of a thread entry is of unknown kind; the rest of the "
			    "entry is skipped";
		}
	}
	return cursor_ok(c) ? NULL : "a thread entry is cut short";
}

static void
commit_threads(struct format *f, const struct frame *fr, struct span body)
{
	struct cursor	c = cursor_init(body, fr->body);

	while (cursor_left(&c) > 0) {
		uint64_t		 off = cursor_off(&c);
		struct span		 bytes = cursor_take(&c, cursor_u16le(&c));
		struct cursor		 row = cursor_init(bytes, off + 2);
		struct thread_decl	 d = { .index = cursor_varu64(&row), .off = off };
		const char		*text;

		if (!cursor_ok(&c) || !cursor_ok(&row)) {
			diag_add(f->diag, SEV_WARN, FIND_THREAD, off, 0,
			    "a thread entry is cut short");
			continue;
		}
		text = read_thread(f, &row, &d);
		if (text != NULL)
			diag_add(f->diag, cursor_ok(&row) ? SEV_NOTE : SEV_WARN, FIND_THREAD, off,
			    0, "%s", text);
		f->up->thread(f->up_arg, &d);
	}
}

static void
commit_remove(struct format *f, const struct frame *fr, struct span body)
{
	struct cursor	c = cursor_init(body, fr->body);

	while (cursor_left(&c) > 0) {
		uint64_t	off = cursor_off(&c), index = cursor_varu64(&c);
		uint32_t	number = cursor_varu32(&c);

		if (!cursor_ok(&c)) {
			diag_add(f->diag, SEV_WARN, FIND_THREAD, off, fr->body + body.len - off,
			    "a list of removed threads is cut short");
			return;
		}
		f->up->thread_remove(f->up_arg, index, number, off);
	}
}

/* ---- label lists */

#define LABELS_HEADER	8u
#define LABELS_LEAST	2u	/* bytes of a list: a kind and one more */
#define LABEL_LAST	0x80u	/* flag: the last label of its list */

/* Read the next label; *last: it ends its list. False: it is cut, or has an unknown kind. */
static bool
label_read(struct cursor *c, struct label *l, bool *last)
{
	uint8_t		kind = cursor_u8(c);
	uint64_t	v;

	*last = (kind & LABEL_LAST) != 0;
	*l = (struct label){ .kind = (enum label_kind)(kind & ~LABEL_LAST) };
	switch (l->kind) {
	case LABEL_ACTIVITY: case LABEL_RELATED: case LABEL_TRACE:
		l->text = cursor_take(c, 16);
		break;
	case LABEL_SPAN: case LABEL_KEYWORDS:
		l->number = cursor_u64le(c);
		break;
	case LABEL_TEXT:
		l->key = name_take_utf8(c);
		l->text = name_take_utf8(c);
		break;
	case LABEL_NUMBER:
		l->key = name_take_utf8(c);
		v = cursor_varu64(c);
		l->number = varint_unzigzag(v);
		break;
	case LABEL_OPCODE: case LABEL_LEVEL: case LABEL_VERSION:
		l->number = cursor_u8(c);
		break;
	default:
		cursor_fail(c);
		break;
	}
	return cursor_ok(c);
}

/*
 * How many of count lists can be used: those before the first label that cannot be read, and the
 * list with that label, which keeps the labels before it.
 */
static uint32_t
count_lists(struct format *f, struct cursor *c, uint32_t count)
{
	uint32_t	n = 0;

	while (n < count) {
		uint64_t	off = cursor_off(c);
		struct label	l;
		bool		last, at_end = cursor_left(c) == 0, ok = label_read(c, &l, &last);

		n += ok && last;
		if (ok)
			continue;
		diag_add(f->diag, SEV_WARN, FIND_LABEL, off, 0, at_end ||
		    (l.kind >= LABEL_ACTIVITY && l.kind <= LABEL_VERSION) ?
		    "a label list is cut short" :
		    "a label is of unknown kind; the rest of its block is skipped");
		return n + 1;
	}
	return n;
}

static void
commit_labels(struct format *f, const struct frame *fr, struct span body)
{
	struct cursor	c = cursor_init(body, fr->body);
	uint32_t	first = cursor_u32le(&c), count = cursor_u32le(&c);

	if (!cursor_ok(&c)) {
		diag_add(f->diag, SEV_WARN, FIND_LABEL, fr->body, body.len,
		    TEXT_LABELS);
		return;
	}
	if (first == 0)
		diag_add(f->diag, SEV_WARN, FIND_LABEL, fr->body, 0,
		    "a label list has number 0, which means none");
	if (!cursor_fits(&c, count, LABELS_LEAST) || count > UINT32_MAX - first) {
		diag_add(f->diag, SEV_WARN, FIND_LABEL, fr->body, body.len,
		    "a block of label lists claims more lists than fit in it");
		count = (uint32_t)(cursor_left(&c) / LABELS_LEAST);
		if (count > UINT32_MAX - first)
			return;
	}
	count = count_lists(f, &c, count);
	f->up->labels(f->up_arg, first, count, fr->body, body.len);
}

static size_t
nt6_labels(const struct format *f, struct span body, uint32_t index, uint64_t walk[2],
    struct label *out, size_t max)
{
	struct cursor	c = cursor_init(body, 0);
	struct label	l;
	bool		last = false;
	size_t		n = 0;

	(void)f;
	/* walk: position and number of the last list found; {0, 0} at first. */
	if (walk[0] < LABELS_HEADER || walk[1] > index) {
		walk[0] = LABELS_HEADER;
		walk[1] = 0;
	}
	cursor_skip(&c, walk[0]);
	while (walk[1] < index) {
		if (!label_read(&c, &l, &last))
			return 0;
		if (last) {
			walk[0] = cursor_off(&c);
			walk[1]++;
		}
	}
	for (last = false; !last && n < max && label_read(&c, &l, &last); )
		out[n++] = l;
	return n;
}

/* ---- all kinds */

/* The blocks of one kind in a run of empty blocks. */
struct empty_run {
	uint64_t	first, n, bytes;
};

static void
say_tally(struct format *f, unsigned kind, const struct empty_run *y)
{
	const struct headless	*h = kind < KIND_COUNT ? &headless[kind] : NULL;

	if (h == NULL || h->text == NULL)
		diag_add_times(f->diag, SEV_NOTE, FIND_UNKNOWN_KIND, y->first, y->bytes, y->n,
		    "a block of unknown kind %u is skipped", kind);
	else if (kind == KIND_TRACE)
		diag_add_times(f->diag, h->severity, h->finding, y->first, y->bytes, y->n, "%s",
		    h->text);
	else
		diag_add_times(f->diag, h->severity, h->finding, y->first + BLOCK_HEADER, 0, y->n,
		    "%s", h->text);
}

/* Add the findings for an unknown block, or for a run of empty blocks. */
static void
say_stretch(struct format *f, const struct frame *fr)
{
	struct empty_run	tally[KINDS_ALL] = { { 0, 0, 0 } };
	struct block_head	b;

	for (uint64_t at = fr->off; at < fr->next && block_read(f->source, at, &b);
	    at += BLOCK_HEADER + b.size) {
		struct empty_run	*y = &tally[b.kind];

		if (b.kind < KIND_COUNT && (b.size > 0 || headless[b.kind].text == NULL))
			continue;
		if (y->n++ == 0)
			y->first = at;
		y->bytes += BLOCK_HEADER + b.size;
	}
	for (unsigned i = 0; i < KINDS_ALL; i++)
		if (tally[i].n > 0)
			say_tally(f, i, &tally[i]);
}

static int
nt6_commit(struct format *f, const struct frame *fr, struct span body)
{
	switch (fr->sub) {
	case KIND_METADATA:
		commit_metadata(f, fr, body);
		break;
	case KIND_POINT:
		format_commit_point(f, fr, body, true);
		break;
	case KIND_STACKS:
		format_commit_stacks(f, fr, body);
		break;
	case KIND_THREADS:
		commit_threads(f, fr, body);
		break;
	case KIND_REMOVE:
		commit_remove(f, fr, body);
		break;
	case KIND_LABELS:
		commit_labels(f, fr, body);
		break;
	case KIND_EVENTS:
		break;
	case KIND_TRACE:
		diag_add(f->diag, SEV_NOTE, FIND_UNKNOWN_KIND, fr->off, fr->next - fr->off,
		    TEXT_TRACE);
		break;
	default:
		say_stretch(f, fr);
		break;
	}
	return ERR_OK;
}

const struct format_ops	format_nettrace6 = {
	.name = "nettrace6",
	.title = "NetTrace V6 (.nettrace)",
	.block = "EventBlock",
	.probe = nt6_probe,
	.open = nt6_open,
	.frame = nt6_frame,
	.resync = nt6_resync,
	.begin = blob_begin,
	.scan = nt6_scan,
	.decode = nt6_decode,
	.commit = nt6_commit,
	.stack = format_stack,
	.labels = nt6_labels,
};

/*
 * The events of NetPerf V1, V2 and V3.
 *
 *	event	i32 size of what follows
 *		i32 metadata id, i32 thread id, i64 ticks, 16 activity id, 16 related activity id
 *		i32 size, payload
 *		i32 size, addresses of the stack, innermost first
 *
 * An event with metadata id 0 is a row of metadata. There are no sequence numbers.
 *
 * Invariant: an event lies inside the body, its payload and its stack lie inside the event.
 * Format: doc/formats/netperf3.md.
 */
#include "format/netperf.h"

#include "format/common.h"

struct event_head {
	uint32_t	metadata, thread;
	int64_t		ts;
	uint32_t	size, stack;	/* bytes of the payload, of the stack */
	bool		clipped;	/* a size was larger than the event */
};

/*
 * Read the event at p. Returns the start of the next one; NULL: no whole event is at p. A payload
 * that does not fit its event is clipped; a stack that does not fit is ignored.
 */
static inline __attribute__((always_inline)) const uint8_t *
event_next(const uint8_t *p, const uint8_t *end, struct event_head *e)
{
	uint32_t	size, room;

	if ((size_t)(end - p) < NETPERF_HEADER)
		return NULL;
	size = load_u32le(p);
	if (size < NETPERF_LEAST || size > (size_t)(end - p) - 4)
		return NULL;
	e->metadata = load_u32le(p + 4);
	e->thread = load_u32le(p + 8);
	e->ts = (int64_t)load_u64le(p + 12);
	e->size = load_u32le(p + 52);
	e->stack = 0;
	room = size - NETPERF_LEAST;
	e->clipped = e->size > room;
	if (e->clipped)
		e->size = room;
	room -= e->size;
	if (room >= 4) {
		e->stack = load_u32le(p + NETPERF_HEADER + e->size);
		if (e->stack > room - 4) {
			e->clipped = true;
			e->stack = 0;
		}
	}
	return p + 4 + size;
}

/* A word of the decoder's state: was a clipped event of this frame reported? */
enum { ST_REPORTED };

static void
say_clipped(const struct frame *fr, uint64_t pos, const struct event_head *e,
    struct decode_state *st, struct scan *s)
{
	if (st->w[ST_REPORTED] != 0)
		return;
	st->w[ST_REPORTED] = 1;
	scan_add_bad(s, fr->body + pos, NETPERF_HEADER + e->size,
	    "the payload or stack of an event does not fit the event");
}

/* The events have no numbers: a run of numbers made up here goes on while times do not fall. */
int
netperf_scan(const struct format *f, const struct frame *fr, struct span body,
    struct decode_state *st, struct scan *s)
{
	const uint8_t		*p = body.p + st->pos, *end = body.p + body.len, *next = p;
	struct event_head	 e;

	while (p < end) {
		uint32_t	room, n = 0;

		st->pos = (uint64_t)(p - body.p);
		room = scan_room(s, fr->off, st);
		if (room == 0)
			return 0;
		for (; n < room && p < end; p = next) {
			uint64_t	pos = (uint64_t)(p - body.p);
			uint64_t	off = fr->body + pos + NETPERF_HEADER;

			next = event_next(p, end, &e);
			if (next == NULL)
				break;
			if (e.clipped)
				say_clipped(fr, pos, &e, st, s);
			if (e.metadata == 0) {
				scan_add_row(s, off);
				continue;
			}
			scan_event(s, true, e.ts, e.metadata, e.thread, 0, (uint32_t)s->events, off,
			    e.size);
			n++;
		}
		scan_took(s, n);
		if (next == NULL) {
			st->pos = (uint64_t)(p - body.p);
			if (fr->growing)
				return 1;
			scan_add_bad(s, fr->body + (uint64_t)(p - body.p), (uint64_t)(end - p),
			    format_bad_text(f, fr));
			return 1;
		}
	}
	st->pos = body.len;
	return 1;
}

/* Set out to the event whose payload is at off. */
static void
event_fill(struct event *out, const struct event_head *e, uint64_t off, struct id_list *ids)
{
	*out = (struct event){
		.ts = e->ts, .off = off + NETPERF_HEADER, .size = e->size, .type = e->metadata,
		.cpu = -1, .stack = e->stack, .head = NETPERF_HEADER,
		.activity_back = NETPERF_HEADER - 20, .related_back = NETPERF_HEADER - 36,
		.thread = id_list_add(ids, e->thread),
	};
	out->capture = out->thread;
}

/* Rows of metadata are left out. */
size_t
netperf_decode(const struct format *f, const struct frame *fr, struct span body,
    struct decode_state *st, struct event *out, size_t max, struct id_list *ids,
    struct id_list *types)
{
	const uint8_t		*p = body.p + st->pos, *end = body.p + body.len, *next;
	struct event_head	 e;
	size_t			 n = 0;

	(void)f, (void)types;
	for (; n < max && p < end; p = next) {
		next = event_next(p, end, &e);
		if (next == NULL)
			break;
		if (e.metadata == 0)
			continue;
		event_fill(&out[n], &e, fr->body + (uint64_t)(p - body.p), ids);
		n++;
	}
	st->pos = (uint64_t)(p - body.p);
	return n;
}

/* The stack follows the payload. The event's stack id is the size of the stack. */
struct span
netperf_own_stack(const struct format *f, const struct event *e)
{
	return source_span(f->source, e->off + e->size + 4, e->stack);
}

struct span
netperf_row(const struct format *f, uint64_t off)
{
	struct span	head = source_span(f->source, off - NETPERF_HEADER, NETPERF_HEADER);
	uint32_t	room, size;

	if (head.len < NETPERF_HEADER || load_u32le(head.p) < NETPERF_LEAST)
		return (struct span){ NULL, 0 };	/* the file has changed since */
	room = load_u32le(head.p) - NETPERF_LEAST;
	size = load_u32le(head.p + 52);
	return source_span(f->source, off, size < room ? size : room);
}

/*
 * What NetPerf V1, V2 and V3 have in common: the event, and where its parts are.
 *
 *	event	i32 size of what follows
 *		i32 metadata id, i32 thread id, i64 ticks, 16 activity id, 16 related activity id
 *		i32 size, payload
 *		i32 size, addresses of the stack, innermost first
 */
#ifndef TNAV_SRC_FORMAT_NETPERF_H
#define TNAV_SRC_FORMAT_NETPERF_H

#include "tnav/format/format.h"

#define NETPERF_HEADER	56u	/* of an event, its own size and its payload's included */
#define NETPERF_LEAST	(NETPERF_HEADER - 4)	/* what its size says at the least */

struct netperf_event {
	uint32_t	metadata, thread;
	int64_t		ts;
	uint32_t	size, stack;	/* bytes of the payload, of the stack behind it */
	bool		clipped;	/* one of them had to be made to fit */
};

/*
 * The event at p: returns where the next one begins. NULL: no whole event is there. A payload that
 * does not fit its event is clipped to it; a stack that does not is none.
 */
static inline __attribute__((always_inline)) const uint8_t *
netperf_next(const uint8_t *p, const uint8_t *end, struct netperf_event *e)
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

/* The event at off of the file, as decode() gives it. */
static inline void
netperf_fill(struct event *out, const struct netperf_event *e, uint64_t off, struct id_list *ids)
{
	*out = (struct event){
		.ts = e->ts, .off = off + NETPERF_HEADER, .size = e->size, .type = e->metadata,
		.cpu = -1, .stack = e->stack, .head = NETPERF_HEADER,
		.activity_back = NETPERF_HEADER - 20, .related_back = NETPERF_HEADER - 36,
		.thread = id_list_add(ids, e->thread),
	};
	out->capture = out->thread;
}

/* decode() of the formats: rows of metadata are left out. */
static inline size_t
netperf_decode(const struct format *f, const struct frame *fr, struct span body,
    struct decode_state *st, struct event *out, size_t max, struct id_list *ids,
    struct id_list *types)
{
	const uint8_t		*p = body.p + st->pos, *end = body.p + body.len, *next;
	struct netperf_event	 e;
	size_t			 n = 0;

	(void)f, (void)types;
	for (; n < max && p < end; p = next) {
		next = netperf_next(p, end, &e);
		if (next == NULL)
			break;
		if (e.metadata == 0)
			continue;
		netperf_fill(&out[n], &e, fr->body + (uint64_t)(p - body.p), ids);
		n++;
	}
	st->pos = (uint64_t)(p - body.p);
	return n;
}

/* Where its stack is is known from the event: behind its payload, so many bytes as its id says. */
static inline struct span
netperf_own_stack(const struct format *f, const struct event *e)
{
	return source_span(f->source, e->off + e->size + 4, e->stack);
}

/* The metadata row at off: its size stands in front of it, and is compared with its event's. */
static inline struct span
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

#endif

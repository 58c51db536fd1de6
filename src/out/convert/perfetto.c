/*
 * A timeline as Perfetto's own format: https://perfetto.dev/docs/reference/trace-packet-proto
 *
 *	packet	track_descriptor	a process, a thread, a lane, a counter
 *	packet	track_event		begin and end of a slice, an instant, a value of a counter
 *	packet	interned_data		before its first use: a text and its number
 *
 * A slice that does not nest on its thread has a lane: a track of its process that has one slice at
 * a time. Lanes of one name are shown as one track.
 */
#include "out/convert/proto.h"
#include "tnav/base/array.h"
#include "tnav/base/idmap.h"
#include "tnav/base/interned.h"
#include "tnav/base/mem.h"
#include "tnav/out/convert.h"

enum { TRACE_PACKET = 1 };
enum { PACKET_TIME = 8, PACKET_SEQUENCE = 10, PACKET_EVENT, PACKET_INTERNED, PACKET_FLAGS,
    PACKET_TRACK = 60 };
enum { FLAG_CLEARED = 1, FLAG_NEEDS_STATE = 2 };
enum { EVENT_CATEGORY = 3, EVENT_ARGS, EVENT_TYPE = 9, EVENT_NAME, EVENT_TRACK,
    EVENT_VALUE = 44, EVENT_FLOW = 47 };
enum { TYPE_BEGIN = 1, TYPE_END, TYPE_INSTANT, TYPE_COUNTER };
enum { ARG_NAME = 10, ARG_JSON = 9 };
enum { INTERNED_CATEGORIES = 1, INTERNED_NAMES };
enum { TRACK_UUID = 1, TRACK_NAME, TRACK_PROCESS, TRACK_THREAD, TRACK_PARENT, TRACK_COUNTER = 8 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum { THREAD_PID = 1, THREAD_TID, THREAD_NAME = 5 };

#define SEQUENCE	1u
#define INT32_TOP	0x7fffffffu	/* ids in descriptors have 32 bits */

/* Numbers of tracks: a process has that of its first thread. */
#define UUID_PROCESS	(1ull << 32)
#define UUID_THREAD	(2ull << 32)
#define UUID_OTHER	(3ull << 32)

struct slice_lane {
	uint32_t	next;		/* free one of the same key; 0: none, else 1 + its index */
	uint32_t	key;
	uint64_t	uuid;
};

struct perfetto {
	struct encoder_to	 to;
	struct buf	 packet, event, inner, interned;	/* scratch */
	bool		 begun;
	uint32_t	*process;	/* by track: the first one of its process */
	size_t		 ntracks;
	struct interned	 texts;		/* their ids are 1 + these numbers */
	bool		*known;		/* by 2 * number, + 1 for a category: the reader knows it */
	size_t		 nknown;
	struct idmap	 process_of;	/* pid -> first track */
	struct idmap	 counters;	/* text, process -> its track, from UUID_OTHER on */
	struct idmap	 keys;		/* text, process -> its key */
	uint32_t	 nkeys;
	uint32_t	*free;		/* by key: 1 + a free lane; 0: none */
	size_t		 nfree;
	struct slice_lane	*lane;
	size_t		 nlanes, lane_cap;
	uint64_t	 others;	/* tracks of lanes and counters */
};

static void
perfetto_release(void *self)
{
	struct perfetto	*x = self;

	buf_release(&x->packet);
	buf_release(&x->event);
	buf_release(&x->inner);
	buf_release(&x->interned);
	interned_release(&x->texts);
	idmap_release(&x->process_of);
	idmap_release(&x->counters);
	idmap_release(&x->keys);
	mem_free(x->known);
	mem_free(x->process);
	mem_free(x->free);
	mem_free(x->lane);
}

/* ---- packets */

/* Write the packet, with a sequence that begins with the first one. */
static int
put_packet(struct perfetto *x)
{
	if (x->interned.len > 0)
		proto_message(&x->packet, PACKET_INTERNED, &x->interned);
	proto_u64(&x->packet, PACKET_SEQUENCE, SEQUENCE);
	proto_u64(&x->packet, PACKET_FLAGS,
	    x->begun ? FLAG_NEEDS_STATE : FLAG_CLEARED | FLAG_NEEDS_STATE);
	x->begun = true;
	proto_message(output_buf(x->to.o), TRACE_PACKET, &x->packet);
	buf_clear(&x->packet);
	buf_clear(&x->interned);
	return output_step(x->to.o);
}

static int
put_event(struct perfetto *x, uint64_t ns)
{
	proto_u64(&x->packet, PACKET_TIME, ns);
	proto_message(&x->packet, PACKET_EVENT, &x->event);
	buf_clear(&x->event);
	return put_packet(x);
}

static int
put_track(struct perfetto *x)
{
	proto_message(&x->packet, PACKET_TRACK, &x->event);
	buf_clear(&x->event);
	return put_packet(x);
}

/* ---- texts */

/* The id of a text that the reader of the packet knows. */
static uint64_t
known_text(struct perfetto *x, struct span text, bool category)
{
	uint32_t	number = interned_add(&x->texts, text);
	uint64_t	id = number + UINT64_C(1);
	size_t		at = 2 * (size_t)number + category;

	x->known = array_reach(x->known, &x->nknown, at, sizeof *x->known);
	if (x->known[at])
		return id;
	x->known[at] = true;
	buf_clear(&x->inner);
	proto_u64(&x->inner, 1, id);
	proto_text(&x->inner, 2, text);
	proto_message(&x->interned, category ? INTERNED_CATEGORIES : INTERNED_NAMES, &x->inner);
	return id;
}

/* ---- tracks */

static void
put_process(struct perfetto *x, const struct timeline_track *t)
{
	proto_u64(&x->event, TRACK_UUID, UUID_PROCESS + t->track);
	buf_clear(&x->inner);
	proto_u64(&x->inner, PROCESS_PID, t->pid & INT32_TOP);
	proto_text(&x->inner, PROCESS_NAME, t->process.len > 0 ? t->process : span_of(x->to.name));
	proto_message(&x->event, TRACK_PROCESS, &x->inner);
	(void)put_track(x);
}

static int
perfetto_track(void *self, const struct timeline_track *t)
{
	struct perfetto	*x = self;
	uint32_t	 process = t->track;

	if (t->first) {
		idmap_set(&x->process_of, t->pid, 0, process);
		put_process(x, t);
	}
	(void)idmap_get(&x->process_of, t->pid, 0, &process);
	x->process = array_reach(x->process, &x->ntracks, t->track, sizeof *x->process);
	x->process[t->track] = process;
	proto_u64(&x->event, TRACK_UUID, UUID_THREAD + t->track);
	proto_u64(&x->event, TRACK_PARENT, UUID_PROCESS + process);
	buf_clear(&x->inner);
	proto_u64(&x->inner, THREAD_PID, t->pid & INT32_TOP);
	proto_u64(&x->inner, THREAD_TID, t->tid & INT32_TOP);
	if (t->name.len > 0)
		proto_text(&x->inner, THREAD_NAME, t->name);
	proto_message(&x->event, TRACK_THREAD, &x->inner);
	return put_track(x);
}

/* Describe a track of a process; its number. */
static uint64_t
other_track(struct perfetto *x, uint32_t process, struct span name, bool counter)
{
	uint64_t	uuid = UUID_OTHER + x->others++;

	proto_u64(&x->event, TRACK_UUID, uuid);
	proto_text(&x->event, TRACK_NAME, name);
	proto_u64(&x->event, TRACK_PARENT, UUID_PROCESS + process);
	if (counter) {
		buf_clear(&x->inner);
		proto_message(&x->event, TRACK_COUNTER, &x->inner);
	}
	(void)put_track(x);
	return uuid;
}

/* A free lane for the name in the process; 1 + its index. */
static uint32_t
take_lane(struct perfetto *x, uint32_t process, struct span name)
{
	uint32_t	text = interned_add(&x->texts, name), key, lane;

	if (!idmap_get(&x->keys, text, process, &key)) {
		key = x->nkeys++;
		idmap_set(&x->keys, text, process, key);
		x->free = array_reach(x->free, &x->nfree, key, sizeof *x->free);
	}
	lane = x->free[key];
	if (lane != 0) {
		x->free[key] = x->lane[lane - 1].next;
		return lane;
	}
	x->lane = mem_grow(x->lane, &x->lane_cap, x->nlanes + 1, sizeof *x->lane);
	x->lane[x->nlanes] = (struct slice_lane){ .key = key, .uuid = other_track(x, process, name,
	    false) };
	return (uint32_t)++x->nlanes;
}

static void
give_lane(struct perfetto *x, uint32_t lane)
{
	struct slice_lane	*l = &x->lane[lane - 1];

	l->next = x->free[l->key];
	x->free[l->key] = lane;
}

/* ---- events */

static void
put_head(struct perfetto *x, unsigned type, uint64_t track, struct span name,
    struct span category)
{
	proto_u64(&x->event, EVENT_TYPE, type);
	proto_u64(&x->event, EVENT_TRACK, track);
	proto_u64(&x->event, EVENT_NAME, known_text(x, name, false));
	if (category.len > 0)
		proto_u64(&x->event, EVENT_CATEGORY, known_text(x, category, true));
}

static void
put_args(struct perfetto *x, struct span args)
{
	if (args.len == 0)
		return;
	buf_clear(&x->inner);
	proto_text(&x->inner, ARG_NAME, span_of("event"));
	proto_text(&x->inner, ARG_JSON, args);
	proto_message(&x->event, EVENT_ARGS, &x->inner);
}

static uint64_t
track_of_slice(const struct perfetto *x, const struct timeline_slice *s)
{
	return s->own != 0 ? x->lane[s->own - 1].uuid : UUID_THREAD + s->track;
}

static int
perfetto_slice(void *self, struct timeline_slice *s)
{
	struct perfetto	*x = self;

	if (!s->nests)
		s->own = take_lane(x, x->process[s->track], s->lane);
	put_head(x, TYPE_BEGIN, track_of_slice(x, s), s->name, s->category);
	put_args(x, s->args);
	if (s->flow != 0)
		proto_fixed64(&x->event, EVENT_FLOW, s->flow);
	if (s->cause.flow != 0)
		proto_fixed64(&x->event, EVENT_FLOW, s->cause.flow);
	return put_event(x, s->ns);
}

static int
perfetto_slice_end(void *self, struct timeline_slice *s)
{
	struct perfetto	*x = self;

	proto_u64(&x->event, EVENT_TYPE, TYPE_END);
	proto_u64(&x->event, EVENT_TRACK, track_of_slice(x, s));
	if (s->own != 0)
		give_lane(x, (uint32_t)s->own);
	return put_event(x, s->end);
}

static int
perfetto_instant(void *self, const struct timeline_instant *i)
{
	struct perfetto	*x = self;

	put_head(x, TYPE_INSTANT, UUID_THREAD + i->track, i->name, i->category);
	put_args(x, i->args);
	return put_event(x, i->ns);
}

static int
perfetto_counter(void *self, uint32_t track, uint64_t ns, struct span name, double value)
{
	struct perfetto	*x = self;
	uint32_t	 process = x->process[track], text = interned_add(&x->texts, name), at;

	if (!idmap_get(&x->counters, text, process, &at)) {
		at = (uint32_t)(other_track(x, process, name, true) - UUID_OTHER);
		idmap_set(&x->counters, text, process, at);
	}
	proto_u64(&x->event, EVENT_TYPE, TYPE_COUNTER);
	proto_u64(&x->event, EVENT_TRACK, UUID_OTHER + at);
	proto_f64(&x->event, EVENT_VALUE, value);
	return put_event(x, ns);
}

const struct timeline_encoder	convert_perfetto = {
	.ops = { .track = perfetto_track, .slice = perfetto_slice,
	    .slice_end = perfetto_slice_end, .instant = perfetto_instant,
	    .counter = perfetto_counter },
	.state = { sizeof(struct perfetto), perfetto_release },
};

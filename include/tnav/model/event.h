/*
 * A decoded event header: 64 bytes, by value, no pointers. The payload stays in the file.
 */
#ifndef TNAV_MODEL_EVENT_H
#define TNAV_MODEL_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/cursor.h"

#define EVENT_LOST	0x1u	/* its thread lost events just before it: trace_event_lost() */
#define EVENT_NONE	UINT32_MAX
/* The parts of event.off: the number of the source, of several joined traces, and the offset. */
#define EVENT_SOURCE_SHIFT	48u
#define EVENT_OFFSET		(((uint64_t)1 << EVENT_SOURCE_SHIFT) - 1)

struct event {
	int64_t		ts;		/* ticks; Heph: ns since the epoch option */
	uint64_t	off;		/* file offset of the payload, and the source: identifies
					   the event */
	uint32_t	size;		/* bytes of the payload that are in the block */
	uint32_t	type;		/* index of the trace's event types */
	uint32_t	thread;		/* index of the trace's threads: the thread it is about */
	uint32_t	capture;	/* ... the thread that wrote it; seq is its number */
	uint32_t	seq;
	int32_t		cpu;		/* -1: not known */
	uint32_t	stack;		/* the format's stack id, 0: none */
	uint16_t	flags;
	uint16_t	head;		/* bytes of the header before the payload (saturated) */
	union {
		struct {
			/* File offset of a GUID = off - back; 0: none or all zero. (V4, V5, V3) */
			uint32_t	activity_back;
			uint32_t	related_back;
		};
		struct {
			/* Numbers of the declarations of its threads (V6). */
			uint32_t	thread_decl;
			uint32_t	capture_decl;
		};
		uint64_t	dur;	/* ns (Heph) */
	};
	uint32_t	labels;		/* label list id (V6); 0: none */
	uint32_t	block;		/* the index record that contains it */
};

/* The source of the event, of several joined traces (tnav/engine/joined.h); else 0. */
static inline uint32_t
event_source(const struct event *e)
{
	return (uint32_t)(e->off >> EVENT_SOURCE_SHIFT);
}

/* One entry of a label list (V6). Spans are bytes of the file. */
enum label_kind {
	LABEL_ACTIVITY = 1, LABEL_RELATED, LABEL_TRACE, LABEL_SPAN, LABEL_TEXT, LABEL_NUMBER,
	LABEL_OPCODE, LABEL_KEYWORDS, LABEL_LEVEL, LABEL_VERSION,
};

struct label {
	enum label_kind	kind;
	struct span	key;		/* TEXT, NUMBER */
	struct span	text;		/* TEXT; ACTIVITY, RELATED, TRACE: 16 bytes */
	uint64_t	number;		/* SPAN, NUMBER (two's complement), OPCODE ... VERSION */
};

/* Header fields that are not in struct event (Heph). */
struct event_extra {
	bool		has_substream;
	uint64_t	stream, substream;
	int64_t		epoch;		/* ts + epoch is ns since 1970 */
};

_Static_assert(sizeof(struct event) == 64, "an event is one cache line");

#endif

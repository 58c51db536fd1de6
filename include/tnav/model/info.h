/*
 * The properties that a trace states about itself, and snapshots of its threads, gaps and counts.
 */
#ifndef TNAV_MODEL_INFO_H
#define TNAV_MODEL_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What events, types and threads can have in the trace's format. */
enum trace_cap {
	HAS_IDS		= 0x001,		/* types: id, version, level and keywords */
	HAS_NUMBERS	= 0x002,		/* events are numbered, so that losses are seen */
	HAS_BLOCKS	= 0x004,		/* events lie in blocks of the file */
	HAS_STACKS	= 0x008,
	HAS_ACTIVITIES	= 0x010,		/* ids of the activity and the related one */
	HAS_LABELS	= 0x020,		/* labels, which may override the type's fields */
	HAS_INDEXES	= 0x040,		/* threads are declared and named by index */
	HAS_DURATIONS	= 0x080,		/* events have durations and are nested */
	HAS_SUBSTREAMS	= 0x100,		/* events belong to a substream of a stream */
	HAS_POINTERS	= 0x200,		/* the trace states the size of pointers */
	HAS_PROCESSORS	= 0x400,		/* events can name the processor they come from */
};

/* Those of what running programs send: NetTrace V4, but a runtime on Linux states no processors. */
#define HAS_OF_RUNTIME		(HAS_IDS | HAS_NUMBERS | HAS_BLOCKS | HAS_STACKS | \
				    HAS_ACTIVITIES | HAS_POINTERS)
#define HAS_OF_NETTRACE4	(HAS_OF_RUNTIME | HAS_PROCESSORS)

struct key_value {
	const char	*key, *value;		/* clean UTF-8 */
};

struct trace_info {
	const char	*format;		/* "NetTrace V4", as users read it; "NetTrace V5"
						   once a V5 tag was seen */
	unsigned	 has;			/* of enum trace_cap; never changes */
	unsigned	 version;		/* 3 4 5 6; Heph: 0 */
	unsigned	 pointer_size;		/* 4 or 8 */
	int64_t		 sync_ts;		/* ticks at the sync time */
	int64_t		 freq;			/* ticks per second; 1 if it is bad (a finding) */
	bool		 has_sync_utc;
	int64_t		 sync_utc;		/* ns since 1970 */
	bool		 has_pid;
	uint64_t	 pid;			/* of the traced process (V3 to V5) */
	uint32_t	 processors;		/* 0: not known */
	uint32_t	 sampling_rate;
	size_t		 nkv;
	struct key_value *kv;
};

/* The computer that the key-values name, or NULL: the format has no place for it. */
const char	*info_host(const struct trace_info *info);

#define INFO_NO_TIME	INT64_MIN

struct count {
	uint64_t	events, bytes;
	int64_t		first, last;		/* ticks; INFO_NO_TIME when events is 0 */
};

struct type_stat {
	uint32_t	type;			/* index */
	struct count	c;
};

struct thread_stat {
	uint32_t	thread;			/* index */
	bool		has_tid;
	uint64_t	tid, pid;		/* pid valid when has_pid */
	bool		has_pid;
	bool		has_index;		/* V6 */
	uint64_t	thread_index;
	const char	*name;			/* or NULL */
	uint32_t	nkv;			/* key/values of its first declaration (V6) */
	const struct key_value *kv;
	struct count	c;			/* events about this thread */
	uint64_t	lost;			/* events it wrote that were lost, at least */
	uint64_t	gaps;
	uint32_t	incarnations;			/* at least 1 */
	uint32_t	source;			/* of joined traces; else 0 */
};

enum gap_why {
	GAP_NUMBERS,		/* "gap"      numbers are missing between two events */
	GAP_START,		/* "start"    an incarnation's first event has a number above 1 */
	GAP_BARRIER,		/* "barrier"  a sequence point has a higher number */
	GAP_REMOVE,		/* "remove"   the thread's removal has a higher number (V6) */
};

struct gap {
	uint64_t	lost;
	uint32_t	thread;			/* index, of the capture thread */
	uint32_t	incarnation;			/* 1 for a thread's first */
	uint32_t	decl;			/* its declaration: the engine's own number */
	enum gap_why	why;
	uint32_t	seq_from, seq_to;	/* first and last missing number (modulo 2^32) */
	/*
	 * Ticks. from: the last time at which nothing was lost yet. That is the previous event, or
	 * a later sequence point with the same number; before a start it is the last sequence
	 * point, else the sync time. to: the next event, or the sequence point that shows the loss.
	 * from <= to.
	 */
	int64_t		from, to;
	bool		has_prev;		/* the incarnation has an event before the gap: */
	int64_t		prev_ts;		/* ... its time, */
	uint64_t	prev_off;		/* ... the offset of its payload */
	uint64_t	next_off;		/* of the next event's payload, at to; 0: none */
};

/* How the gap was detected: as files name it, and in words. */
const char	*gap_why_name(enum gap_why w);
const char	*gap_why_words(enum gap_why w);

#endif

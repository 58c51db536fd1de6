/*
 * The inside of struct trace, for the engine's own files.
 *
 *	file      | M S E E E S E P | S E E E ...   M metadata S stacks E events P sequence point
 *	records   |    [ record ]   | [ record ]    >= 64 KiB of neighbouring frames, or up to a P
 *	segments  |    [   ][   ]   | [   ][  ]     <= 4,096 events, each with a decoder's state
 *	regions   |<--- region --->|<- open ...     closed by a P, or by the end of the file
 *	slices    |<-- time -->|<->|                <= SLICE_MOST events each, cut by time
 *
 * One thread, the committer, changes all of it, under lock; what it alone uses says so. Elements
 * of a segvec never move and do not change after they were added, but for the counts of types and
 * threads. Readers take the lock to learn what there is.
 */
#ifndef ENGINE_INDEX_INDEX_H
#define ENGINE_INDEX_INDEX_H

#include <stdatomic.h>

#include "tnav/base/arena.h"
#include "tnav/base/bell.h"
#include "tnav/base/hashtable.h"
#include "tnav/base/job.h"
#include "tnav/base/segvec.h"
#include "engine/index/idmap.h"
#include "engine/index/lists.h"
#include "engine/index/thread_counts.h"
#include "tnav/engine/trace.h"
#include "tnav/format/format.h"

struct deltas;
struct span_source;
struct activity_source;
struct stack_namer;
struct who_source;

#define RECORD_BYTES	(64u << 10)	/* neighbouring frames are coalesced up to this */
#define RECORD_FRAMES	1024u
#define SLICE_MOST	(96u << 10)	/* events of a slice at the most */
#define SLICE_GOAL	(48u << 10)	/* ... when one has to be cut */

struct record {
	uint64_t	types0;
	uint32_t	region;
	uint32_t	ntypes;			/* of type_counts; TYPES_UNKNOWN: too many */
};

#define TYPES_KEPT	64u			/* counts of a record at the most */
#define TYPES_UNKNOWN	UINT32_MAX

/* Events of one type in a record. */
struct type_count {
	uint32_t	type, n;
};

#define THREADS_KEPT	256u			/* counts of a commit at the most */

/*
 * Where the events of a frame lie, as the walk over the file told. Views go by this: they never
 * frame anything themselves, for which damage may have to be searched. Frames without events are
 * not kept.
 */
struct event_frame {
	uint64_t	off, len;	/* of the whole frame; of its body */
	uint32_t	head;		/* bytes before the body */
	uint16_t	tail;		/* ... and after it */
	bool		cut;		/* as in struct frame */
};

/* At most SCAN_SEGMENT events of neighbouring frames: what is decoded at a time. */
struct segment {
	uint64_t	frame0;
	uint64_t	state;		/* of its first event, + 1; 0: it begins with its frame */
	int64_t		tmin, tmax;
	uint32_t	n, nframes, record;
};

/* A place in the order of all events: time, then offset in the file. */
struct order_key {
	int64_t		ts;
	uint64_t	off;
};

struct region {
	uint64_t	row0, events;
	uint64_t	record0, nrecords;
	uint64_t	seg0, nseg;
	uint64_t	stack0, nstacks, label0, nlabels;
	int64_t		tmin, tmax;
	uint32_t	epoch;			/* of metadata ids */
	uint64_t	flush_off;		/* threads declared before mean nothing here */
	/*
	 * The segments that each slice has events of, relative to seg0; or may have, of a segment
	 * that spans two slices: a view walks these alone. NULL, if the region is open or of one
	 * slice: it walks all. Where order is lost (Heph) times alone would name all anyway.
	 */
	uint32_t	*touch;
};

struct slice {
	uint64_t		row0;
	uint32_t		n;
	uint32_t		region;
	struct order_key	lo, hi;		/* half-open */
	int64_t			tmost;		/* no event of it or of a slice before is later */
	uint64_t		touch0;		/* its part of the region's touch */
	uint32_t		ntouch;
	uint32_t		failed;		/* the state of the source in which no view of it
						   could be made; 0: none */
};

struct slice_list {
	struct slice	*s;
	size_t		 n, cap;
};

struct type_rec {
	const struct event_type	*t;
	struct count		 c;
	struct span		 content;
};

struct incarnation {
	uint32_t	last;			/* number */
	uint32_t	number;			/* 1: the id's first incarnation */
	bool		seen;			/* an event of it is in the file */
	int64_t		ts;			/* of the last event seen */
	int64_t		reached;		/* when last was: ts, or a later barrier's */
	uint64_t	off;
	uint64_t	pending;		/* lost since then, seen at barriers */
};

struct thread_rec {
	struct thread_stat	s;
	uint32_t		births;		/* committer: incarnations so far */
};

/*
 * A raw thread id from some offset of the file on: V6 declares them, and the same thread again
 * after each flush; elsewhere a raw id is declared by its first use, once.
 */
struct decl_rec {
	uint64_t	 index, off;		/* raw id; true from off on */
	uint32_t	 thread;
	bool		 assumed;		/* events named it; no declaration has come yet */
	/* The committer's own: the numbers of events that it captured. */
	bool		 base;			/* the first number says nothing */
	struct incarnation *inc;		/* open incarnations, oldest first */
	uint32_t	 ninc;
	uint32_t	 recent;		/* number of the incarnation of its latest event */
	size_t		 cap;
	uint64_t	 stamp;			/* the barrier at which inc was true */
};

/* The declarations of one raw id, by offset. */
struct bind_rec {
	uint32_t	*decl;
	uint32_t	 n;
	size_t		 cap;
};

/* The event at off lost so much before it; ascending by off. */
struct lost_mark {
	uint64_t	off, lost;
};

struct barrier_entry {
	uint32_t	decl, number;
};


/*
 * The frame in which the file ended, or after which, when it was taken in: where the walk goes on
 * when the file has grown.
 */
struct tail {
	uint64_t		 off;		/* of the frame; else where the walk stands */
	bool			 taken;		/* what there was of the frame was taken in */
	struct frame		 fr;		/* then: the frame as it was */
	bool			 scanned;	/* and of its events: how far the scan is */
	struct decode_state	 at;
	uint64_t		 begin;
	int64_t			 least, greatest;	/* frame_min, frame_max of struct scan */
};

struct reaper;
struct view_cache;
struct block_cache;

/* What was done so far: see struct trace_costs. */
struct costs {
	_Atomic uint64_t	index_frames, index_events, index_bytes;
	_Atomic uint64_t	searched, view_events, view_bytes;
};

static inline void
cost_add(_Atomic uint64_t *c, uint64_t n)
{
	atomic_fetch_add_explicit(c, n, memory_order_relaxed);
}

/* What was walked over and how it was cut: see the picture above. */
struct index {
	struct segvec		 records, type_counts, frames, states, segments, regions,
				 slices;
	struct thread_counts	 thread_counts;
};

/* What the numbers in the file mean. */
struct names {
	struct segvec		 types, threads, decls, binds;
	struct idmap		 type_ids;	/* (metadata id, epoch) -> type */
	struct hashtable	 contents;	/* hash of a row -> newest type with it */
	struct idmap		 thread_ids;	/* raw id -> bind_rec */
	struct idmap		 identities;	/* hash of a thread's identity -> thread */
	uint32_t		 epoch;
	uint32_t		 over_type, over_decl;	/* + 1: of what is beyond a limit; or 0 */
	uint64_t		 flush_off;
};

/* What is not in the file, and the sequence point under way, which may tell of it. */
struct losses {
	struct segvec		 gaps, marks;
	struct loss		 sum;
	uint64_t		 barriers;
	struct barrier_entry	*entries;
	size_t			 nentries, entries_cap;
};

/* How far the committer is, and what it met. */
struct progress {
	uint64_t		 rows;		/* final ones: of closed regions */
	int64_t			 tmin, tmax;	/* of all committed events */
	uint64_t		 committed;	/* bytes */
	uint64_t		 events;	/* committed */
	bool			 complete, cut, disordered;
	bool			 closed;	/* by an end mark */
	bool			 following;
	uint64_t		 seen;		/* while following: at this size all was shown */
	uint64_t		 cut_off;
	int64_t			 started_ns, ended_ns;
	int64_t			 sort_ns;	/* spent on cutting regions into slices */
};

struct trace {
	struct source		*source;
	char			*path;
	struct format		 format;	/* its info: the committer's, under lock */
	_Atomic(const struct trace_info *) info;	/* a copy of it, for all */
	struct diag		*diag;
	struct arena		 arena;		/* committer, under lock */
	uint64_t		 seed;		/* of hashes */
	unsigned		 workers;

	struct lock		*lock;
	struct index		 index;
	struct lists		 stacks, labels;
	struct names		 names;
	struct losses		 loss;
	struct progress		 progress;

	/* Rows of the open region, as far as published. */
	struct region		 open_pub;
	struct slice_list	 open_slices;
	uint64_t		 open_gen;

	/* The committer's own. */
	struct event		*scratch;	/* SCAN_SEGMENT events, once needed */
	struct region		 open;
	int64_t			 barrier_ts;	/* the last one, or the sync time */
	bool			 has_barrier;
	int64_t			 barrier_now;
	uint64_t		 barrier_off;
	bool			 close_now;	/* a barrier was committed: close the region */
	bool			 closed_by_end;	/* the newest region was, and not by a barrier */
	struct tail		 tail;
	uint64_t		 not_before;	/* the walk waits for this size */
	uint64_t		 published;	/* events of the open region last published */
	int64_t			 published_at, publish_ns;	/* when, and how long it took */

	_Atomic uint64_t	 generation;
	struct bell		*bell;		/* NULL: nobody waits for it; under lock */
	_Atomic bool		 cancel, want_rows;
	bool			 eager;		/* as in struct trace_options */
	bool			 fed;		/* by a feed of the caller's */
	struct job		*job;
	bool			 started, again;	/* the index; and once more */
	uint64_t		 opened_again;	/* how many regions were */
	uint32_t		**old_touch;	/* of regions that were opened again */
	size_t			 nold_touch, old_touch_cap;

	_Atomic(const struct stack_namer *) namer;	/* who names frames, or NULL */
	_Atomic uint64_t	 namers;	/* how often it was set */
	_Atomic(const struct span_source *) spans;	/* who knows them, or NULL */
	_Atomic(const struct activity_source *) activities;	/* likewise */
	_Atomic(const struct who_source *) who;		/* who knows of threads, or NULL */
	_Atomic(const struct deltas *) deltas;		/* see deltas.h; or NULL */

	_Atomic uint32_t	 state;		/* of the source: another one when it changed */
	struct costs		 costs;

	struct reaper		*reaper;	/* these have locks of their own */
	struct view_cache	*cache;
	struct block_cache	*blocks;
};

/* ---- index.c */
void	index_init(struct index *x);
void	index_release(struct index *x);
size_t	index_memory(const struct index *x);
void	index_run(struct trace *t);		/* to the end, or to cancel */

/* ---- commit.c */
/* Under lock, or before there are other threads: have others see the format's info as it is now. */
void	index_publish_info(struct trace *t);
extern const struct commit_ops	index_commit_ops;
/* Under lock: the region that a record lies in. */
const struct region *index_region(const struct trace *t, uint32_t record);

/* ---- names.c: under lock, the committer's but for index_decl() */
void	names_init(struct names *n, uint64_t seed);
void	names_release(struct names *n);
size_t	names_memory(const struct names *n);
/* Which declaration a raw id means at off, in a region with this flush_off. */
bool	index_decl(const struct trace *t, uint64_t raw, uint64_t off, uint64_t flush_off,
	    uint32_t *decl);
/* The same, and for which places [*from, *to) it is so; told also where the id is declared, but
   none of its declarations counts. */
bool	index_decl_range(const struct trace *t, uint64_t raw, uint64_t off, uint64_t flush_off,
	    uint32_t *decl, uint64_t *from, uint64_t *to);
/* The same in the open region, made if there is none. */
uint32_t index_decl_get(struct trace *t, uint64_t raw, uint64_t off);
/* The type of a metadata id, a stand-in if the file has none. */
uint32_t index_type(struct trace *t, uint32_t epoch, uint64_t metadata_id, uint64_t off);
/* Of struct commit_ops; arg is the trace. */
bool	names_type_known(void *arg, uint64_t metadata_id, struct span content, uint64_t off);
void	names_type(void *arg, struct span content, const struct event_type *type);
void	names_thread(void *arg, const struct thread_decl *d);

/* ---- loss.c: under lock */
void	loss_init(struct losses *l);
void	loss_release(struct losses *l);
size_t	loss_memory(const struct losses *l);
void	loss_run(struct trace *t, uint32_t decl, const struct seq_run *run);
void	loss_barrier(struct trace *t, int64_t ts);	/* uses t->loss.entries, empties them */
void	loss_remove(struct trace *t, uint32_t decl, uint32_t number);
/* The number of the first mark at or after off. */
uint64_t loss_mark_at(const struct trace *t, uint64_t off);

/* ---- block.c */
struct block_cache *block_cache_new(void);
void	block_cache_free(struct block_cache *c);

/* What the format of the file has. */
static inline bool
index_has(const struct trace *t, unsigned caps)
{
	return (t->format.info.has & caps) == caps;
}

static inline bool
key_less(struct order_key a, struct order_key b)
{
	return a.ts != b.ts ? a.ts < b.ts : a.off < b.off;
}

#endif

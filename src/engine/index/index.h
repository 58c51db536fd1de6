/*
 * The members of struct trace, private to the engine.
 *
 *	file      | M S E E E S E P | S E E E ...   M metadata S stacks E events P sequence point
 *	records   |    [ record ]   | [ record ]    neighbouring frames: 64 KiB, many, or up to a P
 *	segments  |    [   ][   ]   | [   ][  ]     <= 4,096 events, each with a decoder's state
 *	regions   |<--- region --->|<- open ...     closed by a P, or by the end of the file
 *	slices    |<-- time -->|<->|                <= SLICE_MOST events each, cut by time
 *
 * One thread, the committer, changes all of it, under the lock. Members that only the committer
 * uses are marked. Elements of a segvec never move and do not change after they were added, except
 * for the counts of types and threads, and the mark of a slice that cannot be read. Readers take
 * the lock to learn how many there are.
 */
#ifndef ENGINE_INDEX_INDEX_H
#define ENGINE_INDEX_INDEX_H

#include <stdatomic.h>

#include "tnav/base/arena.h"
#include "tnav/base/bell.h"
#include "tnav/base/hashtable.h"
#include "tnav/base/idmap.h"
#include "tnav/base/job.h"
#include "tnav/base/segvec.h"
#include "engine/index/lists.h"
#include "engine/index/thread_counts.h"
#include "tnav/engine/derived.h"
#include "tnav/engine/trace.h"
#include "tnav/format/format.h"

struct deltas;
struct span_source;
struct activity_source;
struct stack_namer;
struct thread_names_source;

#define RECORD_BYTES	(64u << 10)	/* neighbouring frames are coalesced up to this */
#define RECORD_FRAMES	1024u
#define SLICE_MOST	(96u << 10)	/* events of a slice, at most */
#define SLICE_GOAL	(48u << 10)	/* events of a slice if a region is cut */

struct record {
	uint64_t	types0;
	uint32_t	region;
	uint32_t	ntypes;			/* number of type_counts; TYPES_UNKNOWN: too many */
};

#define TYPES_KEPT	64u			/* type counts of a record, at most */
#define TYPES_UNKNOWN	UINT32_MAX

/* Events of one type in a record. */
struct type_count {
	uint32_t	type, n;
};

#define THREADS_KEPT	256u			/* thread counts of a commit, at most */

/*
 * The place of a frame of events, found by the walk over the file. Views use it and never search
 * for frames, because that may mean searching damaged bytes. Frames without events are not kept.
 */
struct event_frame {
	uint64_t	off, len;	/* offset of the frame; length of its body */
	uint32_t	head;		/* bytes of the frame before its body */
	uint16_t	tail;		/* ... and after it */
	bool		cut;		/* as in struct frame */
};

/* At most SCAN_SEGMENT events of neighbouring frames, which are decoded together. */
struct segment {
	uint64_t	frame0;
	uint64_t	state;		/* index of its state + 1; 0: it begins with its frame */
	int64_t		tmin, tmax;
	uint32_t	n, nframes, record;
	/* Of joined traces: whose frames and record these are, and how many events in them are
	   left out, since another source has them. n does not count them. */
	uint16_t	source, repeats;
};

/* A position in the order of all events: time, then file offset. */
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
	uint64_t	flush_off;		/* declarations of threads before are invalid */
	bool		has_point;		/* a barrier precedes it, the last one ... */
	int64_t		point;			/* ... at this time */
	/*
	 * For each slice the segments, relative to seg0, that have or may have events in it. A view
	 * reads only these. NULL if the region is open or has one slice: a view looks at the times
	 * of all segments. In a file without order (Heph) these times would select nearly all.
	 * Closed regions of joined traces always have it: segments of others lie between theirs.
	 */
	uint32_t	*touch;
};

struct slice {
	uint64_t		row0;
	uint32_t		n;
	uint32_t		region;		/* of a closed one */
	struct order_key	lo, hi;		/* half-open */
	int64_t			tmost;		/* no event of it or of earlier slices is later */
	uint64_t		touch0;		/* start of its part of region.touch */
	uint32_t		ntouch;
	uint32_t		failed;		/* the state of the source in which making a view
						   failed; 0: none */
};

struct slice_list {
	struct slice	*s;
	size_t		 n, cap;
};

struct type_rec {
	_Atomic(const struct event_type *) t;	/* changes if it was a placeholder */
	struct count		 c;
	struct span		 content;
};

struct incarnation {
	uint32_t	last;			/* its last sequence number */
	uint32_t	number;			/* 1: the id's first incarnation */
	bool		seen;			/* an event of it is in the file */
	int64_t		ts;			/* of the last event seen */
	int64_t		reached;		/* time of last: ts, or that of a later barrier */
	uint64_t	off;
	uint64_t	pending;		/* lost since ts, found at barriers */
};

struct thread_rec {
	struct thread_stat	s;
	uint32_t		births;		/* for the committer: incarnations so far */
};

/*
 * The meaning of a raw thread id from an offset of the file on. V6 declares threads, and declares
 * them again after each flush. In other formats the first use of a raw id declares it, once.
 */
struct decl_rec {
	uint64_t	 index, off;		/* raw id; valid from off on */
	uint32_t	 thread;
	bool		 assumed;		/* used by events, but not declared yet */
	uint64_t	 row;			/* offset of the row that declares it; 0: none */
	/* For the committer: the sequence numbers of the events that it captured. */
	bool		 base;			/* the first number may be any */
	struct incarnation *inc;		/* open incarnations, oldest first */
	uint32_t	 ninc;
	uint32_t	 recent;		/* the incarnation of its latest event */
	size_t		 cap;
	uint64_t	 stamp;			/* the barrier at which inc was updated */
};

/* The declarations of one raw id, by offset. */
struct bind_rec {
	uint32_t	*decl;
	uint32_t	 n;
	size_t		 cap;
};

/* So many events were lost before the event at off. Marks are sorted by off. */
struct lost_mark {
	uint64_t	off, lost;
};

struct barrier_entry {
	uint32_t	decl, number;
};

/*
 * An incarnation of a declaration: from the event at off on, its events are those of another one
 * than before; or, of an incarnation that has ended, the last event is at off.
 */
struct life_mark {
	uint64_t	off;
	uint32_t	decl, number;
};

/*
 * The last frame of a file that was still growing: the walk continues here when the file has grown.
 */
struct tail {
	uint64_t		 off;		/* offset of the frame, or of the walk if none */
	bool			 taken;		/* the available part of the frame is committed */
	struct frame		 fr;		/* if taken: the frame as it was */
	bool			 scanned;	/* it has events; the state of the scan follows */
	struct decode_state	 at;
	uint64_t		 begin;
	int64_t			 least, greatest;	/* frame_min, frame_max of struct scan */
};

struct joined;
struct news;
struct reaper;
struct view_cache;
struct block_cache;

/* The work done so far: see struct trace_costs. */
struct costs {
	_Atomic uint64_t	index_frames, index_events, index_bytes;
	_Atomic uint64_t	searched, view_events, view_bytes;
};

static inline void
cost_add(_Atomic uint64_t *c, uint64_t n)
{
	atomic_fetch_add_explicit(c, n, memory_order_relaxed);
}

/* Records, frames, segments, regions and slices: see the picture above. */
struct index {
	struct segvec		 records, type_counts, frames, states, segments, regions,
				 slices;
	struct thread_counts	 thread_counts;
};

/* The meaning of ids in the file. */
struct id_names {
	struct segvec		 types, threads, decls, binds;
	struct idmap		 type_ids;	/* (metadata id, epoch) -> type */
	struct hashtable	 contents;	/* hash of a row -> newest type with it */
	struct idmap		 thread_ids;	/* raw id -> bind_rec */
	struct idmap		 identities;	/* hash of a thread's identity -> thread */
	uint32_t		 epoch;
	uint32_t		 over_type, over_decl;	/* + 1: for all beyond a limit; or 0 */
	uint64_t		 flush_off;
};

/* Lost events, and the entries of the sequence point that is being committed. */
struct losses {
	struct segvec		 gaps, marks;
	/* Where ids are reused: changes of incarnation, by off; incarnations that have ended. */
	struct segvec		 turns, ended;
	struct loss		 sum;
	uint64_t		 barriers;
	struct barrier_entry	*entries;
	size_t			 nentries, entries_cap;
};

/* The part that is kept: see tnav/engine/head.h. All zeros: everything. */
struct kept_from {
	uint64_t		 row, segment, off;	/* the first; off: of a frame */
	int64_t			 ts;			/* the region's least */
	uint32_t		 region;
	uint64_t		 empty;			/* room was given back up to here */
	unsigned		 turn;			/* 0 or 1: changes when it moves */
	uint32_t		 passes[2];		/* running, by their turn */
};

/* The progress of the committer. */
struct progress {
	uint64_t		 rows;		/* final rows, in closed regions */
	int64_t			 tmin, tmax;	/* of all committed events */
	uint64_t		 committed;	/* bytes */
	uint64_t		 final;		/* ... before the open region */
	uint64_t		 events;	/* committed */
	bool			 complete, cut, disordered;
	bool			 closed;	/* by an end mark */
	_Atomic bool		 following;	/* changed under the lock */
	uint64_t		 seen;		/* while following: all up to this size is shown */
	uint64_t		 cut_off;
	int64_t			 started_ns, ended_ns;
	int64_t			 sort_ns;	/* time spent cutting regions into slices */
};

struct trace {
	struct source		*source;	/* NULL if others are joined: */
	struct joined		*joined;	/* or NULL */
	char			*path;
	struct format		 format;	/* format.info: for the committer, under the lock */
	_Atomic(const struct trace_info *) info;	/* a copy of it, for all threads */
	struct diag		*diag;
	struct arena		 arena;		/* for the committer, under the lock */
	unsigned		 workers;

	struct lock		*lock;
	struct index		 index;
	struct lists		 stacks, labels;
	struct id_names		 names;
	struct losses		 loss;
	struct progress		 progress;
	struct kept_from	 head;

	/* The published rows of the open region. */
	struct region		 open_pub;
	struct slice_list	 open_slices;
	uint64_t		 open_gen;

	/* For the committer only. */
	struct event		*scratch;	/* SCAN_SEGMENT events, allocated when needed */
	struct region		 open;
	int64_t			 barrier_ts;	/* time of the last barrier, or the sync time */
	bool			 has_barrier;
	int64_t			 barrier_now;
	uint64_t		 barrier_off;
	bool			 close_now;	/* a barrier was committed: close the region */
	bool			 closed_by_end;	/* the end of the file closed the newest region */
	struct tail		 tail;
	uint64_t		 not_before;	/* the walk waits until the source has this size */
	uint64_t		 published;	/* events in the published rows */
	int64_t			 published_at, publish_ns;	/* when, and how long it took */

	_Atomic uint64_t	 generation;
	struct bell		*bell;		/* rung on changes, or NULL; under the lock */
	struct news		*news;		/* of the trace that it is joined to, or NULL */
	_Atomic bool		 cancel, want_rows;
	bool			 eager;		/* as in struct trace_options */
	bool			 fed;		/* the caller provided the feed */
	struct job		*job;
	bool			 started, again;	/* the index was started; and continued */
	uint64_t		 opened_again;	/* how often a region was opened again */
	uint32_t		**old_touch;	/* touch arrays of regions opened again */
	size_t			 nold_touch, old_touch_cap;

	_Atomic(const void *)	 lent[DERIVEDS];	/* sources of derived facts, or NULL */
	_Atomic uint64_t	 namers;	/* how often names of frames were lent */

	_Atomic uint32_t	 state;		/* counts changes of the source */
	struct costs		 costs;

	struct reaper		*reaper;	/* from here on: have their own locks */
	struct view_cache	*cache;
	struct block_cache	*blocks;
};

/* Changes of joined traces, for the thread that makes the index of the whole. */
struct news {
	struct lock	*lock;
	uint64_t	 n;
};

/* ---- index.c */
/* Something has changed: count it, and tell the trace that this one is joined to. Not under the
   lock. */
void	index_changed(struct trace *t);
void	index_release(struct index *x);
size_t	index_memory(const struct index *x);
void	index_run(struct trace *t);		/* until the end or a cancel */
/* While following: publish that everything up to this size is shown. */
void	index_seen(struct trace *t, uint64_t size);
/* Publish that no more comes; complete: it was not canceled. */
void	index_ended(struct trace *t, bool complete);

/* ---- commit.c */
/* Publish the format's info for other threads. Under the lock, or before there are any. */
void	index_publish_info(struct trace *t);
extern const struct commit_ops	index_commit_ops;
/* Under the lock: the region that contains a record. */
const struct region *index_region(const struct trace *t, uint32_t record);

/* ---- names.c: under the lock; for the committer only, except for index_decl() */
void	names_release(struct id_names *n);
size_t	names_memory(const struct id_names *n);
/* The declaration that a raw id means at off, in a region with this flush_off. */
bool	index_decl(const struct trace *t, uint64_t raw, uint64_t off, uint64_t flush_off,
	    uint32_t *decl);
/* The same, and the range [*from, *to) of offsets for which it is valid. The range is also set if
   the id is declared but no declaration is valid here. */
bool	index_decl_range(const struct trace *t, uint64_t raw, uint64_t off, uint64_t flush_off,
	    uint32_t *decl, uint64_t *from, uint64_t *to);
/* The same in the open region; adds a declaration if there is none. */
uint32_t index_decl_get(struct trace *t, uint64_t raw, uint64_t off);
/* The type of a metadata id; a placeholder if the file has none. */
uint32_t index_type(struct trace *t, uint32_t epoch, uint64_t metadata_id, uint64_t off);
/* Functions of struct commit_ops; arg is the trace. */
bool	names_type_known(void *arg, uint64_t metadata_id, struct span content, uint64_t off);
void	names_type(void *arg, struct span content, const struct event_type *type);
void	names_thread(void *arg, const struct thread_decl *d);

/* ---- loss.c: under the lock */
void	loss_release(struct losses *l);
size_t	loss_memory(const struct losses *l);
void	loss_run(struct trace *t, uint32_t decl, const struct seq_run *run);
void	loss_barrier(struct trace *t, int64_t ts);	/* uses and empties t->loss.entries */
void	loss_remove(struct trace *t, uint32_t decl, uint32_t number);
/* The index of the first mark at or after off. */
uint64_t loss_mark_at(const struct trace *t, uint64_t off);

/* ---- block.c */
struct block_cache *block_cache_new(void);
void	block_cache_free(struct block_cache *c);

/* Does the format have all of these capabilities? */
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

static inline bool
slice_has(const struct slice *s, struct order_key key)
{
	return !key_less(key, s->lo) && key_less(key, s->hi);
}

/* How many there are now, in a vector that grows under the lock. */
static inline size_t
number_now(const struct trace *t, const struct segvec *v)
{
	uint64_t	n;

	lock_take(t->lock);
	n = v->n;
	lock_drop(t->lock);
	return (size_t)n;
}

#endif

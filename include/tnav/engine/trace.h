/*
 * An opened trace: the main interface of the engine.
 *
 * Rows are 0-based positions in time order (ties: file order), 64-bit. Times are int64 ticks (ts)
 * or nanoseconds since the sync time (ns). Each function that returns a pointer says how long it is
 * valid.
 *
 * Threads: any thread may call any function at any time between trace_open() and trace_close(),
 * also while the index is being made. The exceptions belong to the thread that opened the trace:
 * trace_index_start(), trace_index_wait(), trace_follow(), trace_look(), trace_refresh() and
 * trace_close(). A view is made by the first thread that requests it, and shared. A struct file_pos
 * belongs to one thread.
 *
 *	trace_open -> trace_index_start -> ... rows appear ... -> trace_index_done -> trace_close
 */
#ifndef TNAV_ENGINE_TRACE_H
#define TNAV_ENGINE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"
#include "tnav/base/diag.h"
#include "tnav/io/feed.h"
#include "tnav/model/event.h"
#include "tnav/model/info.h"
#include "tnav/model/type.h"

struct trace;

struct trace_options {
	const char	*input_format;	/* a name of the registry, or NULL: look */
	unsigned	 workers;	/* 0: one per core */
	size_t		 cache_bytes;	/* limit of the cache of views; 0: 32 MiB */
	/*
	 * For users of rows that are not final yet: while input arrives, also show what follows the
	 * last accepted frame, even a half-written block, when nothing has arrived for a moment.
	 */
	bool		 eager;
	const struct trace_feed *feed;	/* or NULL: the path is opened */
};

/* A trace that is being received: a file and the feed that appends to it. The trace owns both. */
struct trace_feed {
	int		 fd;
	struct feed	 feed;
};

/*
 * Open and read the stream header. On failure *out is NULL, the result is ERR_IO, ERR_FORMAT,
 * ERR_TRUNCATED, ERR_UNSUPPORTED, ERR_LIMIT or ERR_NOMEM and why holds one clean line that says
 * what is wrong and what to do, without the file's name.
 */
int	trace_open(struct trace **out, const char *path, const struct trace_options *opt,
	    struct buf *why);	/* "-": standard input; gzip and zstd are decompressed */
/* The same over borrowed memory, which must outlive the trace: for tests. */
int	trace_open_memory(struct trace **out, struct span bytes, const struct trace_options *opt,
	    struct buf *why);
void	trace_close(struct trace *t);		/* cancels running work; NULL is fine */

/*
 * Call end(arg) in the background, after all earlier ones: for threads that were told to stop, and
 * then for the data that they read. trace_close() waits for it. Call trace_settle(), which waits
 * too, before you take back something that was lent to the trace.
 */
void	trace_retire(struct trace *t, void (*end)(void *arg), void *arg);
void	trace_settle(struct trace *t);

/* Build the index in the background. If this is not called, trace_index_wait() without a limit
   builds it, with one worker in the caller's own thread. */
void	trace_index_start(struct trace *t);
/* Wait for the end, at most timeout_ms (-1: no limit). True when the index is complete. */
bool	trace_index_wait(struct trace *t, int timeout_ms);
bool	trace_index_done(struct trace *t);

/*
 * Follow the file. Indexing continues where it ended, and is not complete until the end mark comes,
 * or following is switched off, or the file can't be followed any more (trace_feed_error() says
 * why). A cut block is then still being written, and not a finding. Rows of the last region, which
 * were final in a complete index, may move again until a sequence point comes. Switch it on before
 * the index is started, or when it is complete, and while no query and no pass in time order is
 * running; input that arrives (trace_arrives()) at any time before its end. False: it can't be
 * followed, and why says the reason. Of joined traces, all that can be are.
 */
bool	trace_follow(struct trace *t, bool on, struct buf *why);
/* Does it come through a pipe that has not ended? */
bool	trace_arrives(struct trace *t);
/* Is it a plain file without an end mark, so that it can be followed? */
bool	trace_can_follow(struct trace *t);
/* Stop waiting for more, from any thread: the index ends with what has arrived. */
void	trace_end_feed(struct trace *t);
/* Wait until more rows than so many are final, the index has ended, or time is up. */
void	trace_await(struct trace *t, uint64_t rows, int timeout_ms);
/* What went wrong with the trace's feed, when it has ended; or NULL. */
const char *trace_feed_error(struct trace *t);

enum trace_change { TRACE_SAME, TRACE_GREW, TRACE_SHRANK, TRACE_REWRITTEN, TRACE_REPLACED,
		    TRACE_REMOVED };
/* How does the file differ from what was read? This changes nothing. */
enum trace_change trace_look(struct trace *t);
/* Has the file lost its name? Also while it is followed. */
bool	trace_removed(const struct trace *t);
/* Measure the file again. What was read stays as it was: to read the rest, open the file again. */
enum trace_change trace_refresh(struct trace *t);	/* complete index only */

struct trace_progress {
	uint64_t	done, size;		/* bytes indexed, bytes of the file */
	uint64_t	events, rows_final;	/* committed so far; rows that will not move */
	uint64_t	final;			/* bytes of the file whose rows will not move */
	int64_t		elapsed_ns;
	int64_t		sort_ns;		/* part of it: cutting regions into slices */
	bool		complete;
	bool		spooling;	/* size still grows: input arrives or is decompressed */
	bool		following;	/* size grows as the file does */
	bool		all_shown;	/* following, and nothing was added since all was indexed */
	uint64_t	seen;		/* for growing input: the size at which all was shown */
	bool		closed;		/* complete, and ended by an end mark */
};
void	trace_progress(struct trace *t, struct trace_progress *p);
/*
 * The work done so far, as counts that don't depend on the machine. Each of them stays in
 * proportion to the size of the file and to the requests, whatever the file contains.
 */
struct trace_costs {
	uint64_t	index_frames;	/* blocks walked; a run of empty blocks counts once */
	uint64_t	index_events;	/* events decoded to make the index */
	uint64_t	index_bytes;	/* bytes of blocks read to make the index */
	uint64_t	searched_bytes;	/* bytes searched for the start of a block */
	uint64_t	view_events;	/* events decoded for views, cuts and walks in file order */
	uint64_t	view_bytes;	/* bytes of blocks read for these */
};
void	trace_costs(struct trace *t, struct trace_costs *out);
/* Changes whenever rows, statistics or findings may have changed. */
uint64_t trace_generation(struct trace *t);
/*
 * For a growing trace: a descriptor that is readable for poll() when everything that has arrived is
 * shown, until trace_heard() returns true; -1: there is none.
 */
int	trace_bell(struct trace *t);
bool	trace_heard(struct trace *t);

/*
 * The properties that the trace states about itself, as far as it was read. Immutable, valid until
 * trace_close(). Only the format, its version and the sync time can differ in a later call.
 */
const struct trace_info *trace_info(struct trace *t);
const char	*trace_path(struct trace *t);
/* Is this path a name of the file that is read? */
bool		 trace_is_file(struct trace *t, const char *path);
uint64_t	 trace_size(struct trace *t);
/* Can its events, types and threads have all of these (bits of enum trace_cap)? */
bool		 trace_has(struct trace *t, unsigned caps);
struct diag	*trace_diag(struct trace *t);
/* The offset at which the file is cut; false if it is not. Complete index only. */
bool		 trace_cut(struct trace *t, uint64_t *off);
bool		 trace_clean(struct trace *t);		/* complete, and no damage */

/* ---- time */
int64_t	trace_ns(struct trace *t, int64_t ts);	/* floor; saturated */
int64_t	trace_dur(struct trace *t, int64_t from, int64_t to);	/* ns between ticks; saturated */
int64_t	trace_ts(struct trace *t, int64_t ns);	/* the first tick at or after it; saturated */
/* First and last time of all events so far; false: no events. */
bool	trace_range(struct trace *t, int64_t *first, int64_t *last);

/* ---- rows */
#define ROW_UNKNOWN	UINT64_MAX	/* the row of an event that was not looked up */

uint64_t trace_rows(struct trace *t);
/* The first row at or after ts (rows if none). */
uint64_t trace_row_at(struct trace *t, int64_t ts);
/* Are all rows in the order of time? False if events violate the rule of sequence points. */
bool	 trace_ordered(struct trace *t);

/*
 * The events of a slice, decoded and sorted. Immutable; pinned from get to put. Row r is
 * ev[r - row0]. The views of a trace are adjacent: each row is in one.
 */
struct slice_view {
	uint64_t		 row0;
	uint32_t		 n;
	bool			 final;	/* its rows will not move */
	const struct event	*ev;
};
/*
 * 1 and a pinned view that contains the row; 0: no such row; ERR_IO: the file has changed, and the
 * rows of the view can no longer be read. This result is kept, so asking again is cheap, until
 * trace_refresh() finds the file in another state.
 */
int	trace_view_get(struct trace *t, uint64_t row, const struct slice_view **out);
void	trace_view_put(struct trace *t, const struct slice_view *v);
/*
 * The same for walks over rows: if the view can't be read, *row moves past all of its rows, so that
 * the walk can go on.
 */
int	trace_view_walk(struct trace *t, uint64_t *row, const struct slice_view **out);
/* Is there room to keep a third of all views once they were made? */
bool	trace_views_stay(struct trace *t);
/* Copy one event. 1, 0 or an error. */
int	trace_event(struct trace *t, uint64_t row, struct event *out);
/* The row of the event at (ts, payload offset): 1 and *row, 0 if there is none. */
int	trace_row_of(struct trace *t, int64_t ts, uint64_t off, uint64_t *row);

/*
 * Read events in file order; call until it returns 0. Returns how many, at most max. ERR_IO: the
 * file has changed; *pos has moved past the events that can't be read (at most a few thousand), and
 * the next call goes on there. *pos starts as all zeros and is private to the engine.
 */
struct file_pos { uint64_t v[16]; };
int	trace_file_next(struct trace *t, struct file_pos *pos, struct event *out, size_t max);

/* ---- parts of an event. Spans stay valid until trace_close(). */
struct span	trace_payload(struct trace *t, const struct event *e);	/* may be shorter than
						   size if the file shrank */
struct span	trace_header_bytes(struct trace *t, const struct event *e);
bool	trace_activity(struct trace *t, const struct event *e, uint8_t guid[16]);
bool	trace_related(struct trace *t, const struct event *e, uint8_t guid[16]);
/* The blocks of stacks for the events at (after, to], as the index had them. Private. */
struct list_range {
	uint64_t	after, to;	/* all zeros: none yet */
	uint64_t	first, n;	/* blocks */
	bool		rises;		/* each number is in one of the blocks at most */
};

/* Up to max addresses, innermost first; returns how many. */
size_t	trace_stack(struct trace *t, const struct event *e, uint64_t *ips, size_t max);
/*
 * The same for one event after another. The reader keeps which blocks there are, so they are
 * searched without the lock. If the next stack is in the same block as the last one, this is not
 * searched either, and the walk in the block continues. A reader is for one thread and one trace;
 * it starts as all zeros.
 */
struct stack_reader {
	struct list_range	 range;
	struct list_block	*block;		/* NULL: none yet */
	uint64_t		 after, to;	/* events at (after, to] find their numbers in it */
	struct span		 body;
	uint64_t		 walk[2];
	uint32_t		 source;	/* of joined traces: block is of this one */
};
size_t	trace_stack_next(struct trace *t, struct stack_reader *r, const struct event *e,
	    uint64_t *ips, size_t max);
/* Its bytes in the file, of the size of pointers each; NULL: the event has none, or it is lost. */
struct span trace_stack_bytes(struct trace *t, struct stack_reader *r, const struct event *e);
/*
 * A part of the file in which a number means the same stack: for the events whose payloads begin in
 * (after, to] and whose numbers are less than below. All zeros: none.
 */
struct source_scope {
	uint64_t		after, to;
	uint32_t		below;
	uint32_t		number;		/* a number of a stack means the same wherever this
						   is the same */
	bool			rises;		/* the number of the scope is for all of range */
	struct list_range	range;
	uint64_t		base;		/* of joined traces: of the source's event.off */
};

#define SCOPES_KEPT	8u

struct stack_scope {
	struct source_scope	now;
	struct source_scope	kept[SCOPES_KEPT];	/* of other sources, whose events lie
							   between those of this one */
	uint32_t		numbers;
};
/*
 * If the event is not in the scope, change the scope to one that contains it. False: there is none,
 * because stacks have no numbers in this format, or no block before the event has its number.
 */
bool	trace_stack_scope(struct trace *t, const struct event *e, struct stack_scope *s);

/* The next scope has a new number. */
static inline void
stack_scope_end(struct stack_scope *s)
{
	*s = (struct stack_scope){ .numbers = s->numbers };
}

static inline bool
stack_scope_has(const struct stack_scope *s, const struct event *e)
{
	return e->off > s->now.after && e->off <= s->now.to && e->stack < s->now.below;
}

/* What to choose a slot by for what is kept of the event's stack: sources have the same numbers. */
static inline uint32_t
stack_place(const struct event *e)
{
	return e->stack + event_source(e) * 389u;
}

/* The events that its thread lost between its previous event and this one; mostly 0. */
uint64_t trace_event_lost(struct trace *t, const struct event *e);

/* Labels of a V6 event; returns how many, at most max. Spans stay valid until trace_close(). */
size_t	trace_labels(struct trace *t, const struct event *e, struct label *out, size_t max);
/* Header fields of the event: those of its type, unless its labels override them. */
struct event_meta {
	uint32_t	version;
	uint8_t		level, opcode;
	bool		has_opcode;
	uint64_t	keywords;
};
void	trace_event_meta(struct trace *t, const struct event *e, struct event_meta *out);
/* The indexes in the file by which the event names its threads (V6); false: there are none. */
bool	trace_thread_indexes(struct trace *t, const struct event *e, uint64_t *thread,
	    uint64_t *capture);
/* Stream, substream and epoch (Heph); false: there are none. */
bool	trace_event_extra(struct trace *t, const struct event *e, struct event_extra *out);

/* ---- blocks of the file */
#define BLOCK_EVENTS	65536u		/* events of a block that are read */

/* A block of events in the file. */
struct block {
	const char	*kind;		/* "EventBlock" */
	uint64_t	off, size;	/* of the whole block */
	uint64_t	first;		/* payload offset of its earliest event */
	uint64_t	events;		/* number of events read; more: there are others */
	int64_t		tmin, tmax;	/* of these events */
	bool		one_thread, more;	/* one_thread: all were written by one thread */
};
/* The block that contains the event; false: there is none, or it can no longer be read. */
bool	trace_block(struct trace *t, const struct event *e, struct block *out);

/* ---- types and threads: indexes below the counts are valid, pointers stay until close. */
uint32_t		 trace_types(struct trace *t);
const struct event_type	*trace_type(struct trace *t, uint32_t type);
uint32_t		 trace_threads(struct trace *t);
/* Identity of a thread; its counts are those of the moment. */
void	trace_thread(struct trace *t, uint32_t thread, struct thread_stat *out);

/* ---- snapshots: arrays that the caller frees with mem_free(). */
size_t	trace_type_stats(struct trace *t, struct type_stat **out);	/* types with events or
						   without, by index */
size_t	trace_thread_stats(struct trace *t, struct thread_stat **out);
size_t	trace_gaps(struct trace *t, struct gap **out);		/* by from, then thread; capped */
struct loss {
	uint64_t	lost, gaps, kept;	/* kept: gaps that trace_gaps() returns */
};
void	trace_loss(struct trace *t, struct loss *out);

/*
 * Density: the number of events in each of n equal parts of [from, to), from the index alone. It is
 * exact for a segment that is inside one part; other segments are spread evenly. The cost depends
 * on the number of segments, not of events.
 */
void	trace_density(struct trace *t, int64_t from, int64_t to, uint64_t *bins, size_t n);
/* The same by thread: n parts for each of the first threads, one thread after the other. */
void	trace_thread_density(struct trace *t, int64_t from, int64_t to, uint32_t threads,
	    uint32_t *bins, size_t n);

/* The memory of the index and the cache in bytes. */
size_t	trace_memory(struct trace *t);

/* Which formats can be read, for help and completion: NULL at the end. */
const char	*trace_format_name(unsigned i);		/* nettrace4 */
const char	*trace_format_title(unsigned i);	/* NetTrace V4 and V5 (.nettrace) */

#endif

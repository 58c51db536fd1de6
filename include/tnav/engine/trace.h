/*
 * An opened trace: everything above the engine sees this header, filter.h and query.h only.
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
	unsigned	 workers;	/* 0: one a core */
	size_t		 cache_bytes;	/* cap of slice views kept; 0: 32 MiB */
	/*
	 * Of input that still arrives, show also what stands behind the last frame that can be
	 * accepted, also a half-written block, once nothing comes for a moment. For
	 * users of rows that are not final yet.
	 */
	bool		 eager;
	const struct trace_feed *feed;	/* or NULL: the path is opened */
};

/* A trace that is being received: the file that its feed appends to. Both become the trace's. */
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
	    struct buf *why);	/* "-": standard input; gzip and zstd are unfolded */
/* The same over borrowed memory, which must outlive the trace: for tests. */
int	trace_open_memory(struct trace **out, struct span bytes, const struct trace_options *opt,
	    struct buf *why);
void	trace_close(struct trace *t);		/* cancels running work; NULL is fine */

/*
 * Have end(arg) called in the background, after all that was given before: for threads that were
 * told to stop, and then for what they read. trace_close() waits for it; who lends the trace
 * something settles before taking it back.
 */
void	trace_retire(struct trace *t, void (*end)(void *arg), void *arg);
void	trace_settle(struct trace *t);

/* Index in the background. Without it, a trace_index_wait() without a limit starts it, with one
   worker in the caller's own thread. */
void	trace_index_start(struct trace *t);
/* Wait for the end, at most timeout_ms (-1: no limit). True when the index is complete. */
bool	trace_index_wait(struct trace *t, int timeout_ms);
bool	trace_index_done(struct trace *t);

/*
 * Follow the file: indexing continues where it ended, and is not complete until the end mark comes,
 * or following is switched off, or the file can't be followed any more (trace_feed_error() then
 * says why). A cut block is then still being written, and not a finding. Rows of the region
 * that is open, which were final in a complete index, may move until a sequence point comes.
 * On: before the index is started, or when it is complete; the caller has no query and no pass in
 * time order under way. False: it can't be, and why says it.
 */
bool	trace_follow(struct trace *t, bool on, struct buf *why);
/* Stop waiting for more, from any thread: the index ends with what has arrived. */
void	trace_end_feed(struct trace *t);
/* Wait until more rows than so many are final: true; or the index ended, or the time is up. */
bool	trace_await(struct trace *t, uint64_t rows, int timeout_ms);
/* What went wrong with the feed of the trace, once nothing more comes; or NULL. */
const char *trace_feed_error(struct trace *t);

enum trace_change { TRACE_SAME, TRACE_GREW, TRACE_SHRANK, TRACE_REPLACED };
/* How does the file differ from what was read? Nothing changes. */
enum trace_change trace_look(struct trace *t);
/* Look at the file again. What was read stays as it was: to read the rest, open it anew. */
enum trace_change trace_refresh(struct trace *t);	/* complete index only */

struct trace_progress {
	uint64_t	done, size;		/* bytes indexed, bytes of the file */
	uint64_t	events, rows_final;	/* committed so far; rows that will not move */
	int64_t		elapsed_ns;
	int64_t		sort_ns;		/* of it: cutting what was read into slices */
	bool		complete;
	bool		spooling;	/* size still grows: input arrives or is decompressed */
	bool		following;	/* size grows as the file does */
	bool		all_shown;	/* following, and nothing came since all was indexed */
	uint64_t	seen;		/* of input that grows: the size at which all was shown */
	bool		closed;		/* complete, and ended by an end mark */
};
void	trace_progress(struct trace *t, struct trace_progress *p);
/*
 * The work done so far, as counts that don't depend on the machine. Each of them stays in
 * proportion to the size of the file and to the requests, whatever the file contains.
 */
struct trace_costs {
	uint64_t	index_frames;	/* blocks walked, in stretches those that hold nothing */
	uint64_t	index_events;	/* decoded to make the index */
	uint64_t	index_bytes;	/* of blocks that were read for it */
	uint64_t	searched_bytes;	/* searched for a place where a block begins */
	uint64_t	view_events;	/* decoded for views, cuts and walks in file order */
	uint64_t	view_bytes;	/* ... of blocks */
};
void	trace_costs(struct trace *t, struct trace_costs *out);
/* Changes whenever rows, statistics or findings may have changed. */
uint64_t trace_generation(struct trace *t);
/*
 * Of a trace that grows: a descriptor that poll() finds readable once all that has come is shown,
 * until trace_heard() gives true; -1: there is none.
 */
int	trace_bell(struct trace *t);
bool	trace_heard(struct trace *t);

/*
 * What the trace says about itself, as far as it was read: immutable, valid until trace_close().
 * Only the format, its version and the sync time can differ in a later call.
 */
const struct trace_info *trace_info(struct trace *t);
const char	*trace_path(struct trace *t);
/* Does the name lead to the file that is read? */
bool		 trace_is_file(struct trace *t, const char *path);
uint64_t	 trace_size(struct trace *t);
/* May its events, types and threads have all of these (bits of enum trace_cap)? */
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
#define ROW_UNKNOWN	UINT64_MAX	/* of an event whose row nobody asked for */

uint64_t trace_rows(struct trace *t);
/* The first row at or after ts (rows if none). */
uint64_t trace_row_at(struct trace *t, int64_t ts);
/* No row is earlier than one before it: false where events break the rule of sequence points. */
bool	 trace_ordered(struct trace *t);

/*
 * A slice of time, decoded and in order. Immutable; pinned from get to put. Row r is
 * ev[r - row0]. Views of a trace follow each other without holes.
 */
struct slice_view {
	uint64_t		 row0;
	uint32_t		 n;
	bool			 final;	/* its rows will not move */
	const struct event	*ev;
};
/*
 * 1 and a pinned view that holds the row; 0: no such row; or ERR_IO: the file changed, so that the
 * rows of the view can't be had any more. That is remembered until trace_refresh() finds the file
 * in another state; until then asking again costs nothing.
 */
int	trace_view_get(struct trace *t, uint64_t row, const struct slice_view **out);
void	trace_view_put(struct trace *t, const struct slice_view *v);
/*
 * The same for who walks over rows: when the view can't be had, *row moves past all of its rows,
 * to go on there.
 */
int	trace_view_walk(struct trace *t, uint64_t *row, const struct slice_view **out);
/* Which rows the view that holds the row has, without making it. False: no such row. */
bool	trace_view_rows(struct trace *t, uint64_t row, uint64_t *row0, uint32_t *rows);
/*
 * How many events of each type below ntypes the view that holds the row has, added to count, where
 * the index alone tells; false: it does not, count then holds nothing of use.
 */
bool	trace_slice_types(struct trace *t, uint64_t row, uint64_t *row0, uint32_t *rows,
	    uint32_t *count, uint32_t ntypes);
/* Copy one event. 1, 0 or an error. */
int	trace_event(struct trace *t, uint64_t row, struct event *out);
/* The row of the event at (ts, payload offset): 1 and *row, 0 if there is none. */
int	trace_row_of(struct trace *t, int64_t ts, uint64_t off, uint64_t *row);

/*
 * Events in the file's order, for --order file: call until it gives 0. At most max events a call;
 * returns how many. ERR_IO: the file changed, *pos then stands after what can't be had any more
 * (at most a few thousand events), and the next call goes on there. *pos starts as 0 and is the
 * engine's own.
 */
struct file_pos { uint64_t v[16]; };
int	trace_file_next(struct trace *t, struct file_pos *pos, struct event *out, size_t max);

/* ---- parts of an event. Spans stay valid until trace_close(). */
struct span	trace_payload(struct trace *t, const struct event *e);	/* may be shorter than
						   size if the file shrank */
struct span	trace_header_bytes(struct trace *t, const struct event *e);
bool	trace_activity(struct trace *t, const struct event *e, uint8_t guid[16]);
bool	trace_related(struct trace *t, const struct event *e, uint8_t guid[16]);
/* Up to max addresses, innermost first; returns how many there are given out. */
size_t	trace_stack(struct trace *t, const struct event *e, uint64_t *ips, size_t max);
/*
 * Which events name the same stack by the same number as this one: those whose payloads begin
 * within (*after, *to]. False: stacks have no numbers, each event has its own.
 */
bool	trace_stack_scope(struct trace *t, const struct event *e, uint64_t *after, uint64_t *to);
/* What the event's thread lost between its previous event and this one; 0 mostly. */
uint64_t trace_event_lost(struct trace *t, const struct event *e);

/* Labels of a V6 event: at most max; how many. Spans stay valid until trace_close(). */
size_t	trace_labels(struct trace *t, const struct event *e, struct label *out, size_t max);
/* Header fields as the trace gives them: the type's, and what the event's labels override. */
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
#define BLOCK_EVENTS	65536u		/* of one block that are looked at */

/* A block of events as it lies in the file. */
struct block {
	const char	*kind;		/* "EventBlock" */
	uint64_t	off, size;	/* all of it */
	uint64_t	first;		/* payload offset of its earliest event */
	uint64_t	events;		/* more: at least so many */
	int64_t		tmin, tmax;	/* of these */
	bool		one_thread, more;	/* one_thread: they were all written by one */
};
/* The block that the event lies in; false: there is none, or it can't be read any more. */
bool	trace_block(struct trace *t, const struct event *e, struct block *out);

/* ---- types and threads: indexes below the counts are valid, pointers stay until close. */
uint32_t		 trace_types(struct trace *t);
const struct event_type	*trace_type(struct trace *t, uint32_t type);
uint32_t		 trace_threads(struct trace *t);
/* Identity of a thread; its counts are those of the moment. */
void	trace_thread(struct trace *t, uint32_t thread, struct thread_stat *out);

/* ---- snapshots: arrays that the caller gives to mem_free(). */
size_t	trace_type_stats(struct trace *t, struct type_stat **out);	/* types with events or
						   without, by index */
size_t	trace_thread_stats(struct trace *t, struct thread_stat **out);
size_t	trace_gaps(struct trace *t, struct gap **out);		/* by from, then thread; capped */
struct loss {
	uint64_t	lost, gaps, kept;	/* kept: gaps that trace_gaps() gives */
};
void	trace_loss(struct trace *t, struct loss *out);

/*
 * Density: events in each of n equal parts of [from, to), from the index alone (exact where a
 * block lies in one part, spread evenly where it does not). Cost: blocks, not events.
 */
void	trace_density(struct trace *t, int64_t from, int64_t to, uint64_t *bins, size_t n);
/* The same by thread: n parts for each of the first threads, one thread after the other. */
void	trace_thread_density(struct trace *t, int64_t from, int64_t to, uint32_t threads,
	    uint32_t *bins, size_t n);

/* Every index structure's bytes and the cache's, for info --verbose and the bench. */
size_t	trace_memory(struct trace *t);

/* Which formats can be read, for help and completion: NULL at the end. */
const char	*trace_format_name(unsigned i);		/* nettrace4 */
const char	*trace_format_title(unsigned i);	/* NetTrace V4 and V5 (.nettrace) */

#endif

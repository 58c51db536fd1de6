/*
 * The summary that a scan makes of events: how many, when, which types and threads, the runs of
 * numbers, and places to start decoding from (segments). It is filled by one function per format,
 * whose loop calls scan_event() for each event, and emptied by the committer.
 *
 *	events   A5 A6 A7  B1 B2  A8 A10        capture thread and number
 *	runs     [A 5..7]  [B 1..2] [A 8] [A 10]
 *
 * A run is a longest sequence of events of one capture thread with consecutive numbers, whose times
 * do not fall. For spans, see scan_span(), the runs of several threads are open at once:
 *
 *	spans    A5 B1 A6 A7 B2 A9		times may fall
 *	runs     [A 5..7] [B 1..2] [A 9]
 *
 * Invariant: the runs of a scan are in the order of their first events and cover its events
 * exactly.
 */
#ifndef TNAV_FORMAT_SCAN_H
#define TNAV_FORMAT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/hashtable.h"

struct seq_run {
	uint64_t	capture;		/* raw id */
	int64_t		ts_first, ts_last;
	uint64_t	off_first, off_last;	/* payload offsets */
	uint32_t	first, n;		/* first number, how many */
};

/* Counts of one raw id (a metadata id, a thread). */
struct id_count {
	uint64_t	id, events, bytes;
	int64_t		first, last;
	uint64_t	off;			/* of the first event of it, in file order */
};

#define SCAN_RECENT	4096u			/* entries of id_table.recent */

/* A set of counts: entries in the order in which they were first seen, found by id or by hash. */
struct id_table {
	struct id_count	*entry;
	size_t		 n, cap;
	uint32_t	*recent;		/* by the id's low bits: index + 1, 0: none */
	struct hashtable table;
};

struct scan_bad {
	uint64_t	off, bytes;
	const char	*text;			/* constant */
};

#define SCAN_SEGMENT	4096u			/* events per segment, at most */
#define SCAN_RUNS	4096u			/* the scan is full at so many runs, */
#define SCAN_IDS	16384u			/* ... ids in one table, */
#define SCAN_SEGMENTS	256u			/* ... or segments */
#define SCAN_STATE	13u			/* words of a struct decode_state */

#define SCAN_LANES	16u			/* threads of spans whose runs are open at once */

/* The open run of a thread of spans, and sums since the thread got the lane. */
struct scan_lane {
	uint64_t	 thread;
	struct seq_run	*run;			/* NULL: free; completed when it ends */
	uint64_t	 off_last;
	int64_t		 ts_last;
	uint32_t	 next;			/* the next number of the run */
	uint64_t	 events;		/* in earlier runs of the lane */
	uint64_t	 bytes;
	int64_t		 min, max;
};

/* A place to decode from: the state before its first event. */
struct scan_segment {
	uint64_t	frame_off;
	uint64_t	state[SCAN_STATE];
	int64_t		tmin, tmax;
	uint32_t	n;
};

struct scan {
	uint64_t	events, bytes;
	int64_t		tmin, tmax;		/* of all; tmin > tmax: none */
	struct seq_run	*run;			/* with room for one of each event of a segment */
	size_t		nrun, run_cap;
	struct scan_segment *seg;		/* SCAN_SEGMENTS */
	size_t		nseg;
	struct scan_bad	*bad;
	size_t		nbad, bad_cap;
	uint64_t	*row;			/* offsets of metadata rows among the events (V3) */
	size_t		nrow, row_cap;
	struct id_table	types, threads;
	uint32_t	label_most;		/* the largest label list id, its event */
	uint64_t	label_off;

	/* The open run, and the last events of equal type, and of equal thread. */
	struct seq_run	cur;
	uint64_t	type, thread;
	int64_t		type_ts, thread_ts;	/* time of the first of these events */
	uint64_t	type_off;		/* offset of the first one of equal type */
	uint64_t	type_n0, type_b0, thread_n0, thread_b0;	/* s->events, s->bytes before it */
	uint32_t	seg_left;		/* events that still fit the last segment */
	bool		open;			/* cur is open */
	bool		mixed;			/* types and threads are counted per event */
	bool		spans;			/* lanes may be open */
	int64_t		frame_min, frame_max;	/* times of the runs since scan_frame() */
	struct scan_lane lane[SCAN_LANES];	/* for spans only: open runs, by thread */
};

void	scan_init(struct scan *s);
void	scan_release(struct scan *s);
void	scan_reset(struct scan *s);		/* empty again; keeps the memory */
void	scan_add_row(struct scan *s, uint64_t off);
void	scan_add_bad(struct scan *s, uint64_t off, uint64_t bytes, const char *text);

/* The slow parts of the functions below. */
struct id_count *scan_count_slow(struct id_table *t, uint64_t id, uint64_t off);
void	scan_end_run(struct scan *s);
void	scan_end_type(struct scan *s);
void	scan_end_thread(struct scan *s);
/* Begin a run of a thread; another thread may have its lane. */
void	scan_begin_lane(struct scan *s, struct scan_lane *l, const struct seq_run *run);
void	scan_end_lanes(struct scan *s);

/*
 * How many events may be added now. Begins a segment at this state if the last one is full. 0: the
 * scan is full and must be emptied first. After adding events, call scan_took() with their number.
 */
uint32_t scan_room(struct scan *s, uint64_t frame_off, const void *state);
void	scan_took(struct scan *s, uint32_t n);

/* End all open runs, before the scan is emptied. */
static inline void
scan_close(struct scan *s)
{
	if (s->open)
		scan_end_run(s);
	if (s->spans)
		scan_end_lanes(s);
}

/* Begin a frame: after the next scan_close(), frame_min and frame_max are its times. */
void	scan_frame(struct scan *s);

/* The count of an id; off: the offset of this event, kept if the id is new. Valid until the next
   call. */
static inline struct id_count *
scan_count(struct id_table *t, uint64_t id, uint64_t off)
{
	uint32_t	at = t->recent[id % SCAN_RECENT];

	if (at != 0 && t->entry[at - 1].id == id)
		return &t->entry[at - 1];
	return scan_count_slow(t, id, off);
}

static inline void
scan_count_add(struct id_count *c, uint64_t events, uint64_t bytes, int64_t first, int64_t last)
{
	c->events += events;
	c->bytes += bytes;
	c->first = first < c->first ? first : c->first;
	c->last = last > c->last ? last : c->last;
}

static inline void
scan_begin_type(struct scan *s, int64_t ts, uint64_t type, uint64_t off)
{
	s->type = type;
	s->type_ts = ts;
	s->type_off = off;
	s->type_n0 = s->events;
	s->type_b0 = s->bytes;
}

static inline void
scan_begin_thread(struct scan *s, int64_t ts, uint64_t thread)
{
	s->thread = thread;
	s->thread_ts = ts;
	s->thread_n0 = s->events;
	s->thread_b0 = s->bytes;
}

/*
 * Add one event. Times never fall within a run, so its first time is the least and its last the
 * greatest. mixed is a constant. If true, types and threads are counted for each event. If false,
 * there are runs of equal ones: most events only need four comparisons.
 */
static inline __attribute__((always_inline)) void
scan_event(struct scan *s, bool mixed, int64_t ts, uint64_t type, uint64_t thread,
    uint64_t capture, uint32_t number, uint64_t off, uint32_t size)
{
	if (!s->open || capture != s->cur.capture || number != s->cur.first + s->cur.n ||
	    ts < s->cur.ts_last) {
		if (s->open)
			scan_end_run(s);
		s->open = true;
		s->mixed = mixed;
		s->cur.capture = capture;
		s->cur.first = number;
		s->cur.n = 0;
		s->cur.ts_first = ts;
		s->cur.off_first = off;
		if (!mixed) {
			scan_begin_type(s, ts, type, off);
			scan_begin_thread(s, ts, thread);
		}
	} else if (!mixed) {
		if (type != s->type) {
			scan_end_type(s);
			scan_begin_type(s, ts, type, off);
		}
		if (thread != s->thread) {
			scan_end_thread(s);
			scan_begin_thread(s, ts, thread);
		}
	}
	if (mixed) {
		scan_count_add(scan_count(&s->types, type, off), 1, size, ts, ts);
		scan_count_add(scan_count(&s->threads, thread, off), 1, size, ts, ts);
	}
	s->cur.n++;
	s->cur.ts_last = ts;
	s->cur.off_last = off;
	s->events++;
	s->bytes += size;
}

/*
 * Add one event of a format whose files are not in the order of times (Heph): times may fall within
 * a run. A trace uses either this or scan_event(). The thread is the one that wrote the event.
 */
static inline void
scan_span(struct scan *s, int64_t ts, uint64_t type, uint64_t thread, uint32_t number, uint64_t off,
    uint32_t size)
{
	struct scan_lane	*l = &s->lane[thread % SCAN_LANES];

	if (l->next != number || l->thread != thread || l->run == NULL)
		scan_begin_lane(s, l, &(struct seq_run){ .capture = thread, .first = number,
		    .ts_first = ts, .off_first = off });
	scan_count_add(scan_count(&s->types, type, off), 1, size, ts, ts);
	l->next++;
	l->ts_last = ts;
	l->off_last = off;
	l->bytes += size;
	l->min = ts < l->min ? ts : l->min;
	l->max = ts > l->max ? ts : l->max;
}

#endif

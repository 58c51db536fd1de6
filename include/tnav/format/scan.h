/*
 * The summary that a scan makes of events: how many, when, which types and threads, the runs of
 * numbers, and places to start decoding from (segments). Filled by one function a format, in its
 * decode loop, one scan_event() an event; emptied by the committer.
 *
 *	events   A5 A6 A7  B1 B2  A8 A10        capture thread and number
 *	runs     [A 5..7]  [B 1..2] [A 8] [A 10]
 *
 * A run is a longest piece of consecutive numbers of one capture thread whose times do not fall.
 * Of spans, see scan_span(), the runs of several threads are open at once:
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

#define SCAN_RECENT	4096u			/* ids below it are found without a hash */

/* A set of counts: entries in the order in which they were first seen, found by id or by hash. */
struct id_table {
	struct id_count	*entry;
	size_t		 n, cap;
	uint32_t	*recent;		/* by the id's low bits: index + 1, 0: none */
	struct hashtable table;
	uint64_t	 seed;
};

struct scan_bad {
	uint64_t	off, bytes;
	const char	*text;			/* constant */
};

#define SCAN_SEGMENT	4096u			/* events a segment at the most */
#define SCAN_RUNS	4096u			/* full at so many runs, */
#define SCAN_IDS	16384u			/* ... ids of one table */
#define SCAN_SEGMENTS	256u			/* ... segments */
#define SCAN_STATE	13u			/* words of a struct decode_state */

#define SCAN_LANES	16u			/* threads of spans whose runs are open at once */

/* The open run of a thread of spans, and what it has had since the lane was taken. */
struct scan_lane {
	uint64_t	 thread;
	struct seq_run	*run;			/* NULL: free; its ends are filled in at the end */
	uint64_t	 off_last;
	int64_t		 ts_last;
	uint32_t	 next;			/* the number that the run goes on with */
	uint64_t	 events;		/* of the runs before this one */
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
	struct seq_run	*run;			/* SCAN_RUNS + SCAN_SEGMENT */
	size_t		nrun;
	struct scan_segment *seg;		/* SCAN_SEGMENTS */
	size_t		nseg;
	struct scan_bad	*bad;
	size_t		nbad, bad_cap;
	uint64_t	*row;			/* offsets of metadata rows among the events (V3) */
	size_t		nrow, row_cap;
	struct id_table	types, threads;
	uint32_t	label_most;		/* the largest label list id, its event */
	uint64_t	label_off;

	/* What is open: the present run, the present stretch of a type, of a thread. */
	struct seq_run	cur;
	uint64_t	type, thread;
	int64_t		type_ts, thread_ts;	/* first time of it */
	uint64_t	type_off;		/* its first event */
	uint64_t	type_n0, type_b0, thread_n0, thread_b0;	/* events, bytes when it began */
	uint32_t	seg_left;		/* events that the last segment still takes */
	bool		open, mixed, spans;	/* a run is; it is counted one by one; lanes are */
	int64_t		frame_min, frame_max;	/* times of the runs since scan_frame() */
	struct scan_lane lane[SCAN_LANES];	/* of spans only: open runs, by thread */
};

void	scan_init(struct scan *s, uint64_t seed);
void	scan_release(struct scan *s);
void	scan_reset(struct scan *s);		/* empty again; keeps the memory */
void	scan_add_row(struct scan *s, uint64_t off);
void	scan_add_bad(struct scan *s, uint64_t off, uint64_t bytes, const char *text);

/* Slow parts of what follows. */
struct id_count *scan_count_slow(struct id_table *t, uint64_t id, uint64_t off);
void	scan_end_run(struct scan *s);
void	scan_end_type(struct scan *s);
void	scan_end_thread(struct scan *s);
/* A run of a thread begins, whose lane another one may have. */
void	scan_begin_lane(struct scan *s, struct scan_lane *l, const struct seq_run *run);
void	scan_end_lanes(struct scan *s);

/*
 * How many events may be added now: begins a segment at this state if the last one is full. 0: the
 * scan is full, and must be emptied first. Afterwards scan_took() says how many there were.
 */
uint32_t scan_room(struct scan *s, uint64_t frame_off, const void *state);
void	scan_took(struct scan *s, uint32_t n);

/* Close what is open: before the scan is emptied. */
static inline void
scan_close(struct scan *s)
{
	if (s->open)
		scan_end_run(s);
	if (s->spans)
		scan_end_lanes(s);
}

/* From here on frame_min and frame_max are told, each time after scan_close(). */
void	scan_frame(struct scan *s);

/* The count of an id; off: of its first event, if it is new. Valid until the next call. */
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
 * One event. Times never fall within a run, so first and last are least and greatest. Mixed, a
 * constant: types and threads change from event to event and are counted one by one; else they
 * come in stretches, and nothing is done an event but to compare four things that end one.
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
 * One event of a format whose files are in no order of time (Heph): times may fall within a run.
 * A trace has either these or those of scan_event(). The thread is the one that wrote it.
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

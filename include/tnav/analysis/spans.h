/*
 * Spans: intervals from one event to another, or of one event that has a duration (Heph).
 *
 *	row 4 GCStart ----------------- row 91 GCEnd		paired, dur 3.1 ms
 *	row 7 ExceptionThrown --					open: nothing ended it
 *	                                  -- row 12 RequestStop	orphan: it began before the trace
 *
 * Spans are made once, from a complete index: spans_new(), spans_build(). After that any thread may
 * read them. They are numbered in the order of their first known events, so in time order; spans of
 * the same event are ordered by group.
 */
#ifndef TNAV_ANALYSIS_SPANS_H
#define TNAV_ANALYSIS_SPANS_H

#include <stdatomic.h>

#include "tnav/analysis/columns.h"
#include "tnav/engine/field.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/pass.h"

enum span_state {
	SPAN_PAIRED,
	SPAN_OPEN,		/* no stop by the end of the trace */
	SPAN_LOST_IN_GAP,	/* no stop, but events were lost, and it may be among them */
	SPAN_REPLACED,		/* another start with the same key came first */
	SPAN_ORPHAN,		/* a stop without a start */
	SPAN_ORPHAN_AFTER_GAP,	/* ... but events were lost, and the start may be among them */
	SPAN_ORPHAN_WITHOUT_ID,	/* ... or its id; a start is there that may be its */
	SPAN_STATES
};

#define SPAN_BY_THREAD	0x01u	/* the thread is part of its key */
#define SPAN_DOUBTFUL	0x02u	/* paired, but the thread lost events in between */
#define SPAN_NATIVE	0x04u	/* one event describes the whole span */
#define SPAN_UNTIL	0x08u	/* replaced or lost before another start, whose time is `stop` */
#define SPAN_CHOSEN	0x10u	/* its first known event matches the filter */
#define SPAN_BY_START	0x20u	/* its stop lacks the activity id: paired by the start's thread */
#define SPAN_NO_ROW	UINT64_MAX

struct span_record {
	uint64_t	row, stop_row;	/* SPAN_NO_ROW: no such event */
	int64_t		start, stop;	/* ticks; valid if it has that event */
	uint64_t	off;		/* payload offset of its first known event */
	int64_t		self;		/* ns; of a paired span */
	uint32_t	thread, stop_thread;	/* EVENT_NONE: none */
	uint32_t	name;
	uint16_t	depth;		/* number of spans around it on its thread (saturated) */
	uint8_t		state, flags;
};
_Static_assert(sizeof(struct span_record) == 64, "a span is one cache line");

/* What spans are grouped by in the sums. */
struct span_name {
	const char	*group, *provider, *name;
	const char	*title;		/* the name as events show it: "GC/Start" of GCStart */
	struct span	 by;		/* the value of the field of --by; p NULL: none */
	uint32_t	 source;	/* of several joined traces */
};

#define SPAN_BUCKETS	41u		/* 1 2 5 10 ... ns, to the longest */

struct span_sum {
	uint64_t	states[SPAN_STATES], doubtful, by_start, cross;	/* cross: on two threads */
	uint64_t	n;		/* with a duration; the following are of these */
	int64_t		total, self, min, max;			/* ns, saturated */
	int64_t		p50, p90, p99, p999;			/* nearest rank */
	uint64_t	bucket[SPAN_BUCKETS];
};

/* Events at which spans begin that are needed. It may take others for such ones. */
struct span_starts	*span_starts_new(size_t n);		/* for so many */
void			 span_starts_add(struct span_starts *s, uint64_t off);	/* of its payload */
void			 span_starts_free(struct span_starts *s);	/* NULL is fine */

struct spans_options {
	struct pass_options	 pass;		/* of the spans that begin in its window; its filter
						   is for first known events */
	const struct field_ref	*by;		/* also group by this field, or NULL */
	bool			 sums_only;	/* only sums are needed: spans need not be kept */
	/* Only spans that begin at these events are needed: of the others some are left out, and
	   there are no depths, sums and times of their own. NULL: all spans. */
	const struct span_starts *needed;
};

struct spans;

struct spans	*spans_new(struct trace *t);
void		 spans_free(struct spans *s);	/* NULL is fine */
/* Find all spans. Returns 0, or ERR_CANCELED because tick() returned true. What is borrowed must
   live as long as the spans. */
int		 spans_build(struct spans *s, const struct spans_options *o,
		    struct pass_result *result);

uint64_t	 spans_found(const struct spans *s);
/* Bytes of memory and of files, approximately. */
size_t		 spans_bytes(const struct spans *s);
/* Spans that are kept. */
uint64_t	 spans_count(const struct spans *s);
const struct span_record *spans_at(const struct spans *s, uint64_t i);
/* The duration in ns. False: the span has none. */
bool		 spans_dur(const struct spans *s, const struct span_record *r, int64_t *dur);
uint32_t	 spans_names(const struct spans *s);
const struct span_name	*spans_name(const struct spans *s, uint32_t i);
const struct span_sum	*spans_sum(const struct spans *s, uint32_t i);
const char	*span_state_name(unsigned state);	/* "lostInGap" */
/* The least duration of a bucket in ns, and the bucket of a duration. */
int64_t		 span_bucket_from(unsigned bucket);
unsigned	 span_bucket(int64_t dur);
/* The first span whose first known event is in this row or a later one. */
uint64_t	 spans_from_row(const struct spans *s, uint64_t row);
/* The same by time and payload offset. near: a span that may be little before it, or 0. */
uint64_t	 spans_from_moment(const struct spans *s, int64_t ts, uint64_t off, uint64_t near);
/* The first span from i on that may reach the time (ticks): all skipped ones end before it. */
uint64_t	 spans_reaching(const struct spans *s, uint64_t i, int64_t ts);
/* The first span that ends at the row. False: none. */
bool		 spans_stop_at(const struct spans *s, uint64_t row, uint64_t *span);

/* The first span, in the order of ends, that ends at this time and payload offset or later. */
uint64_t	 spans_stop_from(const struct spans *s, int64_t ts, uint64_t off);
/* Prepare the spans, which must be built, to be lent to the trace: its events then have dur, self,
   span.name and so on. */
void		 spans_prepare(struct spans *s);

struct span_gap {
	struct gap	 gap;
	uint64_t	 candidates;		/* number of gaps that could explain the state */
};
/* The gap that explains the span's state. False: none. */
bool		 spans_gap(const struct spans *s, const struct span_record *r,
		    struct span_gap *out);
/*
 * What was left out: starts beyond the limit of open spans, spans beyond the limit of memory. One
 * line, or NULL.
 */
const char	*spans_remark(struct spans *s);

/* ---- the table */

struct spans_table_of {
	bool		 list, names;		/* list: each span; names: each name. Both:
						   spans, then names */
	/* Number of spans to list, the longest first. 0: all, in time order. */
	size_t		 longest;
	/* Choose spans that begin in [from, to), in ticks, with an event that matches the
	   filter. NULL: with any event. */
	bool		 windowed;
	int64_t		 from, to;
	const struct filter *filter;
	bool		 narrow;		/* with `longest`: only of this name and bucket */
	uint32_t	 name;
	unsigned	 bucket;		/* SPAN_BUCKETS: any */
	bool		 pauses;		/* with `longest`: only GC suspensions */
	bool		 titles;		/* names as events show them */
	/* A finished choice with the same options, which lives as long as the table; or NULL. */
	const struct span_choice *choice;
	uint64_t	*all;			/* with `longest`: receives the number of spans
						   to choose from; or NULL */
};

/* The longest spans (list) or the sums (names). Any thread may call it; once stop is set, the rest
   is left out. */
struct span_choice;
struct span_choice *span_choice_new(struct spans *s, const struct spans_table_of *of,
		    const atomic_bool *stop);
void		 span_choice_free(struct span_choice *x);	/* NULL is fine */

struct table	*spans_table(struct spans *s, const struct spans_table_of *of);
/* The name of a row of sums; the span of another row. False: it is the other kind of row. */
bool		 spans_table_name(const struct table *t, size_t row, uint32_t *name);
bool		 spans_table_span(const struct table *t, size_t row, uint64_t *span);

/* The distribution of the durations of one name: a row for each bucket that is not empty. */
/* For spans of the name in `of` that begin in its window. */
struct table	*span_buckets_table(struct spans *s, const struct spans_table_of *of);
unsigned	 span_buckets_bucket(const struct table *t, size_t row);

#endif

/*
 * Several traces as one: a list of all their events in the order of time, on one clock.
 *
 *	A	| a1     a2       a3 |			ticks of A
 *	B	     | b1   b2           b3 |		ticks of B, which may be another clock
 *	joined	| a1 b1 a2 b2     a3     b3 |		events of equal times: those of A first
 *
 * A joined trace is a trace like any other for the functions of trace.h, except that it is not cut.
 * Each of its types, threads, gaps and findings belongs to one source: nothing of one source is
 * taken for that of another with the same ids. The order takes memory in proportion to the sources'
 * indexes. Rows appear when all sources are indexed.
 *
 * If it is followed, so are all sources that have not ended. A row is final when no source can have
 * an earlier event: each has a later sequence point, or has ended, or nothing came from it for ten
 * seconds while others went on. An event that comes too late after all is a row after the final
 * ones (trace_ordered()).
 */
#ifndef TNAV_ENGINE_JOINED_H
#define TNAV_ENGINE_JOINED_H

#include "tnav/engine/trace.h"

#define SOURCES_MOST	256u

/* By what the clocks of two traces are compared. */
enum trace_clock {
	CLOCK_AUTO,		/* ticks where both are of one boot of one machine, else UTC */
	CLOCK_TICKS,		/* equal ticks are the same moment */
	CLOCK_UTC,		/* the UTC of their sync times */
	CLOCK_START,		/* their first events are the same moment; also where UTC is not
				   known */
};

/* Ticks of a source -> those of the joined trace: to + (ts - from) * mul / div. */
struct clock_map {
	int64_t		from, to;	/* the same moment in both */
	int64_t		mul, div;	/* mul >= div: different times stay different */
};

/* A trace's clock, and the time of its first event (ticks), or of its sync time if it has none. */
struct clock_of {
	const struct trace_info	*info;
	int64_t			 first;
};

struct clock_of	 clock_of_trace(struct trace *t);
/* From the ticks of a trace to those of the first one, at freq a second, which is the greater of
   both. Returns by what: as wanted, or as far as UTC is known. */
enum trace_clock clocks_compare(struct clock_map *c, const struct clock_of *first,
		    const struct clock_of *of, enum trace_clock wanted, int64_t shift_ns,
		    int64_t freq);
int64_t		 clock_to(const struct clock_map *c, int64_t ts);
int64_t		 clock_boot_utc(const struct trace_info *i);	/* ns, at tick 0 */
/* Were both recorded since one boot of one machine? */
bool		 joined_same_boot(const struct trace_info *a, const struct trace_info *b);

struct trace_join {
	enum trace_clock	 clock;
	const int64_t		*shift;	/* ns that are added to the times of each source; or NULL */
	uint64_t		 repeats;	/* events that may be in two; 0: LIMIT_REPEATS */
	int64_t			 silent_ns;	/* a growing source without news for so long
						   holds nobody up; 0: ten seconds */
};

/*
 * Join opened traces whose index was not started. Takes them, also if it fails: then *out is NULL
 * and why says the reason in one line. Its path is their names.
 */
int	trace_join(struct trace **out, struct trace *const *source, size_t n,
	    const struct trace_join *how, const struct trace_options *opt, struct buf *why);

/* The number of sources; 1 if the trace is not joined. Then it is its own source 0. */
uint32_t	 trace_sources(struct trace *t);
/* Its own types, threads and times are not those of the joined trace. */
struct trace	*trace_source(struct trace *t, uint32_t source);
/* The first of the sources that are files of one rotation with this one, or itself: they have the
   same activities and threads, and what starts in one may stop in another. */
uint32_t	 trace_source_program(struct trace *t, uint32_t source);
/* The source of a type. That of an event is event_source(). */
uint32_t	 trace_type_source(struct trace *t, uint32_t type);
uint32_t	 trace_thread_source(struct trace *t, uint32_t thread);
/* Can events of the event's source have all of these (bits of enum trace_cap)? */
static inline bool
trace_event_has(struct trace *t, const struct event *e, unsigned caps)
{
	return trace_has(trace_source(t, event_source(e)), caps);
}

/* As trace_gaps(), those of a source in the times and threads of the joined trace. */
size_t		 trace_source_gaps(struct trace *t, uint32_t source, struct gap **out);

/* By what a source's clock is compared with that of the first; CLOCK_AUTO: not known yet. */
enum trace_clock trace_source_clock(struct trace *t, uint32_t source);
/* The time of the joined trace at a time of a source, in ticks of each. */
int64_t		 trace_source_ts(struct trace *t, uint32_t source, int64_t ts);
/* The first time of the source that is not before a time of the joined trace. */
int64_t		 trace_source_since(struct trace *t, uint32_t source, int64_t ts);

#endif

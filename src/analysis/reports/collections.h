/*
 * Garbage collections, and the suspensions of the program for them, reconstructed from events. The
 * report gc computes its figures from these.
 */
#ifndef ANALYSIS_REPORTS_COLLECTIONS_H
#define ANALYSIS_REPORTS_COLLECTIONS_H

#include "analysis/reports/common.h"

#define GC_GENERATIONS	5u		/* gen0, gen1, gen2, loh, poh */
#define GC_HEAPS_MOST	1024u
#define GC_BACKGROUND	1u		/* type of collection */
#define GC_LOOK_BACK	64u		/* how many collections before the latest are searched */

enum { GC_KINDS };

/* Why there is a collection: from the stack of GCTriggered. */
struct gc_cause {
	bool			known;
	uint64_t		reason;
	struct method_text	method;		/* of the program */
};

/* A suspension for the collector. Others are named by their numbers, from 1; 0: none. */
struct suspension {
	struct pair	p;
	int64_t		stopped;	/* ns: when all threads had stopped, ... */
	int64_t		restart;	/* ... and when they were started again */
	uint32_t	first, last;	/* collections that began in it */
	uint32_t	background;	/* of GCPrep: the background collection */
	uint32_t	more;		/* next suspension of that collection */
	int64_t		ran;		/* ns that the program ran from the last suspension with a
					   collection to this one, less others; -1: unknown */
	bool		has_stopped, has_restart;
	struct gc_cause	cause;		/* of the collections in it */
};

/* Figures of a heap by generation. */
struct by_generation {
	uint64_t	v[GC_GENERATIONS];
	uint8_t		n;		/* number of generations that have a value */
};

enum gc_growth_state {
	GROWTH_UNKNOWN,
	GROWTH_BEFORE,		/* of a part that lies before the trace */
	GROWTH_LATER,		/* its bytes are among those of a later collection */
	GROWTH_AT_LEAST,	/* a background collection made free space meanwhile, in which
				   the program may have allocated */
	GROWTH_TICKS,		/* sizes do not tell; GCAllocationTick does */
	GROWTH_KNOWN,
	GROWTH_STATES
};

/* What was allocated since the collection before, or for the first one since the program began. */
struct gc_growth {
	enum gc_growth_state	state;
	uint64_t		bytes;
};

static inline bool
growth_has_bytes(const struct gc_growth *x)
{
	return x->state >= GROWTH_AT_LEAST;
}

/* The pair is GCStart and GCEnd. What a lost one would have told is zero. */
struct collection {
	struct pair	p;
	uint64_t	number, clr, gen;
	uint32_t	type, reason;
	uint32_t	suspension;
	uint32_t	sibling;	/* next collection of that suspension */
	uint32_t	more, more_last;/* further suspensions */
	uint32_t	heaps;
	bool		has_gen, has_heap, has_history;
	bool		late_history;	/* it came after GCEnd */
	bool		has_mode, has_load;
	uint64_t	mechanisms, mode, load;		/* from the history of the whole heap */
	uint64_t	handed_out;			/* bytes, by ticks before its start */
	/* unused: free afterwards; loose: free before. */
	struct by_generation size, promoted, before, budget, survived, unused, loose, after;
	uint64_t	final_size, final_count, pinned, handles;
	struct gc_growth growth;
	struct gc_cause	cause;
};

struct gc_collections {
	struct report_state	*state;
	const struct report_run	*run;
	struct gc_cause		 cause;		/* of the next one, if another thread starts it */
	struct pairs		*suspensions, *collections;
	uint64_t		 others;	/* suspensions for other reasons */
	uint32_t		 counted;	/* the collection that heap_seen belongs to */
	uint8_t			 heap_seen[GC_HEAPS_MOST / 8];
	bool			 has_ticks;
	uint64_t		 handed_out;		/* bytes, by ticks */
	uint64_t		 handed_out_after;	/* those of chosen ticks after the start of
							   the last chosen collection */
};

/* Does a collection with this reason (GCReason) come from a request of the program? */
bool	gc_is_induced(uint64_t reason);

static inline struct collection *
gc_collection(const struct gc_collections *g, uint32_t number)
{
	return pairs_at(g->collections, number);
}

static inline struct suspension *
gc_suspension(const struct gc_collections *g, uint32_t number)
{
	return pairs_at(g->suspensions, number);
}

/* The records of the state are collections and suspensions; */
enum { GC_COLLECTION_SPACES = 3, GC_SUSPENSION_SPACES = 3 };
/* what it keeps itself begins with a struct gc_collections. */
void	gc_begin(struct report_state *s);
/* Add an event of the report gc. */
void	gc_add(struct report_state *s, const struct fact *f);
/* Call once after the last event: finds what the program ran before each suspension, and assigns
   further suspensions to background collections. */
void	gc_collections_end(struct gc_collections *g);
/* Then find the growths. */
void	gc_growths(struct gc_collections *g);

#endif

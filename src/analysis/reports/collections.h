/*
 * Garbage collections, and the suspensions of the program for them, reconstructed from events. The
 * report gc computes its figures from these.
 */
#ifndef ANALYSIS_REPORTS_COLLECTIONS_H
#define ANALYSIS_REPORTS_COLLECTIONS_H

#include "analysis/reports/common.h"
#include "tnav/base/hashtable.h"

#define GC_NONE		UINT32_MAX
#define GC_GENERATIONS	5u		/* gen0, gen1, gen2, loh, poh */
#define GC_HEAPS_MOST	1024u
#define GC_BACKGROUND	1u		/* type of collection */
#define GC_LOOK_BACK	64u		/* how many collections before the latest are searched */

/* Neighbours in a list of records of one array, or GC_NONE. */
struct gc_link {
	uint32_t	prev, next;
};

/* A suspension for the collector. */
struct suspension {
	int64_t		begin, stopped, end;
	uint32_t	thread;
	struct gc_link	link;		/* list of unended suspensions for a collection */
	uint32_t	first, last;	/* collections that began in it */
	uint32_t	background;	/* of GCPrep: the background collection, or GC_NONE */
	uint32_t	more;		/* next suspension of that collection */
	bool		has_stopped, has_end, prep, chosen;
};

/* Figures of a heap by generation. */
struct by_generation {
	uint64_t	v[GC_GENERATIONS];
	uint8_t		n;		/* number of generations that have a value */
};

/* has_start, has_end: GCStart, GCEnd was seen. If one was lost, its figures are zero. */
struct collection {
	uint64_t	number, clr, row, off;
	uint64_t	gen;
	int64_t		ts, start, end;
	uint32_t	thread, end_thread;
	uint32_t	type, reason;
	struct gc_link	link;		/* list of running collections */
	uint32_t	suspension;	/* or GC_NONE */
	uint32_t	sibling;	/* next collection of that suspension */
	uint32_t	more, more_last;/* further suspensions */
	uint32_t	heaps, heap;	/* heap: number of its figures, or GC_NONE */
	bool		has_start, has_end, has_gen, chosen, has_history;
	bool		late_history;	/* it came after GCEnd */
	bool		has_mode, has_load, is_induced;
	uint64_t	mechanisms, mode, load;		/* from the history of the whole heap */
	uint64_t	handed_out;			/* bytes, by ticks before its start */
	/* unused: free afterwards; loose: free before. */
	struct by_generation size, promoted, before, budget, survived, unused, loose, after;
	uint64_t	final_size, final_count, pinned, handles;
};

struct gc_list {
	uint32_t	first, last;
};

struct gc_collections {
	const struct report_run	*run;
	struct suspension	*s;
	size_t			 ns, s_cap;
	uint64_t		 others;		/* suspensions for other reasons */
	struct collection	*c;
	size_t			 nc, c_cap;
	struct gc_list		 endless;	/* unended suspensions for a collection */
	struct gc_list		 running;	/* collections that have not ended */
	/* By thread: */
	struct gc_thread {
		uint32_t	open;		/* suspension, GC_NONE, or OTHER: other reason */
		uint32_t	endless;	/* the latest suspension without an end */
		uint32_t	latest;		/* collection */
	}			*thread;
	size_t			 nthreads, threads_cap;
	uint64_t		 seed;
	struct hashtable	 numbers;	/* collections by number and instance */
	uint32_t		 counted;	/* the collection that heap_seen belongs to */
	uint8_t			 heap_seen[GC_HEAPS_MOST / 8];
	bool			 has_ticks;
	uint64_t		 handed_out;		/* bytes, by ticks */
	uint64_t		 handed_out_after;	/* those of chosen ticks after the start of
							   the last chosen collection */
};

/* The events that are read; ended by an entry without a provider. */
extern const struct fact_def	gc_facts[];

void	gc_collections_init(struct gc_collections *g, const struct report_run *run);
void	gc_collections_release(struct gc_collections *g);
void	gc_collections_add(struct gc_collections *g, const struct fact *f);
/* Call once after the last event: assigns further suspensions to background collections. */
void	gc_collections_end(struct gc_collections *g);

#endif

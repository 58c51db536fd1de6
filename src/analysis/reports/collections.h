/*
 * Collections of garbage and the suspensions of the program for them, put together from events. The
 * report gc makes its figures from these.
 */
#ifndef ANALYSIS_REPORTS_COLLECTIONS_H
#define ANALYSIS_REPORTS_COLLECTIONS_H

#include "analysis/reports/common.h"
#include "analysis/reports/facts.h"
#include "tnav/base/hashtable.h"

#define GC_NONE		UINT32_MAX
#define GC_GENERATIONS	5u		/* gen0, gen1, gen2, loh, poh */
#define GC_HEAPS_MOST	1024u
#define GC_BACKGROUND	1u		/* type of a collection */
#define GC_LOOK_BACK	64u		/* collections that are looked at behind the latest */

/* A suspension that is for the collector. */
struct suspension {
	int64_t		begin, stopped, end;
	uint32_t	thread;
	uint32_t	prev, next;	/* of those without an end and for a collection, by row */
	uint32_t	first, last;	/* collections that are its own */
	uint32_t	background;	/* of GCPrep: the collection that ran, or GC_NONE */
	uint32_t	more;		/* next suspension of that collection */
	bool		has_stopped, has_end, prep, chosen;
};

/* Figures of a heap by generation. */
struct by_generation {
	uint64_t	v[GC_GENERATIONS];
	uint8_t		n;		/* of the first so many */
};

/* has_start, has_end: GCStart, GCEnd was seen; a lost one leaves its figures zero. */
struct collection {
	uint64_t	number, clr, row, off;
	uint64_t	gen;
	int64_t		ts, start, end;
	uint32_t	thread;
	uint32_t	type, reason;
	uint32_t	prev, next;	/* of those that run */
	uint32_t	suspension;	/* GC_NONE */
	uint32_t	sibling;	/* next collection of that suspension */
	uint32_t	more, more_last;/* further suspensions */
	uint32_t	heaps, heap;	/* heap: number of its figures, or GC_NONE */
	bool		has_start, has_end, has_gen, chosen, has_history;
	bool		has_mode, has_load, is_induced;
	uint64_t	mechanisms, mode, load;		/* of the whole heap's history */
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
	uint64_t		 others;		/* suspensions for something else */
	struct collection	*c;
	size_t			 nc, c_cap;
	struct gc_list		 endless;	/* suspensions for a collection, not ended */
	struct gc_list		 running;	/* collections without an end */
	/* By thread: */
	struct gc_thread {
		uint32_t	open;		/* suspension, GC_NONE; OTHER: of no interest */
		uint32_t	endless;	/* the latest that never ended */
		uint32_t	latest;		/* collection */
	}			*thread;
	size_t			 nthreads, threads_cap;
	uint64_t		 seed;
	struct hashtable	 numbers;	/* collections by number and instance */
	uint32_t		 counted;	/* collection that heap_seen is of */
	uint8_t			 heap_seen[GC_HEAPS_MOST / 8];
};

/* The events that are needed; the last one has no provider. */
extern const struct fact_def	gc_facts[];

void	gc_collections_init(struct gc_collections *g, const struct report_run *run);
void	gc_collections_release(struct gc_collections *g);
void	gc_collections_add(struct gc_collections *g, const struct fact *f);
/* Once, behind the last event: gives background collections their further suspensions. */
void	gc_collections_end(struct gc_collections *g);

#endif

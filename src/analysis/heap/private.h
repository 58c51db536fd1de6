/*
 * The making of a walk's graph.
 *
 *	read.c		events -> heap_raw		addresses, counts of references, one list
 *	graph.c		-> first, to			numbers in place of addresses
 *	dominators.c	-> dom, retained
 *	types.c		-> sums by name
 */
#ifndef ANALYSIS_HEAP_PRIVATE_H
#define ANALYSIS_HEAP_PRIVATE_H

#include "analysis/texts.h"
#include "tnav/analysis/heap.h"
#include "tnav/base/idmap.h"

/* Events are missing before this one of a list (objects, or references). */
struct heap_hole {
	uint64_t	at;		/* number of those received before */
	uint64_t	events;		/* missing ones; 0: not known */
};

/* A list of which each event has a part. */
struct heap_list {
	uint64_t	 next;		/* Index of the next event */
	uint64_t	 n;
	uint64_t	 whole;		/* elements of each event but the last one, 0: not known */
	uint64_t	 newest;	/* elements of the newest event */
	bool		 uneven;	/* events before the last one differ */
	struct heap_hole *hole;
	size_t		 nholes, holes_cap;
};

struct raw_root {
	uint64_t	addr, type;
	uint32_t	field;
	uint8_t		kind, flags;
	bool		is_static;
};

struct raw_type {
	uint64_t	id;
	uint32_t	name;		/* a text, or TEXT_NONE */
};

/* A walk as it was received. */
struct heap_raw {
	struct heap		 h;	/* addr, size, name (as index of type) and first (as number
					   of references) are filled, n + 1 of each */
	struct heap_list	 nodes, edges, roots, links;
	size_t			 cap[4];
	uint64_t		*edge;		/* addresses */
	size_t			 edge_cap;
	struct raw_root		*root;
	size_t			 nroot, root_cap;
	uint64_t		(*link)[2];	/* dependent handles: key, value */
	size_t			 nlink, link_cap;
	size_t			 ranges_cap;	/* of h */
	struct raw_type		*type;
	size_t			 ntype, type_cap;
	struct idmap		 types;		/* index by id */
	uint64_t		 nstatics, nrootevents;
	int64_t			 stop_ns, suspend_ns;
	uint32_t		 thread;	/* index of the one that wrote it */
	bool			 chosen, stopped, too_many;
};

/* Long work that can be cancelled. */
struct heap_work {
	bool		(*tick)(void *arg, uint64_t done, uint64_t all);
	void		*arg;
	uint64_t	 done, all;
	bool		 stop;
};

/* Call it once for each object of a step; true: stop. */
static inline bool
heap_work_step(struct heap_work *w)
{
	if ((++w->done & 0xffff) == 0 && w->tick != NULL && w->tick(w->arg, w->done, w->all))
		w->stop = true;
	return w->stop;
}

/* Read the raw walks of a trace. mem_free() *out after heap_raw_release() of each. */
int	heap_read(struct trace *t, const struct report_options *o, struct texts *texts,
	    struct heap_raw **out, size_t *n, struct pass_result *result);
void	heap_raw_release(struct heap_raw *r);
void	heap_release(struct heap *h);

/* Turn addresses into numbers; false: cancelled. The raw walk loses what the walk takes. */
bool	heap_graph_make(struct heap *h, struct heap_raw *r, struct texts *texts,
	    struct heap_work *w);
bool	heap_dominators_make(struct heap *h, struct heap_work *w);
/* Retained sizes by name, the first object of each, and the tree of dominators. */
bool	heap_types_retained(struct heap *h, struct heap_work *w);

#endif

/*
 * The heap: who holds the memory. A walk of the heap names every object of a program, with its
 * size, its references, and what roots hold. A trace may have several.
 *
 *	object	0: the root of all	1 ... n: in the order of the walk
 *	first	first[i] ... first[i + 1]: the references of object i, in `to`
 *	dom	the nearest object that lies on every path from 0: who holds it alone
 *	kid	the first object that it dominates; next[kid], next[next[kid]] ... are the others
 *
 * Retained is an object's size with that of all that it dominates: what would go with it.
 * If events of a walk were lost, the references of some objects are unknown. Then no object has a
 * dominator or a retained size, and counts are lower bounds; no reference is ever a wrong one.
 */
#ifndef TNAV_ANALYSIS_HEAP_H
#define TNAV_ANALYSIS_HEAP_H

#include "tnav/analysis/calltree.h"
#include "tnav/analysis/report.h"

#define HEAP_NONE	UINT32_MAX

/* What holds an object. The first ones are preferred in paths. */
enum heap_root_kind {
	HEAP_STATIC, HEAP_HANDLE, HEAP_STACK, HEAP_FINALIZER, HEAP_OTHER, HEAP_ROOTS,
	HEAP_WEAK = HEAP_ROOTS,	/* holds nothing */
	HEAP_OUTSIDE,		/* leads to no object */
	HEAP_ROOT_KINDS,
};

struct heap_root {
	uint32_t	object;
	uint8_t		kind;		/* enum heap_root_kind */
	bool		pinned, counted, of_thread;
	uint32_t	type;		/* HEAP_STATIC: of the object, a name of the walk, ... */
	uint32_t	field;		/* ... and its field, a text of the walks */
};

/* Memory of one generation, where the collection has left it. */
#define HEAP_GENERATIONS	5u	/* 0 to 2, of large and of pinned objects */
struct heap_range {
	uint64_t	from, to;	/* addresses */
	unsigned	generation;
};

/* All types of one name. */
struct heap_type {
	struct span	name;		/* as the runtime prints it, or 0x...: not known */
	bool		known;
	uint64_t	count, bytes, unreachable;
	uint64_t	retained;	/* of those that none of the same name dominates */
	uint32_t	first;		/* object with the greatest retained size, or else bytes */
	uint64_t	of[HEAP_GENERATIONS];	/* objects by generation, if it is known */
};

/* A walk. Read only; bytes are saturated sums. */
struct heap {
	uint64_t	 gc;		/* number of the collection, if has_gc */
	bool		 has_gc;
	int64_t		 start_ns;
	uint64_t	 pause_ns;	/* all threads stood still; 0: not known */
	int64_t		 ts;		/* its first event, and place */
	uint64_t	 off;

	uint32_t	 n;		/* objects 1 ... n */
	uint64_t	*addr, *size;	/* n + 1 of each */
	uint32_t	*name;		/* of its type, in `type` */
	uint32_t	*first, *to;
	uint32_t	*dom;		/* HEAP_NONE: not reachable, or not known */
	uint32_t	*kid, *next;	/* 0: none; NULL: not known */
	uint64_t	*retained;

	struct heap_root *root;		/* of objects; by object, then as they came */
	uint32_t	 nroots;
	uint64_t	 roots[HEAP_ROOT_KINDS];
	struct heap_type *type;		/* ntypes names */
	uint32_t	 ntypes;
	uint64_t	 type_ids;	/* different types */
	uint64_t	 bytes, reachable, reachable_bytes;
	uint64_t	 edges, outside;	/* received; that lead to no object */
	struct heap_range *range;	/* by address; without any, generations are not known */
	size_t		 nranges;

	/* What is unknown. */
	bool		 exact;		/* nothing is */
	bool		 cut;		/* the walk's end is missing */
	uint32_t	 first_unknown;	/* first object whose references are unknown, or 0 */
	uint64_t	 unknown;	/* such objects */
	uint64_t	 lost;		/* events that the trace says were lost meanwhile */
};

/* What an object weighs, and the whole of that: what it retains, or else its bytes. */
static inline uint64_t
heap_weight(const struct heap *h, uint32_t object)
{
	return h->exact ? h->retained[object] : h->size[object];
}

static inline double
heap_whole(const struct heap *h)
{
	return (double)(h->exact ? h->reachable_bytes : h->bytes);
}

struct texts;

struct heap_walks {
	struct heap	*walk;
	size_t		 n;
	struct texts	*texts;
};

/*
 * Read all walks of the trace whose first event is in the options' window. Takes at most about 100
 * bytes per object of the largest. Returns 0 or ERR_CANCELED, because tick() returned true.
 */
int		 heap_walks_make(struct heap_walks **out, struct trace *t,
		    const struct report_options *o, struct pass_result *result);
void		 heap_walks_free(struct heap_walks *w);		/* NULL is fine */

const char	*heap_root_word(enum heap_root_kind kind);	/* for programs: "local" */
/* The first root of the object, or NULL. */
const struct heap_root *heap_root_of(const struct heap *h, uint32_t object);
/* The one that paths prefer. */
const struct heap_root *heap_root_best(const struct heap *h, uint32_t object);
/* The generation of an object; HEAP_GENERATIONS: not known. "gen2", "large", "unknown". */
unsigned	 heap_generation(const struct heap *h, uint32_t object);
const char	*heap_generation_word(unsigned generation);
/* Append the name of a type as people read it: "List<Order>". */
void		 heap_type_words(struct span name, struct buf *out);
/* Append what the root is: "static Shop.Order.First", "handle, pinned"; words: for people. */
void		 heap_root_text(const struct heap_walks *w, const struct heap *h,
		    const struct heap_root *r, bool words, struct buf *out);

/*
 * Shortest paths from roots to all objects. Among equals, those from static fields come first, then
 * handles, stacks and others, then those whose first object has the least address.
 */
struct heap_paths {
	uint32_t	*from;		/* the object before; 0: a root; HEAP_NONE: no path */
};
void		 heap_paths_make(struct heap_paths *p, const struct heap *h);
void		 heap_paths_release(struct heap_paths *p);

/* Objects in the order of their retained size, or else bytes, then address: at most `most`; only
   those of this type, unless name is HEAP_NONE, and of this dominator, unless it is 0. mem_free()
   *out; returns their number. */
size_t		 heap_greatest(const struct heap *h, uint32_t name, uint32_t dominator,
		    size_t most, uint32_t **out);

/* What the last walk in the options' window retains, by the types on the way from a root, for a
   call tree with the weight `heap`; nothing if something of the walk is unknown. Returns 0 or
   ERR_CANCELED. */
struct heap_weights;
int		 heap_weights_make(struct heap_weights **out, struct trace *t,
		    const struct report_options *o, struct pass_result *result);
/* Fill the tree, which must not live longer. */
void		 heap_weights_fill(const struct heap_weights *w, struct calltree *c);
void		 heap_weights_free(struct heap_weights *w);	/* NULL is fine */

#endif

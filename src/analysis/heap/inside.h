/*
 * What lies in a walk of the heap, one list in another: types > objects of a type > an object.
 *
 *	held by			the shortest path from a root
 *	  static leak (List<Byte[]>)
 *	holds			tree of dominators: objects of a type that one object holds are one
 *	  Byte[][]		row, and the objects below it
 *	    400 Byte[]
 *	refers to		its references
 *	referred to by		what refers to it; below, the way to a root
 */
#ifndef ANALYSIS_HEAP_INSIDE_H
#define ANALYSIS_HEAP_INSIDE_H

#include "tnav/analysis/heap.h"

/* What a place shows: table_inside.kind. */
enum heap_inside {
	INSIDE_NOTHING,
	INSIDE_TYPE,		/* objects of a type; only those that `object` dominates, if it is
				   not 0 */
	INSIDE_OBJECT,
	INSIDE_ROOTS,		/* what roots of a kind hold; `type` is the kind */
};

/* A place in the walk; the walk is told apart by its first event. */
struct table_inside heap_inside(const struct heap *h, enum heap_inside kind, uint32_t type,
		    uint32_t object);
/* The list of the place; what it is, is appended. It must not outlive the walks. NULL: there is no
   such place. p: of the walk, or NULL if its paths are not known. */
struct table	*heap_inside_table(const struct heap_walks *w, const struct heap *h,
		    const struct heap_paths *p, const struct table_inside *at, struct buf *title);

#endif

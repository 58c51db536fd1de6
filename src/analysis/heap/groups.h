/*
 * What holds how much, as a tree of types: objects with the same types on the way to their root
 * are one group. Two walks in one tree show what grew, and who holds it.
 *
 *	static leak (List<Byte[]>)	a root
 *	  List<Byte[]>			1 object
 *	    Byte[][]			1
 *	      Byte[]			400
 *
 * An object that its own type holds is in the group of that object: a list is one group.
 */
#ifndef ANALYSIS_HEAP_GROUPS_H
#define ANALYSIS_HEAP_GROUPS_H

#include "analysis/texts.h"
#include "tnav/analysis/heap.h"
#include "tnav/base/idmap.h"

struct heap_group_sum {
	uint64_t	count, bytes;	/* of its objects */
	uint64_t	retained;	/* of them and of all groups below */
};

struct heap_group {
	uint32_t	parent;		/* a lesser number; 0: a root, whose name says what it is */
	uint32_t	name;		/* a text */
	uint32_t	words;		/* of a root, for people: a text */
	unsigned	depth;		/* 1: a root */
	struct heap_group_sum of[2];
};

struct heap_groups {
	struct heap_group	*v;	/* v[0] is unused */
	size_t			 n, cap;
	struct texts		*texts;
	struct idmap		 by_name;	/* and parent */
};

void	heap_groups_init(struct heap_groups *g);
void	heap_groups_release(struct heap_groups *g);
/* Add the objects of an exact walk to the sums of[which]; each once. */
void	heap_groups_add(struct heap_groups *g, const struct heap_walks *w, const struct heap *h,
	    unsigned which);

#endif

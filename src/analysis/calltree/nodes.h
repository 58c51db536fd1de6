/*
 * A prefix tree. Nodes are numbered in the order of their creation, so a node's number is greater
 * than its parent's. A node is found by parent and key. Private to call trees.
 */
#ifndef ANALYSIS_CALLTREE_NODES_H
#define ANALYSIS_CALLTREE_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/hashtable.h"

struct node {
	uint32_t	key, parent;
};

struct nodes {
	struct node	*v;		/* v[0]: the root */
	size_t		 n, cap;
	struct hashtable by_key;
	uint32_t	 most;
	bool		 full;		/* a child had to be left out for lack of room */
	uint64_t	 steps;		/* children that were searched for or appended */
};

void	 nodes_init(struct nodes *t, uint32_t most);
void	 nodes_release(struct nodes *t);
/* Add a child that is new and that nobody will search for. There is room for it. */
uint32_t nodes_append(struct nodes *t, uint32_t parent, uint32_t key);
/* The child, added if it is new. Where there is no room: the parent. */
uint32_t nodes_child(struct nodes *t, uint32_t parent, uint32_t key);

#endif

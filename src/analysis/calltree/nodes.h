/*
 * A prefix tree: nodes that are numbered as they come, so that a node's number is greater than its
 * parent's, and found by parent and key. Private to call trees.
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
	uint64_t	 seed;
	uint32_t	 most;
	bool		 full;		/* a child was asked for that there was no room for */
	uint64_t	 steps;		/* children that were looked for */
};

void	 nodes_init(struct nodes *t, uint64_t seed, uint32_t most);
void	 nodes_release(struct nodes *t);
void	 nodes_clear(struct nodes *t);		/* the root stays */
/* The child, made if there is none; the parent itself where there is no more room. */
uint32_t nodes_child(struct nodes *t, uint32_t parent, uint32_t key);

#endif

/*
 * The different stacks of a tree, named as in folded text and ordered by these names. Private to
 * call trees.
 */
#ifndef ANALYSIS_CALLTREE_PLACES_H
#define ANALYSIS_CALLTREE_PLACES_H

#include "analysis/calltree/private.h"

/* The place of a node of the trie. */
struct place {
	uint32_t	next;		/* sibling; 0: none; ordered by rank */
	uint32_t	first;		/* child */
	uint32_t	depth;		/* 0: the root */
	uint32_t	number;		/* less than those of descendants and later siblings */
};

struct places {
	struct labels		 labels;
	struct nodes		 trie;		/* keys: labels */
	uint32_t		*node;		/* node of the tree -> node of the trie */
	struct place		*v;		/* of the nodes of the trie */
	uint32_t		*rank;		/* of labels, in the order of their texts */
	struct ranked_node	*sibling;	/* scratch */
	size_t			 sibling_cap;
};

void	places_init(struct places *p, const struct calltree *c, const struct folding *rules);
void	places_release(struct places *p);
/* Give all frames to an encoder. */
void	places_define(const struct places *p, const struct profile_ops *ops, void *self);

#endif

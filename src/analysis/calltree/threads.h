/*
 * Cells by thread, and from a cell's stack to a node of labels below its thread. Private to call
 * trees.
 */
#ifndef ANALYSIS_CALLTREE_THREADS_H
#define ANALYSIS_CALLTREE_THREADS_H

#include "analysis/calltree/private.h"

struct threaded_cell {
	const struct weight_cell *cell;
	uint32_t		  label;	/* of its thread */
};

struct thread_walk {
	const struct calltree	*c;
	const struct labels	*labels;
	struct threaded_cell	*v;		/* by the text of the thread's label, as in c */
	size_t			 n;
	uint32_t		*map;		/* by node of the tree: that of labels, ... */
	uint32_t		*round;		/* ... if it was made in this round */
	uint32_t		 now;
	uint32_t		*path;		/* scratch */
};

void	 thread_walk_init(struct thread_walk *w, const struct calltree *c, struct labels *labels,
	    bool folded);
void	 thread_walk_release(struct thread_walk *w);
/* The next nodes are below this one. */
void	 thread_walk_enter(struct thread_walk *w, uint32_t top);
uint32_t thread_walk_node(struct thread_walk *w, struct nodes *to, uint32_t stack);

#endif

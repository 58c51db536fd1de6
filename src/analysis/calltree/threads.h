/*
 * Cells by thread, and the label nodes of their stacks below the node of their thread. Private to
 * call trees.
 */
#ifndef ANALYSIS_CALLTREE_THREADS_H
#define ANALYSIS_CALLTREE_THREADS_H

#include "analysis/calltree/private.h"

struct threaded_cell {
	const struct weight_cell *cell;
	uint32_t		  label;	/* of its thread */
};

/* Sort the cells by the text of their thread's label, then by order (NULL: as in c). */
struct threaded_cell *cells_by_thread(const struct calltree *c, struct labels *labels,
	    bool folded, const uint32_t *order);

struct thread_walk {
	const struct calltree	*c;
	const struct labels	*labels;
	struct threaded_cell	*v;		/* ordered by the text of the thread's label */
	size_t			 n;
	uint32_t		*map;		/* node of the tree -> node of labels, ... */
	uint32_t		*round;		/* ... if it was made in this round */
	uint32_t		 now;
	uint32_t		*path;		/* scratch */
};

void	 thread_walk_init(struct thread_walk *w, const struct calltree *c, struct labels *labels);
void	 thread_walk_release(struct thread_walk *w);
/* Put the next nodes below this one. */
void	 thread_walk_enter(struct thread_walk *w, uint32_t top);
uint32_t thread_walk_node(struct thread_walk *w, struct nodes *to, uint32_t stack);

#endif

/*
 * Shapes of a call tree, one for each user of the tree. Those of a large tree are made in threads,
 * so no user waits for one. The fold rules are copied, since they may change meanwhile.
 */
#ifndef TNAV_ANALYSIS_SHAPING_H
#define TNAV_ANALYSIS_SHAPING_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/analysis/calltree.h"
#include "tnav/base/task.h"

/* All shapes of one tree. Zero it before use. */
struct shapings {
	struct calls_shape	*first;
	uint64_t		 steps;		/* nodes of shapes made by the calling thread; for
						   tests */
};

/* A user's shape of the tree. Zero it before use. */
struct calls_shape {
	struct calltree_shape	*shape;		/* to show; NULL: none (yet) */
	uint64_t		 number;	/* of its tree */
	/* The newest one: */
	struct shapings		*all;		/* NULL: never requested */
	struct calls_shape	*next;
	const struct calltree	*tree;
	struct calltree_shape_options	 o;	/* options: */
	char			*of;
	struct folding		*folding;	/* the task's copy */
	uint64_t		 stamp;
	bool			 known;		/* o and stamp belong to the last request */
	struct task		 task;
	struct calltree_shape	*made;		/* by the task */
};

/* Is one being made? The tree must not change then. */
bool	 shapings_busy(const struct shapings *all);
/* Wait until none is, at most this long. */
void	 shapings_wait(struct shapings *all, int64_t budget_ns);
/* Give up what is being made, since there is another tree. */
void	 shapings_forget(struct shapings *all);
/*
 * The finished shape of the tree with these options, which the caller frees. NULL: it was returned
 * before, is being made, or was given up. Another stamp requests it again.
 */
struct calltree_shape *shaping_take(struct calls_shape *s, struct shapings *all,
		    const struct calltree *tree, const struct calltree_shape_options *o,
		    uint64_t stamp);
/* Give up the newest one. */
void	 shaping_release(struct calls_shape *s);

#endif

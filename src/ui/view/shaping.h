/*
 * Shapes of a call tree, made in threads of their own where the tree is large: no key waits for
 * one. The fold rules are copied, so that they may change meanwhile.
 */
#ifndef UI_VIEW_SHAPING_H
#define UI_VIEW_SHAPING_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/analysis/calltree.h"

struct shaping;

/* All that are made of one tree. Zeroed, and init. */
struct shapings {
	struct shaping	*first;
	struct lock	*lock;		/* wakes who waits for one to be done */
	uint64_t	 steps;		/* nodes of shapes made by the caller's thread: for tests */
};

void	 shapings_init(struct shapings *all);
void	 shapings_release(struct shapings *all);
/* Is one being made? The tree must not change then. */
bool	 shapings_busy(const struct shapings *all);
/* Wait for one to be done, no longer than so. */
void	 shapings_wait(struct shapings *all, int64_t budget_ns);
/* Give up what is being made: the next tree is another one. */
void	 shapings_forget(struct shapings *all);

struct shaping	*shaping_new(struct shapings *all);	/* of one pane */
void		 shaping_free(struct shaping *s);	/* NULL is fine */
/*
 * The shape of the tree by these options, once it is made: the caller's to free. NULL: it was
 * given before, or is being made, or was given up. Another stamp asks for it anew.
 */
struct calltree_shape *shaping_take(struct shaping *s, const struct calltree *tree,
		    const struct calltree_shape_options *o, uint64_t stamp);

#endif

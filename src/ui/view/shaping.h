/*
 * Shapes of a call tree. Those of a large tree are made in threads, so no key waits for one. The
 * fold rules are copied, since they may change meanwhile.
 */
#ifndef UI_VIEW_SHAPING_H
#define UI_VIEW_SHAPING_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/analysis/calltree.h"

struct shaping;

/* All shapings of one tree. Zero it, then init. */
struct shapings {
	struct shaping	*first;
	struct lock	*lock;		/* signals that one is done */
	uint64_t	 steps;		/* nodes of shapes made by the calling thread; for tests */
};

void	 shapings_init(struct shapings *all);
void	 shapings_release(struct shapings *all);
/* Is one being made? The tree must not change then. */
bool	 shapings_busy(const struct shapings *all);
/* Wait until one is done, at most this long. */
void	 shapings_wait(struct shapings *all, int64_t budget_ns);
/* Give up what is being made, since there is another tree. */
void	 shapings_forget(struct shapings *all);

struct shaping	*shaping_new(struct shapings *all);	/* for one pane */
void		 shaping_free(struct shaping *s);	/* NULL is fine */
/*
 * The finished shape of the tree with these options, which the caller frees. NULL: it was returned
 * before, is being made, or was given up. Another stamp requests it again.
 */
struct calltree_shape *shaping_take(struct shaping *s, const struct calltree *tree,
		    const struct calltree_shape_options *o, uint64_t stamp);
/* Is there a shape to take? */
bool	 shaping_is_made(const struct shaping *s);

#endif

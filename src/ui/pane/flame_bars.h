/*
 * Where the bars of a flame graph stand.
 */
#ifndef UI_PANE_FLAME_BARS_H
#define UI_PANE_FLAME_BARS_H

#include "tnav/analysis/calltree.h"

struct flame_bar {
	int		y, x, w;	/* y: below the first line; x: from the left */
	uint32_t	node;
};

struct flame_bars {
	struct flame_bar *v;
	size_t		  n, cap;
	uint64_t	  looked;	/* frames that the last layout looked at */
};

void	flame_bars_release(struct flame_bars *b);
/* The bars of a node and of all below it, on lines of w cells. */
void	flame_bars_lay(struct flame_bars *b, const struct calltree_shape *s, uint32_t node,
	    int lines, int w);

#endif

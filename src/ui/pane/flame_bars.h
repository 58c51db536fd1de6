/* The places of the bars of a flame graph. */
#ifndef UI_PANE_FLAME_BARS_H
#define UI_PANE_FLAME_BARS_H

#include "tnav/analysis/calltree.h"

struct flame_bar {
	int		y, x, w;	/* y: lines below the first; x: from the left */
	uint32_t	node;
};

struct flame_bars {
	struct flame_bar *v;
	size_t		  n, cap;
	uint64_t	  looked;	/* frames that the last layout visited */
};

void	flame_bars_release(struct flame_bars *b);
/* Place the bars of a node and of its descendants, on lines of w cells. weight: of each node, with
   all below it; NULL: as in the shape. */
void	flame_bars_lay(struct flame_bars *b, const struct calltree_shape *s, const double *weight,
	    uint32_t node, int lines, int w);

#endif

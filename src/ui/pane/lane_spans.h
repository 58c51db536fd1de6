/*
 * The spans of a trace as bars in the lanes of its threads.
 */
#ifndef UI_PANE_LANE_SPANS_H
#define UI_PANE_LANE_SPANS_H

#include "ui/draw/canvas.h"
#include "ui/view/view.h"

struct spans;

struct lane_spans {
	bool			 hidden;	/* turned off by the user */
	const struct spans	*of;		/* NULL: no bars */
	struct bars		 bars;
	struct view_changes	 seen;		/* when they were begun */
	uint64_t		 at, end;	/* next span; end of those that may be visible */
	unsigned		 depths;	/* greatest depth needed so far */
};

/* Begin to make bars for lanes of n cells. False: there are none, or they are off. */
bool	lane_spans_want(struct lane_spans *s, struct view *v, unsigned n);
/* Turn them off if they are shown, else on, and write a message. The spans must be found. */
void	lane_spans_switch(struct lane_spans *s, struct view *v, bool shown);
/* Draw one line per depth, outer spans on top, with names in long ones. under: cells without a
   span stay unchanged. */
void	lane_spans_draw(const struct lane_spans *s, struct canvas *c, struct rect r,
	    uint32_t thread, bool under);

/* Draw a cell of a bar, by the share that spans cover. */
void	bar_cell(struct canvas *c, int y, int x, unsigned depth, float share, unsigned flags);

#endif

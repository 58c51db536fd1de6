/*
 * The spans of a trace as bars in the lanes of its threads.
 */
#ifndef UI_PANE_LANE_SPANS_H
#define UI_PANE_LANE_SPANS_H

#include "ui/draw/canvas.h"
#include "ui/view/view.h"

struct spans;

struct lane_spans {
	bool			 hidden;	/* a person turned them off */
	const struct spans	*of;		/* NULL: bars is of nothing */
	struct bars		 bars;
	struct view_changes	 seen;		/* when they were begun */
	uint64_t		 at, end;	/* the next span; after the last that can be seen */
	unsigned		 depths;	/* that lanes have had use for so far */
};

void	lane_spans_release(struct lane_spans *s);
/* Make them for lanes of n cells. False: there are none, or nobody wants them. */
bool	lane_spans_want(struct lane_spans *s, struct view *v, unsigned n);
/* Go on for that long, 0: not at all. True: there is more to do. */
bool	lane_spans_work(struct lane_spans *s, struct view *v, int64_t budget_ns);
/* Turn them off if they are shown, else on, and say so. */
void	lane_spans_switch(struct lane_spans *s, struct view *v, bool shown);
/* One line a depth, the outer spans on top, with names in long ones. under: leave what is drawn
   already where there is no span. */
void	lane_spans_draw(const struct lane_spans *s, struct view *v, struct canvas *c,
	    struct rect r, uint32_t thread, bool under);

/* A cell of a bar, by the share of it that spans cover. */
void	bar_cell(struct canvas *c, int y, int x, unsigned depth, float share, unsigned flags);

#endif

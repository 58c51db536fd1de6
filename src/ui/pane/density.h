/*
 * Cells that show how many events a part of the window has, and how many were lost in it.
 */
#ifndef UI_PANE_DENSITY_H
#define UI_PANE_DENSITY_H

#include <stddef.h>
#include <stdint.h>

#include "ui/draw/canvas.h"
#include "ui/view/view.h"

/* Which row of cells a thread's losses belong to. */
struct lost_row {
	uint32_t	thread;		/* EVENT_NONE: all threads */
	int		row;
};

/* Events lost in each of w parts of the window, each gap spread over its length, added to rows of
   w cells. Sorts rows. */
void	density_lost(struct view *v, struct lost_row *rows, size_t n, float *cells, int w);
/* What was lost in cell x of w; part: gaps reach beyond it, so that this is a share of theirs. */
struct lost_here {
	size_t		gaps;
	double		lost;
	bool		part;
};

struct lost_here density_lost_here(struct view *v, struct lost_row *rows, size_t n, int x, int w);
/*
 * A column of h cells whose height is n's share of max. Where lost events outnumber those that
 * are there by ratio it is hatched, where fewer were lost underlined.
 */
void	density_column(struct canvas *c, int y, int x, int h, uint64_t n, uint64_t max, float lost,
	    float ratio);
/*
 * Such columns side by side, whose max is the greatest of them. bins: NULL: nothing is known.
 * around: NULL, or all events, of which those of bins are lit: these stand above the low line
 * that the others are, and are hatched nowhere.
 */
void	density_columns(struct canvas *c, struct rect r, const uint64_t *bins,
	    const uint64_t *around, const float *lost, float ratio);
/* What is not counted yet, from the part that y has come to: neither empty nor full. */
void	density_unknown(struct canvas *c, int y, int x, const struct tally *t);

#define DENSITY_MOSTLY	1.0f		/* hatched where more was lost than seen */
#define DENSITY_ONLY	1e9f		/* hatched where nothing else was seen */

#endif

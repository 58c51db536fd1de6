/* Cells that show how many events a part of the window has, and how many were lost there. */
#ifndef UI_PANE_DENSITY_H
#define UI_PANE_DENSITY_H

#include <stddef.h>
#include <stdint.h>

#include "ui/draw/canvas.h"
#include "ui/view/view.h"

/* Which row of cells shows a thread's losses. */
struct lost_row {
	uint32_t	thread;		/* EVENT_NONE: all threads */
	int		row;
};

/* Events lost in each of w parts of the window. Each gap is spread over its length and added to
   the rows of w cells. Sorts rows. */
void	density_lost(struct view *v, struct lost_row *rows, size_t n, float *cells, int w);
/* Losses in cell x of w. part: gaps extend beyond the cell, so this is only a share. */
struct lost_here {
	size_t		gaps;
	double		lost;
	bool		part;
};

struct lost_here density_lost_here(struct view *v, struct lost_row *rows, size_t n, int x, int w);
/*
 * A column of h cells whose height is n's share of max. It is hatched if lost / recorded events is
 * at least `ratio`, and underlined if fewer were lost.
 */
void	density_column(struct canvas *c, int y, int x, int h, uint64_t n, uint64_t max, float lost,
	    float ratio);
/*
 * Such columns side by side; max is the greatest of them. bins NULL: unknown. around: NULL, or all
 * events, of which those in bins are highlighted: they rise above a low line of the others, and are
 * not hatched.
 */
void	density_columns(struct canvas *c, struct rect r, const uint64_t *bins,
	    const uint64_t *around, const float *lost, float ratio);
/* A cell that is not counted yet, depending on the progress of y: neither empty nor full. */
void	density_unknown(struct canvas *c, int y, int x, const struct tally *t);

#define DENSITY_MOSTLY	1.0f		/* hatched if more was lost than recorded */
#define DENSITY_ONLY	1e9f		/* hatched only if nothing was recorded */

#endif

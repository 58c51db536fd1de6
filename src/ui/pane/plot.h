/* Numbers over the time of the window, as blocks or in ASCII. */
#ifndef UI_PANE_PLOT_H
#define UI_PANE_PLOT_H

#include "tnav/analysis/report.h"
#include "ui/draw/canvas.h"
#include "ui/view/view.h"

#define PLOT_LINES	5	/* least height of a plot */

void	plot_draw(const struct report_plot *p, struct view *v, struct canvas *c, struct rect r);

#endif

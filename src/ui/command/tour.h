/*
 * :tour, a guided walk through the trace that is open.
 */
#ifndef UI_COMMAND_TOUR_H
#define UI_COMMAND_TOUR_H

#include <stdbool.h>

#include "tnav/base/buf.h"

struct ui;

struct tour {
	unsigned	 step;		/* from 1; 0: no tour is under way */
	bool		 fresh;		/* no key since: its words stand before messages */
	struct buf	 skipped;	/* "(no exceptions) ": why there was none before */
};

/* The tour is over. False: there was none. */
bool	tour_end(struct ui *ui);
/* "3/10 ..." on the bottom line, if there is a tour and nothing else is said there. */
void	tour_draw(struct ui *ui);

#endif

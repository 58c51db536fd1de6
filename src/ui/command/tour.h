/* :tour, a guided walk through the open trace. */
#ifndef UI_COMMAND_TOUR_H
#define UI_COMMAND_TOUR_H

#include <stdbool.h>

#include "tnav/base/buf.h"
#include "ui/term/key.h"

#define TOUR_KEY	TK_F3		/* the next step, while the tour runs */

struct ui;

struct tour_step {
	const char	*words;
	const char	*commands;
	const char	*needs;		/* only if this filter matches events; or NULL */
	const char	*without;	/* the note if the trace has none */
	bool		 gaps;		/* only if events were lost */
};

extern const struct tour_step	tour_steps[];	/* tour.tsv */
extern const size_t		tour_nsteps;

struct tour {
	unsigned	 step;		/* from 1; 0: no tour */
	bool		 fresh;		/* no key was pressed since: its text has priority over
					   messages */
	struct buf	 skipped;	/* "(no exceptions) ": why steps were skipped */
};

/* End the tour. False: there was none. */
bool	tour_end(struct ui *ui);
/* Draw "3/10 ..." on the bottom line, if there is a tour and the line is free. */
void	tour_draw(struct ui *ui);

#endif

/*
 * Steps of a logarithmic scale, for histograms: ... 1 2 5 10 20 50 ... and 0, on both sides of it.
 *
 *	37	-> step 20, which ends at 50		0.3	-> 0.2, 0.5
 *	-3	-> step -5, which ends at -2		0	-> 0, 1 (whole) or 1e-9
 */
#ifndef TNAV_ENGINE_STEPS_H
#define TNAV_ENGINE_STEPS_H

#include <stdbool.h>

#include "tnav/model/cell.h"

/* The number of the cell becomes the begin of its step; what is no number becomes CELL_NONE. */
void	steps_begin(struct cell *c);
/* Where the step that begins there ends. False: nowhere that the cell's kind can say. */
bool	steps_end(const struct cell *begin, struct cell *end);

#endif

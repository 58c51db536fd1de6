/*
 * Steps of a logarithmic scale, for histograms: ... 1 2 5 10 20 50 ..., 0, and negative ones.
 *
 *	37	-> step 20, which ends at 50		0.3	-> 0.2, 0.5
 *	-3	-> step -5, which ends at -2		0	-> 0, 1 (whole) or 1e-9
 */
#ifndef TNAV_ENGINE_STEPS_H
#define TNAV_ENGINE_STEPS_H

#include <stdbool.h>

#include "tnav/model/cell.h"

/* Replace the number of the cell by the start of its step; a cell without a number by CELL_NONE. */
void	steps_begin(struct cell *c);
/* The end of the step that begins there. False: it is beyond the range of the cell's kind. */
bool	steps_end(const struct cell *begin, struct cell *end);

#endif

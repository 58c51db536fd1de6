/* Equal parts of an interval of time: cells of the timeline and their counts. */
#ifndef UI_VIEW_PART_H
#define UI_VIEW_PART_H

#include <stdint.h>

/* The part, of n equal ones of [from, to), that contains a time, or the nearest one; and the
   first tick of a part. */
unsigned view_part(int64_t ts, int64_t from, int64_t to, unsigned n);
int64_t	view_part_start(unsigned part, int64_t from, int64_t to, unsigned n);

#endif

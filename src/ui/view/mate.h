/*
 * The span that an event begins or ends, and where its other end is.
 */
#ifndef UI_VIEW_MATE_H
#define UI_VIEW_MATE_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/model/event.h"

struct view;

enum mate { MATE_THERE, MATE_NONE, MATE_LOST, MATE_LATER };	/* LATER: they are being found */

/* The row where the longest span that the event begins ends; else where one that it ends began. */
enum mate	view_span_mate(struct view *v, const struct event *e, uint64_t *row);
/* The time at which the longest span ends that the event begins; false: there is none. */
bool		view_span_end(struct view *v, const struct event *e, int64_t *ts);

#endif

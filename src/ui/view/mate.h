/*
 * The span that an event begins or ends, or lies in, and where its ends are.
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
/*
 * The times of the span at an event: the longest that it begins, else one that it ends, else the
 * innermost around it on its thread; on another thread than its own (EVENT_NONE: its own) the
 * innermost that is under way there. MATE_LOST: only one of its ends is in the trace.
 */
enum mate	view_span_times(struct view *v, const struct event *e, uint32_t thread,
		    int64_t *from, int64_t *to);

#endif

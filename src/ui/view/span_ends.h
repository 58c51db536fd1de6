/* The span that begins or ends at an event, or contains it, and its two ends. The spans were
   found. */
#ifndef UI_VIEW_SPAN_ENDS_H
#define UI_VIEW_SPAN_ENDS_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/model/event.h"

struct buf;
struct span_record;
struct view;

enum span_ends { ENDS_THERE, ENDS_NONE, ENDS_LOST, ENDS_LATER };	/* LATER: a command waits */

/* The row of the end of the longest span that begins at the event; else that of the begin of a
   span that ends at it. */
enum span_ends	view_span_other_end(struct view *v, const struct event *e, uint64_t *row);
/*
 * The times of the span at an event: the longest that begins there, else one that ends there, else
 * the innermost around it on its thread. If `thread` is another thread (EVENT_NONE: the event's),
 * the innermost span in progress on it. ENDS_LOST: one end is missing in the trace.
 */
enum span_ends	view_span_times(struct view *v, const struct event *e, uint32_t thread,
		    int64_t *from, int64_t *to);
/* Those of a span; NULL: there is none. */
enum span_ends	span_ends_of(const struct span_record *r, int64_t *from, int64_t *to);
/* The n-th of the spans whose first known event it is; NULL: there are no more. */
const struct span_record *view_span_known(struct view *v, const struct event *e, unsigned n);
/* "28.184 ms, self 3.528 ms", or why it has no duration, or a doubtful one. */
void		view_span_text(struct view *v, const struct span_record *r, struct buf *out);

#endif

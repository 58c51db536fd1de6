/* Gaps of lost events in the list: the place of each, and going from one to the next. */
#ifndef UI_VIEW_GAPS_H
#define UI_VIEW_GAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/engine/trace.h"

struct view;

/* The place of a gap in the list: before the event that ends it, else at the event before it. */
struct gap_anchor {
	int64_t		 ts;
	uint64_t	 off;
	uint32_t	 gap;			/* index in v */
};

struct gap_list {
	struct gap	*v;			/* n of them */
	struct gap_anchor *anchors;		/* n, ordered by time and offset */
	struct gap_anchor *prevs;		/* nprevs: events before gaps, in the same order */
	size_t		 n, nprevs;
	struct loss	 loss;
};

void	gaps_load(struct gap_list *l, struct trace *t);
void	gaps_release(struct gap_list *l);
const struct gap *gaps_before(const struct gap_list *l, const struct event *e);	/* or NULL */
const struct gap *gaps_after(const struct gap_list *l, const struct event *e);	/* or NULL */
/* Gaps after an event that no later event ends, up to max: a sequence point reported them after
   the thread's event. There may be several before its next event. */
size_t	gaps_open_after(const struct gap_list *l, const struct event *e, const struct gap **out,
	    size_t max);
/*
 * Gaps of threads without any event before or after (reported by a sequence point): those that are
 * before e and after a in the list. a NULL: e is the first event; e NULL: a is the last. A filter
 * hides them. Returns their number, at most max.
 */
size_t	view_gaps_alone(const struct view *v, const struct event *a, const struct event *e,
	    const struct gap **out, size_t max);
/* Select the next (dir > 0) or previous gap of a thread, or of all threads (EVENT_NONE). */
void	view_gap_next(struct view *v, int dir, uint32_t thread);

#endif

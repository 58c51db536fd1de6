/*
 * Gaps of lost events in the list: where each stands, and going from one to the next.
 */
#ifndef UI_VIEW_GAPS_H
#define UI_VIEW_GAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/engine/trace.h"

struct view;

/* Where a gap stands in the list: before the event that ends it, else at the one before it. */
struct gap_anchor {
	int64_t		 ts;
	uint64_t	 off;
	uint32_t	 gap;			/* index of the gaps */
};

struct gap_list {
	struct gap	*v;			/* n of them */
	struct gap_anchor *anchors;		/* n of them, by time and offset */
	struct gap_anchor *prevs;		/* nprevs: the previous events, likewise */
	size_t		 n, nprevs;
	struct loss	 loss;
};

void	gaps_load(struct gap_list *l, struct trace *t);
void	gaps_release(struct gap_list *l);
const struct gap *gaps_before(const struct gap_list *l, const struct event *e);	/* or NULL */
const struct gap *gaps_after(const struct gap_list *l, const struct event *e);	/* or NULL */
/* The gaps after an event that no event ends, up to max: what sequence points tell of a thread
   after its event; several may come before its next one. */
size_t	gaps_open_after(const struct gap_list *l, const struct event *e, const struct gap **out,
	    size_t max);
/*
 * Gaps of threads of which no event is known, neither before nor after (a sequence point told of
 * them): those that stand in the list before e and after a (NULL: e is the first; e NULL: a is the
 * last). A filter hides them. At most max; how many.
 */
size_t	view_gaps_alone(const struct view *v, const struct event *a, const struct event *e,
	    const struct gap **out, size_t max);
/* Select the next (dir > 0) gap, of one thread or of all (thread EVENT_NONE). */
bool	view_gap_next(struct view *v, int dir, uint32_t thread);

#endif

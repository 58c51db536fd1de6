/* Counts of events that have the activity or a label of the selected event. */
#ifndef UI_PANE_LABELS_H
#define UI_PANE_LABELS_H

#include "tnav/base/cursor.h"
#include "ui/view/view.h"

#define LABEL_LINES	64u

/* Zero it before use. */
struct label_counting {
	struct view		*v;		/* NULL: not begun */
	struct field_at		 line[LABEL_LINES];	/* raw: the bytes of an activity id */
	size_t			 n;
	struct view_changes	 seen;		/* when the lines were made */
	struct buf		 key;		/* identifies what is counted */
	uint64_t		 events[LABEL_LINES];	/* counts of the lines, merged */
	struct counting		 counting;
};

void	label_counting_release(struct label_counting *self);
/* Call for each frame that shows the counts: follow the selection, the window and the filter. */
void	label_counting_follow(struct label_counting *self, struct view *v);
/* The events with the value that this field has: activity, related or label.KEY. False: none is
   counted. */
bool	label_counting_get(const struct label_counting *self, struct span field, uint64_t *events);

#endif

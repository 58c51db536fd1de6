/* Counts of events that have the activity or a label of the selected event. */
#ifndef UI_PANE_LABELS_H
#define UI_PANE_LABELS_H

#include "ui/pane/details_tree.h"

#define LABEL_LINES	64u

struct label_request;

/* Zero it before use. */
struct label_counting {
	struct label_request	*request;	/* what is counted */
	struct buf		 key;		/* identifies it */
	uint64_t		 events[LABEL_LINES];	/* by its lines, merged */
	struct counting		 counting;
};

/* Is the line of the event its activity, the related one or a label? */
bool	tree_is_label(const struct details_tree *t, size_t line);
void	label_counting_release(struct label_counting *self);
/* Call for each frame that shows the counts, with the lines of the selected event: follow these,
   the window and the filter. */
void	label_counting_follow(struct label_counting *self, struct view *v,
	    const struct details_tree *t);
/* The events with the value that this field has. False: it is not counted. */
bool	label_counting_get(const struct label_counting *self, struct span field, uint64_t *events);

#endif

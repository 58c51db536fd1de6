/* Counts of events that have the activity or a label of the selected event. */
#ifndef UI_PANE_LABELS_H
#define UI_PANE_LABELS_H

#include "tnav/base/cursor.h"
#include "ui/view/view.h"

struct label_counting;

struct label_counting	*label_counting_new(struct view *v);
void	label_counting_free(struct label_counting *self);	/* NULL is fine */
/* Call for each frame that shows the counts: follow the selection, the window and the filter. */
void	label_counting_follow(struct label_counting *self);
/* The events with the value that this field has: activity, related or label.KEY. False: none is
   counted. */
bool	label_counting_get(const struct label_counting *self, struct span field, uint64_t *events);
bool	label_counting_busy(const struct label_counting *self, unsigned *percent);

#endif

/* The tree of activities, one form of the pane of spans. */
#ifndef UI_PANE_ACTIVITIES_H
#define UI_PANE_ACTIVITIES_H

#include "ui/pane/table.h"

struct activities_tree {
	struct table		*t;		/* or NULL */
	struct view_changes	 seen;		/* when t was made */
	bool			 followed;
	uint64_t		 of;		/* payload offset of the event that the cursor
						   followed last */
};

/* The table; has no rows while activities are found. */
const struct table	*activities_tree_table(struct activities_tree *x, struct view *v);
/* Stand on the activity of the selected event, if it has one and is another event than before. */
void	activities_tree_follow(struct activities_tree *x, struct table_pane *p, struct view *v);
void	activities_tree_release(struct activities_tree *x);

#endif

/* The list: the rows of the window that match the filter, by index. */
#ifndef UI_VIEW_LIST_H
#define UI_VIEW_LIST_H

#include <stdint.h>

#include "tnav/model/event.h"
#include "ui/view/change.h"

#define ROWS_KEPT	512u

struct view;

/* Rows of the filtered list that were found last. */
struct rows_kept {
	struct row_slot_kept {
		uint64_t	index, row;
	}		 slot[ROWS_KEPT];
	uint64_t	 count;			/* length of the list when they were cached */
	struct view_changes seen;
};

uint64_t view_count(const struct view *v);
int	view_row(struct view *v, uint64_t index, uint64_t *row);	/* 1, 0 */
int	view_event(struct view *v, uint64_t index, struct event *e, uint64_t *row);	/* 1, 0 */
void	view_rows_forget(struct view *v);
void	view_rows_follow(struct view *v);	/* do indexes mean other rows now? */

#endif

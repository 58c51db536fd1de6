/* A cache of rows of the filtered list. */
#ifndef UI_VIEW_ROW_CACHE_H
#define UI_VIEW_ROW_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/view/change.h"

#define ROWS_KEPT	512u

struct view;

struct rows_kept {
	struct row_slot_kept {
		uint64_t	index, row;
	}		 slot[ROWS_KEPT];
	uint64_t	 count;			/* length of the list when they were cached */
	struct view_changes seen;
};

bool	view_filtered_row(struct view *v, uint64_t index, uint64_t *row);	/* for view_row() */
void	view_rows_forget(struct view *v);
void	view_rows_follow(struct view *v);	/* do indexes mean other rows now? */

#endif

/*
 * Rows of the filtered list that were asked for lately.
 */
#ifndef UI_VIEW_ROWS_H
#define UI_VIEW_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/view/change.h"

#define ROWS_KEPT	512u

struct view;

struct rows_kept {
	struct row_slot_kept {
		uint64_t	index, row;
	}		 slot[ROWS_KEPT];
	uint64_t	 count;			/* of the list, when these were asked for */
	struct view_changes seen;
};

bool	view_filtered_row(struct view *v, uint64_t index, uint64_t *row);	/* for view_row */
void	view_rows_forget(struct view *v);
void	view_rows_follow(struct view *v);	/* have indexes come to mean other rows? */

#endif

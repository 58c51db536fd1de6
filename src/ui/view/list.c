/*
 * The list: the rows in the window that match the filter.
 *
 *	trace rows   0 ........ row0 [..........] row1 ........ rows
 *	filter                        . x . x x .             -> index 0 1 2
 */

#include "ui/view/list.h"

#include "ui/view/view.h"

uint64_t
view_count(const struct view *v)
{
	if (v->filter.text == NULL)
		return v->window.row1 - v->window.row0;
	return v->filter.q != NULL ? query_hits(v->filter.q) : 0;
}

int
view_row(struct view *v, uint64_t index, uint64_t *row)
{
	if (index >= view_count(v))
		return 0;
	if (v->filter.q != NULL)
		return view_filtered_row(v, index, row);
	*row = v->window.row0 + index;
	return 1;
}

int
view_event(struct view *v, uint64_t index, struct event *e, uint64_t *row)
{
	return view_row(v, index, row) == 1 && trace_event(v->t, *row, e) == 1;
}

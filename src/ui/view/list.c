/*
 * The list: the rows in the window that match the filter.
 *
 *	trace rows   0 ........ row0 [..........] row1 ........ rows
 *	filter                        . x . x x .             -> index 0 1 2
 *
 * A screen needs the same few rows and their neighbours again and again, and finding one with the
 * query's counts visits many rows: of the 105 MB trace with a sparse filter, a frame takes twice as
 * long. So some rows of a filtered list are cached by index:
 *
 *	index	41	42	43		slot = index % ROWS_KEPT
 *	row	977	1204	?  -> the next hit after 1204
 *
 * Invariant: the cached rows belong to the query at a certain number of hits. More hits, or more
 * rows in the index, may move every index.
 */

#include "ui/view/list.h"

#include "ui/view/view.h"

#define SEEK_NS	1000000

uint64_t
view_count(const struct view *v)
{
	if (v->filter.text == NULL)
		return v->window.row1 - v->window.row0;
	return v->filter.q != NULL ? query_hits(v->filter.q) : 0;
}

/* ---- cached rows */

void
view_rows_forget(struct view *v)
{
	for (size_t i = 0; i < ROWS_KEPT; i++)
		v->rows.slot[i].index = UINT64_MAX;
	v->rows.count = UINT64_MAX;
	view_change(v, VIEW_LIST);
}

void
view_rows_follow(struct view *v)
{
	uint64_t	n = view_count(v);

	if (v->rows.count == n && !view_changed(v, &v->rows.seen, VIEW_INDEX))
		return;
	view_rows_forget(v);
	v->rows.count = n;
	v->rows.seen = v->changes;
}

static bool
known(const struct view *v, uint64_t index, uint64_t *row)
{
	const struct row_slot_kept	*s = &v->rows.slot[index % ROWS_KEPT];

	*row = s->row;
	return s->index == index;
}

/* Find it from the row of the previous or the next index. */
static bool
from_neighbour(struct view *v, uint64_t index, uint64_t *row)
{
	uint64_t	beside;

	if (index > 0 && known(v, index - 1, &beside))
		return query_seek(v->filter.q, beside + 1, 1, SEEK_NS, row) == 1;
	if (known(v, index + 1, &beside) && beside > v->window.row0)
		return query_seek(v->filter.q, beside - 1, -1, SEEK_NS, row) == 1;
	return false;
}

static bool
filtered_row(struct view *v, uint64_t index, uint64_t *row)
{
	/* Rows between neighbours may still turn out to match: then only counts are reliable. */
	bool	sure = query_done(v->filter.q);

	view_rows_follow(v);
	if (known(v, index, row))
		return true;
	if ((!sure || !from_neighbour(v, index, row)) && query_row(v->filter.q, index, row) != 1)
		return false;
	v->rows.slot[index % ROWS_KEPT].index = index;
	v->rows.slot[index % ROWS_KEPT].row = *row;
	return true;
}

/* ---- by index */

int
view_row(struct view *v, uint64_t index, uint64_t *row)
{
	if (index >= view_count(v))
		return 0;
	if (v->filter.q != NULL)
		return filtered_row(v, index, row);
	*row = v->window.row0 + index;
	return 1;
}

int
view_event(struct view *v, uint64_t index, struct event *e, uint64_t *row)
{
	return view_row(v, index, row) == 1 && trace_event(v->t, *row, e) == 1;
}

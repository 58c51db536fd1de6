/*
 * The arithmetic of the list widget. Rows are 64-bit; the cost does not depend on their number.
 *
 * Invariant after list_fit(): cursor < n or n is 0; top <= cursor < top + h; the last page is full
 * when there are rows enough.
 */
#include "ui/draw/list.h"

uint64_t
list_add(uint64_t a, int64_t n, uint64_t last)
{
	uint64_t	by = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;

	if (a > last)
		a = last;
	if (n < 0)
		return by > a ? 0 : a - by;
	return by > last - a ? last : a + by;
}

void
list_fit(struct list *l, uint64_t n, int h)
{
	uint64_t	page = h > 0 ? (uint64_t)h : 1;
	uint64_t	top_max = n > page ? n - page : 0;

	l->n = n;
	l->h = h > 0 ? h : 1;
	if (l->top > top_max)
		l->top = top_max;
	if (l->scrolls) {
		l->cursor = l->top;
		return;
	}
	if (l->cursor >= n)
		l->cursor = n > 0 ? n - 1 : 0;
	if (l->top > l->cursor)
		l->top = l->cursor;
	if (l->cursor - l->top >= page)
		l->top = l->cursor - page + 1;
}

void
list_show(struct list *l, uint64_t row)
{
	uint64_t	page = l->h > 0 ? (uint64_t)l->h : 1;

	if (row < l->top || row - l->top >= page)
		l->top = row > page / 3 ? row - page / 3 : 0;
	if (!l->scrolls)
		l->cursor = row;
	list_fit(l, l->n, l->h);
}

bool
list_move(struct list *l, struct move m)
{
	uint64_t	page = l->h > 0 ? (uint64_t)l->h : 1;
	uint64_t	last = l->n > 0 ? l->n - 1 : 0;
	uint64_t	top_max = l->n > page ? l->n - page : 0;
	uint64_t	before = l->scrolls ? l->top : l->cursor, row;
	int64_t		by = 0;

	switch (m.kind) {
	case MOVE_LINES:
		by = m.n;
		break;
	case MOVE_PAGES:
		by = m.n * (int64_t)(page > 1 ? page - 1 : 1);
		break;
	case MOVE_HALVES:
		by = m.n * (int64_t)(page > 1 ? page / 2 : 1);
		break;
	case MOVE_FIRST:
		l->top = l->cursor = 0;
		return before != 0;
	case MOVE_LAST:
		l->top = top_max;
		l->cursor = l->scrolls ? top_max : last;
		return l->cursor != before;
	case MOVE_SIDE:
		return false;
	case MOVE_TO:
		row = m.n < 0 ? 0 : list_add(0, m.n, last);
		if (l->scrolls)
			l->top = row > top_max ? top_max : row;
		else
			list_show(l, row);
		return (l->scrolls ? l->top : l->cursor) != before;
	}
	if (m.kind != MOVE_LINES || l->scrolls)
		l->top = list_add(l->top, by, top_max);
	l->cursor = l->scrolls ? l->top : list_add(l->cursor, by, last);
	list_fit(l, l->n, l->h);
	return (l->scrolls ? l->top : l->cursor) != before;
}

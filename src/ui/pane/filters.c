/*
 * The terms of the filter, each with its switch: an overlay.
 */
#include <string.h>

#include "ui/pane/pane.h"

#define NAME_W	16

struct filters {
	struct list	list;
};

static void
draw_item(struct view *v, struct canvas *c, struct rect r, int y, const struct filter_item *it)
{
	bool	on = it->on && !v->filters_off;
	int	x = r.x + 2;

	(void)canvas_puts(c, y, x, 5, on ? ST_STRONG : ST_DIM, on ? "[on]" : "[  ]");
	(void)canvas_puts(c, y, x + 6, NAME_W, ST_KEY, it->name != NULL ? it->name : "");
	(void)canvas_puts(c, y, x + 7 + NAME_W, r.w - 9 - NAME_W, on ? ST_NORMAL : ST_DIM,
	    it->text);
}

static void
filters_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct filters	*self = arg;

	self->list.cursor = v->filter_at;
	list_fit(&self->list, v->nfilters, r.h);
	v->filter_at = (size_t)self->list.cursor;
	if (v->nfilters == 0)
		(void)canvas_puts(c, r.y, r.x + 2, r.w - 2, ST_DIM,
		    "there is no filter (f types one, i takes the value under the cursor)");
	for (int i = 0; i < r.h && self->list.top + (uint64_t)i < v->nfilters; i++) {
		size_t	at = (size_t)self->list.top + (size_t)i;

		draw_item(v, c, r, r.y + i, &v->filters[at]);
		if (at == v->filter_at)
			pane_cursor_row(c, r, r.y + i, focus);
	}
}

static void
filters_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	(void)arg;
	buf_puts(left, v->filters_off ? "all off (Ctrl-F)" : "Space switches, n names, d deletes");
	buf_printf(right, "%zu", v->nfilters);
}

static bool
filters_move(void *arg, struct view *v, struct move m)
{
	struct filters	*self = arg;
	bool		 moved = list_move(&self->list, m);

	v->filter_at = (size_t)self->list.cursor;
	return moved;
}

const struct pane_ops	pane_filters = {
	.name = "filters",
	.hints = "filter-toggle filter-name filter-delete close help",
	.size = sizeof(struct filters),
	.title = filters_title,
	.draw = filters_draw,
	.move = filters_move,
};

/*
 * Cells of density: how many events, and how many were lost.
 *
 *	▁▃▅█	events: the height is the share of the greatest
 *	▅ 	underlined: a few were lost there, too
 *	▚	more were lost than seen, or nothing was seen at all
 */
#include "ui/pane/density.h"

#include <stdlib.h>

static int
by_thread(const void *a, const void *b)
{
	const struct lost_row	*x = a, *y = b;

	return (x->thread > y->thread) - (x->thread < y->thread);
}

static void
spread(struct view *v, const struct gap *g, float *cells, int w)
{
	int	from = (int)view_part(g->from, v->window.from, v->window.to, (unsigned)w);
	int	to = (int)view_part(g->to, v->window.from, v->window.to, (unsigned)w);
	/* The share of the gap that lies in the window; at least something in each cell. */
	double	all = (double)g->to - (double)g->from, each = (double)g->lost;

	if (g->from < v->window.from || g->to >= v->window.to)
		each *= all > 0 ? ((double)(g->to < v->window.to ? g->to : v->window.to) -
		    (double)(g->from > v->window.from ? g->from : v->window.from)) / all : 1;
	each /= to - from + 1;
	for (int x = from; x <= to; x++)
		cells[x] += each > 0.001 ? (float)each : 0.001f;
}

void
density_lost(struct view *v, struct lost_row *rows, size_t n, float *cells, int w)
{
	const struct lost_row	*all = NULL;

	qsort(rows, n, sizeof *rows, by_thread);
	if (n > 0 && rows[n - 1].thread == EVENT_NONE)
		all = &rows[n - 1];
	for (size_t i = 0; i < v->gaps.n; i++) {
		const struct gap	*g = &v->gaps.v[i];
		struct lost_row		 key = { .thread = g->thread };
		const struct lost_row	*row;

		if (g->to < v->window.from || g->from >= v->window.to)
			continue;
		if (all != NULL)
			spread(v, g, cells + (size_t)all->row * (size_t)w, w);
		row = bsearch(&key, rows, n, sizeof *rows, by_thread);
		if (row != NULL)
			spread(v, g, cells + (size_t)row->row * (size_t)w, w);
	}
}

void
density_column(struct canvas *c, int y, int x, int h, uint64_t n, uint64_t max, float lost,
    float ratio)
{
	unsigned	level = max == 0 ? 0 : (unsigned)((double)n / (double)max * 8 * h + 0.5);

	if (n > 0 && level == 0)
		level = 1;
	if (lost > 0 && lost >= (float)n * ratio) {
		for (int row = 0; row < h; row++)
			canvas_glyph(c, y + row, x, ST_GAP, GL_HATCH);
		return;
	}
	for (int row = h - 1; row >= 0; row--) {
		canvas_block(c, y + row, x, lost > 0 ? ST_GAP : ST_BAR, level > 8 ? 8 : level);
		level = level > 8 ? level - 8 : 0;
	}
	if (lost > 0)
		canvas_mark(c, y + h - 1, x, 1, MARK_HIT);
}

void
density_unknown(struct canvas *c, int y, int x, const struct tally *t)
{
	int	from = t->all != NULL ? (int)view_part(t->upto, t->from, t->to, t->nparts) : 0;

	for (int i = from; i < (int)t->nparts && !t->done && t->rough == NULL; i++)
		(void)canvas_puts(c, y, x + i, 1, ST_DIM, "\xc2\xb7");
}

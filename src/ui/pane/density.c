/*
 * Cells of density: how many events, and how many were lost.
 *
 *	▁▃▅█	events: the height is the share of the greatest
 *	▅ 	underlined: a few were lost there, too
 *	▁▅	highlighted events rise above the low line of the others
 *	░▒▓	more were lost than recorded, or none were recorded: fewer than 10, than 1000, or
 *		more lost. The scale is the same in all lanes.
 */
#include "ui/pane/density.h"

#include <stdlib.h>

#include "tnav/base/sort.h"

#define LOST_FEW	10
#define LOST_MANY	1000
#define LIT_LEAST	3u	/* eighths of a cell */

SORT_ORDER(by_thread, struct lost_row, RISING(thread))

/* The cells that a gap covers, and its share per cell: it is spread evenly over its time. */
struct gap_spread {
	int	from, to;
	double	each;
};

static struct gap_spread
spread(const struct view *v, const struct gap *g, int w)
{
	const struct window	*shown = &v->window;
	unsigned		 cells = (unsigned)w;
	struct gap_spread	 s = {
		.from = (int)time_bucket(g->from, shown->from, shown->to, cells),
		.to = (int)time_bucket(g->to, shown->from, shown->to, cells),
		.each = (double)g->lost,
	};
	double			 all = (double)g->to - (double)g->from;

	if (g->from < v->window.from || g->to >= v->window.to)
		s.each *= all > 0 ? ((double)(g->to < v->window.to ? g->to : v->window.to) -
		    (double)(g->from > v->window.from ? g->from : v->window.from)) / all : 1;
	s.each /= s.to - s.from + 1;
	return s;
}

static void
add(const struct view *v, const struct gap *g, float *cells, int w)
{
	struct gap_spread	s = spread(v, g, w);

	for (int x = s.from; x <= s.to; x++)	/* at least a little in each cell */
		cells[x] += s.each > 0.001 ? (float)s.each : 0.001f;
}

static bool
in_window(const struct view *v, const struct gap *g)
{
	return g->to >= v->window.from && g->from < v->window.to;
}

/* Sort the rows. Returns the row of all threads, or NULL. */
static const struct lost_row *
sort_rows(struct lost_row *rows, size_t n)
{
	sort_array(rows, n, sizeof *rows, by_thread);
	return n > 0 && rows[n - 1].thread == EVENT_NONE ? &rows[n - 1] : NULL;
}

static const struct lost_row *
find_row(const struct lost_row *rows, size_t n, uint32_t thread)
{
	struct lost_row	key = { .thread = thread };

	return bsearch(&key, rows, n, sizeof *rows, by_thread);
}

void
density_lost(struct view *v, struct lost_row *rows, size_t n, float *cells, int w)
{
	const struct lost_row	*all = sort_rows(rows, n), *row;

	for (size_t i = 0; i < v->gaps.n; i++) {
		const struct gap	*g = &v->gaps.v[i];

		if (!in_window(v, g))
			continue;
		if (all != NULL)
			add(v, g, cells + (size_t)all->row * (size_t)w, w);
		row = find_row(rows, n, g->thread);
		if (row != NULL)
			add(v, g, cells + (size_t)row->row * (size_t)w, w);
	}
}

struct lost_here
density_lost_here(struct view *v, struct lost_row *rows, size_t n, int x, int w)
{
	struct lost_here	 here = { .gaps = 0 };
	const struct lost_row	*all = sort_rows(rows, n);

	for (size_t i = 0; i < v->gaps.n; i++) {
		const struct gap	*g = &v->gaps.v[i];
		struct gap_spread	 s;

		if (!in_window(v, g) || (all == NULL && find_row(rows, n, g->thread) == NULL))
			continue;
		s = spread(v, g, w);
		if (x < s.from || x > s.to)
			continue;
		here.gaps++;
		here.lost += s.each;
		here.part |= s.from < s.to || g->from < v->window.from || g->to >= v->window.to;
	}
	return here;
}

static enum glyph
lost_glyph(float lost)
{
	if (lost < LOST_FEW)
		return GL_LOST_FEW;
	return lost < LOST_MANY ? GL_LOST : GL_LOST_MANY;
}

/* The height in eighths of a cell, for h cells. */
static unsigned
level_of(int h, uint64_t n, uint64_t max, unsigned least)
{
	unsigned	level = max == 0 ? 0 : (unsigned)((double)n / (double)max * 8 * h + 0.5);

	return n > 0 && level < least ? least : level;
}

static void
column(struct canvas *c, int y, int x, int h, unsigned level, enum style st, float lost)
{
	for (int row = h - 1; row >= 0; row--) {
		canvas_block(c, y + row, x, st, level > 8 ? 8 : level);
		level = level > 8 ? level - 8 : 0;
	}
	if (lost > 0)
		canvas_mark(c, y + h - 1, x, 1, MARK_HIT);
}

static void
hatched(struct canvas *c, int y, int x, int h, float lost)
{
	for (int row = 0; row < h; row++)
		canvas_glyph(c, y + row, x, ST_GAP, lost_glyph(lost));
}

void
density_column(struct canvas *c, int y, int x, int h, uint64_t n, uint64_t max, float lost,
    float ratio)
{
	if (lost > 0 && lost >= (float)n * ratio)
		hatched(c, y, x, h, lost);
	else
		column(c, y, x, h, level_of(h, n, max, 1), lost > 0 ? ST_GAP : ST_BAR, lost);
}

static void
lit_column(struct canvas *c, int y, int x, int h, uint64_t n, uint64_t max, uint64_t all,
    float lost, float ratio)
{
	if (n == 0 && lost > 0 && lost >= (float)all * ratio)
		hatched(c, y, x, h, lost);
	else if (n == 0)
		column(c, y, x, h, all > 0, ST_DIM, lost);
	else
		column(c, y, x, h, level_of(h, n, max, LIT_LEAST), ST_BAR, lost);
}

void
density_columns(struct canvas *c, struct rect r, const uint64_t *bins, const uint64_t *around,
    const float *lost, float ratio)
{
	uint64_t	max = 0;

	for (int x = 0; bins != NULL && x < r.w; x++)
		max = bins[x] > max ? bins[x] : max;
	for (int x = 0; x < r.w; x++) {
		uint64_t	n = bins != NULL ? bins[x] : 0;

		if (around != NULL)
			lit_column(c, r.y, r.x + x, r.h, n, max, around[x], lost[x], ratio);
		else
			density_column(c, r.y, r.x + x, r.h, n, max, lost[x], ratio);
	}
}

void
density_unknown(struct canvas *c, int y, int x, const struct tally *t)
{
	int	from = t->all != NULL ? (int)time_bucket(t->upto, t->from, t->to, t->nparts) : 0;

	for (int i = from; i < (int)t->nparts && !t->done && t->rough == NULL; i++)
		(void)canvas_puts(c, y, x + i, 1, ST_DIM, "\xc2\xb7");
}

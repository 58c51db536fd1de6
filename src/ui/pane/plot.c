/*
 * A plot in cells.
 *
 *	heap after each collection  gen0 gen1 gen2 loh poh
 *	10.2 MB      ▂▄▆
 *	           ▁▃███▅▁			a column of cells is a part of the window
 *	      0  ▂██████████▁▂▂
 *	0.023 s                          0.356 s
 *
 * Layers are stacked, each in its colour. A cell has the colour of the layer that fills most of it.
 * In ASCII, which may lack colours, a cell shows the sign of that layer.
 *
 * Invariant: a column shows the greatest sum of its points, not an average.
 */
#include "ui/pane/plot.h"

#include <string.h>

#include "tnav/base/mem.h"

#define LABEL_CELLS	10
#define EXACT		9e15	/* below it, a double holds every whole number */
#define COLUMNS_MOST	1024

static const enum style	layer_style[PLOT_LAYERS] = {
	ST_GREEN, ST_CYAN, ST_BLUE, ST_MAGENTA, ST_YELLOW,
};

static const char *const	layer_sign[PLOT_LAYERS] = { "0", "1", "2", "3", "4" };

struct plot_column {
	bool	any;
	double	sum, v[PLOT_LAYERS];
};

static double
point_sum(const struct report_plot *p, size_t i, double *v)
{
	double	sum = 0;

	for (unsigned k = 0; k < p->layers; k++) {
		v[k] = p->v[i * p->layers + k];
		sum += v[k];
	}
	return p->layers > 0 ? sum : 1;
}

/* The column of a time; -1: before the window; w: after it. */
static int
column_of(int64_t ns, int64_t from, int64_t to, int w)
{
	double	share;

	if (ns < from)
		return -1;
	share = ((double)ns - (double)from) / ((double)to - (double)from);
	return share >= 1 ? (ns > to ? w : w - 1) : (int)(share * w);
}

static void
column_put(const struct report_plot *p, struct plot_column *c, const struct plot_column *point)
{
	if (p->how == PLOT_COUNT) {
		c->sum += point->sum;
		c->any = true;
	} else if (!c->any || point->sum > c->sum) {
		*c = *point;
	}
}

static void
columns_make(const struct report_plot *p, int64_t from, int64_t to, struct plot_column *col, int w)
{
	struct plot_column	previous = { .any = false };
	int		at = 0;

	for (size_t i = 0; i < p->n; i++) {
		struct plot_column	point = { .any = true };
		int		x = column_of(p->ns[i], from, to, w);

		point.sum = point_sum(p, i, point.v);
		for (; p->how == PLOT_HOLD && at < x && at < w; at++)
			if (!col[at].any)
				col[at] = previous;
		if (x >= 0 && x < w)
			column_put(p, &col[x], &point);
		previous = point;
	}
	for (; p->how == PLOT_HOLD && at < w; at++)
		if (!col[at].any)
			col[at] = previous;
}

static unsigned
layer_at(const struct report_plot *p, const struct plot_column *c, double height)
{
	double	sum = 0;

	for (unsigned i = 0; i + 1 < p->layers; i++) {
		sum += c->v[i];
		if (height < sum)
			return i;
	}
	return p->layers > 0 ? p->layers - 1 : 0;
}

static void
draw_cell(const struct report_plot *p, unsigned layer, unsigned level, struct canvas *to, int y,
    int x)
{
	if (p->layers <= 1)
		canvas_block(to, y, x, ST_BAR, level);
	else if (to->ascii)
		(void)canvas_puts(to, y, x, 1, layer_style[layer], layer_sign[layer]);
	else
		canvas_block(to, y, x, layer_style[layer], level);
}

static void
draw_column(const struct report_plot *p, const struct plot_column *c, double low, double high,
    struct canvas *to, struct rect r, int x)
{
	double	levels = high > low ? (c->sum - low) / (high - low) * r.h * 8 : 0;

	/* Values above 0 are visible. */
	if (levels < 1 && c->sum > low)
		levels = 1;
	for (int i = 0; i < r.h; i++) {
		double		left = levels - i * 8;
		unsigned	level = left >= 8 ? 8 : left > 0 ? (unsigned)(left + 0.5) : 0;
		double		middle = low + (i + 0.5) / r.h * (high - low);

		if (level > 0)
			draw_cell(p, layer_at(p, c, middle < c->sum ? middle : c->sum), level, to,
			    r.y + r.h - 1 - i, r.x + x);
	}
}

/* The nearest 64-bit number, since a cell has no larger ones. */
static int64_t
whole(double v)
{
	if (v >= 9.2e18)
		return INT64_MAX;
	return v > -9.2e18 ? (int64_t)v : INT64_MIN;
}

static void
draw_label(const struct report_plot *p, double v, struct canvas *c, int y, int x)
{
	struct cell	cell = cell_f64(v);
	struct buf	b = { 0 };

	if (p->kind == CELL_DUR)
		cell = cell_dur(whole(v));
	else if (v >= 0 && (p->kind == CELL_BYTES || p->kind == CELL_U64 ||
	    (v < EXACT && v == (double)(uint64_t)v)))
		cell = cell_u64((uint64_t)whole(v));	/* no zeros behind the point */
	cell.show |= SHOW_GROUPED;
	cell_text(&b, &cell, c->ascii);
	canvas_right(c, y, x, LABEL_CELLS, ST_DIM, buf_str(&b));
	buf_release(&b);
}

static void
draw_head(const struct report_plot *p, struct canvas *c, struct rect r)
{
	int	x = r.x + 1;

	x += canvas_buf(c, r.y, x, r.w - 1, ST_STRONG, &p->title) + 2;
	for (unsigned i = 0; p->layers > 1 && i < p->layers && x < r.x + r.w; i++) {
		if (c->ascii)
			x += canvas_puts(c, r.y, x, 1, layer_style[i], layer_sign[i]) + 1;
		x += canvas_puts(c, r.y, x, r.x + r.w - x, layer_style[i], p->layer[i]) + 1;
	}
}

static void
draw_times(struct view *v, struct canvas *c, struct rect r, int64_t from, int64_t to)
{
	struct buf	b = { 0 };

	view_time_ns(v, from, &b);
	(void)canvas_buf(c, r.y, r.x, r.w, ST_TIME, &b);
	buf_clear(&b);
	view_time_ns(v, to, &b);
	canvas_right(c, r.y, r.x, r.w, ST_TIME, buf_str(&b));
	buf_release(&b);
}

void
plot_draw(const struct report_plot *p, struct view *v, struct canvas *c, struct rect r)
{
	struct rect	 in = { r.y + 1, r.x + LABEL_CELLS + 1, r.h - 2, r.w - LABEL_CELLS - 2 };
	int64_t		 from = trace_ns(v->t, v->window.from), to = trace_ns(v->t, v->window.to);
	struct plot_column	*col;
	double		 low = 0, high = 0;

	if (in.h < 1 || in.w < 1 || to <= from)
		return;
	in.w = in.w > COLUMNS_MOST ? COLUMNS_MOST : in.w;
	col = mem_zalloc((size_t)in.w, sizeof *col);
	columns_make(p, from, to, col, in.w);
	for (int i = 0; i < in.w; i++) {
		if (!col[i].any)
			continue;
		low = col[i].sum < low ? col[i].sum : low;
		high = col[i].sum > high ? col[i].sum : high;
	}
	draw_head(p, c, r);
	for (int i = 0; i < in.w; i++)
		if (col[i].any)
			draw_column(p, &col[i], low, high, c, in, i);
	draw_label(p, high, c, in.y, r.x);
	draw_label(p, low, c, in.y + in.h - 1, r.x);
	draw_times(v, c, (struct rect){ r.y + r.h - 1, in.x, 1, in.w }, from, to);
	mem_free(col);
}

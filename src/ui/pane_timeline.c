/*
 * How the events of the window lie in time, and where the window lies in the whole trace.
 *
 *	>1.604..1.981 s ▂▃▅▇█▇▅▃▂▁   ▁▂▃▅▇▇▇▅▃▁  ▁▂▂▁      ▁▂▇[▃▅]▂▁  all 2.214 s
 *	 the window      a cell: its share of the window    the minimap
 *
 * The cost is the number of cells and of blocks in the index, never that of events.
 */
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/base/units.h"
#include "tnav/ui/pane.h"

struct bins {
	uint64_t	gen;
	int64_t		from, to;
	size_t		n;
	uint64_t	*v;
	size_t		cap;
	uint64_t	max;
};

struct timeline {
	struct bins	window, all;
	int		w;		/* cells of the window, as last drawn */
};

static void
load(struct bins *b, struct view *v, int64_t from, int64_t to, int n)
{
	if (n <= 0 || (b->gen == v->gen && b->from == from && b->to == to && b->n == (size_t)n))
		return;
	b->v = mem_grow(b->v, &b->cap, (size_t)n, sizeof *b->v);
	b->gen = v->gen;
	b->from = from;
	b->to = to;
	b->n = (size_t)n;
	b->max = 0;
	trace_density(v->t, from, to, b->v, b->n);
	for (size_t i = 0; i < b->n; i++)
		if (b->v[i] > b->max)
			b->max = b->v[i];
}

/* The cell of n that a time lies in; outside the range the nearest. */
static int
cell_of(int64_t ts, int64_t from, int64_t to, int n)
{
	double	share;

	if (to <= from || ts <= from || n <= 1)
		return 0;
	share = ((double)ts - (double)from) / ((double)to - (double)from);
	return share >= 1 ? n - 1 : (int)(share * n);
}

/* A column of h cells whose height is the bin's share of the greatest. */
static void
draw_column(struct canvas *c, int y, int x, int h, enum style st, uint64_t n, uint64_t max)
{
	unsigned	level = max == 0 ? 0 : (unsigned)((double)n / (double)max * 8 * h + 0.5);

	if (n > 0 && level == 0)
		level = 1;
	for (int row = h - 1; row >= 0; row--) {
		canvas_block(c, y + row, x, st, level > 8 ? 8 : level);
		level = level > 8 ? level - 8 : 0;
	}
}

static void
draw_window(struct timeline *self, struct view *v, struct canvas *c, struct rect r)
{
	bool	*lost;

	if (r.w <= 0)
		return;
	lost = mem_zalloc((size_t)r.w, sizeof *lost);
	self->w = r.w;
	load(&self->window, v, v->from, v->to, r.w);
	for (size_t i = 0; i < v->ngaps; i++) {
		const struct gap	*g = &v->gaps[i];

		if (g->to < v->from || g->from >= v->to)
			continue;
		for (int x = cell_of(g->from, v->from, v->to, r.w),
		    end = cell_of(g->to, v->from, v->to, r.w); x <= end && !lost[x]; x++)
			lost[x] = true;
	}
	for (int x = 0; x < r.w; x++)
		draw_column(c, r.y, r.x + x, r.h, lost[x] ? ST_GAP : ST_BAR,
		    self->window.v[x], self->window.max);
	mem_free(lost);
	if (v->has_sel)
		for (int y = r.y; y < r.y + r.h; y++)
			canvas_mark(c, y, r.x + cell_of(v->sel_ts, v->from, v->to, r.w), 1,
			    MARK_CURSOR);
}

/* The whole trace on one line with the window in brackets, and how long it is. */
static int
draw_minimap(struct timeline *self, struct view *v, struct canvas *c, struct rect r)
{
	struct buf	b;
	int		w = r.w >= 160 ? 40 : r.w >= 100 ? 24 : r.w >= 60 ? 12 : 0, from, to, x, n;
	int64_t		end = v->last < INT64_MAX ? v->last + 1 : v->last;

	if (w == 0)
		return 0;
	buf_init(&b);
	buf_puts(&b, " all ");
	view_length(v, &b);
	n = (int)text_width(span_of_buf(&b), TEXT_UTF8);
	x = r.x + r.w - n - w - 2;
	(void)canvas_puts(c, r.y, x + w + 2, n, ST_DIM, buf_str(&b));
	buf_release(&b);
	load(&self->all, v, v->first, end, w);
	from = cell_of(v->from, v->first, end, w);
	to = v->to >= end ? w - 1 : cell_of(v->to - 1, v->first, end, w);
	for (int i = 0, at = x; i < w; i++, at++) {
		if (i == from)
			(void)canvas_puts(c, r.y, at++, 1, ST_STRONG, "[");
		draw_column(c, r.y, at, 1, i >= from && i <= to ? ST_BAR : ST_DIM,
		    self->all.v[i], self->all.max);
		if (i == to)
			(void)canvas_puts(c, r.y, ++at, 1, ST_STRONG, "]");
	}
	return n + w + 2;
}

static void
window_text(struct view *v, struct buf *out)
{
	int64_t		from = trace_ns(v->t, v->from), to = trace_ns(v->t, v->to);
	double		len = (double)to - (double)from;
	unsigned	decimals = len > 1e8 ? 3 : len > 1e5 ? 6 : 9;

	units_secs(out, from, decimals);
	buf_puts(out, " \xe2\x80\xa6 ");
	units_secs(out, to, decimals);
	buf_puts(out, " s");
}

static void
timeline_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct timeline	*self = arg;
	struct buf	 b;
	int		 used, x = r.x + 1;

	if (focus)
		canvas_glyph(c, r.y, r.x, ST_FOCUS, GL_POINTER);
	if (!v->any) {
		(void)canvas_puts(c, r.y, x, r.w - 1, ST_DIM, "no events yet");
		return;
	}
	used = draw_minimap(self, v, c, r);
	if (!v->whole && r.w >= 60) {
		buf_init(&b);
		window_text(v, &b);
		x += canvas_puts(c, r.y, x, r.w / 2, ST_STRONG, buf_str(&b)) + 1;
		buf_release(&b);
	}
	draw_window(self, v, c, (struct rect){ r.y, x, r.h, r.x + r.w - used - 1 - x });
}

static void
timeline_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	(void)arg;
	(void)right;
	window_text(v, left);
}

/* Sideways by a cell, else over the list as the events do. */
static bool
timeline_move(void *arg, struct view *v, struct move m)
{
	struct timeline	*self = arg;
	uint64_t	 count = view_count(v), index = view_index(v), to;
	int64_t		 step, ts;

	if (count == 0)
		return false;
	switch (m.kind) {
	case MOVE_SIDE:
		step = self->w > 1 ? (int64_t)(((uint64_t)v->to - (uint64_t)v->from) /
		    (uint64_t)self->w) : 0;
		step = m.n * (step > 0 ? step : 1);
		if (__builtin_add_overflow(v->sel_ts, step, &ts))
			return false;
		if (m.n > 0 && (ts >= v->to || trace_row_at(v->t, ts) <= v->sel_row))
			to = v->sel_row + 1;
		else
			to = ts < v->from ? v->row0 : trace_row_at(v->t, ts);
		if (m.n < 0 && to >= v->sel_row && v->sel_row > v->row0)
			to = v->sel_row - 1;
		view_select_row(v, to);
		return view_index(v) != index;
	case MOVE_FIRST:
		view_select(v, 0);
		break;
	case MOVE_LAST:
		view_select(v, count - 1);
		break;
	case MOVE_TO:
		view_select_row(v, (uint64_t)m.n);
		return true;
	default:
		view_select(v, list_add(index, m.n * (m.kind == MOVE_LINES ? 1 : 20), count - 1));
	}
	return view_index(v) != index;
}

static void
timeline_release(void *arg)
{
	struct timeline	*self = arg;

	mem_free(self->window.v);
	mem_free(self->all.v);
}

const struct pane_ops	pane_timeline = {
	.name = "timeline",
	.number = 1,
	.size = sizeof(struct timeline),
	.release = timeline_release,
	.title = timeline_title,
	.draw = timeline_draw,
	.move = timeline_move,
};

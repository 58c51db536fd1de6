/*
 * The distribution of the window's events over time, by thread, and the place of the window in the
 * whole trace.
 *
 *	one line  >1.604..1.981 s ▂▃▅▇█▇▅▃▂▁   ▁▂▃▅▇▇▇▅▃▁  ▁▂▂▁   ▁▂▇[▃▅]▂▁  all 2.214 s
 *
 *	lanes	                     |1.65       |1.70       |1.75	ruler
 *		                         [=====]  a   v v		range, marks, hits
 *		>all         128,512 ▂▃▅▇█▇▅▃▂▁   ▁▂▃▅▇▇▇▅▃▁  ▁▂▂▁	timeline_lanes.c
 *		  25 worker   15,403 ▂▃▅▇█▚▚▚▂▁      ▃▅▇▇▇▅  ▁▂▂▁
 *		all 2.214 s          ▁▂▇█▃▁▁▂▅▂▁[▃▅▃]▂▁▂▃▅▂▁▁▁▂▁▁	minimap
 *
 * The cost of drawing depends on the number of cells, of blocks in the index and of gaps, but not
 * on that of events. Events are counted between keys (ui/view/tally.c). Until then the densities of
 * the index are shown.
 */
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/text.h"
#include "tnav/base/units.h"
#include "ui/pane/lanes.h"

#define LANES_ROWS	4		/* least height for lanes */
#define FRAME_LINES	4		/* lines besides the lanes */
#define LANES_MOST	1000		/* enough for any screen */
#define MARKS_ROWS	6		/* least height for a line of marks */
#define ONE_LINE_ROWS	(4u << 20)	/* events that are counted for a single line */
#define ROOMY		120		/* width that allows longer texts */
#define SCAN_MAX	65536		/* events that a key visits to stay on its thread */

struct time_bins {
	struct view_changes seen;	/* for which they were counted */
	size_t		n;
	uint64_t	*v;
	size_t		cap;
	uint64_t	max;
};

struct timeline {
	struct time_bins	window, all;
	struct lanes		lanes;
	int			x, w;	/* cells of the window, as last drawn */
	int			lanes_y;	/* line of the first lane; -1: none */
};

/* ---- density from the index */

static void
load(struct time_bins *b, struct view *v, unsigned depends, int64_t from, int64_t to, int n)
{
	if (n <= 0 || (b->n == (size_t)n && !view_changed(v, &b->seen, depends)))
		return;
	b->v = mem_grow(b->v, &b->cap, (size_t)n, sizeof *b->v);
	b->seen = v->changes;
	b->n = (size_t)n;
	b->max = 0;
	trace_density(v->t, from, to, b->v, b->n);
	for (size_t i = 0; i < b->n; i++)
		if (b->v[i] > b->max)
			b->max = b->v[i];
}

/* The window's density: exact if it was counted. NULL: unknown, since the index cannot apply a
   filter. */
static const uint64_t *
coarse(struct timeline *self, struct view *v, int w)
{
	if (v->filter.text != NULL)
		return NULL;
	load(&self->window, v, VIEW_INDEX | VIEW_ROWS, v->window.from, v->window.to, w);
	return self->window.v;
}

static int
cell_of(const struct timeline *self, const struct view *v, int64_t ts)
{
	return (int)time_bucket(ts, v->window.from, v->window.to, (unsigned)self->w);
}

/* ---- one line */

static void
draw_window(struct timeline *self, struct view *v, struct canvas *c, struct rect r)
{
	struct tally	*y = &v->tallies.lanes;
	struct lost_row	 all = { EVENT_NONE, 0 };
	const uint64_t	*n;
	const struct tally *around = view_tally_around(v, (unsigned)r.w);
	float		*lost;

	if (v->filter.text != NULL || v->window.row1 - v->window.row0 <= ONE_LINE_ROWS)
		view_tally_want(v, y, (unsigned)r.w);
	n = coarse(self, v, r.w);
	if (y->all != NULL && y->nparts == (unsigned)r.w && y->from == v->window.from &&
	    y->to == v->window.to && (y->done || n == NULL))
		n = y->all;
	lost = mem_zalloc((size_t)r.w, sizeof *lost);
	density_lost(v, &all, 1, lost, r.w);
	density_columns(c, r, n, around != NULL ? around->all : NULL, lost, DENSITY_ONLY);
	mem_free(lost);
}

/* The whole trace in w cells at x, with the window in brackets. Takes w + 2 cells. */
static void
draw_minimap(struct timeline *self, struct view *v, struct canvas *c, int y, int x, int w)
{
	const struct window	*in = &v->window;
	int64_t			 end = in->last < INT64_MAX ? in->last + 1 : in->last;
	int			 from, to;

	load(&self->all, v, VIEW_INDEX, in->first, end, w);
	from = (int)time_bucket(in->from, in->first, end, (unsigned)w);
	to = w - 1;
	if (in->to < end)
		to = (int)time_bucket(in->to - 1, in->first, end, (unsigned)w);
	for (int i = 0, at = x; i < w; i++, at++) {
		if (i == from)
			(void)canvas_puts(c, y, at++, 1, ST_STRONG, "[");
		density_column(c, y, at, 1, self->all.v[i], self->all.max, 0, DENSITY_ONLY);
		if (i == to)
			(void)canvas_puts(c, y, ++at, 1, ST_STRONG, "]");
	}
}

/* The minimap at the right end of the line, with the length of the trace. Returns its width. */
static int
draw_short_minimap(struct timeline *self, struct view *v, struct canvas *c, struct rect r)
{
	struct buf	b = { 0 };
	int		w = r.w >= 160 ? 40 : r.w >= 100 ? 24 : r.w >= 60 ? 12 : 0, n;

	if (w == 0)
		return 0;
	buf_puts(&b, " all ");
	view_length(v, &b);
	n = (int)text_width(span_of_buf(&b), TEXT_UTF8);
	(void)canvas_puts(c, r.y, r.x + r.w - n, n, ST_DIM, buf_str(&b));
	buf_release(&b);
	draw_minimap(self, v, c, r.y, r.x + r.w - n - w - 2, w);
	return n + w + 2;
}

/* A sign on a line of its own, or a mark on the line of events. */
static void
put_sign(struct canvas *c, int y, int x, bool apart, const char *sign)
{
	if (apart)
		(void)canvas_puts(c, y, x, 1, ST_STRONG, sign);
	else
		canvas_mark(c, y, x, 1, MARK_HIT);
}

/* The range as [====], ticks for search hits, marks as letters; or marks in their places. */
static void
draw_marks(struct timeline *self, struct view *v, struct canvas *c, int y, int x, bool apart)
{
	const struct tally	*hits = &v->tallies.ticks;
	int64_t			 from, to;

	if (view_range(v, &from, &to) && to > v->window.from && from < v->window.to) {
		int	first = cell_of(self, v, from), last = cell_of(self, v, to - 1);

		for (int i = first; i <= last; i++)
			put_sign(c, y, x + i, apart, i == first ? "[" : i == last ? "]" : "=");
	}
	if (v->search.hits != NULL) {
		view_tally_want(v, &v->tallies.ticks, (unsigned)self->w);
		for (int i = 0; hits->all != NULL && i < (int)hits->nparts && i < self->w; i++)
			if (hits->all[i] > 0 && apart)
				canvas_glyph(c, y, x + i, ST_EVENT, GL_TICK);
			else if (hits->all[i] > 0)
				canvas_mark(c, y, x + i, 1, MARK_HIT);
	}
	for (size_t i = 0; i < v->marks.n; i++) {
		const struct mark	*m = &v->marks.v[i];
		char			 letter[2] = { m->letter != '\0' ? m->letter : '-' };

		if (m->ts >= v->window.from && m->ts < v->window.to)
			put_sign(c, y, x + cell_of(self, v, m->ts), apart, letter);
	}
}

/* Mark the selection on all lines. */
static void
mark_cursor(struct timeline *self, struct view *v, struct canvas *c, struct rect r)
{
	if (!v->sel.has || r.w <= 0 || v->sel.ts < v->window.from || v->sel.ts >= v->window.to)
		return;
	for (int y = r.y; y < r.y + r.h; y++)
		canvas_mark(c, y, r.x + cell_of(self, v, v->sel.ts), 1, MARK_CURSOR);
}

static void
draw_line(struct timeline *self, struct view *v, struct canvas *c, struct rect r)
{
	int		used = draw_short_minimap(self, v, c, r), x = r.x + 1;
	struct buf	b = { 0 };

	if (!v->window.whole && r.w >= 60) {
		view_window_text(v->t, &v->window, &b);
		x += canvas_puts(c, r.y, x, r.w / 2, ST_STRONG, buf_str(&b)) + 1;
		buf_release(&b);
	}
	self->x = x - r.x;
	self->w = r.x + r.w - used - 1 - x;
	self->lanes_y = -1;
	if (self->w <= 0)
		return;
	r = (struct rect){ r.y, x, r.h, self->w };
	draw_window(self, v, c, r);
	draw_marks(self, v, c, r.y, r.x, false);
}

/* ---- lanes */

/* Times at round distances, as many as fit. */
static void
draw_ruler(struct timeline *self, struct view *v, struct canvas *c, int y, int x)
{
	int64_t		from = trace_ns(v->t, v->window.from), to = trace_ns(v->t, v->window.to);
	int64_t		step = 1, at;
	double		least = ((double)to - (double)from) / self->w * 14;
	unsigned	decimals;
	struct buf	b = { 0 };

	for (int i = 0; (double)step < least && step < INT64_MAX / 10; i++)
		step = i % 3 == 1 ? step / 2 * 5 : step * 2;
	decimals = step >= 1000000000 ? 0 : step >= 1000000 ? 3 : step >= 1000 ? 6 : 9;
	at = from - from % step;
	if (from % step > 0 && __builtin_add_overflow(at, step, &at))
		return;
	for (; at < to; at += step) {
		int	cell = cell_of(self, v, trace_ts(v->t, at));

		buf_clear(&b);
		units_secs(&b, at, decimals);
		if (decimals == 0)
			buf_puts(&b, " s");
		canvas_glyph(c, y, x + cell, ST_DIM, GL_VLINE);
		if (cell + 1 + (int)b.len <= self->w)
			(void)canvas_buf(c, y, x + cell + 1, (int)b.len, ST_DIM, &b);
		if (at > INT64_MAX - step)
			break;
	}
	buf_release(&b);
}

static bool
has_marks(const struct view *v)
{
	return v->marks.n > 0 || v->range.set || v->search.hits != NULL;
}

/* A quarter of the pane, and more for a usual name such as "pool worker". */
static int
label_width(const struct view *v, int w)
{
	int	tid = (int)v->display.tid_width, least = tid + 10, n = w / 4 < 36 ? w / 4 : 36;

	if (n < tid + 20)
		n = tid + 20 < w * 3 / 10 ? tid + 20 : w * 3 / 10;
	return n > least ? n : least;
}

static void
draw_lanes(struct timeline *self, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	int		y = r.y, label = label_width(v, r.w), end = r.y + r.h;
	struct buf	b = { 0 };

	self->x = label;
	self->w = r.w - label;
	if (self->w <= 2)
		return;
	view_tally_want(v, &v->tallies.lanes, (unsigned)self->w);
	lanes_load(&self->lanes, v);
	draw_ruler(self, v, c, y, r.x + label);
	if (has_marks(v)) {
		if (r.h >= MARKS_ROWS)
			y++;
		draw_marks(self, v, c, y, r.x + label, true);
	}
	y++;
	if (!v->window.whole) {
		end--;
		buf_puts(&b, "all ");
		view_length(v, &b);
		(void)canvas_puts(c, end, r.x + 1, label - 2, ST_DIM, buf_str(&b));
		buf_release(&b);
		draw_minimap(self, v, c, end, r.x + label, self->w - 2);
	}
	self->lanes_y = y - r.y;
	lanes_draw(&self->lanes, v, c, (struct rect){ y, r.x, end - y, r.w }, label,
	    coarse(self, v, self->w), focus);
	mark_cursor(self, v, c, (struct rect){ r.y, r.x + label, end - r.y, self->w });
}

static void
timeline_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct timeline	*self = arg;

	if (!v->window.any) {
		(void)canvas_puts(c, r.y, r.x + 1, r.w - 1, ST_DIM,
		    v->complete ? "no events" : "no events yet");
	} else if (r.h >= LANES_ROWS) {
		draw_lanes(self, v, c, r, focus);
	} else {
		draw_line(self, v, c, r);
		mark_cursor(self, v, c, (struct rect){ r.y, r.x + self->x, r.h, self->w });
		if (focus)
			canvas_glyph(c, r.y, r.x, ST_FOCUS, GL_POINTER);
	}
}

/* ---- the cell under the cursor */

/* ", 2 gaps, about 39 lost": of gaps that extend beyond the cell, their share. */
static void
lost_text(const struct lost_here *here, struct buf *out)
{
	if (here->gaps == 0)
		return;
	buf_counts(out, ", # gap{s}, ", here->gaps);
	if (here->part && here->lost < 0.5) {
		buf_puts(out, "under 1 lost");
		return;
	}
	buf_puts(out, here->part ? "about " : "");
	buf_counts(out, "# lost", (uint64_t)(here->lost + 0.5));
}

static void
bin_text(struct timeline *self, struct view *v, struct buf *out)
{
	const struct lane	*l = lanes_cursor(&self->lanes);
	const struct tally	*y = &v->tallies.lanes, *hits = &v->tallies.ticks;
	unsigned		 w = (unsigned)self->w, x = (unsigned)cell_of(self, v, v->sel.ts);
	int64_t			 from = time_bucket_start(x, v->window.from, v->window.to, w);
	int64_t			 to = time_bucket_start(x + 1, v->window.from, v->window.to, w);
	struct lost_here	 here;

	if (y->nparts != w || (!y->done && y->upto < to) || l == NULL)
		return;
	buf_puts(out, "cell");
	if (self->x + self->w >= ROOMY) {
		buf_puts(out, " of ");
		view_dur(v, from, to > from || from == INT64_MAX ? to : from + 1, out);
	}
	buf_counts(out, ": # event{s}", lanes_count(&self->lanes, v, l, x));
	here = lanes_lost(&self->lanes, v, l, (int)x, (int)w);
	lost_text(&here, out);
	if (v->search.hits != NULL && hits->all != NULL && hits->nparts == w &&
	    hits->all[x] > 0)
		buf_counts(out, ", # hit{s}", hits->all[x]);
}

static void
timeline_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct timeline	*self = arg;

	if (!v->window.any)
		return;
	view_window_text(v->t, &v->window, left);
	if (self->lanes_y < 0)
		return;
	if (self->lanes.sort != LANES_EVENTS || self->x + self->w >= ROOMY)
		buf_printf(left, "  sorted by %s", lane_sort_names[self->lanes.sort]);
	if (self->lanes.around != NULL)
		buf_puts(left, "  the activity is highlighted");
	if (self->lanes.hidden > 0)
		buf_printf(left, ", %zu empty lane%s hidden", self->lanes.hidden,
		    self->lanes.hidden == 1 ? "" : "s");
	if (!v->complete && !v->following)
		buf_puts(left, ", indexing");
	else if (v->complete && !v->tallies.lanes.done && v->tallies.lanes.wanted)
		buf_printf(left, "%s%u %%", v->tallies.lanes.stopped ? ", stopped at " :
		    ", counting ", percent_of(tally_share(&v->tallies.lanes)));
	if (v->tallies.lanes.cut)
		buf_puts(left, ", earlier spans that reach into the window are not shown");
	if (v->sel.has && self->w > 0 && v->sel.ts >= v->window.from && v->sel.ts < v->window.to)
		bin_text(self, v, right);
}

/* ---- moving */

/* The first (dir > 0) or last event of the thread among some rows from `row` on. If there is
   none: row. */
static uint64_t
row_of_thread(struct view *v, uint64_t row, uint32_t thread, int dir)
{
	struct event	e;

	for (uint64_t i = 0, r = row; i < SCAN_MAX && r >= v->window.row0 && r < v->window.row1;
	    i++, r = dir > 0 ? r + 1 : r - 1)
		if (trace_event(v->t, r, &e) == 1 && e.thread == thread)
			return r;
	return row;
}

/* Move by a cell: to the first event in it or, in this direction, after it. */
static bool
move_side(struct timeline *self, struct view *v, int64_t n)
{
	const struct lane	*l = lanes_cursor(&self->lanes);
	uint64_t		 before = v->sel.row, row;
	int64_t			 cell, ts;

	if (self->w <= 0)
		return false;
	cell = (int64_t)cell_of(self, v, v->sel.ts) + n;
	cell = cell < 0 ? 0 : cell > self->w ? self->w : cell;
	ts = time_bucket_start((unsigned)cell, v->window.from, v->window.to, (unsigned)self->w);
	row = trace_row_at(v->t, ts);
	if (n > 0 && row <= before)
		row = before + 1;
	if (n < 0 && row >= before)
		row = before > v->window.row0 ? before - 1 : before;
	if (row >= v->window.row1)
		row = v->window.row1 - 1;
	if (self->lanes_y >= 0 && l != NULL && l->kind == LANE_THREAD)
		row = row_of_thread(v, row, l->thread, n > 0 ? 1 : -1);
	view_select_toward(v, row, n > 0 ? 1 : -1);
	return v->sel.row != before;
}

static bool
timeline_move(void *arg, struct view *v, struct move m)
{
	struct timeline	*self = arg;
	uint64_t	 count = view_count(v), index = view_index(v);

	if (self->lanes_y >= 0 && (m.kind == MOVE_LINES || m.kind == MOVE_PAGES ||
	    m.kind == MOVE_HALVES))
		return list_move(&self->lanes.list, m);
	if (m.kind == MOVE_LAST)
		view_select_last(v);
	if (count == 0)
		return m.kind == MOVE_LAST && v->sel.to_last;
	switch (m.kind) {
	case MOVE_SIDE:
		return move_side(self, v, m.n);
	case MOVE_FIRST:
		view_select(v, 0);
		break;
	case MOVE_LAST:
		break;
	default:
		view_select(v, list_add(index, m.n * (m.kind == MOVE_LINES ? 1 : 20), count - 1));
	}
	return view_index(v) != index;
}

static uint32_t
timeline_thread(void *arg, struct view *v)
{
	struct timeline		*self = arg;
	const struct lane	*l = lanes_cursor(&self->lanes);

	(void)v;
	return self->lanes_y >= 0 && l != NULL ? l->thread : EVENT_NONE;
}

/* The thread of the lane under the cursor. */
static bool
timeline_field(void *arg, struct view *v, struct field_at *out)
{
	struct thread_stat	st;
	uint32_t		thread = timeline_thread(arg, v);

	if (thread == EVENT_NONE || thread >= trace_threads(v->t))
		return false;
	trace_thread(v->t, thread, &st);
	if (!st.has_tid)
		return false;
	buf_puts(&out->name, "tid");
	buf_u64(&out->value, st.tid);
	buf_add(&out->text, out->value.p, out->value.len);
	return true;
}

static bool
timeline_time_at(void *arg, struct view *v, int x, int64_t *ts)
{
	struct timeline	*self = arg;

	x -= self->x;
	if (self->w <= 0 || x < 0 || x >= self->w || !v->window.any)
		return false;
	*ts = time_bucket_start((unsigned)x, v->window.from, v->window.to, (unsigned)self->w);
	return true;
}

static bool
timeline_point(void *arg, struct view *v, int y, int x)
{
	struct timeline	*self = arg;
	uint64_t	 lane;
	int64_t		 ts;

	if (self->lanes_y >= 0 && y >= self->lanes_y && self->lanes.height > 0) {
		lane = self->lanes.list.top + (uint64_t)((y - self->lanes_y) / self->lanes.height);
		if (lane < self->lanes.n)
			self->lanes.list.cursor = lane;
	}
	if (timeline_time_at(arg, v, x, &ts))
		view_select_toward(v, trace_row_at(v->t, ts), 1);
	return true;
}

static const char	no_lanes[] = "not enough room for lanes (z maximises the pane)";

static bool
timeline_sort(void *arg, struct view *v, const char *name)
{
	struct timeline	*self = arg;

	if (self->lanes_y >= 0)
		return lanes_sort(&self->lanes, v, name);
	view_say(v, "%s", no_lanes);
	return false;
}

static void
timeline_sorts(void *arg, struct view *v, sort_offer *offer, void *to)
{
	const struct timeline	*self = arg;

	if (self->lanes_y >= 0)
		lanes_sorts(&self->lanes, v, offer, to);
	else
		view_say(v, "%s", no_lanes);
}

static bool
timeline_pin(void *arg, struct view *v, const char *which)
{
	struct timeline	*self = arg;

	if (self->lanes_y >= 0 || which[0] != '\0')
		return lanes_pin(&self->lanes, v, which);
	view_say(v, "%s", no_lanes);
	return true;
}

/* The state that is saved with the trace. */
static void
timeline_keep(void *arg, keep_put *put, void *to)
{
	lanes_keep(&((struct timeline *)arg)->lanes, put, to);
}

static void
timeline_act(void *arg, struct view *v, int64_t what, const char *unused)
{
	struct timeline	*self = arg;

	(void)unused;
	if (what == LANES_HIDE)
		lanes_hide(&self->lanes, v);
	else
		lane_spans_switch(&self->lanes.spans, v, self->lanes.with_spans);
	if (self->lanes_y < 0)
		buf_puts(&v->message, " (Alt-1 shows lanes)");
}

static void
timeline_release(void *arg)
{
	struct timeline	*self = arg;

	mem_free(self->window.v);
	mem_free(self->all.v);
	lanes_release(&self->lanes);
}

static int
timeline_lines(void *arg, struct view *v, bool opened)
{
	int	lanes = trace_threads(v->t) < LANES_MOST ? (int)trace_threads(v->t) : LANES_MOST;

	(void)arg;
	return FRAME_LINES + (opened ? (lanes + 1) * lanes_height_most(v) : lanes);
}

static const struct legend	legend[] = {
	{ "\xe2\x96\x81\xe2\x96\x83\xe2\x96\x85\xe2\x96\x88", ".-+@",
	    "Events: the busiest cell of the lane is the highest." },
	{ "\xe2\x96\x91 \xe2\x96\x92 \xe2\x96\x93", "/ % $",
	    "Lost events: fewer than 10 in the cell, fewer than 1,000, more." },
	{ "underlined", "underlined", "Some events of the cell were lost." },
	{ "\xc2\xb7", "-", "Not counted yet." },
	{ "[\xe2\x96\x83\xe2\x96\x85]", "[-+]", "In the line of the whole trace: the window." },
	{ "[==]", "[==]", "Above the lanes: the range (v)." },
	{ "\xe2\x96\xbe", "v", "Above the lanes: hits of the search." },
	{ "a -", "a -", "Above the lanes: a mark by its letter, or one without." },
	{ "*", "*", "A pinned lane (p)." },
	{ "\xe2\x97\x82\xe2\x96\x88 \xe2\x96\x88\xe2\x96\xb8", "<@ @>",
	    "Spans: begun before the window or trace; ended after it, or never." },
	{ "\xe2\x94\x84\xe2\x94\x84", "::",
	    "A doubtful span: its thread lost events between start and stop." },
	{ NULL, NULL, NULL },
};

const struct pane_ops	pane_timeline = {
	.hints = "zoom-in zoom-out range spans-in-lanes sort pin-lane help",
	.legend = legend,
	.size = sizeof(struct timeline),
	.release = timeline_release,
	.title = timeline_title,
	.draw = timeline_draw,
	.lines = timeline_lines,
	.move = timeline_move,
	.thread = timeline_thread,
	.field = timeline_field,
	.point = timeline_point,
	.time_at = timeline_time_at,
	.sort = timeline_sort,
	.sorts = timeline_sorts,
	.pin = timeline_pin,
	.keep = timeline_keep,
	.act = timeline_act,
};

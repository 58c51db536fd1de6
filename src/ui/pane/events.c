/*
 * The events in time order. An event after a gap has a row above it; on request, so has the
 * earliest event of each block.
 *
 *	index 7		 1.604311 +0.8 us  25 Demo-Storm/Drop   number=41877
 *			 -- 25: 350 events lost within 1.204 ms (number 41,878 .. 42,227) --
 *	index 8 (cursor)	>1.605516 +1.2 ms  25 Demo-Storm/Drop   number=42228
 *
 * Invariant: the only saved position is the screen line of the cursor. What is above and below
 * follows from the list. So a change of filter or window leaves the selected event on its line, and
 * so do rows that arrive above it. Keys move from the cursor, not from the last drawing, so every
 * key counts even if several arrive before a frame.
 */
#include <string.h>

#include "tnav/base/num.h"
#include "tnav/engine/head.h"
#include "ui/pane/pane.h"

#include "ui/view/collapse.h"
#include "ui/pane/events_row.h"

#define GAPS_MAX	64	/* gaps drawn at one place */
#define HEADING_MIN	10	/* with fewer lines there are no titles */

/* An event that was on the cursor's line, and that line. */
struct stand {
	bool		has;
	int		line;
	int64_t		ts;
	uint64_t	off, row;
};

struct events {
	int		line;		/* of the cursor, counted from the first row */
	int		h, w;
	bool		headed;		/* the first line has the titles */
	struct stand	stood;		/* when `seen` was drawn */
	struct stand	typed;		/* when a search began to be typed */
	struct view_changes seen;
	struct row_view	cells;
	struct collapse	runs;
};

/* ---- rows: a run of repeated events is one row */

static uint64_t
run_of(struct events *self, struct view *v, uint64_t index, uint32_t *n)
{
	uint64_t	first, past = view_past(v, index, &first);

	*n = past > 0 ? (uint32_t)past : 1;
	return past == 0 && v->display.collapse ? collapse_run(&self->runs, v, index, n) : first;
}

/* The row after the one that contains the index. */
static uint64_t
next_of(struct events *self, struct view *v, uint64_t index)
{
	uint32_t	n;
	uint64_t	first = run_of(self, v, index, &n);

	return first + n;
}

/* The row before it. Index 0 has none. */
static uint64_t
previous_of(struct events *self, struct view *v, uint64_t index)
{
	uint32_t	n;
	uint64_t	first = run_of(self, v, index, &n);

	return first > 0 ? run_of(self, v, first - 1, &n) : 0;
}

static bool
is_first(struct events *self, struct view *v, uint64_t index)
{
	uint32_t	n;

	return run_of(self, v, index, &n) == 0;
}

/* ---- gaps: above the event after them; below the previous event if there is none after them */

/*
 * Is there a row above the event? If a sequence point reported the loss, it is already below the
 * previous event. A gap that is not kept can only be shown here.
 */
static bool
gap_above(struct view *v, const struct event *e)
{
	if ((e->flags & EVENT_LOST) == 0 || trace_event_lost(v->t, e) == 0)
		return false;
	return gaps_before(&v->gaps, e) != NULL || v->gaps.loss.kept < v->gaps.loss.gaps;
}

/* Gaps without an event after them: above the event at the index, or below it if it is the last
   one. */
static size_t
gaps_alone(struct view *v, uint64_t index, const struct event *e, bool below,
    const struct gap **out)
{
	struct event	before;
	uint64_t	row;
	bool		first = index == 0 || view_event(v, index - 1, &before, &row) != 1;

	if (below)
		return index + 1 < view_count(v) ? 0 : view_gaps_alone(v, e, NULL, out, GAPS_MAX);
	return view_gaps_alone(v, first ? NULL : &before, e, out, GAPS_MAX);
}

/* ---- blocks: above their earliest event */

static bool
block_begins(struct view *v, const struct event *e, struct block *b)
{
	return v->display.blocks && trace_block(v->t, e, b) && b->first == e->off;
}

/* Extra lines above and below a row. */
struct extra_lines {
	int	above, below;
};

static struct extra_lines
extra_of(struct events *self, struct view *v, uint64_t index)
{
	const struct gap	*gaps[GAPS_MAX];
	struct extra_lines	g = { 0, 0 };
	struct block		b;
	struct event		e;
	uint64_t		row, first;
	uint32_t		n;

	if (v->gaps.n == 0 && !v->display.blocks)
		return g;
	first = run_of(self, v, index, &n);
	if (view_event(v, first, &e, &row) != 1)
		return g;
	g.above = block_begins(v, &e, &b);
	if (v->gaps.n == 0)
		return g;
	g.above += gap_above(v, &e) + (int)gaps_alone(v, first, &e, false, gaps);
	if (n > 1 && view_event(v, first + n - 1, &e, &row) != 1)
		return g;
	g.below = (int)(gaps_open_after(&v->gaps, &e, gaps, GAPS_MAX) +
	    gaps_alone(v, first + n - 1, &e, true, gaps));
	return g;
}

/* A row: the line of its event, and the extra lines around it. */
struct row_walk {
	uint64_t		index;
	int			y;
	struct extra_lines	g;
};

static struct row_walk
walk_from(struct events *self, struct view *v, uint64_t index, int y)
{
	return (struct row_walk){ index, y, extra_of(self, v, index) };
}

/* Go to the next row of so many. False: there is none. */
static bool
walk_down(struct events *self, struct view *v, struct row_walk *w, uint64_t count)
{
	uint64_t	next = next_of(self, v, w->index);

	if (next >= count)
		return false;
	*w = walk_from(self, v, next, w->y + w->g.below + 1);
	w->y += w->g.above;
	return true;
}

static bool
walk_up(struct events *self, struct view *v, struct row_walk *w)
{
	if (is_first(self, v, w->index))
		return false;
	*w = walk_from(self, v, previous_of(self, v, w->index), w->y - w->g.above - 1);
	w->y -= w->g.below;
	return true;
}

/* The number of lines above the cursor's that rows can fill, up to max. */
static int
lines_above(struct events *self, struct view *v, uint64_t cursor, int max)
{
	struct row_walk	w = walk_from(self, v, cursor, 0);

	while (w.g.above - w.y < max && walk_up(self, v, &w))
		;
	return w.g.above - w.y < max ? w.g.above - w.y : max;
}

/* The number of lines from the cursor's on that rows can fill, up to max. */
static int
lines_below(struct events *self, struct view *v, uint64_t cursor, uint64_t count, int max)
{
	struct row_walk	w = walk_from(self, v, cursor, 1);

	while (w.y + w.g.below < max && walk_down(self, v, &w, count))
		;
	return w.y + w.g.below < max ? w.y + w.g.below : max;
}

/* ---- the cursor's line */

static uint64_t
index_of(const struct view *v, uint64_t row)
{
	if (v->filter.q != NULL)
		return query_index(v->filter.q, row);
	return row > v->window.row0 ? row - v->window.row0 : 0;
}

/* The line of one index, given that another is on the cursor's line. If it is off the screen: a
   third down. */
static int
line_from(struct events *self, struct view *v, uint64_t from, uint64_t to)
{
	struct row_walk	w = walk_from(self, v, from, self->line);

	while (w.y < self->h && walk_down(self, v, &w, to + 1))
		;
	while (w.y >= 0 && w.index > to && walk_up(self, v, &w))
		;
	return w.y >= 0 && w.y < self->h ? w.y : self->h / 3;
}

/* Remember that the cursor is where it should be, so that later changes are noticed. */
static void
stand(struct events *self, const struct view *v)
{
	self->stood = (struct stand){ .has = v->sel.has, .line = self->line, .ts = v->sel.ts,
	    .off = v->sel.off, .row = v->sel.row };
	self->seen = v->changes;
}

/*
 * Another pane, or a search, has selected another event. If that is on the screen, it keeps its
 * line. An event whose row number changes because the trace grows stays on the cursor's line, and
 * so does what a new filter or window leaves.
 *
 * While a search is typed, each hit is shown as seen from where the search began: the last screen
 * does not depend on how fast the text was typed.
 */
static void
follow(struct events *self, struct view *v, uint64_t cursor)
{
	const struct stand	*from = self->typed.has ? &self->typed : &self->stood;

	if (!from->has) {
		self->line = self->h / 3;
	} else if (view_changed(v, &self->seen, VIEW_SCOPE)) {
		self->typed.has = false;
	} else {
		if (self->typed.has)
			self->line = from->line;
		if (from->ts != v->sel.ts || from->off != v->sel.off)
			self->line = line_from(self, v, index_of(v, from->row), cursor);
		if (!v->search.typed)
			self->typed.has = false;
		else if (!self->typed.has)
			self->typed = self->stood;
	}
}

/* Move the cursor's line so that the screen is filled. */
static void
arrange(struct events *self, struct view *v, uint64_t cursor, uint64_t count, int h)
{
	int	below;

	self->h = h;
	follow(self, v, cursor);
	if (self->line >= h)
		self->line = h - 1;
	if (self->line < 0)
		self->line = 0;
	if (self->line == 0 && h > 1)	/* the row of a gap belongs to the event */
		self->line = extra_of(self, v, cursor).above;
	self->line = lines_above(self, v, cursor, self->line);
	below = lines_below(self, v, cursor, count, h - self->line);
	if (below < h - self->line)
		self->line = lines_above(self, v, cursor, h - below);
	stand(self, v);
}

/* The indexes of the first and the last row on the screen. */
struct screen_rows {
	uint64_t	first, last;
};

static struct screen_rows
ends_of(struct events *self, struct view *v, uint64_t cursor, uint64_t count)
{
	struct row_walk		up = walk_from(self, v, cursor, self->line), down = up;
	struct screen_rows	on = { cursor, cursor };

	while (up.y - up.g.above > 0 && walk_up(self, v, &up))
		on.first = up.index;
	while (walk_down(self, v, &down, count) && down.y < self->h)
		on.last = down.index;
	return on;
}

/* ---- rows */

static void
draw_gap(struct view *v, struct canvas *c, struct rect r, int y, const struct event *e,
    const struct gap *g)
{
	struct buf	b = { 0 };

	if (y < r.y || y >= r.y + r.h)
		return;
	buf_puts(&b, "\xe2\x94\x80\xe2\x94\x80 ");
	view_thread_text(v, g != NULL ? g->thread : e->capture, &b);
	buf_puts(&b, ": ");
	if (g != NULL) {
		view_gap_text(v, g, &b);
	} else {
		buf_counts(&b, "# events lost", trace_event_lost(v->t, e));
	}
	buf_puts(&b, " \xe2\x94\x80\xe2\x94\x80");
	(void)canvas_puts(c, y, r.x + 1, r.w - 1, ST_GAP, buf_str(&b));
	buf_release(&b);
}

static void
draw_block(struct view *v, struct canvas *c, struct rect r, int y, const struct event *e,
    const struct block *block)
{
	struct buf	b = { 0 };

	if (y < r.y)
		return;
	buf_puts(&b, "\xe2\x94\x80\xe2\x94\x80 block ");
	view_block_text(v, block, e, &b);
	buf_puts(&b, " \xe2\x94\x80\xe2\x94\x80");
	(void)canvas_puts(c, y, r.x + 1, r.w - 1, ST_DIM, buf_str(&b));
	buf_release(&b);
}

static void
draw_past(uint64_t first, uint64_t n, struct canvas *c, struct rect r, int y)
{
	struct buf	b = { 0 };

	view_past_text(first, n, &b);
	(void)canvas_buf(c, y, r.x + 1, r.w - 1, ST_DIM, &b);
	buf_release(&b);
}

/* Draw the row that contains the index, with its event on line y, and the lines around it. */
static void
draw_index(struct events *self, struct view *v, struct canvas *c, struct rect r,
    const struct row_layout *l, uint64_t index, int y)
{
	struct event		e, last, before;
	uint64_t		row, other;
	int64_t			from, to;
	uint32_t		n;
	uint64_t		first = run_of(self, v, index, &n);
	struct column_row	cells = { .v = v, .e = &e };
	const struct gap	*gaps[GAPS_MAX];
	struct block		block;
	size_t			ngaps;
	int			above = y;

	if (view_past(v, index, &first) > 0) {
		draw_past(first, n, c, r, y);
		return;
	}
	if (view_event(v, first, &e, &row) != 1) {
		(void)canvas_puts(c, y, r.x + 1, r.w - 1, ST_ERROR, "(this row cannot be read)");
		return;
	}
	if (first > 0 && view_event(v, first - 1, &before, &other) == 1)
		cells.before = &before;
	cells.row = row;
	row_draw(l, &self->cells, &cells, c, r, y, n);
	if (row >= v->sure)
		(void)canvas_puts(c, y, r.x, 1, ST_DIM, "~");
	if (view_range(v, &from, &to) && e.ts >= from && e.ts < to)
		canvas_glyph(c, y, r.x, ST_STRONG, GL_VLINE);
	if (block_begins(v, &e, &block))
		draw_block(v, c, r, --above, &e, &block);
	if (v->gaps.n == 0)
		return;
	if (gap_above(v, &e))
		draw_gap(v, c, r, --above, &e, gaps_before(&v->gaps, &e));
	for (size_t i = gaps_alone(v, first, &e, false, gaps); i-- > 0; )
		draw_gap(v, c, r, --above, &e, gaps[i]);
	last = e;
	if (n > 1 && view_event(v, first + n - 1, &last, &other) != 1)
		return;
	ngaps = gaps_open_after(&v->gaps, &last, gaps, GAPS_MAX);
	for (size_t i = 0; i < ngaps; i++)
		draw_gap(v, c, r, ++y, &last, gaps[i]);
	ngaps = gaps_alone(v, first + n - 1, &last, true, gaps);
	for (size_t i = 0; i < ngaps; i++)
		draw_gap(v, c, r, ++y, &last, gaps[i]);
}

/* ---- an empty list: the reason */

static void
draw_empty(struct view *v, struct canvas *c, struct rect r)
{
	int		y = r.y + (r.h > 2 ? r.h / 2 - 1 : 0);
	const char	*keys = "";
	struct buf	b = { 0 };

	if (view_work(v) <= WORK_LIST) {
		buf_puts(&b, "searching (Esc stops)");
	} else if (!v->window.any) {
		buf_puts(&b, v->complete ? "this trace has no events" : "no events yet");
	} else if (v->filter.text == NULL) {
		buf_puts(&b, "no events in this time window");
		keys = "0 shows the whole trace";
	} else {
		buf_printf(&b, "no event %smatches the filter %s", v->window.whole ? "" :
		    "in this window ", v->filter.text);
		keys = v->window.whole ? "X drops the last term" :
		    "X drops the last term, 0 shows the whole trace";
	}
	(void)canvas_buf(c, y, r.x + 2, r.w - 4, ST_STRONG, &b);
	if (r.h > 1)		/* the keys must be visible even after a long filter */
		(void)canvas_puts(c, y + 1, r.x + 2, r.w - 4, ST_KEY, keys);
	buf_release(&b);
}

static void
draw_rows(struct events *self, struct view *v, struct canvas *c, struct rect r,
    const struct row_layout *l, uint64_t count)
{
	struct row_walk	up = walk_from(self, v, view_index(v), r.y + self->line), down = up;

	draw_index(self, v, c, r, l, up.index, up.y);
	while (up.y - up.g.above > r.y && walk_up(self, v, &up))
		if (up.y >= r.y)
			draw_index(self, v, c, r, l, up.index, up.y);
	while (walk_down(self, v, &down, count) && down.y < r.y + r.h)
		draw_index(self, v, c, r, l, down.index, down.y);
}

/* During a search, the last column represents the whole list: hits, and the part on the screen. */
static void
draw_scrollbar(struct events *self, struct view *v, struct canvas *c, struct rect r,
    uint64_t count)
{
	const struct tally	*y = &v->tallies.bar;
	struct screen_rows	 on = ends_of(self, v, view_index(v), count);
	int			 x = r.x + r.w, first, last;

	if (v->filter.q == NULL || query_done(v->filter.q))
		view_tally_want(v, &v->tallies.bar, (unsigned)r.h);
	canvas_vline(c, r.y, x, r.h, ST_TITLE);
	for (int i = 0; i < r.h && y->all != NULL && y->nparts == (unsigned)r.h; i++)
		if (y->all[i] > 0)
			canvas_glyph(c, r.y + i, x, ST_EVENT, GL_HIT);
	first = (int)((unsigned __int128)on.first * (unsigned)r.h / count);
	last = (int)((unsigned __int128)on.last * (unsigned)r.h / count);
	for (int i = first; i <= last && i < r.h; i++)
		canvas_mark(c, r.y + i, x, 1, MARK_CURSOR);
}

/* Measure the widths of values around the cursor, for about one screen. */
static void
measure(struct events *self, struct view *v, uint64_t count, int h)
{
	struct column_set	*cs = &v->display.columns;
	uint64_t		 at = view_index(v), from = at > (uint64_t)h ? at - (uint64_t)h : 0;
	struct event		 e;
	struct column_row	 row = { .v = v, .e = &e };
	bool			 any = false;

	for (size_t i = 0; i < cs->n; i++)
		any |= cs->v[i].kind->fits && column_shown(cs, &cs->v[i], cs->w);
	for (; any && from < count && from < at + (uint64_t)h; from++) {
		if (view_event(v, from, &e, &row.row) != 1)
			continue;
		for (size_t i = 0; i < cs->n; i++)
			if (column_shown(cs, &cs->v[i], cs->w))
				column_measure(&cs->v[i], &row, &self->cells.cell);
	}
}

static void
events_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct events		*self = arg;
	struct row_layout	 l;
	uint64_t		 count = view_count(v);

	if (r.h <= 0)
		return;
	if (count == 0) {
		draw_empty(v, c, r);
		return;
	}
	r.w -= v->search.hits != NULL;		/* for the scroll bar */
	measure(self, v, count, r.h);
	row_layout(&l, &self->cells, v, r);
	self->w = r.w;
	self->headed = r.h >= HEADING_MIN;
	if (self->headed) {
		row_heading(&l, &self->cells, v, c, r, focus);
		r.y++;
		r.h--;
	}
	arrange(self, v, view_index(v), count, r.h);
	draw_rows(self, v, c, r, &l, count);
	pane_cursor_row(c, r, r.y + self->line, focus);
	if (v->search.hits != NULL)
		draw_scrollbar(self, v, c, r, count);
}

/* Name a mode that changes the list. */
static void
put_mode(struct buf *left, const char *words)
{
	buf_printf(left, left->len > 0 ? "  (%s)" : "%s", words);
}

static void
events_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	(void)arg;
	if (v->filter.text != NULL)
		buf_printf(left, "f: %s", v->filter.text);
	if (v->filter.off)
		put_mode(left, "filters off, Alt-f: on");
	if (v->display.time_format == TIME_DELTA)
		put_mode(left, "times relative to the cursor");
	if (v->display.time_format == TIME_RELATIVE && v->display.has_zero)
		put_mode(left, "times relative to a chosen event, T resets");
	if (v->display.collapse)
		put_mode(left, "repeats collapsed");
	if (v->display.blocks)
		put_mode(left, "with blocks");
	if (v->following && v->window.row1 > v->sure)
		put_mode(left, "~ may still move");
	buf_grouped(right, view_count(v));
	if (v->filter.text != NULL || !v->window.whole)
		buf_counts(right, " of #", trace_rows_kept(v->t));
	if (v->filter.q != NULL && !query_done(v->filter.q))
		buf_printf(right, ", %u %% searched", percent_of(query_share(v->filter.q)));
	if (v->filter.q != NULL && query_remark(v->filter.q) != NULL)
		buf_printf(right, " (%s)", query_remark(v->filter.q));
}

/* ---- moving */

/* The last event of the screen becomes the first. The cursor keeps its line. */
static void
page_down(struct events *self, struct view *v, uint64_t i, uint64_t count)
{
	struct row_walk	w = walk_from(self, v, i, 0), to = w;

	while (walk_down(self, v, &w, count) && w.y <= self->line)
		to = w;
	self->line = to.y;
	view_select(v, to.index);
}

static void
page_up(struct events *self, struct view *v, uint64_t i)
{
	struct row_walk	w = walk_from(self, v, i, self->h - 1), to = w;

	while (walk_up(self, v, &w) && w.y >= self->line)
		to = w;
	self->line = to.y;
	view_select(v, to.index);
}

static void
move_lines(struct events *self, struct view *v, uint64_t cursor, uint64_t count, int64_t n)
{
	struct row_walk	w = walk_from(self, v, cursor, self->line);

	if (n <= -self->h || n >= self->h) {
		view_select(v, view_past_skip(v, cursor, list_add(cursor, n, count - 1)));
		return;
	}
	for (; n > 0 && walk_down(self, v, &w, count); n--)
		;
	for (; n < 0 && walk_up(self, v, &w); n++)
		;
	self->line = w.y;
	view_select(v, w.index);
}

static void
move_pages(struct events *self, struct view *v, uint64_t cursor, uint64_t count, int64_t n)
{
	struct screen_rows	on = ends_of(self, v, cursor, count);

	if (n == 1)
		page_down(self, v, on.last, count);
	else if (n == -1)
		page_up(self, v, on.first);
	else
		view_select(v, view_past_skip(v, cursor, list_add(cursor, n * self->h, count - 1)));
}

/* The number of cells by which the longest text of the current column on the screen is cut. */
static int
cells_cut(struct events *self, struct view *v, uint64_t count)
{
	struct screen_rows	 on = ends_of(self, v, view_index(v), count);
	struct event		 e;
	struct column_row	 row = { .v = v, .e = &e };
	struct row_layout	 l;
	int			 cut = 0, n;

	row_layout(&l, &self->cells, v, (struct rect){ 0, 0, 1, self->w });
	for (uint64_t i = on.first; i <= on.last; i = next_of(self, v, i)) {
		if (view_event(v, i, &e, &row.row) != 1)
			continue;
		n = row_cut(&l, &self->cells, &row);
		cut = n > cut ? n : cut;
	}
	return cut;
}

static bool
move_side(struct events *self, struct view *v, int64_t n, uint64_t count)
{
	if (count == 0 || !row_side(&self->cells, v, n, self->w,
	    n > 0 ? cells_cut(self, v, count) : 0))
		return false;
	if (!self->headed)	/* no title shows the current column */
		view_say(v, "column: %s", v->display.columns.v[self->cells.at].name);
	return true;
}

static void
events_follow(void *arg, struct view *v)
{
	struct events	*self = arg;
	uint64_t	 count = view_count(v);

	if (count > 0 && self->h > 0)
		arrange(self, v, view_index(v), count, self->h);
}

static bool
events_move(void *arg, struct view *v, struct move m)
{
	struct events	*self = arg;
	uint64_t	 count = view_count(v), cursor = view_index(v);

	events_follow(self, v);
	if (m.kind == MOVE_SIDE)
		return move_side(self, v, m.n, count);
	if (m.kind == MOVE_LAST)
		view_select_last(v);
	if (count == 0)
		return m.kind == MOVE_LAST && v->sel.to_last;
	switch (m.kind) {
	case MOVE_LINES:
		move_lines(self, v, cursor, count, m.n);
		break;
	case MOVE_PAGES:
		move_pages(self, v, cursor, count, m.n);
		break;
	case MOVE_HALVES:
		view_select(v, view_past_skip(v, cursor, list_add(cursor,
		    m.n * (self->h > 1 ? self->h / 2 : 1), count - 1)));
		break;
	case MOVE_FIRST:
		self->line = 0;
		view_select(v, 0);
		break;
	case MOVE_LAST:
		self->line = self->h;
		break;
	case MOVE_TO:
	case MOVE_SIDE:
		break;
	}
	stand(self, v);
	return view_index(v) != cursor;
}

/* ---- what is under the cursor */

static bool
events_field(void *arg, struct view *v, struct field_at *out)
{
	struct events		*self = arg;
	struct event		 e;
	struct column_row	 row = { .v = v, .e = &e, .row = v->sel.row };

	if (view_selected(v, &e) != 1 || self->cells.at >= v->display.columns.n)
		return false;
	(void)column_cell(&v->display.columns.v[self->cells.at], &row, out);
	return true;
}

static void
events_release(void *arg)
{
	struct events	*self = arg;

	field_at_release(&self->cells.cell);
	collapse_release(&self->runs);
}

/* Move to the row that is drawn on a line. A line of a gap belongs to the event that it is next
   to. */
static bool
events_point(void *arg, struct view *v, int y, int x)
{
	struct events	*self = arg;
	struct row_walk	 w = walk_from(self, v, view_index(v), self->line);
	uint64_t	 count = view_count(v);
	int		 line = y - self->headed;

	(void)x;
	if (y == self->headed - 1)
		view_say(v, "events stay in time order; > lists the greatest delta or dur");
	if (line < 0 || count == 0)
		return false;
	while (line > w.y + w.g.below && walk_down(self, v, &w, count))
		;
	while (line < w.y - w.g.above && walk_up(self, v, &w))
		;
	self->line = w.y;
	view_select(v, w.index);
	stand(self, v);
	return true;
}

static const struct legend	legend[] = {
	{ "\xe2\x94\x80\xe2\x94\x80 7: \xe2\x80\xa6", "-- 7: ...",
	    "Events of thread 7 were lost there." },
	{ "\xe2\x94\x82", "|", "At the left: the row lies in the range." },
	{ "\xc3\x97""3", "x3", "Three repeats of the event, collapsed." },
	{ "\xe2\x97\x82", "<", "At the right: hits of the search in this part of the list." },
	{ "\xe2\x80\xa6", "~", "The text continues." },
	{ NULL, NULL, NULL },
};

const struct pane_ops	pane_events = {
	.hints = "filter help threads=threads timeline=timeline summary search open next-gap "
	    "sort=greatest panes command",
	.legend = legend,
	.size = sizeof(struct events),
	.release = events_release,
	.title = events_title,
	.draw = events_draw,
	.follow = events_follow,
	.move = events_move,
	.point = events_point,
	.field = events_field,
};

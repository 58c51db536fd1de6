/*
 * The threads, those that lost most first.
 *
 * Invariant: the cursor stands on a thread, not on a line: a new order takes it along.
 */
#include <assert.h>
#include <stdlib.h>

#include "tnav/base/mem.h"
#include "tnav/ui/pane.h"

#define TALLY_BINS	20u

struct threads {
	struct list		 list;
	struct thread_stat	*st;
	uint64_t		 gen;
	unsigned		 round;		/* of the tally that it shows */
	int64_t			 from, to;
	bool			 loaded, named;
};

static int
by_lost(const void *a, const void *b)
{
	const struct thread_stat	*x = a, *y = b;

	if (x->lost != y->lost)
		return x->lost > y->lost ? -1 : 1;
	if (x->c.events != y->c.events)
		return x->c.events > y->c.events ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

/* The counts of a window in place of those of the whole trace. The snapshot is by index. */
static void
take_window(struct threads *self, struct view *v)
{
	uint64_t	n = self->list.n;

	for (uint64_t i = 0; i < n; i++) {
		assert(self->st[i].thread == i);
		self->st[i].lost = self->st[i].gaps = 0;
		self->st[i].c.events = v->tally.events != NULL && i < v->tally.threads ?
		    v->tally.events[i] : 0;
	}
	for (size_t i = 0; i < v->ngaps; i++) {
		const struct gap	*g = &v->gaps[i];

		if (g->to < v->from || g->from >= v->to || g->thread >= n)
			continue;
		self->st[g->thread].lost += g->lost;
		self->st[g->thread].gaps++;
	}
}

static bool
is_current(const struct threads *self, const struct view *v)
{
	return self->loaded && self->gen == v->gen && self->round == v->tally.round &&
	    self->from == v->from && self->to == v->to;
}

static void
load(struct threads *self, struct view *v)
{
	uint32_t	stood = self->loaded && self->list.cursor < self->list.n ?
			    self->st[self->list.cursor].thread : EVENT_NONE;

	view_tally_want(v, &v->tally, TALLY_BINS);
	if (is_current(self, v))
		return;
	mem_free(self->st);
	self->st = NULL;
	self->list.n = trace_thread_stats(v->t, &self->st);
	self->named = false;
	for (uint64_t i = 0; i < self->list.n; i++)
		self->named |= self->st[i].name != NULL || self->st[i].lives > 1;
	if (!v->whole)
		take_window(self, v);
	if (self->list.n > 0)
		qsort(self->st, self->list.n, sizeof *self->st, by_lost);
	/* At first the cursor follows the order; then it follows its thread. */
	for (uint64_t i = 0; stood != EVENT_NONE && self->list.cursor > 0 && i < self->list.n; i++)
		if (self->st[i].thread == stood) {
			self->list.cursor = i;
			break;
		}
	self->gen = v->gen;
	self->round = v->tally.round;
	self->from = v->from;
	self->to = v->to;
	self->loaded = true;
}

static void
put_number(struct canvas *c, int y, int x, int w, enum style st, uint64_t n)
{
	struct buf	b;

	buf_init(&b);
	buf_grouped(&b, n);
	canvas_right(c, y, x, w, st, buf_str(&b));
	buf_release(&b);
}

/* Where the columns begin, for rows and their heading alike. */
struct columns {
	int	tid, name, events, lost, gaps, share, activity, end;
};

static struct columns
columns_of(const struct threads *self, struct view *v, struct rect r)
{
	struct columns	col;
	int		tid_w = (int)v->tid_width > 5 ? (int)v->tid_width : 5;
	int		name_w = !self->named ? 0 : r.w >= 120 ? 32 : r.w >= 80 ? 20 : 8;

	col.tid = r.x + 1;
	col.name = col.tid + tid_w + 2;
	col.events = col.name + name_w;
	col.lost = col.events + 12;
	col.gaps = col.lost + 12;
	col.share = col.gaps + 7;
	col.activity = col.share + 18;
	col.end = r.x + r.w;
	return col;
}

static void
draw_heading(struct canvas *c, int y, const struct columns *col)
{
	canvas_right(c, y, col->tid, col->name - col->tid - 2, ST_DIM, "tid");
	if (col->events > col->name)
		(void)canvas_puts(c, y, col->name, col->events - col->name, ST_DIM, "name");
	canvas_right(c, y, col->events, 11, ST_DIM, "events");
	canvas_right(c, y, col->lost, 11, ST_DIM, "lost");
	canvas_right(c, y, col->gaps, 6, ST_DIM, "gaps");
	(void)canvas_puts(c, y, col->share + 1, col->end - col->share - 1, ST_DIM, "share lost");
	if (col->end - col->activity >= (int)TALLY_BINS)
		(void)canvas_puts(c, y, col->activity, TALLY_BINS, ST_DIM, "activity");
}

/* When the thread was active within the window; the highest block is its own most active part. */
static void
draw_activity(struct view *v, struct canvas *c, int y, int x, uint32_t thread)
{
	const struct tally	*ty = &v->tally;
	const uint32_t		*bins;
	uint32_t		 max = 0;

	if (!ty->done || ty->events == NULL || thread >= ty->threads || thread >= ty->lines)
		return;
	bins = &ty->bins[thread * TALLY_BINS];
	for (unsigned i = 0; i < TALLY_BINS; i++)
		max = bins[i] > max ? bins[i] : max;
	for (unsigned i = 0; i < TALLY_BINS && max > 0; i++) {
		unsigned	level = (unsigned)((double)bins[i] / max * 8 + 0.5);

		canvas_block(c, y, x + (int)i, ST_BAR, bins[i] > 0 && level == 0 ? 1 : level);
	}
}

static void
draw_thread(struct view *v, struct canvas *c, int y, const struct columns *col,
    const struct thread_stat *st)
{
	double		share = (double)st->lost + (double)st->c.events;
	struct buf	b;

	buf_init(&b);
	view_thread_text(v, st->thread, &b);
	canvas_right(c, y, col->tid, col->name - col->tid - 2, ST_THREAD, buf_str(&b));
	buf_clear(&b);
	if (st->name != NULL)
		buf_puts(&b, st->name);
	if (st->lives > 1)
		buf_printf(&b, "%s(%u lives)", st->name != NULL ? " " : "", st->lives);
	if (col->events > col->name)
		(void)canvas_buf(c, y, col->name, col->events - col->name - 1, ST_NORMAL, &b);
	put_number(c, y, col->events, 11, ST_NORMAL, st->c.events);
	if (st->lost > 0 || st->gaps > 0) {
		put_number(c, y, col->lost, 11, ST_GAP, st->lost);
		put_number(c, y, col->gaps, 6, ST_GAP, st->gaps);
		share = share > 0 ? (double)st->lost / share : 0;
		canvas_bar(c, y, col->share + 1, 10, ST_GAP, share);
		buf_clear(&b);
		buf_printf(&b, "%.0f %%", share * 100);
		(void)canvas_buf(c, y, col->share + 12, 6, ST_GAP, &b);
	}
	buf_release(&b);
	if (col->end - col->activity >= (int)TALLY_BINS)
		draw_activity(v, c, y, col->activity, st->thread);
}

static void
threads_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct threads	*self = arg;
	struct columns	 col;

	load(self, v);
	col = columns_of(self, v, r);
	list_fit(&self->list, self->list.n, r.h - 1);
	draw_heading(c, r.y, &col);
	if (self->list.n == 0)
		(void)canvas_puts(c, r.y + 1, r.x + 2, r.w - 2, ST_DIM, "no threads");
	for (int i = 0; i < r.h - 1; i++) {
		uint64_t	at = self->list.top + (uint64_t)i;

		if (at >= self->list.n)
			break;
		draw_thread(v, c, r.y + 1 + i, &col, &self->st[at]);
		if (at == self->list.cursor)
			pane_cursor_row(c, r, r.y + 1 + i, focus);
	}
}

static void
threads_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct threads	*self = arg;

	load(self, v);
	buf_puts(left, v->loss.gaps > 0 ? "sorted by lost" : "sorted by events");
	buf_puts(right, v->whole ? "whole trace, " : view_tally_busy(v) ? "counting, " :
	    "this window, ");
	buf_grouped(right, self->list.n);
}

static bool
threads_move(void *arg, struct view *v, struct move m)
{
	struct threads	*self = arg;

	load(self, v);
	return list_move(&self->list, m);
}

static uint32_t
threads_thread(void *arg, struct view *v)
{
	struct threads	*self = arg;

	load(self, v);
	return self->list.cursor < self->list.n ? self->st[self->list.cursor].thread : EVENT_NONE;
}

static bool
threads_enter(void *arg, struct view *v)
{
	struct threads		*self = arg;
	struct thread_stat	 st;
	struct buf		 b;
	bool			 ok;

	if (threads_thread(arg, v) == EVENT_NONE)
		return false;
	st = self->st[self->list.cursor];
	if (!st.has_tid) {
		view_say(v, "this thread has no id to filter by");
		return false;
	}
	buf_init(&b);
	buf_printf(&b, "tid = %llu", (unsigned long long)st.tid);
	ok = view_set_filter(v, buf_str(&b));
	buf_release(&b);
	return ok;
}

static void
threads_release(void *arg)
{
	mem_free(((struct threads *)arg)->st);
}

const struct pane_ops	pane_threads = {
	.name = "threads",
	.number = 5,
	.size = sizeof(struct threads),
	.release = threads_release,
	.title = threads_title,
	.draw = threads_draw,
	.move = threads_move,
	.enter = threads_enter,
	.thread = threads_thread,
};

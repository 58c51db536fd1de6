/*
 * The threads, those that lost most first: how many events, how many lost, and when.
 *
 *	  tid  name          events        lost   gaps  share lost         activity
 *	process 4711         16,120     184,597     10                     when there are several
 *	>  25  worker        15,403     184,597     10  ########   92 %    ..:-%%##%%
 *	       life 1                       350      1                     -> shows an id's lives
 *	       life 2                   184,247      9
 *
 * Processes are ordered as threads are, by the sums of what they have, or the first and the last.
 * What the trace has nothing of has no column.
 *
 * Invariant: the cursor stands on a thread, not on a line: a new order takes it along. The order
 * is made anew when the counts are whole, not while they grow.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/units.h"
#include "ui/pane/density.h"
#include "ui/pane/pane.h"

#define PARTS_MIN	20		/* of the activity line */
#define PARTS_MAX	120
#define LINES_MOST	1000		/* that any screen has room for */
#define LIVES_SHOWN	1000u

enum thread_column { COL_DEFAULT, COL_TID, COL_NAME, COL_EVENTS, COL_BYTES, COL_LOST, COL_GAPS,
	      COL_SHARE, COL_FIRST, COL_LAST, COL_ACTIVITY, COLUMNS };

static const char *const	column_names[COLUMNS] = {
	"", "tid", "name", "events", "bytes", "lost", "gaps", "share", "first", "last", "activity",
};

/* A line of the list: a thread, or one of its lives, or the heading of a process. */
struct line {
	uint32_t	at;		/* index of st; of a heading: of the first below */
	uint32_t	life;		/* 0: the thread itself; of a heading: index of sum */
	bool		heading;
};

struct threads {
	struct list		 list;
	struct thread_stat	*st;
	size_t			 n;
	struct line		*line;
	size_t			 line_cap;
	struct thread_stat	*sum;		/* of the threads below a heading */
	size_t			 nsum, sum_cap;
	enum thread_column		 sort;
	bool			 inverted;
	uint32_t		*open;		/* threads whose lives are shown */
	size_t			 nopen, open_cap;
	uint64_t		 gen;
	unsigned		 round;		/* of the tally that it shows */
	uint64_t		 rows;		/* of the trace when the order was made */
	int64_t			 from, to;
	bool			 crossed;	/* gaps of it reach beyond the window */
	bool			 loaded, named, grouped, lossy;
	int			 parts;		/* of the activity line, as last drawn */
	int			 x[COLUMNS + 1];	/* where columns begin, likewise */
};

static enum thread_column
sort_of(const struct threads *self, const struct view *v)
{
	if (self->sort != COL_DEFAULT)
		return self->sort;
	return v->loss.gaps > 0 ? COL_LOST : COL_EVENTS;
}

/* ---- what is shown */

/* The counts of a window in place of those of the whole trace. The snapshot is by index. */
static void
take_window(struct threads *self, struct view *v)
{
	for (size_t i = 0; i < self->n; i++) {
		assert(self->st[i].thread == i);
		self->st[i].lost = self->st[i].gaps = 0;
		self->st[i].c.events = self->st[i].c.bytes = 0;
		if (v->tally.events != NULL && i < v->tally.threads) {
			self->st[i].c.events = v->tally.events[i];
			self->st[i].c.bytes = v->tally.bytes[i];
		}
	}
	for (size_t i = 0; i < v->ngaps; i++) {
		const struct gap	*g = &v->gaps[i];

		if (g->to < v->from || g->from >= v->to || g->thread >= self->n)
			continue;
		self->st[g->thread].lost += g->lost;
		self->st[g->thread].gaps++;
		self->crossed |= g->from < v->from || g->to > v->to;
	}
}

static double
share_lost(const struct thread_stat *st)
{
	double	all = (double)st->lost + (double)st->c.events;

	return all > 0 ? (double)st->lost / all : 0;
}

static double
number_of(const struct thread_stat *st, enum thread_column col)
{
	switch (col) {
	case COL_TID:
		return -(double)(st->has_tid ? st->tid : st->thread_index);
	case COL_EVENTS:
		return (double)st->c.events;
	case COL_BYTES:
		return (double)st->c.bytes;
	case COL_LOST:
		return (double)st->lost;
	case COL_GAPS:
		return (double)st->gaps;
	case COL_SHARE:
		return share_lost(st);
	case COL_FIRST:
		return st->c.events > 0 ? -(double)st->c.first : -1e300;
	case COL_LAST:
		return st->c.events > 0 ? (double)st->c.last : -1e300;
	default:
		return 0;
	}
}

/* What a thread or a process is sorted by. */
struct sort_by {
	const char	*name;		/* NULL: by numbers */
	double		 number, second;
};

/* What the order is made of; qsort() gives its function nothing else. */
struct sort_key {
	struct sort_by	 process, own;
	bool		 inverted;
	struct thread_stat st;
};

static int
compare_by(const struct sort_by *x, const struct sort_by *y)
{
	int	r = x->name != NULL ? strcmp(x->name, y->name) :
		    (x->number < y->number) - (x->number > y->number);

	return r != 0 ? r : (x->second < y->second) - (x->second > y->second);
}

static int
compare_process(const struct thread_stat *x, const struct thread_stat *y)
{
	if (x->has_pid != y->has_pid)
		return x->has_pid ? -1 : 1;
	return x->has_pid ? (x->pid > y->pid) - (x->pid < y->pid) : 0;
}

static int
compare_pid(const void *a, const void *b)
{
	const struct sort_key	*x = a, *y = b;

	return compare_process(&x->st, &y->st);
}

static int
compare(const void *a, const void *b)
{
	const struct sort_key	*x = a, *y = b;
	int			 r = compare_by(&x->process, &y->process);

	if (r != 0)
		return x->inverted ? -r : r;
	r = compare_pid(x, y);
	if (r != 0)
		return r;
	r = compare_by(&x->own, &y->own);
	if (r != 0)
		return x->inverted ? -r : r;
	return (x->st.thread > y->st.thread) - (x->st.thread < y->st.thread);
}

static void
add_stat(struct thread_stat *sum, const struct thread_stat *st)
{
	if (st->c.events > 0 && (sum->c.events == 0 || st->c.first < sum->c.first))
		sum->c.first = st->c.first;
	if (st->c.events > 0 && (sum->c.events == 0 || st->c.last > sum->c.last))
		sum->c.last = st->c.last;
	sum->c.events += st->c.events;
	sum->c.bytes += st->c.bytes;
	sum->lost += st->lost;
	sum->gaps += st->gaps;
}

/* What the n threads of one process from st on have together. */
static struct sort_by
sort_by_sum(const struct sort_key *k, size_t n, enum thread_column col)
{
	struct thread_stat	sum = { .has_tid = true,
				    .tid = k->st.has_pid ? k->st.pid : UINT64_MAX };
	struct sort_by		by = { .name = k->own.name };

	for (size_t i = 0; i < n; i++) {
		add_stat(&sum, &k[i].st);
		if (by.name != NULL && strcmp(k[i].own.name, by.name) < 0)
			by.name = k[i].own.name;
	}
	by.number = number_of(&sum, col);
	by.second = (double)sum.c.events;
	return by;
}

static void
sort_processes(struct sort_key *keys, size_t n, enum thread_column col)
{
	qsort(keys, n, sizeof *keys, compare_pid);
	for (size_t i = 0, end; i < n; i = end) {
		struct sort_by	by;

		for (end = i + 1; end < n && compare_pid(&keys[i], &keys[end]) == 0; end++)
			;
		by = sort_by_sum(&keys[i], end - i, col);
		for (size_t k = i; k < end; k++)
			keys[k].process = by;
	}
}

static void
sort(struct threads *self, enum thread_column col)
{
	struct sort_key	*keys = mem_zalloc(self->n + 1, sizeof *keys);

	for (size_t i = 0; i < self->n; i++) {
		const struct thread_stat	*st = &self->st[i];

		keys[i] = (struct sort_key){ .st = *st, .inverted = self->inverted,
		    .own = { .number = number_of(st, col), .second = (double)st->c.events,
		    .name = col != COL_NAME ? NULL : st->name != NULL ? st->name : "\x7f" } };
	}
	if (self->grouped)
		sort_processes(keys, self->n, col);
	qsort(keys, self->n, sizeof *keys, compare);
	for (size_t i = 0; i < self->n; i++)
		self->st[i] = keys[i].st;
	mem_free(keys);
}

static bool
is_open(const struct threads *self, uint32_t thread)
{
	for (size_t i = 0; i < self->nopen; i++)
		if (self->open[i] == thread)
			return true;
	return false;
}

static void
add_line(struct threads *self, struct line l)
{
	self->line = mem_grow(self->line, &self->line_cap, self->list.n + 1, sizeof *self->line);
	self->line[self->list.n++] = l;
}

static void
add_heading(struct threads *self, uint32_t at)
{
	struct thread_stat	*sum;

	self->sum = mem_grow(self->sum, &self->sum_cap, self->nsum + 1, sizeof *self->sum);
	sum = &self->sum[self->nsum];
	*sum = (struct thread_stat){ .lives = 1 };
	for (size_t i = at; i < self->n && compare_process(&self->st[i], &self->st[at]) == 0; i++)
		add_stat(sum, &self->st[i]);
	add_line(self, (struct line){ .at = at, .heading = true, .life = (uint32_t)self->nsum++ });
}

static void
make_lines(struct threads *self)
{
	self->list.n = self->nsum = 0;
	for (uint32_t i = 0; i < self->n; i++) {
		const struct thread_stat	*st = &self->st[i];

		if (self->grouped && (i == 0 || compare_process(st, &self->st[i - 1]) != 0))
			add_heading(self, i);
		add_line(self, (struct line){ .at = i });
		for (uint32_t life = 1; is_open(self, st->thread) && life <= st->lives &&
		    life <= LIVES_SHOWN; life++)
			add_line(self, (struct line){ .at = i, .life = life });
	}
}

/* The thread under the cursor, or NULL. */
static const struct thread_stat *
under_cursor(const struct threads *self)
{
	const struct line	*l = &self->line[self->list.cursor];

	return self->list.cursor < self->list.n && !l->heading ? &self->st[l->at] : NULL;
}

static void
stand_on(struct threads *self, uint32_t thread)
{
	for (uint64_t i = 0; i < self->list.n; i++)
		if (!self->line[i].heading && self->line[i].life == 0 &&
		    self->st[self->line[i].at].thread == thread) {
			self->list.cursor = i;
			break;
		}
}

static bool
is_current(const struct threads *self, const struct view *v)
{
	return self->loaded && self->gen == v->gen && self->from == v->from &&
	    self->to == v->to && self->round == v->tally.round;
}

/* The threads as they are now, which stand by index, in the order that they had. */
static void
put_in_order(struct threads *self, const struct thread_stat *was)
{
	struct thread_stat	*now = self->st;

	self->st = mem_alloc((self->n + 1) * sizeof *self->st);
	for (size_t i = 0; i < self->n; i++)
		self->st[i] = now[was[i].thread];
	mem_free(now);
}

static void
load(struct threads *self, struct view *v)
{
	const struct thread_stat	*at = self->loaded ? under_cursor(self) : NULL;
	uint32_t			 stood = at != NULL ? at->thread : EVENT_NONE;
	struct thread_stat		*was = self->st;
	size_t				 n = self->n;
	bool				 keep;

	view_tally_want(v, &v->tally, (unsigned)(self->parts > 0 ? self->parts : PARTS_MIN));
	if (is_current(self, v))
		return;
	self->n = trace_thread_stats(v->t, &self->st);
	keep = self->loaded && self->from == v->from && (v->whole || self->to == v->to) &&
	    view_order_stays(v, self->rows, n, self->n);
	self->named = false;
	self->grouped = view_several_processes(self->st, self->n);
	self->lossy = v->loss.gaps > 0;
	for (size_t i = 0; i < self->n; i++)
		self->named |= self->st[i].name != NULL || self->st[i].lives > 1;
	self->crossed = false;
	if (!v->whole)
		take_window(self, v);
	if (keep) {
		put_in_order(self, was);
	} else {
		sort(self, sort_of(self, v));
		self->rows = trace_rows(v->t);
	}
	mem_free(was);
	make_lines(self);
	/* At first the cursor follows the order; then it follows its thread. */
	if (stood != EVENT_NONE && self->list.cursor > 0)
		stand_on(self, stood);
	self->gen = v->gen;
	self->round = v->tally.round;
	self->from = v->from;
	self->to = v->to;
	self->loaded = true;
}

/* ---- drawing */

static void
put_number(struct canvas *c, int y, int x, int w, enum style st, uint64_t n)
{
	struct buf	b;

	buf_init(&b);
	buf_grouped(&b, n);
	canvas_right(c, y, x, w, st, buf_str(&b));
	buf_release(&b);
}

/* Where the columns begin, for rows and their heading alike; a column of no width is left out. */
static void
measure(struct threads *self, struct view *v, struct rect r)
{
	int	w[COLUMNS] = { [COL_DEFAULT] = 1, [COL_EVENTS] = 12 };

	if (self->lossy) {
		w[COL_LOST] = 12;
		w[COL_GAPS] = 7;
		w[COL_SHARE] = 18;
	}
	if (r.w >= (self->lossy ? 110 : 80))
		w[COL_BYTES] = 14;
	w[COL_TID] = ((int)v->tid_width > 5 ? (int)v->tid_width : 5) + 2;
	w[COL_NAME] = !self->named ? 0 : r.w >= 120 ? 32 : r.w >= 80 ? 20 : 8;
	if (r.w < 100)
		w[COL_NAME] = w[COL_NAME] > 12 ? 12 : w[COL_NAME];
	if (r.w >= 130)
		w[COL_FIRST] = w[COL_LAST] = 14;
	self->x[0] = r.x;
	for (int i = 0; i < COL_ACTIVITY; i++)
		self->x[i + 1] = self->x[i] + w[i];
	self->x[COLUMNS] = r.x + r.w;
	self->parts = r.x + r.w - self->x[COL_ACTIVITY];
	self->parts = self->parts > PARTS_MAX ? PARTS_MAX : self->parts < 8 ? 0 : self->parts;
}

static int
width_of(const struct threads *self, enum thread_column col)
{
	return self->x[col + 1] - self->x[col];
}

static void
draw_heading(struct threads *self, struct view *v, struct canvas *c, int y)
{
	enum thread_column	sorted = sort_of(self, v);
	bool		left[COLUMNS] = { [COL_NAME] = true, [COL_SHARE] = true,
			    [COL_ACTIVITY] = true };
	struct buf	b;

	buf_init(&b);
	for (enum thread_column i = COL_TID; i < COLUMNS; i++) {
		bool		up = self->inverted == (i != COL_TID && i != COL_FIRST &&
				    i != COL_NAME);
		enum style	st = i == sorted ? ST_STRONG : ST_DIM;

		buf_clear(&b);
		if (i == sorted)
			buf_puts(&b, up ? "\xe2\x86\x91" : "\xe2\x86\x93");
		buf_puts(&b, i == COL_SHARE ? "share lost" : column_names[i]);
		if (i == COL_ACTIVITY && self->parts == 0)
			break;
		if (left[i])
			(void)canvas_puts(c, y, self->x[i] + (i == COL_SHARE),
			    width_of(self, i), st, buf_str(&b));
		else if (width_of(self, i) > 0)
			canvas_right(c, y, self->x[i], width_of(self, i) - (i == COL_TID ? 2 : 1),
			    st, buf_str(&b));
	}
	buf_release(&b);
}

/* When the thread was active within the window; the highest block is its own most active part. */
static void
draw_activity(struct threads *self, struct view *v, struct canvas *c, int y, uint32_t thread)
{
	const struct tally	*ty = &v->tally;
	struct lost_row		 row = { thread, 0 };
	uint32_t		 max = 0, bins[PARTS_MAX];
	float			 lost[PARTS_MAX] = { 0 };

	if (ty->all == NULL || thread >= ty->lines || ty->nparts != (unsigned)self->parts ||
	    ty->from != v->from || ty->to != v->to)
		return;
	for (unsigned i = 0; i < ty->nparts; i++) {
		bins[i] = view_tally_bin(ty, thread, i);
		max = bins[i] > max ? bins[i] : max;
	}
	density_lost(v, &row, 1, lost, self->parts);
	for (int i = 0; i < self->parts; i++)
		density_column(c, y, self->x[COL_ACTIVITY] + i, 1, bins[i], max, lost[i],
		    DENSITY_MOSTLY);
	density_unknown(c, y, self->x[COL_ACTIVITY], ty);
}

static void
draw_loss(struct threads *self, struct canvas *c, int y, uint64_t lost, uint64_t gaps,
    double share)
{
	struct buf	b;

	if (!self->lossy || (lost == 0 && gaps == 0))
		return;
	put_number(c, y, self->x[COL_LOST], 11, ST_GAP, lost);
	put_number(c, y, self->x[COL_GAPS], 6, ST_GAP, gaps);
	if (share < 0)
		return;
	buf_init(&b);
	canvas_bar(c, y, self->x[COL_SHARE] + 1, 10, ST_GAP, share);
	buf_printf(&b, "%.0f %%", share * 100);
	(void)canvas_buf(c, y, self->x[COL_SHARE] + 12, 6, ST_GAP, &b);
	buf_release(&b);
}

static void
draw_time(struct threads *self, struct view *v, struct canvas *c, int y, enum thread_column col,
    int64_t ts)
{
	struct buf	b;

	if (width_of(self, col) == 0)
		return;
	buf_init(&b);
	units_secs(&b, trace_ns(v->t, ts), 6);
	canvas_right(c, y, self->x[col], width_of(self, col) - 1, ST_TIME, buf_str(&b));
	buf_release(&b);
}

static void
draw_thread(struct threads *self, struct view *v, struct canvas *c, int y,
    const struct thread_stat *st)
{
	struct buf	b;

	buf_init(&b);
	view_thread_text(v, st->thread, &b);
	canvas_right(c, y, self->x[COL_TID], width_of(self, COL_TID) - 2, ST_THREAD, buf_str(&b));
	buf_clear(&b);
	if (st->name != NULL)
		buf_puts(&b, st->name);
	if (st->lives > 1)
		buf_printf(&b, "%s(%u lives)", st->name != NULL ? " " : "", st->lives);
	(void)canvas_buf(c, y, self->x[COL_NAME], width_of(self, COL_NAME) - 1, ST_NORMAL, &b);
	buf_release(&b);
	put_number(c, y, self->x[COL_EVENTS], 11, ST_NORMAL, st->c.events);
	if (width_of(self, COL_BYTES) > 0)
		put_number(c, y, self->x[COL_BYTES], 13, ST_NORMAL, st->c.bytes);
	draw_loss(self, c, y, st->lost, st->gaps, share_lost(st));
	if (st->c.first != INFO_NO_TIME) {
		draw_time(self, v, c, y, COL_FIRST, st->c.first);
		draw_time(self, v, c, y, COL_LAST, st->c.last);
	}
	if (self->parts > 0)
		draw_activity(self, v, c, y, st->thread);
}

/* What is known of one life of an id: what it lost. */
static void
draw_life(struct threads *self, struct view *v, struct canvas *c, int y, uint32_t thread,
    uint32_t life)
{
	uint64_t	lost = 0, gaps = 0;
	struct buf	b;

	for (size_t i = 0; i < v->ngaps; i++) {
		const struct gap	*g = &v->gaps[i];

		if (g->thread != thread || g->life != life || g->to < v->from || g->from >= v->to)
			continue;
		lost += g->lost;
		gaps++;
	}
	buf_init(&b);
	buf_printf(&b, "life %u", life);
	(void)canvas_buf(c, y, self->x[COL_NAME], self->x[COL_LOST] - self->x[COL_NAME], ST_DIM,
	    &b);
	buf_release(&b);
	draw_loss(self, c, y, lost, gaps, -1);
}

static void
draw_process(struct threads *self, struct canvas *c, int y, const struct thread_stat *first,
    const struct thread_stat *sum)
{
	struct buf	b;
	int		used;

	buf_init(&b);
	view_process_text(first->has_pid, first->pid, &b);
	used = self->x[COL_TID] + canvas_buf(c, y, self->x[COL_TID], 40, ST_STRONG, &b);
	buf_clear(&b);
	buf_grouped(&b, sum->c.events);
	if (used + (int)b.len < self->x[COL_EVENTS] + 11)
		put_number(c, y, self->x[COL_EVENTS], 11, ST_DIM, sum->c.events);
	buf_release(&b);
	if (width_of(self, COL_BYTES) > 0)
		put_number(c, y, self->x[COL_BYTES], 13, ST_DIM, sum->c.bytes);
	draw_loss(self, c, y, sum->lost, sum->gaps, share_lost(sum));
}

static void
draw_line(struct threads *self, struct view *v, struct canvas *c, int y, const struct line *l)
{
	const struct thread_stat	*st = &self->st[l->at];

	if (l->heading)
		draw_process(self, c, y, st, &self->sum[l->life]);
	else if (l->life == 0)
		draw_thread(self, v, c, y, st);
	else
		draw_life(self, v, c, y, st->thread, l->life);
}

static void
threads_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct threads	*self = arg;

	load(self, v);
	measure(self, v, r);
	view_tally_want(v, &v->tally, (unsigned)(self->parts > 0 ? self->parts : PARTS_MIN));
	list_fit(&self->list, self->list.n, r.h - 1);
	draw_heading(self, v, c, r.y);
	if (self->list.n == 0)
		(void)canvas_puts(c, r.y + 1, r.x + 2, r.w - 2, ST_DIM, "no threads");
	for (int i = 0; i < r.h - 1; i++) {
		uint64_t	at = self->list.top + (uint64_t)i;

		if (at >= self->list.n)
			break;
		draw_line(self, v, c, r.y + 1 + i, &self->line[at]);
		if (at == self->list.cursor)
			pane_cursor_row(c, r, r.y + 1 + i, focus);
	}
}

static void
threads_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct threads	*self = arg;

	load(self, v);
	buf_printf(left, "sorted by %s", column_names[sort_of(self, v)]);
	if (!v->complete)
		buf_puts(right, "growing, ");
	else if (v->tally.wanted && v->tally.all != NULL && !v->tally.done)
		buf_printf(right, "%s%.0f %%, ", v->tally.stopped ? "stopped at " : "counting ",
		    view_tally_share(&v->tally) * 100);
	if (v->complete || !v->whole)
		buf_puts(right, v->whole ? "whole trace, " : self->crossed ?
		    "this window and all of the gaps into it, " : "this window, ");
	buf_grouped(right, self->n);
}

/* ---- doing */

/* Show the lives of the thread under the cursor, or not. */
static bool
unfold(struct threads *self, struct view *v, bool open)
{
	const struct thread_stat	*st = under_cursor(self);
	uint32_t			 thread;
	size_t				 i = 0;

	if (st == NULL || st->lives < 2) {
		view_say(v, "this id has had one life only");
		return true;
	}
	thread = st->thread;
	while (i < self->nopen && self->open[i] != thread)
		i++;
	if (open && i == self->nopen) {
		self->open = mem_grow(self->open, &self->open_cap, i + 1, sizeof *self->open);
		self->open[self->nopen++] = thread;
	} else if (!open && i < self->nopen) {
		self->open[i] = self->open[--self->nopen];
	}
	make_lines(self);
	stand_on(self, thread);
	return true;
}

static bool
threads_move(void *arg, struct view *v, struct move m)
{
	struct threads	*self = arg;

	load(self, v);
	if (m.kind == MOVE_SIDE)
		return unfold(self, v, m.n > 0);
	return list_move(&self->list, m);
}

/* Has the trace nothing for the column? */
static bool
is_empty(const struct view *v, enum thread_column col)
{
	return v->loss.gaps == 0 && (col == COL_LOST || col == COL_GAPS || col == COL_SHARE);
}

static bool
threads_sort(void *arg, struct view *v, int step, const char *name)
{
	struct threads	*self = arg;
	int		 to = (int)sort_of(self, v);

	if (step != 0)
		do {
			to += step;
			to = to < COL_TID ? COL_LAST : to > COL_LAST ? COL_TID : to;
		} while (is_empty(v, (enum thread_column)to));
	for (int i = COL_TID; name != NULL && i <= COL_ACTIVITY; i++) {
		if (i == COL_ACTIVITY) {
			view_say(v, "threads are sorted by tid, name, events, bytes, lost, gaps, "
			    "share, first or last");
			return false;
		}
		to = i;
		if (strcmp(name, column_names[i]) == 0)
			break;
	}
	if (name != NULL && is_empty(v, (enum thread_column)to)) {
		view_say(v, "no events were lost, as far as the trace says");
		return false;
	}
	if (step == 0 && name == NULL)
		self->inverted = !self->inverted;
	self->sort = (enum thread_column)to;
	self->from = self->to;		/* make the order anew */
	self->loaded = false;
	self->list.cursor = self->list.top = 0;
	view_say(v, "threads by %s%s", column_names[to],
	    self->inverted ? ", the other way around" : "");
	return true;
}

static uint32_t
threads_thread(void *arg, struct view *v)
{
	struct threads			*self = arg;
	const struct thread_stat	*st;

	load(self, v);
	st = under_cursor(self);
	return st != NULL ? st->thread : EVENT_NONE;
}

/* Has another process a thread of that id? */
static bool
is_shared(const struct threads *self, const struct thread_stat *st)
{
	for (size_t i = 0; i < self->n; i++)
		if (self->st[i].has_tid && self->st[i].tid == st->tid &&
		    self->st[i].pid != st->pid)
			return true;
	return false;
}

static bool
threads_enter(void *arg, struct view *v)
{
	struct threads			*self = arg;
	const struct thread_stat	*st;
	struct buf			 b;
	bool				 ok, heading;

	load(self, v);
	if (self->list.cursor >= self->list.n) {
		view_say(v, "there is no thread to filter by");
		return false;
	}
	heading = self->line[self->list.cursor].heading;
	st = &self->st[self->line[self->list.cursor].at];
	if (heading ? !st->has_pid : !st->has_tid) {
		view_say(v, heading ? "there is no process id to filter by" :
		    "this thread has no id to filter by");
		return false;
	}
	buf_init(&b);
	if (heading)
		buf_printf(&b, "pid = %llu", (unsigned long long)st->pid);
	else
		buf_printf(&b, "tid = %llu", (unsigned long long)st->tid);
	if (!heading && st->has_pid && is_shared(self, st))
		buf_printf(&b, " and pid = %llu", (unsigned long long)st->pid);
	ok = view_set_filter(v, buf_str(&b));
	buf_release(&b);
	return ok;
}

/* What of the thread under the cursor can be asked for: its id, and of a heading the process. */
static bool
threads_field(void *arg, struct view *v, struct field_at *out)
{
	struct threads			*self = arg;
	const struct line		*l;
	const struct thread_stat	*st;

	load(self, v);
	if (self->list.cursor >= self->list.n)
		return false;
	l = &self->line[self->list.cursor];
	st = &self->st[l->at];
	if (l->heading ? !st->has_pid : !st->has_tid)
		return false;
	buf_puts(&out->name, l->heading ? "pid" : "tid");
	buf_u64(&out->value, l->heading ? st->pid : st->tid);
	buf_add(&out->text, out->value.p, out->value.len);
	return true;
}

/* The heading sorts, and turns the order around where it is sorted already. */
static bool
threads_point(void *arg, struct view *v, int y, int x)
{
	struct threads	*self = arg;
	uint64_t	 at = self->list.top + (uint64_t)(y > 0 ? y - 1 : 0);

	for (enum thread_column i = COL_TID; y == 0 && i < COL_ACTIVITY; i++)
		if (x + self->x[0] >= self->x[i] && x + self->x[0] < self->x[i + 1])
			return threads_sort(arg, v, 0,
			    i == sort_of(self, v) ? NULL : column_names[i]);
	if (y == 0 || at >= self->list.n)
		return false;
	self->list.cursor = at;
	return true;
}

static void
threads_release(void *arg)
{
	struct threads	*self = arg;

	mem_free(self->st);
	mem_free(self->line);
	mem_free(self->sum);
	mem_free(self->open);
}

static int
threads_lines(void *arg, struct view *v, bool opened)
{
	uint32_t	n = trace_threads(v->t);

	(void)arg;
	(void)opened;
	return 2 + (n < LINES_MOST ? (int)n : LINES_MOST);
}

const struct pane_ops	pane_threads = {
	.name = "threads",
	.hints = "open=only next-gap sort-next sort-invert close help",
	.size = sizeof(struct threads),
	.release = threads_release,
	.title = threads_title,
	.draw = threads_draw,
	.lines = threads_lines,
	.move = threads_move,
	.enter = threads_enter,
	.thread = threads_thread,
	.field = threads_field,
	.point = threads_point,
	.sort = threads_sort,
};

/*
 * Events of the window by thread and by part of it: counted slice by slice between keys, for
 * whatever pane wants it at the moment.
 *
 *	window	from |------------|------------|------------| to	nparts parts
 *	all		  120		 80	      3			events in each part
 *	line 0		  100		 --	      3			... of thread 0
 *	line 1		   20		 80	      -
 *	cover		 [===outer=======]		with durations: how much of a
 *	(line, depth)	    [inner]			part the spans of a depth cover
 *
 * Nothing is counted while the index is being made. Meanwhile, and for what is not counted yet, the
 * index' own counts by thread stand in, spread over the times between which they lie.
 *
 * Invariant: what is counted belongs to the rows, the times, the parts and the query that held
 * when the counting began; if one of them changes it begins anew. Until it is done it is right
 * for the times before upto.
 */
#include "ui/view/tally.h"

#include <string.h>

#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "ui/view/view.h"

#define CELLS_MAX	(4u << 20)	/* of all lines together */
#define LOOK_BACK	(1u << 20)	/* rows before the window whose spans may reach into it */
#define AT_ONCE_NS	4000000		/* of a frame's time */
#define BATCH_MOST	1024u
#define NEST		16u
#define NAME_PARTS	6u		/* of a span that is long enough to be named */

/* When the spans of a thread end that are open, by the depth that they were given. */
struct nest {
	bool		open[NEST];
	int64_t		end[NEST];
};

static void
release(struct tally *y)
{
	mem_free(y->all);
	mem_free(y->events);
	mem_free(y->bytes);
	mem_free(y->bins);
	mem_free(y->rough);
	mem_free(y->cover);
	mem_free(y->nest);
	mem_free(y->named);
	y->all = y->events = y->bytes = NULL;
	y->bins = y->rough = NULL;
	y->cover = NULL;
	y->nest = NULL;
	y->named = NULL;
	y->nnamed = 0;
	y->done = false;
}

void
tallies_init(struct tallies *ts)
{
	*ts = (struct tallies){ .by_thread.tells = VIEW_COUNTS, .lanes.tells = VIEW_LANES,
	    .lanes.of = TALLY_FILTERED, .ticks.of = TALLY_HITS, .bar.of = TALLY_PLACES };
}

void
tallies_release(struct tallies *ts)
{
	release(&ts->by_thread);
	release(&ts->lanes);
	release(&ts->ticks);
	release(&ts->bar);
}

unsigned
view_part(int64_t ts, int64_t from, int64_t to, unsigned n)
{
	double	len = (double)((uint64_t)to - (uint64_t)from), at;

	if (to <= from || ts <= from || n <= 1)
		return 0;
	at = (double)((uint64_t)ts - (uint64_t)from) * n / len;
	return at >= n ? n - 1 : (unsigned)at;
}

int64_t
view_part_start(unsigned part, int64_t from, int64_t to, unsigned n)
{
	unsigned __int128	len = (uint64_t)to - (uint64_t)from;

	/* The first tick that lies in the part. */
	return (int64_t)((uint64_t)from + (uint64_t)((len * part + n - 1) / n));
}

int64_t
view_event_end(const struct view *v, const struct event *e)
{
	int64_t	end, len = 0;

	if (trace_has(v->t, HAS_DURATIONS))
		len = e->dur < INT64_MAX ? (int64_t)e->dur : INT64_MAX;
	if (trace_info(v->t)->freq != 1000000000)
		return e->ts;		/* no format has both */
	return __builtin_add_overflow(e->ts, len, &end) ? INT64_MAX : end;
}

static struct query *
query_of(const struct view *v, enum tally_of of)
{
	return of == TALLY_HITS ? v->search.hits : of == TALLY_ROWS ? NULL : v->filter.q;
}

/* What it depends on. */
static const unsigned	depends[] = {
	[TALLY_ROWS] = VIEW_INDEX | VIEW_ROWS,
	[TALLY_FILTERED] = VIEW_INDEX | VIEW_ROWS | VIEW_FILTER,
	[TALLY_HITS] = VIEW_INDEX | VIEW_ROWS | VIEW_SEARCH,
	[TALLY_PLACES] = VIEW_INDEX | VIEW_ROWS | VIEW_SEARCH | VIEW_LIST,
};

static bool
is_current(struct view *v, const struct tally *y, unsigned nparts)
{
	if (y->of == TALLY_PLACES)
		view_rows_follow(v);
	return y->all != NULL && y->nparts == nparts && !view_changed(v, &y->seen, depends[y->of]);
}

static void
become_done(struct view *v, struct tally *y)
{
	y->done = true;
	y->upto = y->to;
	view_change(v, y->tells);
}

/* Take what the index knows, if it is what is asked for: it knows no filter and no spans. */
static void
take_rough(struct view *v, struct tally *y)
{
	size_t	cells = (size_t)y->lines * y->nparts;

	if (query_of(v, y->of) != NULL || y->lines == 0 || (y->spans && !y->growing))
		return;
	y->rough = mem_alloc((cells + 1) * sizeof *y->rough);
	trace_thread_density(v->t, y->from, y->to, y->lines, y->rough, y->nparts);
	for (uint32_t i = 0; y->growing && i < y->lines; i++)
		for (unsigned k = 0; k < y->nparts; k++)
			y->events[i] += y->rough[(size_t)i * y->nparts + k];
}

uint32_t
tally_bin(const struct tally *y, uint32_t line, unsigned part)
{
	size_t	at = (size_t)line * y->nparts + part;

	if (y->done || y->rough == NULL || part < view_part(y->upto, y->from, y->to, y->nparts))
		return y->bins[at];
	return y->rough[at] > y->bins[at] ? y->rough[at] : y->bins[at];
}

static void
begin(struct view *v, struct tally *y, unsigned nparts)
{
	size_t	cells;

	release(y);
	y->row0 = v->window.row0;
	y->row1 = v->window.row1;
	y->from = y->upto = v->window.from;
	y->to = v->window.to;
	y->nparts = nparts;
	y->threads = trace_threads(v->t);
	y->spans = y->of == TALLY_FILTERED && trace_has(v->t, HAS_DURATIONS);
	y->lines = y->of == TALLY_HITS || y->of == TALLY_PLACES ? 0 : y->threads;
	y->place = 0;
	y->places = y->of == TALLY_PLACES ? view_count(v) : 0;
	if (y->lines > CELLS_MAX / (nparts * (y->spans ? TALLY_DEPTHS : 1)))
		y->lines = CELLS_MAX / (nparts * (y->spans ? TALLY_DEPTHS : 1));
	cells = (size_t)y->lines * nparts;
	y->all = mem_zalloc(nparts, sizeof *y->all);
	y->events = mem_zalloc((size_t)y->threads + 1, sizeof *y->events);
	y->bytes = mem_zalloc((size_t)y->threads + 1, sizeof *y->bytes);
	y->bins = mem_zalloc(cells + 1, sizeof *y->bins);
	if (y->spans) {
		y->cover = mem_zalloc(cells * TALLY_DEPTHS + 1, sizeof *y->cover);
		y->nest = mem_zalloc((size_t)y->lines + 1, sizeof *y->nest);
		y->named = mem_zalloc(TALLY_NAMES, sizeof *y->named);
	}
	y->at = y->row0;
	if (y->spans)
		y->at = y->row0 > LOOK_BACK ? y->row0 - LOOK_BACK : 0;
	y->cut = y->spans && y->at > 0;
	y->stopped = false;
	y->growing = !v->complete;
	y->seen = v->changes;
	if (!y->growing && y->row0 == y->row1 && !y->spans)
		become_done(v, y);
}

void
view_tally_unwant(struct view *v)
{
	struct tallies	*ts = &v->tallies;

	ts->by_thread.wanted = ts->lanes.wanted = ts->ticks.wanted = ts->bar.wanted = false;
}

static bool
is_busy(const struct tally *y)
{
	return y->wanted && y->all != NULL && !y->done && !y->stopped && !y->growing;
}

void
view_tally_stop(struct view *v)
{
	struct tallies	*ts = &v->tallies;

	ts->by_thread.stopped = ts->lanes.stopped = ts->ticks.stopped = ts->bar.stopped = true;
}

bool
view_tally_busy(const struct view *v)
{
	const struct tallies	*ts = &v->tallies;

	return is_busy(&ts->by_thread) || is_busy(&ts->lanes) || is_busy(&ts->ticks) ||
	    is_busy(&ts->bar);
}

double
tally_share(const struct tally *y)
{
	return y->done || y->row1 <= y->row0 || y->all == NULL ? 1 : y->at <= y->row0 ? 0 :
	    (double)(y->at - y->row0) / (double)(y->row1 - y->row0);
}

/* Add what the span covers of each part. */
static void
cover(struct tally *y, float *parts, int64_t from, int64_t to)
{
	double		scale = y->nparts / (double)((uint64_t)y->to - (uint64_t)y->from);
	double		a, b;
	unsigned	first, last;

	from = from < y->from ? y->from : from;
	to = to > y->to ? y->to : to;
	if (to <= from)
		return;
	a = (double)((uint64_t)from - (uint64_t)y->from) * scale;
	b = (double)((uint64_t)to - (uint64_t)y->from) * scale;
	first = view_part(from, y->from, y->to, y->nparts);
	last = view_part(to, y->from, y->to, y->nparts);
	for (unsigned i = first; i <= last; i++) {
		double	lo = a > i ? a : i, hi = b < i + 1 ? b : i + 1;

		if (hi > lo)
			parts[i] += (float)(hi - lo);
	}
}

static void
keep_name(struct tally *y, const struct event *e, int64_t end, uint16_t depth)
{
	unsigned	first = view_part(e->ts, y->from, y->to, y->nparts);
	unsigned	last = view_part(end, y->from, y->to, y->nparts);

	if (last - first < NAME_PARTS || y->nnamed == TALLY_NAMES)
		return;
	y->named[y->nnamed++] = (struct long_span){ .thread = e->thread, .type = e->type,
	    .depth = depth, .first = (uint16_t)first, .n = (uint16_t)(last - first) };
}

static void
add_span(struct view *v, struct tally *y, const struct event *e)
{
	struct nest	*nest = &y->nest[e->thread];
	int64_t		 end = view_event_end(v, e);
	unsigned	 depth = 0;

	if (end <= y->from || end <= e->ts)
		return;
	/* The first depth that is free: within what is open, and beside what only overlaps. */
	while (depth < NEST && nest->open[depth] && nest->end[depth] > e->ts)
		depth++;
	if (depth < NEST) {
		nest->open[depth] = true;
		nest->end[depth] = end;
	}
	if (depth >= TALLY_DEPTHS)
		return;
	cover(y, &y->cover[((size_t)e->thread * TALLY_DEPTHS + depth) * y->nparts], e->ts, end);
	if (e->ts < y->to)
		keep_name(y, e, end, (uint16_t)depth);
}

/* A row of the list: what it is searched for stands at its place among all. */
static void
count_place(struct tally *y, bool found)
{
	uint64_t	at = y->place++;

	if (found && at < y->places)
		y->all[(unsigned __int128)at * y->nparts / y->places]++;
}

static void
count(struct view *v, struct tally *y, const struct event *e, bool in_window)
{
	unsigned	part;

	if (y->spans && e->thread < y->lines)
		add_span(v, y, e);
	if (!in_window)
		return;
	part = view_part(e->ts, y->from, y->to, y->nparts);
	y->all[part]++;
	if (e->thread < y->threads) {
		y->events[e->thread]++;
		y->bytes[e->thread] += e->size;
	}
	if (e->thread < y->lines)
		y->bins[(size_t)e->thread * y->nparts + part]++;
}

/* The next rows: whether they count, and whether they are what is searched for. */
struct batch {
	unsigned	 n;		/* 0: not known yet, */
	struct query	*wait;		/* ... and this is to be waited for */
	bool		 all;		/* each of them counts */
	uint64_t	 shown, found;	/* else bit i is of row i */
};

static struct batch
next_batch(struct view *v, struct tally *y)
{
	struct batch	 b = { .wait = query_of(v, y->of) };
	struct query	*hits = y->of == TALLY_PLACES ? v->search.hits : NULL;
	unsigned	 n;

	b.all = b.wait == NULL && hits == NULL;
	b.n = b.all ? BATCH_MOST : query_hits_at(b.wait, y->at, &b.shown);
	if (b.n == 0 || hits == NULL)
		return b;
	b.wait = hits;
	n = query_hits_at(hits, y->at, &b.found);
	b.n = n < b.n ? n : b.n;
	return b;
}

/* Count a few events. False: there are none left. */
static bool
count_batch(struct view *v, struct tally *y, int64_t budget_ns)
{
	const struct slice_view	*s;
	struct batch		 b;
	uint64_t		 end;
	int			 got;

	if (y->at >= y->row1)
		return false;
	b = next_batch(v, y);
	if (b.n == 0) {
		query_wait(b.wait, budget_ns);
		return true;
	}
	got = trace_view_walk(v->t, &y->at, &s);
	if (got <= 0)
		return got < 0;		/* what can't be read any more is left out */
	end = s->row0 + s->n < y->row1 ? s->row0 + s->n : y->row1;
	end = end - y->at > b.n ? y->at + b.n : end;
	for (; y->at < end; y->at++, b.shown >>= 1, b.found >>= 1) {
		const struct event	*e = &s->ev[y->at - s->row0];

		if (!b.all && (b.shown & 1) == 0)
			continue;
		if (y->of == TALLY_PLACES)
			count_place(y, b.found & 1);
		else
			count(v, y, e, y->at >= y->row0);
	}
	if (y->at > y->row0)
		y->upto = s->ev[y->at - 1 - s->row0].ts;
	trace_view_put(v->t, s);
	return true;
}

static void
step(struct view *v, struct tally *y, int64_t budget_ns)
{
	int64_t	now = job_now_ns(), until = now + budget_ns;

	for (; is_busy(y) && now < until; now = job_now_ns()) {
		if (!count_batch(v, y, until - now))
			become_done(v, y);
	}
}

void
view_tally_step(struct view *v, int64_t budget_ns)
{
	struct tallies	*ts = &v->tallies;

	step(v, is_busy(&ts->lanes) ? &ts->lanes : is_busy(&ts->by_thread) ? &ts->by_thread :
	    is_busy(&ts->ticks) ? &ts->ticks : &ts->bar, budget_ns);
}

/* What is small is whole at once, so that the first picture of a window is the exact one. */
void
view_tally_want(struct view *v, struct tally *y, unsigned nparts)
{
	y->wanted = true;
	if (nparts == 0 || is_current(v, y, nparts) || (!v->complete && !v->window.any))
		return;
	begin(v, y, nparts);
	if (!y->growing)
		step(v, y, AT_ONCE_NS);
	if (!y->done)
		take_rough(v, y);
}

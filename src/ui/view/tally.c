/*
 * Events of the window by thread and by part of the window, counted in the background for the panes
 * that need them.
 *
 *	window	from |------------|------------|------------| to	nparts parts
 *	all		  120		 80	      3			events in each part
 *	line 0		  100		 --	      3			... of thread 0
 *	line 1		   20		 80	      -
 *	bars		 [===outer=======]		with durations
 *			    [inner]
 *
 * Until events are counted, and while the index is being made, the index's counts by thread are
 * shown, spread over their time ranges. With a filter, the events are counted meanwhile. The range
 * of times is not known then, so they are counted in bins (tnav/engine/bins.h):
 *
 *	piece	runs of events of a thread in ts >> shift	the shift of the bins at its begin
 *	merge	bins, by thread					their shift grows
 *
 * Invariant: the counts belong to the rows, the times, the parts and the query at the beginning of
 * the count. If one of them changes, it begins again. Until it is done, it is correct for times
 * before upto.
 */
#include "ui/view/tally.h"

#include <limits.h>
#include <stdatomic.h>
#include <string.h>

#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "ui/view/view.h"

#define CELLS_MAX	(4u << 20)	/* of all lines */
#define ROWS_AT_ONCE	(4u << 20)	/* of a whole trace that is counted in the file's order */
#define LOOK_BACK	(1u << 20)	/* rows before the window whose spans may extend into it */
#define BINS		2048u	/* while the index grows, ... */
#define BINNED		2048u	/* ... of this many threads */
#define NO_PART		UINT_MAX
#define TALLIES		5u
#define AT_ONCE		0		/* as a budget: only wait for small counts */

/* The request, as the pass reads it. It does not change, and is retired after another request. */
struct tally_request {
	struct tally	*y;		/* where to merge */
	const struct view *v;
	uint64_t	 row0;
	int64_t		 from, to;
	unsigned	 nparts;
	uint32_t	 lines;
	bool		 spans;
	bool		 growing;	/* the parts are those of: */
	struct bins	 bins;		/* by thread */
	atomic_uint	 shift;		/* of the bins, for the workers */
};

/* The counts of a piece of rows. What depends on their order is computed in the merge. */
struct piece_counts {
	const struct tally_request *of;
	unsigned	 shift;
	struct runs	 runs;		/* by part of the window, or by ts >> shift */
	struct bar	*span;
	size_t		 nspans, spans_cap;
};

static void
request_end(void *arg)
{
	bins_release(&((struct tally_request *)arg)->bins);
	mem_free(arg);
}

static void
release(struct tally *y)
{
	mem_free(y->all);
	mem_free(y->events);
	mem_free(y->bytes);
	mem_free(y->bins);
	mem_free(y->rough);
	bars_release(&y->bars);
	y->all = y->events = y->bytes = NULL;
	y->bins = y->rough = NULL;
	y->done = false;
}

/* In the order of counting. */
static struct tally *
nth_tally(struct tallies *ts, unsigned i)
{
	struct tally	*all[TALLIES] = { &ts->lanes, &ts->around, &ts->by_thread, &ts->ticks,
			    &ts->bar };

	return all[i];
}

void
tallies_init(struct tallies *ts)
{
	*ts = (struct tallies){ .by_thread.tells = VIEW_COUNTS, .lanes.tells = VIEW_LANES,
	    .lanes.of = COUNT_SHOWN, .around.of = COUNT_AROUND,
	    .ticks.of = COUNT_FOUND, .bar.of = COUNT_FOUND, .bar.by_place = true };
}

void
tallies_release(struct tallies *ts)
{
	for (unsigned i = 0; i < TALLIES; i++) {
		struct tally	*y = nth_tally(ts, i);

		release(y);
		counting_release(&y->counting);
	}
}

int64_t
view_event_end(const struct view *v, const struct event *e)
{
	int64_t	end;

	/* Durations are nanoseconds: of Heph, which may be joined to a trace of other ticks. */
	if (!trace_has(v->t, HAS_DURATIONS) || trace_info(v->t)->freq != 1000000000)
		return e->ts;
	return e->dur > INT64_MAX || __builtin_add_overflow(e->ts, (int64_t)e->dur, &end) ?
	    INT64_MAX : end;
}

/* What each kind depends on. */
static const unsigned	depends[] = {
	[COUNT_ALL] = VIEW_INDEX | VIEW_ROWS,
	[COUNT_SHOWN] = VIEW_INDEX | VIEW_ROWS | VIEW_FILTER,
	[COUNT_FOUND] = VIEW_INDEX | VIEW_ROWS | VIEW_SEARCH,
	[COUNT_AROUND] = VIEW_INDEX | VIEW_ROWS | VIEW_FILTER,
};

static bool
is_current(struct view *v, const struct tally *y, unsigned nparts)
{
	if (y->by_place)
		view_rows_follow(v);
	return y->all != NULL && y->nparts == nparts &&
	    !view_changed(v, &y->seen, depends[y->of] | (y->by_place ? VIEW_LIST : 0u));
}

static void
become_done(struct view *v, struct tally *y)
{
	y->done = true;
	y->upto = y->to;
	view_change(v, y->tells);
}

/* Take the index's counts, unless there is a filter or spans, which the index does not have. */
static void
take_rough(struct view *v, struct tally *y)
{
	size_t	cells = (size_t)y->lines * y->nparts;

	if (((y->of == COUNT_SHOWN || y->of == COUNT_AROUND) && v->filter.q != NULL) ||
	    y->lines == 0 ||
	    (y->spans && !y->growing))
		return;
	y->rough = mem_alloc((cells + 1) * sizeof *y->rough);
	trace_thread_density(v->t, y->from, y->to, y->lines, y->rough, y->nparts);
	for (uint32_t i = 0; y->growing && i < y->lines; i++)
		for (unsigned k = 0; k < y->nparts; k++)
			y->events[i] += y->rough[(size_t)i * y->nparts + k];
}

/* Is a filter being counted while the index grows? */
static bool
is_grown(const struct view *v, const struct tally *y)
{
	return y->growing && y->of == COUNT_SHOWN && v->filter.q != NULL && y->lines > 0;
}

uint32_t
tally_bin(const struct tally *y, uint32_t line, unsigned part)
{
	size_t	at = (size_t)line * y->nparts + part;

	if (y->done || y->rough == NULL || part < time_bucket(y->upto, y->from, y->to, y->nparts))
		return y->bins[at];
	return y->rough[at] > y->bins[at] ? y->rough[at] : y->bins[at];
}

static bool
is_busy(const struct view *v, const struct tally *y)
{
	if (y->wanted != v->frame || y->all == NULL || y->done || y->stopped)
		return false;
	return !y->growing || (is_grown(v, y) && counting_busy(&y->counting));
}

void
view_tally_stop(struct view *v)
{
	for (unsigned i = 0; i < TALLIES; i++)
		nth_tally(&v->tallies, i)->stopped = true;
}

/* The first one that is to be counted; NULL: none is. */
static struct tally *
busy_tally(const struct view *v)
{
	for (unsigned i = 0; i < TALLIES; i++) {
		struct tally	*y = nth_tally((struct tallies *)&v->tallies, i);

		if (is_busy(v, y))
			return y;
	}
	return NULL;
}

bool
view_tally_busy(const struct view *v)
{
	return busy_tally(v) != NULL;
}

double
tally_share(const struct tally *y)
{
	return y->done || y->all == NULL ? 1 : counting_share(&y->counting);
}

static void
merge_bin(struct bins *b, const struct thread_run *r, unsigned shift)
{
	int64_t	ts = (int64_t)((uint64_t)r->bucket << shift);

	if (r->thread >= BINNED)
		return;
	while (r->thread >= b->keys)
		bins_key(b);
	bins_cover(b, ts);
	bins_add(b, r->thread, ts, r->n);
}

static void
merge_run(struct tally *y, const struct thread_run *r)
{
	y->all[r->bucket] += r->n;
	if (r->thread < y->threads) {
		y->events[r->thread] += r->n;
		y->bytes[r->thread] += r->bytes;
	}
	if (r->thread < y->lines)
		y->bins[(size_t)r->thread * y->nparts + (size_t)r->bucket] += r->n;
}

/* ---- the pass */

static void *
seen_begin(void *arg)
{
	struct piece_counts	*s = mem_zalloc(1, sizeof *s);

	s->of = arg;
	s->shift = atomic_load(&((struct tally_request *)arg)->shift);
	return s;
}

static void
add_span(struct piece_counts *s, const struct event *e)
{
	int64_t	end = view_event_end(s->of->v, e);

	if (end <= s->of->from || end <= e->ts)
		return;
	ARRAY_ADD(s->span, s->nspans, s->spans_cap, (struct bar){
	    .thread = e->thread, .name = e->type, .from = e->ts, .to = end });
}

static void
seen_add(void *state, const struct pass_batch *b)
{
	struct piece_counts		*s = state;
	const struct tally_request	*of = s->of;

	for (uint32_t i = 0; i < b->n; i++) {
		const struct event	*e = &b->ev[b->at[i]];

		if (of->spans && e->thread < of->lines)
			add_span(s, e);
		if (of->growing)
			runs_add(&s->runs, e, e->ts >> s->shift);
		else if (pass_row(b, i) >= of->row0)
			runs_add(&s->runs, e, time_bucket(e->ts, of->from, of->to, of->nparts));
	}
}

static void
seen_free(void *state)
{
	struct piece_counts	*s = state;

	mem_free(s->runs.v);
	mem_free(s->span);
	mem_free(s);
}

static int
seen_merge(void *arg, void *state)
{
	struct tally_request	*of = arg;
	struct piece_counts	*s = state;

	for (size_t i = 0; i < s->nspans; i++)
		bars_add(&of->y->bars, &s->span[i]);
	for (size_t i = 0; i < s->runs.n && of->growing; i++)
		merge_bin(&of->bins, &s->runs.v[i], s->shift);
	for (size_t i = 0; i < s->runs.n && !of->growing; i++)
		merge_run(of->y, &s->runs.v[i]);
	atomic_store(&of->shift, of->bins.shift);
	return 0;
}

/* ---- steps */

/*
 * Is it better to count in the file's order? Then events are neither sorted nor numbered, but the
 * counts are correct for no time until all are counted, so that must be soon. If enough views stay,
 * the next count need not make them again.
 */
static bool
in_file_order(const struct view *v, const struct tally *y)
{
	return v->complete && v->window.whole && v->filter.q == NULL && !y->spans &&
	    (y->of == COUNT_ALL || y->of == COUNT_SHOWN) && y->row1 - y->row0 <= ROWS_AT_ONCE &&
	    !trace_views_stay(v->t);
}

static void
begin_counting(struct view *v, struct tally *y)
{
	static const struct pass_ops	ops = { .begin = seen_begin, .add = seen_add,
					    .merge = seen_merge, .free = seen_free };

	y->request = mem_alloc(sizeof *y->request);
	*y->request = (struct tally_request){ .y = y, .v = v, .row0 = y->row0, .from = y->from,
	    .to = y->to, .nparts = y->nparts, .lines = y->lines, .spans = y->spans,
	    .growing = y->growing };
	bins_init(&y->request->bins, BINS);
	counting_begin(&y->counting, v, &(struct counting_request){ .of = y->of, .ops = &ops,
	    .arg = y->request, .end = request_end, .owned = y->request,
	    .by_rows = !y->growing && !in_file_order(v, y), .row0 = y->at });
}

static void
begin(struct view *v, struct tally *y, unsigned nparts)
{
	size_t	cells;

	release(y);
	y->growing = !v->complete;
	y->grown &= y->growing;
	y->row0 = v->window.row0;
	y->row1 = v->window.row1;
	y->from = y->upto = v->window.from;
	y->to = v->window.to;
	y->nparts = nparts;
	y->threads = trace_threads(v->t);
	y->spans = y->of == COUNT_SHOWN && trace_has(v->t, HAS_DURATIONS);
	y->lines = y->of == COUNT_FOUND ? 0 : y->threads;
	y->places = y->by_place ? view_count(v) : 0;
	if (y->spans)
		y->lines = bars_lines(y->lines, nparts);
	else if (y->lines > CELLS_MAX / nparts)
		y->lines = CELLS_MAX / nparts;
	cells = (size_t)y->lines * nparts;
	y->all = mem_zalloc(nparts, sizeof *y->all);
	y->events = mem_zalloc((size_t)y->threads + 1, sizeof *y->events);
	y->bytes = mem_zalloc((size_t)y->threads + 1, sizeof *y->bytes);
	y->bins = mem_zalloc(cells + 1, sizeof *y->bins);
	if (y->spans)
		bars_init(&y->bars, y->from, y->to, nparts, y->lines);
	y->at = y->row0;
	if (y->spans)
		y->at = y->row0 > LOOK_BACK ? y->row0 - LOOK_BACK : 0;
	y->cut = y->spans && y->at > 0;
	if (!y->by_place && !y->growing)
		begin_counting(v, y);
	y->stopped = y->growing && v->stopped;
	y->seen = v->changes;
	if (!y->growing && y->row0 == y->row1 && !y->spans)
		become_done(v, y);
}

/* The part of the window that contains the middle of a bin; NO_PART: none does. */
static unsigned
part_of(const struct tally *y, const struct bins *b, unsigned k)
{
	int64_t	from = (int64_t)((uint64_t)(b->first + k) << b->shift);
	int64_t	last = from + (int64_t)((UINT64_C(1) << b->shift) - 1);

	if (from >= y->to || last < y->from)
		return NO_PART;		/* events outside the window may have been counted */
	return time_bucket(from + ((last - from) >> 1), y->from, y->to, y->nparts);
}

static void
take_bins(struct tally *y, const struct bins *b)
{
	unsigned	part[BINS];
	uint64_t	n[BINS];

	for (unsigned k = 0; b->any && k <= (uint64_t)(b->last - b->first); k++)
		part[k] = part_of(y, b, k);
	for (uint32_t i = 0; i < b->keys; i++) {
		unsigned	bins = bins_get(b, i, n);

		for (unsigned k = 0; k < bins; k++) {
			if (i < y->lines)
				y->events[i] += n[k];
			if (part[k] == NO_PART)
				continue;
			y->all[part[k]] += n[k];
			if (i < y->lines)
				y->rough[(size_t)i * y->nparts + part[k]] += (uint32_t)n[k];
		}
	}
}

/* Take the counts of a filter while the index grows. A count for another filter is dropped. */
static void
take_grown(struct view *v, struct tally *y)
{
	size_t	cells = (size_t)y->lines * y->nparts;

	if (!y->grown || counting_follow(&y->counting))
		begin_counting(v, y);
	y->grown = true;
	if (y->rough == NULL)
		y->rough = mem_alloc((cells + 1) * sizeof *y->rough);
	memset(y->rough, 0, cells * sizeof *y->rough);
	memset(y->events, 0, y->threads * sizeof *y->events);
	memset(y->all, 0, y->nparts * sizeof *y->all);
	take_bins(y, &y->request->bins);
}

/* Count the rows found by the search, by their places in the list. */
static void
step_places(struct view *v, struct tally *y, int64_t until)
{
	uint64_t	found;
	unsigned	n;

	while (y->at < y->row1 && job_now_ns() < until) {
		n = query_hits_at(v->search.hits, y->at, &found);
		if (n == 0)
			query_wait(v->search.hits, until - job_now_ns());
		n = n < y->row1 - y->at ? n : (unsigned)(y->row1 - y->at);
		for (unsigned i = 0; i < n; i++) {
			uint64_t	row = y->at + i, at = row - y->row0;

			if ((found >> i & 1) == 0)
				continue;
			if (v->filter.q != NULL)
				at = query_index(v->filter.q, row);
			if (at < y->places)
				y->all[(unsigned __int128)at * y->nparts / y->places]++;
		}
		y->at += n;
	}
	if (y->at >= y->row1)
		become_done(v, y);
}

static void
step(struct view *v, struct tally *y, int64_t budget_ns)
{
	bool	more;

	if (!is_busy(v, y))
		return;
	if (y->by_place) {
		step_places(v, y, job_now_ns() + budget_ns);
		return;
	}
	if (y->growing) {
		(void)counting_step(&y->counting, budget_ns);
		take_grown(v, y);
		if (!counting_busy(&y->counting))
			view_change(v, y->tells);
		return;
	}
	more = budget_ns == AT_ONCE ? counting_first_step(&y->counting) :
	    counting_step(&y->counting, budget_ns);
	if (!more)
		become_done(v, y);
	else if (y->counting.upto.ts > y->upto)
		y->upto = y->counting.upto.ts;
}

void
view_tally_step(struct view *v, int64_t budget_ns)
{
	struct tally	*y = busy_tally(v);

	if (y != NULL)
		step(v, y, budget_ns);
}

/* A small count is complete immediately, so that the first picture of a window is exact. */
void
view_tally_want(struct view *v, struct tally *y, unsigned nparts)
{
	bool	current = is_current(v, y, nparts);

	y->wanted = v->frame;
	if (nparts == 0 || (!v->complete && !v->window.any) || (current && !is_grown(v, y)))
		return;
	if (!current)
		begin(v, y, nparts);
	if (is_grown(v, y)) {
		take_grown(v, y);
		return;
	}
	step(v, y, AT_ONCE);
	if (!y->done)
		take_rough(v, y);
}

const struct tally *
view_tally_around(struct view *v, unsigned nparts)
{
	struct tally	*y = &v->tallies.around;

	if (v->filter.around == NULL)
		return NULL;
	view_tally_want(v, y, nparts);
	return y->all != NULL && y->nparts == nparts ? y : NULL;
}

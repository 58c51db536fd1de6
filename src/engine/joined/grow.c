/*
 * The index of joined traces, which grows as its sources do.
 *
 *	bounds		A: ---------------a	no event of A that comes is earlier: the time of
 *			B: ---------b		its last sequence point. One that has ended: none
 *	regions		| closed    | open	closed up to the least bound: rows are final
 *
 *	segments	A A B A B B ...		each once, in the order in which they came
 *	of a region	[==a==] [=b=] [==	those that have events in its times; one that
 *			    [====c====]		straddles a bound is of two, each has a part
 *
 * An event that two files of one program have is left out of the later one (repeats.c).
 *
 * An event's place is (time, source, offset), since event.off has the source in its highest bits.
 * So slices, views, passes and queries are those of a single trace. What lies in a file is read by
 * the source's own functions (event_home(), segment_home()).
 *
 * Segments that have no event before the bound wait in a heap (ahead), so closing a region costs
 * what lies in its times. Segments that straddle are decoded again at each bound: a bound is only
 * used when as much has come as that costs, or after a while (is_worth()). So the work is linear.
 *
 * A source from which nothing comes for some seconds holds nobody up: what the others had before
 * is taken for its bound. If an event is earlier than its source's bound after all, it is in a
 * region of its own, after those that were closed before, and a finding. Where that happens often,
 * the source has no bound until it ends.
 *
 * Invariant: rows of closed regions never change. When all sources have ended, all rows are those
 * of joining them then, but for events that came too late.
 */
#include "engine/index/regions.h"
#include "engine/joined/joined.h"
#include "engine/view/cut.h"
#include "engine/view/decode.h"
#include "tnav/base/diag.h"
#include "tnav/base/heap.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

#define ROUND_NS	INT64_C(5000000)	/* between two rounds, at least */
#define LOOK_NS		INT64_C(1000000000)	/* ... and at most, for sources that are silent */
#define AGAIN_NS	INT64_C(20000000)	/* ... if not everything is shown */
#define LATE_MOST	8u
#define CREDIT		2u		/* closing and publishing decode at most so many events
					   for each that comes, or take 1/8 of the time */

static const struct segment *
segment_of(const struct trace *t, uint64_t i)
{
	return segvec_at(&t->index.segments, i);
}

/* ---- sets of segments */

static void
set_add(struct segment_set *s, uint64_t segment)
{
	ARRAY_ADD(s->v, s->n, s->cap, segment);
}

HEAP(ahead, uint64_t, struct trace, segment_of(c, a)->tmin < segment_of(c, b)->tmin)

/* ---- taking what the sources have */

/* A type of a source as one of the whole. */
static const struct event_type *
type_of_whole(struct trace *t, const struct event_type *type, uint32_t index)
{
	struct event_type	*own = arena_alloc(&t->arena, sizeof *own);

	*own = *type;
	own->index = index;
	return own;
}

static uint32_t
whole_add(struct segvec *of, struct segvec *map, uint32_t source)
{
	uint32_t		 whole = (uint32_t)of->n;
	struct source_index	*from = segvec_add(of, sizeof *from);

	*from = (struct source_index){ source, (uint32_t)map->n };
	*(uint32_t *)segvec_add(map, sizeof whole) = whole;
	return whole;
}

/* Those that it has now, and what the placeholders among the earlier ones have become. */
static void
take_types(struct trace *t, uint32_t source, uint64_t n)
{
	struct joined_source	*s = &t->joined->source[source];
	size_t			 kept = 0;

	for (size_t i = 0; i < s->nmissing; i++) {
		uint32_t		 own = s->missing[i];
		const struct event_type	*type = trace_type(s->t, own);
		uint32_t		 whole = *(const uint32_t *)segvec_at(&s->type, own);

		if (type->missing)
			s->missing[kept++] = own;
		else
			((struct type_rec *)segvec_at(&t->names.types, whole))->t =
			    type_of_whole(t, type, whole);
	}
	s->nmissing = kept;
	while (s->type.n < n) {
		uint32_t		 own = (uint32_t)s->type.n;
		const struct event_type	*type = trace_type(s->t, own);
		struct type_rec		*r = segvec_add(&t->names.types, sizeof *r);

		r->t = type_of_whole(t, type, whole_add(&t->joined->types, &s->type, source));
		if (!type->missing)
			continue;
		ARRAY_ADD(s->missing, s->nmissing, s->missing_cap, own);
	}
}

static void
take_threads(struct trace *t, uint32_t source, uint64_t n)
{
	struct joined_source	*s = &t->joined->source[source];

	while (s->thread.n < n) {
		(void)segvec_add(&t->names.threads, sizeof(struct thread_rec));
		(void)whole_add(&t->joined->threads, &s->thread, source);
	}
}

static void
count_add(struct count *c, uint32_t size)
{
	c->events++;
	c->bytes += size;
}

/* Count what is left out of a source by type and thread: see counts.c. */
static void
take_repeats(struct trace *t, const struct joined_source *s)
{
	for (size_t i = 0; i < s->repeats.n; i++) {
		const struct repeat	*r = &s->repeats.v[i];
		uint32_t		 type = *(uint32_t *)segvec_at(&s->type, r->type);
		uint32_t		 thread = *(uint32_t *)segvec_at(&s->thread, r->thread);

		count_add(&((struct type_rec *)segvec_at(&t->names.types, type))->c, r->size);
		count_add(&((struct thread_rec *)segvec_at(&t->names.threads, thread))->s.c,
		    r->size);
	}
}

/* How many events of its segment i, of n, are left out. */
static size_t
segment_repeats(const struct joined_source *s, uint64_t i, uint64_t n)
{
	const struct segvec	*v = &s->t->index.segments;
	uint64_t		 to = UINT64_MAX;

	if (s->repeats.n == 0)
		return 0;
	if (i + 1 < n)
		to = segment_off(s->t, segvec_known(v, i + 1));
	return repeats_between(&s->repeats, segment_off(s->t, segvec_known(v, i)), to);
}

static void
take_segment(struct trace *t, struct segment g)
{
	struct joined	*j = t->joined;
	uint64_t	 number = t->index.segments.n;

	*(struct segment *)segvec_add(&t->index.segments, sizeof g) = g;
	set_add(&j->ahead, number);
	ahead_push(t, j->ahead.v, j->ahead.n - 1, number);
	if (t->open.has_point && g.tmin < t->open.point)
		set_add(&j->late, number);
	t->progress.events += g.n;
	t->progress.tmin = g.tmin < t->progress.tmin ? g.tmin : t->progress.tmin;
	t->progress.tmax = g.tmax > t->progress.tmax ? g.tmax : t->progress.tmax;
	j->credit += g.n * CREDIT;
}

/* Its segments up to n. */
static void
take_segments(struct trace *t, uint32_t source, uint64_t n)
{
	struct joined_source	*s = &t->joined->source[source];
	size_t			 late = t->joined->late.n;

	for (; s->taken < n; s->taken++) {
		struct segment	g = *(const struct segment *)segvec_known(&s->t->index.segments,
				    s->taken);

		g.repeats = (uint16_t)segment_repeats(s, s->taken, n);
		if (g.repeats >= g.n)
			continue;
		g.n -= g.repeats;
		g.source = (uint16_t)source;
		g.tmin = clock_to(&s->clock, g.tmin);
		g.tmax = clock_to(&s->clock, g.tmax);
		take_segment(t, g);
	}
	if (t->joined->late.n == late)
		return;
	s->late++;
	t->progress.disordered = true;
}

/* What a source has now. */
struct present {
	uint64_t	types, threads, segments;
	int64_t		point;
	bool		has_point;
};

static void
look_at(struct joined_source *s, struct present *p)
{
	struct trace	*t = s->t;
	uint64_t	 size = source_size(t->source);

	lock_take(t->lock);
	*p = (struct present){ t->names.types.n, t->names.threads.n, t->index.segments.n,
	    t->barrier_ts, t->has_barrier };
	s->ended = t->progress.ended_ns != 0;
	s->rests = s->ended || (t->progress.following && t->progress.seen == size);
	lock_drop(t->lock);
}

/* Take what is new in a source. */
static void
take_source(struct trace *t, uint32_t source, int64_t now)
{
	struct joined_source	*s = &t->joined->source[source];
	struct present		 p;

	look_at(s, &p);
	if (p.segments != s->segments || s->came_ns == 0) {
		s->segments = p.segments;
		s->came_ns = now;
	}
	s->bound = INT64_MIN;
	if (s->by == CLOCK_AUTO && !joined_clock(t, source))
		return;
	lock_take(t->lock);
	take_types(t, source, p.types);
	take_threads(t, source, p.threads);
	if (s->taken == 0)
		take_repeats(t, s);
	take_segments(t, source, p.segments);
	lock_drop(t->lock);
	if (p.has_point && s->late < LATE_MOST)
		s->bound = clock_to(&s->clock, p.point);
}

/* Do all sources have nothing more at the moment? */
static bool
take_all(struct trace *t, bool *ended)
{
	struct joined	*j = t->joined;
	int64_t		 now = job_now_ns();
	bool		 rests = true;

	*ended = true;
	for (uint32_t i = 0; i < j->n; i++) {
		take_source(t, i, now);
		rests &= j->source[i].rests;
		*ended &= j->source[i].ended;
	}
	if (now - j->now.at_ns >= j->how.silent_ns) {
		j->past = j->now;
		j->now.at_ns = now;
		j->now.tmost = t->progress.tmax;
	}
	return rests;
}

/* Has nothing come from it for some seconds, though others had later events before? */
static bool
is_silent(const struct joined *j, const struct joined_source *s, int64_t now)
{
	return s->rests && j->past.at_ns != 0 && now - s->came_ns >= j->how.silent_ns &&
	    s->bound < j->past.tmost;
}

/* The time before which nothing will come. */
static int64_t
least_bound(const struct trace *t)
{
	const struct joined	*j = t->joined;
	int64_t			 now = job_now_ns(), least = INT64_MAX, others = INT64_MAX;
	bool			 silent = false;

	for (uint32_t i = 0; i < j->n; i++) {
		const struct joined_source	*s = &j->source[i];

		if (s->ended)
			continue;
		least = s->bound < least ? s->bound : least;
		if (is_silent(j, s, now))
			silent = true;
		else
			others = s->bound < others ? s->bound : others;
	}
	if (!silent || others == INT64_MAX)
		return least;
	return others < j->past.tmost ? others : j->past.tmost;
}

/* ---- regions */

/* A region, and its slices. */
struct cut {
	struct region		r;
	struct slice_list	slices;
};

/* By source, then as they came, which is in the order of its file: see events_sort(). */
static void
set_sort(const struct trace *t, struct segment_set *s)
{
	for (size_t i = 0; i < s->n; i++)
		s->v[i] |= (uint64_t)segment_of(t, s->v[i])->source << EVENT_SOURCE_SHIFT;
	sort_array(s->v, s->n, sizeof *s->v, compare_u64);
	for (size_t i = 0; i < s->n; i++)
		s->v[i] &= EVENT_OFFSET;
}

/* Where a region begins. */
static int64_t
region_from(const struct region *r)
{
	return r->has_point ? r->point : INT64_MIN;
}

/* Cut what the segments have up to `to`. c->r has the row and the point. */
static void
cut_make(struct trace *t, struct cut *c, struct segment_set *s, int64_t to, bool closed)
{
	struct region		*r = &c->r;
	int64_t			 from = region_from(r);
	uint32_t		*v = mem_alloc((s->n + 1) * sizeof *v);
	struct segment_list	 of = { v, s->n };
	uint64_t		 most = 0;

	set_sort(t, s);
	r->seg0 = UINT64_MAX;
	r->tmin = INT64_MAX;
	r->tmax = INT64_MIN;
	for (size_t i = 0; i < s->n; i++) {
		const struct segment	*g = segment_of(t, s->v[i]);

		r->seg0 = s->v[i] < r->seg0 ? s->v[i] : r->seg0;
		most = s->v[i] > most ? s->v[i] : most;
		r->tmin = g->tmin < r->tmin ? g->tmin : r->tmin;
		r->tmax = g->tmax > r->tmax ? g->tmax : r->tmax;
	}
	for (size_t i = 0; i < s->n; i++)
		v[i] = (uint32_t)(s->v[i] - r->seg0);
	r->nseg = s->n > 0 ? most - r->seg0 + 1 : 0;
	r->tmin = r->tmin < from ? from : r->tmin;
	r->tmax = r->tmax > to ? to : r->tmax;
	r->events = r->tmin <= r->tmax ? slice_count(t, r, of) : 0;
	if (r->events > 0)
		slice_cut(t, r, of, &c->slices);
	if (r->events > 0 && closed)
		r->touch = slice_touch(t, r, of, &c->slices);
	mem_free(v);
}

/* What is done at once: readers see all of it, or nothing. */
struct joined_step {
	bool		closes, final;
	bool		wanted;		/* what is open is shown */
	int64_t		until;		/* closes what is before */
	struct cut	late, closed, open;
};

/* Events that came too late are rows after those that are final. */
static void
cut_late(struct trace *t, struct joined_step *x)
{
	if (t->joined->late.n == 0)
		return;
	x->late.r.row0 = t->progress.rows;
	cut_make(t, &x->late, &t->joined->late, t->open.point - 1, true);
	diag_add_times(t->diag, SEV_NOTE, FIND_ORDER, 0, 0, x->late.r.events,
	    "events came after later ones of other files were final");
}

static void
cut_closed(struct trace *t, struct joined_step *x)
{
	struct joined	*j = t->joined;
	size_t		 kept = 0;

	x->closed.r = (struct region){ .row0 = t->progress.rows + x->late.r.events,
	    .has_point = t->open.has_point, .point = t->open.point };
	cut_make(t, &x->closed, &j->open, x->final ? INT64_MAX : x->until - 1, true);
	for (size_t i = 0; i < j->open.n; i++)
		if (!x->final && segment_of(t, j->open.v[i])->tmax >= x->until)
			j->open.v[kept++] = j->open.v[i];
	j->open.n = kept;
}

/* What may still move. */
static void
cut_open(struct trace *t, struct joined_step *x)
{
	struct joined		*j = t->joined;
	struct segment_set	 all = { .n = 0 };

	x->open.r = (struct region){
	    .row0 = t->progress.rows + x->late.r.events + x->closed.r.events,
	    .has_point = t->open.has_point, .point = t->open.point };
	if (x->closes && !x->final) {
		x->open.r.has_point = true;
		x->open.r.point = x->until;
	}
	if (x->final || !x->wanted)
		return;
	for (size_t i = 0; i < j->open.n + j->ahead.n; i++)
		set_add(&all, i < j->open.n ? j->open.v[i] : j->ahead.v[i - j->open.n]);
	cut_make(t, &x->open, &all, INT64_MAX, false);
	mem_free(all.v);
}

static void
install(struct trace *t, struct joined_step *x)
{
	struct slice_list	old;

	lock_take(t->lock);
	if (x->late.r.events > 0)
		region_add(t, &x->late.r, &x->late.slices);
	if (x->closed.r.events > 0)
		region_add(t, &x->closed.r, &x->closed.slices);
	t->open = x->open.r;
	old = t->open_slices;
	open_show(t, x->open.slices);
	lock_wake(t->lock);
	lock_drop(t->lock);
	mem_free(old.s);
	mem_free(x->late.slices.s);
	mem_free(x->closed.slices.s);
	t->closed_by_end = x->final && x->closed.r.events > 0;
	t->joined->late.n = 0;
	atomic_fetch_add(&t->generation, 1);
}

/* The events of which no final row is made yet. */
static uint64_t
events_open(const struct trace *t)
{
	return t->progress.events - t->progress.rows;
}

/* The events that are decoded or cut again, if what is before is closed. */
static uint64_t
cost_of_closing(const struct trace *t, int64_t until)
{
	const struct joined	*j = t->joined;
	uint64_t		 n = 0;

	for (size_t i = 0; i < j->open.n; i++) {
		const struct segment	*g = segment_of(t, j->open.v[i]);

		if (g->tmax >= until || g->tmin < region_from(&t->open))
			n += g->n;
	}
	if (atomic_load(&t->want_rows))
		n += events_open(t) / PUBLISH_SHARE;
	return n;
}

/* May that be spent now? */
static bool
is_worth(struct trace *t, uint64_t cost)
{
	struct joined	*j = t->joined;

	if (cost > j->credit && !publish_rested(t, job_now_ns()))
		return false;
	j->credit -= cost < j->credit ? cost : j->credit;
	return true;
}

/* Close a region up to the bound, and publish what is open, if it is time. False: not all is
   shown. */
static bool
step(struct trace *t, int64_t bound, bool final, bool idle)
{
	struct joined		*j = t->joined;
	uint64_t		 open = events_open(t);
	int64_t			 begin = job_now_ns();
	struct joined_step	 x = { .wanted = atomic_load(&t->want_rows), .final = final,
				    .until = bound };
	bool			 shows;

	while (j->ahead.n > 0 && (final || segment_of(t, j->ahead.v[0])->tmin < bound))
		set_add(&j->open, ahead_pop(t, j->ahead.v, --j->ahead.n));
	x.closes = final || (j->open.n > 0 && bound > region_from(&t->open) &&
	    is_worth(t, cost_of_closing(t, bound)));
	shows = x.wanted && open != t->published && publish_is_due(t, open, idle, begin);
	if (!x.closes && !shows && j->late.n == 0)
		return !x.wanted || open == t->published;
	cut_late(t, &x);
	if (x.closes)
		cut_closed(t, &x);
	cut_open(t, &x);
	install(t, &x);
	publish_done(t, x.wanted ? events_open(t) : 0, begin);
	return true;
}

void
joined_open_again(struct trace *t)
{
	struct segment_set	*s = &t->joined->open;

	s->n = 0;
	for (uint64_t i = t->open.seg0; i < t->open.seg0 + t->open.nseg; i++)
		if (segment_of(t, i)->tmax >= region_from(&t->open))
			set_add(s, i);
}

/* ---- findings */

static void
add_findings(struct trace *t, struct trace *s)
{
	struct finding	*list;
	size_t		 n = diag_list(trace_diag(s), &list);

	for (size_t i = 0; i < n; i++)
		diag_add_times(t->diag, list[i].severity, list[i].kind, list[i].off,
		    list[i].bytes, list[i].count, "%s: %s", trace_path(s), list[i].text);
	mem_free(list);
}

/* What is wrong with the sources, as they are now. If they grow, index_again() takes it back. */
static void
take_findings(struct trace *t)
{
	diag_judge(t->diag);
	for (uint32_t i = 0; i < t->joined->n; i++)
		add_findings(t, t->joined->source[i].t);
}

/* ---- the thread */

/* Follow those that are received, or the files, unless that has ended already. What cannot be
   followed has ended. */
static void
follow_sources(struct trace *t, bool fed)
{
	struct joined	*j = t->joined;
	struct buf	 why = { 0 };

	lock_take(j->follow);
	for (uint32_t i = 0; i < j->n && !j->ended; i++) {
		struct joined_source	*s = &j->source[i];

		if (s->t->fed == fed && !s->started)
			s->started = trace_follow(s->t, true, &why);
	}
	lock_drop(j->follow);
	buf_release(&why);
}

/* Sources that are received grow by themselves; files are read up to their end first, one after the
   other, each with all workers. */
static void
index_sources(struct trace *t, bool following)
{
	struct joined	*j = t->joined;

	if (following)
		follow_sources(t, true);
	for (uint32_t i = 0; i < j->n && following; i++)
		if (j->source[i].started)
			trace_index_start(j->source[i].t);
	for (uint32_t i = 0; i < j->n && !atomic_load(&t->cancel); i++) {
		atomic_store(&j->reading, i);
		if (!j->source[i].started)
			(void)trace_index_wait(j->source[i].t, -1);
	}
}

/* Read the sources, set their clocks, and find what two of them have. */
static void
joined_begin(struct trace *t, bool following)
{
	struct joined	*j = t->joined;
	bool		 whole = true;

	index_sources(t, following);
	for (uint32_t i = 0; i < j->n; i++)
		whole &= !j->source[i].started && joined_clock(t, i);
	if (whole && !atomic_load(&t->cancel))
		joined_repeats(t);
	lock_take(t->lock);
	region_open(t);
	lock_drop(t->lock);
	if (following)
		follow_sources(t, false);
}

static uint64_t
news_now(const struct joined *j)
{
	uint64_t	n;

	lock_take(j->news.lock);
	n = j->news.n;
	lock_drop(j->news.lock);
	return n;
}

/* Wait until something has changed since heard, and a moment for more of it. */
static void
await_news(struct trace *t, uint64_t heard, int64_t begun, bool shown)
{
	struct joined	*j = t->joined;
	int64_t		 look = j->how.silent_ns < LOOK_NS ? j->how.silent_ns : LOOK_NS;
	int64_t		 until = begun + (shown ? look : AGAIN_NS);

	lock_take(j->news.lock);
	while (j->news.n == heard && !atomic_load(&t->cancel) &&
	    lock_wait_until(j->news.lock, until))
		;
	while (!atomic_load(&t->cancel) && lock_wait_until(j->news.lock, begun + ROUND_NS))
		;
	lock_drop(j->news.lock);
}

/* Take what comes until all sources have ended. */
static void
joined_run(struct trace *t)
{
	uint64_t	seen = UINT64_MAX, events = 0;
	bool		ended = false;

	while (!atomic_load(&t->cancel)) {
		uint64_t	heard = news_now(t->joined), size = trace_size(t);
		int64_t		begun = job_now_ns();
		bool		rests = take_all(t, &ended);
		bool		shown = step(t, least_bound(t), ended, rests);

		if (ended)
			break;
		if (rests && shown && (size != seen || events != t->progress.events)) {
			seen = size;
			events = t->progress.events;
			index_seen(t, size);
		}
		await_news(t, heard, begun, shown);
	}
}

static bool
all_closed(const struct joined *j)
{
	struct trace_progress	p;

	for (uint32_t i = 0; i < j->n; i++) {
		trace_progress(j->source[i].t, &p);
		if (!p.closed)
			return false;
	}
	return true;
}

void
joined_index(struct trace *t)
{
	bool	following, closed;

	lock_take(t->lock);
	following = t->progress.following;
	lock_drop(t->lock);
	if (!t->again)
		joined_begin(t, following);
	joined_run(t);
	take_findings(t);
	closed = all_closed(t->joined);
	lock_take(t->lock);
	t->progress.closed = closed;
	lock_drop(t->lock);
	index_ended(t, !atomic_load(&t->cancel));
}

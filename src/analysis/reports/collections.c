/*
 * Collections and suspensions from events.
 *
 *	GCSuspendEEBegin  GCSuspendEEEnd  GCStart ... GCEnd  GCHeapStats  GCRestartEEEnd
 *	[------------------------- suspension of one thread ---------------------------]
 *	                                  [ collection ]
 *
 * A collection's suspension is the one of its thread in which its GCStart lies, else one of another
 * thread that is for a collection (server GC). A background collection has further suspensions, for
 * GCPrep, between its start and its end. Events are assigned to collections and suspensions as they
 * come.
 *
 * GCTriggered has the stack of what causes a collection. The thread writes it in the suspension, or
 * before it where threads of the collector begin that (server GC).
 *
 * Invariant: the cost of an event does not depend on the number of collections and suspensions.
 */
#include "analysis/reports/collections.h"

#include <assert.h>
#include <string.h>

#include "tnav/base/num.h"

enum { GC_FIELDS };

#define FOR_GC		1u		/* reasons of a suspension */
#define FOR_GC_PREP	6u

/* Spaces of suspensions: by thread, the open one and the latest that nothing ended; a nest of
   those for a collection. */
enum { OPEN, ENDLESS, UNENDED };
/* Spaces of collections: by number and instance; the latest of a thread; a nest. */
enum { BY_NUMBER, LATEST, RUNNING };

bool
gc_is_induced(uint64_t reason)
{
	struct buf	name = { 0 };
	bool		is;

	map_word(&name, "GCReason", reason);
	is = span_begins(span_of_buf(&name), "Induced");
	buf_release(&name);
	return is;
}

void
gc_begin(struct report_state *s)
{
	struct gc_collections	*g = s->own;

	g->state = s;
	g->run = s->run;
	g->collections = s->pairs;
	g->suspensions = s->more;
}

static struct group_key
thread_key(const struct fact *f)
{
	return pair_key(f->ev->thread, 0);
}

/* ---- suspensions */

/* The latest running background collection. Few run at a time; older ones lost their ends. */
static uint32_t
running_background(const struct gc_collections *g)
{
	const struct collection	*c = pairs_top(g->collections, RUNNING, 0);

	for (unsigned steps = 0; c != NULL && steps <= GC_LOOK_BACK; steps++) {
		if (c->type == GC_BACKGROUND)
			return c->p.number;
		c = gc_collection(g, c->p.below);
	}
	return 0;
}

static void
suspend_begin(struct gc_collections *g, const struct fact *f)
{
	struct suspension	*s = pairs_take(g->suspensions, OPEN, thread_key(f));
	uint64_t		 reason = fact_u64(f, 0);

	if (s != NULL)
		pairs_enter(g->suspensions, ENDLESS, thread_key(f), s, ABOVE_STAYS);
	if (reason != FOR_GC && reason != FOR_GC_PREP) {
		g->others += f->chosen;
		return;
	}
	s = pairs_start(g->suspensions, f);
	pairs_enter(g->suspensions, OPEN, thread_key(f), s, false);
	if (reason == FOR_GC)
		pairs_nest(g->suspensions, UNENDED, 0, s);
	else
		s->background = running_background(g);
}

static void
suspend_end(struct gc_collections *g, const struct fact *f)
{
	struct suspension	*s = pairs_latest(g->suspensions, OPEN, thread_key(f));

	if (s == NULL)
		return;
	s->stopped = f->ns;
	s->has_stopped = true;
}

static void
restart_begin(struct gc_collections *g, const struct fact *f)
{
	struct suspension	*s = pairs_latest(g->suspensions, OPEN, thread_key(f));

	if (s == NULL)
		return;
	s->restart = f->ns;
	s->has_restart = true;
}

static void
restart_end(struct gc_collections *g, const struct fact *f)
{
	struct suspension	*s = pairs_take(g->suspensions, OPEN, thread_key(f));

	if (s == NULL)
		return;
	(void)pairs_stop(g->suspensions, f, s);
	pairs_unnest(g->suspensions, UNENDED, 0, s, false);
}

/* The suspension in which a collection begins. */
static struct suspension *
suspension_of(const struct gc_collections *g, const struct fact *f)
{
	struct suspension	*s = pairs_latest(g->suspensions, OPEN, thread_key(f));

	if (s == NULL)
		s = pairs_latest(g->suspensions, ENDLESS, thread_key(f));
	return s != NULL ? s : pairs_top(g->suspensions, UNENDED, 0);
}

/* ---- collections */

static void
triggered(struct gc_collections *g, const struct fact *f)
{
	struct suspension	*s = pairs_latest(g->suspensions, OPEN, thread_key(f));
	struct gc_cause		*cause = s != NULL && s->first == 0 ? &s->cause : &g->cause;

	cause->reason = fact_u64(f, 0);
	cause->method = fact_source(g->state, f, collector_methods);
	cause->known = cause->method.raw != TEXT_NONE;
}

/* Collections of one suspension have one cause. */
static void
collection_cause(struct gc_collections *g, struct collection *c, struct suspension *s)
{
	bool	waits = g->cause.known && g->cause.reason == c->reason;

	if (s != NULL && !s->cause.known && s->first == c->p.number && waits)
		s->cause = g->cause;
	if (s != NULL)
		c->cause = s->cause;
	else if (waits)
		c->cause = g->cause;
	g->cause.known = false;
}

static void
collection_identify(struct collection *c, const struct fact *f, unsigned clr)
{
	c->number = fact_u64(f, 0);
	c->clr = fact_u64(f, clr);
	c->gen = fact_u64(f, 1);
	c->has_gen = fact_has(f, 1);
}

static void
collection_suspend(const struct gc_collections *g, struct collection *c, struct suspension *s)
{
	c->suspension = s->p.number;
	if (s->last != 0)
		gc_collection(g, s->last)->sibling = c->p.number;
	else
		s->first = c->p.number;
	s->last = c->p.number;
}

static void
started(struct gc_collections *g, const struct fact *f)
{
	struct collection	*c = pairs_start(g->collections, f);
	struct suspension	*s = suspension_of(g, f);

	collection_identify(c, f, 4);
	c->reason = (uint32_t)fact_u64(f, 2);
	c->type = (uint32_t)fact_u64(f, 3);
	c->handed_out = g->handed_out;
	if (f->chosen)
		g->handed_out_after = 0;
	if (s != NULL && c->p.number != 0)
		collection_suspend(g, c, s);
	collection_cause(g, c, s);
	pairs_enter(g->collections, BY_NUMBER, pair_key(c->number, c->clr), c, ABOVE_STAYS);
	pairs_nest(g->collections, RUNNING, 0, c);
	pairs_enter(g->collections, LATEST, thread_key(f), c, false);
}

static void
ended(struct gc_collections *g, const struct fact *f)
{
	struct collection	*known = pairs_latest(g->collections, BY_NUMBER,
				    pair_key(fact_u64(f, 0), fact_u64(f, 2)));
	struct collection	*c = pairs_stop(g->collections, f, known);

	if (known == NULL)
		collection_identify(c, f, 2);
	pairs_unnest(g->collections, RUNNING, 0, c, false);
	pairs_enter(g->collections, LATEST, thread_key(f), c, false);
}

static void
sizes_take(struct by_generation *b, const struct fact *f, unsigned first)
{
	for (unsigned i = 0; i < GC_GENERATIONS && fact_has(f, first + i); i++)
		b->v[b->n++] = fact_u64(f, first + i);
}

static void
heap_stats(struct gc_collections *g, const struct fact *f)
{
	struct collection	*c = pairs_latest(g->collections, LATEST, thread_key(f));

	if (c == NULL || c->has_heap)
		return;
	c->has_heap = true;
	sizes_take(&c->size, f, 0);
	sizes_take(&c->promoted, f, GC_GENERATIONS);
	c->final_size = fact_u64(f, 10);
	c->final_count = fact_u64(f, 11);
	c->pinned = fact_u64(f, 12);
	c->handles = fact_u64(f, 13);
}

/* ---- histories by heap */

/* The arrays of GC_PER_HEAP are by generation. */
static_assert(FACT_LIST_MOST == GC_GENERATIONS, "an array has a number for each generation");

static void
history_add(struct by_generation *to, const struct fact *f, unsigned field)
{
	uint64_t	v[FACT_LIST_MOST];
	unsigned	n = fact_list(f, field, v);

	for (unsigned i = 0; i < n; i++)
		to->v[i] = add_u64(to->v[i], v[i]);
	if (n > to->n)
		to->n = (uint8_t)n;
}

static void
heap_count(struct gc_collections *g, struct collection *c, uint64_t heap)
{
	if (g->counted != c->p.number)
		memset(g->heap_seen, 0, sizeof g->heap_seen);
	g->counted = c->p.number;
	heap %= GC_HEAPS_MOST;
	if ((g->heap_seen[heap / 8] >> (heap % 8) & 1) != 0)
		return;
	g->heap_seen[heap / 8] |= (uint8_t)(1u << (heap % 8));
	c->heaps++;
}

/*
 * The collection that a history belongs to: the running one that began last. The thread of a
 * background collection of server GC writes its history after its end, of workstation GC before.
 */
static struct collection *
history_of(struct gc_collections *g, const struct fact *f)
{
	struct collection	*c = pairs_latest(g->collections, LATEST, thread_key(f));

	if (c != NULL && c->type == GC_BACKGROUND && c->p.has_stop &&
	    c->p.stop_thread == f->ev->thread && (!c->has_history || c->late_history))
		return c;
	return pairs_top(g->collections, RUNNING, 0);
}

static void
per_heap(struct gc_collections *g, const struct fact *f)
{
	struct collection	*c = history_of(g, f);

	if (c == NULL || !fact_has(f, BEFORE))
		return;
	c->has_history = true;
	c->late_history |= c->p.has_stop;
	heap_count(g, c, fact_u64(f, HEAP));
	history_add(&c->before, f, BEFORE);
	history_add(&c->budget, f, BUDGET);
	history_add(&c->survived, f, PINNED);
	history_add(&c->survived, f, UNPINNED);
	history_add(&c->loose, f, FREE_LIST_BEFORE);
	history_add(&c->loose, f, FREE_OBJECTS_BEFORE);
	history_add(&c->unused, f, FREE_LIST_AFTER);
	history_add(&c->unused, f, FREE_OBJECTS_AFTER);
	history_add(&c->after, f, AFTER);
}

static void
global(struct gc_collections *g, const struct fact *f)
{
	struct collection	*c = history_of(g, f);

	if (c == NULL)
		return;
	c->has_mode = fact_has(f, 0) && fact_has(f, 1);
	c->has_load = fact_has(f, 2);
	c->mechanisms = fact_u64(f, 0);
	c->mode = fact_u64(f, 1);
	c->load = fact_u64(f, 2);
}

/* The runtime has handed out so much memory to the program since its last tick. */
static void
tick(struct gc_collections *g, const struct fact *f)
{
	uint64_t	bytes = fact_has(f, 0) ? fact_u64(f, 0) : fact_u64(f, 1);

	g->has_ticks = true;
	g->handed_out = add_u64(g->handed_out, bytes);
	if (f->chosen)
		g->handed_out_after = add_u64(g->handed_out_after, bytes);
}

static void (*const	add[])(struct gc_collections *, const struct fact *) = {
	[GC_SUSPEND_BEGIN] = suspend_begin, [GC_SUSPEND_END] = suspend_end,
	[GC_RESTART_BEGIN] = restart_begin, [GC_RESTART_END] = restart_end,
	[GC_STARTED] = started, [GC_ENDED] = ended, [GC_HEAP_STATS] = heap_stats,
	[GC_PER_HEAP] = per_heap, [GC_GLOBAL] = global, [GC_TICK] = tick,
	[GC_TRIGGERED] = triggered,
};

void
gc_add(struct report_state *s, const struct fact *f)
{
	add[f->kind](s->own, f);
}

/* Suspensions without a collection, as those of GCPrep, interrupt the time, and do not end it. */
static int64_t
ran_between(const struct suspension *before, const struct suspension *s)
{
	int64_t	ns;

	if (before == NULL || !before->p.has_stop || before->p.stop > s->p.start)
		return -1;
	ns = sub_i64(s->p.start, before->p.stop);
	if (before->first != 0)
		return ns;
	return before->ran >= 0 ? add_i64(ns, before->ran) : -1;
}

/* Find how long the program ran before each suspension, and give those of GCPrep without a
   collection of their own to the background collection. */
void
gc_collections_end(struct gc_collections *g)
{
	for (uint32_t i = 1; i <= pairs_n(g->suspensions); i++) {
		struct suspension	*s = gc_suspension(g, i);
		struct collection	*c = gc_collection(g, s->background);

		s->ran = ran_between(gc_suspension(g, i - 1), s);
		if (s->first != 0 || c == NULL)
			continue;
		if (c->more_last != 0)
			gc_suspension(g, c->more_last)->more = i;
		else
			c->more = i;
		c->more_last = i;
	}
}

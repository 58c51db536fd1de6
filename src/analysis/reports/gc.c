/*
 * Garbage collections: when, why, how long the program was paused, how large the heap was.
 *
 *	GCSuspendEEBegin  GCSuspendEEEnd  GCStart ... GCEnd  GCHeapStats  GCRestartEEEnd
 *	[------------------------- suspension of one thread ---------------------------]
 *	                                  [ collection ]
 *
 * A collection's suspension is the one of its thread in which its GCStart lies, else one of another
 * thread that is for a collection (server GC). A background collection has further suspensions, for
 * GCPrep, between its start and its end. Events are assigned to collections and suspensions as they
 * come; the figures are computed at the end.
 *
 * Invariant: the cost of an event does not depend on the number of collections and suspensions: the
 * open ones are in lists, the latest at the end.
 */
#include <string.h>

#include "analysis/reports/common.h"
#include "analysis/reports/dist.h"
#include "analysis/reports/facts.h"
#include "analysis/reports/rows.h"
#include "analysis/reports/texts.h"
#include "analysis/spans/loss.h"
#include "tnav/base/hash.h"
#include "tnav/base/hashtable.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/engine/field.h"

#define NONE		UINT32_MAX
#define GENERATIONS	5u		/* gen0, gen1, gen2, loh, poh */
#define MISSING_MOST	1000u		/* numbers that are listed */
#define HEAPS_MOST	1024u
#define RUNNING_MOST	64u		/* collections that are looked at */

#define FOR_GC		1u		/* reasons of a suspension */
#define FOR_GC_PREP	6u
#define BACKGROUND	1u		/* type of a collection */

static const char *const	generation[GENERATIONS] = { "gen0", "gen1", "gen2", "loh", "poh" };

enum gc_event {
	GC_SUSPEND_BEGIN, GC_SUSPEND_END, GC_RESTART_BEGIN, GC_RESTART_END,
	GC_STARTED, GC_ENDED, GC_HEAP_STATS, GC_PER_HEAP, GC_GLOBAL,
};

enum gc_column {
	GC_KIND, GC_NUMBER, GC_GENERATION, GC_REASON, GC_TYPE, GC_START, GC_PAUSE_START, GC_PAUSE,
	GC_DUR, GC_SUSPEND, GC_PAUSES, GC_SIZE_AFTER, GC_PROMOTED, GC_HEAP_BEFORE, GC_HEAP_AFTER,
	GC_PROMOTED_TOTAL, GC_SURVIVAL, GC_FRAGMENTATION,
	GC_GEN0, GC_GEN1, GC_GEN2, GC_LOH, GC_POH,
	GC_PAUSE_SHARE, GC_ALLOCATED, GC_ALLOC_RATE, GC_SURVIVALS, GC_FRAGMENTATIONS, GC_WHOLE,
	GC_FINAL_SIZE, GC_FINAL_COUNT, GC_PINNED, GC_HANDLES, GC_HEAPS, GC_SIZE_BEFORE, GC_BUDGET,
	GC_SURVIVED, GC_FREE, GC_TID, GC_ROW, GC_COMPLETE, GC_INCOMPLETE, GC_GAP,
	GC_COUNT, GC_INDUCED, GC_TOTAL, GC_MEAN, GC_MAX, GC_BEFORE_MOST, GC_BY_GENERATION,
	GC_BY_REASON, GC_BY_TYPE, GC_MISSING,
	GC_PAUSE_BY_GENERATION, GC_SUSPENSIONS, GC_WITHOUT, GC_UNCLOSED, GC_OTHER, GC_STOPPED,
	GC_SPAN, GC_SHARE, GC_MOST, GC_LOST, GC_GAPS, GC_COLUMNS,
};

static const struct table_column	gc_column[GC_COLUMNS] = {
	[GC_KIND] = { .name = "kind", .kind = CELL_TEXT, .flags = COLUMN_ASKED },
	[GC_NUMBER] = { .name = "number", .title = "gc", .kind = CELL_U64, .tone = TONE_KEY,
	    .flags = COLUMN_ID | COLUMN_FIRST_UP },
	[GC_GENERATION] = { .name = "generation", .title = "gen", .printed = "gen",
	    .kind = CELL_U64, .flags = COLUMN_ID },
	[GC_REASON] = { .name = "reason", .kind = CELL_TEXT, .tone = TONE_EVENT },
	[GC_TYPE] = { .name = "type", .kind = CELL_TEXT, .rank = 4 },
	[GC_START] = { .name = "start", .kind = CELL_TIME, .tone = TONE_TIME,
	    .flags = COLUMN_FIRST_UP },
	[GC_PAUSE_START] = { .name = "pauseStart", .kind = CELL_TIME, .flags = COLUMN_ASKED },
	[GC_PAUSE] = { .name = "pause", .kind = CELL_DUR, .tone = TONE_STRONG },
	[GC_DUR] = { .name = "dur", .kind = CELL_DUR },
	[GC_SUSPEND] = { .name = "suspend", .kind = CELL_DUR, .rank = 7 },
	[GC_PAUSES] = { .name = "pauses", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	[GC_SIZE_AFTER] = { .name = "sizeAfter", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	[GC_PROMOTED] = { .name = "promoted", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	[GC_HEAP_BEFORE] = { .name = "heapBefore", .title = "before", .kind = CELL_BYTES,
	    .rank = 2 },
	[GC_HEAP_AFTER] = { .name = "heapAfter", .title = "after", .kind = CELL_BYTES },
	[GC_PROMOTED_TOTAL] = { .name = "promotedTotal", .title = "promoted",
	    .kind = CELL_BYTES, .rank = 3 },
	[GC_SURVIVAL] = { .name = "survival", .title = "surv", .kind = CELL_SHARE, .rank = 5 },
	[GC_FRAGMENTATION] = { .name = "fragmentation", .title = "frag", .kind = CELL_SHARE,
	    .rank = 6 },
	[GC_GEN0] = { .name = "gen0", .kind = CELL_BYTES, .rank = 12 },
	[GC_GEN1] = { .name = "gen1", .kind = CELL_BYTES, .rank = 11 },
	[GC_GEN2] = { .name = "gen2", .kind = CELL_BYTES, .rank = 8 },
	[GC_LOH] = { .name = "loh", .kind = CELL_BYTES, .rank = 9 },
	[GC_POH] = { .name = "poh", .kind = CELL_BYTES, .rank = 10 },
	[GC_PAUSE_SHARE] = { .name = "pauseShare", .title = "paused", .kind = CELL_SHARE,
	    .rank = 14 },
	[GC_ALLOCATED] = { .name = "allocated", .kind = CELL_BYTES, .rank = 15 },
	[GC_ALLOC_RATE] = { .name = "allocRate", .title = "alloc/s", .kind = CELL_BYTES,
	    .rank = 16 },
	[GC_SURVIVALS] = { .name = "survivalByGeneration", .kind = CELL_RAW,
	    .flags = COLUMN_ASKED },
	[GC_FRAGMENTATIONS] = { .name = "fragmentationByGeneration", .kind = CELL_RAW,
	    .flags = COLUMN_ASKED },
	[GC_WHOLE] = { .name = "settings", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	[GC_FINAL_SIZE] = { .name = "finalizationPromotedSize", .kind = CELL_BYTES,
	    .flags = COLUMN_ASKED },
	[GC_FINAL_COUNT] = { .name = "finalizationPromotedCount", .kind = CELL_U64,
	    .flags = COLUMN_ASKED },
	[GC_PINNED] = { .name = "pinnedObjects", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[GC_HANDLES] = { .name = "gcHandles", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[GC_HEAPS] = { .name = "heaps", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[GC_SIZE_BEFORE] = { .name = "sizeBefore", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	[GC_BUDGET] = { .name = "budget", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	[GC_SURVIVED] = { .name = "survived", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	[GC_FREE] = { .name = "free", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	[GC_TID] = { .name = "tid", .kind = CELL_U64, .tone = TONE_THREAD, .rank = 13,
	    .flags = COLUMN_ID },
	[GC_ROW] = { .name = "row", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[GC_COMPLETE] = { .name = "complete", .kind = CELL_BOOL, .flags = COLUMN_ASKED },
	[GC_INCOMPLETE] = { .name = "incomplete", .title = "missing", .kind = CELL_RAW,
	    .tone = TONE_LOSS, .rank = 1 },
	[GC_GAP] = { .name = "gap", .kind = CELL_RAW, .tone = TONE_LOSS, .flags = COLUMN_ASKED },
	[GC_COUNT] = { .name = "count", .kind = CELL_U64 },
	[GC_INDUCED] = { .name = "induced", .kind = CELL_U64 },
	[GC_TOTAL] = { .name = "total", .title = "paused", .kind = CELL_DUR },
	[GC_MEAN] = { .name = "mean", .kind = CELL_DUR },
	[GC_MAX] = { .name = "max", .kind = CELL_DUR },
	[GC_BEFORE_MOST] = { .name = "heapBeforeMax", .title = "max before", .kind = CELL_BYTES },
	[GC_BY_GENERATION] = { .name = "byGeneration", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	[GC_BY_REASON] = { .name = "byReason", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	[GC_BY_TYPE] = { .name = "byType", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	[GC_MISSING] = { .name = "numbersMissing", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	[GC_PAUSE_BY_GENERATION] = { .name = "pauseByGeneration", .kind = CELL_RAW,
	    .flags = COLUMN_ASKED },
	[GC_SUSPENSIONS] = { .name = "suspensions", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[GC_WITHOUT] = { .name = "suspensionsWithoutGC", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[GC_UNCLOSED] = { .name = "suspensionsUnclosed", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[GC_OTHER] = { .name = "otherSuspensions", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[GC_STOPPED] = { .name = "stoppedForGC", .kind = CELL_DUR, .flags = COLUMN_ASKED },
	[GC_SPAN] = { .name = "traceSpan", .kind = CELL_DUR, .flags = COLUMN_ASKED },
	[GC_SHARE] = { .name = "pausedShare", .kind = CELL_SHARE, .flags = COLUMN_ASKED },
	[GC_MOST] = { .name = "heapAfterMax", .kind = CELL_BYTES, .flags = COLUMN_ASKED },
	REPORT_LOSS_COLUMNS(GC),
};
_Static_assert(GC_COLUMNS <= TABLE_COLUMNS, "sets of columns are bits");

static const unsigned	gc_people[] = {
	GC_NUMBER, GC_GENERATION, GC_START, GC_PAUSE, GC_DUR, GC_REASON, GC_HEAP_BEFORE,
	GC_HEAP_AFTER, GC_PROMOTED_TOTAL, GC_SURVIVAL, GC_FRAGMENTATION, GC_TYPE, GC_SUSPEND,
	GC_GEN0, GC_GEN1, GC_GEN2, GC_LOH, GC_POH, GC_TID, GC_PAUSE_SHARE, GC_ALLOCATED,
	GC_ALLOC_RATE, GC_INCOMPLETE, REPORT_END,
};
static const unsigned	gc_by_generation[] = {
	GC_GENERATION, GC_COUNT, GC_INDUCED, GC_TOTAL, GC_MEAN, GC_MAX, GC_BEFORE_MOST,
	GC_ALLOCATED, GC_PROMOTED_TOTAL, REPORT_END,
};

static const struct report_part	gc_parts[] = {
	{ "gc", "Collections", gc_people, TABLE_UNSORTED },
	{ "generation", "Generations", gc_by_generation, TABLE_UNSORTED },
	{ .kind = NULL },
};

static const struct report_need	gc_need[] = {
	{ .provider = RUNTIME, .keywords = "0x1", .level = 4,
	    .events = "GCStart, GCEnd, GCHeapStats and suspensions" },
	{ .provider = NULL },
};

#define RT(kind, id, name, ...)	{ kind, RUNTIME, id, name, { __VA_ARGS__ }, 0 }

static const struct fact_def	gc_facts[] = {
	RT(GC_STARTED, 1, "GCStart", "Count", "Depth", "Reason", "Type", "ClrInstanceID"),
	RT(GC_ENDED, 2, "GCEnd", "Count", "Depth", "ClrInstanceID"),
	RT(GC_RESTART_END, 3, "GCRestartEEEnd", NULL),
	RT(GC_HEAP_STATS, 4, "GCHeapStats", "GenerationSize0", "GenerationSize1",
	    "GenerationSize2", "GenerationSize3", "GenerationSize4", "TotalPromotedSize0",
	    "TotalPromotedSize1", "TotalPromotedSize2", "TotalPromotedSize3",
	    "TotalPromotedSize4", "FinalizationPromotedSize", "FinalizationPromotedCount",
	    "PinnedObjectCount", "GCHandleCount"),
	RT(GC_RESTART_BEGIN, 7, "GCRestartEEBegin", NULL),
	RT(GC_SUSPEND_END, 8, "GCSuspendEEEnd", NULL),
	RT(GC_SUSPEND_BEGIN, 9, "GCSuspendEEBegin", "Reason"),
	RT(GC_PER_HEAP, 204, "GCPerHeapHistory", "HeapIndex"),
	RT(GC_GLOBAL, 205, "GCGlobalHeapHistory", "GlobalMechanisms", "PauseMode",
	    "MemoryPressure"),
	{ .provider = NULL },
};

/* A suspension that is for the collector. */
struct suspension {
	int64_t		begin, stopped, end;
	uint32_t	thread;
	uint32_t	prev, next;	/* of those without an end and for a collection, by row */
	uint32_t	first, last;	/* collections that are its own */
	uint32_t	background;	/* of GCPrep: the collection that ran, or NONE */
	uint32_t	more;		/* next suspension of that collection */
	bool		has_stopped, has_end, prep, chosen;
};

/* Figures of a heap by generation. */
struct by_generation {
	uint64_t	v[GENERATIONS];
	uint8_t		n;		/* of the first so many */
};

struct collection {
	uint64_t	number, clr, row, off;
	uint64_t	gen;
	int64_t		ts, start, end;
	uint32_t	thread;
	uint32_t	type, reason;
	uint32_t	prev, next;	/* of those that run */
	uint32_t	suspension;	/* NONE */
	uint32_t	sibling;	/* next collection of that suspension */
	uint32_t	more, more_last;/* further suspensions */
	uint32_t	heaps, heap;	/* heap: number of its figures, or NONE */
	bool		has_start, has_end, has_gen, chosen, has_history;
	bool		has_mode, has_load, is_induced;
	uint64_t	mechanisms, mode, load;		/* of the whole heap's history */
	/* unused: free afterwards; loose: free before. */
	struct by_generation size, promoted, before, budget, survived, unused, loose, after;
	uint64_t	final_size, final_count, pinned, handles;
};

struct list {
	uint32_t	first, last;
};

struct gc {
	const struct report_run	*run;
	struct suspension	*s;
	size_t			 ns, s_cap;
	uint64_t		 others;		/* suspensions for something else */
	struct collection	*c;
	size_t			 nc, c_cap;
	struct list		 endless;	/* suspensions for a collection, not ended */
	struct list		 running;	/* collections without an end */
	/* By thread: */
	struct gc_thread {
		uint32_t	open;		/* suspension, NONE; OTHER: of no interest */
		uint32_t	endless;	/* the latest that never ended */
		uint32_t	latest;		/* collection */
	}			*thread;
	size_t			 nthreads, threads_cap;
	uint64_t		 seed;
	struct hashtable	 numbers;	/* collections by number and instance */
	uint32_t		 counted;	/* collection that heap_seen is of */
	uint8_t			 heap_seen[HEAPS_MOST / 8];
	struct dist		 pause, by_gen[3], suspend;
	uint64_t		 ncollections, stopped;
	struct rollup {
		uint64_t	n, induced, allocated, promoted, before_most;
	}			 gens[3], all;
	int64_t			 span;
};

#define OTHER	(UINT32_MAX - 1)

static void *
gc_begin(const struct report_run *run)
{
	struct gc	*g = mem_zalloc(1, sizeof *g);

	g->run = run;
	g->endless = g->running = (struct list){ NONE, NONE };
	g->seed = hash_seed();
	g->counted = NONE;
	hashtable_init(&g->numbers);
	return g;
}

static void
gc_free(void *self)
{
	struct gc	*g = self;

	mem_free(g->s);
	mem_free(g->c);
	mem_free(g->thread);
	hashtable_release(&g->numbers);
	dist_release(&g->pause);
	dist_release(&g->suspend);
	for (size_t i = 0; i < 3; i++)
		dist_release(&g->by_gen[i]);
	mem_free(g);
}

static struct gc_thread *
thread_of(struct gc *g, uint32_t thread)
{
	size_t	i = thread == EVENT_NONE ? 0 : (size_t)thread + 1;

	if (i >= g->nthreads) {
		g->thread = mem_grow(g->thread, &g->threads_cap, i + 1, sizeof *g->thread);
		for (; g->nthreads <= i; g->nthreads++)
			g->thread[g->nthreads] = (struct gc_thread){ NONE, NONE, NONE };
	}
	return &g->thread[i];
}

/* ---- suspensions */

static void
suspension_link(struct gc *g, uint32_t i)
{
	g->s[i].prev = g->endless.last;
	g->s[i].next = NONE;
	if (g->endless.last != NONE)
		g->s[g->endless.last].next = i;
	else
		g->endless.first = i;
	g->endless.last = i;
}

static void
suspension_unlink(struct gc *g, uint32_t i)
{
	struct suspension	*s = &g->s[i];

	if (s->prev != NONE)
		g->s[s->prev].next = s->next;
	else
		g->endless.first = s->next;
	if (s->next != NONE)
		g->s[s->next].prev = s->prev;
	else
		g->endless.last = s->prev;
}

/* The latest background collection that runs. Few run at one time; others have lost their ends. */
static uint32_t
running_background(const struct gc *g)
{
	uint32_t	i = g->running.last;
	unsigned	steps = 0;

	while (i != NONE && g->c[i].type != BACKGROUND && steps++ < RUNNING_MOST)
		i = g->c[i].prev;
	return i != NONE && g->c[i].type == BACKGROUND ? i : NONE;
}

static void
suspend_begin(struct gc *g, const struct fact *f)
{
	struct gc_thread	*t = thread_of(g, f->ev->thread);
	uint64_t		 reason = fact_u64(f, 0);
	uint32_t		 i;

	if (t->open < OTHER)
		t->endless = t->open;
	t->open = OTHER;
	if (reason != FOR_GC && reason != FOR_GC_PREP) {
		g->others += f->chosen;
		return;
	}
	if (g->ns >= LIMIT_REPORT_EVENTS)
		return;
	g->s = mem_grow(g->s, &g->s_cap, g->ns + 1, sizeof *g->s);
	i = (uint32_t)g->ns++;
	g->s[i] = (struct suspension){ .begin = f->ns, .thread = f->ev->thread, .first = NONE,
	    .last = NONE, .background = NONE, .more = NONE, .prep = reason == FOR_GC_PREP,
	    .chosen = f->chosen };
	t->open = i;
	if (reason == FOR_GC)
		suspension_link(g, i);
	else
		g->s[i].background = running_background(g);
}

static void
suspend_end(struct gc *g, const struct fact *f)
{
	uint32_t	i = thread_of(g, f->ev->thread)->open;

	if (i >= OTHER)
		return;
	g->s[i].stopped = f->ns;
	g->s[i].has_stopped = true;
}

static void
restart_end(struct gc *g, const struct fact *f)
{
	struct gc_thread	*t = thread_of(g, f->ev->thread);
	uint32_t		 i = t->open;

	t->open = NONE;
	if (i >= OTHER)
		return;
	g->s[i].end = f->ns;
	g->s[i].has_end = true;
	if (!g->s[i].prep)
		suspension_unlink(g, i);
}

/* The suspension that a collection begins in. */
static uint32_t
suspension_of(struct gc *g, uint32_t thread)
{
	const struct gc_thread	*t = thread_of(g, thread);

	if (t->open < OTHER)
		return t->open;
	return t->endless != NONE ? t->endless : g->endless.last;
}

/* ---- collections */

static uint64_t
number_hash(const struct gc *g, uint64_t number, uint64_t clr)
{
	return hash_pair(g->seed, number, clr);
}

static uint32_t *
number_find(struct gc *g, uint64_t number, uint64_t clr)
{
	size_t	at = 0;

	for (uint32_t *i; (i = hashtable_next(&g->numbers, number_hash(g, number, clr), &at));)
		if (g->c[*i].number == number && g->c[*i].clr == clr)
			return i;
	return NULL;
}

static uint32_t
collection_add(struct gc *g, const struct fact *f)
{
	struct collection	*c;

	if (g->nc >= LIMIT_REPORT_EVENTS)
		return NONE;
	g->c = mem_grow(g->c, &g->c_cap, g->nc + 1, sizeof *g->c);
	c = &g->c[g->nc];
	*c = (struct collection){ .number = fact_u64(f, 0), .gen = fact_u64(f, 1),
	    .has_gen = fact_has(f, 1), .row = f->row, .off = f->ev->off, .ts = f->ev->ts,
	    .thread = f->ev->thread, .suspension = NONE, .sibling = NONE, .more = NONE,
	    .more_last = NONE, .heap = NONE, .chosen = f->chosen };
	return (uint32_t)g->nc++;
}

static void
collection_link(struct gc *g, uint32_t i)
{
	g->c[i].prev = g->running.last;
	g->c[i].next = NONE;
	if (g->running.last != NONE)
		g->c[g->running.last].next = i;
	else
		g->running.first = i;
	g->running.last = i;
}

static void
collection_unlink(struct gc *g, uint32_t i)
{
	struct collection	*c = &g->c[i];

	if (c->prev != NONE)
		g->c[c->prev].next = c->next;
	else
		g->running.first = c->next;
	if (c->next != NONE)
		g->c[c->next].prev = c->prev;
	else
		g->running.last = c->prev;
}

static bool
reason_is_induced(uint32_t reason)
{
	struct buf	b;
	bool		is;

	buf_init(&b);
	map_word(&b, "GCReason", reason);
	is = strncmp(buf_str(&b), "Induced", strlen("Induced")) == 0;
	buf_release(&b);
	return is;
}

static void
started(struct gc *g, const struct fact *f)
{
	uint32_t		 i = collection_add(g, f), *known;
	struct collection	*c;
	struct suspension	*s;

	if (i == NONE)
		return;
	c = &g->c[i];
	c->clr = fact_u64(f, 4);
	c->reason = (uint32_t)fact_u64(f, 2);
	c->is_induced = reason_is_induced(c->reason);
	c->type = (uint32_t)fact_u64(f, 3);
	c->start = f->ns;
	c->has_start = true;
	c->suspension = suspension_of(g, f->ev->thread);
	if (c->suspension != NONE) {
		s = &g->s[c->suspension];
		if (s->last != NONE)
			g->c[s->last].sibling = i;
		else
			s->first = i;
		s->last = i;
	}
	known = number_find(g, c->number, c->clr);
	if (known != NULL)
		*known = i;
	else
		hashtable_add(&g->numbers, number_hash(g, c->number, c->clr), i);
	collection_link(g, i);
	thread_of(g, f->ev->thread)->latest = i;
}

static void
ended(struct gc *g, const struct fact *f)
{
	uint64_t	 clr = fact_u64(f, 2);
	uint32_t	*known = number_find(g, fact_u64(f, 0), clr);
	uint32_t	 i = known != NULL ? *known : collection_add(g, f);

	if (i == NONE)
		return;
	if (known == NULL)
		g->c[i].clr = clr;
	else if (!g->c[i].has_end)
		collection_unlink(g, i);
	g->c[i].end = f->ns;
	g->c[i].has_end = true;
	thread_of(g, f->ev->thread)->latest = i;
}

static void
sizes_take(struct by_generation *b, const struct fact *f, unsigned first)
{
	for (unsigned i = 0; i < GENERATIONS && fact_has(f, first + i); i++)
		b->v[b->n++] = fact_u64(f, first + i);
}

static void
heap_stats(struct gc *g, const struct fact *f)
{
	uint32_t		 i = thread_of(g, f->ev->thread)->latest;
	struct collection	*c;

	if (i == NONE || g->c[i].heap != NONE)
		return;
	c = &g->c[i];
	c->heap = 0;
	sizes_take(&c->size, f, 0);
	sizes_take(&c->promoted, f, GENERATIONS);
	c->final_size = fact_u64(f, 10);
	c->final_count = fact_u64(f, 11);
	c->pinned = fact_u64(f, 12);
	c->handles = fact_u64(f, 13);
}

/* ---- histories by heap */

struct history_walk {
	struct by_generation	*to;
	unsigned		 at;
};

static int
history_value(void *arg, const struct value *v)
{
	struct history_walk	*w = arg;

	if (v->kind != VK_UINT)
		return 0;
	if (w->at >= w->to->n)
		w->to->n = (uint8_t)(w->at + 1);
	if (__builtin_add_overflow(w->to->v[w->at], v->u, &w->to->v[w->at]))
		w->to->v[w->at] = UINT64_MAX;
	return ++w->at >= GENERATIONS;
}

static bool
history_add(struct gc *g, const struct fact *f, const char *path, struct by_generation *to)
{
	struct history_walk	w = { .to = to };
	struct trace		*t = g->run->t;

	field_walk(path, trace_type(t, f->ev->type), trace_payload(t, f->ev),
	    trace_info(t)->pointer_size, history_value, &w);
	return w.at > 0;
}

static void
heap_count(struct gc *g, uint32_t i, uint64_t heap)
{
	if (g->counted != i)
		memset(g->heap_seen, 0, sizeof g->heap_seen);
	g->counted = i;
	heap %= HEAPS_MOST;
	if ((g->heap_seen[heap / 8] >> (heap % 8) & 1) != 0)
		return;
	g->heap_seen[heap / 8] |= (uint8_t)(1u << (heap % 8));
	g->c[i].heaps++;
}

static void
per_heap(struct gc *g, const struct fact *f)
{
	uint32_t		 i = g->running.last;
	struct collection	*c;

	if (i == NONE)
		return;
	c = &g->c[i];
	if (!history_add(g, f, "Values.SizeBefore", &c->before))
		return;
	c->has_history = true;
	heap_count(g, i, fact_u64(f, 0));
	history_add(g, f, "Values.NewAllocation", &c->budget);
	history_add(g, f, "Values.PinnedSurv", &c->survived);
	history_add(g, f, "Values.NonePinnedSurv", &c->survived);
	history_add(g, f, "Values.FreeListBefore", &c->loose);
	history_add(g, f, "Values.FreeObjBefore", &c->loose);
	history_add(g, f, "Values.FreeListAfter", &c->unused);
	history_add(g, f, "Values.FreeObjAfter", &c->unused);
	history_add(g, f, "Values.SizeAfter", &c->after);
}

static void
global(struct gc *g, const struct fact *f)
{
	struct collection	*c;

	if (g->running.last == NONE)
		return;
	c = &g->c[g->running.last];
	c->has_mode = fact_has(f, 0) && fact_has(f, 1);
	c->has_load = fact_has(f, 2);
	c->mechanisms = fact_u64(f, 0);
	c->mode = fact_u64(f, 1);
	c->load = fact_u64(f, 2);
}

static void
gc_add(void *self, const struct fact *f)
{
	switch ((enum gc_event)f->kind) {
	case GC_SUSPEND_BEGIN:
		suspend_begin(self, f);
		break;
	case GC_SUSPEND_END:
		suspend_end(self, f);
		break;
	case GC_RESTART_END:
		restart_end(self, f);
		break;
	case GC_STARTED:
		started(self, f);
		break;
	case GC_ENDED:
		ended(self, f);
		break;
	case GC_HEAP_STATS:
		heap_stats(self, f);
		break;
	case GC_PER_HEAP:
		per_heap(self, f);
		break;
	case GC_GLOBAL:
		global(self, f);
		break;
	case GC_RESTART_BEGIN:
		break;
	}
}

/* ---- what it comes to */

/* Suspensions of GCPrep in which nothing began are a background collection's. */
static void
assign_further(struct gc *g)
{
	for (size_t i = 0; i < g->ns; i++) {
		struct suspension	*s = &g->s[i];
		struct collection	*c;

		if (s->first != NONE || s->background == NONE)
			continue;
		c = &g->c[s->background];
		if (c->more_last != NONE)
			g->s[c->more_last].more = (uint32_t)i;
		else
			c->more = (uint32_t)i;
		c->more_last = (uint32_t)i;
	}
}

static int64_t
minus(int64_t a, int64_t b)
{
	int64_t	d;

	return __builtin_sub_overflow(a, b, &d) ? INT64_MAX : d;
}

struct pauses {
	struct buf	*json;		/* or NULL */
	unsigned	 n, closed;
	int64_t		 total;
};

static void
pause_add(struct pauses *p, bool has_from, int64_t from, bool has_to, int64_t to)
{
	if (p->json != NULL) {
		buf_puts(p->json, p->n > 0 ? ",[" : "[");
		if (has_from)
			buf_i64(p->json, from);
		else
			buf_puts(p->json, "null");
		buf_putc(p->json, ',');
		if (has_to)
			buf_i64(p->json, to);
		else
			buf_puts(p->json, "null");
		buf_putc(p->json, ']');
	}
	p->n++;
	if (!has_from || !has_to)
		return;
	p->closed++;
	if (__builtin_add_overflow(p->total, minus(to, from), &p->total))
		p->total = INT64_MAX;
}

/* Its part of the suspension that it began in, which others may have begun in, too. */
static void
pause_own(const struct gc *g, const struct collection *c, struct pauses *p)
{
	const struct suspension	*s = &g->s[c->suspension];
	const struct collection	*after = c->sibling != NONE ? &g->c[c->sibling] : NULL;
	const struct collection	*last = &g->c[s->last];

	if (s->first == s->last) {
		pause_add(p, true, s->begin, s->has_end, s->end);
	} else if (c->type != BACKGROUND) {
		pause_add(p, true, c->start, c->has_end, c->end);
	} else if (after == NULL) {
		pause_add(p, true, s->begin, s->has_end, s->end);
	} else {
		pause_add(p, true, s->begin, true, after->start);
		pause_add(p, last->has_end, last->end, s->has_end, s->end);
	}
}

static void
pauses_make(const struct gc *g, const struct collection *c, struct buf *json, struct pauses *p)
{
	*p = (struct pauses){ .json = json };
	if (json != NULL)
		buf_putc(json, '[');
	if (c->suspension != NONE)
		pause_own(g, c, p);
	for (uint32_t i = c->more; i != NONE; i = g->s[i].more)
		pause_add(p, true, g->s[i].begin, g->s[i].has_end, g->s[i].end);
	if (json != NULL)
		buf_putc(json, ']');
}

/* What all of its suspensions say. */
struct stops {
	bool		any, all_stopped, all_ended;
	int64_t		suspend, begin, last_end;
};

static void
stop_add(const struct suspension *s, struct stops *x)
{
	if (!x->any)
		x->begin = s->begin;
	x->any = true;
	x->all_stopped = x->all_stopped && s->has_stopped;
	x->all_ended = x->all_ended && s->has_end;
	x->last_end = s->end;
	if (s->has_stopped &&
	    __builtin_add_overflow(x->suspend, minus(s->stopped, s->begin), &x->suspend))
		x->suspend = INT64_MAX;
}

static void
stops_make(const struct gc *g, const struct collection *c, struct stops *x)
{
	*x = (struct stops){ .all_stopped = true, .all_ended = true };
	if (c->suspension != NONE)
		stop_add(&g->s[c->suspension], x);
	for (uint32_t i = c->more; i != NONE; i = g->s[i].more)
		stop_add(&g->s[i], x);
}

/* The names of what is missing: a JSON array of texts, and words. False: nothing is. */
static bool
put_missing(struct rows *r, const struct collection *c, const struct stops *x)
{
	const struct {
		bool		 is;
		const char	*text;
	} why[] = {
		{ !c->has_start, "no GCStart" }, { !c->has_end, "no GCEnd" },
		{ c->has_start && !x->any, "no suspension" },
		{ !x->all_ended, "no GCRestartEEEnd" }, { !x->all_stopped, "no GCSuspendEEEnd" },
		{ c->heap == NONE, "no GCHeapStats" },
	};
	struct buf	json, words;
	bool		any = false;

	buf_init(&json);
	buf_init(&words);
	for (size_t i = 0; i < sizeof why / sizeof *why; i++) {
		if (!why[i].is)
			continue;
		buf_printf(&json, "%s\"%s\"", any ? "," : "[", why[i].text);
		buf_printf(&words, "%s%s", any ? ", " : "", why[i].text);
		any = true;
	}
	buf_putc(&json, ']');
	row_put(r, GC_COMPLETE, cell_bool(!any));
	if (any)
		row_json_words(r, GC_INCOMPLETE, span_of_buf(&json), span_of_buf(&words));
	buf_release(&json);
	buf_release(&words);
	return any;
}

static void
put_sizes(struct rows *r, unsigned col, const struct by_generation *b)
{
	struct buf	*out = row_json(r, col);

	buf_putc(out, '{');
	for (unsigned i = 0; i < b->n; i++) {
		buf_printf(out, "%s\"%s\":", i > 0 ? "," : "", generation[i]);
		buf_u64(out, b->v[i]);
	}
	buf_putc(out, '}');
}

static uint64_t
sum_of(const struct by_generation *b)
{
	uint64_t	sum = 0;

	for (unsigned i = 0; i < b->n; i++)
		if (__builtin_add_overflow(sum, b->v[i], &sum))
			sum = UINT64_MAX;
	return sum;
}

static struct cell
bytes(uint64_t n)
{
	return (struct cell){ .kind = CELL_BYTES, .u = n };
}

/* A part of a whole; nothing of nothing. */
static void
put_share(struct rows *r, unsigned col, uint64_t part, uint64_t whole)
{
	if (whole > 0)
		row_put(r, col, (struct cell){ .kind = CELL_SHARE,
		    .f = (double)part / (double)whole });
}

static void
put_heap(struct rows *r, const struct collection *c)
{
	if (c->heap == NONE)
		return;
	put_sizes(r, GC_SIZE_AFTER, &c->size);
	put_sizes(r, GC_PROMOTED, &c->promoted);
	row_put(r, GC_HEAP_AFTER, bytes(sum_of(&c->size)));
	row_put(r, GC_PROMOTED_TOTAL, bytes(sum_of(&c->promoted)));
	for (unsigned i = 0; i < c->size.n; i++)
		row_put(r, GC_GEN0 + i, bytes(c->size.v[i]));
	row_put(r, GC_FINAL_SIZE, bytes(c->final_size));
	row_put(r, GC_FINAL_COUNT, cell_u64(c->final_count));
	row_put(r, GC_PINNED, cell_u64(c->pinned));
	row_put(r, GC_HANDLES, cell_u64(c->handles));
}

/* The generations that it collected: what survived is of these alone. */
static uint64_t
collected(const struct collection *c)
{
	struct by_generation	b = c->before;

	if (c->gen < 2 && b.n > c->gen + 1)
		b.n = (uint8_t)(c->gen + 1);
	return sum_of(&b);
}

/* To nine digits. */
static double
rounded(double share)
{
	if (share > 1000)
		return share;
	return (double)(uint64_t)(share * 1e9 + 0.5) / 1e9;
}

/* By generation, of those that were collected; objects only, not what is free between them. */
static void
put_shares(struct rows *r, const struct collection *c)
{
	unsigned	 last = c->gen < 2 ? (unsigned)c->gen + 1 : GENERATIONS;
	struct buf	*b = row_json(r, GC_SURVIVALS);
	const char	*comma = "{";

	for (unsigned i = 0; i < c->before.n && i < last; i++) {
		if (c->before.v[i] <= c->loose.v[i])
			continue;
		buf_printf(b, "%s\"%s\":", comma, generation[i]);
		buf_f64(b, rounded((double)c->survived.v[i] /
		    (double)(c->before.v[i] - c->loose.v[i])));
		comma = ",";
	}
	buf_puts(b, comma[0] == '{' ? "{}" : "}");
	b = row_json(r, GC_FRAGMENTATIONS);
	comma = "{";
	for (unsigned i = 0; i < c->after.n; i++) {
		if (c->after.v[i] == 0)
			continue;
		buf_printf(b, "%s\"%s\":", comma, generation[i]);
		buf_f64(b, rounded((double)c->unused.v[i] / (double)c->after.v[i]));
		comma = ",";
	}
	buf_puts(b, comma[0] == '{' ? "{}" : "}");
}

static void
put_history(struct rows *r, const struct collection *c)
{
	if (!c->has_history)
		return;
	row_put(r, GC_HEAPS, cell_u64(c->heaps));
	put_sizes(r, GC_SIZE_BEFORE, &c->before);
	put_sizes(r, GC_BUDGET, &c->budget);
	row_put(r, GC_HEAP_BEFORE, bytes(sum_of(&c->before)));
	put_sizes(r, GC_SURVIVED, &c->survived);
	put_sizes(r, GC_FREE, &c->unused);
	if (c->has_start)
		put_share(r, GC_SURVIVAL, sum_of(&c->survived), collected(c));
	put_share(r, GC_FRAGMENTATION, sum_of(&c->unused), sum_of(&c->after));
	put_shares(r, c);
}

/* What the history of the whole heap says: {"pauseMode":"Interactive", ...} */
static void
put_global(struct rows *r, const struct collection *c)
{
	struct buf	*b;

	if (!c->has_mode)
		return;
	b = row_json(r, GC_WHOLE);
	buf_puts(b, "{\"pauseMode\":\"");
	map_word(b, "GCPauseMode", c->mode);
	buf_puts(b, "\",\"mechanisms\":\"");
	map_word(b, "GCGlobalMechanisms", c->mechanisms);
	buf_putc(b, '"');
	if (c->has_load) {
		buf_puts(b, ",\"memoryLoad\":");
		buf_u64(b, c->load);
	}
	buf_putc(b, '}');
}

/* ---- since the collection before */

/*
 * Where programs allocate: gen0, large and pinned objects. What is free in there is no object: the
 * runtime allocates in it, too.
 */
static uint64_t
allocated_in(const struct by_generation *size, const struct by_generation *unused)
{
	static const unsigned	where[] = { 0, 3, 4 };
	uint64_t		sum = 0;

	for (unsigned i = 0; i < sizeof where / sizeof *where; i++) {
		unsigned	k = where[i];
		uint64_t	some = size->v[k] - unused->v[k];

		if (k < size->n && size->v[k] > unused->v[k] &&
		    __builtin_add_overflow(sum, some, &sum))
			sum = UINT64_MAX;
	}
	return sum;
}

struct since {
	bool		has_restart, has_allocated;
	int64_t		ns;		/* from the last restart to the pause */
	uint64_t	allocated;
};

/* One that ended last before this one began; a background one may end after later ones. */
static const struct collection *
ended_before(const struct gc *g, const struct collection *c)
{
	const struct collection	*best = NULL, *k = c;

	for (unsigned n = 0; n < RUNNING_MOST && k-- > g->c; n++) {
		if (!k->has_end || k->end > c->start)
			continue;
		if (best == NULL || k->end > best->end)
			best = k;
		if (k->type != BACKGROUND)
			break;
	}
	return best;
}

static void
since_make(const struct gc *g, const struct collection *c, struct since *x)
{
	const struct collection	*before = ended_before(g, c);
	const struct suspension	*s = c->suspension != NONE ? &g->s[c->suspension] : NULL;
	uint64_t		 now, then;

	*x = (struct since){ .ns = 0 };
	if (s != NULL && s > g->s && s[-1].has_end && s[-1].end <= s->begin) {
		x->has_restart = true;
		x->ns = minus(s->begin, s[-1].end);
	}
	if (!c->has_start || !c->has_history || before == NULL || !before->has_history)
		return;
	now = allocated_in(&c->before, &c->loose);
	then = allocated_in(&before->after, &before->unused);
	x->has_allocated = true;
	x->allocated = now > then ? now - then : 0;
}

static void
put_since(struct rows *r, const struct since *x, const struct pauses *p)
{
	if (x->has_restart && p->closed > 0 && p->total >= 0)
		row_share(r, GC_PAUSE_SHARE, (double)p->total, (double)p->total + (double)x->ns);
	if (x->has_allocated)
		row_put(r, GC_ALLOCATED, bytes(x->allocated));
	if (x->has_allocated && x->has_restart && x->ns > 0)
		row_put(r, GC_ALLOC_RATE, bytes((uint64_t)((double)x->allocated * 1e9 /
		    (double)x->ns)));
}

/* Of a whole collection a gap inside of it, of another one between its neighbours. */
struct neighbours {
	bool	has_before, has_after;
	int64_t	before, after;
};

static void
put_gap(struct gc *g, struct rows *r, const struct collection *c, const struct stops *x,
    const struct neighbours *n, bool missing)
{
	struct loss_asked	a = { .thread = c->thread, .has_from = n->has_before,
				    .from = n->before, .has_to = n->has_after, .to = n->after };

	if (!missing) {
		a.has_from = a.has_to = true;
		a.from = x->begin;
		a.to = c->end > x->last_end ? c->end : x->last_end;
	}
	(void)report_gap(g->run, r, GC_GAP, &a);
}

static void
put_word(struct rows *r, unsigned col, const char *map, uint64_t v)
{
	struct buf	b;

	buf_init(&b);
	map_word(&b, map, v);
	row_text(r, col, span_of_buf(&b));
	buf_release(&b);
}

static void
put_identity(struct rows *r, const struct collection *c)
{
	row_put(r, GC_NUMBER, cell_u64(c->number));
	if (c->has_gen)
		row_put(r, GC_GENERATION, cell_u64(c->gen));
	else
		row_null(r, GC_GENERATION);
	if (!c->has_start) {
		row_null(r, GC_REASON);
		row_null(r, GC_TYPE);
		row_null(r, GC_START);
		row_null(r, GC_ROW);
		return;
	}
	put_word(r, GC_REASON, "GCReason", c->reason);
	put_word(r, GC_TYPE, "GCType", c->type);
	row_put(r, GC_START, cell_time(c->start));
	row_put(r, GC_ROW, cell_u64(c->row));
}

static struct cell
dur_or_null(bool has, int64_t ns)
{
	return has ? cell_dur(ns) : (struct cell){ .kind = CELL_NULL };
}

static void
put_times(struct rows *r, const struct collection *c, const struct stops *x,
    const struct pauses *p)
{
	row_put(r, GC_DUR, dur_or_null(c->has_start && c->has_end, minus(c->end, c->start)));
	if (x->any)
		row_put(r, GC_PAUSE_START, cell_time(x->begin));
	else
		row_null(r, GC_PAUSE_START);
	row_put(r, GC_PAUSE, dur_or_null(p->closed > 0, p->total));
	row_put(r, GC_SUSPEND, dur_or_null(x->any && x->all_stopped, x->suspend));
}

static void
roll_up(struct rollup *u, const struct collection *c, const struct since *x)
{
	uint64_t	before = sum_of(&c->before);

	u->n++;
	u->induced += c->has_start && c->is_induced;
	if (x->has_allocated && __builtin_add_overflow(u->allocated, x->allocated, &u->allocated))
		u->allocated = UINT64_MAX;
	if (__builtin_add_overflow(u->promoted, sum_of(&c->promoted), &u->promoted))
		u->promoted = UINT64_MAX;
	u->before_most = before > u->before_most ? before : u->before_most;
}

static void
count_in(struct gc *g, const struct collection *c, const struct stops *x, const struct pauses *p,
    const struct since *since)
{
	bool	counted = c->has_gen && c->gen < 3;

	g->ncollections++;
	roll_up(&g->all, c, since);
	if (counted)
		roll_up(&g->gens[c->gen], c, since);
	if (p->closed > 0)
		dist_add(&g->pause, p->total);
	if (p->closed > 0 && counted)
		dist_add(&g->by_gen[c->gen], p->total);
	if (p->closed > 0 && x->any && x->all_stopped)
		dist_add(&g->suspend, x->suspend);
}

static void
put_collection(struct gc *g, struct rows *r, const struct collection *c,
    const struct neighbours *n)
{
	struct pauses	p;
	struct stops	x;
	struct since	since;

	row_begin(r, "gc");
	put_identity(r, c);
	stops_make(g, c, &x);
	pauses_make(g, c, row_json(r, GC_PAUSES), &p);
	put_times(r, c, &x, &p);
	put_heap(r, c);
	put_history(r, c);
	put_global(r, c);
	since_make(g, c, &since);
	put_since(r, &since, &p);
	row_put(r, GC_TID, report_tid(g->run, c->thread));
	put_gap(g, r, c, &x, n, put_missing(r, c, &x));
	row_event(r, c->ts, c->off);
	count_in(g, c, &x, &p, &since);
}

/* ---- generations */

static void
put_generation(struct gc *g, struct rows *r, unsigned gen)
{
	const struct rollup	*u = &g->gens[gen];
	struct dist_figures	 f;
	struct buf		 b;

	row_begin(r, "generation");
	row_put(r, GC_GENERATION, cell_u64(gen));
	row_put(r, GC_COUNT, cell_u64(u->n));
	row_put(r, GC_INDUCED, cell_u64(u->induced));
	dist_figures(&g->by_gen[gen], &f);
	row_dur(r, GC_TOTAL, f.n > 0, f.total);
	row_dur(r, GC_MEAN, f.n > 0, f.mean);
	row_dur(r, GC_MAX, f.n > 0, f.max);
	row_put(r, GC_BEFORE_MOST, bytes(u->before_most));
	row_put(r, GC_ALLOCATED, bytes(u->allocated));
	row_put(r, GC_PROMOTED_TOTAL, bytes(u->promoted));
	buf_init(&b);
	buf_printf(&b, "provider = " RUNTIME " and name = GC/Start and Depth = %u", gen);
	row_filter(r, buf_str(&b));
	buf_release(&b);
}

/* ---- the summary */

static int
by_number(const void *a, const void *b)
{
	const uint64_t	*x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void
put_numbers_missing(const struct gc *g, struct buf *out)
{
	uint64_t	*number = mem_zalloc(g->nc + 1, sizeof *number);
	size_t		 n = 0, listed = 0;

	for (size_t i = 0; i < g->nc; i++)
		if (g->c[i].chosen)
			number[n++] = g->c[i].number;
	sort_array(number, n, sizeof *number, by_number);
	buf_putc(out, '[');
	for (size_t i = 1; i < n; i++)
		for (uint64_t k = number[i - 1] + 1; k < number[i] && k > 0 &&
		    listed < MISSING_MOST; k++) {
			if (listed++ > 0)
				buf_putc(out, ',');
			buf_u64(out, k);
		}
	buf_putc(out, ']');
	mem_free(number);
}

static void
put_counts(const struct gc *g, struct rows *r)
{
	struct text_counts	 reason, type;
	struct buf		 b;

	buf_init(&b);
	text_counts_init(&reason);
	text_counts_init(&type);
	for (size_t i = 0; i < g->nc; i++) {
		const struct collection	*c = &g->c[i];

		if (!c->chosen)
			continue;
		buf_clear(&b);
		if (c->has_start)
			map_word(&b, "GCReason", c->reason);
		text_counts_add(&reason, c->has_start ? span_of_buf(&b) : span_of("null"), 1);
		buf_clear(&b);
		if (c->has_start)
			map_word(&b, "GCType", c->type);
		text_counts_add(&type, c->has_start ? span_of_buf(&b) : span_of("null"), 1);
	}
	text_counts_json(&reason, row_json(r, GC_BY_REASON));
	text_counts_json(&type, row_json(r, GC_BY_TYPE));
	text_counts_release(&reason);
	text_counts_release(&type);
	buf_release(&b);
}

static void
put_suspensions(struct gc *g, struct rows *r)
{
	uint64_t	n = 0, without = 0, unclosed = 0;
	int64_t		high = INT64_MIN, from;

	g->stopped = 0;
	for (size_t i = 0; i < g->ns; i++) {
		const struct suspension	*s = &g->s[i];

		if (!s->chosen)
			continue;
		n++;
		without += s->first == NONE && s->background == NONE;
		unclosed += !s->has_end;
		from = s->begin > high ? s->begin : high;
		if (!s->has_end || s->end <= from)
			continue;
		g->stopped += (uint64_t)minus(s->end, from);
		high = s->end;
	}
	row_put(r, GC_SUSPENSIONS, cell_u64(n));
	row_put(r, GC_WITHOUT, cell_u64(without));
	row_put(r, GC_UNCLOSED, cell_u64(unclosed));
	row_put(r, GC_OTHER, cell_u64(g->others));
	row_put(r, GC_STOPPED, cell_dur(g->stopped < INT64_MAX ? (int64_t)g->stopped : INT64_MAX));
}

static void
put_share_paused(struct gc *g, struct rows *r)
{
	int64_t	first = 0, last = 0;

	g->span = report_times(g->run, &first, &last) ? minus(last, first) : 0;
	row_put(r, GC_SPAN, cell_dur(g->span));
	if (g->span > 0)
		row_put(r, GC_SHARE, (struct cell){ .kind = CELL_SHARE,
		    .f = rounded((double)g->stopped / (double)g->span) });
	else
		row_null(r, GC_SHARE);
}

static void
put_summary(struct gc *g, struct rows *r, uint64_t incomplete)
{
	struct buf	*b;
	uint64_t	 most = 0;

	row_begin(r, "summary");
	row_put(r, GC_COUNT, cell_u64(g->ncollections));
	b = row_json(r, GC_BY_GENERATION);
	for (unsigned i = 0; i < 3; i++) {
		buf_putc(b, i > 0 ? ',' : '[');
		buf_u64(b, g->gens[i].n);
	}
	buf_putc(b, ']');
	put_counts(g, r);
	put_numbers_missing(g, row_json(r, GC_MISSING));
	row_put(r, GC_INCOMPLETE, cell_u64(incomplete));
	dist_json(&g->pause, row_json(r, GC_PAUSE));
	b = row_json(r, GC_PAUSE_BY_GENERATION);
	for (unsigned i = 0; i < 3; i++) {
		buf_putc(b, i > 0 ? ',' : '[');
		dist_json(&g->by_gen[i], b);
	}
	buf_putc(b, ']');
	dist_json(&g->suspend, row_json(r, GC_SUSPEND));
	row_put(r, GC_INDUCED, cell_u64(g->all.induced));
	row_put(r, GC_ALLOCATED, bytes(g->all.allocated));
	row_put(r, GC_PROMOTED_TOTAL, bytes(g->all.promoted));
	row_put(r, GC_BEFORE_MOST, bytes(g->all.before_most));
	put_suspensions(g, r);
	put_share_paused(g, r);
	for (size_t i = 0; i < g->nc; i++)
		if (g->c[i].chosen && g->c[i].heap != NONE && sum_of(&g->c[i].size) > most)
			most = sum_of(&g->c[i].size);
	if (g->ncollections > 0)
		row_put(r, GC_MOST, bytes(most));
	else
		row_null(r, GC_MOST);
}

/* Starts of the collections behind each, for the last pass over them. */
static struct neighbours *
neighbours_make(const struct gc *g)
{
	struct neighbours	*n = mem_zalloc(g->nc + 1, sizeof *n);

	for (size_t i = 1; i < g->nc; i++) {
		const struct collection	*c = &g->c[i - 1];
		int64_t			 end = c->has_end ? c->end : c->start;

		n[i] = n[i - 1];
		if (!n[i].has_before || end > n[i].before)
			n[i].before = end;
		n[i].has_before = true;
	}
	for (size_t i = g->nc; i-- > 1;) {
		n[i - 1].has_after = n[i].has_after || g->c[i].has_start;
		n[i - 1].after = g->c[i].has_start ? g->c[i].start : n[i].after;
	}
	return n;
}

static bool
is_whole(const struct gc *g, const struct collection *c)
{
	struct stops	x;

	stops_make(g, c, &x);
	return c->has_start && c->has_end && x.any && x.all_ended && x.all_stopped &&
	    c->heap != NONE;
}

static void
gc_rows(void *self, struct rows *r)
{
	struct gc		*g = self;
	struct neighbours	*n = neighbours_make(g);
	uint64_t		 incomplete = 0, suspensions = 0;

	assign_further(g);
	for (size_t i = 0; i < g->nc; i++) {
		if (!g->c[i].chosen)
			continue;
		put_collection(g, r, &g->c[i], &n[i]);
		incomplete += !is_whole(g, &g->c[i]);
	}
	for (size_t i = 0; i < g->ns; i++)
		suspensions += g->s[i].chosen;
	for (unsigned i = 0; i < 3; i++)
		if (g->gens[i].n > 0)
			put_generation(g, r, i);
	if (g->ncollections > 0 || suspensions > 0)
		put_summary(g, r, incomplete);
	mem_free(n);
}

static void
gc_totals(void *self, struct buf *out)
{
	struct gc		*g = self;
	struct dist_figures	 f;

	dist_figures(&g->pause, &f);
	buf_grouped(out, g->ncollections);
	buf_printf(out, " collection%s (", g->ncollections == 1 ? "" : "s");
	for (unsigned i = 0; i < 3; i++) {
		buf_printf(out, "%sgen%u ", i > 0 ? ", " : "", i);
		buf_grouped(out, g->gens[i].n);
	}
	buf_puts(out, ")\n");
	buf_puts(out, "paused ");
	put_dur(out, g->stopped < INT64_MAX ? (int64_t)g->stopped : INT64_MAX);
	if (g->span > 0)
		buf_printf(out, ", %.1f %% of the time", 100 * (double)g->stopped /
		    (double)g->span);
	if (f.n > 0) {
		buf_puts(out, "; longest ");
		put_dur(out, f.max);
		buf_puts(out, ", median ");
		put_dur(out, f.p50);
	}
	buf_putc(out, '\n');
}

static const struct report_plot_def	gc_plots[] = {
	{ "heap after each collection", "gc", GC_START, PLOT_HOLD,
	    { GC_GEN0, GC_GEN1, GC_GEN2, GC_LOH, GC_POH, REPORT_END } },
	{ "pauses", "gc", GC_START, PLOT_GREATEST, { GC_PAUSE, REPORT_END } },
	{ .title = NULL },
};

const struct report	report_gc = {
	.name = "gc",
	.title = "Garbage collections",
	.text = "pause is the time from GCSuspendEEBegin to GCRestartEEEnd, summed over the "
	    "suspensions of a collection; a background collection has several. suspend is the part "
	    "of it until all threads had stopped. dur is GCStart to GCEnd, which for a background "
	    "collection is longer than its pauses. before, after and promoted are sizes of the "
	    "whole heap, including gen0 and pinned objects. survival is the share of the collected "
	    "generations that survived; fragmentation is the share of the heap that is free "
	    "afterwards. By generation, survival is the share of the objects in it, as PerfView "
	    "has it. allocated is what gen0 and the heaps of large and pinned objects have more of "
	    "objects than after the collection before, free space left out; allocRate divides it "
	    "by the time since the program last restarted, and pauseShare is pause divided by that "
	    "time and itself. settings has the pause mode, what the collection did, and the load "
	    "of the machine's memory in percent. The share of time paused is the union of all "
	    "suspensions for collections, divided by the time from the first to the last event. "
	    "missing names the events of a collection that are not in the trace; such a collection "
	    "is incomplete.",
	.need = gc_need,
	.fact = gc_facts,
	.column = gc_column,
	.ncolumns = GC_COLUMNS,
	.part = gc_parts,
	.plot = gc_plots,
	.flags = REPORT_PAIRS,
	.begin = gc_begin,
	.add = gc_add,
	.rows = gc_rows,
	.totals = gc_totals,
	.free = gc_free,
};

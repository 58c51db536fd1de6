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
 * Invariant: the cost of an event does not depend on the number of collections and suspensions: the
 * open ones are in lists, the latest at the end.
 */
#include "analysis/reports/collections.h"

#include <assert.h>
#include <string.h>

#include "analysis/reports/texts.h"
#include "tnav/base/hash.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"

#define FOR_GC		1u		/* reasons of a suspension */
#define FOR_GC_PREP	6u

#define OTHER		(UINT32_MAX - 1)

enum gc_event {
	GC_SUSPEND_BEGIN, GC_SUSPEND_END, GC_RESTART_BEGIN, GC_RESTART_END,
	GC_STARTED, GC_ENDED, GC_HEAP_STATS, GC_PER_HEAP, GC_GLOBAL, GC_TICK,
};

#define RT(kind, id, name, ...)	{ kind, RUNTIME, id, name, { __VA_ARGS__ }, 0 }

const struct fact_def	gc_facts[] = {
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
	{ GC_PER_HEAP, RUNTIME, 204, "GCPerHeapHistory", { "HeapIndex", "Values.SizeBefore",
	    "Values.NewAllocation", "Values.PinnedSurv", "Values.NonePinnedSurv",
	    "Values.FreeListBefore", "Values.FreeObjBefore", "Values.FreeListAfter",
	    "Values.FreeObjAfter", "Values.SizeAfter" }, FACT_ARRAYS },
	RT(GC_GLOBAL, 205, "GCGlobalHeapHistory", "GlobalMechanisms", "PauseMode",
	    "MemoryPressure"),
	{ GC_TICK, RUNTIME, 10, "GCAllocationTick", { "AllocationAmount64", "AllocationAmount" },
	    FACT_EXTRA },
	{ .provider = NULL },
};

void
gc_collections_init(struct gc_collections *g, const struct report_run *run)
{
	*g = (struct gc_collections){ .run = run, .seed = hash_seed(), .counted = GC_NONE };
	g->endless = g->running = (struct gc_list){ GC_NONE, GC_NONE };
	hashtable_init(&g->numbers);
}

void
gc_collections_release(struct gc_collections *g)
{
	mem_free(g->s);
	mem_free(g->c);
	mem_free(g->thread);
	hashtable_release(&g->numbers);
}

static struct gc_thread *
thread_of(struct gc_collections *g, uint32_t thread)
{
	size_t	i = thread == EVENT_NONE ? 0 : (size_t)thread + 1;

	if (i >= g->nthreads) {
		g->thread = mem_grow(g->thread, &g->threads_cap, i + 1, sizeof *g->thread);
		for (; g->nthreads <= i; g->nthreads++)
			g->thread[g->nthreads] = (struct gc_thread){ GC_NONE, GC_NONE, GC_NONE };
	}
	return &g->thread[i];
}

/* ---- lists */

/* The link of a record: v is that of the first one, `each` bytes before the next one's. */
static struct gc_link *
link_at(struct gc_link *v, size_t each, uint32_t i)
{
	return (struct gc_link *)(void *)((char *)v + i * each);
}

static void
list_append(struct gc_list *l, struct gc_link *v, size_t each, uint32_t i)
{
	*link_at(v, each, i) = (struct gc_link){ .prev = l->last, .next = GC_NONE };
	if (l->last != GC_NONE)
		link_at(v, each, l->last)->next = i;
	else
		l->first = i;
	l->last = i;
}

static void
list_remove(struct gc_list *l, struct gc_link *v, size_t each, uint32_t i)
{
	const struct gc_link	*k = link_at(v, each, i);

	if (k->prev != GC_NONE)
		link_at(v, each, k->prev)->next = k->next;
	else
		l->first = k->next;
	if (k->next != GC_NONE)
		link_at(v, each, k->next)->prev = k->prev;
	else
		l->last = k->prev;
}

/* ---- suspensions */

/* The latest running background collection. Few run at a time; older ones lost their ends. */
static uint32_t
running_background(const struct gc_collections *g)
{
	uint32_t	i = g->running.last;
	unsigned	steps = 0;

	while (i != GC_NONE && g->c[i].type != GC_BACKGROUND && steps++ < GC_LOOK_BACK)
		i = g->c[i].link.prev;
	return i != GC_NONE && g->c[i].type == GC_BACKGROUND ? i : GC_NONE;
}

static void
suspend_begin(struct gc_collections *g, const struct fact *f)
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
	g->s[i] = (struct suspension){ .begin = f->ns, .thread = f->ev->thread, .first = GC_NONE,
	    .last = GC_NONE, .background = GC_NONE, .more = GC_NONE, .prep = reason == FOR_GC_PREP,
	    .chosen = f->chosen };
	t->open = i;
	if (reason == FOR_GC)
		list_append(&g->endless, &g->s->link, sizeof *g->s, i);
	else
		g->s[i].background = running_background(g);
}

static void
suspend_end(struct gc_collections *g, const struct fact *f)
{
	uint32_t	i = thread_of(g, f->ev->thread)->open;

	if (i >= OTHER)
		return;
	g->s[i].stopped = f->ns;
	g->s[i].has_stopped = true;
}

static void
restart_end(struct gc_collections *g, const struct fact *f)
{
	struct gc_thread	*t = thread_of(g, f->ev->thread);
	uint32_t		 i = t->open;

	t->open = GC_NONE;
	if (i >= OTHER)
		return;
	g->s[i].end = f->ns;
	g->s[i].has_end = true;
	if (!g->s[i].prep)
		list_remove(&g->endless, &g->s->link, sizeof *g->s, i);
}

/* The suspension in which a collection begins. */
static uint32_t
suspension_of(struct gc_collections *g, uint32_t thread)
{
	const struct gc_thread	*t = thread_of(g, thread);

	if (t->open < OTHER)
		return t->open;
	return t->endless != GC_NONE ? t->endless : g->endless.last;
}

/* ---- collections */

static uint64_t
number_hash(const struct gc_collections *g, uint64_t number, uint64_t clr)
{
	return hash_pair(g->seed, number, clr);
}

static uint32_t *
number_find(struct gc_collections *g, uint64_t number, uint64_t clr)
{
	size_t	at = 0;

	for (uint32_t *i; (i = hashtable_next(&g->numbers, number_hash(g, number, clr), &at));)
		if (g->c[*i].number == number && g->c[*i].clr == clr)
			return i;
	return NULL;
}

static uint32_t
collection_add(struct gc_collections *g, const struct fact *f)
{
	struct collection	*c;

	if (g->nc >= LIMIT_REPORT_EVENTS)
		return GC_NONE;
	g->c = mem_grow(g->c, &g->c_cap, g->nc + 1, sizeof *g->c);
	c = &g->c[g->nc];
	*c = (struct collection){ .number = fact_u64(f, 0), .gen = fact_u64(f, 1),
	    .has_gen = fact_has(f, 1), .row = f->row, .off = f->ev->off, .ts = f->ev->ts,
	    .thread = f->ev->thread, .suspension = GC_NONE, .sibling = GC_NONE, .more = GC_NONE,
	    .more_last = GC_NONE, .heap = GC_NONE, .chosen = f->chosen };
	return (uint32_t)g->nc++;
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
started(struct gc_collections *g, const struct fact *f)
{
	uint32_t		 i = collection_add(g, f), *known;
	struct collection	*c;
	struct suspension	*s;

	if (i == GC_NONE)
		return;
	c = &g->c[i];
	c->clr = fact_u64(f, 4);
	c->reason = (uint32_t)fact_u64(f, 2);
	c->is_induced = reason_is_induced(c->reason);
	c->type = (uint32_t)fact_u64(f, 3);
	c->start = f->ns;
	c->has_start = true;
	c->handed_out = g->handed_out;
	if (c->chosen)
		g->handed_out_after = 0;
	c->suspension = suspension_of(g, f->ev->thread);
	if (c->suspension != GC_NONE) {
		s = &g->s[c->suspension];
		if (s->last != GC_NONE)
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
	list_append(&g->running, &g->c->link, sizeof *g->c, i);
	thread_of(g, f->ev->thread)->latest = i;
}

static void
ended(struct gc_collections *g, const struct fact *f)
{
	uint64_t	 clr = fact_u64(f, 2);
	uint32_t	*known = number_find(g, fact_u64(f, 0), clr);
	uint32_t	 i = known != NULL ? *known : collection_add(g, f);

	if (i == GC_NONE)
		return;
	if (known == NULL)
		g->c[i].clr = clr;
	else if (!g->c[i].has_end)
		list_remove(&g->running, &g->c->link, sizeof *g->c, i);
	g->c[i].end = f->ns;
	g->c[i].has_end = true;
	g->c[i].end_thread = f->ev->thread;
	thread_of(g, f->ev->thread)->latest = i;
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
	uint32_t		 i = thread_of(g, f->ev->thread)->latest;
	struct collection	*c;

	if (i == GC_NONE || g->c[i].heap != GC_NONE)
		return;
	c = &g->c[i];
	c->heap = 0;
	sizes_take(&c->size, f, 0);
	sizes_take(&c->promoted, f, GC_GENERATIONS);
	c->final_size = fact_u64(f, 10);
	c->final_count = fact_u64(f, 11);
	c->pinned = fact_u64(f, 12);
	c->handles = fact_u64(f, 13);
}

/* ---- histories by heap */

/* Fields of GC_PER_HEAP: a number, then arrays by generation. */
enum history {
	HEAP, BEFORE, BUDGET, PINNED, UNPINNED, FREE_LIST_BEFORE, FREE_OBJECTS_BEFORE,
	FREE_LIST_AFTER, FREE_OBJECTS_AFTER, AFTER
};

static_assert(FACT_LIST_MOST == GC_GENERATIONS, "an array has a number for each generation");

static void
history_add(struct by_generation *to, const struct fact *f, enum history h)
{
	uint64_t	v[FACT_LIST_MOST];
	unsigned	n = fact_list(f, h, v);

	for (unsigned i = 0; i < n; i++)
		to->v[i] = add_u64(to->v[i], v[i]);
	if (n > to->n)
		to->n = (uint8_t)n;
}

static void
heap_count(struct gc_collections *g, uint32_t i, uint64_t heap)
{
	if (g->counted != i)
		memset(g->heap_seen, 0, sizeof g->heap_seen);
	g->counted = i;
	heap %= GC_HEAPS_MOST;
	if ((g->heap_seen[heap / 8] >> (heap % 8) & 1) != 0)
		return;
	g->heap_seen[heap / 8] |= (uint8_t)(1u << (heap % 8));
	g->c[i].heaps++;
}

/*
 * The collection that a history belongs to: the running one that began last. The thread of a
 * background collection of server GC writes its history after its end, of workstation GC before.
 */
static uint32_t
history_of(struct gc_collections *g, const struct fact *f)
{
	uint32_t		 i = thread_of(g, f->ev->thread)->latest;
	const struct collection	*c;

	if (i == GC_NONE)
		return g->running.last;
	c = &g->c[i];
	if (c->type == GC_BACKGROUND && c->has_end && c->end_thread == f->ev->thread &&
	    (!c->has_history || c->late_history))
		return i;
	return g->running.last;
}

static void
per_heap(struct gc_collections *g, const struct fact *f)
{
	uint32_t		 i = history_of(g, f);
	struct collection	*c;

	if (i == GC_NONE || !fact_has(f, BEFORE))
		return;
	c = &g->c[i];
	c->has_history = true;
	c->late_history |= c->has_end;
	heap_count(g, i, fact_u64(f, HEAP));
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
	uint32_t		 i = history_of(g, f);
	struct collection	*c;

	if (i == GC_NONE)
		return;
	c = &g->c[i];
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

void
gc_collections_add(struct gc_collections *g, const struct fact *f)
{
	switch ((enum gc_event)f->kind) {
	case GC_SUSPEND_BEGIN:
		suspend_begin(g, f);
		break;
	case GC_SUSPEND_END:
		suspend_end(g, f);
		break;
	case GC_RESTART_END:
		restart_end(g, f);
		break;
	case GC_STARTED:
		started(g, f);
		break;
	case GC_ENDED:
		ended(g, f);
		break;
	case GC_HEAP_STATS:
		heap_stats(g, f);
		break;
	case GC_PER_HEAP:
		per_heap(g, f);
		break;
	case GC_GLOBAL:
		global(g, f);
		break;
	case GC_TICK:
		tick(g, f);
		break;
	case GC_RESTART_BEGIN:
		break;
	}
}

/* Give suspensions of GCPrep without a collection of their own to the background collection. */
void
gc_collections_end(struct gc_collections *g)
{
	for (size_t i = 0; i < g->ns; i++) {
		struct suspension	*s = &g->s[i];
		struct collection	*c;

		if (s->first != GC_NONE || s->background == GC_NONE)
			continue;
		c = &g->c[s->background];
		if (c->more_last != GC_NONE)
			g->s[c->more_last].more = (uint32_t)i;
		else
			c->more = (uint32_t)i;
		c->more_last = (uint32_t)i;
	}
}

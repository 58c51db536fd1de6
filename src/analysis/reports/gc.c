/*
 * Garbage collections: when, why, how long the program was paused, how large the heap was.
 *
 *	events -> collections.c: collections and suspensions -> figures, rows, totals
 *
 * The figures are computed at the end. Collections that began in one suspension share its time.
 */
#include <string.h>

#include "analysis/reports/collections.h"
#include "analysis/reports/common.h"
#include "analysis/reports/dist.h"
#include "analysis/reports/growth.h"
#include "analysis/reports/rows.h"
#include "analysis/reports/texts.h"
#include "analysis/spans/loss.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/sort.h"
#include "tnav/model/json.h"

#define MISSING_MOST	1000u		/* missing numbers that are listed */

/* The keys of generations in a JSON object; the first one is without the comma. */
static const char *const	generation[GC_GENERATIONS] =
    { ",\"gen0\":", ",\"gen1\":", ",\"gen2\":", ",\"loh\":", ",\"poh\":" };

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
	[GC_ALLOC_RATE] = { .name = "allocRate", .title = "alloc/s", .unit = "B/s",
	    .kind = CELL_BYTES, .rank = 16 },
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
	    .tone = TONE_LOSS },
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

struct gc {
	struct gc_collections	 in;
	struct dist		 pause, by_gen[3], suspend;
	uint64_t		 ncollections, stopped;
	struct rollup {
		uint64_t	n, induced, allocated, promoted, before_most;
		uint64_t	known, unknown, at_least;	/* collections, by their part of
								   allocated */
		uint64_t	ticks, before;
		uint64_t	later;		/* the last ones, whose sizes never came */
	}			 gens[3], all;
	int64_t			 span;
};

static void *
gc_begin(const struct report_run *run)
{
	struct gc	*g = mem_zalloc(1, sizeof *g);

	gc_collections_init(&g->in, run);
	return g;
}

static void
gc_free(void *self)
{
	struct gc	*g = self;

	gc_collections_release(&g->in);
	dist_release(&g->pause);
	dist_release(&g->suspend);
	for (size_t i = 0; i < 3; i++)
		dist_release(&g->by_gen[i]);
	mem_free(g);
}

static void
gc_add(void *self, const struct fact *f)
{
	struct gc	*g = self;

	gc_collections_add(&g->in, f);
}

/* ---- figures */

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
	p->total = add_i64(p->total, sub_i64(to, from));
}

/* Its part of the time of its suspension, which other collections may share. */
static void
pause_own(const struct gc *g, const struct collection *c, struct pauses *p)
{
	const struct suspension	*s = gc_suspension(&g->in, c->suspension);
	const struct collection	*after = gc_collection(&g->in, c->sibling);
	const struct collection	*last = gc_collection(&g->in, s->last);

	if (s->first == s->last) {
		pause_add(p, true, s->p.start, s->p.has_stop, s->p.stop);
	} else if (c->type != GC_BACKGROUND) {
		pause_add(p, true, c->p.start, c->p.has_stop, c->p.stop);
	} else if (after == NULL) {
		pause_add(p, true, s->p.start, s->p.has_stop, s->p.stop);
	} else {
		pause_add(p, true, s->p.start, true, after->p.start);
		pause_add(p, last->p.has_stop, last->p.stop, s->p.has_stop, s->p.stop);
	}
}

static void
pauses_make(const struct gc *g, const struct collection *c, struct buf *json, struct pauses *p)
{
	const struct suspension	*s;

	*p = (struct pauses){ .json = json };
	if (json != NULL)
		buf_putc(json, '[');
	if (c->suspension != 0)
		pause_own(g, c, p);
	s = gc_suspension(&g->in, c->more);
	for (; s != NULL; s = gc_suspension(&g->in, s->more))
		pause_add(p, true, s->p.start, s->p.has_stop, s->p.stop);
	if (json != NULL)
		buf_putc(json, ']');
}

/* What is known about all of its suspensions. */
struct stops {
	bool		any, all_stopped, all_ended;
	int64_t		suspend, begin, last_end;
};

static void
stop_add(const struct suspension *s, struct stops *x)
{
	if (!x->any)
		x->begin = s->p.start;
	x->any = true;
	x->all_stopped = x->all_stopped && s->has_stopped;
	x->all_ended = x->all_ended && s->p.has_stop;
	x->last_end = s->p.stop;
	if (s->has_stopped)
		x->suspend = add_i64(x->suspend, sub_i64(s->stopped, s->p.start));
}

static void
stops_make(const struct gc *g, const struct collection *c, struct stops *x)
{
	const struct suspension	*s = gc_suspension(&g->in, c->suspension);

	*x = (struct stops){ .all_stopped = true, .all_ended = true };
	if (s != NULL)
		stop_add(s, x);
	s = gc_suspension(&g->in, c->more);
	for (; s != NULL; s = gc_suspension(&g->in, s->more))
		stop_add(s, x);
}

/* List what is missing: as a JSON array of texts, and as words. False: nothing is missing. */
static bool
put_missing(struct rows *r, const struct collection *c, const struct stops *x)
{
	const struct {
		bool		 is;
		const char	*text;
	} why[] = {
		{ !c->p.has_start, "no GCStart" }, { !c->p.has_stop, "no GCEnd" },
		{ c->p.has_start && !x->any, "no suspension" },
		{ !x->all_ended, "no GCRestartEEEnd" }, { !x->all_stopped, "no GCSuspendEEEnd" },
		{ !c->has_heap, "no GCHeapStats" },
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

/* The key of a generation in a JSON object that already has {. */
static void
put_key(struct buf *out, unsigned gen)
{
	buf_puts(out, generation[gen] + (out->p[out->len - 1] == '{'));
}

static void
put_sizes(struct rows *r, unsigned col, const struct by_generation *b)
{
	struct buf	*out = row_json(r, col);

	buf_putc(out, '{');
	for (unsigned i = 0; i < b->n; i++) {
		put_key(out, i);
		buf_u64(out, b->v[i]);
	}
	buf_putc(out, '}');
}

static uint64_t
sum_of(const struct by_generation *b)
{
	uint64_t	sum = 0;

	for (unsigned i = 0; i < b->n; i++)
		sum = add_u64(sum, b->v[i]);
	return sum;
}

/* Share of a whole; no cell if the whole is 0. */
static void
put_share(struct rows *r, unsigned col, uint64_t part, uint64_t whole)
{
	if (whole > 0)
		row_share(r, col, (double)part, (double)whole);
}

static void
put_heap(struct rows *r, const struct collection *c)
{
	if (!c->has_heap)
		return;
	put_sizes(r, GC_SIZE_AFTER, &c->size);
	put_sizes(r, GC_PROMOTED, &c->promoted);
	row_bytes(r, GC_HEAP_AFTER, true, sum_of(&c->size));
	row_bytes(r, GC_PROMOTED_TOTAL, true, sum_of(&c->promoted));
	for (unsigned i = 0; i < c->size.n; i++)
		row_bytes(r, GC_GEN0 + i, true, c->size.v[i]);
	row_bytes(r, GC_FINAL_SIZE, true, c->final_size);
	row_put(r, GC_FINAL_COUNT, cell_u64(c->final_count));
	row_put(r, GC_PINNED, cell_u64(c->pinned));
	row_put(r, GC_HANDLES, cell_u64(c->handles));
}

/* The size, before the collection, of the generations that it collected. */
static struct by_generation
collected(const struct collection *c)
{
	struct by_generation	b = c->before;

	if (c->gen < 2 && b.n > c->gen + 1)
		b.n = (uint8_t)(c->gen + 1);
	return b;
}

/* Objects without the free space between them. */
static struct by_generation
objects(struct by_generation b, const struct by_generation *unused)
{
	for (unsigned i = 0; i < b.n; i++)
		b.v[i] -= min_u64(b.v[i], unused->v[i]);
	return b;
}

/* Rounded to nine digits. */
static double
rounded(double share)
{
	if (share > 1000)
		return share;
	return (double)(uint64_t)(share * 1e9 + 0.5) / 1e9;
}

/* By generation, if it is not empty. */
static void
put_shares(struct rows *r, unsigned col, const struct by_generation *part,
    const struct by_generation *whole)
{
	struct buf	*b = row_json(r, col);

	buf_putc(b, '{');
	for (unsigned i = 0; i < whole->n; i++) {
		if (whole->v[i] == 0)
			continue;
		put_key(b, i);
		buf_f64(b, rounded((double)part->v[i] / (double)whole->v[i]));
	}
	buf_putc(b, '}');
}

static void
put_history(struct rows *r, const struct collection *c)
{
	struct by_generation	whole = collected(c), full = objects(whole, &c->loose);

	if (!c->has_history)
		return;
	row_put(r, GC_HEAPS, cell_u64(c->heaps));
	put_sizes(r, GC_SIZE_BEFORE, &c->before);
	put_sizes(r, GC_BUDGET, &c->budget);
	row_bytes(r, GC_HEAP_BEFORE, true, sum_of(&c->before));
	put_sizes(r, GC_SURVIVED, &c->survived);
	put_sizes(r, GC_FREE, &c->unused);
	if (c->p.has_start)
		put_share(r, GC_SURVIVAL, sum_of(&c->survived), sum_of(&whole));
	put_share(r, GC_FRAGMENTATION, sum_of(&c->unused), sum_of(&c->after));
	put_shares(r, GC_SURVIVALS, &c->survived, &full);
	put_shares(r, GC_FRAGMENTATIONS, &c->unused, &c->after);
}

/* Values from the history of the whole heap: {"pauseMode":"Interactive", ...} */
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

/* ---- compared with the previous collection */

struct since {
	bool		has_restart;
	int64_t		ns;		/* from the last restart to the pause */
};

static void
since_make(const struct gc *g, const struct collection *c, struct since *x)
{
	const struct suspension	*s = gc_suspension(&g->in, c->suspension), *before;

	*x = (struct since){ .has_restart = false };
	if (s == NULL)
		return;
	before = gc_suspension(&g->in, s->p.number - 1);
	if (before != NULL && before->p.has_stop && before->p.stop <= s->p.start) {
		x->has_restart = true;
		x->ns = sub_i64(s->p.start, before->p.stop);
	}
}

static void
put_since(struct rows *r, const struct collection *c, const struct since *x,
    const struct pauses *p)
{
	if (x->has_restart && p->closed > 0 && p->total >= 0)
		row_share(r, GC_PAUSE_SHARE, (double)p->total, (double)p->total + (double)x->ns);
	if (!growth_has_bytes(&c->growth))
		return;
	row_bytes(r, GC_ALLOCATED, true, c->growth.bytes);
	if (x->has_restart && x->ns > 0)
		row_bytes(r, GC_ALLOC_RATE, true,
		    u64_of((double)c->growth.bytes * 1e9 / (double)x->ns));
}

/* Where to look for the gap of an incomplete collection: from the end of the previous one to the
   start of the next. A complete one has an interval of its own. */
struct neighbours {
	bool	has_before, has_after;
	int64_t	before, after;
};

static void
put_gap(struct gc *g, struct rows *r, const struct collection *c, const struct stops *x,
    const struct neighbours *n, bool missing)
{
	struct loss_asked	a = { .thread = c->p.thread, .has_from = n->has_before,
				    .from = n->before, .has_to = n->has_after, .to = n->after };

	if (!missing) {
		a.has_from = a.has_to = true;
		a.from = x->begin;
		a.to = c->p.stop > x->last_end ? c->p.stop : x->last_end;
	}
	(void)report_gap(g->in.run, r, GC_GAP, &a);
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
	if (!c->p.has_start) {
		row_null(r, GC_REASON);
		row_null(r, GC_TYPE);
		row_null(r, GC_START);
		row_null(r, GC_ROW);
		return;
	}
	put_word(r, GC_REASON, "GCReason", c->reason);
	put_word(r, GC_TYPE, "GCType", c->type);
	row_put(r, GC_START, cell_time(c->p.start));
	row_put(r, GC_ROW, cell_u64(c->p.row));
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
	row_dur(r, GC_DUR, pair_is_paired(&c->p), pair_dur(&c->p));
	if (x->any)
		row_put(r, GC_PAUSE_START, cell_time(x->begin));
	else
		row_null(r, GC_PAUSE_START);
	row_put(r, GC_PAUSE, dur_or_null(p->closed > 0, p->total));
	row_put(r, GC_SUSPEND, dur_or_null(x->any && x->all_stopped, x->suspend));
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
roll_up(struct rollup *u, const struct collection *c)
{
	uint64_t	before = sum_of(&c->before);

	u->n++;
	u->induced += c->p.has_start && reason_is_induced(c->reason);
	u->allocated = add_u64(u->allocated, c->growth.bytes);
	u->unknown += c->growth.state == GROWTH_UNKNOWN;
	u->at_least += c->growth.state == GROWTH_AT_LEAST;
	u->ticks += c->growth.state == GROWTH_TICKS;
	u->before += c->growth.state == GROWTH_BEFORE;
	u->known += growth_has_bytes(&c->growth);
	u->later = c->growth.state == GROWTH_LATER ? u->later + 1 : 0;
	u->promoted = add_u64(u->promoted, sum_of(&c->promoted));
	u->before_most = max_u64(u->before_most, before);
}

static void
count_in(struct gc *g, const struct collection *c, const struct stops *x,
    const struct pauses *p)
{
	bool	counted = c->has_gen && c->gen < 3;

	g->ncollections++;
	roll_up(&g->all, c);
	if (counted)
		roll_up(&g->gens[c->gen], c);
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
	put_since(r, c, &since, &p);
	row_put(r, GC_TID, report_tid(g->in.run, c->p.thread));
	put_gap(g, r, c, &x, n, put_missing(r, c, &x));
	row_event(r, c->p.ts, c->p.off);
	count_in(g, c, &x, &p);
}

/* ---- generations */

/* Null if all parts are unknown; if some are, the totals and a remark say "at least". */
static void
put_allocated(struct rows *r, const struct rollup *u)
{
	row_bytes(r, GC_ALLOCATED, u->known > 0, u->allocated);
}

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
	row_bytes(r, GC_BEFORE_MOST, true, u->before_most);
	put_allocated(r, u);
	row_bytes(r, GC_PROMOTED_TOTAL, true, u->promoted);
	buf_init(&b);
	buf_printf(&b, "provider = " RUNTIME " and name = GC/Start and Depth = %u", gen);
	row_filter(r, buf_str(&b));
	buf_release(&b);
}

/* What was allocated after the last collection. */
static void
put_rest(const struct gc *g, struct rows *r)
{
	row_begin(r, "rest");
	row_bytes(r, GC_ALLOCATED, true, g->in.handed_out_after);
}

/* ---- the summary */

/* How many numbers between those of the first and the last chosen collection no event has. The
   first of them are listed as a JSON array, if out is not NULL. */
static uint64_t
numbers_missing(const struct gc *g, struct buf *out)
{
	size_t		 n = pairs_n(g->in.collections);
	uint64_t	*number = mem_zalloc(n + 1, sizeof *number);
	uint64_t	 lo = UINT64_MAX, hi = 0, missing = 0, listed = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct collection	*c = gc_collection(&g->in, i + 1);

		number[i] = c->number;
		if (!c->p.chosen)
			continue;
		lo = number[i] < lo ? number[i] : lo;
		hi = number[i] > hi ? number[i] : hi;
	}
	sort_array(number, n, sizeof *number, compare_u64);
	for (size_t i = 1; i < n; i++) {
		if (number[i] - number[i - 1] < 2 || number[i - 1] < lo || number[i] > hi)
			continue;
		missing += number[i] - number[i - 1] - 1;
		for (uint64_t k = number[i - 1] + 1; out != NULL && k < number[i] &&
		    listed < MISSING_MOST; k++) {
			buf_putc(out, listed++ > 0 ? ',' : '[');
			buf_u64(out, k);
		}
	}
	if (out != NULL)
		buf_puts(out, listed > 0 ? "]" : "[]");
	mem_free(number);
	return missing;
}

static void
put_counts(const struct gc *g, struct rows *r)
{
	struct text_counts	 reason, type;
	const struct collection	*c;
	struct buf		 b;

	buf_init(&b);
	text_counts_init(&reason);
	text_counts_init(&type);
	for (uint32_t i = 0; (c = pairs_next(g->in.collections, &i)) != NULL;) {
		buf_clear(&b);
		if (c->p.has_start)
			map_word(&b, "GCReason", c->reason);
		text_counts_add(&reason, c->p.has_start ? span_of_buf(&b) : span_of("null"), 1);
		buf_clear(&b);
		if (c->p.has_start)
			map_word(&b, "GCType", c->type);
		text_counts_add(&type, c->p.has_start ? span_of_buf(&b) : span_of("null"), 1);
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
	const struct suspension	*s;
	uint64_t		 n = 0, without = 0, unclosed = 0;
	int64_t			 high = INT64_MIN, from;

	g->stopped = 0;
	for (uint32_t i = 0; (s = pairs_next(g->in.suspensions, &i)) != NULL;) {
		n++;
		without += s->first == 0 && s->background == 0;
		unclosed += !s->p.has_stop;
		from = s->p.start > high ? s->p.start : high;
		if (!s->p.has_stop || s->p.stop <= from)
			continue;
		g->stopped += (uint64_t)sub_i64(s->p.stop, from);
		high = s->p.stop;
	}
	row_put(r, GC_SUSPENSIONS, cell_u64(n));
	row_put(r, GC_WITHOUT, cell_u64(without));
	row_put(r, GC_UNCLOSED, cell_u64(unclosed));
	row_put(r, GC_OTHER, cell_u64(g->in.others));
	row_put(r, GC_STOPPED, cell_dur(g->stopped < INT64_MAX ? (int64_t)g->stopped : INT64_MAX));
}

static void
put_share_paused(struct gc *g, struct rows *r)
{
	int64_t	first = 0, last = 0;

	g->span = report_times(g->in.run, &first, &last) ? sub_i64(last, first) : 0;
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
	const struct collection	*c;
	struct buf		*b;
	uint64_t		 most = 0;

	row_begin(r, "summary");
	row_put(r, GC_COUNT, cell_u64(g->ncollections));
	b = row_json(r, GC_BY_GENERATION);
	for (unsigned i = 0; i < 3; i++) {
		buf_putc(b, i > 0 ? ',' : '[');
		buf_u64(b, g->gens[i].n);
	}
	buf_putc(b, ']');
	put_counts(g, r);
	(void)numbers_missing(g, row_json(r, GC_MISSING));
	row_put(r, GC_INCOMPLETE, cell_u64(incomplete));
	dist_json(&g->pause, row_json(r, GC_PAUSE));
	b = row_json(r, GC_PAUSE_BY_GENERATION);
	json_open(b, '[');
	for (unsigned i = 0; i < 3; i++)
		dist_json(&g->by_gen[i], b);
	json_close(b, ']');
	dist_json(&g->suspend, row_json(r, GC_SUSPEND));
	row_put(r, GC_INDUCED, cell_u64(g->all.induced));
	put_allocated(r, &g->all);
	row_bytes(r, GC_PROMOTED_TOTAL, true, g->all.promoted);
	row_bytes(r, GC_BEFORE_MOST, true, g->all.before_most);
	put_suspensions(g, r);
	put_share_paused(g, r);
	for (uint32_t i = 0; (c = pairs_next(g->in.collections, &i)) != NULL;)
		most = max_u64(most, sum_of(&c->size));
	if (g->ncollections > 0)
		row_bytes(r, GC_MOST, true, most);
	else
		row_null(r, GC_MOST);
}

/* For each collection, the latest end before it and the next start after it. */
static struct neighbours *
neighbours_make(const struct gc *g)
{
	size_t			 all = pairs_n(g->in.collections);
	struct neighbours	*n = mem_zalloc(all + 1, sizeof *n);

	for (uint32_t i = 1; i < all; i++) {
		const struct pair	*p = pairs_at(g->in.collections, i);
		int64_t			 end = p->has_stop ? p->stop : p->start;

		n[i] = n[i - 1];
		if (!n[i].has_before || end > n[i].before)
			n[i].before = end;
		n[i].has_before = true;
	}
	for (uint32_t i = (uint32_t)all; i > 1; i--) {
		const struct pair	*p = pairs_at(g->in.collections, i);

		n[i - 2].has_after = n[i - 1].has_after || p->has_start;
		n[i - 2].after = p->has_start ? p->start : n[i - 1].after;
	}
	return n;
}

static bool
is_whole(const struct gc *g, const struct collection *c)
{
	struct stops	x;

	stops_make(g, c, &x);
	return c->p.has_start && c->p.has_stop && x.any && x.all_ended && x.all_stopped &&
	    c->has_heap;
}

static void
gc_rows(void *self, struct rows *r)
{
	struct gc		*g = self;
	struct neighbours	*n = neighbours_make(g);
	uint64_t		 incomplete = 0, suspensions = 0;
	const struct collection	*c;

	gc_collections_end(&g->in);
	gc_growths(&g->in);
	for (uint32_t i = 0; (c = pairs_next(g->in.collections, &i)) != NULL;) {
		put_collection(g, r, c, &n[c->p.number - 1]);
		incomplete += !is_whole(g, c);
	}
	for (uint32_t i = 0; pairs_next(g->in.suspensions, &i) != NULL;)
		suspensions++;
	for (unsigned i = 0; i < 3; i++)
		if (g->gens[i].n > 0)
			put_generation(g, r, i);
	if (g->ncollections > 0 && g->in.has_ticks)
		put_rest(g, r);
	if (g->ncollections > 0 || suspensions > 0)
		put_summary(g, r, incomplete);
	rows_remark(r, g->all.unknown, "collections do not say what was allocated before them; "
	    "allocated is at least the sum of the others");
	rows_remark(r, g->all.before, "collections came first in the trace; what was allocated "
	    "before them is not counted");
	rows_remark(r, g->all.later, "collections at the end have no sizes; what was allocated "
	    "before them is not counted");
	rows_remark(r, g->all.at_least, "collections came after memory that a background one "
	    "had freed; allocated is at least so much");
	rows_remark(r, g->all.ticks, "collections have sizes that do not tell what was allocated "
	    "before them; their allocated is the sum of GC/AllocationTick");
	pairs_remark(g->in.suspensions, r);
	pairs_remark(g->in.collections, r);
	mem_free(n);
}

static void
gc_totals(void *self, struct buf *out)
{
	struct gc		*g = self;
	struct dist_figures	 f;
	uint64_t		 missing = numbers_missing(g, NULL);

	dist_figures(&g->pause, &f);
	buf_grouped(out, g->ncollections);
	buf_printf(out, " collection%s (", g->ncollections == 1 ? "" : "s");
	for (unsigned i = 0; i < 3; i++) {
		buf_printf(out, "%sgen%u ", i > 0 ? ", " : "", i);
		buf_grouped(out, g->gens[i].n);
	}
	buf_putc(out, ')');
	if (missing > 0) {
		buf_puts(out, ", ");
		put_count(out, missing, "number has none", "numbers have none");
	}
	if (g->all.known > 0) {
		buf_puts(out, g->all.unknown + g->all.at_least + g->all.before > 0 ?
		    "; at least " : "; ");
		put_bytes(out, g->all.allocated);
		buf_puts(out, " allocated before them");
	}
	if (g->in.has_ticks && g->ncollections > 0) {
		buf_puts(out, g->all.known > 0 ? ", " : "; ");
		put_bytes(out, g->in.handed_out_after);
		buf_puts(out, " allocated after the last");
	}
	buf_puts(out, "\npaused ");
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
	    "objects than after the collection before, free space left out; for the first one of a "
	    "program, all that they have. What is allocated while a background collection runs "
	    "counts for the collection that begins next. The free space that it makes in gen0 "
	    "hides some of it, and nothing is known if the events of the collection before are "
	    "lost: then allocated is the sum of GC/AllocationTick, as a remark says, or without "
	    "these a lower bound or unknown. By GC/AllocationTick the totals also say what was "
	    "allocated after the last collection (kind rest). The report allocs sums up all that "
	    "the runtime handed out, also what was not used. allocRate divides allocated by the "
	    "time since the program last restarted, and pauseShare is pause divided by that time "
	    "and itself. settings has the pause mode, what the collection did, and the load of the "
	    "machine's memory in percent. The share of time paused is the union of all suspensions "
	    "for collections, divided by the time from the first to the last event. missing names "
	    "the events of a collection that are not in the trace; such a collection is "
	    "incomplete. A number between others has no collection if its events were lost, or if "
	    "GC.TryStartNoGCRegion() took it.",
	.need = gc_need,
	.fact = gc_facts,
	.column = gc_column,
	.ncolumns = GC_COLUMNS,
	.part = gc_parts,
	.plot = gc_plots,
	.pairs = true,
	.begin = gc_begin,
	.add = gc_add,
	.rows = gc_rows,
	.totals = gc_totals,
	.free = gc_free,
};

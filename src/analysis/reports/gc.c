/*
 * Garbage collections: when, why, how long the program was paused, how large the heap was.
 *
 *	events -> collections.c: collections and suspensions -> rows -> generations, summary
 *
 * Collections that began in one suspension share its time. Suspensions are hidden rows: the summary
 * counts them.
 */
#include "analysis/reports/collections.h"
#include "analysis/reports/columns.h"
#include "analysis/reports/ran.h"

#include <inttypes.h>

#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/sort.h"
#include "tnav/base/text.h"
#include "tnav/base/units.h"
#include "tnav/model/json.h"

#define MISSING_MOST	1000u		/* missing numbers that are listed */
#define COLLECTED	3u		/* gen0, gen1 and gen2 can be collected */
#define GC_LARGE_OBJECTS	3u	/* where sizes by generation have those of large objects */

static const char *const	generation[GC_GENERATIONS] = {
	"gen0", "gen1", "gen2", "loh", "poh",
};

/*
 * Parts of a pause. A collection that shares its suspension has those of its own time.
 *
 *	SuspendBegin    SuspendEnd    GCStart      GCEnd      RestartBegin     RestartEnd
 *	[  SUSPENDING   |  WAITING    | COLLECTING |  ENDING  |   RESTARTING   ]
 */
enum pause_part { SUSPENDING, WAITING, COLLECTING, ENDING, RESTARTING, PAUSE_PARTS };

struct pause_parts {
	bool	known;			/* their sum is the pause */
	int64_t	ns[PAUSE_PARTS];
};

/* Collections as the page has them: those of gen2 apart. */
enum gc_class { OF_GEN0, OF_GEN1, BLOCKING, BACKGROUND, GC_CLASSES };

struct gc {
	struct gc_collections	 in;		/* the first member */
	uint64_t		 growths[GROWTH_STATES];	/* collections by their growth */
	uint32_t		 longest;	/* the chosen collection that stopped the program
						   for longest; 0: no pause is known */
	int64_t			 pause, begin;	/* of it, ns */
	struct pause_parts	 parts;		/* of it */
	struct ran		*ran;		/* what the threads ran in it */
	size_t			 nran;
	uint64_t		 classes[GC_CLASSES];	/* collections, */
	int64_t			 paused[GC_CLASSES];	/* and their pauses, ns */
};

/* ---- suspensions of a collection */

struct pauses {
	struct buf	*json;
	unsigned	 closed;
	int64_t		 total;			/* of the closed ones */
	bool		 any, all_stopped, all_ended;
	int64_t		 suspend, begin, last_end;
	struct pause_parts parts;
};

static void
json_time(struct buf *b, bool known, int64_t ns)
{
	if (known)
		json_i64(b, ns);
	else
		json_str(b, NULL);
}

static void
pause_add(struct pauses *p, bool has_from, int64_t from, bool has_to, int64_t to)
{
	json_open(p->json, '[');
	json_time(p->json, has_from, from);
	json_time(p->json, has_to, to);
	json_close(p->json, ']');
	if (!has_from || !has_to)
		return;
	p->closed++;
	p->total = add_i64(p->total, sub_i64(to, from));
}

/* An interval of a suspension that is the collection's. */
static void
pause_take(struct pauses *p, const struct collection *c, const struct suspension *s,
    bool has_from, int64_t from, bool has_to, int64_t to)
{
	const int64_t	end[PAUSE_PARTS] = { s->stopped, c->p.start, c->p.stop, s->restart,
			    s->p.stop };
	int64_t		at = from, until;

	pause_add(p, has_from, from, has_to, to);
	p->parts.known = p->parts.known && has_from && has_to && s->has_stopped &&
	    s->has_restart && pair_is_paired(&c->p);
	for (unsigned i = 0; i < PAUSE_PARTS && p->parts.known; i++) {
		until = i == RESTARTING || end[i] > to ? to : end[i];
		if ((i == WAITING || i == COLLECTING) && until > s->restart)
			until = s->restart;
		if (until <= at)
			continue;
		p->parts.ns[i] = add_i64(p->parts.ns[i], sub_i64(until, at));
		at = until;
	}
}

/* Its part of the time of its suspension, which other collections may share. */
static void
pause_own(const struct gc *g, const struct collection *c, const struct suspension *s,
    struct pauses *p)
{
	const struct collection	*after = gc_collection(&g->in, c->sibling);
	const struct collection	*last = gc_collection(&g->in, s->last);

	if (s->first == s->last || (c->type == GC_BACKGROUND && after == NULL)) {
		pause_take(p, c, s, true, s->p.start, s->p.has_stop, s->p.stop);
	} else if (c->type != GC_BACKGROUND) {
		pause_take(p, c, s, true, c->p.start, c->p.has_stop, c->p.stop);
	} else {
		pause_take(p, c, s, true, s->p.start, true, after->p.start);
		pause_take(p, c, s, last->p.has_stop, last->p.stop, s->p.has_stop, s->p.stop);
	}
}

static void
suspension_add(struct pauses *p, const struct suspension *s)
{
	if (!p->any)
		p->begin = s->p.start;
	p->any = true;
	p->all_stopped = p->all_stopped && s->has_stopped;
	p->all_ended = p->all_ended && s->p.has_stop;
	p->last_end = s->p.stop;
	if (s->has_stopped)
		p->suspend = add_i64(p->suspend, sub_i64(s->stopped, s->p.start));
}

static void
pauses_make(const struct gc *g, const struct collection *c, struct buf *json, struct pauses *p)
{
	const struct suspension	*s = gc_suspension(&g->in, c->suspension);

	*p = (struct pauses){ .json = json, .all_stopped = true, .all_ended = true,
	    .parts.known = c->suspension != 0 };
	json_open(json, '[');
	if (s != NULL) {
		suspension_add(p, s);
		pause_own(g, c, s, p);
	}
	s = gc_suspension(&g->in, c->more);
	for (; s != NULL; s = gc_suspension(&g->in, s->more)) {
		suspension_add(p, s);
		pause_take(p, c, s, true, s->p.start, s->p.has_stop, s->p.stop);
	}
	json_close(json, ']');
}

/* ---- cells of a collection */

/* List what is missing: as a JSON array of texts, and as words. False: nothing is missing. */
static bool
put_missing(struct rows *r, const struct collection *c, const struct pauses *p)
{
	const struct {
		bool		 is;
		const char	*text;
	} why[] = {
		{ !c->p.has_start, "no GCStart" }, { !c->p.has_stop, "no GCEnd" },
		{ c->p.has_start && !p->any, "no suspension" },
		{ !p->all_ended, "no GCRestartEEEnd" }, { !p->all_stopped, "no GCSuspendEEEnd" },
		{ !c->has_heap, "no GCHeapStats" },
	};
	struct buf	json = { 0 }, words = { 0 };
	bool		any;

	json_open(&json, '[');
	for (size_t i = 0; i < sizeof why / sizeof *why; i++) {
		if (!why[i].is)
			continue;
		json_str(&json, why[i].text);
		buf_printf(&words, "%s%s", words.len > 0 ? ", " : "", why[i].text);
	}
	json_close(&json, ']');
	any = words.len > 0;
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

	json_open(out, '{');
	for (unsigned i = 0; i < b->n; i++)
		json_key_u64(out, generation[i], b->v[i]);
	json_close(out, '}');
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
	row_put(r, GC_ANY_AFTER, cell_bytes(sum_of(&c->size)));
	if (!c->has_heap)
		return;
	put_sizes(r, GC_SIZE_AFTER, &c->size);
	put_sizes(r, GC_PROMOTED, &c->promoted);
	row_put(r, GC_HEAP_AFTER, cell_bytes(sum_of(&c->size)));
	row_put(r, GC_PROMOTED_TOTAL, cell_bytes(sum_of(&c->promoted)));
	for (unsigned i = 0; i < c->size.n; i++)
		row_put(r, GC_GEN0 + i, cell_bytes(c->size.v[i]));
	row_put(r, GC_FINAL_SIZE, cell_bytes(c->final_size));
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

	json_open(b, '{');
	for (unsigned i = 0; i < whole->n; i++) {
		if (whole->v[i] == 0)
			continue;
		json_key(b, generation[i]);
		json_f64(b, rounded((double)part->v[i] / (double)whole->v[i]));
	}
	json_close(b, '}');
}

static void
put_history(struct rows *r, const struct collection *c)
{
	struct by_generation	whole = collected(c), full = objects(whole, &c->loose);

	row_put(r, GC_ANY_BEFORE, cell_bytes(sum_of(&c->before)));
	if (!c->has_history)
		return;
	row_put(r, GC_HEAPS, cell_u64(c->heaps));
	put_sizes(r, GC_SIZE_BEFORE, &c->before);
	put_sizes(r, GC_BUDGET, &c->budget);
	row_put(r, GC_HEAP_BEFORE, cell_bytes(sum_of(&c->before)));
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
put_settings(struct rows *r, const struct collection *c)
{
	struct buf	*b;

	if (!c->has_mode)
		return;
	b = row_json(r, GC_WHOLE);
	json_open(b, '{');
	json_key(b, "pauseMode");
	json_map(b, "GCPauseMode", c->mode);
	json_key(b, "mechanisms");
	json_map(b, "GCGlobalMechanisms", c->mechanisms);
	if (c->has_load)
		json_key_u64(b, "memoryLoad", c->load);
	json_close(b, '}');
}

/* Compared with the collection before. */
static void
put_since(const struct gc *g, struct rows *r, const struct collection *c, const struct pauses *p)
{
	const struct suspension	*s = gc_suspension(&g->in, c->suspension);
	int64_t			 ns = s != NULL ? s->ran : -1;

	if (ns >= 0 && p->closed > 0 && p->total >= 0)
		row_share(r, GC_PAUSE_SHARE, (double)p->total, (double)p->total + (double)ns);
	if (!growth_has_bytes(&c->growth))
		return;
	row_put(r, GC_ALLOCATED, cell_bytes(c->growth.bytes));
	if (ns > 0)
		row_put(r, GC_ALLOC_RATE,
		    cell_bytes(u64_of((double)c->growth.bytes * 1e9 / (double)ns)));
}

/* Where to look for the gap of an incomplete collection: from the end of those before to the next
   start. A complete one has an interval of its own. */
struct neighbours {
	bool		has_before;
	int64_t		before;
	uint32_t	next;		/* the next one that has a start, or beyond the last */
};

static void
put_gap(const struct gc *g, struct rows *r, const struct collection *c, const struct pauses *p,
    const struct neighbours *n, bool missing)
{
	struct loss_query	 a = { .thread = c->p.thread, .has_from = n->has_before,
				    .from = n->before };

	if (n->next <= pairs_n(g->in.collections)) {
		a.has_to = true;
		a.to = gc_collection(&g->in, n->next)->p.start;
	}
	if (!missing) {
		a.has_from = a.has_to = true;
		a.from = p->begin;
		a.to = c->p.stop > p->last_end ? c->p.stop : p->last_end;
	}
	report_gap(g->in.run, r, GC_GAP, &a);
}

static void
put_identity(struct rows *r, const struct collection *c)
{
	row_put(r, GC_NUMBER, cell_u64(c->number));
	row_known(r, GC_GENERATION, c->has_gen, cell_u64(c->gen));
	row_map(r, GC_REASON, c->p.has_start, "GCReason", c->reason);
	row_map(r, GC_TYPE, c->p.has_start, "GCType", c->type);
	row_put(r, GC_IS_INDUCED, cell_bool(c->p.has_start && gc_is_induced(c->reason)));
	row_known(r, GC_START, c->p.has_start, cell_time(c->p.start));
	row_known(r, GC_ROW, c->p.has_start, cell_u64(c->p.row));
}

static void
put_times(struct rows *r, const struct collection *c, const struct pauses *p)
{
	bool	stopped = p->any && p->all_stopped;

	row_known(r, GC_DUR, pair_is_paired(&c->p), cell_dur(pair_dur(&c->p)));
	row_known(r, GC_PAUSE_START, p->any, cell_time(p->begin));
	row_known(r, GC_PAUSE, p->closed > 0, cell_dur(p->total));
	row_known(r, GC_SUSPEND, stopped, cell_dur(p->suspend));
	row_known(r, GC_IN_PAUSE, stopped && p->closed > 0, cell_dur(p->suspend));
}

/* Put the intervals, and for people their parts: "0.015+3.523+3.361+21.286". */
static void
put_pauses(struct rows *r, const struct pauses *p)
{
	const int64_t	*part = p->parts.ns;
	const int64_t	 ns[] = { part[SUSPENDING], part[WAITING], part[COLLECTING],
			    add_i64(part[ENDING], part[RESTARTING]) };
	struct buf	 words = { 0 };

	for (size_t i = 0; i < sizeof ns / sizeof *ns && p->parts.known; i++) {
		int64_t	us = add_i64(ns[i], 500) / 1000;

		buf_puts(&words, i > 0 ? "+" : "");
		buf_printf(&words, "%" PRId64 ".%03" PRId64, us / 1000, us % 1000);
	}
	if (!p->parts.known)
		buf_puts(&words, "-");
	row_json_words(r, GC_PAUSES, span_of_buf(p->json), span_of_buf(&words));
	buf_release(&words);
}

/* {"stop":15108,"wait":3522617,"gc":3361004,"end":5611,"restart":21279579} */
static void
put_parts_json(struct rows *r, const struct pause_parts *p)
{
	static const char *const	name[PAUSE_PARTS] = {
		"stop", "wait", "gc", "end", "restart",
	};
	struct buf			*b;

	if (!p->known)
		return;
	b = row_json(r, GC_PARTS);
	json_open(b, '{');
	for (unsigned i = 0; i < PAUSE_PARTS; i++)
		json_key_i64(b, name[i], p->ns[i]);
	json_close(b, '}');
}

static void
count_class(struct gc *g, const struct collection *c, const struct pauses *p)
{
	enum gc_class	class = c->type == GC_BACKGROUND ? BACKGROUND : BLOCKING;

	if (c->gen < BLOCKING)
		class = (enum gc_class)c->gen;
	g->classes[class]++;
	g->paused[class] = add_i64(g->paused[class], p->total);
}

static void
count_in(struct gc *g, struct rows *r, const struct collection *c, const struct pauses *p)
{
	enum gc_growth_state	state = c->growth.state;

	g->growths[state]++;
	if (state != GROWTH_LATER)
		g->growths[GROWTH_LATER] = 0;
	if (!c->has_gen || c->gen >= COLLECTED)
		return;
	count_class(g, c, p);
	row_put(r, GC_COLLECTED, cell_u64(c->gen));
	row_put(r, GC_COUNT0 + (unsigned)c->gen, cell_bool(true));
	row_known(r, GC_PAUSE0 + (unsigned)c->gen, p->closed > 0, cell_dur(p->total));
}

static void
note_longest(struct gc *g, const struct collection *c, const struct pauses *p)
{
	if (p->closed == 0 || (g->longest != 0 && p->total <= g->pause))
		return;
	g->longest = c->p.number;
	g->pause = p->total;
	g->begin = p->begin;
	g->parts = p->parts;
}

static void
put_collection(struct gc *g, struct rows *r, const struct collection *c,
    const struct neighbours *n)
{
	struct pauses	p;
	struct buf	json = { 0 };

	row_begin(r, "gc");
	put_identity(r, c);
	pauses_make(g, c, &json, &p);
	put_pauses(r, &p);
	put_parts_json(r, &p.parts);
	buf_release(&json);
	if (c->cause.known)
		row_words(r, GC_METHOD, g->in.state->texts, c->cause.method);
	note_longest(g, c, &p);
	put_times(r, c, &p);
	put_heap(r, c);
	put_history(r, c);
	put_settings(r, c);
	put_since(g, r, c, &p);
	row_put(r, GC_TID, report_tid(g->in.run, c->p.thread));
	put_gap(g, r, c, &p, n, put_missing(r, c, &p));
	row_event(r, c->p.ts, c->p.off);
	count_in(g, r, c, &p);
}

/* ---- rows */

/* The number of the first collection from this one on that has a start. */
static uint32_t
next_start(const struct gc *g, uint32_t i)
{
	while (i <= pairs_n(g->in.collections) && !gc_collection(&g->in, i)->p.has_start)
		i++;
	return i;
}

static void
put_collections(struct gc *g, struct rows *r)
{
	struct neighbours	n = { .next = 0 };
	uint32_t		all = pairs_n(g->in.collections);

	for (uint32_t i = 1; i <= all; i++) {
		const struct collection	*c = gc_collection(&g->in, i);
		int64_t			 end = c->p.has_stop ? c->p.stop : c->p.start;

		n.next = next_start(g, n.next > i ? n.next : i + 1);
		if (c->p.chosen)
			put_collection(g, r, c, &n);
		if (!n.has_before || end > n.before)
			n.before = end;
		n.has_before = true;
	}
}

/* What a suspension adds to the time in which the program is stopped: they may overlap. */
static void
put_suspensions(const struct gc *g, struct rows *r)
{
	const struct suspension	*s;
	int64_t			 high = INT64_MIN;

	for (uint32_t i = 0; (s = pairs_next(g->in.suspensions, &i)) != NULL;) {
		int64_t	from = s->p.start > high ? s->p.start : high;

		row_begin(r, "suspension");
		row_hide(r);
		row_put(r, GC_SUSPENSIONS, cell_bool(true));
		row_put(r, GC_WITHOUT, cell_bool(s->first == 0 && s->background == 0));
		row_put(r, GC_UNCLOSED, cell_bool(!s->p.has_stop));
		row_put(r, GC_ANY_BEFORE, cell_bytes(0));
		if (!s->p.has_stop || s->p.stop <= from)
			continue;
		row_put(r, GC_STOPPED, cell_dur(sub_i64(s->p.stop, from)));
		high = s->p.stop;
	}
}

/* What the threads ran in the longest pause. */
static void
put_ran(struct report_state *s, struct rows *r)
{
	struct gc	*g = s->own;

	if (g->longest == 0)
		return;
	g->nran = ran_find(s, g->begin, add_i64(g->begin, g->pause), &g->ran);
	for (size_t i = 0; i < g->nran; i++) {
		const struct ran	*x = &g->ran[i];

		if (!x->managed || x->method.raw == TEXT_NONE)
			continue;
		row_begin(r, "ran");
		row_put(r, GC_TID, report_tid(s->run, x->thread));
		row_words(r, GC_METHOD, s->texts, x->method);
		row_put(r, GC_START, cell_time(trace_ns(s->run->t, x->ts)));
		row_event(r, x->ts, x->off);
	}
}

static void
gc_release(struct report_state *s)
{
	mem_free(((struct gc *)s->own)->ran);
}

static void
put_remarks(const struct gc *g, struct rows *r)
{
	static const struct {
		enum gc_growth_state	 state;
		const char		*words;
	} remark[] = {
		{ GROWTH_UNKNOWN, "# collection{s} {does|do} not say what was allocated before "
		    "{it|them}; allocated is at least the sum of the others" },
		{ GROWTH_BEFORE, "# collection{s} came first in the trace; what was allocated "
		    "before {it|them} is not counted" },
		{ GROWTH_LATER, "# collection{s} at the end {has|have} no sizes; what was "
		    "allocated before {it|them} is not counted" },
		{ GROWTH_AT_LEAST, "# collection{s} came after memory that a background one had "
		    "freed; allocated is at least so much" },
		{ GROWTH_TICKS, "# collection{s} {has|have} sizes that do not tell what was "
		    "allocated before {it|them}; {its|their} allocated is the sum of "
		    "GC/AllocationTick" },
	};

	for (size_t i = 0; i < sizeof remark / sizeof *remark; i++)
		rows_remark(r, g->growths[remark[i].state], remark[i].words);
	pairs_remark(g->in.suspensions, r);
	pairs_remark(g->in.collections, r);
}

static void
gc_rows(struct report_state *s, struct rows *r)
{
	struct gc	*g = s->own;

	gc_collections_end(&g->in);
	gc_growths(&g->in);
	put_collections(g, r);
	put_ran(s, r);
	if (rows_n(r) > 0 && g->in.has_ticks) {
		row_begin(r, "ticks");
		row_hide(r);
		row_put(r, GC_AFTER_LAST, cell_bytes(g->in.handed_out_after));
	}
	put_suspensions(g, r);
	put_remarks(g, r);
}

/* ---- the summary */

/* List the numbers between those of the first and the last chosen collection that no event has,
   and return how many there are. */
static uint64_t
numbers_missing(const struct gc *g, struct buf *out)
{
	size_t		n = pairs_n(g->in.collections);
	uint64_t	*number = mem_zalloc(n + 1, sizeof *number);
	uint64_t	 lo = UINT64_MAX, hi = 0, missing = 0, listed = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct collection	*c = gc_collection(&g->in, i + 1);

		number[i] = c->number;
		if (!c->p.chosen)
			continue;
		lo = min_u64(lo, c->number);
		hi = max_u64(hi, c->number);
	}
	sort_array(number, n, sizeof *number, compare_u64);
	json_open(out, '[');
	for (size_t i = 1; i < n; i++) {
		if (number[i] - number[i - 1] < 2 || number[i - 1] < lo || number[i] > hi)
			continue;
		missing += number[i] - number[i - 1] - 1;
		for (uint64_t k = number[i - 1] + 1; k < number[i] && listed < MISSING_MOST; k++) {
			json_u64(out, k);
			listed++;
		}
	}
	json_close(out, ']');
	mem_free(number);
	return missing;
}

/* An array of the cells from this column on, one for each generation. */
static void
put_generations(struct rows *r, unsigned col, unsigned from)
{
	struct buf	*b = row_json(r, col);

	json_open(b, '[');
	for (unsigned i = 0; i < COLLECTED; i++) {
		struct cell	c = row_get(r, from + i);

		json_next(b);
		cell_json(b, &c);
	}
	json_close(b, ']');
}

static void
put_share_paused(const struct gc *g, struct rows *r)
{
	int64_t		first = 0, last = 0, span;

	span = report_times(g->in.run, &first, &last) ? sub_i64(last, first) : 0;
	row_put(r, GC_SPAN, cell_dur(span));
	if (span > 0)
		row_share(r, GC_SHARE, rounded((double)row_get(r, GC_STOPPED).i /
		    (double)span), 1);
	else
		row_null(r, GC_SHARE);
}

static void
put_summary(struct report_state *s, struct rows *r)
{
	struct gc	*g = s->own;
	uint64_t	 missing, lower = g->growths[GROWTH_UNKNOWN] + g->growths[GROWTH_AT_LEAST] +
			    g->growths[GROWTH_BEFORE];

	put_generations(r, GC_BY_GENERATION, GC_COUNT0);
	put_generations(r, GC_PAUSE_BY_GENERATION, GC_PAUSE0);
	missing = numbers_missing(g, row_json(r, GC_MISSING));
	row_put(r, GC_MISSED, cell_u64(missing));
	row_known(r, GC_LOWER, lower > 0, cell_u64(lower));
	row_put(r, GC_OTHER, cell_u64(g->in.others));
	put_share_paused(g, r);
}

/* ---- totals for people: the longest pause in its parts, and the large objects */

/* "pause time: gen0 30.4 %, gen2 blocking 53.4 %": the whole are those of all collections. */
static void
put_classes(const struct gc *g, struct buf *out)
{
	static const char *const	name[GC_CLASSES] = {
		"gen0", "gen1", "gen2 blocking", "gen2 background",
	};
	const char	*between = "pause time: ";
	int64_t		 all = 0;
	struct cell	 share;

	for (unsigned i = 0; i < GC_CLASSES; i++)
		all = add_i64(all, g->paused[i]);
	for (unsigned i = 0; i < GC_CLASSES; i++) {
		if (g->classes[i] == 0 || all <= 0)
			continue;
		buf_printf(out, "%s%s ", between, name[i]);
		share = cell_share((double)g->paused[i], (double)all);
		cell_text(out, &share, false);
		between = ", ";
	}
	buf_puts(out, all > 0 ? "\n" : "");
}

#define LEAST_PART	100	/* less than this part of a pause is not told */

/* "; 3.361 ms collecting, 21.280 ms restarting" */
static void
put_parts(const struct pause_parts *p, int64_t pause, struct buf *out)
{
	static const char *const	what[PAUSE_PARTS] = {
		"stopping", "before the start", "collecting", "after the end", "restarting",
	};
	const char			*between = "; ";

	for (unsigned i = 0; i < PAUSE_PARTS && p->known; i++) {
		if (p->ns[i] == 0 || p->ns[i] < pause / LEAST_PART)
			continue;
		buf_puts(out, between);
		between = ", ";
		put_dur(out, p->ns[i]);
		buf_printf(out, " %s", what[i]);
	}
}

#define METHOD_CELLS	90u

/* Totals are printed as they are: the name is made harmless. */
static void
put_method(const struct gc *g, struct method_text m, struct buf *out)
{
	enum text_mode	mode = g->in.run->o.ascii ? TEXT_ASCII : TEXT_UTF8;

	(void)text_clean(out, texts_at(g->in.state->texts, m.words != TEXT_NONE ? m.words : m.raw),
	    mode, METHOD_CELLS);
}

static void
put_longest(const struct gc *g, struct buf *out)
{
	const struct collection	*c = gc_collection(&g->in, g->longest);

	if (c == NULL)
		return;
	buf_puts(out, "longest pause: ");
	put_dur(out, g->pause);
	buf_puts(out, " at ");
	units_secs(out, g->begin, 6);
	buf_printf(out, " s, collection %" PRIu64, c->number);
	if (c->has_gen)
		buf_printf(out, " of gen%" PRIu64, c->gen);
	if (c->p.has_start) {
		buf_puts(out, ", ");
		map_word(out, "GCReason", c->reason);
	}
	if (c->cause.known) {
		buf_puts(out, ", caused by ");
		put_method(g, c->cause.method, out);
	}
	put_parts(&g->parts, g->pause, out);
	buf_putc(out, '\n');
}

#define METHODS_SHOWN	3u

/* "running then: Shop.Day.Report(int, Truth); 8 threads waited or ran native code": how often a
   method is told once. */
static void
put_running(const struct gc *g, struct buf *out)
{
	uint64_t	managed = 0, shown = 0;

	for (size_t i = 0; i < g->nran; i++) {
		if (!g->ran[i].managed || g->ran[i].method.raw == TEXT_NONE)
			continue;
		managed++;
		if (shown == METHODS_SHOWN)
			continue;
		buf_puts(out, shown++ > 0 ? ", " : "running then: ");
		put_method(g, g->ran[i].method, out);
	}
	if (managed > shown)
		buf_counts(out, ", +# more", managed - shown);
	if (managed < g->nran)
		buf_counts(out, managed > 0 ? "; # thread{s} waited or ran native code" :
		    "running then: # thread{s}, which waited or ran native code",
		    g->nran - managed);
	buf_puts(out, g->nran > 0 ? "\n" : "");
}

static void
put_large_objects(const struct gc *g, struct buf *out)
{
	const struct collection	*c, *last = NULL;
	uint64_t		 most = 0;

	for (uint32_t i = 0; (c = pairs_next(g->in.collections, &i)) != NULL; ) {
		if (!c->has_heap || c->size.n <= GC_LARGE_OBJECTS)
			continue;
		last = c;
		most = max_u64(most, c->size.v[GC_LARGE_OBJECTS]);
	}
	if (last == NULL)
		return;
	buf_counts(out, "large objects: # bytes at the end",
	    last->size.v[GC_LARGE_OBJECTS]);
	buf_counts(out, ", at most # bytes\n", most);
}

static void
gc_totals(struct report_state *s, struct buf *out)
{
	const struct gc	*g = s->own;

	put_classes(g, out);
	put_longest(g, out);
	put_running(g, out);
	put_large_objects(g, out);
}

static const struct figure_columns	figures = {
	.total = GC_TOTAL, .mean = GC_MEAN, .max = GC_MAX, .nulls = true,
};

const struct report	report_gc = {
	.title = "Garbage collections",
	TABLES_OF(gc, GC), .needs = NEEDS_SYMBOLS, .pairs = true,
	.own = sizeof(struct gc), .begin = gc_begin, .release = gc_release,
	.records = { { sizeof(struct collection), GC_COLLECTION_SPACES, NULL },
	    { sizeof(struct suspension), GC_SUSPENSION_SPACES, NULL } },
	.rows = gc_rows, .figures = &figures, .summed = put_summary,
	.totals = gc_totals,
};

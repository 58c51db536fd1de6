/*
 * The thread pool: how many threads it had, and how long work waited for one.
 *
 *	enqueue 7 ---------- dequeue 7		waits in the queue: first in, first out, by its id
 *	adjustment		the runtime's choice of a number of threads, and why
 *	parts		| 12 in, 9 out | 3 in, 6 out |		the trace in equal parts
 *
 * Work is only shown as sums, and the longest waits: each item is a hidden row.
 */
#include "analysis/reports/columns.h"
#include "analysis/reports/common.h"
#include "analysis/reports/groups.h"
#include "tnav/base/greatest.h"
#include "tnav/base/limits.h"
#include "tnav/model/json.h"

#define PARTS		60u		/* intervals of the trace */
#define LONGEST		1000u		/* longest waits that are listed */
#define REASONS		16u		/* reasons with a count of their own */

/* The pool's own events come first. */
enum { TP_KINDS, FACT_ROWS = FACT_ENQUEUE };

#define EVENT_FIELDS	4u
static const struct {
	const char	*kind;
	unsigned	 column[EVENT_FIELDS + 1];	/* of its fields; 0 ends them */
} of_event[FACT_ROWS] = {
	[FACT_ADJUSTMENT] = { "adjustment", { TP_WORKERS, TP_REASON, TP_THROUGHPUT } },
	[FACT_LIMITS] = { "limits", { TP_MIN_WORKERS, TP_MAX_WORKERS, TP_MIN_IO, TP_MAX_IO } },
	[FACT_SAMPLE] = { "sample", { TP_THROUGHPUT } },
	[FACT_START] = { "workerStart", { TP_ACTIVE, TP_RETIRED } },
	[FACT_STOP] = { "workerStop", { TP_ACTIVE, TP_RETIRED } },
	[FACT_WAIT] = { "workerWait", { TP_ACTIVE, TP_RETIRED } },
};

/* An event of the pool itself. */
struct pool_event {
	struct pair		p;
	unsigned		kind, nfields;
	struct fact_value	v[EVENT_FIELDS];
};

struct work {
	struct pair	p;
	bool		old;			/* from events of the runtime, not of the library */
};

struct longest_wait {
	int64_t		wait;
	uint32_t	number;			/* of the work */
};

struct interval {
	uint64_t	in, out, workers;
};

/* The records of the state are work, in queues by source and id, and events of the pool. Its
   entries are uint64_t by thread: work that it took. */
struct pool {
	struct greatest		 longest;
	struct interval		 part[PARTS];
	int64_t			 first, last;	/* ns, of the intervals */
	uint64_t		 workers;	/* the latest */
};

static bool
is_longer(const void *a, const void *b)
{
	const struct longest_wait	*x = a, *y = b;

	return x->wait != y->wait ? x->wait > y->wait : x->number < y->number;
}

static void
pool_begin(struct report_state *s)
{
	struct pool	*p = s->own;

	greatest_init(&p->longest, sizeof(struct longest_wait), LONGEST, is_longer);
	if (!report_times(s->run, &p->first, &p->last))
		p->first = p->last = 0;
}

static void
pool_release(struct report_state *s)
{
	struct pool	*p = s->own;

	greatest_release(&p->longest);
}

/* The interval in which the time lies. */
static unsigned
part_at(const struct pool *p, int64_t ns)
{
	double	span = (double)p->last - (double)p->first;
	double	at = span > 0 ? ((double)ns - (double)p->first) / span * PARTS : 0;

	if (at < 0)
		at = 0;
	return at < PARTS - 1 ? (unsigned)at : PARTS - 1;
}

/* ---- work */

static bool
is_old(const struct fact *f)
{
	return f->kind == FACT_OLD_ENQUEUE || f->kind == FACT_OLD_DEQUEUE;
}

/* Work without an id has a queue of its own. */
static struct group_key
queue_of(const struct fact *f)
{
	return pair_key((is_old(f) ? 1u : 0u) | (fact_has(f, 0) ? 0u : 2u), fact_bits(f, 0));
}

static void
enqueue(struct report_state *s, const struct fact *f)
{
	struct pool	*p = s->own;
	struct work	*w = pairs_start(s->pairs, f);

	if (f->chosen)
		p->part[part_at(p, f->ns)].in++;
	w->old = is_old(f);
	pairs_append(s->pairs, 0, queue_of(f), w);
}

static void
dequeue(struct report_state *s, const struct fact *f)
{
	struct pool	*p = s->own;
	struct pair	*w = pairs_stop(s->pairs, f, pairs_take_first(s->pairs, 0, queue_of(f)));
	uint64_t	*items;

	if (!w->has_start || !w->chosen)
		return;
	p->part[part_at(p, f->ns)].out++;
	items = groups_get(s->keyed[0], f->ev->thread, 0);
	if (items != NULL)
		++*items;
}

/* ---- the pool's own events */

static void
add_adjustment(struct pool *p, const struct fact *f)
{
	struct interval	*part = &p->part[part_at(p, f->ns)];

	p->workers = fact_u64(f, 0);
	if (p->workers > part->workers)
		part->workers = p->workers;
}

static void
add_event(struct report_state *s, const struct fact *f)
{
	struct pool		*p = s->own;
	struct pool_event	*x = f->chosen ? pairs_start(s->more, f) : NULL;

	if (f->chosen && f->kind == FACT_ADJUSTMENT)
		add_adjustment(p, f);
	if (x == NULL)
		return;
	x->kind = f->kind;
	for (; x->nfields < f->nfields && x->nfields < EVENT_FIELDS; x->nfields++)
		x->v[x->nfields] = f->v[x->nfields];
}

/* ---- rows */

static void
put_event(const struct report_state *s, struct rows *r, const struct pool_event *x)
{
	const struct fact	 f = { .nfields = x->nfields, .v = x->v };
	const unsigned		*column = of_event[x->kind].column;
	uint64_t		 reason = fact_u64(&f, 1);

	row_begin(r, of_event[x->kind].kind);
	row_pair(r, s->run, &threadpool_event, &x->p);
	for (unsigned i = 0; column[i] != 0; i++) {
		if (column[i] == TP_REASON)
			row_map(r, TP_REASON, true, "ThreadAdjustmentReason", reason);
		else
			row_put(r, column[i], fact_cell(&f, i));
	}
	if (x->kind != FACT_ADJUSTMENT)
		return;
	row_put(r, TP_ADJUSTED, cell_u64(fact_u64(&f, 0)));
	row_map_key(r, TP_REASON_KEY, TP_REASON_NAME, "ThreadAdjustmentReason", reason, REASONS);
}

/* The intervals, in which work is grouped. */
static void
put_parts(const struct report_state *s, struct rows *r)
{
	const struct pool	*p = s->own;
	uint64_t		 queued = 0, workers = 0;

	for (unsigned i = 0; i < PARTS; i++) {
		const struct interval	*x = &p->part[i];
		int64_t			 at;

		queued += x->in;
		queued -= x->out < queued ? x->out : queued;
		if (x->workers > 0)
			workers = x->workers;
		at = (int64_t)(p->first + (__int128)(((double)p->last - (double)p->first) /
		    PARTS * i));
		row_begin(r, "part");
		row_hide(r);
		row_put(r, TP_PART, cell_u64(i));
		row_put(r, TP_T, cell_time(at));
		row_event(r, trace_ts(s->run->t, at), 1);
		row_put(r, TP_ENQUEUED, cell_u64(x->in));
		row_put(r, TP_DEQUEUED, cell_u64(x->out));
		row_put(r, TP_QUEUED, cell_u64(queued));
		row_known(r, TP_PART_WORKERS, workers > 0, cell_u64(workers));
	}
}

static void
put_work(struct pool *p, struct rows *r, const struct work *w)
{
	struct longest_wait	l = { .wait = pair_dur(&w->p), .number = w->p.number };

	row_begin(r, pair_is_paired(&w->p) ? "work" : pair_state(&w->p));
	row_hide(r);
	if (!pair_is_paired(&w->p)) {
		row_put(r, w->p.has_start ? TP_NEVER : TP_WITHOUT, cell_u64(1));
		return;
	}
	greatest_keep(&p->longest, &l);
	row_put(r, TP_WAITED, cell_dur(l.wait));
	row_put(r, TP_PART, cell_u64(part_at(p, w->p.stop)));
	row_put(r, TP_THREAD_KEY, cell_u64(w->p.stop_thread));
	row_put(r, TP_OLD, cell_bool(w->old));
}

static void
put_longest(struct report_state *s, struct rows *r)
{
	struct pool	*p = s->own;

	greatest_sort(&p->longest);
	for (size_t i = 0; i < p->longest.n; i++) {
		const struct longest_wait	*l = greatest_at(&p->longest, i);

		row_begin(r, "item");
		row_pair(r, s->run, &threadpool_item, pairs_at(s->pairs, l->number));
	}
}

static void
pool_rows(struct report_state *s, struct rows *r)
{
	struct pool			*p = s->own;
	const struct work		*w;
	const struct pool_event		*x;
	uint32_t			 i = 0;

	if (pairs_next(s->pairs, &i) != NULL)
		put_parts(s, r);
	for (i = 0; (w = pairs_next(s->pairs, &i)) != NULL;)
		put_work(p, r, w);
	put_longest(s, r);
	for (i = 0; (x = pairs_next(s->more, &i)) != NULL;)
		put_event(s, r, x);
	rows_remark(r, pairs_dropped(s->pairs) + pairs_beyond(s->pairs, 0) +
	    pairs_dropped(s->more),
	    "# event{s} {is|are} left out: too many queued items, or no room for a temporary file");
}

static void
put_by_thread(const struct report_state *s, struct rows *r)
{
	const struct groups	*items = s->keyed[0];
	struct buf		*b = row_json(r, TP_BY_THREAD), name = { 0 };

	json_open(b, '{');
	for (size_t i = 0; i < groups_n(items); i++) {
		struct cell	tid = report_tid(s->run, (uint32_t)groups_key(items, i).a);

		buf_clear(&name);
		cell_json(&name, &tid);
		json_key_u64(b, buf_str(&name), *(const uint64_t *)groups_at(items, i));
	}
	json_close(b, '}');
	buf_release(&name);
}

static void
put_thread(struct report_state *s, struct rows *r)
{
	struct cell	thread = row_get(r, TP_THREAD_KEY);

	if (thread.kind == CELL_NONE)
		return;
	row_put(r, TP_TID, report_tid(s->run, (uint32_t)thread.u));
	row_filter_tid(r, s->run, (uint32_t)thread.u, row_get(r, TP_OLD).u != 0 ?
	    "name = ThreadPoolDequeue" : "name = ThreadPoolDequeueWork");
}

static void
put_summary(struct report_state *s, struct rows *r)
{
	const struct pool	*p = s->own;
	uint64_t		 adjusted = s->chosen[FACT_ADJUSTMENT];
	uint32_t		 events = pairs_n(s->more);
	uint64_t		 paired = row_get(r, TP_PAIRED).u;

	row_put(r, TP_ENQUEUED, cell_u64(paired + row_get(r, TP_NEVER).u));
	row_put(r, TP_DEQUEUED, cell_u64(paired + row_get(r, TP_WITHOUT).u));
	row_put(r, TP_ADJUSTMENTS, cell_u64(adjusted));
	row_known(r, TP_LAST_WORKERS, adjusted > 0, cell_u64(p->workers));
	row_put(r, TP_STARTS, cell_u64(s->chosen[FACT_START]));
	row_put(r, TP_STOPS, cell_u64(s->chosen[FACT_STOP]));
	row_put(r, TP_WAITS, cell_u64(s->chosen[FACT_WAIT]));
	put_by_thread(s, r);
	row_known(r, TP_EVENTS, events > 0, cell_u64(events));
}

const struct report	report_threadpool = {
	.title = "Thread pool",
	TABLES_OF(threadpool, TP), .pairs = true,
	.own = sizeof(struct pool), .keyed = { { sizeof(uint64_t), LIMIT_REPORT_GROUPS } },
	.records = { { sizeof(struct work), 1, NULL }, { sizeof(struct pool_event), 0, NULL } },
	.begin = pool_begin, .release = pool_release,
	.rows = pool_rows, .figures = FIGURES(TP), .grouped = put_thread, .summed = put_summary,
};

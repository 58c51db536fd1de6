/*
 * The thread pool: how many threads it had, and how long work waited for one.
 *
 *	enqueue 7 ---------- dequeue 7		waits in the queue: first in, first out, by its id
 *	adjustment		the runtime's choice of a number of threads, and why
 *	parts		| 12 in, 9 out | 3 in, 6 out |		the trace in equal parts
 *
 * Invariant: memory depends on the work that is queued at one time, not on all work.
 */
#include "analysis/reports/common.h"
#include "analysis/reports/groups.h"
#include "tnav/base/greatest.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/io/scratch.h"

#define FRAMEWORK	"System.Diagnostics.Eventing.FrameworkEventSource"
#define PARTS		60u		/* intervals of the trace */
#define LONGEST		1000u		/* longest waits that are listed */
#define REASONS		16u		/* reasons with a count of their own */

enum {
	TP_KIND, TP_T, TP_TID, TP_WORKERS, TP_REASON, TP_THROUGHPUT, TP_MIN_WORKERS,
	TP_MAX_WORKERS, TP_MIN_IO, TP_MAX_IO, TP_ACTIVE, TP_RETIRED, TP_ROW, TP_WAIT, TP_FROM_TID,
	TP_ENQUEUED, TP_DEQUEUED, TP_QUEUED, TP_ITEMS, TP_SHARE, TP_TOTAL, TP_MEAN, TP_P50, TP_P90,
	TP_P99, TP_MAX, TP_ADJUSTMENTS, TP_BY_REASON, TP_LAST_WORKERS, TP_STARTS, TP_STOPS,
	TP_WAITS, TP_PAIRED, TP_NEVER, TP_WITHOUT, TP_BY_THREAD, TP_LOST, TP_GAPS, TP_COLUMNS
};

static const struct table_column	columns[TP_COLUMNS] = {
	[TP_KIND] = { .name = "kind", .kind = CELL_TEXT },
	[TP_T] = { .name = "t", .title = "time", .kind = CELL_TIME, .tone = TONE_TIME,
	    .flags = COLUMN_FIRST_UP },
	[TP_TID] = { .name = "tid", .title = "thread", .kind = CELL_U64, .tone = TONE_THREAD,
	    .flags = COLUMN_FIRST_UP | COLUMN_ID },
	[TP_WORKERS] = { .name = "workers", .kind = CELL_U64 },
	[TP_REASON] = { .name = "reason", .kind = CELL_TEXT, .tone = TONE_KEY },
	[TP_THROUGHPUT] = { .name = "throughput", .unit = "/s", .kind = CELL_F64 },
	[TP_MIN_WORKERS] = { .name = "minWorkers", .title = "min workers", .kind = CELL_U64 },
	[TP_MAX_WORKERS] = { .name = "maxWorkers", .title = "max workers", .kind = CELL_U64 },
	[TP_MIN_IO] = { .name = "minIO", .title = "min I/O", .kind = CELL_U64 },
	[TP_MAX_IO] = { .name = "maxIO", .title = "max I/O", .kind = CELL_U64 },
	[TP_ACTIVE] = { .name = "active", .kind = CELL_U64 },
	[TP_RETIRED] = { .name = "retired", .kind = CELL_U64 },
	[TP_ROW] = { .name = "row", .kind = CELL_U64, .flags = COLUMN_ASKED | COLUMN_FIRST_UP },
	[TP_WAIT] = { .name = "wait", .title = "queued for", .kind = CELL_DUR },
	[TP_FROM_TID] = { .name = "fromTid", .title = "queued by", .kind = CELL_U64,
	    .tone = TONE_THREAD, .flags = COLUMN_FIRST_UP | COLUMN_ID },
	[TP_ENQUEUED] = { .name = "enqueued", .kind = CELL_U64 },
	[TP_DEQUEUED] = { .name = "dequeued", .kind = CELL_U64 },
	[TP_QUEUED] = { .name = "queued", .title = "in queue", .kind = CELL_U64 },
	[TP_ITEMS] = { .name = "items", .kind = CELL_U64 },
	[TP_SHARE] = { .name = "share", .kind = CELL_SHARE, .rank = 3 },
	[TP_TOTAL] = { .name = "total", .kind = CELL_DUR, .rank = 5 },
	[TP_MEAN] = { .name = "mean", .kind = CELL_DUR, .rank = 2 },
	[TP_P50] = { .name = "p50", .kind = CELL_DUR, .rank = 1 },
	[TP_P90] = { .name = "p90", .kind = CELL_DUR, .rank = 4 },
	[TP_P99] = { .name = "p99", .kind = CELL_DUR, .rank = 3 },
	[TP_MAX] = { .name = "max", .title = "longest", .kind = CELL_DUR },
	[TP_ADJUSTMENTS] = { .name = "adjustments", .kind = CELL_U64 },
	[TP_BY_REASON] = { .name = "byReason", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	[TP_LAST_WORKERS] = { .name = "lastWorkers", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[TP_STARTS] = { .name = "workerStarts", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[TP_STOPS] = { .name = "workerStops", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[TP_WAITS] = { .name = "workerWaits", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[TP_PAIRED] = { .name = "paired", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[TP_NEVER] = { .name = "neverDequeued", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[TP_WITHOUT] = { .name = "dequeuedWithoutEnqueue", .kind = CELL_U64,
	    .flags = COLUMN_ASKED },
	[TP_BY_THREAD] = { .name = "itemsByThread", .kind = CELL_RAW, .flags = COLUMN_ASKED },
	REPORT_LOSS_COLUMNS(TP),
};

static const struct figure_columns	figures = {
	.total = TP_TOTAL, .mean = TP_MEAN, .p50 = TP_P50, .p90 = TP_P90, .p99 = TP_P99,
	.max = TP_MAX,
};

static const unsigned	adjustment_columns[] = {
	TP_T, TP_WORKERS, TP_REASON, TP_THROUGHPUT, TP_TID, REPORT_END,
};
static const unsigned	part_columns[] = {
	TP_T, TP_ENQUEUED, TP_DEQUEUED, TP_QUEUED, TP_WORKERS, TP_P50, TP_P99, TP_MAX, REPORT_END,
};
static const unsigned	item_columns[] = {
	TP_T, TP_WAIT, TP_FROM_TID, TP_TID, REPORT_END,
};
static const unsigned	thread_columns[] = {
	TP_TID, TP_ITEMS, TP_SHARE, TP_TOTAL, TP_MEAN, TP_P50, TP_P90, TP_P99, TP_MAX, REPORT_END,
};
static const unsigned	worker_columns[] = { TP_T, TP_TID, TP_ACTIVE, TP_RETIRED, REPORT_END };
static const unsigned	sample_columns[] = { TP_T, TP_THROUGHPUT, REPORT_END };
static const unsigned	limit_columns[] = {
	TP_T, TP_MIN_WORKERS, TP_MAX_WORKERS, TP_MIN_IO, TP_MAX_IO, REPORT_END,
};
static const struct report_part	parts[] = {
	{ "adjustment", "Adjustments", adjustment_columns, TP_T },
	{ "part", "Queue over time", part_columns, TP_T },
	{ "item", "Longest waits of work items", item_columns, TP_WAIT },
	{ "byTid", "Threads", thread_columns, TP_ITEMS },
	{ "workerStart", "Workers that began", worker_columns, TP_T },
	{ "workerStop", "Workers that ended", worker_columns, TP_T },
	{ "workerWait", "Workers that waited", worker_columns, TP_T },
	{ "sample", "Throughput", sample_columns, TP_T },
	{ "limits", "Limits", limit_columns, TP_T },
	{ .kind = NULL },
};

enum pool_fact {
	FACT_ADJUSTMENT, FACT_LIMITS, FACT_SAMPLE, FACT_START, FACT_STOP, FACT_WAIT,
	FACT_ROWS, FACT_ENQUEUE = FACT_ROWS, FACT_DEQUEUE, FACT_OLD_ENQUEUE, FACT_OLD_DEQUEUE
};
static const char *const	row_kind[FACT_ROWS] = {
	"adjustment", "limits", "sample", "workerStart", "workerStop", "workerWait",
};

static const struct fact_def	facts[] = {
	{ FACT_START, RUNTIME, 50, "ThreadPoolWorkerThreadStart", { "ActiveWorkerThreadCount",
	    "RetiredWorkerThreadCount" }, 0 },
	{ FACT_STOP, RUNTIME, 51, "ThreadPoolWorkerThreadStop", { "ActiveWorkerThreadCount",
	    "RetiredWorkerThreadCount" }, 0 },
	{ FACT_SAMPLE, RUNTIME, 54, "ThreadPoolWorkerThreadAdjustmentSample", { "Throughput" },
	    0 },
	{ FACT_ADJUSTMENT, RUNTIME, 55, "ThreadPoolWorkerThreadAdjustmentAdjustment",
	    { "NewWorkerThreadCount", "Reason", "AverageThroughput" }, 0 },
	{ FACT_WAIT, RUNTIME, 57, "ThreadPoolWorkerThreadWait", { "ActiveWorkerThreadCount",
	    "RetiredWorkerThreadCount" }, 0 },
	{ FACT_LIMITS, RUNTIME, 59, "ThreadPoolMinMaxThreads", { "MinWorkerThreads",
	    "MaxWorkerThreads", "MinIOCompletionThreads", "MaxIOCompletionThreads" }, 0 },
	{ FACT_OLD_ENQUEUE, RUNTIME, 61, "ThreadPoolEnqueue", { "WorkID" }, 0 },
	{ FACT_OLD_DEQUEUE, RUNTIME, 62, "ThreadPoolDequeue", { "WorkID" }, 0 },
	{ FACT_ENQUEUE, FRAMEWORK, 30, "ThreadPoolEnqueueWork", { "workID" }, 0 },
	{ FACT_DEQUEUE, FRAMEWORK, 31, "ThreadPoolDequeueWork", { "workID" }, 0 },
	{ .provider = NULL },
};

static const struct report_need	need[] = {
	{ .provider = RUNTIME, .keywords = "0x80010000", .level = 5,
	    .events = "adjustments and workers" },
	{ .provider = FRAMEWORK, .keywords = "0x2", .level = 5,
	    .events = "work that is queued" },
	{ .provider = NULL },
};

/* A row for one event. */
struct pool_row {
	int64_t		ns, ts;
	uint64_t	row, off, n[4];
	double		throughput;
	uint32_t	thread;
	uint8_t		kind, has;		/* has: fields, by bit */
};

/* Queued work. next: the next work with the same id, or the next unused entry; + 1. */
struct queued {
	int64_t		ns, ts;
	uint64_t	row, off;
	uint32_t	thread, next;
	bool		chosen;
};

struct queue {
	uint32_t	head, tail;		/* + 1; 0: empty */
};

struct longest {
	int64_t		wait, ns, ts;
	uint64_t	row, off;
	uint32_t	from, to;
};

struct part {
	uint64_t	in, out, workers;
	struct dist	wait;
};

struct pool_thread {
	uint64_t	items;
	bool		old;			/* from events of the runtime, not of the library */
	struct dist	wait;
};

struct pool {
	const struct report_run	*run;
	struct scratch		*row;
	struct groups		*queue;		/* (source, id): struct queue */
	struct queued		*item;
	size_t			 nitems, items_cap;
	uint32_t		 spare;		/* + 1 */
	struct groups		*thread;	/* threads that took work */
	struct dist		 wait;
	struct greatest		 longest;
	struct part		 part[PARTS];
	int64_t			 first, last;	/* ns, of the intervals */
	uint64_t		 paired, without, dropped, open;
	uint64_t		 count[FACT_ROWS], reason[REASONS + 1];
	uint64_t		 least, most, latest;	/* workers */
};

static bool
is_longer(const void *a, const void *b)
{
	const struct longest	*x = a, *y = b;

	return x->wait != y->wait ? x->wait > y->wait : x->row < y->row;
}

static void *
pool_begin(const struct report_run *run)
{
	struct pool	*p = mem_zalloc(1, sizeof *p);

	p->run = run;
	p->row = scratch_new(sizeof(struct pool_row));
	p->queue = groups_new(sizeof(struct queue), LIMIT_SPANS_OPEN);
	p->thread = groups_new(sizeof(struct pool_thread), LIMIT_REPORT_GROUPS);
	greatest_init(&p->longest, sizeof(struct longest), LONGEST, is_longer);
	if (!report_times(run, &p->first, &p->last))
		p->first = p->last = 0;
	return p;
}

static void
pool_free(void *self)
{
	struct pool	*p = self;

	for (size_t i = 0; i < groups_n(p->thread); i++)
		dist_release(&((struct pool_thread *)groups_at(p->thread, i))->wait);
	for (unsigned i = 0; i < PARTS; i++)
		dist_release(&p->part[i].wait);
	scratch_free(p->row);
	groups_free(p->queue);
	groups_free(p->thread);
	mem_free(p->item);
	dist_release(&p->wait);
	greatest_release(&p->longest);
	mem_free(p);
}

/* The interval in which the time lies. */
static struct part *
part_at(struct pool *p, int64_t ns)
{
	double	span = (double)p->last - (double)p->first;
	double	at = span > 0 ? ((double)ns - (double)p->first) / span * PARTS : 0;

	if (at < 0)
		at = 0;
	return &p->part[at < PARTS - 1 ? (unsigned)at : PARTS - 1];
}

/* ---- work */

static bool
is_waited_for(const void *entry)
{
	return ((const struct queue *)entry)->head != 0;
}

/* The first part of the keys of a source. Work without an id has a queue of its own. */
static uint64_t
queue_of(const struct fact *f, unsigned source)
{
	return source | (fact_has(f, 0) ? 0u : 2u);
}

static uint32_t
item_new(struct pool *p)
{
	uint32_t	i = p->spare;

	if (i != 0) {
		p->spare = p->item[i - 1].next;
		return i;
	}
	if (p->nitems >= LIMIT_REPORT_EVENTS)
		return 0;
	p->item = mem_grow(p->item, &p->items_cap, p->nitems + 1, sizeof *p->item);
	return (uint32_t)++p->nitems;
}

static void
enqueue(struct pool *p, const struct fact *f, unsigned source)
{
	struct queue	*q = groups_get_live(p->queue, queue_of(f, source), fact_bits(f, 0),
			    is_waited_for);
	uint32_t	 i = q != NULL ? item_new(p) : 0;

	if (f->chosen)
		part_at(p, f->ns)->in++;
	if (i == 0) {
		p->dropped++;
		return;
	}
	p->item[i - 1] = (struct queued){ .ns = f->ns, .ts = f->ev->ts, .row = f->row,
	    .off = f->ev->off, .thread = f->ev->thread, .chosen = f->chosen };
	p->open += f->chosen;
	if (q->head == 0)
		q->head = i;
	else
		p->item[q->tail - 1].next = i;
	q->tail = i;
}

static void
add_wait(struct pool *p, const struct fact *f, const struct queued *i)
{
	struct pool_thread	*t = groups_get(p->thread, f->ev->thread, 0);
	struct longest		 l = { .wait = sub_i64(f->ns, i->ns), .ns = i->ns, .ts = i->ts,
				    .row = i->row, .off = i->off, .from = i->thread,
				    .to = f->ev->thread };
	struct part		*part = part_at(p, f->ns);

	p->paired++;
	p->open--;
	dist_add(&p->wait, l.wait);
	greatest_keep(&p->longest, &l);
	part->out++;
	dist_add(&part->wait, l.wait);
	if (t == NULL)
		return;
	t->items++;
	t->old = f->kind == FACT_OLD_DEQUEUE;
	dist_add(&t->wait, l.wait);
}

static void
dequeue(struct pool *p, const struct fact *f, unsigned source)
{
	struct queue	*q = groups_find(p->queue, queue_of(f, source), fact_bits(f, 0));
	struct queued	*i;
	uint32_t	 at;

	if (q == NULL || q->head == 0) {
		p->without += f->chosen;
		return;
	}
	at = q->head;
	i = &p->item[at - 1];
	q->head = i->next;
	if (i->chosen)
		add_wait(p, f, i);
	i->next = p->spare;
	p->spare = at;
}

/* ---- the pool's own events */

static void
add_adjustment(struct pool *p, const struct fact *f)
{
	uint64_t	workers = fact_u64(f, 0), reason = fact_u64(f, 1);
	bool		first = p->count[FACT_ADJUSTMENT] == 0;

	p->reason[reason < REASONS ? reason : REASONS]++;
	if (first || workers < p->least)
		p->least = workers;
	if (first || workers > p->most)
		p->most = workers;
	p->latest = workers;
	if (workers > part_at(p, f->ns)->workers)
		part_at(p, f->ns)->workers = workers;
}

static void
add_row(struct pool *p, const struct fact *f)
{
	struct pool_row	*r = scratch_add(p->row);

	if (f->kind == FACT_ADJUSTMENT)
		add_adjustment(p, f);
	p->count[f->kind]++;
	if (r == NULL) {
		p->dropped++;
		return;
	}
	*r = (struct pool_row){ .kind = (uint8_t)f->kind, .ns = f->ns, .ts = f->ev->ts,
	    .row = f->row, .off = f->ev->off, .thread = f->ev->thread };
	r->throughput = fact_f64(f, f->kind == FACT_ADJUSTMENT ? 2 : 0);
	for (unsigned i = 0; i < 4; i++) {
		r->n[i] = fact_u64(f, i);
		r->has |= (uint8_t)(fact_has(f, i) ? 1u << i : 0u);
	}
}

static void
pool_add(void *self, const struct fact *f)
{
	switch (f->kind) {
	case FACT_ENQUEUE: case FACT_OLD_ENQUEUE:
		enqueue(self, f, f->kind == FACT_OLD_ENQUEUE);
		break;
	case FACT_DEQUEUE: case FACT_OLD_DEQUEUE:
		dequeue(self, f, f->kind == FACT_OLD_DEQUEUE);
		break;
	default:
		if (f->chosen)
			add_row(self, f);
		break;
	}
}

/* ---- rows */

static void
put_throughput(struct rows *r, const struct pool_row *x, unsigned field)
{
	row_put(r, TP_THROUGHPUT, (x->has >> field & 1) != 0 ? cell_f64(x->throughput) :
	    (struct cell){ .kind = CELL_NULL });
}

static void
put_row(struct pool *p, struct rows *r, const struct pool_row *x)
{
	static const unsigned	limits[4] = {
		TP_MIN_WORKERS, TP_MAX_WORKERS, TP_MIN_IO, TP_MAX_IO,
	};
	static const unsigned	counts[2] = { TP_ACTIVE, TP_RETIRED };

	row_begin(r, row_kind[x->kind]);
	row_time(r, TP_T, true, x->ns);
	row_put(r, TP_TID, report_tid(p->run, x->thread));
	row_put(r, TP_ROW, cell_u64(x->row));
	row_event(r, x->ts, x->off);
	switch (x->kind) {
	case FACT_ADJUSTMENT:
		row_number(r, TP_WORKERS, (x->has & 1) != 0, x->n[0]);
		row_map(r, TP_REASON, "ThreadAdjustmentReason", x->n[1]);
		put_throughput(r, x, 2);
		break;
	case FACT_SAMPLE:
		put_throughput(r, x, 0);
		break;
	case FACT_LIMITS:
		for (unsigned i = 0; i < 4; i++)
			row_number(r, limits[i], (x->has >> i & 1) != 0, x->n[i]);
		break;
	default:
		for (unsigned i = 0; i < 2; i++)
			row_number(r, counts[i], (x->has >> i & 1) != 0, x->n[i]);
		break;
	}
}

static void
put_figures(struct rows *r, struct dist *d)
{
	row_dist(r, TP_WAIT, &figures, d);
}

static void
put_parts(struct pool *p, struct rows *r)
{
	uint64_t	queued = 0, workers = 0;

	for (unsigned i = 0; i < PARTS; i++) {
		struct part	*x = &p->part[i];
		int64_t		 at;

		queued += x->in;
		queued -= x->out < queued ? x->out : queued;
		if (x->workers > 0)
			workers = x->workers;
		at = (int64_t)(p->first + (__int128)(((double)p->last - (double)p->first) /
		    PARTS * i));
		row_begin(r, "part");
		row_time(r, TP_T, true, at);
		row_event(r, trace_ts(p->run->t, at), 1);
		row_put(r, TP_ENQUEUED, cell_u64(x->in));
		row_put(r, TP_DEQUEUED, cell_u64(x->out));
		row_put(r, TP_QUEUED, cell_u64(queued));
		row_number(r, TP_WORKERS, workers > 0, workers);
		put_figures(r, &x->wait);
	}
}

static int
by_items(const void *a, const void *b)
{
	const struct pool_thread	*x = a, *y = b;

	return x->items > y->items ? -1 : x->items < y->items;
}

static void
put_threads(struct pool *p, struct rows *r)
{
	uint32_t	*order = groups_order(p->thread, by_items);

	for (size_t i = 0; i < groups_n(p->thread); i++) {
		struct pool_thread	*t = groups_at(p->thread, order[i]);
		uint32_t		 thread = (uint32_t)groups_key(p->thread, order[i]).a;

		row_begin(r, "byTid");
		row_put(r, TP_TID, report_tid(p->run, thread));
		row_filter_tid(r, p->run, thread, t->old ? "name = ThreadPoolDequeue" :
		    "name = ThreadPoolDequeueWork");
		row_put(r, TP_ITEMS, cell_u64(t->items));
		row_share(r, TP_SHARE, (double)t->items, (double)p->paired);
		put_figures(r, &t->wait);
	}
	mem_free(order);
}

static void
put_longest(struct pool *p, struct rows *r)
{
	for (size_t i = 0; i < p->longest.n; i++) {
		const struct longest	*l = greatest_at(&p->longest, i);

		row_begin(r, "item");
		row_time(r, TP_T, true, l->ns);
		row_dur(r, TP_WAIT, true, l->wait);
		row_put(r, TP_FROM_TID, report_tid(p->run, l->from));
		row_put(r, TP_TID, report_tid(p->run, l->to));
		row_put(r, TP_ROW, cell_u64(l->row));
		row_event(r, l->ts, l->off);
	}
}

static void
put_by_reason(const struct pool *p, struct rows *r)
{
	struct buf	*b = row_json(r, TP_BY_REASON);

	buf_putc(b, '{');
	for (unsigned i = 0; i <= REASONS; i++) {
		if (p->reason[i] == 0)
			continue;
		buf_puts(b, b->len > 1 ? ",\"" : "\"");
		if (i < REASONS)
			map_word(b, "ThreadAdjustmentReason", i);
		else
			buf_puts(b, "(others)");
		buf_puts(b, "\":");
		buf_u64(b, p->reason[i]);
	}
	buf_putc(b, '}');
}

static void
put_by_thread(const struct pool *p, struct rows *r)
{
	struct buf	*b = row_json(r, TP_BY_THREAD);

	buf_putc(b, '{');
	for (size_t i = 0; i < groups_n(p->thread); i++) {
		const struct pool_thread	*t = groups_at(p->thread, i);
		struct cell			 tid = report_tid(p->run,
						    (uint32_t)groups_key(p->thread, i).a);

		buf_puts(b, b->len > 1 ? ",\"" : "\"");
		cell_json(b, &tid);
		buf_puts(b, "\":");
		buf_u64(b, t->items);
	}
	buf_putc(b, '}');
}

static void
put_summary(struct pool *p, struct rows *r)
{
	bool		adjusted = p->count[FACT_ADJUSTMENT] > 0;
	uint64_t	waiting = p->open;

	row_begin(r, "summary");
	row_put(r, TP_ADJUSTMENTS, cell_u64(p->count[FACT_ADJUSTMENT]));
	put_by_reason(p, r);
	row_number(r, TP_MIN_WORKERS, adjusted, p->least);
	row_number(r, TP_MAX_WORKERS, adjusted, p->most);
	row_number(r, TP_LAST_WORKERS, adjusted, p->latest);
	row_put(r, TP_STARTS, cell_u64(p->count[FACT_START]));
	row_put(r, TP_STOPS, cell_u64(p->count[FACT_STOP]));
	row_put(r, TP_WAITS, cell_u64(p->count[FACT_WAIT]));
	row_put(r, TP_ENQUEUED, cell_u64(p->paired + waiting));
	row_put(r, TP_DEQUEUED, cell_u64(p->paired + p->without));
	row_put(r, TP_PAIRED, cell_u64(p->paired));
	row_put(r, TP_NEVER, cell_u64(waiting));
	row_put(r, TP_WITHOUT, cell_u64(p->without));
	put_figures(r, &p->wait);
	put_by_thread(p, r);
}

static bool
has_work(const struct pool *p)
{
	return p->paired + p->open + p->without > 0;
}

static void
pool_rows(void *self, struct rows *r)
{
	struct pool	*p = self;

	if (has_work(p))
		put_parts(p, r);
	put_threads(p, r);
	greatest_sort(&p->longest);
	put_longest(p, r);
	for (uint64_t i = 0; i < scratch_n(p->row); i++)
		put_row(p, r, scratch_at(p->row, i));
	if (rows_n(r) > 0)
		put_summary(p, r);
	rows_remark(r, p->dropped, "events are left out: too many queued items, or no room for a "
	    "temporary file");
}

/* "5,784 work items waited 560 ms (p50), at most 2.2 s; 2 to 5 workers, 5 at the end" */
static void
pool_totals(void *self, struct buf *out)
{
	struct pool		*p = self;
	struct dist_figures	 f;

	dist_figures(&p->wait, &f);
	if (f.n > 0) {
		put_count(out, f.n, "work item waited ", "work items waited ");
		put_dur(out, f.p50);
		buf_puts(out, " in the queue (p50), at most ");
		put_dur(out, f.max);
		buf_putc(out, '\n');
	}
	if (p->open > 0) {
		put_count(out, p->open, "work item was", "work items were");
		buf_puts(out, " not dequeued: still queued at the end, run by a thread that "
		    "waited for the task, or the event was lost\n");
	}
	if (p->count[FACT_ADJUSTMENT] > 0) {
		buf_grouped(out, p->least);
		buf_puts(out, " to ");
		put_count(out, p->most, "worker thread, ", "worker threads, ");
		buf_grouped(out, p->latest);
		buf_puts(out, " at the last adjustment\n");
	} else if (scratch_n(p->row) > 0) {
		put_count(out, p->count[FACT_START], "worker thread", "worker threads");
		buf_puts(out, " started; their number was not adjusted\n");
	}
}

static const struct report_plot_def	plots[] = {
	{ "worker threads, as adjusted", "adjustment", TP_T, PLOT_HOLD,
	    { TP_WORKERS, REPORT_END } },
	{ .title = NULL },
};

const struct report	report_threadpool = {
	.name = "threadpool",
	.title = "Thread pool",
	.text = "In an adjustment the runtime chooses the number of worker threads. Starvation "
	    "means that no work was taken from the queue for a while: look for blocked workers. "
	    "ClimbingMove means that the runtime tries for the best number. throughput is the "
	    "number of work items per second that the runtime measured. A work item waits from "
	    "ThreadPoolEnqueueWork to the ThreadPoolDequeueWork of the same id, first in, first "
	    "out (wait; before .NET 5 ThreadPoolEnqueue and ThreadPoolDequeue). An id is an "
	    "address, which may be reused. neverDequeued counts items that were still queued at "
	    "the end, and tasks that a thread ran while it waited for them, which has no event; "
	    "dequeuedWithoutEnqueue counts those that were queued before the beginning; lost "
	    "events cause both. queued is the number of items that wait at the end of an interval, "
	    "of those whose enqueue event is in the trace. item rows are the 1,000 longest waits.",
	.need = need, .fact = facts, .column = columns, .ncolumns = TP_COLUMNS, .part = parts,
	.plot = plots,
	.pairs = true,
	.begin = pool_begin, .add = pool_add, .rows = pool_rows, .totals = pool_totals,
	.free = pool_free,
};

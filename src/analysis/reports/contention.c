/*
 * Waits for locks.
 *
 *	thread 26	ContentionStart -------- ContentionStop		a wait
 *	thread 27	ContentionStart ---				open: nothing ended it
 *	thread 28	                 --- ContentionStop		orphan: its start is missing
 *
 * A thread waits for one lock at a time: its next start leaves the previous one open. The method
 * that waits is the innermost one of the stack that does not belong to the locking code. The owner
 * of the lock is a thread; no event says where it took the lock.
 */
#include "analysis/reports/common.h"
#include "analysis/reports/groups.h"
#include "analysis/reports/texts.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/engine/naming.h"
#include "tnav/io/scratch.h"

enum {
	CO_KIND, CO_START, CO_DUR, CO_DURATION, CO_TID, CO_LOCK, CO_OBJECT, CO_OWNER, CO_FLAGS,
	CO_ROW, CO_STATE, CO_GAP, CO_COUNT, CO_DURATION_TOTAL, CO_PAIRED, CO_OPEN, CO_ORPHANS,
	CO_THREADS, CO_LOCKS, CO_CREATED, CO_SHARE, CO_TOTAL, CO_MEAN, CO_P50, CO_P90, CO_P99,
	CO_MAX, CO_SITE, CO_SITES, CO_LOST, CO_GAPS, CO_COLUMNS
};

static const struct table_column	columns[CO_COLUMNS] = {
	[CO_KIND] = { .name = "kind", .kind = CELL_TEXT },
	[CO_START] = { .name = "start", .kind = CELL_TIME, .tone = TONE_TIME,
	    .flags = COLUMN_FIRST_UP },
	[CO_DUR] = { .name = "dur", .title = "waited", .kind = CELL_DUR },
	[CO_DURATION] = { .name = "durationNs", .title = "measured", .printed = "measured",
	    .kind = CELL_DUR, .rank = 3 },
	[CO_TID] = { .name = "tid", .title = "thread", .kind = CELL_U64, .tone = TONE_THREAD,
	    .flags = COLUMN_FIRST_UP | COLUMN_ID },
	[CO_LOCK] = { .name = "lock", .kind = CELL_U64, .tone = TONE_KEY, .flags = COLUMN_ID },
	[CO_OBJECT] = { .name = "object", .kind = CELL_U64, .rank = 5, .flags = COLUMN_ID },
	[CO_OWNER] = { .name = "owner", .title = "held by", .kind = CELL_U64,
	    .tone = TONE_THREAD, .flags = COLUMN_FIRST_UP | COLUMN_ID },
	[CO_FLAGS] = { .name = "flags", .title = "lock kind", .kind = CELL_TEXT, .rank = 4 },
	[CO_ROW] = { .name = "row", .kind = CELL_U64, .flags = COLUMN_ASKED | COLUMN_FIRST_UP },
	[CO_STATE] = { .name = "state", .kind = CELL_TEXT },
	[CO_GAP] = { .name = "gap", .kind = CELL_RAW, .tone = TONE_LOSS,
	    .flags = COLUMN_ASKED | COLUMN_NO_SORT },
	[CO_COUNT] = { .name = "count", .title = "waits", .kind = CELL_U64 },
	[CO_DURATION_TOTAL] = { .name = "durationNsTotal", .kind = CELL_DUR,
	    .flags = COLUMN_ASKED },
	[CO_PAIRED] = { .name = "paired", .kind = CELL_U64, .flags = COLUMN_ASKED },
	[CO_OPEN] = { .name = "open", .kind = CELL_U64 },
	[CO_ORPHANS] = { .name = "orphans", .kind = CELL_U64 },
	[CO_THREADS] = { .name = "threads", .kind = CELL_U64 },
	[CO_LOCKS] = { .name = "locks", .kind = CELL_U64 },
	[CO_CREATED] = { .name = "locksCreated", .kind = CELL_U64 },
	[CO_SHARE] = { .name = "share", .kind = CELL_SHARE, .rank = 2 },
	[CO_TOTAL] = { .name = "total", .kind = CELL_DUR },
	[CO_MEAN] = { .name = "mean", .kind = CELL_DUR, .rank = 1 },
	[CO_P50] = { .name = "p50", .kind = CELL_DUR, .rank = 3 },
	[CO_P90] = { .name = "p90", .kind = CELL_DUR, .rank = 4 },
	[CO_P99] = { .name = "p99", .kind = CELL_DUR, .rank = 2 },
	[CO_MAX] = { .name = "max", .kind = CELL_DUR },
	[CO_SITE] = { .name = "site", .title = "method", .kind = CELL_TEXT, .tone = TONE_EVENT,
	    .width = 16, .most = -1 },
	[CO_SITES] = { .name = "sites", .kind = CELL_U64, .flags = COLUMN_ASKED },
	REPORT_LOSS_COLUMNS(CO),
};

static const struct figure_columns	figures = {
	.total = CO_TOTAL, .mean = CO_MEAN, .p50 = CO_P50, .p90 = CO_P90, .p99 = CO_P99,
	.max = CO_MAX,
};

static const unsigned	lock_columns[] = {
	CO_LOCK, CO_OBJECT, CO_COUNT, CO_TOTAL, CO_SHARE, CO_MEAN, CO_P50, CO_P90, CO_P99, CO_MAX,
	CO_THREADS, REPORT_END,
};
static const unsigned	thread_columns[] = {
	CO_TID, CO_COUNT, CO_TOTAL, CO_SHARE, CO_MEAN, CO_P50, CO_P90, CO_P99, CO_MAX, REPORT_END,
};
static const unsigned	owner_columns[] = {
	CO_OWNER, CO_COUNT, CO_TOTAL, CO_SHARE, CO_MEAN, CO_P50, CO_P90, CO_P99, CO_MAX,
	REPORT_END,
};
static const unsigned	wait_columns[] = {
	CO_START, CO_DUR, CO_DURATION, CO_TID, CO_OWNER, CO_LOCK, CO_OBJECT, CO_FLAGS, CO_STATE,
	CO_SITE, REPORT_END,
};
static const unsigned	site_columns[] = {
	CO_SITE, CO_COUNT, CO_TOTAL, CO_SHARE, CO_MEAN, CO_P50, CO_P90, CO_P99, CO_MAX,
	CO_THREADS, REPORT_END,
};
static const struct report_part	parts[] = {
	{ "contention", "Waits", wait_columns, CO_DUR },
	{ "bySite", "Methods that waited", site_columns, CO_TOTAL },
	{ "byLock", "Locks", lock_columns, CO_TOTAL },
	{ "byTid", "Threads that waited", thread_columns, CO_TOTAL },
	{ "byOwner", "Threads that held", owner_columns, CO_TOTAL },
	{ .kind = NULL },
};

enum { FACT_START, FACT_STOP, FACT_CREATED };
enum { START_FLAGS, START_LOCK, START_OBJECT, START_OWNER };
enum { STOP_FLAGS, STOP_DURATION };

static const struct fact_def	facts[] = {
	{ FACT_START, RUNTIME, 81, "ContentionStart",
	    { "ContentionFlags", "LockID", "AssociatedObjectID", "LockOwnerThreadID" },
	    FACT_STACK },
	{ FACT_STOP, RUNTIME, 91, "ContentionStop", { "ContentionFlags", "DurationNs" }, 0 },
	{ FACT_CREATED, RUNTIME, 90, "ContentionLockCreated", { NULL }, 0 },
	{ .provider = NULL },
};

static const struct report_need	need[] = {
	{ .provider = RUNTIME, .keywords = "0x4000", .level = 4,
	    .events = "ContentionStart, ContentionStop" },
	{ .provider = NULL },
};

/* Code that takes locks, as opposed to code that uses them. */
static const char *const	machinery[] = {
	"System.Threading.Monitor.", "System.Threading.Lock.", "System.Threading.Lock+",
	"System.Threading.SyncTable.", "System.Threading.ObjectHeader.",
	"System.Diagnostics.Tracing.NativeRuntimeEventSource.", NULL,
};

#define HAS_START	0x01u
#define HAS_STOP	0x02u
#define HAS_LOCK	0x04u
#define HAS_OWNER	0x08u
#define HAS_FLAGS	0x10u
#define HAS_DURATION	0x20u
#define HAS_OBJECT	0x40u
#define IS_CHOSEN	0x80u

struct wait {
	int64_t		start, stop, duration;	/* ns */
	uint64_t	lock, object, owner, row, off;
	int64_t		ts;
	uint32_t	thread;
	uint32_t	site, words;	/* raw and clean name of the method, or TEXT_NONE */
	uint8_t		lock_is, has;
};

struct contention {
	const struct report_run	*run;
	struct texts		*texts;
	struct scratch		*wait;
	struct groups		*open;		/* by thread: number of the open wait, + 1 */
	uint64_t		 created, dropped;
};

static void *
contention_begin(const struct report_run *run)
{
	struct contention	*c = mem_zalloc(1, sizeof *c);

	c->run = run;
	c->texts = texts_new();
	c->wait = scratch_new(sizeof(struct wait));
	c->open = groups_new(sizeof(uint64_t), LIMIT_THREADS);
	return c;
}

static void
contention_free(void *self)
{
	struct contention	*c = self;

	texts_free(c->texts);
	scratch_free(c->wait);
	groups_free(c->open);
	mem_free(c);
}

static struct wait *
wait_new(struct contention *c, const struct fact *f)
{
	struct wait	*w = scratch_add(c->wait);

	if (w == NULL) {
		c->dropped++;
		return NULL;
	}
	*w = (struct wait){ .thread = f->ev->thread, .row = f->row, .ts = f->ev->ts,
	    .off = f->ev->off, .site = TEXT_NONE, .words = TEXT_NONE,
	    .has = f->chosen ? IS_CHOSEN : 0 };
	return w;
}

static void
wait_site(struct contention *c, const struct fact *f, struct wait *w)
{
	struct frame_name	name;

	for (size_t i = 0; i < f->nips; i++) {
		if (!fact_frame(c->run, f, i, &name) || begins_with_any(name.raw, machinery))
			continue;
		w->site = texts_add(c->texts, name.raw);
		w->words = texts_add(c->texts, name.clean);
		return;
	}
}

static void
wait_start(struct contention *c, const struct fact *f)
{
	struct wait	*w = wait_new(c, f);
	uint64_t	*open;

	if (w == NULL)
		return;
	w->start = f->ns;
	wait_site(c, f, w);
	w->lock = fact_u64(f, START_LOCK);
	w->object = fact_u64(f, START_OBJECT);
	w->owner = fact_u64(f, START_OWNER);
	w->lock_is = (uint8_t)fact_u64(f, START_FLAGS);
	w->has |= (uint8_t)(HAS_START | (fact_has(f, START_LOCK) ? HAS_LOCK : 0u) |
	    (fact_has(f, START_OBJECT) ? HAS_OBJECT : 0u) |
	    (fact_has(f, START_OWNER) ? HAS_OWNER : 0u) |
	    (fact_has(f, START_FLAGS) ? HAS_FLAGS : 0u));
	open = groups_get(c->open, f->ev->thread, 0);
	if (open != NULL)
		*open = scratch_n(c->wait);
}

static void
wait_stop(struct contention *c, const struct fact *f)
{
	uint64_t	*open = groups_find(c->open, f->ev->thread, 0);
	bool		 paired = open != NULL && *open > 0;
	struct wait	*w = paired ? scratch_at(c->wait, *open - 1) : wait_new(c, f);

	if (w == NULL)
		return;
	if (paired)
		*open = 0;
	w->stop = f->ns;
	w->has |= HAS_STOP;
	if (!paired && fact_has(f, STOP_FLAGS)) {
		w->lock_is = (uint8_t)fact_u64(f, STOP_FLAGS);
		w->has |= HAS_FLAGS;
	}
	if (fact_has(f, STOP_DURATION)) {
		w->duration = fact_ns(f, STOP_DURATION);
		w->has |= HAS_DURATION;
	}
}

static void
contention_add(void *self, const struct fact *f)
{
	struct contention	*c = self;

	switch (f->kind) {
	case FACT_START:
		wait_start(c, f);
		break;
	case FACT_STOP:
		wait_stop(c, f);
		break;
	default:
		c->created += f->chosen;
		break;
	}
}

/* ---- rows */

static bool
is_paired(const struct wait *w)
{
	return (w->has & (HAS_START | HAS_STOP)) == (HAS_START | HAS_STOP);
}

static const char *
state_of(const struct wait *w)
{
	if (is_paired(w))
		return "paired";
	return (w->has & HAS_START) != 0 ? "open" : "orphan";
}

static void
put_wait(struct contention *c, struct rows *r, const struct wait *w)
{
	bool			started = (w->has & HAS_START) != 0;
	struct loss_asked	a = { .thread = w->thread, .has_from = started, .from = w->start,
				    .has_to = !started, .to = w->stop, .last = !started };

	row_begin(r, "contention");
	row_time(r, CO_START, started, w->start);
	row_dur(r, CO_DUR, is_paired(w), sub_i64(w->stop, w->start));
	row_dur(r, CO_DURATION, (w->has & HAS_DURATION) != 0, w->duration);
	row_put(r, CO_TID, report_tid(c->run, w->thread));
	row_address(r, CO_LOCK, (w->has & HAS_LOCK) != 0, w->lock);
	row_address(r, CO_OBJECT, (w->has & HAS_OBJECT) != 0, w->object);
	row_number(r, CO_OWNER, (w->has & HAS_OWNER) != 0, w->owner);
	if ((w->has & HAS_FLAGS) != 0)
		row_map(r, CO_FLAGS, "ContentionFlags", w->lock_is);
	else
		row_null(r, CO_FLAGS);
	row_put(r, CO_ROW, cell_u64(w->row));
	row_str(r, CO_STATE, state_of(w));
	row_words(r, CO_SITE, c->texts, w->site, w->words);
	if (!is_paired(w))
		(void)report_gap(c->run, r, CO_GAP, &a);
	row_event(r, w->ts, w->off);
}

/* Sums by thread, by lock, by owner, or by method. */
struct waits {
	uint64_t	count, object, threads;
	uint32_t	words;		/* clean name of the method */
	int64_t		duration;
	bool		has_object;
	struct dist	dur;
	int64_t		total;		/* of dur */
};

static struct waits *
waits_add(struct groups *g, uint64_t key, const struct wait *w)
{
	struct waits	*x = groups_get(g, key, 0);

	if (x == NULL)
		return NULL;
	x->count++;
	if ((w->has & HAS_DURATION) != 0)
		x->duration = add_i64(x->duration, w->duration);
	if ((w->has & HAS_OBJECT) != 0) {
		x->object = w->object;
		x->has_object = true;
	}
	if (is_paired(w)) {
		dist_add(&x->dur, sub_i64(w->stop, w->start));
		x->total = add_i64(x->total, sub_i64(w->stop, w->start));
	}
	return x;
}

static int
by_total(const void *a, const void *b)
{
	const struct waits	*x = a, *y = b;

	return x->total > y->total ? -1 : x->total < y->total;
}

enum by { BY_TID, BY_LOCK, BY_OWNER, BY_SITE, BYS };

/* Do these sums count the different threads? */
static bool
counts_threads(enum by by)
{
	return by == BY_LOCK || by == BY_SITE;
}

struct contention_sums {
	struct groups	*by[BYS];
	struct groups	*pairs[BYS];	/* (key, thread), if threads are counted; or NULL */
	struct dist	 dur, duration;
	uint64_t	 count, paired, open, orphans;
	int64_t		 total;
};

static void
sums_add_to(struct contention_sums *s, enum by by, uint64_t key, const struct wait *w)
{
	struct waits	*x = waits_add(s->by[by], key, w);
	bool		*seen;

	if (!counts_threads(by))
		return;
	seen = groups_get(s->pairs[by], key, w->thread);
	if (x == NULL || seen == NULL || *seen)
		return;
	x->threads++;
	x->words = w->words;
	*seen = true;
}

static void
sums_add(struct contention_sums *s, const struct wait *w)
{
	s->count++;
	s->paired += is_paired(w);
	s->open += (w->has & HAS_STOP) == 0;
	s->orphans += (w->has & HAS_START) == 0;
	if (is_paired(w)) {
		dist_add(&s->dur, sub_i64(w->stop, w->start));
		s->total = add_i64(s->total, sub_i64(w->stop, w->start));
	}
	if ((w->has & HAS_DURATION) != 0)
		dist_add(&s->duration, w->duration);
	sums_add_to(s, BY_TID, w->thread, w);
	if ((w->has & HAS_LOCK) != 0)
		sums_add_to(s, BY_LOCK, w->lock, w);
	if (w->site != TEXT_NONE)
		sums_add_to(s, BY_SITE, w->site, w);
	if ((w->has & HAS_OWNER) != 0)
		sums_add_to(s, BY_OWNER, w->owner, w);
}

static void
put_site_filter(struct contention *c, struct rows *r, uint32_t site)
{
	struct span	name = texts_at(c->texts, site);
	struct buf	filter;

	buf_init(&filter);
	buf_puts(&filter, "name = ContentionStart and stack.method = ");
	if (filter_quote(&filter, (const char *)name.p, name.len))
		row_filter(r, buf_str(&filter));
	buf_release(&filter);
}

static void
put_key(struct contention *c, struct rows *r, enum by by, uint64_t key, const struct waits *x)
{
	struct buf	filter;

	if (by == BY_TID) {
		row_put(r, CO_TID, report_tid(c->run, (uint32_t)key));
		row_filter_tid(r, c->run, (uint32_t)key, "name = ContentionStart");
		return;
	}
	if (by == BY_SITE) {
		row_words(r, CO_SITE, c->texts, (uint32_t)key, x->words);
		put_site_filter(c, r, (uint32_t)key);
		return;
	}
	if (by == BY_LOCK)
		row_address(r, CO_LOCK, true, key);
	else
		row_put(r, CO_OWNER, cell_u64(key));
	if (by == BY_LOCK && x->has_object)
		row_address(r, CO_OBJECT, true, x->object);
	buf_init(&filter);
	buf_printf(&filter, "name = ContentionStart and %s = ",
	    by == BY_LOCK ? "LockID" : "LockOwnerThreadID");
	buf_u64(&filter, key);
	row_filter(r, buf_str(&filter));
	buf_release(&filter);
}

static void
put_groups(struct contention *c, struct rows *r, struct contention_sums *s, enum by by)
{
	static const char *const	kind[BYS] = { "byTid", "byLock", "byOwner", "bySite" };
	struct groups			*g = s->by[by];
	uint32_t			*order = groups_order(g, by_total);

	for (size_t i = 0; i < groups_n(g); i++) {
		struct waits	*x = groups_at(g, order[i]);

		row_begin(r, kind[by]);
		put_key(c, r, by, groups_key(g, order[i]).a, x);
		row_put(r, CO_COUNT, cell_u64(x->count));
		row_dist(r, CO_DUR, &figures, &x->dur);
		row_put(r, CO_DURATION_TOTAL, cell_dur(x->duration));
		row_share(r, CO_SHARE, (double)x->total, (double)s->total);
		if (counts_threads(by))
			row_put(r, CO_THREADS, cell_u64(x->threads));
	}
	mem_free(order);
}

static void
put_summary(struct contention *c, struct rows *r, struct contention_sums *s)
{
	row_begin(r, "summary");
	row_put(r, CO_COUNT, cell_u64(s->count));
	row_put(r, CO_PAIRED, cell_u64(s->paired));
	row_put(r, CO_OPEN, cell_u64(s->open));
	row_put(r, CO_ORPHANS, cell_u64(s->orphans));
	row_dist(r, CO_DUR, &figures, &s->dur);
	dist_json(&s->duration, row_json(r, CO_DURATION));
	row_put(r, CO_THREADS, cell_u64(groups_n(s->by[BY_TID])));
	row_put(r, CO_LOCKS, cell_u64(groups_n(s->by[BY_LOCK])));
	row_put(r, CO_CREATED, cell_u64(c->created));
	row_put(r, CO_SITES, cell_u64(groups_n(s->by[BY_SITE])));
}

static void
sums_begin(struct contention_sums *s, const struct contention *c)
{
	uint64_t	n = scratch_n(c->wait);

	*s = (struct contention_sums){ .count = 0 };
	for (unsigned by = 0; by < BYS; by++) {
		s->by[by] = groups_new(sizeof(struct waits), LIMIT_REPORT_GROUPS);
		if (counts_threads(by))
			s->pairs[by] = groups_new(sizeof(bool), LIMIT_REPORT_GROUPS);
	}
	for (uint64_t i = 0; i < n; i++) {
		const struct wait	*w = scratch_at(c->wait, i);

		if ((w->has & IS_CHOSEN) != 0)
			sums_add(s, w);
	}
}

static void
sums_release(struct contention_sums *s)
{
	for (unsigned by = 0; by < BYS; by++) {
		for (size_t i = 0; i < groups_n(s->by[by]); i++)
			dist_release(&((struct waits *)groups_at(s->by[by], i))->dur);
		groups_free(s->by[by]);
		groups_free(s->pairs[by]);
	}
	dist_release(&s->dur);
	dist_release(&s->duration);
}

/* Sums come first, so that they fit even if the single waits do not. */
static void
contention_rows(void *self, struct rows *r)
{
	struct contention	*c = self;
	struct contention_sums	 s;
	uint64_t		 n = scratch_n(c->wait);

	sums_begin(&s, c);
	for (unsigned by = 0; by < BYS; by++)
		put_groups(c, r, &s, by);
	for (uint64_t i = 0; i < n; i++) {
		const struct wait	*w = scratch_at(c->wait, i);

		if ((w->has & IS_CHOSEN) != 0)
			put_wait(c, r, w);
	}
	if (s.count > 0)
		put_summary(c, r, &s);
	rows_remark(r, c->dropped, EVENTS_DROPPED);
	rows_remark(r, groups_beyond(s.by[BY_LOCK]), "waits for locks beyond the limit are counted "
	    "together");
	rows_remark(r, groups_beyond(s.by[BY_OWNER]), "waits for owners beyond the limit are "
	    "counted together");
	sums_release(&s);
}

/* "388 waits of 9 threads for 2 locks took 828 ms in all, the longest 28 ms." */
static void
contention_totals(void *self, struct buf *out)
{
	struct contention	*c = self;
	struct contention_sums	 s;
	struct dist_figures	 f;

	sums_begin(&s, c);
	dist_figures(&s.dur, &f);
	if (s.count > 0) {
		put_count(out, s.count, "wait of ", "waits of ");
		put_count(out, groups_n(s.by[BY_TID]), "thread", "threads");
		if (groups_n(s.by[BY_LOCK]) > 0) {
			buf_puts(out, " for ");
			put_count(out, groups_n(s.by[BY_LOCK]), "lock", "locks");
		}
		if (f.n > 0) {
			buf_puts(out, " took ");
			put_dur(out, f.total);
			buf_puts(out, ", the longest ");
			put_dur(out, f.max);
		}
		buf_putc(out, '\n');
	}
	if (s.open + s.orphans > 0) {
		put_count(out, s.open, "wait has", "waits have");
		buf_puts(out, " no end, ");
		buf_grouped(out, s.orphans);
		buf_puts(out, " no start\n");
	}
	sums_release(&s);
}

static const struct report_plot_def	plots[] = {
	{ "waits for locks, the longest", "contention", CO_START, PLOT_GREATEST,
	    { CO_DUR, REPORT_END } },
	{ .title = NULL },
};

const struct report	report_contention = {
	.name = "contention",
	.title = "Lock contention",
	.text = "A wait lasts from ContentionStart to ContentionStop of one thread (dur). "
	    "durationNs is the runtime's own measurement: it begins slightly earlier, and it is "
	    "known even if the start was lost. lock is the address of the lock, object is the "
	    "object that it belongs to, and owner is the thread that held it when the wait began; "
	    "older runtimes report none of these. site is the method that waited: the innermost "
	    "method of the stack that does not belong to the locking code. No event says where the "
	    "owner took the lock. A wait without an end is open, an end without a start is an "
	    "orphan; gap is the loss that may explain it. share is the share of the waiting time "
	    "of all threads, so simultaneous waits all count. Only waits that blocked or spun for "
	    "a long time are reported; acquiring a free lock is not.",
	.need = need, .fact = facts, .column = columns, .ncolumns = CO_COLUMNS, .part = parts,
	.plot = plots,
	.needs = NEEDS_SYMBOLS, .pairs = true,
	.begin = contention_begin, .add = contention_add, .rows = contention_rows,
	.totals = contention_totals, .free = contention_free,
};

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
#include "analysis/reports/columns.h"
#include "analysis/reports/common.h"

enum { CO_KINDS, CO_FIELDS };

/* Code that takes locks, as opposed to code that uses them. */
static const char *const	machinery[] = {
	"System.Threading.Monitor.", "System.Threading.Lock.", "System.Threading.Lock+",
	"System.Threading.SyncTable.", "System.Threading.ObjectHeader.",
	"System.Diagnostics.Tracing.NativeRuntimeEventSource.", NULL,
};

#define HAS_LOCK	0x01u
#define HAS_OWNER	0x02u
#define HAS_FLAGS	0x04u
#define HAS_DURATION	0x08u
#define HAS_OBJECT	0x10u

struct wait {
	struct pair	p;
	int64_t		duration;	/* ns */
	uint64_t	lock, object, owner;
	struct method_text site;	/* the method that waits */
	uint8_t		lock_is, has;
};

static void
wait_start(struct report_state *s, const struct fact *f)
{
	struct wait	*w = pairs_start(s->pairs, f);

	w->site = fact_method(s, f, machinery);
	w->lock = fact_u64(f, START_LOCK);
	w->object = fact_u64(f, START_OBJECT);
	w->owner = fact_u64(f, START_OWNER);
	w->lock_is = (uint8_t)fact_u64(f, START_FLAGS);
	w->has = (uint8_t)((fact_has(f, START_LOCK) ? HAS_LOCK : 0u) |
	    (fact_has(f, START_OBJECT) ? HAS_OBJECT : 0u) |
	    (fact_has(f, START_OWNER) ? HAS_OWNER : 0u) |
	    (fact_has(f, START_FLAGS) ? HAS_FLAGS : 0u));
	pairs_enter(s->pairs, 0, pair_key(f->ev->thread, 0), w, false);
}

static void
wait_stop(struct report_state *s, const struct fact *f)
{
	struct wait	*w = pairs_stop(s->pairs, f, pairs_take(s->pairs, 0,
			    pair_key(f->ev->thread, 0)));

	if (!w->p.has_start)
		w->site = NO_METHOD;
	if (!w->p.has_start && fact_has(f, STOP_FLAGS)) {
		w->lock_is = (uint8_t)fact_u64(f, STOP_FLAGS);
		w->has |= HAS_FLAGS;
	}
	if (fact_has(f, STOP_DURATION)) {
		w->duration = fact_ns(f, STOP_DURATION);
		w->has |= HAS_DURATION;
	}
}

/* ---- rows */

static void
put_wait(struct report_state *s, struct rows *r, const void *record)
{
	const struct wait	*w = record;

	row_begin(r, "contention");
	row_pair(r, s->run, &contention_pair, &w->p);
	row_known(r, CO_DURATION, (w->has & HAS_DURATION) != 0, cell_dur(w->duration));
	row_known(r, CO_LOCK, (w->has & HAS_LOCK) != 0, cell_hex(w->lock));
	row_known(r, CO_OBJECT, (w->has & HAS_OBJECT) != 0, cell_hex(w->object));
	row_known(r, CO_OWNER, (w->has & HAS_OWNER) != 0, cell_u64(w->owner));
	row_map(r, CO_FLAGS, (w->has & HAS_FLAGS) != 0, "ContentionFlags", w->lock_is);
	row_words(r, CO_SITE, s->texts, w->site);
	row_put(r, CO_THREAD_KEY, cell_u64(w->p.thread));
	row_known(r, CO_SITE_KEY, w->site.raw != TEXT_NONE, cell_u64(w->site.raw));
}

static void
put_created(struct report_state *s, struct rows *r)
{
	row_put(r, CO_CREATED, cell_u64(s->chosen[FACT_CREATED]));
}

const struct report	report_contention = {
	.title = "Lock contention",
	TABLES_OF(contention, CO),
	.needs = NEEDS_SYMBOLS, .pairs = true,
	.records = { { sizeof(struct wait), 1, put_wait } },
	.figures = FIGURES(CO), .summed = put_created,
};

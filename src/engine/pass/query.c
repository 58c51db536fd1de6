/*
 * A filter over rows, decided by threads of its own.
 *
 *	the caller's thread                       the query's workers
 *	query_step: all rows, please  --want-->   each the view nearest to the start that is free
 *	query_row:  which rows of it? --ask--->   that view first, by whoever looks up first
 *	            wait a while      <--news--   a chunk of rows is decided, under the lock
 *
 * A worker has an evaluator of its own. It looks up from its work after each event (`nudge`), and
 * holds the lock only to take an order and to add what it found. No two decide the same view.
 *
 * Invariant: no function of the interface matches an event or makes a view, unless the machine gave
 * no thread: then the caller works in short turns where it would wait.
 */
#include "tnav/engine/query.h"

#include <string.h>

#include "engine/pass/decided.h"
#include "engine/pass/piece.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"

#define CHUNK		1024u		/* rows that are decided without the lock, at the most */
#define CHUNK_NS	2000000
#define TYPES_MOST	4096u		/* more are not asked for their counts */
#define WORKERS_MOST	16u
#define PATIENCE_NS	200000000	/* for what was known before, from one step to the next */

struct worker {
	struct query		*q;
	struct job		*job;		/* NULL: it was not needed yet */
	struct filter_eval	*eval;
	struct sieve		*sieve;
	uint32_t		*count;		/* scratch: events by type */
	uint64_t		 partly;	/* a part of the view from here has a verdict */

	/* Under the lock. */
	uint64_t		 row0, end;	/* of the view that it decides; end 0: none */
	uint64_t		 known;		/* rows of that view, so far */
	uint64_t		 costly;
};

struct query {
	struct trace		*t;
	struct filter		*f;		/* NULL: every row is a hit */
	uint64_t		 row0, row1, near;
	struct lock		*lock;
	struct worker		 worker[WORKERS_MOST];
	unsigned		 nworkers;	/* that may be started */
	bool			 alone;		/* the machine gives no thread */
	atomic_bool		 nudge;		/* the workers are to look up */

	/* Under the lock. */
	bool			 stop, want;
	bool			 asked, ask_bits;	/* the verdict on a row, or its bits */
	uint64_t		 ask;
	uint64_t		 up, down;	/* [down, up) is decided */
	uint64_t		 generation;
	struct decided		 d;
	uint64_t		 news;		/* changes with what is known */

	/* The caller's own. */
	int64_t			 patience;
	bool			 owed;		/* an answer, since it was told "not yet" */
};

/* The end of the rows there are now. */
static uint64_t
query_end(const struct query *q)
{
	return max_u64(q->row0, min_u64(q->row1, trace_rows(q->t)));
}

struct query *
query_new(struct trace *t, struct filter *f, uint64_t row0, uint64_t row1, uint64_t near)
{
	struct query	*q = mem_zalloc(1, sizeof *q);

	q->t = t;
	q->f = f;
	q->nworkers = t->workers < WORKERS_MOST ? t->workers : WORKERS_MOST;
	for (unsigned i = 0; i < WORKERS_MOST; i++)
		q->worker[i] = (struct worker){ .q = q, .partly = UINT64_MAX };
	if (f != NULL)
		filter_rows(f, &row0, &row1);
	q->row0 = row0;
	q->row1 = row1;
	q->near = max_u64(row0, min_u64(near, query_end(q)));
	q->up = q->down = q->near;
	q->generation = trace_generation(t);
	q->lock = lock_new();
	q->patience = PATIENCE_NS;
	return q;
}

void
query_free(struct query *q)
{
	if (q == NULL)
		return;
	lock_take(q->lock);
	q->stop = true;
	atomic_store(&q->nudge, true);
	lock_wake(q->lock);
	lock_drop(q->lock);
	for (unsigned i = 0; i < WORKERS_MOST; i++) {
		job_join(q->worker[i].job);
		mem_free(q->worker[i].count);
		sieve_free(q->worker[i].sieve);
		filter_eval_free(q->worker[i].eval);
	}
	lock_free(q->lock);
	decided_release(&q->d);
	filter_free(q->f);
	mem_free(q);
}

/* Rows that were not final may have moved since. Under the lock. */
static void
refresh(struct query *q)
{
	uint64_t	generation = trace_generation(q->t);

	if (generation == q->generation)
		return;
	q->generation = generation;
	decided_refresh(&q->d, q->near, &q->down, &q->up);
}

static bool
all_decided(const struct query *q)
{
	return q->generation == trace_generation(q->t) &&
	    q->d.rows >= query_end(q) - q->row0;
}

/* ---- the thread's work */

/* What it is to look at: a row, and whether its bits are needed. */
struct order {
	uint64_t	row;
	bool		bits;
};

/* Rows of one view that were decided without the lock, from first on. */
struct chunk {
	uint64_t	row0, first, generation;
	uint32_t	n;			/* of the view */
	uint32_t	known;
	bool		final, counted;		/* counted: hits are known, but not which */
	bool		none;			/* no row of the view is a hit */
	uint32_t	hits;			/* counted: of all n rows */
	uint8_t		set[CHUNK / 8];
};

/* The worker, other than w, that decides the view of the row; NULL: nobody does. */
static const struct worker *
busy_with(const struct query *q, const struct worker *w, uint64_t row)
{
	for (unsigned i = 0; i < WORKERS_MOST; i++) {
		const struct worker	*o = &q->worker[i];

		if (o != w && row >= o->row0 && row < o->end)
			return o;
	}
	return NULL;
}

/* From the row on, the first that is neither decided nor being decided. */
static uint64_t
free_above(struct query *q, const struct worker *w, uint64_t row)
{
	for (size_t i = verdict_at(&q->d, row);; i = verdict_at(&q->d, row)) {
		const struct worker	*o = busy_with(q, w, row);

		if (verdict_holds(&q->d, i, row))
			row = q->d.rec[i].row0 + q->d.rec[i].n;
		else if (o != NULL)
			row = o->end;
		else
			return row;
	}
}

/* The row after the last that is neither decided nor being decided, before this one. */
static uint64_t
free_below(struct query *q, const struct worker *w, uint64_t row)
{
	while (row > q->row0) {
		size_t			 i = verdict_at(&q->d, row - 1);
		const struct worker	*o = busy_with(q, w, row - 1);

		if (verdict_holds(&q->d, i, row - 1))
			row = q->d.rec[i].row0;
		else if (o != NULL)
			row = o->row0;
		else
			break;
	}
	return row;
}

/* The free row that is nearest to the start; false: there is none. */
static bool
next_row(struct query *q, const struct worker *w, uint64_t *row)
{
	uint64_t	end = query_end(q), up, down;
	size_t		i;

	q->down = min_u64(q->down, end);
	for (i = verdict_at(&q->d, q->up); verdict_holds(&q->d, i, q->up); i++)
		q->up = q->d.rec[i].row0 + q->d.rec[i].n;
	for (i = verdict_at(&q->d, q->down - 1); q->down > q->row0 &&
	    verdict_holds(&q->d, i, q->down - 1); i = verdict_at(&q->d, q->down - 1))
		q->down = q->d.rec[i].row0;
	up = free_above(q, w, q->up);
	down = free_below(q, w, q->down);
	if (up < end && (down <= q->row0 || up - q->near <= q->near - down)) {
		*row = up;
		return true;
	}
	*row = down - 1;
	return down > q->row0;
}

static bool
is_answered(struct query *q, const struct order *o)
{
	struct bits	*b;

	if (o->row >= trace_rows(q->t))
		return true;		/* there is nothing to be known */
	if (!o->bits)
		return verdict_holds(&q->d, verdict_at(&q->d, o->row), o->row);
	b = bits_at(&q->d, o->row);
	return b != NULL && o->row - b->row0 < b->known;
}

/* Is something asked for that is not known yet? */
static bool
is_asked(struct query *q)
{
	return q->asked && !is_answered(q, &(struct order){ .row = q->ask, .bits = q->ask_bits });
}

/* Is there more to decide of the worker's view? */
static bool
is_unfinished(struct query *q, const struct worker *w, uint64_t *row)
{
	const struct bits	*b;

	if (w->end == 0 || !q->want)
		return false;
	b = bits_at(&q->d, w->row0);
	*row = b != NULL ? b->row0 + b->known : w->row0;
	return *row < w->end && *row < query_end(q) &&
	    !verdict_holds(&q->d, verdict_at(&q->d, *row), *row);
}

/* What the worker does next; false: nothing. Under the lock. */
static bool
take_order(struct worker *w, struct order *o)
{
	struct query		*q = w->q;
	const struct bits	*b;
	uint64_t		 row0;
	uint32_t		 rows;
	bool			 found;

	atomic_store(&q->nudge, false);
	refresh(q);
	*o = (struct order){ .row = q->ask, .bits = q->ask_bits };
	found = is_asked(q);
	if (!found)
		q->asked = false;
	if (!found || busy_with(q, w, o->row) != NULL) {
		o->bits = false;
		found = is_unfinished(q, w, &o->row) || (q->want && next_row(q, w, &o->row));
	}
	w->end = w->known = 0;
	if (found && trace_view_rows(q->t, o->row, &row0, &rows)) {
		b = bits_at(&q->d, row0);
		w->row0 = row0;
		w->end = row0 + rows;
		w->known = b != NULL && b->known < b->n ? b->known : 0;
	}
	return found;
}

/*
 * Decide the view of the row by its types' counts, without decoding it: if the filter asks for
 * nothing but types, and all of the view is wanted.
 */
static bool
decide_by_types(struct worker *w, const struct order *o, struct chunk *c)
{
	struct query	*q = w->q;
	uint32_t	n = trace_types(q->t), rows = 0;

	if (n > TYPES_MOST || o->bits)
		return false;
	w->count = mem_realloc(w->count, n + 1, sizeof *w->count);
	memset(w->count, 0, n * sizeof *w->count);
	if (!trace_slice_types(q->t, o->row, &c->row0, &rows, w->count, n) ||
	    c->row0 < q->row0 || c->row0 + rows > query_end(q) || c->row0 == w->partly)
		return false;
	c->hits = 0;
	for (uint32_t type = 0; type < n; type++) {
		int	verdict = w->count[type] > 0 ? filter_type_verdict(w->eval, type) : 0;

		if (verdict < 0)
			return false;
		c->hits += verdict > 0 ? w->count[type] : 0;
	}
	c->n = rows;
	c->final = c->counted = true;
	return true;
}

/* Does the file say, without a view being made, that no row of it matches? */
static bool
decide_by_sieve(struct worker *w, const struct order *o, struct chunk *c)
{
	const struct query	*q = w->q;
	struct trace		*t = q->t;
	struct slice_ref	 ref;
	bool			 found;

	lock_take(t->lock);
	found = slice_find(t, o->row, &ref);
	lock_drop(t->lock);
	if (!found || slice_may_match(t, w->sieve, &ref, &q->nudge))
		return false;
	c->row0 = ref.s.row0;
	c->n = ref.s.n;
	c->final = ref.final;
	c->counted = !o->bits && c->row0 >= q->row0 && c->row0 + c->n <= query_end(q) &&
	    c->row0 != w->partly;
	c->none = !c->counted;
	return true;
}

/* Rows that can't be read are no hits. */
static void
decide_lost(struct query *q, const struct order *o, struct chunk *c)
{
	uint32_t	rows = 0;

	c->none = true;
	if (!trace_view_rows(q->t, o->row, &c->row0, &rows)) {
		c->row0 = o->row;
		rows = 1;
	}
	c->n = rows;
}

static void
decide_events(struct worker *w, const struct slice_view *v, struct chunk *c)
{
	struct query	*q = w->q;
	uint64_t	end = min_u64(v->row0 + v->n, c->first + CHUNK);
	uint32_t	batch = filter_batch(q->f);
	int64_t		until = job_now_ns() + CHUNK_NS;

	while (c->first + c->known < end && !atomic_load(&q->nudge) && job_now_ns() < until) {
		uint64_t	row = c->first + c->known, to = min_u64(end, row + batch);

		for (; row < to; row++, c->known++)
			if (filter_match_row(w->eval, &v->ev[row - v->row0], row))
				c->set[c->known / 8] |= (uint8_t)(1u << c->known % 8);
	}
}

/* from: the first row of the view that is not known. */
static void
decide(struct worker *w, const struct order *o, uint64_t from, struct chunk *c)
{
	struct query		*q = w->q;
	const struct slice_view	*v;

	if (w->eval == NULL) {
		w->eval = filter_eval_new(q->f, q->t);
		w->sieve = sieve_new(q->f, w->eval, q->t);
	}
	if (decide_by_types(w, o, c) || (from == 0 && decide_by_sieve(w, o, c)))
		return;
	if (trace_view_get(q->t, o->row, &v) <= 0) {
		decide_lost(q, o, c);
		return;
	}
	c->row0 = v->row0;
	c->n = v->n;
	c->final = v->final;
	c->first = from >= v->row0 && from < v->row0 + v->n ? from : v->row0;
	decide_events(w, v, c);
	trace_view_put(q->t, v);
}

/* Add what was found. Under the lock. */
static void
publish(struct worker *w, const struct chunk *c)
{
	struct query	*q = w->q;
	struct bits	*b;
	size_t		 i;

	refresh(q);
	i = verdict_at(&q->d, c->row0);
	if (!c->final && c->generation != q->generation)
		return;				/* its rows may be others by now */
	w->costly = filter_costly(w->eval);
	q->news++;
	if (c->counted) {
		if (i < q->d.n && q->d.rec[i].row0 < c->row0 + c->n)
			w->partly = c->row0;	/* row by row, then */
		else
			verdict_insert(&q->d, i, (struct verdict){ .row0 = c->row0, .n = c->n,
			    .hits = c->hits, .final = c->final });
		return;
	}
	b = bits_at(&q->d, c->row0);
	if (b == NULL || b->row0 != c->row0 || b->n != c->n)
		b = bits_insert(&q->d, c->row0, c->n, c->final);
	if (c->none)
		b->known = b->n;
	for (uint32_t k = 0; k < c->known && c->first + k == b->row0 + b->known; k++, b->known++)
		if (c->set[k / 8] >> (k % 8) & 1)
			b->set[b->known / 8] |= (uint8_t)(1u << b->known % 8);
	w->known = b->known < b->n ? b->known : 0;
	if (b->known == b->n)
		verdict_bits(&q->d, b, q->row0, query_end(q));
}

/* Do a chunk of what there is to do; false: nothing. Under the lock, but not while working. */
static bool
work(struct worker *w)
{
	struct query		*q = w->q;
	struct chunk		 c = { .generation = trace_generation(q->t) };
	struct order		 o;
	const struct bits	*b;
	uint64_t		 from;

	if (!take_order(w, &o))
		return false;
	b = bits_at(&q->d, o.row);
	from = b != NULL ? b->row0 + b->known : 0;
	lock_drop(q->lock);
	decide(w, &o, from, &c);
	lock_take(q->lock);
	publish(w, &c);
	lock_wake(q->lock);
	return true;
}

static void
worker_main(void *arg)
{
	struct worker	*w = arg;
	struct query	*q = w->q;

	job_give_way();
	lock_take(q->lock);
	while (!q->stop)
		if (!work(w))
			lock_wait(q->lock);
	lock_drop(q->lock);
}

/* ---- waiting for it, under the lock */

static int64_t
deadline_of(int64_t budget_ns)
{
	int64_t	now = job_now_ns();

	return budget_ns > INT64_MAX - now ? INT64_MAX : now + budget_ns;
}

/* One worker for what is asked for, all of them for all rows. */
static void
begin(struct query *q)
{
	unsigned	n = q->want ? q->nworkers : 1;

	for (unsigned i = 0; i < n && !q->alone; i++) {
		struct worker	*w = &q->worker[i];

		if (w->job == NULL)
			w->job = job_start(worker_main, w);
		if (w->job == NULL)
			break;
	}
	q->alone = q->worker[0].job == NULL;
	lock_wake(q->lock);
}

/* Until there are news, or the time is up: false. */
static bool
wait_for_news(struct query *q, int64_t deadline)
{
	uint64_t	news = q->news;

	if (q->alone) {
		if (work(&q->worker[0]))
			return job_now_ns() < deadline;
		return false;
	}
	while (q->news == news)
		if (!lock_wait_until(q->lock, deadline))
			return false;
	return true;
}

static void
ask_for(struct query *q, uint64_t row, bool bits)
{
	q->asked = true;
	q->ask = row;
	q->ask_bits = bits;
	atomic_store(&q->nudge, true);
	begin(q);
}

/* the verdict on the row, waited for until the deadline; NULL: time is up. */
static const struct verdict *
need_verdict(struct query *q, uint64_t row, int64_t deadline)
{
	for (;;) {
		size_t	i;

		refresh(q);
		i = verdict_at(&q->d, row);
		if (verdict_holds(&q->d, i, row))
			return &q->d.rec[i];
		ask_for(q, row, false);
		if (!wait_for_news(q, deadline))
			return NULL;
	}
}

/* All bits of the row's view, likewise. */
static const struct bits *
need_bits(struct query *q, uint64_t row, int64_t deadline)
{
	for (;;) {
		const struct bits	*b;

		refresh(q);
		b = bits_at(&q->d, row);
		if (b != NULL && b->known == b->n)
			return b;
		ask_for(q, b != NULL ? b->row0 + b->known : row, true);
		if (!wait_for_news(q, deadline))
			return NULL;
	}
}

/*
 * The bits of a row that has a verdict: they were known, and take a moment to be known again. Many
 * rows are asked for between two steps, and share that moment.
 */
static const struct bits *
bits_again(struct query *q, uint64_t row)
{
	int64_t			 before = job_now_ns();
	const struct bits	*b = need_bits(q, row, before + q->patience);

	q->patience -= job_now_ns() - before;
	q->owed |= b == NULL;
	if (b == NULL || q->patience < 0)
		q->patience = 0;
	return b;
}

/* ---- steps */

bool
query_step(struct query *q, int64_t budget_ns)
{
	int64_t	deadline = deadline_of(budget_ns);
	bool	done;

	if (q->f == NULL)
		return true;
	q->patience = PATIENCE_NS;
	lock_take(q->lock);
	refresh(q);
	if (!all_decided(q)) {
		q->want = true;
		begin(q);		/* rows that moved may be undecided again */
	}
	while (!all_decided(q) && wait_for_news(q, deadline))
		refresh(q);
	done = all_decided(q);
	lock_drop(q->lock);
	return done;
}

void
query_rest(struct query *q)
{
	if (q == NULL || q->f == NULL)
		return;
	lock_take(q->lock);
	q->want = false;
	atomic_store(&q->nudge, true);
	lock_drop(q->lock);
}

void
query_wait(struct query *q, int64_t budget_ns)
{
	if (q == NULL || q->f == NULL)
		return;
	q->patience = PATIENCE_NS;
	lock_take(q->lock);
	if (is_asked(q))
		(void)wait_for_news(q, deadline_of(budget_ns));
	q->owed &= is_asked(q);
	lock_drop(q->lock);
}

bool
query_done(const struct query *q)
{
	bool	done;

	if (q->f == NULL)
		return true;
	lock_take(q->lock);
	done = all_decided(q);
	lock_drop(q->lock);
	return done;
}

bool
query_pending(const struct query *q)
{
	return q != NULL && q->owed;
}

uint64_t
query_hits(const struct query *q)
{
	uint64_t	hits;

	if (q->f == NULL)
		return query_end(q) - q->row0;
	lock_take(q->lock);
	hits = q->d.hits;
	lock_drop(q->lock);
	return hits;
}

double
query_share(const struct query *q)
{
	uint64_t	all = query_end(q) - q->row0, some;

	if (q->f == NULL)
		return 1;
	lock_take(q->lock);
	some = q->d.rows;
	for (unsigned i = 0; i < WORKERS_MOST && some < all; i++)
		some = min_u64(some + q->worker[i].known, all - 1);
	lock_drop(q->lock);
	some = min_u64(some, all);
	return all > 0 ? (double)some / (double)all : 1;
}

const char *
query_remark(const struct query *q)
{
	uint64_t	costly = 0;

	lock_take(q->lock);
	for (unsigned i = 0; i < WORKERS_MOST; i++)
		costly += q->worker[i].costly;
	lock_drop(q->lock);
	return costly > 0 ? "the pattern is too costly on some" : NULL;
}

/* ---- answers */

static int
find_row(struct query *q, uint64_t i, uint64_t *row)
{
	size_t		lo = 0, hi;
	uint64_t	from, end;

	refresh(q);
	if (i >= q->d.hits)
		return 0;
	verdicts_sum(&q->d);
	hi = q->d.n;
	while (hi - lo > 1) {		/* the last verdict with at most i hits before it */
		size_t	mid = lo + (hi - lo) / 2;

		if (q->d.rec[mid].before <= i)
			lo = mid;
		else
			hi = mid;
	}
	i -= q->d.rec[lo].before;
	from = q->d.rec[lo].row0;
	end = from + q->d.rec[lo].n;
	while (from < end) {
		const struct bits	*b = bits_again(q, from);

		if (b == NULL)
			return 0;
		for (; from < end && from < b->row0 + b->n; from++) {
			if (bit_at(b, from) && i-- == 0) {
				*row = from;
				return 1;
			}
		}
	}
	return 0;
}

int
query_row(struct query *q, uint64_t i, uint64_t *row)
{
	int	r;

	if (q->f == NULL) {
		*row = q->row0 + i;
		return i < query_end(q) - q->row0;
	}
	lock_take(q->lock);
	r = find_row(q, i, row);
	lock_drop(q->lock);
	return r;
}

static uint64_t
count_before(struct query *q, uint64_t row)
{
	size_t		i;
	uint64_t	n, r;

	refresh(q);
	verdicts_sum(&q->d);
	i = verdict_at(&q->d, row);
	if (i == q->d.n)
		return q->d.hits;
	n = q->d.rec[i].before;
	r = q->d.rec[i].row0;
	while (r < row) {
		const struct bits	*b = bits_again(q, r);
		uint64_t		 to;

		if (b == NULL)
			break;
		to = min_u64(row, b->row0 + b->n);
		n += bits_count(b, r, to);
		r = to;
	}
	return n;
}

uint64_t
query_index(struct query *q, uint64_t row)
{
	uint64_t	n;

	if (q->f == NULL)
		return max_u64(q->row0, min_u64(row, query_end(q))) - q->row0;
	lock_take(q->lock);
	n = count_before(q, row);
	lock_drop(q->lock);
	return n;
}

/* Look for a hit at the row and onward within its view: 1 found, 0 none, *row then lies beyond. */
static int
seek_in_view(struct query *q, const struct bits *b, int dir, uint64_t *row)
{
	if (dir > 0) {
		uint64_t	end = min_u64(b->row0 + b->n, query_end(q));

		for (; *row < end; ++*row)
			if (bit_at(b, *row))
				return 1;
		return 0;
	}
	for (uint64_t start = max_u64(b->row0, q->row0);; --*row) {
		if (bit_at(b, *row))
			return 1;
		if (*row == start)
			break;
	}
	--*row;		/* wraps below row 0, which the caller takes for the end */
	return 0;
}

static int
seek(struct query *q, uint64_t row, int dir, int64_t deadline, uint64_t *out)
{
	uint64_t	end;

	refresh(q);
	end = query_end(q);
	if (dir > 0)
		row = max_u64(row, q->row0);
	else if (end > 0)
		row = min_u64(row, end - 1);
	while (row >= q->row0 && row < end) {
		const struct verdict	*r = need_verdict(q, row, deadline);
		const struct bits	*b;

		*out = row;
		if (r == NULL)
			return ERR_CANCELED;
		if (r->hits == 0) {
			row = dir > 0 ? r->row0 + r->n : r->row0 - 1;
			continue;
		}
		b = need_bits(q, row, deadline);
		if (b == NULL)
			return ERR_CANCELED;
		if (seek_in_view(q, b, dir, &row) == 1) {
			*out = row;
			return 1;
		}
	}
	return 0;
}

int
query_seek(struct query *q, uint64_t row, int dir, int64_t budget_ns, uint64_t *out)
{
	int64_t		deadline = deadline_of(budget_ns);
	uint64_t	end = query_end(q);
	int		r;

	if (q->f == NULL) {
		*out = dir > 0 ? max_u64(row, q->row0) : end > 0 ? min_u64(row, end - 1) : row;
		return *out >= q->row0 && *out < end;
	}
	lock_take(q->lock);
	r = seek(q, row, dir, deadline, out);
	lock_drop(q->lock);
	return r;
}

unsigned
query_hits_at(struct query *q, uint64_t row, uint64_t *set)
{
	const struct bits	*b;
	unsigned		 n = 0;

	*set = UINT64_MAX;
	if (q == NULL || q->f == NULL)
		return 64;
	lock_take(q->lock);
	refresh(q);
	*set = 0;
	b = bits_at(&q->d, row);
	for (; b != NULL && n < 64 && row + n < b->row0 + b->known; n++)
		*set |= (uint64_t)bit_at(b, row + n) << n;
	if (n == 0) {
		q->owed = true;
		ask_for(q, row, true);
	}
	lock_drop(q->lock);
	return n;
}

int
query_is_hit(struct query *q, uint64_t row)
{
	uint64_t	set;

	if (query_hits_at(q, row, &set) == 0)
		return -1;
	return (int)(set & 1);
}

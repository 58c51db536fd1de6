/*
 * The workers of a query: the choice of the next view, and its matches.
 *
 *	order	a requested row, else the view of the screen, else the nearest free view
 *	decide	by the index's counts of types, by the sieve, by segments, or event by event, in
 *		chunks
 *	publish	the chunk, under the lock: verdicts and bits (decided.c)
 *
 * Invariant: no two workers decide the same view. Results are dropped if the trace has changed.
 */
#include "engine/pass/query_work.h"

#include <string.h>

#include "tnav/base/mem.h"

#define CHUNK		1024u		/* the most rows that are decided without the lock */
#define CHUNK_NS	2000000
#define TYPES_MOST	4096u		/* with more types, their counts are not used */

void
query_refresh(struct query *q)
{
	uint64_t	generation = trace_generation(q->t);

	if (generation == q->generation)
		return;
	q->generation = generation;
	decided_refresh(&q->d, q->near, &q->down, &q->up);
}

bool
query_all_decided(const struct query *q)
{
	return q->generation == trace_generation(q->t) &&
	    q->d.rows >= query_end(q) - q->row0;
}

/* ---- the thread's work */

/* A row to decide, and whether its bits are needed. */
struct order {
	uint64_t	row;
	bool		bits;
};

/* Rows of one view that were decided without the lock, from first on. */
struct chunk {
	uint64_t	row0, first, generation;
	uint32_t	n;			/* rows of the view; 0: the work was interrupted */
	uint32_t	known;
	bool		final, counted;		/* counted: only the number of hits is known */
	bool		none;			/* no row of the view is a hit */
	uint32_t	hits;			/* if counted: in all n rows */
	uint8_t		set[CHUNK / 8];
};

/* The worker, other than w, that is deciding the view of the row; or NULL. */
static const struct query_worker *
busy_with(const struct query *q, const struct query_worker *w, uint64_t row)
{
	for (unsigned i = 0; i < QUERY_WORKERS; i++) {
		const struct query_worker	*o = &q->worker[i];

		if (o != w && row >= o->row0 && row < o->end)
			return o;
	}
	return NULL;
}

/* The first row, from this one on, that is neither decided nor being decided. */
static uint64_t
free_above(struct query *q, const struct query_worker *w, uint64_t row)
{
	for (size_t i = verdict_at(&q->d, row);; i = verdict_at(&q->d, row)) {
		const struct query_worker	*o = busy_with(q, w, row);

		if (verdict_holds(&q->d, i, row))
			row = q->d.rec[i].row0 + q->d.rec[i].n;
		else if (o != NULL)
			row = o->end;
		else
			return row;
	}
}

/* The row after the last one before this row that is neither decided nor being decided. */
static uint64_t
free_below(struct query *q, const struct query_worker *w, uint64_t row)
{
	while (row > q->row0) {
		size_t			 i = verdict_at(&q->d, row - 1);
		const struct query_worker	*o = busy_with(q, w, row - 1);

		if (verdict_holds(&q->d, i, row - 1))
			row = q->d.rec[i].row0;
		else if (o != NULL)
			row = o->row0;
		else
			break;
	}
	return row;
}

/* The free row nearest to the start; false: there is none. */
static bool
next_row(struct query *q, const struct query_worker *w, uint64_t *row)
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
		return true;		/* there is no such row */
	if (!o->bits)
		return verdict_holds(&q->d, verdict_at(&q->d, o->row), o->row);
	b = bits_at(&q->d, o->row);
	return b != NULL && o->row - b->row0 < b->known;
}

/* Is there a request without a result? */
bool
query_is_asked(struct query *q)
{
	return q->asked && !is_answered(q, &(struct order){ .row = q->ask, .bits = q->ask_bits });
}

/* Is the worker's view not decided completely? */
static bool
is_unfinished(struct query *q, const struct query_worker *w, uint64_t *row)
{
	const struct bits	*b;

	if (w->end == 0 || !q->want)
		return false;
	b = bits_at(&q->d, w->row0);
	*row = b != NULL ? b->row0 + b->known : w->row0;
	return *row < w->end && *row < query_end(q) &&
	    !verdict_holds(&q->d, verdict_at(&q->d, *row), *row);
}

/* Choose the worker's next order; false: there is none. Under the lock. */
static bool
take_order(struct query_worker *w, struct order *o)
{
	struct query		*q = w->q;
	const struct bits	*b;
	uint64_t		 row0;
	uint32_t		 rows;
	bool			 found;

	atomic_store(&q->nudge, false);
	if (atomic_load(&q->stop))
		atomic_store(&q->nudge, true);	/* the others check for orders too */
	query_refresh(q);
	*o = (struct order){ .row = q->ask, .bits = q->ask_bits };
	found = query_is_asked(q);
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

/* Is the number of hits in all rows of the view enough? */
static bool
is_countable(const struct query_worker *w, const struct order *o, uint64_t row0, uint32_t rows)
{
	return !o->bits && row0 >= w->q->row0 && row0 + rows <= query_end(w->q) &&
	    row0 != w->partly;
}

/*
 * Decide the view of the row by counts of types, without decoding it. Possible if the filter
 * depends on types only and the whole view is wanted.
 */
static bool
decide_by_types(struct query_worker *w, const struct order *o, struct chunk *c)
{
	struct query	*q = w->q;
	uint32_t	n = trace_types(q->t), rows = 0;

	if (n > TYPES_MOST || o->bits)
		return false;
	w->count = mem_realloc(w->count, n + 1, sizeof *w->count);
	memset(w->count, 0, n * sizeof *w->count);
	if (!trace_slice_types(q->t, o->row, &c->row0, &rows, w->count, n) ||
	    !is_countable(w, o, c->row0, rows))
		return false;
	c->hits = 0;
	for (uint32_t type = 0; type < n; type++) {
		int	verdict = w->count[type] > 0 ? filter_type_verdict(w->pass.eval, type) : 0;

		if (verdict < 0)
			return false;
		c->hits += verdict > 0 ? w->count[type] : 0;
	}
	c->n = rows;
	c->final = c->counted = true;
	return true;
}

/* Decide a slice without making its view: none of its rows matches, or only the number of hits is
   needed, which the segments give. Otherwise false. from: as in decide(). */
static bool
decide_slice(struct query_worker *w, const struct order *o, uint64_t from, struct chunk *c)
{
	struct query		*q = w->q;
	struct trace		*t = q->t;
	struct slice_ref	 ref;
	bool			 found;
	int			 r = 1;

	lock_take(t->lock);
	found = slice_find(t, o->row, &ref);
	lock_drop(t->lock);
	if (!found)
		return false;
	c->counted = is_countable(w, o, ref.s.row0, ref.s.n);
	if (c->counted && slice_is_shared(&ref) && !filter_needs_rows(q->f))
		r = slice_hits_count(&q->counted, &w->pass, &ref, &c->hits);
	else if (from > 0 || slice_may_match(t, w->pass.sieve, &ref, &q->nudge))
		return false;
	if (r > 0) {
		c->row0 = ref.s.row0;
		c->n = ref.s.n;
		c->final = ref.final;
		c->none = !c->counted;
	}
	return r >= 0;
}

/* The view can't be read: its rows are no hits. */
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
decide_events(struct query_worker *w, const struct slice_view *v, struct chunk *c)
{
	struct query	*q = w->q;
	uint64_t	end = min_u64(v->row0 + v->n, c->first + CHUNK);
	uint32_t	batch = filter_batch(q->f);
	int64_t		until = job_now_ns() + CHUNK_NS;

	while (c->first + c->known < end && !atomic_load(&q->nudge) && job_now_ns() < until) {
		uint64_t	row = c->first + c->known, to = min_u64(end, row + batch);

		for (; row < to; row++, c->known++)
			if (filter_match_row(w->pass.eval, &v->ev[row - v->row0], row))
				c->set[c->known / 8] |= (uint8_t)(1u << c->known % 8);
	}
}

/* Decide a chunk. from: the first row of the view that is not known. */
static void
decide(struct query_worker *w, const struct order *o, uint64_t from, struct chunk *c)
{
	struct query		*q = w->q;
	const struct slice_view	*v;

	if (w->pass.t == NULL) {
		w->pass.stop = &q->nudge;
		worker_init(&w->pass, q->t, &q->o, false);
	}
	if (decide_by_types(w, o, c) || decide_slice(w, o, from, c))
		return;
	c->counted = false;
	if (view_get_until(q->t, o->row, &q->stop, &v) <= 0) {
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

/* Add the results of a chunk. Under the lock. */
static void
publish(struct query_worker *w, const struct chunk *c)
{
	struct query	*q = w->q;
	struct bits	*b;
	size_t		 i;

	query_refresh(q);
	i = verdict_at(&q->d, c->row0);
	if (c->n == 0 || (!c->final && c->generation != q->generation))
		return;			/* it was interrupted; its rows may have moved */
	w->costly = filter_costly(w->pass.eval);
	q->news++;
	if (c->counted) {
		if (i < q->d.n && q->d.rec[i].row0 < c->row0 + c->n)
			w->partly = c->row0;	/* decide it row by row */
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

/* Is a thread waiting for the published result? There may be a thousand chunks a second, so
   waiting threads are not woken by each of them. */
static bool
is_awaited(struct query *q)
{
	return q->idle > 0 || (q->waits == WAITS_ANSWER && !query_is_asked(q)) ||
	    (q->waits == WAITS_ALL && query_all_decided(q));
}

/* Decide a chunk; false: there is no order. Called with the lock held; drops it while working. */
bool
query_work(struct query_worker *w)
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
	if (!atomic_load(&q->stop))
		publish(w, &c);
	if (is_awaited(q))
		lock_wake(q->lock);
	return true;
}

void
query_worker_main(void *arg)
{
	struct query_worker	*w = arg;
	struct query	*q = w->q;

	job_give_way();
	lock_take(q->lock);
	while (!atomic_load(&q->stop)) {
		if (query_work(w))
			continue;
		q->idle++;
		lock_wait(q->lock);
		q->idle--;
	}
	lock_drop(q->lock);
}

/*
 * The workers of a query: the choice of the next view, and its matches.
 *
 *	order	a requested row, else the rest of its slice, else the nearest free slice
 *	decide	by the index's counts of types, by the sieve, or event by event, in chunks
 *	publish	the chunk, under the lock: counts and bits (decided.c)
 *
 * Invariant: no two workers decide the same slice. Results are dropped if the trace has changed.
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

/* Rows of one slice that were decided without the lock, from first on. */
struct chunk {
	uint64_t	row0, first, generation;
	uint32_t	n;			/* rows of the slice */
	uint32_t	known;
	bool		final, counted;		/* counted: only the number of hits is known */
	uint32_t	hits;			/* if counted: in all n rows */
	uint8_t		set[CHUNK / 8];
};

/* The worker, other than w, that is deciding the slice of the row; or NULL. */
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

/* Go from the row upward, or downward to the row after the next, past rows that are decided, and,
   unless w is NULL, past those that other workers are deciding. */
static uint64_t
go_past(const struct query *q, const struct query_worker *w, uint64_t row, bool down)
{
	while (!down || row > q->row0) {
		const struct slice_hits		*h = slice_hits_at(&q->d, row - down);
		const struct query_worker	*o = NULL;

		if (h != NULL && h->counted) {
			row = down ? h->row0 : h->row0 + h->n;
			continue;
		}
		if (w != NULL)
			o = busy_with(q, w, row - down);
		if (o == NULL)
			break;
		row = down ? o->row0 : o->end;
	}
	return row;
}

/* The free row nearest to the start; false: there is none. */
static bool
next_row(struct query *q, const struct query_worker *w, uint64_t *row)
{
	uint64_t	end = query_end(q), up, down;

	q->up = go_past(q, NULL, q->up, false);
	q->down = go_past(q, NULL, min_u64(q->down, end), true);
	up = go_past(q, w, q->up, false);
	down = go_past(q, w, q->down, true);
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
	const struct slice_hits	*h = slice_hits_at(&q->d, o->row);

	if (o->row >= trace_rows(q->t))
		return true;		/* there is no such row */
	return h != NULL && (o->bits ? o->row - h->row0 < slice_hits_known(h) : h->counted);
}

/* Is there a request without a result? */
bool
query_is_asked(struct query *q)
{
	return q->asked && !is_answered(q, &(struct order){ .row = q->ask, .bits = q->ask_bits });
}

/* Is the worker's slice not decided completely? */
static bool
is_unfinished(struct query *q, const struct query_worker *w, uint64_t *row)
{
	const struct slice_hits	*h;

	if (w->end == 0 || !q->want)
		return false;
	*row = max_u64(w->row0, q->row0);
	h = slice_hits_at(&q->d, *row);
	if (h != NULL && h->counted)
		return false;
	*row += h != NULL ? h->known : 0;
	return *row < w->end && *row < query_end(q);
}

/* Choose the worker's next order; false: there is none. Under the lock. */
static bool
take_order(struct query_worker *w, struct order *o)
{
	struct query		*q = w->q;
	const struct slice_hits	*h;
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
		h = slice_hits_at(&q->d, o->row);
		w->row0 = row0;
		w->end = row0 + rows;
		w->known = h != NULL && !h->counted ? h->known : 0;
	}
	return found;
}

/* The events of each type in the slice, from the index; false: it does not know them. */
static bool
count_types_of(struct trace *t, const struct slice_ref *ref, uint32_t *count, uint32_t ntypes)
{
	bool	known = ref->final && ref->s.n == ref->r.events;

	lock_take(t->lock);
	for (uint64_t i = 0; known && i < ref->r.nrecords; i++) {
		const struct record	*rec = segvec_at(&t->index.records, ref->r.record0 + i);

		known = rec->ntypes != TYPES_UNKNOWN;
		for (uint32_t k = 0; known && k < rec->ntypes; k++) {
			const struct type_count	*c = segvec_at(&t->index.type_counts,
						    rec->types0 + k);

			known = c->type < ntypes;
			if (known)
				count[c->type] += c->n;
		}
	}
	lock_drop(t->lock);
	return known;
}

/*
 * Decide a slice, all of which belongs to the query, by the counts of its types, without decoding
 * it. Possible if the filter depends on types only.
 */
static bool
decide_by_types(struct query_worker *w, const struct slice_ref *ref, struct chunk *c)
{
	struct query	*q = w->q;
	uint32_t	 n = trace_types(q->t);

	if (n > TYPES_MOST || c->row0 < q->row0 || c->row0 + c->n > query_end(q))
		return false;
	w->count = mem_realloc(w->count, n + 1, sizeof *w->count);
	memset(w->count, 0, n * sizeof *w->count);
	if (!count_types_of(q->t, ref, w->count, n))
		return false;
	for (uint32_t type = 0; type < n; type++) {
		int	verdict = w->count[type] > 0 ? filter_type_verdict(w->eval, type) : 0;

		if (verdict < 0)
			return false;
		c->hits += verdict > 0 ? w->count[type] : 0;
	}
	return true;
}

/* Decide a slice without making its view, if possible. */
static bool
decide_unseen(struct query_worker *w, const struct order *o, const struct slice_ref *ref,
    struct chunk *c)
{
	struct query	*q = w->q;

	if (!o->bits && decide_by_types(w, ref, c))
		return true;
	c->hits = 0;
	return !slice_may_match(q->t, w->sieve, ref, &q->nudge);
}

static void
decide_events(struct query_worker *w, const struct slice_view *v, struct chunk *c)
{
	struct query	*q = w->q;
	uint64_t	end = min_u64(min_u64(v->row0 + v->n, query_end(q)), c->first + CHUNK);
	uint32_t	batch = filter_batch(q->f);
	int64_t		until = job_now_ns() + CHUNK_NS;

	while (c->first + c->known < end && !atomic_load(&q->nudge) && job_now_ns() < until) {
		uint64_t	row = c->first + c->known, to = min_u64(end, row + batch);

		for (; row < to; row++, c->known++)
			if (filter_match_row(w->eval, &v->ev[row - v->row0], row))
				c->set[c->known / 8] |= (uint8_t)(1u << c->known % 8);
	}
}

/* Decide a chunk. known: the rows of the slice that are decided. Rows that can't be read are no
   hits, as long as the trace does not change. */
static void
decide(struct query_worker *w, const struct order *o, uint32_t known, struct chunk *c)
{
	struct query		*q = w->q;
	const struct slice_view	*v;
	struct slice_ref	 ref;
	bool			 found;

	if (w->eval == NULL) {
		w->eval = filter_eval_new(q->f, q->t);
		w->sieve = sieve_new(q->f, w->eval, q->t);
	}
	lock_take(q->t->lock);
	found = slice_find(q->t, o->row, &ref);
	lock_drop(q->t->lock);
	c->row0 = found ? ref.s.row0 : o->row;
	c->n = found ? ref.s.n : 1;
	c->first = max_u64(c->row0, q->row0) + known;
	c->final = found && ref.final;
	c->counted = found && known == 0 && decide_unseen(w, o, &ref, c);
	if (c->counted)
		return;
	if (view_get_until(q->t, o->row, &q->stop, &v) <= 0) {
		c->counted = true;
		c->final = false;
		return;
	}
	if (v->row0 == c->row0 && v->n == c->n)
		decide_events(w, v, c);
	trace_view_put(q->t, v);
}

/* Add the results of a chunk. Under the lock. */
static void
publish(struct query_worker *w, const struct chunk *c)
{
	struct query		*q = w->q;
	uint64_t		 row0 = max_u64(c->row0, q->row0);
	uint64_t		 end = min_u64(c->row0 + c->n, query_end(q));
	struct slice_hits	*h;

	query_refresh(q);
	if (end <= row0 || (!c->final && c->generation != q->generation))
		return;				/* its rows may have moved */
	w->costly = filter_costly(w->eval);
	q->news++;
	h = slice_hits_get(&q->d, row0, (uint32_t)(end - row0), c->final);
	if (c->counted)
		slice_hits_count(&q->d, h, c->hits);
	else if (c->first == h->row0 + h->known)
		slice_hits_add(&q->d, h, c->set, c->known);
	w->known = h->counted ? 0 : h->known;
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
	const struct slice_hits	*h;
	uint32_t		 known;

	if (!take_order(w, &o))
		return false;
	h = slice_hits_at(&q->d, o.row);
	known = h != NULL ? h->known : 0;
	lock_drop(q->lock);
	decide(w, &o, known, &c);
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

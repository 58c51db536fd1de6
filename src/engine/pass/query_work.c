/*
 * The workers of a query: the choice of the next view, and its matches.
 *
 *	order	a requested row, else the view of the screen, else the nearest free view
 *	decide	by the index's counts of types, by the sieve, by segments, or event by event, in
 *		chunks
 *	publish	the chunk, under the lock: hits and bits (decided.c)
 *
 * Invariant: no two workers decide the same view. Results are dropped if the trace has changed.
 */
#include "engine/pass/query_work.h"

#define CHUNK		1024u		/* the most rows that are decided without the lock */
#define CHUNK_NS	2000000

void
query_refresh(struct query *q)
{
	uint64_t	generation = trace_generation(q->t);

	if (generation == q->generation)
		return;
	q->generation = generation;
	decided_refresh(&q->d);
}

bool
query_all_decided(const struct query *q)
{
	return q->generation == trace_generation(q->t) &&
	    q->d.rows >= query_end(q) - q->d.row0;
}

/* ---- the thread's work */

enum chunk_kind {
	CHUNK_NOTHING,		/* the work was interrupted */
	CHUNK_HITS,		/* the number of hits in the whole view; if 0, no row is one */
	CHUNK_BITS,		/* some rows, one by one */
};

/* What a worker decides of a view without the lock. */
struct chunk {
	struct slice_ref ref;		/* of the view; ref.s.n 0: it is not there any more */
	bool		 bits;		/* the bits are needed */
	uint64_t	 generation;

	enum chunk_kind	 kind;
	bool		 final;
	uint32_t	 hits;
	uint64_t	 first;		/* bits: of these rows */
	uint32_t	 known;
	uint8_t		 set[CHUNK / 8];
};

struct view_hits *
query_view_of(const struct query_worker *w)
{
	struct view_hits	*h = decided_at(&w->q->d, w->row0);

	return h != NULL && h->worker == w->number ? h : NULL;
}

/* The row's view, if it is told or taken, so that it is no free one. */
static const struct view_hits *
not_free(const struct query *q, uint64_t row)
{
	const struct view_hits	*h = decided_at(&q->d, row);

	return h != NULL && (h->counted || h->worker != 0) ? h : NULL;
}

/* The free row nearest to the start; false: there is none. */
static bool
next_row(struct query *q, uint64_t *row)
{
	struct decided		*d = &q->d;
	uint64_t		 end = query_end(q), up, down;
	const struct view_hits	*h;

	d->down = min_u64(d->down, end);
	while ((h = decided_at(d, d->up)) != NULL && h->counted)
		d->up = h->row0 + h->n;
	while (d->down > d->row0 && (h = decided_at(d, d->down - 1)) != NULL && h->counted)
		d->down = h->row0;
	up = d->up;
	down = d->down;
	while ((h = not_free(q, up)) != NULL)
		up = h->row0 + h->n;
	while (down > d->row0 && (h = not_free(q, down - 1)) != NULL)
		down = h->row0;
	if (up < end && (down <= d->row0 || up - d->near <= d->near - down)) {
		*row = up;
		return true;
	}
	*row = down - 1;
	return down > d->row0;
}

/* Is there a request without a result? */
bool
query_is_pending(struct query *q)
{
	const struct view_hits	*h = decided_at(&q->d, q->ask);

	if (!q->pending || q->ask >= trace_rows(q->t))
		return false;		/* there is no such row */
	return h == NULL || !(q->ask_bits ? q->ask - h->row0 < h->known : h->counted);
}

/* Choose a row of the next view: a requested one, the worker's view, which is not decided
   completely, or the nearest; false: there is none. */
static bool
choose_row(struct query_worker *w, uint64_t *row, bool *bits)
{
	struct query		*q = w->q;
	struct view_hits	*own = query_view_of(w);
	const struct view_hits	*h;

	if (own != NULL)
		own->worker = 0;
	q->pending = query_is_pending(q);
	h = decided_at(&q->d, q->ask);
	*bits = q->ask_bits;
	*row = q->ask;
	if (q->pending && (h == NULL || h->worker == 0))
		return true;
	*bits = false;
	if (own == NULL || own->counted || !q->want)
		return q->want && next_row(q, row);
	*row = own->row0;
	return true;
}

/* Take the worker's next view; false: there is none. Under the lock. */
static bool
take_view(struct query_worker *w, struct chunk *c)
{
	struct query		*q = w->q;
	struct view_hits	*h;
	uint64_t		 row;
	bool			 found;

	atomic_store(&q->nudge, false);
	if (atomic_load(&q->stop))
		atomic_store(&q->nudge, true);	/* the others check for orders too */
	query_refresh(q);
	if (!choose_row(w, &row, &c->bits))
		return false;
	lock_take(q->t->lock);
	found = slice_find(q->t, row, &c->ref);
	lock_drop(q->t->lock);
	if (!found)
		return true;		/* the rows have changed meanwhile */
	h = decided_take(&q->d, c->ref.s.row0, c->ref.s.n, c->ref.final);
	h->worker = w->number;
	w->row0 = h->row0;
	c->first = h->row0 + h->known;
	return true;
}

/* Decide a slice without making its view: none of its rows matches, or only the number of hits is
   needed, which types or segments give. Otherwise false. */
static bool
decide_slice(struct query_worker *w, struct chunk *c)
{
	struct query		*q = w->q;
	const struct slice	*s = &c->ref.s;
	bool			 countable = !c->bits && s->row0 >= q->d.row0 &&
				    s->row0 + s->n <= query_end(q);
	int			 r = 1;

	if (countable && c->ref.final && s->n == c->ref.r.events &&
	    sieve_count_region(w->pass.sieve, &c->ref.r, &c->hits))
		r = 1;
	else if (countable && slice_is_shared(&c->ref) && !filter_needs_rows(q->f))
		r = slice_hits_count(&q->counted, &w->pass, &c->ref, &c->hits);
	else if (c->first > s->row0 || slice_may_match(q->t, w->pass.sieve, &c->ref, &q->nudge))
		return false;
	else
		c->hits = 0;		/* types may have counted some */
	if (r > 0)
		c->kind = CHUNK_HITS;
	c->final = c->ref.final;
	return r >= 0;
}

static void
decide_events(struct query_worker *w, const struct slice_view *v, struct chunk *c)
{
	struct query	*q = w->q;
	uint64_t	end = min_u64(v->row0 + v->n, c->first + CHUNK);
	uint32_t	batch = filter_batch(q->f);
	int64_t		until = job_now_ns() + CHUNK_NS;

	c->kind = CHUNK_BITS;
	c->final = v->final;
	while (c->first + c->known < end && !atomic_load(&q->nudge) && job_now_ns() < until) {
		uint64_t	row = c->first + c->known, to = min_u64(end, row + batch);

		for (; row < to; row++, c->known++)
			if (filter_match_row(w->pass.eval, &v->ev[row - v->row0], row))
				c->set[c->known / 8] |= (uint8_t)(1u << c->known % 8);
	}
}

/* Decide a chunk of the view. */
static void
decide(struct query_worker *w, struct chunk *c)
{
	struct query		*q = w->q;
	const struct slice_view	*v;
	int			 r;

	if (w->pass.t == NULL) {
		w->pass.stop = &q->nudge;
		worker_init(&w->pass, q->t, &q->o, false);
	}
	if (decide_slice(w, c))
		return;
	r = view_get_until(q->t, c->ref.s.row0, &q->stop, &v);
	if (r < 0) {			/* it can't be read: the rest of its rows are no hits */
		c->kind = CHUNK_HITS;
		c->final = false;
		c->hits = 0;
	} else if (r > 0 && v->row0 == c->ref.s.row0 && v->n == c->ref.s.n) {
		decide_events(w, v, c);
	}
	if (r > 0)
		trace_view_put(q->t, v);
}

/* Add the results of a chunk. Under the lock. */
static void
publish(struct query_worker *w, const struct chunk *c)
{
	struct query		*q = w->q;
	struct view_hits	*h;

	query_refresh(q);
	h = query_view_of(w);
	if (c->kind == CHUNK_NOTHING || h == NULL || h->n != c->ref.s.n ||
	    (!c->final && c->generation != q->generation))
		return;			/* it was interrupted; its rows may have moved */
	h->final = c->final;
	w->costly = filter_costly(w->pass.eval);
	q->news++;
	if (c->kind == CHUNK_HITS && c->hits > 0) {
		decided_tell(&q->d, h, c->hits);
		return;
	}
	if (c->kind == CHUNK_HITS)
		h->known = h->n;
	for (uint32_t k = 0; k < c->known && c->first + k == h->row0 + h->known; k++)
		decided_bit(&q->d, h, (c->set[k / 8] >> (k % 8) & 1) != 0);
	if (h->known == h->n && !h->counted)
		decided_tell(&q->d, h, bits_hits(&q->d, h));
}

/* Is a thread waiting for the published result? There may be a thousand chunks a second, so
   waiting threads are not woken by each of them. */
static bool
is_awaited(struct query *q)
{
	return q->idle > 0 || (q->waits == WAITS_ANSWER && !query_is_pending(q)) ||
	    (q->waits == WAITS_ALL && query_all_decided(q));
}

/* Decide a chunk; false: there is no view to decide. Called with the lock held; drops it while
   working. */
bool
query_work(struct query_worker *w)
{
	struct query	*q = w->q;
	struct chunk	 c = { .generation = trace_generation(q->t) };

	if (!take_view(w, &c))
		return false;
	lock_drop(q->lock);
	if (c.ref.s.n > 0)
		decide(w, &c);
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

/*
 * A filter over rows, decided by threads of its own.
 *
 *	the caller's thread                       the query's workers
 *	query_step: decide all rows   --want-->   each takes the free view nearest to the start
 *	query_row:  decide this view  --ask--->   the first free worker takes that view first
 *	            wait a while      <--news--   a chunk of rows was decided, under the lock
 *
 * Each worker has its own evaluator. It checks for new orders after each event (`nudge`), and holds
 * the lock only to take an order and to add its results. No two workers decide the same view.
 *
 * Invariant: no function of the interface matches an event or makes a view, unless no thread could
 * be started: then the caller works in short turns where it would wait.
 */
#include "tnav/engine/query.h"

#include "engine/pass/query_work.h"
#include "tnav/base/array.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"

#define PATIENCE_NS	200000000	/* between two steps, waiting for bits that were dropped */

struct query *
query_new(struct trace *t, struct filter *f, uint64_t row0, uint64_t row1, uint64_t near)
{
	struct query	*q = mem_zalloc(1, sizeof *q);

	q->t = t;
	q->f = f;
	q->o.filter = f;
	q->nworkers = t->workers < QUERY_WORKERS ? t->workers : QUERY_WORKERS;
	for (unsigned i = 0; i < QUERY_WORKERS; i++)
		q->worker[i] = (struct query_worker){ .q = q, .number = (uint8_t)(i + 1) };
	filter_rows(f, &row0, &row1);
	q->d.row0 = row0;
	q->d.row1 = row1;
	q->d.near = q->d.up = q->d.down = max_u64(row0, min_u64(near, query_end(q)));
	q->generation = trace_generation(t);
	q->lock = q->counted.lock = lock_new(LOCK_TASK);
	q->patience = PATIENCE_NS;
	return q;
}

const struct filter *
query_filter(const struct query *q)
{
	return q != NULL ? q->f : NULL;
}

/* Wait for its threads, which were told to stop, and free it. */
static void
query_end_all(void *arg)
{
	struct query	*q = arg;

	lock_take(q->lock);
	lock_wake(q->lock);
	lock_drop(q->lock);
	for (unsigned i = 0; i < QUERY_WORKERS; i++) {
		job_join(q->worker[i].job);
		worker_release(&q->worker[i].pass);
	}
	slice_hits_release(&q->counted);
	lock_free(q->lock);
	decided_release(&q->d);
	filter_free(q->f);
	mem_free(q);
}

void
query_free(struct query *q)
{
	if (q == NULL)
		return;
	atomic_store(&q->stop, true);
	atomic_store(&q->nudge, true);
	if (q->worker[0].job != NULL)
		trace_retire(q->t, query_end_all, q);
	else
		query_end_all(q);
}

/* ---- waiting, under the lock */

static int64_t
deadline_of(int64_t budget_ns)
{
	int64_t	now = job_now_ns();

	return budget_ns > INT64_MAX - now ? INT64_MAX : now + budget_ns;
}

/* Start the threads: one worker for a single view, all of them for all rows. */
static void
begin(struct query *q)
{
	unsigned	n = q->want ? q->nworkers : 1;

	for (unsigned i = 0; i < n && !q->alone; i++) {
		struct query_worker	*w = &q->worker[i];

		if (w->job == NULL)
			w->job = job_start(query_worker_main, w);
		if (w->job == NULL)
			break;
	}
	q->alone = q->worker[0].job == NULL;
	lock_wake(q->lock);
}

/* Wait until the result may be known; false: the deadline has passed. */
static bool
wait_for_news(struct query *q, enum query_waits what, int64_t deadline)
{
	uint64_t	news = q->news;
	bool		in_time = true;

	if (q->alone) {
		if (query_work(&q->worker[0]))
			return job_now_ns() < deadline;
		return false;
	}
	q->waits = what;
	while (q->news == news && in_time)
		in_time = lock_wait_until(q->lock, deadline);
	q->waits = WAITS_NOT;
	return in_time;
}

static void
ask_for(struct query *q, uint64_t row, bool bits)
{
	q->pending = true;
	q->ask = row;
	q->ask_bits = bits;
	atomic_store(&q->nudge, true);
	begin(q);
}

/* The row's view, whose hits are counted, or whose bits are all known; waits for that until the
   deadline, then NULL. Valid while the lock is held. */
static const struct view_hits *
need(struct query *q, uint64_t row, bool bits, int64_t deadline)
{
	for (;;) {
		struct view_hits	*h;

		query_refresh(q);
		h = decided_at(&q->d, row);
		if (h != NULL && (bits ? h->known == h->n : h->counted)) {
			h->used = ++q->d.clock;
			return h;
		}
		ask_for(q, bits && h != NULL ? h->row0 + h->known : row, bits);
		if (!wait_for_news(q, WAITS_ANSWER, deadline))
			return NULL;
	}
}

/*
 * The bits of a view that is told. They were dropped, or only counted, and computing them takes a
 * moment. All requests between two steps together wait for PATIENCE_NS.
 */
static const struct view_hits *
bits_again(struct query *q, uint64_t row)
{
	int64_t			 before = job_now_ns();
	const struct view_hits	*h = need(q, row, true, before + q->patience);

	q->patience -= job_now_ns() - before;
	q->owed |= h == NULL;
	if (h == NULL || q->patience < 0)
		q->patience = 0;
	return h;
}

/* ---- steps */

bool
query_step(struct query *q, int64_t budget_ns)
{
	int64_t	deadline = deadline_of(budget_ns);
	bool	done;

	q->patience = PATIENCE_NS;
	lock_take(q->lock);
	query_refresh(q);
	if (!query_all_decided(q)) {
		q->want = true;
		begin(q);		/* rows that have moved may be undecided again */
	}
	while (!query_all_decided(q) && wait_for_news(q, WAITS_ALL, deadline))
		query_refresh(q);
	done = query_all_decided(q);
	lock_drop(q->lock);
	return done;
}

void
query_rest(struct query *q)
{
	if (q == NULL)
		return;
	lock_take(q->lock);
	q->want = false;
	atomic_store(&q->nudge, true);
	lock_drop(q->lock);
}

void
query_wait(struct query *q, int64_t budget_ns)
{
	if (q == NULL)
		return;
	q->patience = PATIENCE_NS;
	lock_take(q->lock);
	if (query_is_pending(q))
		(void)wait_for_news(q, WAITS_ANSWER, deadline_of(budget_ns));
	q->owed &= query_is_pending(q);
	lock_drop(q->lock);
}

bool
query_done(const struct query *q)
{
	bool	done;

	lock_take(q->lock);
	done = query_all_decided(q);
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

	lock_take(q->lock);
	hits = q->d.hits;
	lock_drop(q->lock);
	return hits;
}

double
query_share(const struct query *q)
{
	uint64_t	all = query_end(q) - q->d.row0, some;

	lock_take(q->lock);
	some = q->d.rows;
	for (unsigned i = 0; i < QUERY_WORKERS && some < all; i++) {
		const struct view_hits	*h = query_view_of(&q->worker[i]);

		if (h != NULL && !h->counted)
			some = min_u64(some + h->known, all - 1);
	}
	lock_drop(q->lock);
	some = min_u64(some, all);
	return all > 0 ? (double)some / (double)all : 1;
}

const char *
query_remark(const struct query *q)
{
	uint64_t	costly = 0;

	lock_take(q->lock);
	for (unsigned i = 0; i < QUERY_WORKERS; i++)
		costly += q->worker[i].costly;
	lock_drop(q->lock);
	return costly > 0 ? "the pattern is too costly for some" : NULL;
}

/* ---- answers */

static int
find_row(struct query *q, uint64_t i, uint64_t *row)
{
	size_t			 after = 1;	/* the first view with more than i hits before it */
	const struct view_hits	*h;

	query_refresh(q);
	if (i >= q->d.hits)
		return 0;
	decided_sum(&q->d);
	BISECT(after, q->d.n, at, q->d.v[at].before <= i);
	i -= q->d.v[after - 1].before;
	h = bits_again(q, q->d.v[after - 1].row0);
	if (h == NULL)
		return 0;
	*row = bits_nth(h, max_u64(h->row0, q->d.row0), h->row0 + h->n, i);
	return *row < h->row0 + h->n;
}

int
query_row(struct query *q, uint64_t i, uint64_t *row)
{
	int	r;

	lock_take(q->lock);
	r = find_row(q, i, row);
	lock_drop(q->lock);
	return r;
}

static uint64_t
count_before(struct query *q, uint64_t row)
{
	const struct view_hits	*h;
	size_t			 i;
	uint64_t		 n;

	query_refresh(q);
	row = min_u64(row, q->d.row1);
	decided_sum(&q->d);
	i = decided_after(&q->d, row);
	if (i == q->d.n)
		return q->d.hits;
	h = &q->d.v[i];
	n = h->before;
	h = h->counted && row > h->row0 ? bits_again(q, h->row0) : NULL;
	return h != NULL ? n + bits_count(h, max_u64(h->row0, q->d.row0), row) : n;
}

uint64_t
query_index(struct query *q, uint64_t row)
{
	uint64_t	n;

	lock_take(q->lock);
	n = count_before(q, row);
	lock_drop(q->lock);
	return n;
}

/* Search its view for a hit, from the row on in direction dir. 1: found; 0: none, and *row is then
   outside the view. */
static int
seek_in_view(struct query *q, const struct view_hits *h, int dir, uint64_t *row)
{
	if (dir > 0) {
		uint64_t	end = min_u64(h->row0 + h->n, query_end(q));

		*row = bits_nth(h, *row, max_u64(*row, end), 0);
		return *row < end;
	}
	for (uint64_t start = max_u64(h->row0, q->d.row0);; --*row) {
		if (bit_at(h, *row))
			return 1;
		if (*row == start)
			break;
	}
	--*row;		/* below row 0 this wraps around: the caller sees an end */
	return 0;
}

static int
seek(struct query *q, uint64_t row, int dir, int64_t deadline, uint64_t *out)
{
	uint64_t	end;

	query_refresh(q);
	end = query_end(q);
	if (dir > 0)
		row = max_u64(row, q->d.row0);
	else if (end > 0)
		row = min_u64(row, end - 1);
	while (row >= q->d.row0 && row < end) {
		const struct view_hits	*h = need(q, row, false, deadline);

		*out = row;
		if (h == NULL)
			return ERR_CANCELED;
		if (h->hits == 0) {
			row = dir > 0 ? h->row0 + h->n : h->row0 - 1;
			continue;
		}
		h = need(q, row, true, deadline);
		if (h == NULL)
			return ERR_CANCELED;
		if (seek_in_view(q, h, dir, &row) == 1) {
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
	int		r;

	lock_take(q->lock);
	r = seek(q, row, dir, deadline, out);
	lock_drop(q->lock);
	return r;
}

unsigned
query_hits_at(struct query *q, uint64_t row, uint64_t *set)
{
	struct view_hits	*h;
	unsigned		 n = 0;

	*set = UINT64_MAX;
	if (q == NULL)
		return 64;
	lock_take(q->lock);
	query_refresh(q);
	*set = 0;
	h = decided_at(&q->d, row);
	for (; h != NULL && n < 64 && row + n < h->row0 + h->known; n++)
		*set |= (uint64_t)bit_at(h, row + n) << n;
	if (n > 0) {
		h->used = ++q->d.clock;
	} else {
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

/*
 * Sums of spans that nobody asks for one by one: each is nested and added, and then forgotten.
 *
 *	spans of a piece that it knows all of (local.c) --------- sums by name
 *	the others, in the order of time -> nesting -> self  ---/
 *					 -> durations -------/
 *
 * Native spans are nested as they come. The others wait as records until all ends are known; then
 * each of several threads takes those of its share of the trace's threads, as spans of different
 * threads don't lie in each other.
 *
 * Invariant: the sums are those that the records would have given.
 */
#include "analysis/spans/stream.h"

#include "analysis/spans/nesting.h"
#include "analysis/spans/states.h"
#include "analysis/spans/sums.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"

#define NOT_CHOSEN	UINT64_MAX
#define RECORDS_FEW	(8u << 10)	/* that no second thread is started for */

struct stream {
	struct spans	*s;
	struct nesting	*nesting;
	struct sums	*sums;
	uint64_t	 found;
};

/* The walk over the records, in several threads. */
struct walk {
	struct stream	*x;
	unsigned	 shares;
	struct lock	*lock;
	unsigned	 taken;			/* shares; under the lock */
};

static void
span_ended(void *arg, uint64_t name, int64_t self, size_t depth)
{
	(void)depth;
	if (name != NOT_CHOSEN)
		sums_put_self(arg, (uint32_t)name, self);
}

struct stream *
stream_new(struct spans *s)
{
	struct stream	*x = mem_zalloc(1, sizeof *x);

	x->s = s;
	x->sums = sums_begin();
	x->nesting = nesting_new(s->t, span_ended, x->sums);
	return x;
}

void
stream_free(struct stream *x)
{
	if (x == NULL)
		return;
	nesting_free(x->nesting);
	sums_free(x->sums);
	mem_free(x);
}

struct sums *
stream_part(const struct stream *x)
{
	return sums_part(x->sums);
}

void
stream_take(struct stream *x, struct sums *p, uint64_t found)
{
	x->found += found;
	sums_take(x->sums, p);
}

void
stream_pass(struct stream *x)
{
	x->found++;
}

static void
add_one(const struct spans *s, struct sums *sums, struct nesting *nesting,
    const struct span_record *r)
{
	uint64_t	name = NOT_CHOSEN;
	int64_t		dur = 0;
	bool		has = spans_dur(s, r, &dur);

	if ((r->flags & SPAN_CHOSEN) != 0) {
		name = r->name;
		sums_put(sums, r, has, dur);
	}
	nesting_add(nesting, r, name, dur);
}

void
stream_add(struct stream *x, const struct span_record *r, size_t n)
{
	x->found += n;
	for (size_t i = 0; i < n; i++)
		add_one(x->s, x->sums, x->nesting, &r[i]);
}

/* ---- records */

/* Those of every so many-th thread. */
static void
share_add(const struct walk *w, unsigned share, struct sums *sums)
{
	const struct spans	*s = w->x->s;
	struct nesting		*nesting = nesting_new(s->t, span_ended, sums);
	uint64_t		 count = scratch_n(s->record);
	size_t			 run;

	for (uint64_t i = 0; i < count; i += run) {
		const struct span_record	*r = scratch_run(s->record, i, &run);

		for (size_t k = 0; k < run; k++) {
			struct span_record	left;

			if (r[k].thread % w->shares != share)
				continue;
			if (r[k].state != SPAN_OPEN) {
				add_one(s, sums, nesting, &r[k]);
				continue;
			}
			left = r[k];
			record_leave(s, &left);
			add_one(s, sums, nesting, &left);
		}
	}
	nesting_end(nesting);
	nesting_free(nesting);
}

static void
walk_some(void *arg)
{
	struct walk	*w = arg;

	lock_take(w->lock);
	while (w->taken < w->shares) {
		unsigned	 share = w->taken++;
		struct sums	*sums = sums_part(w->x->sums);

		lock_drop(w->lock);
		share_add(w, share, sums);
		lock_take(w->lock);
		sums_take(w->x->sums, sums);
		sums_free(sums);
	}
	lock_drop(w->lock);
}

void
stream_records(struct stream *x, unsigned workers)
{
	uint64_t	count = scratch_n(x->s->record);
	struct walk	w = { .x = x, .lock = lock_new() };

	w.shares = (unsigned)min_u64(workers, count / RECORDS_FEW + 1);
	job_all(w.shares, walk_some, &w);
	lock_free(w.lock);
	x->found += count;
}

uint64_t
stream_found(const struct stream *x)
{
	return x->found;
}

struct sums *
stream_end(struct stream *x, unsigned workers)
{
	struct sums	*sums = x->sums;

	nesting_end(x->nesting);
	sums_end(sums, workers);
	x->sums = NULL;
	return sums;
}

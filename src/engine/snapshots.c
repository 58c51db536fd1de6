/*
 * Copies of index data of a whole trace: types, threads, gaps, and the density of events.
 *
 *	segments   [ n events, tmin .. tmax ]	spread over	[ ][ ][ ]  parts of a window
 *
 * Invariant: everything is copied under the lock, so any thread may call this while the index
 * grows. Types are not copied: they never change, and their indexes were learned under the lock.
 */
#include <string.h>

#include "engine/joined/joined.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/engine/trace.h"

/* ---- types and threads */

uint32_t
trace_types(struct trace *t)
{
	return (uint32_t)number_now(t, &t->names.types);
}

const struct event_type *
trace_type(struct trace *t, uint32_t type)
{
	return ((const struct type_rec *)segvec_known(&t->names.types, type))->t;
}

uint32_t
trace_threads(struct trace *t)
{
	return (uint32_t)number_now(t, &t->names.threads);
}

void
trace_thread(struct trace *t, uint32_t thread, struct thread_stat *out)
{
	if (t->joined != NULL) {
		t->joined->ops->thread(t, thread, out);
		return;
	}
	lock_take(t->lock);
	*out = ((struct thread_rec *)segvec_at(&t->names.threads, thread))->s;
	lock_drop(t->lock);
}

/* ---- snapshots */

size_t
trace_type_stats(struct trace *t, struct type_stat **out)
{
	size_t	n;

	if (t->joined != NULL)
		return t->joined->ops->type_stats(t, out);
	lock_take(t->lock);
	n = (size_t)t->names.types.n;
	*out = mem_zalloc(n + 1, sizeof **out);
	for (size_t i = 0; i < n; i++)
		(*out)[i] = (struct type_stat){
			(uint32_t)i, ((struct type_rec *)segvec_at(&t->names.types, i))->c };
	lock_drop(t->lock);
	return n;
}

size_t
trace_thread_stats(struct trace *t, struct thread_stat **out)
{
	size_t	n;

	if (t->joined != NULL)
		return t->joined->ops->thread_stats(t, out);
	lock_take(t->lock);
	n = (size_t)t->names.threads.n;
	*out = mem_zalloc(n + 1, sizeof **out);
	for (size_t i = 0; i < n; i++)
		(*out)[i] = ((struct thread_rec *)segvec_at(&t->names.threads, i))->s;
	lock_drop(t->lock);
	return n;
}

SORT_ORDER(gap_compare, struct gap, RISING(from) RISING(to) RISING(thread) RISING(incarnation)
    RISING(seq_from))

size_t
trace_gaps(struct trace *t, struct gap **out)
{
	size_t	n;

	if (t->joined != NULL) {
		n = t->joined->ops->gaps(t, out);
	} else {
		lock_take(t->lock);
		n = (size_t)t->loss.gaps.n;
		*out = mem_zalloc(n + 1, sizeof **out);
		for (size_t i = 0; i < n; i++)
			(*out)[i] = *(struct gap *)segvec_at(&t->loss.gaps, i);
		lock_drop(t->lock);
	}
	sort_array(*out, n, sizeof **out, gap_compare);
	return n;
}

void
trace_loss(struct trace *t, struct loss *out)
{
	if (t->joined != NULL) {
		t->joined->ops->loss(t, out);
		return;
	}
	lock_take(t->lock);
	*out = t->loss.sum;
	lock_drop(t->lock);
}

/* Events between two times, distributed over bins as if they were spread evenly. */
struct bin_spread {
	double	a, b;		/* the times, as positions in bins */
	size_t	lo, hi;		/* first and last bin */
};

/* The window [from, to) and its bins. If it is small, most segments are outside of it. */
struct spread_over {
	int64_t	from, to;
	double	scale;		/* bins per tick */
	size_t	nbins;
};

/* Doubles of two late times may be the same one. */
static inline double
time_after(int64_t t, int64_t from)
{
	return t >= from ? (double)((uint64_t)t - (uint64_t)from) :
	    -(double)((uint64_t)from - (uint64_t)t);
}

static struct spread_over
spread_over(int64_t from, int64_t to, size_t nbins)
{
	return (struct spread_over){ .from = from, .to = to, .nbins = nbins,
	    .scale = (double)nbins / time_after(to, from) };
}

static inline bool
spread_begin(struct bin_spread *s, int64_t first, int64_t last, const struct spread_over *o)
{
	size_t	nbins = o->nbins;

	if (last < o->from || first >= o->to)
		return false;
	s->a = time_after(first, o->from) * o->scale;
	s->b = time_after(last, o->from) * o->scale;
	if (s->a >= (double)nbins)
		return false;
	s->lo = s->a > 0 ? (size_t)s->a : 0;
	s->hi = s->b < (double)nbins - 1 ? (size_t)s->b : nbins - 1;
	if (s->b - s->a < 1)
		s->hi = s->lo;
	return true;
}

/* The share of bin i in n events. */
static uint64_t
spread_part(const struct bin_spread *s, uint64_t n, size_t i)
{
	double	len = s->b - s->a;
	double	p = s->a > (double)i ? s->a : (double)i;
	double	q = s->b < (double)i + 1 ? s->b : (double)i + 1;

	if (len < 1)
		return n;
	/* Differences of rounded cumulative sums, so that the shares add up to n. */
	return q <= p ? 0 : (uint64_t)((double)n * ((q - s->a) / len) + 0.5) -
	    (uint64_t)((double)n * ((p - s->a) / len) + 0.5);
}

void
trace_density(struct trace *t, int64_t from, int64_t to, uint64_t *bins, size_t n)
{
	struct spread_over	over = spread_over(from, to, n);
	struct bin_spread	s;

	memset(bins, 0, n * sizeof *bins);
	if (n == 0 || to <= from)
		return;
	lock_take(t->lock);
	for (uint64_t i = 0; i < t->index.segments.n; i++) {
		const struct segment	*g = segvec_at(&t->index.segments, i);

		if (!spread_begin(&s, g->tmin, g->tmax, &over))
			continue;
		for (size_t k = s.lo; k <= s.hi; k++)
			bins[k] += spread_part(&s, g->n, k);
	}
	lock_drop(t->lock);
}

/* Counts by thread, and the bins of each thread over which they are spread. */
struct thread_spread {
	const struct thread_counts	*from;
	struct spread_over		 over;
	uint32_t			 threads, *bins;
};

static void
spread_counts(const struct thread_spread *t, const struct segvec *counts,
    const struct count_group *g)
{
	size_t			n = t->over.nbins;
	struct bin_spread	s;

	for (uint32_t i = 0; i < g->n; i++) {
		const struct thread_count	*c = segvec_at(counts, g->count0 + i);

		if (c->thread >= t->threads || !spread_begin(&s, c->first, c->last, &t->over))
			continue;
		for (size_t k = s.lo; k <= s.hi; k++)
			t->bins[c->thread * n + k] += (uint32_t)spread_part(&s, c->n, k);
	}
}

/* Are all events of the group in one bin? */
static bool
is_in_one_bin(const struct count_group *g, const struct bin_spread *s, const struct spread_over *o)
{
	return g->first >= o->from && g->last < o->to && s->b < (double)o->nbins &&
	    (size_t)s->a == (size_t)s->b;
}

/* Spread a group: by its sums if these give the same bins, else by the groups below it. */
static void
spread_group(const struct thread_spread *t, unsigned level, uint64_t i)
{
	const struct count_group	*g = segvec_at(&t->from->group[level], i);
	struct bin_spread		 s;

	if (!spread_begin(&s, g->first, g->last, &t->over))
		return;
	if (level == 0 || (g->summed && is_in_one_bin(g, &s, &t->over))) {
		spread_counts(t, &t->from->count[level], g);
		return;
	}
	for (unsigned k = 0; k < COUNT_GROUP; k++)
		spread_group(t, level - 1, i * COUNT_GROUP + k);
}

/* The lanes of each source in its own time. */
static void
joined_thread_density(struct trace *t, int64_t from, int64_t to, uint32_t threads, uint32_t *bins,
    size_t n)
{
	for (uint32_t i = 0; i < t->joined->n; i++) {
		const struct joined_source	*s = joined_source(t, i);
		size_t				 own = number_now(t, &s->thread);
		uint32_t			*part;

		if (own == 0)
			continue;		/* its clock may not be set yet */
		part = mem_alloc(own * n * sizeof *part);
		trace_thread_density(s->t, clock_from(&s->clock, from), clock_from(&s->clock, to),
		    (uint32_t)own, part, n);
		for (size_t k = 0; k < own; k++) {
			uint32_t	thread = number_in_whole(&s->thread, k);

			if (thread < threads)
				memcpy(bins + thread * n, part + k * n, n * sizeof *bins);
		}
		mem_free(part);
	}
}

void
trace_thread_density(struct trace *t, int64_t from, int64_t to, uint32_t threads, uint32_t *bins,
    size_t n)
{
	const struct thread_spread	s = { .from = &t->index.thread_counts, .bins = bins,
					    .over = spread_over(from, to, n), .threads = threads };
	uint64_t			above = 0;

	memset(bins, 0, threads * n * sizeof *bins);
	if (n == 0 || to <= from)
		return;
	if (t->joined != NULL) {
		if (trace_threads(t) > 0)	/* its index is made */
			joined_thread_density(t, from, to, threads, bins, n);
		return;
	}
	lock_take(t->lock);
	/* In each level, the groups that are not part of a group of the level above. */
	for (unsigned k = COUNT_LEVELS; k-- > 0;) {
		for (uint64_t i = above * COUNT_GROUP; i < s.from->group[k].n; i++)
			spread_group(&s, k, i);
		above = s.from->group[k].n;
	}
	lock_drop(t->lock);
}

/*
 * What the spans of each name come to.
 *
 *	parts	A: sums, durations	a thread each (local.c), with one pool (durs.c)
 *	sums	A + B + the rest	then percentiles, of the pool
 *
 * Invariant: a percentile is the duration of a span, whatever their number.
 */
#include "analysis/spans/sums.h"

#include <string.h>

#include "analysis/spans/durs.h"
#include "tnav/base/mem.h"

struct sums {
	struct span_sum		*sum;		/* by name */
	size_t			 n, cap;
	struct durs		 durs;
	struct dur_pool		*pool;		/* NULL: it is another's, or all is done */
	bool			 no_room;
};

/* Records on their way into sums. */
struct adding {
	struct sums		*n;
	const struct spans	*s;
};

#define DECADE(n)	1 * (n), 2 * (n), 5 * (n)
#define E(n)		INT64_C(1##n)

static const int64_t	bucket_from[SPAN_BUCKETS] = {
	0, DECADE(E()), DECADE(E(0)), DECADE(E(00)), DECADE(E(000)), DECADE(E(0000)),
	DECADE(E(00000)), DECADE(E(000000)), DECADE(E(0000000)), DECADE(E(00000000)),
	DECADE(E(000000000)), DECADE(E(0000000000)), DECADE(E(00000000000)),
	DECADE(E(000000000000)), E(0000000000000),
};

int64_t
span_bucket_from(unsigned bucket)
{
	return bucket_from[bucket];
}

/* Of each power of two. */
static const uint8_t	bucket_of_power[63] = {
	1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11, 12, 13, 14, 15, 16, 17, 18,
	19, 20, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 29, 30, 31, 32, 33,
	34, 35, 36, 37, 38, 38, 39, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40,
	40, 40, 40, 40, 40, 40, 40, 40, 40,
};

/* From one power of two to the next no more than one bucket begins. No guess is to be missed: that
   takes longer than all else here. */
unsigned
span_bucket(int64_t dur)
{
	unsigned	b;

	if (dur <= 0)
		return 0;
	b = bucket_of_power[63 - __builtin_clzll((unsigned long long)dur)];
	return b + (b + 1 < SPAN_BUCKETS && bucket_from[b + 1] <= dur);
}

static void
add_saturated(int64_t *to, int64_t v)
{
	if (__builtin_add_overflow(*to, v, to))
		*to = v < 0 ? INT64_MIN : INT64_MAX;
}

/* One with a duration. */
static inline void
sum_add(struct span_sum *m, int64_t dur, bool doubtful, bool cross)
{
	m->states[SPAN_PAIRED]++;
	m->doubtful += doubtful;
	m->cross += cross;
	if (m->n == 0 || dur < m->min)
		m->min = dur;
	if (m->n == 0 || dur > m->max)
		m->max = dur;
	m->n++;
	add_saturated(&m->total, dur);
	m->bucket[span_bucket(dur)]++;
}

/* The rank of parts of a thousand, from 0. */
static uint64_t
rank_of(uint64_t n, unsigned permille)
{
	uint64_t	k = n / 1000 * permille + (n % 1000 * permille + 999) / 1000;

	return k > 0 ? k - 1 : 0;
}

static void
name_ranks(const struct dur_pool *p, uint32_t name, struct span_sum *m)
{
	const uint64_t	rank[DUR_RANKS] = { rank_of(m->n, 500), rank_of(m->n, 900),
			    rank_of(m->n, 990), rank_of(m->n, 999) };
	int64_t		found[DUR_RANKS];

	dur_pool_ranks(p, name, m->max, rank, found);
	m->p50 = found[0];
	m->p90 = found[1];
	m->p99 = found[2];
	m->p999 = found[3];
}

static inline struct span_sum *
sum_of(struct sums *n, uint32_t name)
{
	if (name >= n->n) {
		n->sum = mem_grow(n->sum, &n->cap, (size_t)name + 1, sizeof *n->sum);
		memset(n->sum + n->n, 0, (name + 1 - n->n) * sizeof *n->sum);
		n->n = (size_t)name + 1;
	}
	return &n->sum[name];
}

/* ---- as they come */

struct sums *
sums_begin(void)
{
	struct sums	*n = mem_zalloc(1, sizeof *n);

	n->pool = dur_pool_new();
	durs_init(&n->durs, n->pool);
	return n;
}

struct sums *
sums_part(const struct sums *of)
{
	struct sums	*n = mem_zalloc(1, sizeof *n);

	durs_init(&n->durs, of->pool);
	return n;
}

void
sums_put(struct sums *n, const struct span_record *r, bool has, int64_t dur)
{
	if (has)
		sums_put_dur(n, r->name, dur, (r->flags & SPAN_DOUBTFUL) != 0,
		    r->thread != r->stop_thread);
	else
		sum_of(n, r->name)->states[r->state]++;
}

void
sums_put_dur(struct sums *n, uint32_t name, int64_t dur, bool doubtful, bool cross)
{
	sum_add(sum_of(n, name), dur, doubtful, cross);
	durs_add(&n->durs, name, dur);
}

void
sums_put_self(struct sums *n, uint32_t name, int64_t self)
{
	add_saturated(&sum_of(n, name)->self, self);
}

static void
sum_join(struct span_sum *m, const struct span_sum *from)
{
	for (unsigned i = 0; i < SPAN_STATES; i++)
		m->states[i] += from->states[i];
	m->doubtful += from->doubtful;
	m->cross += from->cross;
	if (from->n > 0 && (m->n == 0 || from->min < m->min))
		m->min = from->min;
	if (from->n > 0 && (m->n == 0 || from->max > m->max))
		m->max = from->max;
	m->n += from->n;
	add_saturated(&m->total, from->total);
	add_saturated(&m->self, from->self);
	for (unsigned b = 0; b < SPAN_BUCKETS; b++)
		m->bucket[b] += from->bucket[b];
}

void
sums_take(struct sums *n, struct sums *part)
{
	for (size_t i = 0; i < part->n; i++)
		sum_join(sum_of(n, (uint32_t)i), &part->sum[i]);
	durs_give(&part->durs);
}

void
sums_end(struct sums *n)
{
	durs_give(&n->durs);
	n->no_room = dur_pool_no_room(n->pool);
	for (size_t i = 0; i < n->n && !n->no_room; i++)
		if (n->sum[i].n > 0)
			name_ranks(n->pool, (uint32_t)i, &n->sum[i]);
	dur_pool_free(n->pool);
	n->pool = NULL;
}

/* ---- of records */

static void
add_record(void *arg, uint64_t span, const struct span_record *r)
{
	const struct adding	*a = arg;
	int64_t			 dur = 0;
	bool			 has = spans_dur(a->s, r, &dur);

	(void)span;
	sums_put(a->n, r, has, dur);
	if (has)
		sums_put_self(a->n, r->name, r->self);
}

struct sums *
sums_of(const struct span_range *w)
{
	struct adding	a = { sums_begin(), w->s };

	span_range_each(w, add_record, &a);
	if (w->stop == NULL || !atomic_load(w->stop))
		sums_end(a.n);
	return a.n;
}

void
sums_free(struct sums *n)
{
	if (n == NULL)
		return;
	durs_release(&n->durs);
	dur_pool_free(n->pool);
	mem_free(n->sum);
	mem_free(n);
}

/* ---- what they are */

uint64_t
sum_all(const struct span_sum *m)
{
	uint64_t	n = 0;

	for (unsigned i = 0; i < SPAN_STATES; i++)
		n += m->states[i];
	return n;
}

/* Names that came since have no spans. */
const struct span_sum *
sums_at(const struct sums *n, uint32_t i)
{
	static const struct span_sum	none;

	return i < n->n ? &n->sum[i] : &none;
}

const char *
sums_error(const struct sums *n)
{
	return n->no_room ? "no percentiles: no room for a temporary file" :
	    NULL;
}

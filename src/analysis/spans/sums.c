/*
 * What the spans of each name come to.
 *
 *	as they come	counts, totals, self; durations (durs.c)
 *	at the end	percentiles, of the durations
 *
 * Invariant: a percentile is the duration of a span, whatever their number.
 */
#include "analysis/spans/sums.h"

#include <string.h>

#include "tnav/base/mem.h"

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

/* Into two histograms in turn: to count again what was just counted waits for that. */
static void
buckets_add(uint64_t *bucket, const uint32_t *v, uint32_t n)
{
	uint32_t	one[SPAN_BUCKETS] = { 0 }, two[SPAN_BUCKETS] = { 0 }, i;

	for (i = 0; i + 1 < n; i += 2) {
		one[span_bucket(v[i])]++;
		two[span_bucket(v[i + 1])]++;
	}
	if (i < n)
		one[span_bucket(v[i])]++;
	for (i = 0; i < SPAN_BUCKETS; i++)
		bucket[i] += (uint64_t)one[i] + two[i];
}

/* So many durations more. */
static inline void
sum_more(struct span_sum *m, uint64_t n, int64_t min, int64_t max, int64_t total)
{
	if (n == 0)
		return;
	if (m->n == 0 || min < m->min)
		m->min = min;
	if (m->n == 0 || max > m->max)
		m->max = max;
	m->n += n;
	m->total = add_i64(m->total, total);
}

static void
sum_short(struct span_sum *m, const uint32_t *v, uint32_t n)
{
	uint32_t	min = UINT32_MAX, max = 0;
	uint64_t	total = 0;

	for (uint32_t i = 0; i < n; i++) {
		min = v[i] < min ? v[i] : min;
		max = v[i] > max ? v[i] : max;
		total += v[i];
	}
	buckets_add(m->bucket, v, n);
	sum_more(m, n, min, max, (int64_t)total);
}

static void
sum_wide(struct span_sum *m, int64_t dur)
{
	sum_more(m, 1, dur, dur, dur);
	m->bucket[span_bucket(dur)]++;
}

static void
name_ranks(const struct durs *d, uint32_t name, struct span_sum *m)
{
	static const uint32_t	permille[DUR_RANKS] = { 500, 900, 990, 999 };
	uint64_t		rank[DUR_RANKS];
	int64_t			at_rank[DUR_RANKS];

	for (unsigned i = 0; i < DUR_RANKS; i++)
		rank[i] = nearest_rank(m->n, permille[i], 1000) - 1;
	durs_ranks(d, name, m->max, rank, at_rank);
	m->p50 = at_rank[0];
	m->p90 = at_rank[1];
	m->p99 = at_rank[2];
	m->p999 = at_rank[3];
}

static struct span_sum *
sums_add(struct sums *n, uint32_t name)
{
	if (name >= n->n) {
		n->sum = mem_grow(n->sum, &n->cap, (size_t)name + 1, sizeof *n->sum);
		memset(n->sum + n->n, 0, (name + 1 - n->n) * sizeof *n->sum);
		n->n = (size_t)name + 1;
	}
	return &n->sum[name];
}

/* ---- as they come */

/* Many at a time: each alone takes longer than all else that is done for it. */
static void
sum_durs(void *arg, uint32_t name, const uint32_t *v, uint32_t words, bool wide)
{
	struct span_sum	*m = sums_add(arg, name);

	m->states[SPAN_PAIRED] += wide ? words / 2 : words;
	if (!wide)
		sum_short(m, v, words);
	for (uint32_t i = 0; wide && i < words; i += 2)
		sum_wide(m, (int64_t)((uint64_t)v[i + 1] << 32 | v[i]));
}

struct sums *
sums_begin(void)
{
	struct sums	*n = mem_zalloc(1, sizeof *n);

	durs_init(&n->durs, sum_durs, n);
	return n;
}

void
sums_put(struct sums *n, const struct span_record *r, bool has, int64_t dur)
{
	struct span_sum	*m = sums_add(n, r->name);

	if (!has) {
		m->states[r->state]++;
		return;
	}
	m->doubtful += (r->flags & SPAN_DOUBTFUL) != 0;
	m->by_start += (r->flags & SPAN_BY_START) != 0;
	m->cross += r->thread != r->stop_thread;
	durs_add(&n->durs, r->name, dur);
}

void
sums_put_self(struct sums *n, uint32_t name, int64_t self)
{
	struct span_sum	*m = sums_add(n, name);

	m->self = add_i64(m->self, self);
}

void
sums_end(struct sums *n)
{
	durs_give(&n->durs);
	n->no_room = n->durs.no_room;
	for (size_t i = 0; i < n->n && !n->no_room; i++)
		if (n->sum[i].n > 0)
			name_ranks(&n->durs, (uint32_t)i, &n->sum[i]);
	durs_release(&n->durs);
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
	durs_give(&a.n->durs);
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

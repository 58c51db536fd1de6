/*
 * What the spans of each name come to.
 *
 *	durs	[ of name 0 .......... ][ of name 1 ... ]	one after another
 *
 * Percentiles are found by selection. Durations take 8 bytes a span: beyond some 60,000 they lie in
 * a file (io/scratch).
 *
 * Invariant: a percentile is the duration of a span, whatever their number.
 */
#include "analysis/spans/sums.h"

#include "tnav/base/hash.h"
#include "tnav/base/mem.h"
#include "tnav/io/scratch.h"

struct sums {
	struct span_sum		*sum;		/* by name */
	size_t			 n;
	uint64_t		 seed;
	uint64_t		*end;		/* of each name's durations so far */
	struct scratch		*dur;
	bool			 no_room;
};

int64_t
span_bucket_from(unsigned bucket)
{
	static const int64_t	digit[3] = { 1, 2, 5 };
	int64_t			from;

	if (bucket == 0)
		return 0;
	from = digit[(bucket - 1) % 3];
	for (unsigned i = (bucket - 1) / 3; i > 0; i--)
		from *= 10;
	return from;
}

unsigned
span_bucket(int64_t dur)
{
	unsigned	lo = 0, hi = SPAN_BUCKETS - 1;

	while (lo < hi) {
		unsigned	mid = (lo + hi + 1) / 2;

		if (span_bucket_from(mid) <= dur)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

static void
add_saturated(int64_t *to, int64_t v)
{
	if (__builtin_add_overflow(*to, v, to))
		*to = v < 0 ? INT64_MIN : INT64_MAX;
}

static void
sum_add(struct span_sum *m, const struct span_record *r, bool has, int64_t dur)
{
	m->states[r->state]++;
	if (!has)
		return;
	m->doubtful += (r->flags & SPAN_DOUBTFUL) != 0;
	m->cross += r->thread != r->stop_thread;
	if (m->n == 0 || dur < m->min)
		m->min = dur;
	if (m->n == 0 || dur > m->max)
		m->max = dur;
	m->n++;
	add_saturated(&m->total, dur);
	add_saturated(&m->self, r->self);
	m->bucket[span_bucket(dur)]++;
}

static int64_t *
dur_at(const struct sums *n, uint64_t i)
{
	return scratch_at(n->dur, i);
}

static void
dur_swap(const struct sums *n, uint64_t a, uint64_t b)
{
	int64_t	x = *dur_at(n, a);

	*dur_at(n, a) = *dur_at(n, b);
	*dur_at(n, b) = x;
}

/* Of durations [lo, hi), the one that stands at k when they are sorted; those before it stand
   before it afterwards. The pivot is chosen by a seeded hash: nobody can make it slow. */
static int64_t
dur_select(const struct sums *n, uint64_t lo, uint64_t hi, uint64_t k)
{
	while (hi - lo > 1) {
		int64_t		pivot = *dur_at(n, lo + hash_pair(n->seed, lo, hi) % (hi - lo));
		uint64_t	less = lo, more = hi;

		for (uint64_t i = lo; i < more;) {
			int64_t	v = *dur_at(n, i);

			if (v < pivot) {
				dur_swap(n, i, less);
				less++;
				i++;
			} else if (v > pivot) {
				more--;
				dur_swap(n, i, more);
			} else {
				i++;
			}
		}
		if (k < less)
			hi = less;
		else if (k >= more)
			lo = more;
		else
			return pivot;
	}
	return *dur_at(n, lo);
}

/* The rank of parts of a thousand, from 0. */
static uint64_t
rank_of(uint64_t n, unsigned permille)
{
	uint64_t	k = n / 1000 * permille + (n % 1000 * permille + 999) / 1000;

	return k > 0 ? k - 1 : 0;
}

static void
name_ranks(struct sums *n, uint32_t i, uint64_t from)
{
	struct span_sum	*m = &n->sum[i];
	uint64_t	 end = from + m->n;

	if (m->n == 0)
		return;
	m->p999 = dur_select(n, from, end, from + rank_of(m->n, 999));
	m->p99 = dur_select(n, from, from + rank_of(m->n, 999) + 1, from + rank_of(m->n, 990));
	m->p90 = dur_select(n, from, from + rank_of(m->n, 990) + 1, from + rank_of(m->n, 900));
	m->p50 = dur_select(n, from, from + rank_of(m->n, 900) + 1, from + rank_of(m->n, 500));
}

/* Room for the durations of all names, one name behind the other. */
static bool
durs_room(struct sums *n)
{
	uint64_t	all = 0;

	n->end = mem_zalloc(n->n + 1, sizeof *n->end);
	for (size_t i = 0; i < n->n; i++) {
		n->end[i] = all;
		all += n->sum[i].n;
	}
	n->dur = scratch_new(sizeof(int64_t));
	for (uint64_t i = 0; i < all; i++)
		if (scratch_add(n->dur) == NULL)
			return false;
	return true;
}

static void
sums_add(struct sums *n, const struct spans *s, int64_t from, int64_t to, bool durs)
{
	uint64_t	count = spans_count(s);

	for (uint64_t i = 0; i < count; i++) {
		const struct span_record	*r = spans_at(s, i);
		int64_t				 at = r->row != SPAN_NO_ROW ? r->start : r->stop;
		int64_t				 dur = 0;
		bool				 has;

		if ((r->flags & SPAN_CHOSEN) == 0 || at < from || (at >= to && to < INT64_MAX))
			continue;
		has = spans_dur(s, r, &dur);
		if (!durs)
			sum_add(&n->sum[r->name], r, has, dur);
		else if (has)
			*dur_at(n, n->end[r->name]++) = dur;
	}
}

uint64_t
sum_all(const struct span_sum *m)
{
	uint64_t	n = 0;

	for (unsigned i = 0; i < SPAN_STATES; i++)
		n += m->states[i];
	return n;
}

struct sums *
sums_new(const struct spans *s, int64_t from, int64_t to)
{
	struct sums	*n = mem_zalloc(1, sizeof *n);
	uint64_t	 first = 0;

	n->n = spans_names(s);
	n->seed = hash_seed();
	n->sum = mem_zalloc(n->n + 1, sizeof *n->sum);
	sums_add(n, s, from, to, false);
	n->no_room = !durs_room(n);
	if (!n->no_room)
		sums_add(n, s, from, to, true);
	for (size_t i = 0; i < n->n && !n->no_room; i++) {
		name_ranks(n, (uint32_t)i, first);
		first += n->sum[i].n;
	}
	scratch_free(n->dur);
	n->dur = NULL;
	mem_free(n->end);
	n->end = NULL;
	return n;
}

void
sums_free(struct sums *n)
{
	if (n == NULL)
		return;
	mem_free(n->sum);
	mem_free(n);
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
	return n->no_room ? "percentiles are missing: no room for a temporary file" :
	    NULL;
}

/*
 * Percentiles by selection.
 *
 *	before	[ 9 2 7 3 8 1 ]
 *	after	[ 1 2 3 | 7 | 9 8 ]	what is sought stands where it would if all were sorted
 *
 * Invariant: a percentile is one of the values, whatever their number.
 */
#include "analysis/ranks.h"

#include "tnav/base/hash.h"

static int64_t *
value_at(const struct scratch *v, uint64_t i)
{
	return scratch_at(v, i);
}

static void
value_swap(const struct scratch *v, uint64_t a, uint64_t b)
{
	int64_t	x = *value_at(v, a);

	*value_at(v, a) = *value_at(v, b);
	*value_at(v, b) = x;
}

/* Of values [lo, hi), the one that stands at k when they are sorted; those before it stand
   before it afterwards. The pivot is chosen by a seeded hash. */
static int64_t
value_select(const struct scratch *v, uint64_t seed, uint64_t lo, uint64_t hi, uint64_t k)
{
	while (hi - lo > 1) {
		int64_t		pivot = *value_at(v, lo + hash_pair(seed, lo, hi) % (hi - lo));
		uint64_t	less = lo, more = hi;

		for (uint64_t i = lo; i < more;) {
			int64_t	x = *value_at(v, i);

			if (x < pivot) {
				value_swap(v, i, less);
				less++;
				i++;
			} else if (x > pivot) {
				more--;
				value_swap(v, i, more);
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
	return *value_at(v, lo);
}

/* The rank of parts of a thousand, from 0. */
static uint64_t
rank_of(uint64_t n, unsigned permille)
{
	uint64_t	k = n / 1000 * permille + (n % 1000 * permille + 999) / 1000;

	return k > 0 ? k - 1 : 0;
}

void
ranks_find(struct scratch *v, uint64_t seed, uint64_t from, uint64_t n, struct ranks *out)
{
	uint64_t	end = from + n;
	uint64_t	k999 = from + rank_of(n, 999), k99 = from + rank_of(n, 990);
	uint64_t	k90 = from + rank_of(n, 900), k50 = from + rank_of(n, 500);

	out->p999 = value_select(v, seed, from, end, k999);
	out->p99 = value_select(v, seed, from, k999 + 1, k99);
	out->p90 = value_select(v, seed, from, k99 + 1, k90);
	out->p50 = value_select(v, seed, from, k90 + 1, k50);
}

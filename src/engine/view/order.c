/*
 * Sorting events by time that are in file order.
 *
 *	threads write in parallel	A1 A5 A9 | B2 B3 | C1 C7		runs overlap:
 *	sorted together			A1 C1 B2 B3 A5 C7 A9			a stretch
 *	an event later than all before it can begin a stretch; most have a few hundred events
 *
 * The runs of a stretch are merged two by two, within the CPU caches. A stretch of one run is
 * sorted already. A stretch of very many runs, as in formats that write spans when they end, is
 * sorted by radix if times and indexes fit in words: in one step into about as many buckets as
 * there are events, and then by insertion; or, where times are so uneven that many share a bucket,
 * in steps of a few bits.
 *
 * Invariant: events of equal times stay in file order.
 * Format: NetTrace V4, "Event TimeStamp sorting", rule 1.
 */
#include "engine/view/order.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/num.h"

#define RUNS_MANY	64u		/* with so many runs, a radix sort is faster than merging */
#define SORT_BITS	11u
#define SORT_MASK	((1u << SORT_BITS) - 1)
#define BUCKET_MOST	24u		/* words that are sorted by insertion */
#define BUCKET_BITS	17u		/* so many buckets at most */

/* An ascending run, up to the start of the next one. */
struct ascending_run {
	size_t		end;
	int64_t		least;		/* the least time in it and in all later runs */
};

/* Keys of overlapping runs. */
struct overlap {
	struct key_at		*key;
	size_t			 n, all;	/* all: keys that are sorted, these among them */
	struct ascending_run	*run;
	size_t			 runs;
	int64_t			 least, most;	/* times */
};

void
order_room_release(struct order_room *r)
{
	mem_free(r->key);
	mem_free(r->tmp);
	mem_free(r->word);
	mem_free(r->run);
	mem_free(r->count);
	*r = (struct order_room){ .tmp = NULL };
}

/*
 * Merge two adjacent ascending runs; among equal times, those of the first run come first. The
 * merge works from both ends: two independent chains of steps are faster than one. There are no
 * branches on the times, because they could not be predicted.
 */
static void
merge_two(struct key_at *out, const struct key_at *a, size_t na, const struct key_at *b, size_t nb)
{
	const struct key_at	*a_end = a + na, *b_end = b + nb;
	struct key_at		*out_end = out + na + nb;

	while (a < a_end && b < b_end) {
		bool	second = b->ts < a->ts, first;

		*out++ = *(second ? b : a);
		a += !second;
		b += second;
		if (a == a_end || b == b_end)
			break;
		first = b_end[-1].ts < a_end[-1].ts;
		*--out_end = first ? a_end[-1] : b_end[-1];
		a_end -= first;
		b_end -= !first;
	}
	memcpy(out, a, (size_t)(a_end - a) * sizeof *a);
	memcpy(out + (a_end - a), b, (size_t)(b_end - b) * sizeof *b);
}

/* Merge the runs of k, alternating with tmp, which has the same size. Overwrites run. */
static void
merge_runs(struct key_at *k, struct key_at *tmp, struct ascending_run *run, size_t runs)
{
	struct key_at	*in = k, *out = tmp, *swap;

	while (runs > 1) {
		size_t	from = 0, m = 0;

		for (size_t r = 0; r < runs; r += 2) {
			size_t	mid = run[r].end, to = r + 1 < runs ? run[r + 1].end : mid;

			merge_two(out + from, in + from, mid - from, in + mid, to - mid);
			run[m++].end = to;
			from = to;
		}
		swap = in;
		in = out;
		out = swap;
		runs = m;
	}
	if (in != k)
		memcpy(k, in, run[0].end * sizeof *k);
}

/*
 * Replace the count of each digit or bucket by the index of its first number; returns the greatest
 * count.
 */
static uint32_t
counts_to_places(uint32_t *count, size_t n)
{
	uint32_t	to = 0, most = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t	some = count[i];

		count[i] = to;
		to += some;
		most = some > most ? some : most;
	}
	return most;
}

/*
 * A stable radix sort by the bits from shift to end, beginning with the lowest. tmp has the same
 * size as v; the result is one of the two.
 */
static uint64_t *
sort_words(uint64_t *v, uint64_t *tmp, size_t n, unsigned shift, unsigned end)
{
	uint64_t	*swap;

	for (; shift < end; shift += SORT_BITS) {
		uint32_t	count[1u << SORT_BITS] = { 0 };

		for (size_t i = 0; i < n; i++)
			count[v[i] >> shift & SORT_MASK]++;
		(void)counts_to_places(count, sizeof count / sizeof *count);
		for (size_t i = 0; i < n; i++)
			tmp[count[v[i] >> shift & SORT_MASK]++] = v[i];
		swap = v;
		v = tmp;
		tmp = swap;
	}
	return v;
}

/* Sort by the bits from place on words of which few are far from where they belong; stable. */
static void
insert_words(uint64_t *v, size_t n, unsigned place)
{
	for (size_t i = 1; i < n; i++) {
		uint64_t	w = v[i];
		size_t		k = i;

		for (; k > 0 && v[k - 1] >> place > w >> place; k--)
			v[k] = v[k - 1];
		v[k] = w;
	}
}

/* As sort_words(), by the bits from place to end. False: times are too uneven. */
static bool
sort_buckets(const uint64_t *v, uint64_t *out, size_t n, unsigned place, unsigned end,
    struct order_room *o)
{
	unsigned	bits = bits_of(n) < BUCKET_BITS ? bits_of(n) : BUCKET_BITS, shift;

	if (bits > end - place)
		bits = end - place;
	shift = end - bits;
	o->count = mem_grow(o->count, &o->count_cap, (size_t)1 << bits, sizeof *o->count);
	memset(o->count, 0, sizeof *o->count << bits);
	for (size_t i = 0; i < n; i++)
		o->count[v[i] >> shift]++;
	if (counts_to_places(o->count, (size_t)1 << bits) > BUCKET_MOST)
		return false;
	for (size_t i = 0; i < n; i++)
		out[o->count[v[i] >> shift]++] = v[i];
	insert_words(out, n, place);
	return true;
}

/* Sort a stretch by radix, time and index in one word. False: they do not fit. */
static bool
sort_as_words(const struct overlap *s, struct order_room *o)
{
	struct key_at	*k = s->key;
	size_t		 n = s->n;
	unsigned	 place = bits_of(s->all);
	unsigned	 time = bits_of((uint64_t)s->most - (uint64_t)s->least);
	uint64_t	 none = (UINT64_C(1) << place) - 1, *v;

	if (place + time > 64)
		return false;
	o->word = mem_grow(o->word, &o->word_cap, 2 * n, sizeof *o->word);
	for (size_t i = 0; i < n; i++)
		o->word[i] = ((uint64_t)k[i].ts - (uint64_t)s->least) << place | (k[i].at & none);
	v = o->word + n;
	if (!sort_buckets(o->word, v, n, place, place + time, o))
		v = sort_words(o->word, v, n, place, place + time);
	for (size_t i = 0; i < n; i++) {
		uint64_t	at = v[i] & none;

		k[i].ts = (int64_t)((v[i] >> place) + (uint64_t)s->least);
		k[i].at = at != none ? (uint32_t)at : KEY_NOWHERE;
	}
	return true;
}

/* Find the ascending runs; returns how many. */
static size_t
find_runs(const struct key_at *k, size_t n, struct order_room *o)
{
	size_t	from = 0, m = 0;
	int64_t	least = INT64_MAX;

	for (size_t i = 1; i <= n; i++) {
		if (i < n && k[i].ts >= k[i - 1].ts)
			continue;
		ARRAY_ADD(o->run, m, o->run_cap, (struct ascending_run){
		    .end = i, .least = k[from].ts });
		from = i;
	}
	for (size_t r = m; r-- > 0; ) {
		least = o->run[r].least < least ? o->run[r].least : least;
		o->run[r].least = least;
	}
	return m;
}

static void
stretch_sort(const struct overlap *s, struct order_room *o)
{
	if (s->runs > RUNS_MANY && sort_as_words(s, o))
		return;
	o->tmp = mem_grow(o->tmp, &o->tmp_cap, s->n, sizeof *o->tmp);
	merge_runs(s->key, o->tmp, s->run, s->runs);
}

void
keys_sort(struct key_at *k, size_t n, struct order_room *o)
{
	size_t			 runs = n > 0 ? find_runs(k, n, o) : 0, from = 0, first = 0;
	int64_t			 most = INT64_MIN, least = INT64_MIN;
	struct ascending_run	*run = o->run;

	for (size_t r = 0; r < runs; r++) {
		size_t	end = run[r].end;

		if (r == first)
			least = run[r].least;
		most = k[end - 1].ts > most ? k[end - 1].ts : most;
		run[r].end -= from;
		if (r + 1 < runs && run[r + 1].least < most)
			continue;
		if (r > first) {
			stretch_sort(&(struct overlap){ k + from, end - from, n, run + first,
			    r + 1 - first, least, most }, o);
		}
		first = r + 1;
		from = end;
	}
}

/* Move each event to the place of its key, along the cycles of the permutation. */
static void
events_move(struct event *ev, struct key_at *k, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct event	first;
		size_t		to = i;

		if (k[i].at == i)
			continue;
		first = ev[i];
		while (k[to].at != i) {
			size_t	from = k[to].at;

			ev[to] = ev[from];
			k[to].at = (uint32_t)to;
			to = from;
		}
		ev[to] = first;
		k[to].at = (uint32_t)to;
	}
}

void
events_sort(struct event *ev, size_t n, struct order_room *o)
{
	size_t	i = 1;

	while (i < n && ev[i].ts >= ev[i - 1].ts)
		i++;
	if (i >= n)
		return;
	o->key = mem_grow(o->key, &o->key_cap, n, sizeof *o->key);
	for (i = 0; i < n; i++)
		o->key[i] = (struct key_at){ ev[i].ts, (uint32_t)i };
	keys_sort(o->key, n, o);
	events_move(ev, o->key, n);
}

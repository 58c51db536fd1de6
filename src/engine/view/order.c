/*
 * Sorting by time events that are in file order.
 *
 *	threads write side by side	A1 A5 A9 | B2 B3 | C1 C7		runs overlap:
 *	sorted together			A1 C1 B2 B3 A5 C7 A9			a stretch
 *	what is later than all before it is a stretch of its own, usually a few hundred events
 *
 * Runs of a stretch are merged two by two, within the CPU caches. A stretch of one run stays as it
 * is. A stretch of very many runs, as in formats that write spans at their ends, is sorted by bits.
 *
 * Invariant: events of equal times stay in file order.
 * Format: NetTrace V4, "Event TimeStamp sorting", rule 1.
 */
#include "engine/view/order.h"

#include <string.h>

#include "tnav/base/mem.h"

#define RUNS_MANY	64u		/* that take longer to merge than their keys to sort anew */
#define SORT_BITS	11u
#define SORT_MASK	((1u << SORT_BITS) - 1)

/* An ascending run, up to where the next begins. */
struct run {
	size_t		end;
	int64_t		least;		/* time from its begin on, of all that come behind, too */
};

void
order_room_release(struct order_room *r)
{
	mem_free(r->key);
	mem_free(r->tmp);
	mem_free(r->run);
	*r = (struct order_room){ .tmp = NULL };
}

/*
 * Two ascending runs that stand one behind the other to one; of equal times the first's first. From
 * both ends, as each step waits for the one before it; which run is next can't be foreseen, so that
 * no branch depends on it.
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

/* Merge runs of k, ping-pong with tmp, which has room for as many. What is in run is lost. */
static void
merge_runs(struct key_at *k, struct key_at *tmp, struct run *run, size_t runs)
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
 * Sort by the bits in which times differ, some at a time, the last ones first; equal ones stay in
 * their order. tmp has room for as many.
 */
static void
sort_by_bits(struct key_at *k, struct key_at *tmp, size_t n, int64_t least, int64_t most)
{
	uint64_t	 range = (uint64_t)most - (uint64_t)least;
	struct key_at	*in = k, *out = tmp, *swap;

	for (unsigned shift = 0; shift < 64 && range >> shift != 0; shift += SORT_BITS) {
		size_t	count[1u << SORT_BITS] = { 0 }, to = 0;

		for (size_t i = 0; i < n; i++)
			count[((uint64_t)in[i].ts - (uint64_t)least) >> shift & SORT_MASK]++;
		for (size_t i = 0; i <= SORT_MASK; i++) {
			size_t	some = count[i];

			count[i] = to;
			to += some;
		}
		for (size_t i = 0; i < n; i++)
			out[count[((uint64_t)in[i].ts - (uint64_t)least) >> shift &
			    SORT_MASK]++] = in[i];
		swap = in;
		in = out;
		out = swap;
	}
	if (in != k)
		memcpy(k, in, n * sizeof *k);
}

/* How many ascending runs there are. */
static size_t
find_runs(const struct key_at *k, size_t n, struct order_room *o)
{
	size_t	from = 0, m = 0;
	int64_t	least = INT64_MAX;

	for (size_t i = 1; i <= n; i++) {
		if (i < n && k[i].ts >= k[i - 1].ts)
			continue;
		o->run = mem_grow(o->run, &o->run_cap, m + 1, sizeof *o->run);
		o->run[m++] = (struct run){ .end = i, .least = k[from].ts };
		from = i;
	}
	for (size_t r = m; r-- > 0; ) {
		least = o->run[r].least < least ? o->run[r].least : least;
		o->run[r].least = least;
	}
	return m;
}

void
keys_sort(struct key_at *k, size_t n, struct order_room *o)
{
	size_t		 runs = n > 0 ? find_runs(k, n, o) : 0, from = 0, first = 0;
	int64_t		 most = INT64_MIN, least = INT64_MIN;
	struct run	*run = o->run;

	for (size_t r = 0; r < runs; r++) {
		size_t	end = run[r].end;

		if (r == first)
			least = run[r].least;
		most = k[end - 1].ts > most ? k[end - 1].ts : most;
		run[r].end -= from;
		if (r + 1 < runs && run[r + 1].least < most)
			continue;
		if (r > first) {
			o->tmp = mem_grow(o->tmp, &o->tmp_cap, end - from, sizeof *o->tmp);
			if (r - first < RUNS_MANY)
				merge_runs(k + from, o->tmp, run + first, r + 1 - first);
			else
				sort_by_bits(k + from, o->tmp, end - from, least, most);
		}
		first = r + 1;
		from = end;
	}
}

/* Put each event where its key stands: along the cycles of what changes places. */
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

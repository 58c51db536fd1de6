/*
 * Numbers for percentiles.
 *
 *	exact	NUM_U 3 9 12	NUM_I -4	NUM_F 2.5	searched when a rank is requested
 *	sketch	[64, 65) 7  [65, 66) 12 ... [128, 130) 3 ...	64 buckets for each power of 2
 *
 * The value of a bucket is its middle, which differs by less than 1/128 from the numbers in it.
 * Each whole number up to 128 has a bucket of its own.
 *
 * Invariant: both depend on the numbers alone, not on their order or on how they were divided.
 */
#include "engine/pass/ranks.h"

#include <math.h>
#include <string.h>

#include "tnav/base/hash.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

#define BUCKET_SHIFT	46u	/* a double's exponent and 6 more bits are left */

void
ranks_init(struct ranks *s)
{
	*s = (struct ranks){ .whole = true };
}

void
ranks_release(struct ranks *s)
{
	for (unsigned k = 0; k <= NUM_F; k++)
		mem_free(s->v[k]);
	mem_free(s->bucket);
	hashtable_release(&s->table);
	ranks_init(s);
}

/* ---- buckets */

static double
as_double(const struct filter_num *v)
{
	if (v->kind == NUM_F)
		return v->f;
	return v->kind == NUM_I ? (double)v->i : (double)v->u;
}

static int32_t
bucket_index(double v)
{
	double		size = fabs(v);
	uint64_t	bits;
	int32_t		index;

	memcpy(&bits, &size, sizeof bits);
	index = (int32_t)(bits >> BUCKET_SHIFT);
	return v < 0 ? -index - 1 : index;
}

static struct filter_num
bucket_number(int32_t index, bool whole)
{
	uint64_t	bits = (uint64_t)(index < 0 ? -(index + 1) : index) << BUCKET_SHIFT;
	double		v;

	if (bits != 0)
		bits |= (uint64_t)1 << (BUCKET_SHIFT - 1);
	memcpy(&v, &bits, sizeof v);
	if (whole)
		v = floor(v);
	return (struct filter_num){ .kind = NUM_F, .f = index < 0 ? -v : v };
}

static void
bucket_add(struct ranks *s, int32_t index, uint64_t n)
{
	uint64_t	hash = hash_u64((uint32_t)index);

	HASHTABLE_EACH(&s->table, hash, i) {
		if (s->bucket[*i].index == index) {
			s->bucket[*i].n += n;
			return;
		}
	}
	s->bucket = mem_grow(s->bucket, &s->buckets_cap, s->nbuckets + 1, sizeof *s->bucket);
	s->bucket[s->nbuckets] = (struct ranks_bucket){ index, n };
	hashtable_add(&s->table, hash, (uint32_t)s->nbuckets++);
}

/* ---- adding */

void
ranks_add(struct ranks *s, const struct filter_num *v)
{
	enum num_kind	k = v->kind == NUM_I && v->i >= 0 ? NUM_U : v->kind;

	s->n++;
	s->nexact = 0;
	s->sorted = false;
	s->whole &= k != NUM_F;
	if (s->rough) {
		bucket_add(s, bucket_index(as_double(v)), 1);
		return;
	}
	if (s->nv[k] == s->cap[k])
		s->v[k] = mem_grow(s->v[k], &s->cap[k], s->nv[k] + 1, sizeof *s->v[k]);
	s->v[k][s->nv[k]++] = v->u;
}

static struct filter_num
number_at(const struct ranks *s, enum num_kind k, size_t i)
{
	return (struct filter_num){ .kind = k, .u = s->v[k][i] };
}

/* Add the numbers of exact ranks to the buckets of a sketch. */
static void
buckets_fill(struct ranks *s, const struct ranks *from)
{
	for (enum num_kind k = NUM_U; k <= NUM_F; k++) {
		for (size_t i = 0; i < from->nv[k]; i++) {
			struct filter_num	v = number_at(from, k, i);

			bucket_add(s, bucket_index(as_double(&v)), 1);
		}
	}
}

void
ranks_roughen(struct ranks *s)
{
	if (s->rough)
		return;
	s->rough = true;
	s->sorted = false;
	buckets_fill(s, s);
	for (enum num_kind k = NUM_U; k <= NUM_F; k++) {
		mem_free(s->v[k]);
		s->v[k] = NULL;
		s->nv[k] = s->cap[k] = 0;
	}
}

void
ranks_merge(struct ranks *s, const struct ranks *from)
{
	if (from->rough)
		ranks_roughen(s);
	s->n += from->n;
	s->nexact = 0;
	s->sorted = false;
	s->whole &= from->whole;
	for (size_t i = 0; i < from->nbuckets; i++)
		bucket_add(s, from->bucket[i].index, from->bucket[i].n);
	if (s->rough) {
		buckets_fill(s, from);
		return;
	}
	for (enum num_kind k = NUM_U; k <= NUM_F; k++) {
		if (from->nv[k] == 0)
			continue;
		s->v[k] = mem_grow(s->v[k], &s->cap[k], s->nv[k] + from->nv[k], sizeof *s->v[k]);
		memcpy(s->v[k] + s->nv[k], from->v[k], from->nv[k] * sizeof *s->v[k]);
		s->nv[k] += from->nv[k];
	}
}

/* ---- ranks */

#define SIGN	(UINT64_C(1) << 63)
#define FEW	32u		/* so many numbers are sorted by insertion */

/* Map numbers of a kind to unsigned ones of the same order, and back. */
static inline uint64_t
ordered(uint64_t v, enum num_kind k)
{
	if (k == NUM_F && (v & SIGN) != 0)
		return ~v;
	return k == NUM_U ? v : v ^ SIGN;
}

static inline uint64_t
unordered(uint64_t v, enum num_kind k)
{
	if (k == NUM_F && (v & SIGN) == 0)
		return ~v;
	return k == NUM_U ? v : v ^ SIGN;
}

/* The bits in which the numbers differ. */
static uint64_t
differences(const uint64_t *v, size_t n)
{
	uint64_t	differ = 0;

	for (size_t i = 1; i < n; i++)
		differ |= v[i] ^ v[0];
	return differ;
}

/* Keep in v the numbers whose byte at the shift is that of the rank. Returns how many; *rank
   becomes the rank among them. */
static size_t
keep_byte(uint64_t *v, size_t n, unsigned shift, size_t *rank)
{
	size_t	count[256] = { 0 }, kept = 0;
	uint8_t	byte = 0;

	for (size_t i = 0; i < n; i++)
		count[v[i] >> shift & 0xff]++;
	while (*rank >= count[byte])
		*rank -= count[byte++];
	for (size_t i = 0; i < n; i++) {
		v[kept] = v[i];
		kept += (v[i] >> shift & 0xff) == byte;
	}
	return kept;
}

static uint64_t
rank_of_few(uint64_t *v, size_t n, size_t rank)
{
	for (size_t i = 1; i < n; i++) {
		uint64_t	x = v[i];
		size_t		k = i;

		for (; k > 0 && v[k - 1] > x; k--)
			v[k] = v[k - 1];
		v[k] = x;
	}
	return v[rank];
}

/* The number of this rank, from 0: a radix selection, beginning with the highest byte. */
static uint64_t
select_rank(const uint64_t *from, size_t n, size_t rank, enum num_kind k)
{
	uint64_t	*v = mem_alloc(n * sizeof *v), differ, found;

	for (size_t i = 0; i < n; i++)
		v[i] = ordered(from[i], k);
	for (differ = differences(v, n); n > FEW && differ != 0; differ = differences(v, n))
		n = keep_byte(v, n, (63 - (unsigned)__builtin_clzll(differ)) & ~7u, &rank);
	found = differ == 0 ? v[0] : rank_of_few(v, n, rank);
	mem_free(v);
	return unordered(found, k);
}

static void
sort_kind(uint64_t *v, size_t n, enum num_kind k)
{
	for (size_t i = 0; i < n; i++)
		v[i] = ordered(v[i], k);
	sort_array(v, n, sizeof *v, compare_u64);
	for (size_t i = 0; i < n; i++)
		v[i] = unordered(v[i], k);
}

SORT_ORDER(by_index, struct ranks_bucket, RISING(index))

static void
sort_numbers(struct ranks *s)
{
	if (s->sorted)
		return;
	s->sorted = true;
	for (enum num_kind k = NUM_U; k <= NUM_F; k++)
		if (s->nv[k] > 0)
			sort_kind(s->v[k], s->nv[k], k);
}

static void
sort_buckets(struct ranks *s)
{
	if (s->sorted)
		return;
	s->sorted = true;
	sort_array(s->bucket, s->nbuckets, sizeof *s->bucket, by_index);
	hashtable_clear(&s->table);
	for (size_t k = 0; k < s->nbuckets; k++)
		hashtable_add(&s->table, hash_u64((uint32_t)s->bucket[k].index),
		    (uint32_t)k);
}

/* The kind of the next number in order: negative whole numbers come before the others, and floats
   are among both. */
static enum num_kind
next_kind(const struct ranks *s, const size_t *at)
{
	enum num_kind		k = at[NUM_I] < s->nv[NUM_I] ? NUM_I : NUM_U;
	struct filter_num	whole, f;
	int			order;

	if (at[NUM_F] == s->nv[NUM_F])
		return k;
	if (at[k] == s->nv[k])
		return NUM_F;
	whole = number_at(s, k, at[k]);
	f = number_at(s, NUM_F, at[NUM_F]);
	return num_compare(&f, &whole, &order) && order < 0 ? NUM_F : k;
}

static struct filter_num
sorted_rank(struct ranks *s, uint64_t rank)
{
	size_t	at[NUM_F + 1] = { 0 };

	sort_numbers(s);
	for (enum num_kind k = NUM_U; k <= NUM_F; k++)
		if (s->nv[k] == s->n)
			return number_at(s, k, rank - 1);
	while (--rank > 0)
		at[next_kind(s, at)]++;
	return number_at(s, next_kind(s, at), at[next_kind(s, at)]);
}

/* The first requests select the number. For more of them, or for several kinds of numbers, the
   numbers are sorted. */
static struct filter_num
exact_rank(struct ranks *s, uint64_t rank)
{
	for (unsigned i = 0; i < s->nexact; i++)
		if (s->exact[i].rank == rank)
			return s->exact[i].num;
	for (enum num_kind k = NUM_U; k <= NUM_F && s->nexact < RANKS_EXACT; k++) {
		if (s->nv[k] != s->n || s->sorted)
			continue;
		s->exact[s->nexact].rank = rank;
		s->exact[s->nexact].num = (struct filter_num){ .kind = k,
		    .u = select_rank(s->v[k], s->n, rank - 1, k) };
		return s->exact[s->nexact++].num;
	}
	return sorted_rank(s, rank);
}

struct filter_num
ranks_rank(struct ranks *s, uint64_t rank)
{
	size_t	i = 0;

	if (!s->rough)
		return exact_rank(s, rank);
	sort_buckets(s);
	while (i + 1 < s->nbuckets && s->bucket[i].n < rank)
		rank -= s->bucket[i++].n;
	return bucket_number(s->bucket[i].index, s->whole);
}

/*
 * The hash and the hash table: exactly what was added is found, and a file cannot make that slow,
 * because its writer does not know the keys of the hash. Work is counted in slots that were checked.
 */
#include "../support/test.h"
#include "tnav/base/hash.h"
#include "tnav/base/hashtable.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

#define MANY	20000u
#define TOO_MANY	200000u

/* A set of numbers as callers make one. */
struct set {
	uint64_t		*key;
	size_t			 n, cap;
	struct hashtable	 table;
	struct hash_keys	 by;
	uint64_t		 probes;
};

static void
set_init(struct set *s, uint64_t seed)
{
	memset(s, 0, sizeof *s);
	s->by = hash_keys(seed);
}

static void
set_release(struct set *s)
{
	mem_free(s->key);
	hashtable_release(&s->table);
}

/* The place of a key, or -1. */
static long
set_find(struct set *s, uint64_t key)
{
	size_t	at = 0;
	long	found = -1;

	for (uint32_t *i; (i = hashtable_next(&s->table, hash_pair_by(&s->by, key, 0), &at)) != NULL; )
		if (s->key[*i] == key) {
			found = (long)*i;
			break;
		}
	s->probes += at;
	return found;
}

static void
set_add(struct set *s, uint64_t key)
{
	if (set_find(s, key) >= 0)
		return;
	s->key = mem_grow(s->key, &s->cap, s->n + 1, sizeof *s->key);
	s->key[s->n] = key;
	hashtable_add(&s->table, hash_pair_by(&s->by, key, 0), (uint32_t)s->n++);
}

TEST(what_was_added_is_found_and_nothing_else)
{
	struct set	s;

	set_init(&s, 7);
	assert_int_equal(set_find(&s, 0), -1);
	for (uint64_t i = 0; i < MANY; i++)
		set_add(&s, i * i * 3);
	assert_int_equal(s.n, MANY);
	assert_int_equal(s.table.n, MANY);
	for (uint64_t i = 0; i < MANY; i++) {
		assert_int_equal(set_find(&s, i * i * 3), i);
		assert_int_equal(set_find(&s, i * i * 3 + 1), -1);
	}
	assert_true(hashtable_bytes(&s.table) <= MANY * 4 * sizeof(struct hashtable_slot));
	set_release(&s);
}

TEST(all_that_is_under_one_hash_is_found)
{
	struct hashtable	t = { 0 };
	uint64_t		hash = 0x123456789abcdef0u;
	uint64_t		seen = 0;
	size_t			at = 0;

	for (uint32_t i = 0; i < 60; i++)
		hashtable_add(&t, hash, i);
	for (uint32_t *i; (i = hashtable_next(&t, hash, &at)) != NULL; )
		seen |= UINT64_C(1) << *i;
	assert_true(seen == (UINT64_C(1) << 60) - 1);
	at = 0;
	assert_null(hashtable_next(&t, ~hash, &at));
	hashtable_release(&t);
}

TEST(slots_with_room_for_what_comes_do_not_grow)
{
	struct set	s;
	size_t		bytes;

	set_init(&s, 7);
	for (uint64_t i = 0; i < 10; i++)
		set_add(&s, i);
	hashtable_reserve(&s.table, MANY);
	bytes = hashtable_bytes(&s.table);
	for (uint64_t i = 0; i < MANY; i++)
		set_add(&s, 10 + i);
	assert_int_equal(hashtable_bytes(&s.table), bytes);
	for (uint64_t i = 0; i < 10 + MANY; i++)
		assert_int_equal(set_find(&s, i), i);
	set_release(&s);
}

TEST(an_index_can_be_changed_in_place)
{
	struct hashtable	t = { 0 };
	size_t			at = 0;

	hashtable_add(&t, 5, 1);
	*hashtable_next(&t, 5, &at) = 9;
	at = 0;
	assert_int_equal(*hashtable_next(&t, 5, &at), 9);
	hashtable_release(&t);
}

TEST(an_emptied_table_is_empty_and_gives_much_memory_back)
{
	static const struct {
		size_t	n, kept;	/* slots at the most */
	}		round[] = {
		{ 100, 4096 }, { MANY, 8 * MANY }, { 100, 4096 }, { TOO_MANY, 4096 },
	};
	struct set	s;

	set_init(&s, 3);
	for (size_t k = 0; k < sizeof round / sizeof *round; k++) {
		for (uint64_t i = 0; i < round[k].n; i++)
			set_add(&s, i);
		assert_int_equal(s.n, round[k].n);
		hashtable_clear(&s.table);
		s.n = 0;
		assert_int_equal(set_find(&s, 1), -1);
		assert_true(hashtable_bytes(&s.table) <=
		    round[k].kept * sizeof(struct hashtable_slot));
	}
	set_release(&s);
}

/* Make ids whose hashes with this seed select the same slot. */
static size_t
make_colliding(uint64_t seed, uint64_t *key, size_t n)
{
	const struct hash_keys	by = hash_keys(seed);
	uint64_t		id = 0;

	for (size_t i = 0; i < n; id++)
		if ((hashtable_tag(hash_pair_by(&by, id, 0)) >> 1 & 0xfff) == 0)
			key[i++] = id;
	return n;
}

TEST(ids_that_collide_for_one_seed_cost_nothing_for_another)
{
	enum { N = 2000 };
	uint64_t	key[N];
	struct set	known, other;

	make_colliding(12345, key, N);
	set_init(&known, 12345);
	set_init(&other, 12346);
	for (size_t i = 0; i < N; i++) {
		set_add(&known, key[i]);
		set_add(&other, key[i]);
	}
	/* They do collide: each search checks all earlier ones. */
	assert_true(known.probes > (uint64_t)N * N / 4);
	assert_true(other.probes < N * 4);
	set_release(&known);
	set_release(&other);
}

/* Ids as files have them, and as an attacker would choose them: all are spread. */
TEST(any_shape_of_ids_takes_a_few_probes_each)
{
	for (unsigned shape = 0; shape < 47; shape++) {
		struct set	s;

		set_init(&s, 0x5eed + shape);
		for (uint64_t i = 0; i < 5000; i++)
			set_add(&s, i << shape ^ (shape & 1 ? i << 47 : 0));
		assert_true(s.probes < s.n * 4);
		set_release(&s);
	}
}

/* Texts of each length, with each bit flipped: all hashes differ, with several seeds. */
TEST(texts_that_differ_in_one_bit_or_in_length_have_other_hashes)
{
	enum { LENGTHS = 70 };
	uint64_t	*all = mem_alloc(LENGTHS * LENGTHS * 8 * sizeof *all);

	for (uint64_t seed = 0; seed < 3; seed++) {
		const struct hash_keys	by = hash_keys(seed);
		size_t			n = 0;

		for (size_t len = 0; len < LENGTHS; len++) {
			uint8_t	*p = mem_zalloc(len + 1, 1), *exact = mem_alloc(len ? len : 1);

			for (size_t bit = 0; bit < len * 8; bit++) {
				memcpy(exact, p, len);
				exact[bit / 8] ^= (uint8_t)(1u << bit % 8);
				all[n++] = hash_bytes_by(&by, exact, len);
			}
			memcpy(exact, p, len);
			all[n++] = hash_bytes_by(&by, len ? exact : NULL, len);
			mem_free(p);
			mem_free(exact);
		}
		qsort(all, n, sizeof *all, compare_u64);
		for (size_t i = 1; i < n; i++)
			assert_true(all[i] != all[i - 1]);
	}
	mem_free(all);
}

/*
 * Differences in the highest bits of two neighbouring words cancel each other, whatever the seed,
 * in a hash with one multiplication per word.
 */
TEST(differences_do_not_cancel_whatever_the_seed)
{
	for (size_t len = 16; len <= 64; len += 8) {
		for (size_t word = 0; word + 2 <= len / 8; word++) {
			uint8_t		a[64], b[64];
			unsigned	same = 0;

			for (size_t i = 0; i < len; i++)
				a[i] = (uint8_t)(i * 37 + 1);
			memcpy(b, a, len);
			b[word * 8 + 7] ^= 0x80;
			b[word * 8 + 15] ^= 0x80;
			for (uint64_t seed = 0; seed < 1000; seed++) {
				const struct hash_keys	by = hash_keys(seed);

				same += hash_bytes_by(&by, a, len) == hash_bytes_by(&by, b, len);
			}
			assert_int_equal(same, 0);
		}
	}
}

TEST(seeds_differ)
{
	assert_true(hash_seed() != hash_seed());
}

TEST(the_keys_of_the_process_are_made_before_it_begins)
{
	const struct hash_keys	none = { { 0 } }, zero = hash_keys(0);

	assert_memory_not_equal(&hash_own, &none, sizeof none);
	assert_memory_not_equal(&hash_own, &zero, sizeof zero);
	assert_true(hash_u64(1) == hash_pair_by(&hash_own, 1, 0));
}

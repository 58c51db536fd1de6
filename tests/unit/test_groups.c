/*
 * Groups: each key has one entry of its own, whether it is found by its number or by hash, and
 * keeps it when dead entries are dropped.
 */
#include "../support/test.h"
#include "analysis/reports/groups.h"

#define KEYS	9000u

struct entry {
	uint64_t	a, b;
	bool		live;
};

/* Numbers from 0 on, some far apart, and pairs. */
static struct group_key
key_of(uint32_t i)
{
	switch (i % 3) {
	case 0:
		return (struct group_key){ i, 0 };
	case 1:
		return (struct group_key){ i, i % 5 };
	default:
		return (struct group_key){ (uint64_t)i << 20, 0 };
	}
}

static bool
is_live(const void *entry)
{
	return ((const struct entry *)entry)->live;
}

/* Numbers and pairs in a mixed order, so that entries are not in the order of their keys. */
static uint32_t
mixed(uint32_t i)
{
	return i * 7919u % KEYS;
}

static void
fill(struct groups *g)
{
	for (uint32_t i = 0; i < KEYS; i++) {
		struct group_key	k = key_of(mixed(i));
		struct entry		*e;

		assert_null(groups_find(g, k.a, k.b));
		e = groups_get(g, k.a, k.b);
		assert_non_null(e);
		assert_int_equal(e->a, 0);
		*e = (struct entry){ k.a, k.b, mixed(i) % 2 == 0 };
		assert_int_equal(groups_n(g), i + 1);
	}
}

static void
check_found(struct groups *g, bool dropped)
{
	for (uint32_t i = 0; i < KEYS; i++) {
		struct group_key	k = key_of(i);
		const struct entry	*e = groups_find(g, k.a, k.b);

		assert_true((e != NULL) == (!dropped || i % 2 == 0));
		if (e != NULL)
			assert_true(e->a == k.a && e->b == k.b && groups_get(g, k.a, k.b) == e);
	}
}

TEST(each_key_has_its_entry)
{
	struct groups	*g = groups_new(sizeof(struct entry), KEYS);

	fill(g);
	check_found(g, false);
	assert_null(groups_get(g, KEYS, 0));
	assert_null(groups_get(g, 1, KEYS));
	assert_int_equal(groups_beyond(g), 2);
	groups_free(g);
}

TEST(dead_entries_make_room)
{
	struct groups	*g = groups_new(sizeof(struct entry), KEYS);
	struct entry	*e;

	fill(g);
	e = groups_get_live(g, KEYS, 0, is_live);
	assert_non_null(e);
	*e = (struct entry){ KEYS, 0, true };
	assert_int_equal(groups_n(g), KEYS / 2 + 1);
	check_found(g, true);
	groups_free(g);
}

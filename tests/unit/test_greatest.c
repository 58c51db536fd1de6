/*
 * The greatest of many elements, compared with sorting all of them.
 */
#include "../support/noise.h"
#include "../support/test.h"
#include "tnav/base/greatest.h"

#define MANY	500u

/* Larger than the pieces in which elements are swapped. */
struct element {
	uint64_t	value;
	char		filler[150];
	uint64_t	again;
};

static bool
is_better(const void *a, const void *b)
{
	return ((const struct element *)a)->value > ((const struct element *)b)->value;
}

static int
greatest_first(const void *a, const void *b)
{
	const uint64_t	*x = a, *y = b;

	return *x > *y ? -1 : *x < *y;
}

/* Of n elements, sorted now and then. */
static void
check(size_t n, size_t most, uint64_t range, uint64_t sorts)
{
	static uint64_t	all[MANY];
	struct greatest	g;

	greatest_init(&g, sizeof(struct element), most, is_better);
	for (size_t i = 0; i < n; i++) {
		struct element	e = { .value = noise_bits() % range };

		e.again = e.value;
		all[i] = e.value;
		greatest_keep(&g, &e);
		if (noise_bits() % sorts == 0)		/* what is known so far is shown */
			greatest_sort(&g);
	}
	qsort(all, n, sizeof *all, greatest_first);
	greatest_sort(&g);
	greatest_sort(&g);
	assert_int_equal(g.n, n < most ? n : most);
	for (size_t i = 0; i < g.n; i++) {
		const struct element	*e = greatest_at(&g, i);

		assert_int_equal(e->value, all[i]);
		assert_int_equal(e->again, all[i]);
	}
	greatest_release(&g);
}

TEST(the_greatest_are_those_that_sorting_puts_first)
{
	for (unsigned i = 0; i < 300; i++)
		check(1 + noise_bits() % MANY, noise_bits() % 40, 1 + noise_bits() % 1000,
		    1 + noise_bits() % MANY);
	check(MANY, MANY, UINT64_MAX, MANY);
	check(MANY, 1, 2, 1);
}

TEST(of_none_nothing_is_kept)
{
	struct element	e = { .value = 1 };
	struct greatest	g;

	greatest_init(&g, sizeof e, 0, is_better);
	assert_false(greatest_wants(&g, &e));
	greatest_keep(&g, &e);
	assert_int_equal(g.n, 0);
	greatest_sort(&g);
	greatest_release(&g);
}

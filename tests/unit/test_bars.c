/*
 * Spans as bars: the contents of each cell of a lane are compared with a second implementation,
 * which checks each tick. Bars of one depth never overlap.
 */
#include "../support/noise.h"
#include "../support/test.h"
#include "tnav/base/mem.h"
#include "ui/draw/bars.h"

#define SPANS		40u
#define CELLS		30
#define TICKS		10	/* of a cell */
#define FROM		1000
#define TO		(FROM + CELLS * TICKS)

/* Make spans that are nested or apart, in the order of their starts. */
static unsigned
make_nested(struct bar *v, unsigned n, int64_t from, int64_t to, unsigned level)
{
	while (from < to && n < SPANS) {
		int64_t	a = from + (int64_t)(noise_bits() % 40);
		int64_t	b = a + 1 + (int64_t)(noise_bits() % 120);

		if (b > to)
			break;
		v[n++] = (struct bar){ .thread = 1, .name = level, .from = a, .to = b };
		if (level < 4)
			n = make_nested(v, n, a + 1, b, level + 1);
		from = b;
	}
	return n;
}

/* The ticks of a cell that spans of the level cover. */
static unsigned
ticks_of(const struct bar *v, unsigned n, unsigned level, int cell)
{
	unsigned	ticks = 0;

	for (int64_t t = FROM + cell * TICKS; t < FROM + (cell + 1) * TICKS; t++)
		for (unsigned i = 0; i < n; i++)
			ticks += v[i].name == level && v[i].from <= t && t < v[i].to;
	return ticks;
}

TEST(a_cell_has_what_its_ticks_have)
{
	for (unsigned round = 0; round < 200; round++) {
		struct bar	v[SPANS];
		unsigned	n = make_nested(v, 0, FROM - 100, TO + 150, 0);
		struct bars	b;

		bars_init(&b, FROM, TO, CELLS, 3);
		for (unsigned i = 0; i < n; i++)
			if (v[i].to >= FROM && v[i].from < TO)
				bars_add(&b, &v[i]);
		for (unsigned level = 0; level < 5; level++) {
			const float	*share = bars_share(&b, 1, level);

			for (int x = 0; x < CELLS; x++)
				assert_int_equal((unsigned)(share[x] * TICKS + 0.5f),
				    ticks_of(v, n, level, x));
		}
		for (int x = 0; x < CELLS; x++)
			assert_true(bars_share(&b, 0, 0)[x] == 0 && bars_share(&b, 2, 0)[x] == 0);
		bars_release(&b);
	}
}

TEST(spans_that_overlap_stand_one_below_the_other)
{
	struct bars	b;

	bars_init(&b, FROM, TO, CELLS, 1);
	bars_add(&b, &(struct bar){ .from = FROM, .to = FROM + 100 });
	bars_add(&b, &(struct bar){ .from = FROM + 50, .to = FROM + 150 });
	bars_add(&b, &(struct bar){ .from = FROM + 100, .to = FROM + 200 });
	assert_int_equal(b.depths, 2);
	for (int x = 0; x < CELLS; x++) {
		assert_true((bars_share(&b, 0, 0)[x] > 0.9f) == (x < 20));
		assert_true((bars_share(&b, 0, 1)[x] > 0.9f) == (x >= 5 && x < 15));
	}
	bars_release(&b);
}

/* The mark is in the first or the last visible cell of the bar. */
TEST(ends_that_are_cut_are_marked)
{
	struct bars	b;

	bars_init(&b, FROM, TO, CELLS, 1);
	bars_add(&b, &(struct bar){ .from = FROM - 5, .to = FROM + 25 });
	bars_add(&b, &(struct bar){ .from = FROM + 40, .to = FROM + 60, .flags = BAR_DOUBTFUL });
	bars_add(&b, &(struct bar){ .from = FROM + 95, .to = FROM + 95,
	    .flags = BAR_GOES_ON });
	bars_add(&b, &(struct bar){ .from = FROM + 105, .to = FROM + 105,
	    .flags = BAR_FROM_BEFORE });
	bars_add(&b, &(struct bar){ .from = TO - 20, .to = TO + 1 });
	for (int x = 0; x < CELLS; x++) {
		unsigned	is = 0;

		is |= x == 0 || x == 10 ? BAR_FROM_BEFORE : 0u;
		is |= x == 4 || x == 5 ? BAR_DOUBTFUL : 0u;
		is |= x == 9 || x == CELLS - 1 ? BAR_GOES_ON : 0u;
		assert_int_equal(bars_flags(&b, 0, 0)[x], is);
		assert_true((bars_share(&b, 0, 0)[x] > 0) ==
		    (x < 3 || x == 4 || x == 5 || x >= CELLS - 2));
	}
	bars_release(&b);
}

TEST(lanes_of_any_number_are_bounded)
{
	assert_int_equal(bars_lines(10, 200), 10);
	assert_true((uint64_t)bars_lines(UINT32_MAX, 200) * 200 * BARS_DEPTHS <= 4u << 20);
	assert_true(bars_lines(UINT32_MAX, 0) > 0);
}

/*
 * The statistics of a comparison, by hand. tests/check/diff.py has all of them a second time.
 */
#include <math.h>

#include "../support/test.h"

#include "analysis/diff/stats.h"
#include "tnav/analysis/diff.h"
#include "tnav/base/err.h"

static bool
near(double got, double want)
{
	return fabs(got - want) < 1e-6 * (1 + fabs(want));
}

TEST(even_counts_are_not_dispersed)
{
	float			x[4] = { 5, 5, 5, 5 };
	double			e[4] = { 1, 1, 1, 1 }, df;
	struct diff_slices	s = { x, e, 4 };

	assert_true(near(diff_dispersion(&s, 1, &df), 1));
	assert_true(near(df, 3));
}

/* Mean 5: chi-square of slices (25 + 25 + 25 + 25) / 5 = 20, over 3; of pairs 0. */
TEST(dispersion_is_chi_square_over_its_degrees_of_freedom)
{
	float			x[4] = { 0, 10, 0, 10 };
	double			e[4] = { 1, 1, 1, 1 }, df;
	struct diff_slices	s = { x, e, 4 };

	assert_true(near(diff_dispersion(&s, 1, &df), 20.0 / 3));
}

/* Pairs: 0 and 20 with mean 10: (100 + 100) / 10 = 20, over 1. */
TEST(slow_waves_count)
{
	float			x[4] = { 0, 0, 10, 10 };
	double			e[4] = { 1, 1, 1, 1 }, df;
	struct diff_slices	s = { x, e, 4 };

	assert_true(near(diff_dispersion(&s, 1, &df), 20));
}

TEST(the_difference_of_rates_has_the_variance_of_both)
{
	struct diff_rates	r;

	diff_rates(100, 10, 200, 10, 1, 0, &r);
	assert_true(near(r.a, 10) && near(r.b, 20) && near(r.change, 1));
	assert_true(near(r.z, 10 / sqrt(3)));
	assert_true(near(r.low, 1 - 2 * sqrt(3) / 10) && near(r.high, 1 + 2 * sqrt(3) / 10));
	diff_rates(100, 10, 200, 10, 4, 0, &r);
	assert_true(near(r.z, 5 / sqrt(3)));
}

TEST(few_degrees_of_freedom_need_more)
{
	assert_true(near(diff_z_of_t(3, 0), 3));
	assert_true(diff_z_of_t(3.2, 38) < 3 && diff_z_of_t(3.3, 38) > 3);
	assert_true(diff_z_of_t(6, 4) < 3 && diff_z_of_t(7, 4) > 3);
}

TEST(without_exposure_there_is_no_change)
{
	struct diff_rates	r;

	diff_rates(100, 0, 200, 10, 1, 0, &r);
	assert_true(r.z == 0 && isnan(r.change));
	diff_rates(0, 10, 200, 10, 1, 0, &r);
	assert_true(r.z > 3 && isnan(r.change));
}

/* Variances 1 and 1, means 2 and 6: four standard deviations, with 4 degrees of freedom. */
TEST(means_must_lie_apart_by_more_than_values_do)
{
	const struct diff_values	a = { (const double[]){ 1, 2, 3 }, 3, 3 };
	const struct diff_values	b = { (const double[]){ 5, 6, 7 }, 3, 3 };
	const struct diff_values	c = { (const double[]){ 2, 2, 2 }, 3, 3 };

	assert_true(near(diff_mean(&b), 6));
	assert_true(near(diff_means_apart(&a, &b), diff_z_of_t(3, 4)));
	assert_true(near(diff_means_apart(&b, &a), -diff_z_of_t(3, 4)));
	assert_true(diff_means_apart(&c, &c) == 0);
	assert_true(near(diff_lesser(-3, -2), -2) && diff_lesser(-3, 2) == 0);
}

/* Of the squares 42 the products with the next are 26.25: 8 (42 - 26.25) / (42 + 26.25) = 1.8. */
TEST(values_that_follow_each_other_are_worth_fewer)
{
	const double			rising[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	const double			higher[8] = { 9, 10, 11, 12, 13, 14, 15, 16 };
	const double			noise[8] = { 1, -1, 1, -1, 1, -1, 1, -1 };
	const double			level[6] = { 0, 0, 0, 6, 6, 6 };
	const struct diff_values	a = { rising, 8, 2 }, b = { higher, 8, 2 };
	const struct diff_values	c = { rising, 8, 8 }, d = { higher, 8, 8 };
	struct diff_rates		r;

	assert_true(near(diff_worth(rising, 8), 2) && near(diff_worth(noise, 8), 8));
	assert_true(near(diff_worth(level, 6), 2));		/* 6 (54 - 27) / (54 + 27) */
	assert_true(near(diff_worth(rising, 2), 2) && near(diff_worth(rising, 1), 1));
	assert_true(near(diff_worth((const double[]){ 1, 1, 1 }, 3), 3));
	diff_means(&c, &d, 0, &r);
	assert_true(r.z > 3);
	diff_means(&a, &b, 0, &r);
	assert_true(r.z < 3 && near(r.a, 4.5) && near(r.b, 12.5));
}

/* U = 9 of 9: (9 - 4.5) / sqrt(9 / 12 * 7). */
TEST(ranks_that_are_apart_have_the_greatest_u)
{
	struct diff_number	a[3] = { { 3, 0 }, { 1, 0 }, { 2, 0 } };
	struct diff_number	b[3] = { { 6, 0 }, { 5, 0 }, { 4, 0 } };
	double			dispersion;

	assert_true(near(diff_ranks(a, 3, b, 3, &dispersion), 4.5 / sqrt(5.25)));
	assert_true(near(dispersion, 1));
	assert_true(a[0].v == 1 && b[2].v == 6);	/* sorted */
	assert_true(near(diff_ranks(b, 3, a, 3, &dispersion), -4.5 / sqrt(5.25)));
}

TEST(numbers_that_are_all_equal_do_not_differ)
{
	struct diff_number	a[3] = { { 1, 0 }, { 1, 1 }, { 1, 2 } };
	struct diff_number	b[3] = { { 1, 0 }, { 1, 1 }, { 1, 2 } };
	double			dispersion;
	size_t			above;

	assert_true(diff_ranks(a, 3, b, 3, &dispersion) == 0);
	assert_true(diff_tail(a, 3, b, 3, 0.99, &above) == 0);
	assert_int_equal(above, 0);
	assert_true(isnan(diff_apart(a, 3, b, 3, 0.5, 1)));
}

TEST(a_quantile_without_ranks_around_it_has_no_ends)
{
	struct diff_number	v[100];
	struct diff_quantile	q;

	for (unsigned i = 0; i < 100; i++)
		v[i] = (struct diff_number){ i + 1, 0 };
	q = diff_quantile(v, 100, 0.5, 1);
	assert_true(q.v == 50 && q.low == 40 && q.high == 61);
	q = diff_quantile(v, 100, 0.99, 1);
	assert_true(q.v == 99 && q.low == 97 && isinf(q.high));
	q = diff_quantile(v, 1, 0.5, 1);
	assert_true(q.v == 1 && q.low == 0 && isinf(q.high));
}

/* Slices whose medians vary threefold, and sides that lie twofold apart: nothing is shown. */
TEST(parts_of_a_side_that_differ_as_much_explain_a_difference)
{
	struct diff_number	a[60], b[60];

	for (unsigned i = 0; i < 60; i++) {
		a[i] = (struct diff_number){ i / 10 % 2 == 0 ? 100 : 300, i / 10 };
		b[i] = (struct diff_number){ i / 10 % 2 == 0 ? 200 : 600, i / 10 };
	}
	assert_true(fabs(diff_apart(a, 60, b, 60, 0.5, 2)) < DIFF_Z);
	assert_true(diff_apart(a, 60, b, 60, 0.5, 2000) > DIFF_Z);
}

TEST(a_limit_is_a_figure_a_direction_and_a_part_of_one)
{
	static const struct { const char *text; bool above; double change; } cases[] = {
		{ "rate > +10 %", true, 0.1 }, { "rate>10%", true, 0.1 },
		{ " p99.dur < -2.5 % ", false, -0.025 }, { "mean > 0%", true, 0 },
		{ "share <\t-100 %", false, -1 }, { "count > 9e10 %", true, 9e8 },
	};
	static const char *const	bad[] = {
		"", "rate", "rate > ", "rate 10 %", "rate > %", "rate > 10", "rate > 10 % x",
		"rate > 1e11 %", "rate > nan %", "rate > inf %", "rat > 10 %", "rates > 10 %",
	};
	struct diff_limit	limit, other;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(diff_limit_parse(&limit, cases[i].text, test_buf()), ERR_OK);
		assert_int_equal(limit.above, cases[i].above);
		assert_true(near(limit.change, cases[i].change));
	}
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct buf	*why = test_buf();

		assert_int_equal(diff_limit_parse(&limit, bad[i], why), ERR_USAGE);
		assert_true(why->len > 0);
	}
	(void)diff_limit_parse(&limit, "p50.dur > 1 %", test_buf());
	(void)diff_limit_parse(&other, "p99.dur > 1 %", test_buf());
	assert_true(limit.figure != other.figure);
}

/*
 * Aggregates: names, sums and percentiles are compared with results computed here, and merged parts
 * with the whole. Also the behaviour beyond the limits.
 */
#include "../support/counts.h"
#include "../support/data.h"
#include "../support/noise.h"
#include "../support/test.h"
#include "../support/tier.h"
#include "engine/pass/ranks.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/engine/count.h"
#include "tnav/engine/steps.h"

#define TRACE		"demo.nettrace"
#define MANY_KEYS	10000000u
#define FEWER_KEYS	1000000u	/* except in check-all */

/* ---- names */

static void
assert_refused(enum aggregate_kind kind, const char *list, const char *said)
{
	struct aggregates	 a = { .n = 0 };
	struct buf		*why = test_buf();

	assert_true(aggregates_add(&a, kind, list, why) < 0);
	assert_non_null(strstr(buf_str(why), said));
	aggregates_release(&a);
}

TEST(aggregates_have_names_and_each_field_is_kept_once)
{
	static const char *const	 names[] = {
		"p50.Size", "p50.dur", "p99.9.Size", "p99.9.dur", "sum.Size", "max.payload.a b",
	};
	struct aggregates	 a = { .n = 0 };
	struct buf		*why = test_buf();

	assert_int_equal(aggregates_add(&a, AGGREGATE_PCT, "50,99.90:Size, dur", why), 0);
	assert_int_equal(aggregates_add(&a, AGGREGATE_SUM, "Size", why), 0);
	assert_int_equal(aggregates_add(&a, AGGREGATE_MAX, "payload.a b", why), 0);
	assert_int_equal(a.n, sizeof names / sizeof names[0]);
	for (size_t i = 0; i < a.n; i++)
		assert_string_equal(a.v[i].name, names[i]);
	assert_int_equal(a.values.n, 3);
	assert_int_equal(a.v[2].share, 99900000);
	assert_true(aggregates_add(&a, AGGREGATE_PCT, "50.0:dur", why) < 0);
	aggregates_release(&a);
}

TEST(what_is_no_aggregate_is_refused)
{
	assert_refused(AGGREGATE_SUM, "a,a", "twice");
	assert_refused(AGGREGATE_SUM, "", "empty");
	assert_refused(AGGREGATE_PCT, "50", "colon");
	assert_refused(AGGREGATE_PCT, ":a", "not a percentile");
	assert_refused(AGGREGATE_PCT, "0:a", "not a percentile");
	assert_refused(AGGREGATE_PCT, "0.0000001:a", "not a percentile");
	assert_refused(AGGREGATE_PCT, "100.1:a", "not a percentile");
	assert_refused(AGGREGATE_PCT, "5x:a", "not a percentile");
	assert_refused(AGGREGATE_PCT, "5,:a", "not a percentile");
	assert_refused(AGGREGATE_PCT, "5.:a", "not a percentile");
	assert_refused(AGGREGATE_PCT, "5:", "empty");
}

TEST(words_are_fields_and_aggregates)
{
	static const char *const	 names[] = { "sum.Size", "sum.n", "p99.5.dur",
					    "max.odd name" };
	const char		*words = "Name, payload.\"a b\"  sum Size,n  p99.5 dur"
					    " max \"odd name\" ";
	struct aggregates	 a = { .n = 0 };
	struct buf		*why = test_buf();

	assert_int_equal(aggregates_words(&a, words, why), 19);
	assert_int_equal(a.n, 4);
	for (size_t i = 0; i < a.n; i++)
		assert_string_equal(a.v[i].name, names[i]);
	assert_true(aggregates_words(&a, "Name sum", why) < 0);
	assert_non_null(strstr(buf_str(why), "needs a field"));
	assert_true(aggregates_words(&a, "Name p101 x", why) < 0);
	assert_true(aggregates_words(&a, "Name total x", why) < 0);
	aggregates_release(&a);
}

/* ---- steps */

static double
number_of_cell(const struct cell *c)
{
	if (c->kind == CELL_F32 || c->kind == CELL_F64)
		return c->f;
	return c->kind == CELL_I64 || c->kind == CELL_DUR ? (double)c->i : (double)c->u;
}

static void
assert_step(struct cell c, double from, double to)
{
	struct cell	begin = c, end;

	steps_begin(&begin);
	assert_true(number_of_cell(&begin) == from);
	if (to == 0 && from >= 0) {
		assert_false(steps_end(&begin, &end));
		return;
	}
	assert_true(steps_end(&begin, &end));
	assert_true(number_of_cell(&end) == to);
}

TEST(a_number_lies_in_its_step)
{
	struct cell	c = cell_str("text");

	assert_step(cell_u64(0), 0, 1);
	assert_step(cell_u64(1), 1, 2);
	assert_step(cell_u64(37), 20, 50);
	assert_step(cell_u64(99), 50, 100);
	assert_step(cell_u64(UINT64_MAX), 1e19, 0);
	assert_step(cell_i64(-1), -1, 0);
	assert_step(cell_i64(-3), -5, -2);
	assert_step(cell_i64(INT64_MIN), (double)INT64_MIN, -5e18);
	assert_step(cell_dur(INT64_MAX), 5e18, 0);
	assert_step(cell_f64(0.3), 0.2, 0.5);
	assert_step(cell_f64(1e-12), 0, 1e-9);
	assert_step(cell_f64(-0.2), -0.2, -0.1);
	assert_step(cell_f64(1e300), 5e19, 0);
	assert_step((struct cell){ .kind = CELL_F32, .f = (float)0.02 }, (float)0.02, (float)0.05);
	steps_begin(&c);
	assert_int_equal(c.kind, CELL_NONE);
	for (unsigned i = 0; i < 100000; i++) {
		struct cell	x = cell_i64((int64_t)(noise_bits() >> noise_bits() % 64)), a = x;
		struct cell	b;

		steps_begin(&a);
		assert_true(a.i <= x.i);
		if (steps_end(&a, &b))
			assert_true(x.i < b.i);
		else
			assert_true(x.i >= 5000000000000000000);
	}
}

/* ---- samples */

static double
as_double(struct filter_num v)
{
	return v.kind == NUM_F ? v.f : v.kind == NUM_I ? (double)v.i : (double)v.u;
}

/* Numbers of all sizes and both signs, also whole ones. NUM_NONE: of any kind. */
static struct filter_num
random_number(enum num_kind kind)
{
	uint64_t	bits = noise_bits();
	int64_t		whole = (int64_t)(bits >> (11 + noise_bits() % 50));

	if (kind == NUM_F || (kind == NUM_NONE && bits & 1))
		return (struct filter_num){ .kind = NUM_F,
		    .f = (bits & 2 ? -1.0 : 1.0) * (double)whole / 1024 };
	if (kind == NUM_I || (kind == NUM_NONE && bits & 4))
		return (struct filter_num){ .kind = NUM_I, .i = -whole };
	return (struct filter_num){ .kind = NUM_U, .u = (uint64_t)whole };
}

TEST(ranks_are_those_of_the_sorted_numbers)
{
	double	v[500];

	for (unsigned round = 0; round < 100; round++) {
		unsigned	n = 1 + (unsigned)(noise_bits() % 500);
		enum num_kind	kind = (enum num_kind)(round % (NUM_F + 1));
		struct ranks	a, b;

		ranks_init(&a);
		ranks_init(&b);
		for (unsigned i = 0; i < n; i++) {
			struct filter_num	x = random_number(kind);

			v[i] = as_double(x);
			ranks_add(i % 3 ? &a : &b, &x);
		}
		ranks_merge(&a, &b);
		qsort(v, n, sizeof *v, compare_f64);
		assert_true(as_double(ranks_rank(&a, n / 2 + 1)) == v[n / 2]);
		assert_true(as_double(ranks_rank(&a, n - n / 10)) == v[n - n / 10 - 1]);
		for (unsigned i = 0; i < n; i++)
			assert_true(as_double(ranks_rank(&a, i + 1)) == v[i]);
		ranks_release(&a);
		ranks_release(&b);
	}
}

TEST(the_least_of_whole_numbers_and_floats_is_the_whole_one)
{
	struct trace		*t = data_open("features/v6-all-scalars.nettrace");
	struct aggregates	 a = { .n = 0 };
	struct field_list	 by;
	struct counter		*c;
	struct cell		 least;
	struct buf		*why = test_buf();

	assert_int_equal(field_list_init(&by, "provider", why), 0);
	assert_int_equal(aggregates_add(&a, AGGREGATE_MIN, "payload.value", why), 0);
	c = counter_new(t, &by, &(struct count_options){ .keys = 10, .text = 100, .each = true,
	    .aggregates = &a });
	counts_add_rows(c, t, 0, trace_rows(t));
	assert_int_equal(counter_keys(c), 1);
	counter_aggregate(c, 0, &a.v[0], &least);
	assert_int_equal(least.kind, CELL_I64);
	assert_true(least.i == INT64_MIN);	/* of Ev_i64; -1.5 is of Ev_f32 */
	counter_free(c);
	field_list_release(&by);
	aggregates_release(&a);
}

static void
assert_near(double got, double want)
{
	double	off = got > want ? got - want : want - got, size = want < 0 ? -want : want;

	assert_true(off <= size * RANKS_ERROR);
}

TEST(a_sketch_is_as_near_as_it_says_however_it_was_made)
{
	enum { N = 20000 };
	double		*v = mem_zalloc(N, sizeof *v);
	struct ranks	 early, late, part;

	ranks_init(&early);
	ranks_init(&late);
	ranks_init(&part);
	ranks_roughen(&early);
	for (unsigned i = 0; i < N; i++) {
		struct filter_num	x = random_number(NUM_NONE);

		v[i] = as_double(x);
		ranks_add(&early, &x);
		ranks_add(i % 2 ? &late : &part, &x);
	}
	ranks_roughen(&part);
	ranks_merge(&late, &part);
	assert_true(late.rough);
	qsort(v, N, sizeof *v, compare_f64);
	for (unsigned i = 0; i < N; i += 7) {
		double	got = as_double(ranks_rank(&early, i + 1));

		assert_near(got, v[i]);
		assert_true(as_double(ranks_rank(&late, i + 1)) == got);
	}
	ranks_release(&early);
	ranks_release(&late);
	ranks_release(&part);
	mem_free(v);
}

TEST(a_sketch_of_small_whole_numbers_is_exact)
{
	struct ranks	s;

	ranks_init(&s);
	ranks_roughen(&s);
	for (uint64_t i = 0; i <= 128; i++)
		ranks_add(&s, &(struct filter_num){ .kind = NUM_U, .u = i });
	for (uint64_t i = 0; i < 128; i++)
		assert_true(as_double(ranks_rank(&s, i + 1)) == (double)i);
	ranks_release(&s);
}

/* ---- of events */

struct made {
	struct trace		*t;
	struct field_list	 by;
	struct aggregates	 a;
	struct count_options	 o;
};

static void
make(struct made *m, const char *by)
{
	struct buf	*why = test_buf();

	m->t = data_open(TRACE);
	m->a = (struct aggregates){ .n = 0 };
	assert_int_equal(field_list_init(&m->by, by, why), 0);
	assert_int_equal(aggregates_add(&m->a, AGGREGATE_COUNT, "size", why), 0);
	assert_int_equal(aggregates_add(&m->a, AGGREGATE_SUM, "size,t,row", why), 0);
	assert_int_equal(aggregates_add(&m->a, AGGREGATE_AVG, "size,t", why), 0);
	assert_int_equal(aggregates_add(&m->a, AGGREGATE_MIN, "t", why), 0);
	assert_int_equal(aggregates_add(&m->a, AGGREGATE_MAX, "ObjectSize", why), 0);
	assert_int_equal(aggregates_add(&m->a, AGGREGATE_PCT, "1,50,99:size,t", why), 0);
	assert_int_equal(aggregates_add(&m->a, AGGREGATE_DISTINCT, "TypeName,tid", why), 0);
	m->o = (struct count_options){ .keys = 100000, .text = 100, .each = true,
	    .every_ns = 10000000, .aggregates = &m->a };
}

static void
release(struct made *m)
{
	field_list_release(&m->by);
	aggregates_release(&m->a);
}

/* Append all results for a key as text. */
static void
put_key(struct buf *out, struct counter *c, const struct made *m, uint32_t key)
{
	struct cell	cells[8], one;

	if (key != COUNT_BEYOND) {
		(void)counter_cells(c, key, cells);
		for (size_t i = 0; i < counter_width(c); i++) {
			cell_json(out, &cells[i]);
			buf_putc(out, ' ');
		}
	}
	for (size_t i = 0; i < m->a.n; i++) {
		counter_aggregate(c, key, &m->a.v[i], &one);
		buf_printf(out, "%s=", m->a.v[i].name);
		cell_json(out, &one);
		buf_putc(out, ' ');
	}
}

static void
assert_same(struct counter *x, struct counter *y, const struct made *m)
{
	struct buf	*a = test_buf(), *b = test_buf();

	assert_int_equal(counter_keys(x), counter_keys(y));
	for (uint32_t k = 0; k < counter_keys(x); k++) {
		buf_clear(a);
		buf_clear(b);
		put_key(a, x, m, k);
		put_key(b, y, m, k);
		assert_string_equal(buf_str(a), buf_str(b));
	}
	buf_clear(a);
	buf_clear(b);
	put_key(a, x, m, COUNT_BEYOND);
	put_key(b, y, m, COUNT_BEYOND);
	assert_string_equal(buf_str(a), buf_str(b));
	for (size_t i = 0; i < m->a.n; i++) {
		struct count_remarks	p = counter_remarks(x, &m->a.v[i]);
		struct count_remarks	q = counter_remarks(y, &m->a.v[i]);

		assert_memory_equal(&p, &q, sizeof p);
	}
}

static void
count_in_parts(const struct made *m, uint64_t part)
{
	struct counter	*whole = counter_new(m->t, &m->by, &m->o);
	struct counter	*merged = counter_new_part(whole);
	uint64_t	 rows = trace_rows(m->t);

	counts_add_rows(whole, m->t, 0, rows);
	for (uint64_t row = 0; row < rows; row += part) {
		struct counter	*c = counter_new_part(merged);

		counts_add_rows(c, m->t, row, row + part < rows ? row + part : rows);
		counter_merge(merged, c);
		counter_free(c);
	}
	assert_same(whole, merged, m);
	counter_free(merged);
	counter_free(whole);
}

TEST(parts_come_to_what_the_whole_does)
{
	struct made	m;

	make(&m, "name,tid");
	for (uint64_t part = 40; part < 20000; part *= 7)
		count_in_parts(&m, part);
	release(&m);
}

TEST(parts_come_to_what_the_whole_does_beyond_the_limits)
{
	struct made	m;

	make(&m, "name");
	m.o.keys = 100000;
	m.o.limits = (struct count_limits){ .few = 5, .group = 40, .all = 3000, .distinct = 50 };
	for (uint64_t part = 40; part < 20000; part *= 7)
		count_in_parts(&m, part);
	release(&m);
}

TEST(what_is_beyond_the_limits_is_told)
{
	struct made		 m;
	struct counter		*exact, *rough;
	uint64_t		 sketched = 0, capped = 0;
	struct cell		 a, b;

	make(&m, "name");
	m.o.every_ns = 0;
	exact = counter_new(m.t, &m.by, &m.o);
	m.o.limits = (struct count_limits){ .few = 10, .group = 500, .distinct = 2 };
	rough = counter_new(m.t, &m.by, &m.o);
	counts_add_rows(exact, m.t, 0, trace_rows(m.t));
	counts_add_rows(rough, m.t, 0, trace_rows(m.t));
	for (size_t i = 0; i < m.a.n; i++) {
		struct count_remarks	r = counter_remarks(exact, &m.a.v[i]);

		assert_int_equal(r.sketched, 0);
		assert_int_equal(r.capped, 0);
		r = counter_remarks(rough, &m.a.v[i]);
		sketched += r.sketched;
		capped += r.capped;
		for (uint32_t k = 0; k < counter_keys(exact); k++) {
			counter_aggregate(exact, k, &m.a.v[i], &a);
			counter_aggregate(rough, k, &m.a.v[i], &b);
			if (m.a.v[i].kind == AGGREGATE_DISTINCT)
				assert_true(b.u <= a.u);
			else if (m.a.v[i].kind == AGGREGATE_PCT)
				assert_near(as_double((struct filter_num){ NUM_I, .i = b.i }),
				    as_double((struct filter_num){ NUM_I, .i = a.i }));
			else
				assert_int_equal(a.u, b.u);
		}
	}
	assert_true(sketched > 0);
	assert_true(capped > 0);
	counter_free(exact);
	counter_free(rough);
	release(&m);
}

/* As many numbers as a limit says are still ranked exactly. */
TEST(numbers_are_sketched_beyond_a_limit_only)
{
	static const struct { unsigned group, all, few; bool sketched; } less[] = {
		{ 0, 0, 1, false }, { 1, 0, 1, true }, { 0, 1, 1, true }, { 0, 1, 0, false },
	};
	struct made	m;

	make(&m, "pid");
	aggregates_release(&m.a);
	m.a = (struct aggregates){ .n = 0 };
	assert_int_equal(aggregates_add(&m.a, AGGREGATE_PCT, "50:row", NULL), 0);
	m.o.every_ns = 0;
	for (size_t i = 0; i < sizeof less / sizeof *less; i++) {
		uint64_t	 n = trace_rows(m.t);
		struct counter	*c;

		m.o.limits = (struct count_limits){ .group = n - less[i].group,
		    .all = n - less[i].all, .few = n - less[i].few };
		c = counter_new(m.t, &m.by, &m.o);
		counts_add_rows(c, m.t, 0, n);
		assert_int_equal(counter_keys(c), 1);
		assert_int_equal(counter_remarks(c, &m.a.v[0]).sketched, less[i].sketched);
		counter_free(c);
	}
	release(&m);
}

/* Millions of keys take the memory of the limit, and nothing is lost from the sums. */
TEST(sums_are_right_whatever_the_number_of_keys)
{
	enum { KEYS = 1 << 16 };
	struct made		 m;
	struct counter		*c;
	struct event		 e;
	struct cell		 cell;
	uint64_t		 events = 0, rows = 0;
	uint64_t		 many = check_all() ? MANY_KEYS : FEWER_KEYS;

	make(&m, "row");
	aggregates_release(&m.a);
	m.a = (struct aggregates){ .n = 0 };
	assert_int_equal(aggregates_add(&m.a, AGGREGATE_SUM, "row", NULL), 0);
	m.o.keys = KEYS;
	m.o.every_ns = 0;
	c = counter_new(m.t, &m.by, &m.o);
	assert_int_equal(trace_event(m.t, 0, &e), 1);
	for (uint64_t row = 0; row < many; row++)
		counter_add(c, &e, row);
	assert_int_equal(counter_keys(c), KEYS);
	for (uint32_t k = 0; k < KEYS; k++) {
		counter_aggregate(c, k, &m.a.v[0], &cell);
		events += counter_count(c, k)->events;
		rows += cell.u;
	}
	counter_aggregate(c, COUNT_BEYOND, &m.a.v[0], &cell);
	assert_int_equal(events + counter_beyond(c)->events, many);
	assert_int_equal(rows + cell.u, many * (many - 1) / 2);
	assert_int_equal(counter_all(c)->events, many);
	counter_free(c);
	release(&m);
}

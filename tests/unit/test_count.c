/*
 * Counts by value, compared with the index's counts by thread and by type, and with sums computed
 * here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../support/counts.h"
#include "../support/data.h"
#include "tnav/base/mem.h"
#include "tnav/engine/count.h"

#define TRACE	"features/v6-threads.nettrace"

struct made {
	struct trace		*t;
	struct field_list	 by;
	struct counter		*c;
};

static void
make(struct made *m, const char *name, const char *by, const struct count_options *o)
{
	struct buf	why;

	buf_init(&why);
	m->t = data_open(name);
	assert_int_equal(field_list_init(&m->by, by, &why), 0);
	m->c = counter_new(m->t, &m->by, o);
	buf_release(&why);
}

static void
release(struct made *m)
{
	counter_free(m->c);
	field_list_release(&m->by);
	trace_close(m->t);
}

static const struct count_options	all = { .keys = 1000, .text = 100 };

static void
test_what_types_decide_is_counted_alike_by_events_and_by_the_index(void **state)
{
	struct made	 m;
	struct counter	*walked;

	(void)state;
	make(&m, "demo.nettrace", "provider,name", &all);
	walked = counter_new(m.t, &m.by, &all);
	assert_true(counter_add_index(m.c, NULL));
	counts_add_rows(walked, m.t, 0, trace_rows(m.t));
	assert_int_equal(counter_keys(m.c), counter_keys(walked));
	assert_memory_equal(counter_all(m.c), counter_all(walked), sizeof(struct count));
	counter_free(walked);
	release(&m);
}

/* The events that match, counted one by one. */
static void
add_matching(struct counter *c, struct trace *t, struct filter_eval *eval)
{
	struct event	e;

	for (uint64_t row = 0; row < trace_rows(t); row++) {
		assert_int_equal(trace_event(t, row, &e), 1);
		if (filter_match(eval, &e))
			counter_add(c, &e, row);
	}
}

static void
test_a_filter_on_types_is_counted_without_decoding(void **state)
{
	static const struct {
		const char	*text;
		bool		 by_types;
	} filters[] = {
		{ "name ~ a", true }, { "provider != Microsoft-Windows-DotNETRuntime", true },
		{ "not (level > 4 or id < 20)", true }, { "name ~ a and tid > 0", false },
		{ "/a/", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
		struct made		 m;
		struct counter		*walked;
		struct filter_error	 why;
		struct filter		*f;
		struct filter_eval	*eval;
		uint64_t		 before;

		make(&m, "demo.nettrace", "provider,name", &all);
		filter_error_init(&why);
		assert_int_equal(filter_new(&f, filters[i].text, strlen(filters[i].text), m.t,
		    true, 0, &why), 0);
		filter_error_release(&why);
		eval = filter_eval_new(f, m.t);
		before = data_decoded(m.t);
		assert_int_equal(counter_add_index(m.c, eval), filters[i].by_types);
		assert_int_equal(data_decoded(m.t), before);
		walked = counter_new(m.t, &m.by, &all);
		add_matching(walked, m.t, eval);
		if (filters[i].by_types) {
			assert_true(counter_all(walked)->events > 0);
			assert_int_equal(counter_keys(m.c), counter_keys(walked));
			assert_memory_equal(counter_all(m.c), counter_all(walked),
			    sizeof(struct count));
		} else {
			assert_int_equal(counter_keys(m.c), 0);
		}
		counter_free(walked);
		filter_eval_free(eval);
		filter_free(f);
		release(&m);
	}
}

static void
test_threads_have_the_counts_of_the_index(void **state)
{
	struct made		 m;
	struct thread_stat	*st;
	size_t			 n;
	struct cell		 c;
	uint64_t		 found = 0;

	(void)state;
	make(&m, "demo.nettrace", "tid", &all);
	assert_false(counter_add_index(m.c, NULL));
	counts_add_rows(m.c, m.t, 0, trace_rows(m.t));
	n = trace_thread_stats(m.t, &st);
	for (uint32_t k = 0; k < counter_keys(m.c); k++) {
		assert_true(counter_cells(m.c, k, &c));
		for (size_t i = 0; i < n; i++) {
			if (c.kind != CELL_U64 || !st[i].has_tid || st[i].tid != c.u)
				continue;
			assert_int_equal(counter_count(m.c, k)->events, st[i].c.events);
			assert_int_equal(counter_count(m.c, k)->bytes, st[i].c.bytes);
			found++;
		}
	}
	assert_true(found > 1);
	assert_int_equal(counter_all(m.c)->events, trace_rows(m.t));
	mem_free(st);
	release(&m);
}

static void
test_keys_beyond_the_limit_are_counted_together(void **state)
{
	const struct count_options	 two = { .keys = 2, .text = 100 };
	struct made			 m;
	uint64_t			 sum = 0;

	(void)state;
	make(&m, TRACE, "row", &two);
	counts_add_rows(m.c, m.t, 0, trace_rows(m.t));
	assert_int_equal(counter_keys(m.c), 2);
	for (uint32_t k = 0; k < 2; k++)
		sum += counter_count(m.c, k)->events;
	assert_int_equal(sum, 2);
	assert_int_equal(counter_beyond(m.c)->events, trace_rows(m.t) - 2);
	release(&m);
}

static void
test_events_without_the_field_have_a_key_or_are_left_out(void **state)
{
	const struct count_options	 skip = { .keys = 10, .text = 100, .skip = true };
	struct made			 m;
	struct counter			*kept;
	struct cell			 c;

	(void)state;
	make(&m, TRACE, "nothing", &skip);
	kept = counter_new(m.t, &m.by, &all);
	counts_add_rows(m.c, m.t, 0, 3);
	counts_add_rows(kept, m.t, 0, 3);
	assert_int_equal(counter_keys(m.c), 0);
	assert_int_equal(counter_without(m.c)->events, 3);
	assert_int_equal(counter_keys(kept), 1);
	assert_true(counter_cells(kept, 0, &c));
	assert_int_equal(c.kind, CELL_NONE);
	counter_free(kept);
	release(&m);
}

static void
test_a_text_that_is_cut_is_told(void **state)
{
	const struct count_options	 one = { .keys = 10, .text = 1 };
	struct made			 m;
	struct cell			 c;

	(void)state;
	make(&m, TRACE, "provider", &one);
	counts_add_rows(m.c, m.t, 0, 1);
	assert_false(counter_cells(m.c, 0, &c));
	assert_int_equal(c.text.len, 1);
	release(&m);
}

static void
test_most_events_come_first_and_bins_add_up(void **state)
{
	struct count_options	 o = { .keys = 1000, .text = 100, .bins = true };
	struct made		 m;
	uint32_t		*order;

	(void)state;
	make(&m, "demo.nettrace", "name", &o);
	counter_free(m.c);
	m.c = counter_new(m.t, &m.by, &o);
	counts_add_rows(m.c, m.t, 0, trace_rows(m.t));
	order = mem_zalloc(counter_keys(m.c), sizeof *order);
	counter_order(m.c, order);
	for (uint32_t i = 0; i < counter_keys(m.c); i++) {
		const struct count	*n = counter_count(m.c, order[i]);
		uint64_t		 sum = 0, bins[COUNT_BINS];

		if (i > 0)
			assert_true(n->events <= counter_count(m.c, order[i - 1])->events);
		for (unsigned k = 0, nbins = counter_bins(m.c, order[i], bins); k < nbins; k++)
			sum += bins[k];
		assert_int_equal(sum, n->events);
	}
	mem_free(order);
	release(&m);
}

static void
assert_same(const struct counter *a, const struct counter *b, size_t nby)
{
	uint64_t	p[COUNT_BINS] = { 0 }, q[COUNT_BINS] = { 0 };
	struct cell	x[4], y[4];

	assert_memory_equal(counter_all(a), counter_all(b), sizeof(struct count));
	assert_memory_equal(counter_beyond(a), counter_beyond(b), sizeof(struct count));
	assert_memory_equal(counter_without(a), counter_without(b), sizeof(struct count));
	assert_int_equal(counter_keys(a), counter_keys(b));
	for (uint32_t k = 0; k < counter_keys(a); k++) {
		assert_memory_equal(counter_count(a, k), counter_count(b, k),
		    sizeof(struct count));
		assert_int_equal(counter_bins(a, k, p), counter_bins(b, k, q));
		assert_memory_equal(p, q, sizeof p);
		assert_int_equal(counter_cells(a, k, x), counter_cells(b, k, y));
		for (size_t i = 0; i < nby; i++) {
			struct buf	one, other;

			buf_init(&one);
			buf_init(&other);
			cell_json(&one, &x[i]);
			cell_json(&other, &y[i]);
			assert_int_equal(x[i].kind, y[i].kind);
			assert_string_equal(buf_str(&one), buf_str(&other));
			buf_release(&one);
			buf_release(&other);
		}
	}
}

static void
count_in_parts(const char *by, struct count_options o, uint64_t part)
{
	struct made	 m;
	struct counter	*merged;
	uint64_t	 rows;

	make(&m, "demo.nettrace", by, &o);
	counter_free(m.c);
	o.bins = true;
	m.c = counter_new(m.t, &m.by, &o);
	rows = trace_rows(m.t);
	counts_add_rows(m.c, m.t, 0, rows);
	merged = counter_new(m.t, &m.by, &o);
	for (uint64_t row = 0; row < rows; row += part) {
		struct counter	*c = counter_new(m.t, &m.by, &o);

		counts_add_rows(c, m.t, row, row + part < rows ? row + part : rows);
		counter_merge(merged, c);
		counter_free(c);
	}
	assert_same(m.c, merged, m.by.n);
	counter_free(merged);
	release(&m);
}

static void
test_merged_parts_are_what_one_state_counts(void **state)
{
	(void)state;
	for (uint64_t part = 1; part < 5000; part = part * 3 + 1) {
		count_in_parts("name", all, part);
		count_in_parts("tid,Reason,payload.nothing", all, part);
		count_in_parts("thread", (struct count_options){ .keys = 1000, .text = 3,
		    .skip = true }, part);
	}
}

static void
test_keys_beyond_the_limit_are_merged_together(void **state)
{
	(void)state;
	count_in_parts("row", (struct count_options){ .keys = 50, .text = 100 }, 7);
	count_in_parts("row", (struct count_options){ .keys = 50, .text = 100 }, 50);
	count_in_parts("Depth", (struct count_options){ .keys = 1, .text = 100, .skip = true }, 1);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_what_types_decide_is_counted_alike_by_events_and_by_the_index),
		cmocka_unit_test(test_a_filter_on_types_is_counted_without_decoding),
		cmocka_unit_test(test_threads_have_the_counts_of_the_index),
		cmocka_unit_test(test_keys_beyond_the_limit_are_counted_together),
		cmocka_unit_test(test_events_without_the_field_have_a_key_or_are_left_out),
		cmocka_unit_test(test_a_text_that_is_cut_is_told),
		cmocka_unit_test(test_most_events_come_first_and_bins_add_up),
		cmocka_unit_test(test_merged_parts_are_what_one_state_counts),
		cmocka_unit_test(test_keys_beyond_the_limit_are_merged_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

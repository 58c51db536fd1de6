/*
 * The events with the greatest values, against a walk over all rows that sorts them.
 */
#include "../support/data.h"
#include "../support/test.h"
#include "tnav/analysis/top.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/engine/deltas.h"

struct found {
	uint64_t	value, row, off;
};

SORT_ORDER(by_value, struct found, FALLING(value) RISING(row))

/* All rows with their values, sorted, the greatest first. */
static size_t
walk(struct trace *t, bool delta, struct filter_eval *only, struct found **out)
{
	uint64_t	 rows = trace_rows(t);
	uint32_t	 threads = trace_threads(t);
	int64_t		*last = mem_zalloc(threads + 1, sizeof *last);
	bool		*met = mem_zalloc(threads + 1, sizeof *met);
	size_t		 n = 0;
	struct event	 e;

	*out = mem_zalloc(rows + 1, sizeof **out);
	for (uint64_t row = 0; row < rows; row++) {
		bool	has;

		assert_int_equal(trace_event(t, row, &e), 1);
		has = !delta || (e.thread < threads && met[e.thread]);
		if (has && (only == NULL || filter_match_row(only, &e, row)))
			(*out)[n++] = (struct found){ delta ? (uint64_t)(trace_ns(t, e.ts) -
			    trace_ns(t, last[e.thread])) : e.size, row, e.off };
		if (e.thread < threads) {
			met[e.thread] = true;
			last[e.thread] = e.ts;
		}
	}
	mem_free(last);
	mem_free(met);
	qsort(*out, n, sizeof **out, by_value);
	return n;
}

static void
compare(struct trace *t, struct top *top, bool delta, const struct filter *f, size_t most)
{
	struct filter_eval	*only = f != NULL ? filter_eval_new(f, t) : NULL;
	struct found		*want;
	size_t			 n = walk(t, delta, only, &want), left = n < most ? n : most;

	assert_int_equal(top_rows(top), left);
	top_sort(top);
	for (size_t i = 0; i < left; i++) {
		assert_true(top_row(top, i)->value == (long double)want[i].value);
		assert_int_equal(top_row(top, i)->off, want[i].off);
	}
	assert_int_equal(top_counted(top), n);
	filter_eval_free(only);
	mem_free(want);
}

static void
one_trace(const char *name, const char *expr)
{
	struct trace		*t = data_open(name);
	struct pass_options	 o = { .order = PASS_ANY };
	struct pass_result	 result;
	struct filter_error	 err = { 0 };
	struct filter		*f = NULL;
	struct field_ref	 ref;
	struct buf		*why = test_buf();
	struct top		*top;
	struct deltas		*d;

	if (expr != NULL)
		assert_int_equal(filter_new(&f, expr, strlen(expr), t, false, 0, &err), 0);
	filter_error_release(&err);
	assert_int_equal(deltas_new(&d, t, &(struct pass_options){ .tick = NULL }, &result), 0);
	trace_lend(t, DERIVED_DELTAS, d);
	for (unsigned workers = 1; workers < 8; workers += 3) {
		for (size_t most = 1; most < 100000; most *= 37) {
			assert_int_equal(field_ref_init(&ref, "size", 4, why), 0);
			top = top_new(t, &ref, most);
			o.filter = f;
			o.order = PASS_ANY;
			o.workers = workers;
			assert_int_equal(pass_run(t, &o, &top_ops, top, &result), 0);
			compare(t, top, false, f, most);
			top_free(top);
			field_ref_release(&ref);
			assert_int_equal(field_ref_init(&ref, "delta", 5, why), 0);
			top = top_new(t, &ref, most);
			o.order = PASS_TIME;
			assert_int_equal(pass_run(t, &o, &top_ops, top, &result), 0);
			compare(t, top, true, f, most);
			top_free(top);
			field_ref_release(&ref);
		}
	}
	trace_lend(t, DERIVED_DELTAS, NULL);
	deltas_free(d);
	filter_free(f);
}

TEST(the_greatest_are_those_of_a_walk_over_all_rows)
{
	one_trace("demo.nettrace", NULL);
	one_trace("demo.nettrace", "name ~ \"^GC/\" and tid > 12");
	one_trace("features/v6-out-of-order-threads.nettrace", NULL);
	one_trace("features/v4-dropped-events.nettrace", "n > 5");
}

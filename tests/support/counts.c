/*
 * Counting events one by one.
 */
#include "counts.h"

#include "asserts.h"

void
counts_add_rows(struct counter *c, struct trace *t, uint64_t from, uint64_t to)
{
	struct event	e;

	for (uint64_t row = from; row < to; row++) {
		assert_int_equal(trace_event(t, row, &e), 1);
		counter_add(c, &e, row);
	}
}

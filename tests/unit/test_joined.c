/*
 * Several traces as one: what can't be seen from the program's output. See also
 * tests/check/joined.py and rotated.py.
 */
#include <string.h>

#include "../support/data.h"
#include "../support/test.h"
#include "tnav/base/diag.h"
#include "tnav/base/mem.h"
#include "tnav/engine/joined.h"

#define ONE	"tests/data/rotated/1.nettrace"		/* of one program */
#define TWO	"tests/data/rotated/2.nettrace"

static struct trace *
open_one(const char *name)
{
	struct trace	*t;

	assert_int_equal(trace_open(&t, data_path(name), NULL, test_buf()), 0);
	return t;
}

static void
close_trace(void *t)
{
	trace_close(t);
}

/* Two files as one; repeats: as in struct trace_join. */
static struct trace *
join(const char *a, const char *b, uint64_t repeats)
{
	struct trace	*t, *two[] = { open_one(a), open_one(b) };

	assert_int_equal(trace_join(&t, two, 2, &(struct trace_join){ .repeats = repeats }, NULL,
	    test_buf()), 0);
	test_later(close_trace, t);
	trace_index_start(t);
	assert_true(trace_index_wait(t, -1));
	return t;
}

TEST(more_events_of_one_time_than_the_limit_are_shown_twice_and_this_is_said)
{
	struct trace	*few = join(ONE, TWO, 0), *many = join(ONE, TWO, 10);
	struct finding	*list;

	assert_int_equal(trace_rows(many), trace_rows(trace_source(many, 0)) +
	    trace_rows(trace_source(many, 1)));
	assert_in_range(trace_rows(few), 1, trace_rows(many) - 300);
	assert_int_equal(diag_list(trace_diag(few), &list), 0);
	mem_free(list);
	assert_int_equal(diag_list(trace_diag(many), &list), 1);
	assert_int_equal(list[0].kind, FIND_LIMIT);
	assert_non_null(strstr(list[0].text, "2.nettrace: these are shown twice"));
	assert_true(trace_clean(many));
	mem_free(list);
}

/* Events of a file and of the same one again lie in turn, with the same numbers of stacks. */
TEST(a_number_of_a_stack_means_the_same_while_other_sources_have_their_turn)
{
	struct trace		*alone = data_open_path(data_path(ONE), NULL);
	struct trace		*both = join(ONE, ONE, 0);
	struct stack_scope	 one = { .numbers = 0 }, two = { .numbers = 0 };
	struct event		 e;
	unsigned		 seen = 0;

	for (uint64_t row = 0; trace_event(alone, row, &e) == 1; row++)
		if (e.stack != 0)
			assert_true(trace_stack_scope(alone, &e, &one));
	for (uint64_t row = 0; trace_event(both, row, &e) == 1; row++) {
		if (e.stack == 0)
			continue;
		assert_true(trace_stack_scope(both, &e, &two));
		assert_true(stack_scope_has(&two, &e));
		assert_int_equal(two.now.base >> EVENT_SOURCE_SHIFT, event_source(&e));
		seen++;
	}
	assert_in_range(seen, 1000, 2000);
	assert_in_range(one.numbers, 1, 20);
	assert_int_equal(two.numbers, 2 * one.numbers);
}

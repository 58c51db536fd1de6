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

/* Two files of one program as one; repeats: as in struct trace_join. */
static struct trace *
join_rotated(uint64_t repeats)
{
	struct trace	*t, *two[] = { open_one("tests/data/rotated/1.nettrace"),
			    open_one("tests/data/rotated/2.nettrace") };

	assert_int_equal(trace_join(&t, two, 2, &(struct trace_join){ .repeats = repeats }, NULL,
	    test_buf()), 0);
	test_later(close_trace, t);
	trace_index_start(t);
	assert_true(trace_index_wait(t, -1));
	return t;
}

TEST(more_events_of_one_time_than_the_limit_are_shown_twice_and_this_is_said)
{
	struct trace	*few = join_rotated(0), *many = join_rotated(10);
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

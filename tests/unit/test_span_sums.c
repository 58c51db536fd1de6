/*
 * Sums of spans. Workers add up spans that begin and end in one piece, and one thread the others.
 * The result is equal to adding up the spans one by one, wherever they begin and end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/written.h"
#include "tnav/analysis/spans.h"
#include "tnav/base/err.h"
#include "tnav/base/limits.h"

#define EVENTS		30000u
#define EVENTS_MANY	150000u		/* so many that several threads share what is left */
#define THREADS		5u
#define TPL		"System.Threading.Tasks.TplEventSource"
#define FRAMEWORK	"System.Diagnostics.Eventing.FrameworkEventSource"

static uint64_t	seed;
static uint32_t	events;

static uint32_t
random_below(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 20) % n;
}

static const struct nt4_field	task[] = { { NT4_I32, "TaskID" } };
static const struct nt4_field	work[] = { { NT4_I64, "workID" } };

/* Pairs by each rule, an event that ends one span and begins others, and two that begin at once. */
static const struct type {
	const char		*provider, *name;
	const struct nt4_field	*field;
} types[] = {
	{ "Demo", "OrderStart", NULL }, { "Demo", "OrderStop", NULL },
	{ "Demo", "StepStart", NULL }, { "Demo", "StepStop", NULL },
	{ FRAMEWORK, "ThreadPoolEnqueueWork", work }, { FRAMEWORK, "ThreadPoolDequeueWork", work },
	{ TPL, "TaskScheduled", task }, { TPL, "TaskStarted", task },
	{ TPL, "TaskCompleted", task }, { TPL, "TaskWaitBegin", task },
	{ TPL, "TaskWaitEnd", task }, { TPL, "TaskWaitContinuationComplete", task },
	{ TPL, "TraceSynchronousWorkBegin", task }, { TPL, "TraceSynchronousWorkEnd", task },
	{ "Demo", "Nothing", NULL },
};
#define TYPES	(sizeof types / sizeof *types)

static void
write_event(struct nt4_writer *w, int64_t ts, uint32_t *seq, const uint64_t *tid)
{
	uint32_t		thread = random_below(THREADS);
	uint8_t			payload[8] = { (uint8_t)random_below(4) };
	struct nt4_event	e = { .ts = ts, .tid = tid[thread], .capture = tid[thread],
				    .payload = payload };

	e.mid = 1 + random_below((uint32_t)TYPES);
	if (types[e.mid - 1].field != NULL)
		e.size = types[e.mid - 1].field == task ? 4 : 8;
	if (random_below(3) == 0)
		e.activity[0] = (uint8_t)(1 + random_below(6));
	seq[thread] += random_below(700) == 0 ? 3 : 1;
	e.seq = seq[thread];
	nt4_event(w, &e);
}

/* The beginning of a trace, and its types of events. */
static void
write_types(struct nt4_writer *w)
{
	nt4_init(w, NULL);
	nt4_trace(w, &(struct nt4_trace){ .freq = 1000000000, .pointer_size = 8 });
	nt4_block(w, "MetadataBlock", NT4_UNCOMPRESSED);
	for (uint32_t i = 0; i < TYPES; i++)
		nt4_metadata(w, i + 1, types[i].provider, i + 1, types[i].name, types[i].field,
		    types[i].field != NULL);
	nt4_block_end(w);
}

static void
write_spans(struct nt4_writer *w)
{
	uint64_t	tid[THREADS];
	uint32_t	seq[THREADS] = { 0 };
	int64_t		ts = 1;

	for (uint32_t i = 0; i < THREADS; i++)
		tid[i] = 10 + i;
	write_types(w);
	nt4_block(w, "EventBlock", NT4_COMPRESSED);
	for (uint32_t i = 1; i <= events; i++) {
		ts += random_below(4);
		write_event(w, ts, seq, tid);
		if (i % 500 == 0)
			nt4_block_end(w);
		if (i % 5000 == 0)
			nt4_sequence_point(w, ts, THREADS, tid, seq);
		if (i % 500 == 0 && i < events)
			nt4_block(w, "EventBlock", NT4_COMPRESSED);
	}
	nt4_end(w);
}

static struct spans *
build(struct trace *t, bool sums_only, unsigned workers)
{
	struct spans_options	 o = { .sums_only = sums_only, .workers = workers };
	struct spans		*s = spans_new(t);
	struct pass_result	 result;

	assert_int_equal(spans_build(s, &o, &result), ERR_OK);
	return s;
}

static const struct span_sum *
sum_of(const struct spans *s, const struct span_name *like)
{
	for (uint32_t i = 0; i < spans_names(s); i++) {
		const struct span_name	*n = spans_name(s, i);

		if (strcmp(n->group, like->group) == 0 && strcmp(n->name, like->name) == 0 &&
		    strcmp(n->provider, like->provider) == 0)
			return spans_sum(s, i);
	}
	fail_msg("no name %s %s", like->group, like->name);
	return NULL;
}

static void
compare_sums(const struct spans *whole, const struct spans *sums)
{
	assert_int_equal(spans_found(sums), spans_found(whole));
	assert_int_equal(spans_names(sums), spans_names(whole));
	for (uint32_t i = 0; i < spans_names(whole); i++) {
		const struct span_sum	*a = spans_sum(whole, i);
		const struct span_sum	*b = sum_of(sums, spans_name(whole, i));

		assert_memory_equal(a->states, b->states, sizeof a->states);
		assert_int_equal(a->n, b->n);
		assert_int_equal(a->self, b->self);
		assert_memory_equal(a, b, sizeof *a);
	}
}

/* Sums of a trace of so many events, by one to seven workers. */
static void
sum_and_compare(uint32_t n)
{
	struct written	 f;
	struct spans	*whole, *sums;

	events = n;
	written_open(&f, write_spans, &(struct trace_options){ .workers = 1 });
	assert_int_equal(trace_rows(f.t), n);
	whole = build(f.t, false, 1);
	assert_true(spans_found(whole) > n / 4);
	for (unsigned workers = 1; workers <= 7; workers += 3) {
		sums = build(f.t, true, workers);
		compare_sums(whole, sums);
		spans_free(sums);
	}
	spans_free(whole);
	written_close(&f);
}

static void
test_sums_of_pieces_are_those_of_the_spans(void **state)
{
	(void)state;
	for (uint64_t s = 1; s <= 12; s++) {
		seed = s * 0x9e3779b97f4a7c15u;
		sum_and_compare(EVENTS);
	}
}

static void
test_sums_that_threads_share_are_those_of_the_spans(void **state)
{
	(void)state;
	seed = 0x9e3779b97f4a7c15u;
	sum_and_compare(EVENTS_MANY);
}

/* As many steps that never end as can be open, and then orders that never end. */
static void
write_crowd(struct nt4_writer *w)
{
	const uint32_t	steps = LIMIT_SPANS_OPEN - 100, all = steps + 1000;
	uint64_t	tid = 10;
	uint32_t	seq = 0;

	write_types(w);
	for (uint32_t i = 0; i < all; i++) {
		bool			ends = i >= all - 400;
		struct nt4_event	e = { .ts = i + 1, .tid = tid, .capture = tid, .seq = ++seq,
					    .mid = i < steps ? 3 : 1 + ends };

		if (i % 500 == 0)
			nt4_block(w, "EventBlock", NT4_COMPRESSED);
		nt4_event(w, &e);
		if (i % 500 == 499 || i + 1 == all)
			nt4_block_end(w);
	}
	nt4_sequence_point(w, all, 1, &tid, &seq);
	nt4_end(w);
}

static void
test_sums_leave_open_what_the_list_does(void **state)
{
	struct written	 f;
	struct spans	*whole, *sums;

	(void)state;
	written_open(&f, write_crowd, &(struct trace_options){ .workers = 1 });
	whole = build(f.t, false, 1);
	assert_non_null(strstr(spans_remark(whole), "500 starts beyond the limit"));
	sums = build(f.t, true, 2);
	compare_sums(whole, sums);
	assert_string_equal(spans_remark(sums), spans_remark(whole));
	spans_free(sums);
	spans_free(whole);
	written_close(&f);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_sums_of_pieces_are_those_of_the_spans),
		cmocka_unit_test(test_sums_that_threads_share_are_those_of_the_spans),
		cmocka_unit_test(test_sums_leave_open_what_the_list_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Several traces as one: what can't be seen from the program's output. See also
 * tests/check/joined.py and rotated.py.
 */
#include <string.h>

#include "../support/data.h"
#include "../support/test.h"
#include "../support/tier.h"
#include "../support/written.h"
#include "tnav/base/diag.h"
#include "tnav/base/mem.h"
#include "tnav/engine/joined.h"
#include "tnav/engine/query.h"

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

/* As one; takes them. repeats: as in struct trace_join. */
static struct trace *
join_all(struct trace *const *source, size_t n, uint64_t repeats, unsigned workers)
{
	const struct trace_options	 opt = { .workers = workers };
	struct trace			*t;

	assert_int_equal(trace_join(&t, source, n, &(struct trace_join){ .repeats = repeats }, &opt,
	    test_buf()), 0);
	test_later(close_trace, t);
	trace_index_start(t);
	assert_true(trace_index_wait(t, -1));
	return t;
}

static struct trace *
join(const char *a, const char *b, uint64_t repeats)
{
	return join_all((struct trace *[]){ open_one(a), open_one(b) }, 2, repeats, 0);
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

/* ---- filters */

#define THREADS		5u
#define ROUND		4000u		/* events of all threads, which overlap */
#define ROUNDS		30u
#define SOURCES		3u

static uint64_t	seed;

static uint32_t
any(uint32_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % n;
}

/* In each round every thread writes a run over the same time, some a long one. */
static void
write_rounds(struct nt4_writer *w, bool points)
{
	static const struct nt4_field	fields[] = { { NT4_U32, "n" } };
	uint64_t			tids[THREADS];
	uint32_t			seqs[THREADS] = { 0 };

	nt4_begin(w, NULL, "Joined", "One", fields, 1);
	nt4_block(w, "MetadataBlock", NT4_COMPRESSED);
	nt4_metadata(w, 2, "Joined", 2, "Two", fields, 1);
	nt4_metadata(w, 3, "Joined", 3, "Three", fields, 1);
	nt4_block_end(w);
	for (uint32_t i = 0; i < THREADS; i++)
		tids[i] = 10 + i;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		for (uint32_t k = 0; k < THREADS; k++) {
			uint32_t	n = ROUND / THREADS / 2 + any(ROUND / THREADS), typed = any(9);
			uint32_t	late = round > 4 && any(4) == 0 ? 3 * ROUND : 0;

			nt4_block(w, "EventBlock", NT4_COMPRESSED);
			for (uint32_t i = 0; i < n; i++) {
				uint8_t			payload[8] = { (uint8_t)any(256) };
				struct nt4_event	e = { .mid = typed < 3 ? typed + 1 : 1 + any(3),
							    .tid = tids[k], .capture = tids[k],
							    .seq = ++seqs[k], .payload = payload,
							    .size = 4 + any(3) };

				e.ts = round * ROUND + (points ? 0 : ROUND * 4 - late) +
				    (int64_t)i * (ROUND + (points ? 0 : late)) / n;
				nt4_event(w, &e);
			}
			nt4_block_end(w);
		}
		if (points && any(6) == 0)
			nt4_sequence_point(w, (round + 1) * ROUND, THREADS, tids, seqs);
	}
	nt4_end(w);
}

static void
write_with_points(struct nt4_writer *w)
{
	write_rounds(w, true);
}

static void
write_without_points(struct nt4_writer *w)
{
	write_rounds(w, false);
}

static void
put_term(struct buf *b)
{
	static const char *const	terms[] = {
		"name = One", "name ~ T", "not id = 3", "tid = 11", "tid in (10, 13)", "n > 200",
		"payload.n < 9", "size = 5", "/Thr/", "source = 1", "id = 77", "has stack",
		"ticks > 60000", "delta > 3us", "row > 4000",
	};

	buf_puts(b, terms[any(sizeof terms / sizeof *terms)]);
}

/* When the bits of its view are known again, if they were dropped. */
static uint64_t
hits_before(struct query *q, uint64_t row)
{
	uint64_t	n;

	do {
		query_wait(q, INT64_MAX);
		n = query_index(q, row);
	} while (query_pending(q));
	return n;
}

/* The hits before each of some rows are those that asking event by event finds. */
static void
compare(struct trace *t, const char *text)
{
	struct filter		*f, *own = data_filter(t, text, false);
	struct filter_eval	*eval = filter_eval_new(own, t);
	struct filter_error	 error = { 0 };
	uint64_t		 rows = trace_rows(t), hits = 0, decoded = data_decoded(t);
	struct query		*q;
	struct event		 e;

	assert_int_equal(filter_new(&f, text, strlen(text), t, false, 0, &error), 0);
	q = query_new(t, f, 0, UINT64_MAX, any((uint32_t)rows));
	while (!query_step(q, INT64_MAX))
		continue;
	if (!filter_needs_rows(f) && data_decoded(t) - decoded > rows + rows / 100)
		fail_msg("%s: of %u events %u were decoded", text, (unsigned)rows,
		    (unsigned)(data_decoded(t) - decoded));
	for (uint64_t row = 0; row < rows; row++) {
		if (row % 4999 == 0 && hits_before(q, row) != hits)
			fail_msg("%s: %u hits before row %u, not %u", text,
			    (unsigned)hits_before(q, row), (unsigned)row, (unsigned)hits);
		assert_int_equal(trace_event(t, row, &e), 1);
		hits += filter_match_row(eval, &e, row);
	}
	assert_int_equal(query_hits(q), hits);
	query_free(q);
	filter_eval_free(eval);
}

static void
compare_some(struct trace *t)
{
	size_t	n = check_all() ? 40 : 5;

	for (size_t i = 0; i < n; i++) {
		struct buf	*text = test_buf();

		put_term(text);
		for (uint32_t more = any(3); more > 0; more--) {
			buf_puts(text, any(2) == 0 ? " and " : " or ");
			put_term(text);
		}
		compare(t, buf_str(text));
	}
}

/* A segment is decoded once, in however many slices its events lie. */
TEST(a_filter_counts_the_hits_of_slices_that_share_segments_without_making_them)
{
	struct trace	*source[SOURCES];
	struct written	*file = NULL;

	seed = check_seed();
	for (unsigned workers = 1; workers <= 4; workers += 3) {
		for (size_t i = 0; i < SOURCES; i++) {
			file = written_open(i == 1 ? write_without_points : write_with_points, NULL);
			assert_int_equal(trace_open(&source[i], file->path, NULL, test_buf()), 0);
			if (i == 1)
				compare_some(file->t);
		}
		compare_some(join_all(source, SOURCES, 0, workers));
	}
}

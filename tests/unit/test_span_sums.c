/*
 * Sums of spans. Those of native spans are made as the spans come, without records, and are equal to
 * adding up the records, wherever spans begin and end. What is beyond the limit of open spans counts.
 */
#include "../support/data.h"
#include "../support/noise.h"
#include "../support/test.h"
#include "../support/written.h"
#include "analysis/spans/loss.h"
#include "tnav/analysis/spans.h"
#include "tnav/base/err.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"

#define SPANS		30000u
#define STREAMS		5u

static void
put_be(struct nt4_writer *w, uint64_t v, unsigned bytes)
{
	if (w->cap - w->len < bytes) {	/* the writer frees it */
		w->cap = w->cap * 2 + bytes;
		w->p = realloc(w->p, w->cap);
		assert_non_null(w->p);
	}
	for (unsigned i = bytes; i-- > 0; )
		w->p[w->len++] = (uint8_t)(v >> 8 * i);
}

/* A packet of Heph: one span, with a name of one letter and without attributes. */
static void
put_span(struct nt4_writer *w, uint32_t stream, uint32_t counter, uint64_t from, uint64_t to)
{
	put_be(w, 0xC1FC1FB7, 4);
	put_be(w, 43, 4);
	put_be(w, stream, 4);
	put_be(w, counter, 4);
	put_be(w, stream, 8);
	put_be(w, from, 8);
	put_be(w, to, 8);
	put_be(w, 1, 2);
	put_be(w, 'a' + noise_bits() % 7, 1);
}

/* Spans that lie in each other, cross each other, begin together, and are empty, or very long. */
static void
write_spans(struct nt4_writer *w)
{
	uint32_t	counter[STREAMS] = { 0 };
	uint64_t	ts = 1;

	for (uint32_t i = 0; i < SPANS; i++) {
		uint32_t	stream = (uint32_t)(noise_bits() % STREAMS);
		uint64_t	most = UINT64_C(1) << noise_bits() % (i % 100 == 0 ? 40 : 12);

		ts += noise_bits() % 4 * (noise_bits() % 3);
		put_span(w, stream, counter[stream]++, ts, ts + noise_bits() % most);
	}
}

static struct spans *
build(struct trace *t, bool sums_only, unsigned workers)
{
	struct spans_options	 o = { .sums_only = sums_only, .pass.workers = workers };
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

TEST(sums_as_they_come_are_those_of_the_records)
{
	for (unsigned turn = 0; turn < 12; turn++) {
		struct written	*f = written_open(write_spans,
				    &(struct trace_options){ .workers = 1 });
		struct spans	*whole, *sums;

		assert_int_equal(trace_rows(f->t), SPANS);
		whole = build(f->t, false, 1);
		assert_int_equal(spans_count(whole), SPANS);
		sums = build(f->t, true, 1 + turn % 3);
		assert_int_equal(spans_count(sums), 0);
		compare_sums(whole, sums);
		spans_free(sums);
		spans_free(whole);
		written_close(f);
	}
}

/*
 * As many steps that never end as can be open but 100, then 600 starts of orders, other stops, and
 * 400 stops of orders: so far behind that they are found in another piece.
 */
static void
write_crowd(struct nt4_writer *w)
{
	static const char *const	name[] = { "OrderStart", "OrderStop", "StepStart",
					    "PauseStop" };
	const uint32_t			steps = LIMIT_SPANS_OPEN - 100, starts = steps + 600;
	const uint32_t			ticks = starts + 10000, all = ticks + 400;
	uint64_t			tid = 10;
	uint32_t			seq = 0;

	nt4_init(w, NULL);
	nt4_trace(w, &(struct nt4_trace){ .freq = 1000000000, .pointer_size = 8 });
	nt4_block(w, "MetadataBlock", NT4_UNCOMPRESSED);
	for (uint32_t i = 0; i < 4; i++)
		nt4_metadata(w, i + 1, "Demo", i + 1, name[i], NULL, 0);
	nt4_block_end(w);
	for (uint32_t i = 0; i < all; i++) {
		struct nt4_event	e = { .ts = i + 1, .tid = tid, .capture = tid, .seq = ++seq,
					    .mid = i < steps ? 3 : i < starts ? 1 : i < ticks ? 4 : 2 };

		if (i % 500 == 0)
			nt4_block(w, "EventBlock", NT4_COMPRESSED);
		nt4_event(w, &e);
		if (i % 500 == 499 || i + 1 == all)
			nt4_block_end(w);
	}
	nt4_sequence_point(w, all, 1, &tid, &seq);
	nt4_end(w);
}

TEST(starts_beyond_the_limit_are_open_and_their_stops_orphans)
{
	const struct span_name	 order = { .group = "EventSource", .provider = "Demo",
				    .name = "OrderStart" };
	const struct span_name	 stop = { .group = "EventSource", .provider = "Demo",
				    .name = "OrderStop" };
	const struct span_sum	*m;
	struct written		*f = written_open(write_crowd,
				    &(struct trace_options){ .workers = 1 });
	struct spans		*s;

	s = build(f->t, true, 2);
	assert_non_null(strstr(spans_remark(s), "500 starts beyond the limit"));
	m = sum_of(s, &order);
	assert_int_equal(m->states[SPAN_PAIRED], 100);
	assert_int_equal(m->states[SPAN_OPEN], 500);
	assert_int_equal(sum_of(s, &stop)->states[SPAN_ORPHAN], 300);
	spans_free(s);
}

/* ---- which gaps meet an interval */

/* The same by looking at each gap. */
static uint64_t
meet(struct trace *t, const struct gap *g, size_t n, const struct loss_query *a, size_t *found)
{
	uint64_t	met = 0;

	for (size_t i = 0; i < n; i++) {
		if ((a->thread != EVENT_NONE && g[i].thread != a->thread) ||
		    (a->has_to && trace_ns(t, g[i].from) >= a->to) ||
		    (a->has_from && trace_ns(t, g[i].to) <= a->from))
			continue;
		if (met++ == 0 || a->last)
			*found = i;
	}
	return met;
}

static uint64_t
check_meet(struct trace *t, const struct span_losses *l, const struct gap *g, size_t n,
    struct loss_query a)
{
	struct gap	got;
	size_t		want = 0;
	uint64_t	met = meet(t, g, n, &a, &want);

	assert_int_equal(losses_find(l, &a, &got), met);
	if (met > 0)
		assert_memory_equal(&got, &g[want], sizeof got);
	return met;
}

/* At the ends of each gap, and a nanosecond beside them; of all threads, of each, and of none. */
static uint64_t
check_gaps(const char *name)
{
	struct trace		*t = data_open(name);
	struct span_losses	*l = losses_new(t, 0);
	struct gap		*g;
	size_t			 n = trace_gaps(t, &g);
	uint64_t		 met = 0;

	assert_int_equal(losses_any(l), n > 0);
	for (size_t i = 0; i < 6 * n; i++)
		for (size_t k = 0; k <= n + 1; k++) {
			const struct gap	*at = &g[i / 6];
			int64_t			 ts = trace_ns(t, i % 2 ? at->to : at->from);
			struct loss_query	 a = { .has_from = true,
			    .thread = k < n ? g[k].thread : k == n ? EVENT_NONE : 1u << 30 };

			ts += (int64_t)(i % 6 / 2) - 1;
			a.from = a.to = ts;
			met += check_meet(t, l, g, n, a);
			for (size_t e = 0; e < n; e++) {
				a.has_to = true;
				a.to = trace_ns(t, g[e].to);
				met += a.to > a.from ? check_meet(t, l, g, n, a) : 0;
			}
			a = (struct loss_query){ .to = ts, .has_to = true, .thread = a.thread };
			met += check_meet(t, l, g, n, a);
			a.last = true;
			met += check_meet(t, l, g, n, a);
		}
	mem_free(g);
	losses_free(l);
	return met;
}

TEST(the_gaps_that_meet_an_interval_are_found_as_by_looking_at_each)
{
	assert_true(check_gaps("features/v4-dropped-events.nettrace") > 100);
	assert_true(check_gaps("tour.nettrace.zst") > 1000);
	assert_int_equal(check_gaps("features/v6-equal-timestamps.nettrace"), 0);
}

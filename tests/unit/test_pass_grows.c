/*
 * Passes over a growing trace. Each sees the rows that existed when it began, whatever is published
 * in the meantime. A pass that keeps the results for final rows reads only the others.
 */
#include <poll.h>
#include <unistd.h>

#include "../support/feeder.h"
#include "../support/nt4_writer.h"
#include "../support/test.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/engine/pass.h"

#define EVENTS		120000u
#define POINT		30000u		/* events between two sequence points */
#define BLOCK		500u
#define WAIT_MS		60000
#define SEEN_MOST	200u		/* states of the trace that are looked at */

/* ---- the trace: two threads, each block of one, so that each block overlaps the one before */

static void
put_block(struct nt4_writer *w, uint32_t first, uint32_t seq[2])
{
	uint32_t	k = first / BLOCK % 2;

	nt4_block(w, "EventBlock", NT4_COMPRESSED);
	for (uint32_t i = 0; i < BLOCK; i++)
		nt4_event(w, &(struct nt4_event){ .mid = 1, .tid = 10 + k, .capture = 10 + k,
		    .seq = ++seq[k], .ts = (int64_t)(first - k * BLOCK + i * 2 + k) + 1 });
	nt4_block_end(w);
}

static void
write_trace(struct nt4_writer *w)
{
	static const uint64_t	tids[2] = { 10, 11 };
	uint32_t		seq[2] = { 0, 0 };

	nt4_begin(w, NULL, "Grows", "One", NULL, 0);
	for (uint32_t i = 0; i < EVENTS; i += BLOCK) {
		put_block(w, i, seq);
		if ((i + BLOCK) % POINT == 0)
			nt4_sequence_point(w, i + BLOCK + 1, 2, tids, seq);
	}
	nt4_end(w);
}

struct growing {
	struct nt4_writer	 w;
	struct feeder		 f;
	struct trace		*t;
};

static void
growing_open(struct growing *g, size_t bytes)
{
	struct trace_feed	 feed;
	struct trace_options	 o = { .workers = 2, .eager = true, .feed = &feed };
	struct buf		*why = test_buf();

	write_trace(&g->w);
	feeder_init(&g->f);
	feed = feeder_feed(&g->f);
	feeder_append(&g->f, g->w.p, bytes);
	assert_int_equal(trace_open(&g->t, "grows", &o, why), 0);
	assert_true(trace_follow(g->t, true, NULL));
	trace_index_start(g->t);
}

static void
growing_close(struct growing *g)
{
	trace_close(g->t);
	feeder_release(&g->f);
	nt4_release(&g->w);
}

static void
append_to(struct growing *g, size_t to)
{
	feeder_append(&g->f, g->w.p + g->f.size, to - (size_t)g->f.size);
}

/* Until all that was written is shown. */
static void
wait_shown(struct growing *g)
{
	struct trace_progress	p;

	for (int i = 0; i < WAIT_MS; i++) {
		trace_progress(g->t, &p);
		if (p.seen == g->f.size || p.complete)
			return;
		usleep(1000);
	}
	fail_msg("byte %llu is not shown", (unsigned long long)g->f.size);
}

/* ---- a pass that gathers places */

struct got {
	uint64_t	row, off;
	int64_t		ts;
};

struct gather {
	struct got	*v;
	size_t		 n, cap;
};

static void *
gather_begin(void *arg)
{
	(void)arg;
	return mem_zalloc(1, sizeof(struct gather));
}

static void
gather_put(struct gather *g, const struct got *e)
{
	ARRAY_ADD(g->v, g->n, g->cap, *e);
}

static void
gather_add(void *state, const struct pass_batch *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		gather_put(state, &(struct got){ b->row0 + b->at[i], b->ev[b->at[i]].off,
		    b->ev[b->at[i]].ts });
}

static void
gather_forget(void *state)
{
	struct gather	*g = state;

	mem_free(g->v);
	mem_free(g);
}

static int
gather_again(void *arg, void *kept)
{
	const struct gather	*g = kept;

	for (size_t i = 0; i < g->n; i++)
		gather_put(arg, &g->v[i]);
	return 0;
}

static int
gather_merge(void *arg, void *state)
{
	return gather_again(arg, state);
}

static void *
gather_keep(const void *state, size_t *bytes)
{
	struct gather	*g = gather_begin(NULL);

	(void)gather_again(g, (void *)(uintptr_t)state);
	*bytes = g->n * sizeof *g->v;
	return g;
}

static const struct pass_ops	ops = {
	.begin = gather_begin, .add = gather_add, .merge = gather_merge, .free = gather_forget,
};
static const struct pass_keep	keep = { gather_keep, gather_again, gather_forget };

/* What a pass finds, and how many events are decoded for it. */
static uint64_t
pass(struct trace *t, struct pass_memory *m, struct gather *out)
{
	const struct pass_options	o = { .order = PASS_TIME, .memory = m, .workers = 2 };
	struct trace_costs		before, after;
	struct pass_result		result;

	*out = (struct gather){ NULL, 0, 0 };
	trace_costs(t, &before);
	assert_int_equal(pass_run(t, &o, &ops, out, &result), 0);
	assert_false(result.lost);
	trace_costs(t, &after);
	return after.view_events - before.view_events;
}

/* Rows from the first to the last, in order, each once. */
static void
check_rows(const struct gather *g)
{
	for (size_t i = 0; i < g->n; i++) {
		assert_int_equal(g->v[i].row, i);
		assert_true(i == 0 || g->v[i].ts > g->v[i - 1].ts ||
		    (g->v[i].ts == g->v[i - 1].ts && g->v[i].off > g->v[i - 1].off));
	}
}

/* ---- the tests */

static uint64_t
rows_final(struct trace *t)
{
	struct trace_progress	p;

	trace_progress(t, &p);
	return p.rows_final;
}

static void
check_memory(size_t most, uint64_t decoded_most)
{
	struct growing		 g;
	struct pass_memory	*m = pass_memory_new(&keep, most);
	struct gather		 got;
	uint64_t		 decoded = 0, before, last = 0;

	growing_open(&g, 5000);
	for (unsigned i = 2; i <= 24; i++) {
		append_to(&g, g.w.len / 24 * i);
		wait_shown(&g);
		before = rows_final(g.t);
		last = pass(g.t, m, &got);
		decoded += last;
		check_rows(&got);
		assert_int_equal(got.n, trace_rows(g.t));
		assert_true(got.n > before);
		mem_free(got.v);
	}
	assert_true(decoded <= decoded_most);
	/* Nothing was added since: final rows are not decoded. */
	assert_true(most < 1000 || pass(g.t, m, &got) <= EVENTS - rows_final(g.t));
	if (most >= 1000) {
		assert_int_equal(got.n, trace_rows(g.t));
		mem_free(got.v);
	}
	pass_memory_free(m);
	growing_close(&g);
}

/*
 * Each of 24 pauses reads the open region, at most a quarter of the trace, and the rows that have
 * become final since.
 */
TEST(what_is_final_is_read_once)
{
	check_memory(SIZE_MAX, 24 * POINT + EVENTS);
}

/* Without room the result is the same. */
TEST(what_is_not_remembered_is_read_again)
{
	check_memory(1, UINT64_MAX);
	check_memory(EVENTS / 2 * sizeof(struct got), UINT64_MAX);
}

struct writing {
	struct growing	*g;
	unsigned	 pieces;
};

static void
write_on(void *arg)
{
	struct writing	*w = arg;

	for (unsigned i = 1; i <= w->pieces; i++) {
		append_to(w->g, 5000 + (w->g->w.len - 5000) * i / w->pieces);
		usleep(i % 10 == 0 ? 60000 : 1000);
	}
}

SORT_ORDER(by_off, struct got, RISING(off))

/* While the trace grows each pass finds the events of a prefix of the file, all of them, once. */
TEST(a_pass_sees_the_rows_that_there_were_when_it_began)
{
	struct growing	g;
	struct writing	w = { &g, 150 };
	struct job	*job;
	struct gather	some[SEEN_MOST], all;
	unsigned	n = 0;

	growing_open(&g, 5000);
	job = job_start(write_on, &w);
	assert_non_null(job);
	do {
		struct gather	now;

		(void)pass(g.t, NULL, &now);
		check_rows(&now);
		if (n < SEEN_MOST && (n == 0 || now.n != some[n - 1].n))
			some[n++] = now;
		else
			mem_free(now.v);
	} while (trace_rows(g.t) < EVENTS);
	job_join(job);
	wait_shown(&g);
	(void)pass(g.t, NULL, &all);
	assert_int_equal(all.n, EVENTS);
	qsort(all.v, all.n, sizeof *all.v, by_off);
	for (unsigned i = 0; i < n; i++) {
		if (some[i].n > 0)
			qsort(some[i].v, some[i].n, sizeof *some[i].v, by_off);
		for (size_t k = 0; k < some[i].n; k++)
			assert_int_equal(some[i].v[k].off, all.v[k].off);
		mem_free(some[i].v);
	}
	mem_free(all.v);
	assert_true(n > 2);
	growing_close(&g);
}

/* poll() returns when everything that arrived is shown, and not again before more arrives. */
TEST(the_bell_rings_when_all_is_shown)
{
	struct growing		g;
	struct trace_progress	p = { .seen = 0 };
	struct pollfd		bell = { .events = POLLIN };

	growing_open(&g, 5000);
	wait_shown(&g);
	bell.fd = trace_bell(g.t);
	assert_true(bell.fd >= 0);
	append_to(&g, 9000);
	while (p.seen != 9000) {
		assert_int_equal(poll(&bell, 1, WAIT_MS), 1);
		assert_true(trace_heard(g.t));
		trace_progress(g.t, &p);
	}
	(void)trace_heard(g.t);
	assert_int_equal(poll(&bell, 1, 0), 0);
	growing_close(&g);
}

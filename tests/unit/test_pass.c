/*
 * Passes, compared with a plain walk over views: they give the same events for any order, number of
 * workers, filter and window. Also the events that they decode, and passes that end early.
 */
#include <unistd.h>

#include "../support/data.h"
#include "../support/nt6_writer.h"
#include "../support/test.h"
#include "../support/tier.h"
#include "../support/written.h"
#include "engine/pass/run.h"
#include "engine/view/cache.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/engine/field.h"
#include "tnav/engine/pass.h"

#define EVENTS		300000u
#define THREADS		4u
#define BATCH		1200u		/* events in which the threads overlap */
#define BLOCK		700u
#define POINT		100000u
#define LATE		200000u		/* events of type 2 come from here on */

/* ---- a trace of several pieces */

static void
write_trace(struct nt4_writer *w)
{
	static const struct nt4_field	field = { NT4_U32, "n" };
	uint64_t			tids[THREADS];
	uint32_t			seqs[THREADS] = { 0 };

	nt4_init(w, NULL);
	nt4_trace(w, &(struct nt4_trace){ .freq = 1000000000, .pointer_size = 8 });
	nt4_block(w, "MetadataBlock", NT4_UNCOMPRESSED);
	nt4_metadata(w, 1, "Early", 1, "One", &field, 1);
	nt4_metadata(w, 2, "Late", 2, "Two", &field, 1);
	nt4_block_end(w);
	nt4_block(w, "EventBlock", NT4_COMPRESSED);
	for (uint32_t i = 0; i < EVENTS; i++) {
		uint32_t	k = i % BATCH / (BATCH / THREADS), in = i % (BATCH / THREADS);
		uint8_t		payload[4] = { (uint8_t)i, (uint8_t)(i >> 8), (uint8_t)(i >> 16), 0 };

		tids[k] = 10 + k;
		seqs[k] += i % 50000 == 7 ? 5 : 1;
		nt4_event(w, &(struct nt4_event){ .mid = i < LATE ? 1 : 2, .tid = 10 + k,
		    .capture = 10 + k, .seq = seqs[k], .payload = payload, .size = 4,
		    .ts = (int64_t)(i / BATCH * BATCH + in * THREADS + k) + 1 });
		if ((i + 1) % BLOCK == 0 || (i + 1) % POINT == 0)
			nt4_block_end(w);
		if ((i + 1) % POINT == 0)
			nt4_sequence_point(w, i + 2, THREADS, tids, seqs);
		if (((i + 1) % BLOCK == 0 || (i + 1) % POINT == 0) && i + 1 < EVENTS)
			nt4_block(w, "EventBlock", NT4_COMPRESSED);
	}
	nt4_end(w);
}

static struct written *
fixture_open(void)
{
	struct written	*f = written_open(write_trace, &(struct trace_options){ .workers = 1 });

	assert_int_equal(trace_rows(f->t), EVENTS);
	return f;
}

/* ---- a pass that gathers events */

struct got {
	struct event	e;
	uint64_t	row;
};

struct gather;

struct list {
	struct got	*v;
	size_t		 n, cap;
	struct gather	*of;
};

struct gather {
	struct list	 all;
	struct lock	*lock;
	unsigned	 begun, merged, freed;
	unsigned	 end_after;		/* pieces; 0: no end */
	int		 end;
};

static void
list_add(struct list *l, const struct event *e, uint64_t row)
{
	ARRAY_ADD(l->v, l->n, l->cap, (struct got){ *e, row });
}

static void *
gather_begin(void *arg)
{
	struct gather	*g = arg;
	struct list	*l = mem_zalloc(1, sizeof *l);

	lock_take(g->lock);
	g->begun++;
	lock_drop(g->lock);
	l->of = g;
	return l;
}

static void
gather_add(void *state, const struct pass_batch *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		list_add(state, &b->ev[b->at[i]], pass_row(b, i));
}

static int
gather_merge(void *arg, void *state)
{
	struct gather	*g = arg;
	struct list	*l = state;

	for (size_t i = 0; i < l->n; i++)
		list_add(&g->all, &l->v[i].e, l->v[i].row);
	g->merged++;
	return g->end_after == g->merged ? g->end : 0;
}

static void
gather_clear(void *state)
{
	((struct list *)state)->n = 0;
}

static void
gather_free(void *state)
{
	struct list	*l = state;

	lock_take(l->of->lock);
	l->of->freed++;
	lock_drop(l->of->lock);
	mem_free(l->v);
	mem_free(l);
}

static const struct pass_ops	gather_ops = {
	.begin = gather_begin, .add = gather_add, .merge = gather_merge, .free = gather_free,
};

/* Their states are used for several pieces. With two workers, so many are needed at once. */
#define RING_OF_TWO	4u
static const struct pass_ops	reusing_ops = {
	.begin = gather_begin, .add = gather_add, .merge = gather_merge, .clear = gather_clear,
	.free = gather_free,
};

static const struct pass_ops	staying_ops = {
	.begin = gather_begin, .add = gather_add, .merge = gather_merge, .free = gather_free,
	.stays = true,
};

static void
gather_release(void *arg)
{
	struct gather	*g = arg;

	assert_int_equal(g->begun, g->freed);
	mem_free(g->all.v);
	lock_free(g->lock);
	mem_free(g);
}

/* Its states must be freed at the end of the rule. */
static struct gather *
gather_new(void)
{
	struct gather	*g = mem_zalloc(1, sizeof *g);

	g->lock = lock_new(LOCK_LEAF);
	test_later(gather_release, g);
	return g;
}

/* ---- the plain way */

static bool
wanted(const struct pass_options *o, struct filter_eval *eval, const struct event *e,
    uint64_t row)
{
	return !(o->has_from && e->ts < o->from) && !(o->has_to && e->ts >= o->to) &&
	    (o->order != PASS_TIME || row >= o->row0) &&
	    (o->order != PASS_TIME || o->row1 == 0 || row < o->row1) &&
	    (eval == NULL || filter_match_row(eval, e, row));
}

SORT_ORDER(by_off, struct got, RISING(e.off))

static void
walk(struct trace *t, const struct pass_options *o, struct list *out)
{
	struct filter_eval	*eval = o->filter != NULL ? filter_eval_new(o->filter, t) : NULL;
	const struct slice_view	*v;

	for (uint64_t row = 0; trace_view_walk(t, &row, &v) == 1; row = v->row0 + v->n) {
		for (uint32_t i = 0; i < v->n; i++)
			if (wanted(o, eval, &v->ev[i], v->row0 + i))
				list_add(out, &v->ev[i], v->row0 + i);
		trace_view_put(t, v);
	}
	filter_eval_free(eval);
	if (o->order != PASS_TIME && out->n > 0)
		qsort(out->v, out->n, sizeof *out->v, by_off);
}

static void
same_events(const struct list *got, const struct list *want, bool rows)
{
	assert_int_equal(got->n, want->n);
	for (size_t i = 0; i < got->n; i++) {
		assert_memory_equal(&got->v[i].e, &want->v[i].e, sizeof got->v[i].e);
		if (rows)
			assert_int_equal(got->v[i].row, want->v[i].row);
	}
}

/* The pass gives the events of the walk, in its order, with any number of workers. */
static size_t
check_pass(struct trace *t, struct pass_options o)
{
	static const unsigned	workers[] = { 1, 2, 7 };
	struct list		want = { .n = 0 };
	size_t			n;

	walk(t, &o, &want);
	for (size_t i = 0; i < sizeof workers / sizeof *workers; i++) {
		struct pass_result	result;
		struct gather		*g = gather_new();
		bool			reuse = workers[i] == 2;

		o.workers = workers[i];
		assert_int_equal(pass_run(t, &o, reuse ? &reusing_ops : &gather_ops, g,
		    &result), 0);
		assert_false(result.lost);
		assert_true(!reuse || g->begun <= RING_OF_TWO);
		/* A filter that needs rows gets them, in their order. */
		if (o.order == PASS_ANY && g->all.n > 0 && g->all.v[0].row != ROW_UNKNOWN)
			qsort(g->all.v, g->all.n, sizeof *g->all.v, by_off);
		same_events(&g->all, &want, o.order == PASS_TIME);
		test_now(g);
	}
	n = want.n;
	mem_free(want.v);
	return n;
}

static size_t
check_filter(struct trace *t, enum pass_order order, const char *text)
{
	struct filter	*f = data_filter(t, text, false);
	size_t		 n = check_pass(t, (struct pass_options){ .order = order, .filter = f });

	return n;
}

/* States that stay: as many as workers, each merged once; in any order, so theirs is not tested. */
static void
check_staying(struct trace *t, struct pass_options o)
{
	struct list	want = { .n = 0 };

	walk(t, &o, &want);
	for (unsigned workers = 1; workers <= 7; workers += 3) {
		struct pass_result	result;
		struct gather		*g = gather_new();

		o.workers = workers;
		assert_int_equal(pass_run(t, &o, &staying_ops, g, &result), 0);
		assert_in_range(g->begun, 1, workers);
		assert_int_equal(g->merged, g->begun);
		qsort(g->all.v, g->all.n, sizeof *g->all.v, by_off);
		same_events(&g->all, &want, false);
		test_now(g);
	}
	mem_free(want.v);
}

/* ---- the tests */

TEST(a_pass_gives_the_events_of_the_walk_in_each_order)
{
	static const enum pass_order	orders[] = { PASS_ANY, PASS_TIME, PASS_FILE };
	struct written			*f = fixture_open();
	bool				take[3];

	(void)check_sample(take, 3, 3);
	for (size_t i = 0; i < 3; i++) {
		if (!take[i])
			continue;
		assert_int_equal(check_filter(f->t, orders[i], NULL), EVENTS);
		assert_int_equal(check_filter(f->t, orders[i], "provider = Late"), EVENTS - LATE);
		assert_int_equal(check_filter(f->t, orders[i], "tid = 11"), EVENTS / THREADS);
		assert_int_equal(check_filter(f->t, orders[i], "n in 5..8"), 3);
		assert_int_equal(check_filter(f->t, orders[i], "has lost"), 6);
		assert_int_equal(check_filter(f->t, orders[i], "provider = Nobody"), 0);
		assert_int_equal(check_filter(f->t, orders[i], "row in 70000..70010"), 10);
	}
}

TEST(a_state_that_stays_is_merged_once_with_all_that_it_took)
{
	struct written	*f = fixture_open();
	struct filter	*some;

	some = data_filter(f->t, "tid = 11", false);
	check_staying(f->t, (struct pass_options){ .order = PASS_ANY });
	check_staying(f->t, (struct pass_options){ .order = PASS_ANY, .filter = some });
}

/* Nor is anything lost that a state which was begun owns. */
TEST(a_merge_that_ends_the_pass_frees_the_states_that_stay)
{
	struct pass_options	o = { .order = PASS_ANY, .workers = 4 };
	struct pass_result	result;
	struct written		*f = fixture_open();
	struct gather		*g = gather_new();

	g->end_after = 1;
	g->end = 42;
	assert_int_equal(pass_run(f->t, &o, &staying_ops, g, &result), 42);
	assert_int_equal(g->merged, 1);
}

TEST(a_window_holds_at_its_begin_and_not_at_its_end)
{
	static const enum pass_order	orders[] = { PASS_ANY, PASS_TIME, PASS_FILE };
	struct written			*f = fixture_open();
	bool				take[3];

	(void)check_sample(take, 3, 3);
	for (size_t i = 0; i < 3; i++) {
		struct pass_options	o = { .order = orders[i], .has_from = true, .from = 1000,
					    .has_to = true, .to = 150000 };

		if (!take[i])
			continue;
		assert_int_equal(check_pass(f->t, o), 149000);
		o.has_to = false;
		assert_int_equal(check_pass(f->t, o), EVENTS - 999);
		o.has_from = false;
		o.has_to = true;
		o.to = 1;
		assert_int_equal(check_pass(f->t, o), 0);
	}
}

TEST(rows_narrow_a_pass_in_time)
{
	struct written	*f = fixture_open();

	assert_int_equal(check_pass(f->t, (struct pass_options){ .order = PASS_TIME,
	    .row0 = 4095, .row1 = 4097 }), 2);
	assert_int_equal(check_pass(f->t, (struct pass_options){ .order = PASS_TIME,
	    .row0 = 99990, .row1 = 200005 }), 100015);
	assert_int_equal(check_pass(f->t, (struct pass_options){ .order = PASS_TIME,
	    .row0 = EVENTS - 1 }), 1);
	assert_int_equal(check_pass(f->t, (struct pass_options){ .order = PASS_TIME,
	    .row0 = EVENTS }), 0);
}

TEST(real_and_odd_traces_are_passed_over_alike)
{
	static const char *const	names[] = {
		"demo.nettrace", "traces/actors-1worker.heph", "traces/net9-cut-short.nettrace",
		"traces/netcore21-linux-x64-tracelogging.netperf",
		"traces/net6-win-x64-checkpoints.nettrace", "features/v6-threads.nettrace",
		"features/v6-thread-index-reused.nettrace", "features/v6-remove-thread.nettrace",
		"features/v6-dropped-events.nettrace", "features/v6-equal-timestamps.nettrace",
		"features/v6-sequence-point-flush-both.nettrace", "features/v4-headers-only.nettrace",
		"features/v6-bad-thread-index.nettrace", "features/v6-out-of-order-blocks.nettrace",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i += check_part()) {
		struct trace	*t = data_open(names[i]);
		uint64_t	 rows = trace_rows(t);

		assert_int_equal(check_filter(t, PASS_ANY, NULL), rows);
		assert_int_equal(check_filter(t, PASS_TIME, NULL), rows);
		assert_int_equal(check_filter(t, PASS_FILE, NULL), rows);
		(void)check_filter(t, PASS_ANY, "/a/ and tid > 3");
		(void)check_filter(t, PASS_TIME, "/a/ and tid > 3");
		data_close(t);
	}
}

/* Events that a pass decodes. */
static uint64_t
cost_of(struct trace *t, const struct pass_options *o)
{
	uint64_t		before = data_decoded(t);
	struct pass_result	result;
	struct gather		*g = gather_new();

	assert_int_equal(pass_run(t, o, &gather_ops, g, &result), 0);
	test_now(g);
	return data_decoded(t) - before;
}

TEST(what_cannot_match_is_not_decoded)
{
	struct written	*f = fixture_open();
	struct filter	*late, *none;

	late = data_filter(f->t, "provider = Late and tid = 12", false);
	none = data_filter(f->t, "provider = Nobody and n > 3", false);
	assert_int_equal(cost_of(f->t, &(struct pass_options){ .workers = 2 }), EVENTS);
	assert_int_equal(cost_of(f->t, &(struct pass_options){ .filter = none, .workers = 2 }), 0);
	assert_int_equal(cost_of(f->t, &(struct pass_options){ .filter = none,
	    .order = PASS_TIME }), 0);
	/* All records with one of these events, which also have others. */
	assert_in_range(cost_of(f->t, &(struct pass_options){ .filter = late }),
	    EVENTS - LATE, EVENTS - LATE + 20000);
	assert_in_range(cost_of(f->t, &(struct pass_options){ .has_from = true, .from = LATE }),
	    EVENTS - LATE, EVENTS - LATE + 20000);
}

static uint64_t
cost_of_filter(struct trace *t, const char *text)
{
	struct filter	*f = data_filter(t, text, false);
	uint64_t	 cost = cost_of(t, &(struct pass_options){ .filter = f, .workers = 2 });

	return cost;
}

TEST(a_text_or_a_time_that_is_not_there_is_not_decoded)
{
	static const char *const	none[] = {
		"/xyzzy/", "/xyzzy|zyxxy/ and not name = GC/Start", "TypeName ~ \"xyzzy\"",
		"time > 1h", "time < 0s", "time in 1h..", "time in ..0s", "not time <= 1h",
		"/xyzzy/ or TypeName ~ \"a .*xyzzy\"",
	};
	struct trace	*t = data_open("demo.nettrace");
	uint64_t	 all = trace_rows(t), some;

	for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
		if (cost_of_filter(t, none[i]) != 0)
			fail_msg("events are decoded for %s", none[i]);
	some = cost_of_filter(t, "TypeName ~ \"String\"");
	assert_in_range(some, 1, all - 1);
	some = cost_of_filter(t, "time < 100ms");
	assert_in_range(some, 1, all - 1);
	assert_int_equal(cost_of_filter(t, "not /xyzzy/"), all);
	assert_int_equal(cost_of_filter(t, "/x.z.y/"), all);
}

#define MANY	4200u		/* of a part; more threads than are searched for a text */
#define PARTS	3u		/* of the file, with labels of their own */

static const char *const	labels[PARTS][2] = { { "spring", "summer" }, { "autumn", "winter" },
				    { "morning", "evening" } };

/* In each part the types and the threads write events in turn. */
static struct trace *
open_many(uint32_t types, uint32_t threads)
{
	struct nt6_writer	w;
	char			text[32];

	nt6_init(&w);
	nt6_begin(&w, NT6_METADATA);
	for (uint32_t i = 0; i < types; i++) {
		snprintf(text, sizeof text, "Type%u", i);
		nt6_row(&w, 1 + i, text);
	}
	nt6_finish(&w);
	nt6_begin(&w, NT6_THREADS);
	for (uint32_t i = 0; i < threads; i++) {
		snprintf(text, sizeof text, "thread %u", i);
		nt6_thread_named(&w, 1 + i, text);
	}
	nt6_finish(&w);
	for (uint32_t part = 0; part < PARTS; part++) {
		for (uint32_t i = 0; i < 2; i++)
			nt6_label(&w, 1 + 2 * part + i, labels[part][i]);
		nt6_begin(&w, NT6_EVENTS);
		for (uint32_t i = 0; i < MANY; i++)
			nt6_event(&w, &(struct nt6_event){ .mid = 1 + i % types,
			    .thread = 1 + i % threads, .seq = 1,
			    .ticks = i == 0 ? MANY * part + 1 : 1,
			    .labels = 1 + 2 * part + i % 2 });
		nt6_finish(&w);
		nt6_point(&w, MANY * (part + 1));
	}
	return data_nt6(&w, NULL);
}

/* Of what is known of all events at once, some is kept up to a limit: beyond it, any may match. */
TEST(each_of_many_types_threads_and_labels_is_found)
{
	static const uint32_t	many[] = { 2, 200, MANY };
	char			text[32];

	for (size_t k = 0; k < sizeof many / sizeof *many; k++) {
		struct trace	*t = open_many(many[k], many[k]);
		size_t		 each = PARTS * MANY / many[k];

		for (size_t i = 0; i < PARTS * 2; i++) {
			snprintf(text, sizeof text, "/%s/", labels[i / 2][i % 2]);
			assert_int_equal(check_filter(t, PASS_ANY, text), MANY / 2);
		}
		assert_int_equal(check_filter(t, PASS_TIME, "/autumn/"), MANY / 2);
		assert_int_equal(check_filter(t, PASS_ANY, "/monday/"), 0);
		assert_int_equal(check_filter(t, PASS_ANY, "/thread 1\\b/"), each);
		assert_int_equal(check_filter(t, PASS_TIME, "/thread 1\\b/"), each);
		assert_int_equal(check_filter(t, PASS_ANY, "/thread 4200/"), 0);
		assert_int_equal(check_filter(t, PASS_ANY, "name = Type1"), each);
		data_close(t);
	}
}

TEST(a_pass_goes_on_where_the_last_one_ended)
{
	struct pass_options	 o = { .order = PASS_ANY, .workers = 2 };
	struct pass_place	 resume = { 0, 0 };
	uint64_t		 others;
	struct pass_result	 result;
	struct written		*f = fixture_open();
	struct trace		*t;
	struct gather		*g = gather_new();
	struct list		 want = { .n = 0 };
	bool			 done;

	others = data_decoded(f->t);			/* for cutting regions */
	walk(f->t, &o, &want);
	t = data_unindexed(f->path, &(struct trace_options){ .workers = 2 });
	trace_index_start(t);
	o.resume = &resume;
	do {
		done = trace_index_wait(t, 1);
		assert_int_equal(pass_run(t, &o, &gather_ops, g, &result), 0);
	} while (!done);
	same_events(&g->all, &want, false);
	assert_int_equal(data_decoded(t) - others, EVENTS);
	assert_int_equal(pass_run(t, &o, &gather_ops, g, &result), 0);
	assert_int_equal(data_decoded(t) - others, EVENTS);
	mem_free(want.v);
}

static bool
tick_ends(void *arg, uint64_t done, uint64_t all)
{
	assert_true(done <= all);
	++*(unsigned *)arg;
	return true;
}

TEST(a_tick_and_a_merge_end_a_pass)
{
	unsigned		ticks = 0;
	struct pass_options	o = { .order = PASS_TIME, .workers = 3, .tick = tick_ends,
				    .tick_arg = &ticks };
	struct pass_result	result;
	struct written		*f = fixture_open();
	struct gather		*g = gather_new();

	assert_int_equal(pass_run(f->t, &o, &gather_ops, g, &result), ERR_CANCELED);
	assert_int_equal(ticks, 1);
	assert_true(g->all.n < EVENTS);
	o.tick = NULL;
	for (unsigned w = 1; w <= 7; w += 3) {
		g = gather_new();
		g->end_after = 2;
		g->end = 99;
		o.workers = w;
		assert_int_equal(pass_run(f->t, &o, &gather_ops, g, &result), 99);
		assert_int_equal(g->merged, 2);
		assert_int_equal(g->all.n, 2 * 4096);
	}
}

TEST(what_cannot_be_read_is_left_out_and_told)
{
	static const enum pass_order	orders[] = { PASS_ANY, PASS_TIME, PASS_FILE };
	struct written			*f = fixture_open();

	assert_int_equal(truncate(f->path, (off_t)(f->w.len / 2)), 0);
	for (size_t i = 0; i < 3; i++) {
		struct pass_result	result;
		struct gather		*g = gather_new();

		assert_int_equal(pass_run(f->t, &(struct pass_options){ .order = orders[i],
		    .workers = 2 }, &gather_ops, g, &result), 0);
		assert_true(result.lost);
		assert_in_range(g->all.n, EVENTS / 4, EVENTS / 2);
		for (size_t k = 0; k < g->all.n; k++)
			assert_true(g->all.v[k].e.off < f->w.len / 2);
	}
}

/* ---- in the background */

static void
wait_done(struct pass_job *p, struct pass_result *result)
{
	while (!pass_done(p, result))
		usleep(1000);
	assert_true(pass_share(p) == 1);
}

TEST(a_pass_in_the_background_gives_the_same)
{
	struct pass_options	 o = { .order = PASS_ANY, .workers = 2 };
	struct pass_result	 result;
	struct written		*f = fixture_open();
	struct gather		*g = gather_new();
	struct list		 want = { .n = 0 };
	struct pass_job		*p;
	size_t			 seen = 0;

	walk(f->t, &o, &want);
	p = pass_start(f->t, &o, NULL, &gather_ops, g);
	while (!pass_done(p, &result)) {
		usleep(500);
		pass_hold(p);
		assert_true(g->all.n >= seen);
		seen = g->all.n;
		pass_release(p);
		assert_true(pass_share(p) <= 1);
	}
	same_events(&g->all, &want, false);
	/* There is nothing more: nothing is added twice. */
	pass_continue(p);
	wait_done(p, &result);
	same_events(&g->all, &want, false);
	pass_stop(p);
	pass_stop(NULL);
	mem_free(want.v);
}

TEST(a_pass_in_the_background_follows_a_trace_that_grows)
{
	struct pass_result	 result;
	struct written		*f = fixture_open();
	struct trace		*t;
	struct gather		*g = gather_new();
	struct pass_job		*p;
	bool			 done;

	t = data_unindexed(f->path, &(struct trace_options){ .workers = 1 });
	trace_index_start(t);
	p = pass_start(t, &(struct pass_options){ .order = PASS_ANY, .workers = 1 }, NULL,
	    &gather_ops, g);
	do {
		done = trace_index_wait(t, 1);
		wait_done(p, &result);
		pass_continue(p);
	} while (!done);
	wait_done(p, &result);
	assert_int_equal(g->all.n, EVENTS);
	for (size_t i = 1; i < g->all.n; i++)
		assert_true(g->all.v[i].e.off > g->all.v[i - 1].e.off);
	pass_stop(p);
}

TEST(a_pass_in_the_background_is_stopped_at_any_moment)
{
	struct written	*f = fixture_open();

	for (unsigned i = 0; i < 40 / check_part(); i++) {
		struct pass_options	 o = { .order = i % 2 ? PASS_ANY : PASS_TIME,
					    .workers = 1 + i % 3 };
		struct filter		*slow = NULL;
		struct gather		*g = gather_new();
		struct pass_job		*p;

		if (i % 3 != 0)
			slow = filter_own("/(a|aa|O)*x(e|r|l)*y/");
		p = pass_start(f->t, &o, slow, &gather_ops, g);
		usleep(i * 300);
		if (i % 4 == 0) {	/* it waits for the holder, and merges afterwards */
			pass_hold(p);
			usleep(2000);
			pass_release(p);
		}
		pass_stop(p);
		test_now(g);
	}
}

/* ---- given up */

/* Workers block in add() until go is set. */
struct stuck {
	struct gather	*g;
	atomic_bool	 go;
	atomic_uint	 in;
	struct pass_job	*p;
};

struct stuck_state {
	struct stuck	*of;
	void		*list;
};

static void *
stuck_begin(void *arg)
{
	struct stuck_state	*s = mem_zalloc(1, sizeof *s);

	s->of = arg;
	s->list = gather_begin(s->of->g);
	return s;
}

static void
stuck_add(void *state, const struct pass_batch *b)
{
	struct stuck_state	*s = state;

	atomic_fetch_add(&s->of->in, 1);
	while (!atomic_load(&s->of->go))
		usleep(200);
	gather_add(s->list, b);
}

static int
stuck_merge(void *arg, void *state)
{
	struct stuck_state	*s = state;

	return gather_merge(((struct stuck *)arg)->g, s->list);
}

static void
stuck_free(void *state)
{
	gather_free(((struct stuck_state *)state)->list);
	mem_free(state);
}

static void
stuck_end(void *arg)
{
	pass_stop(((struct stuck *)arg)->p);
}

static const struct pass_ops	stuck_ops = {
	.begin = stuck_begin, .add = stuck_add, .merge = stuck_merge, .free = stuck_free,
};

/* pass_close() returns at once, though all workers are blocked, and nothing more is merged. */
TEST(a_pass_that_is_closed_is_not_waited_for_and_merges_nothing)
{
	static const enum pass_order	order[] = { PASS_ANY, PASS_TIME };
	struct written			*f = fixture_open();

	for (unsigned i = 0; i < 4; i++) {
		struct pass_options	o = { .order = order[i / 2], .workers = 1 + i % 2 };
		struct stuck		s = { .g = gather_new() };

		s.p = pass_start(f->t, &o, NULL, &stuck_ops, &s);
		while (atomic_load(&s.in) < o.workers)
			usleep(200);
		pass_hold(s.p);
		pass_close(s.p);		/* if it waited, the test would hang here */
		trace_retire(f->t, stuck_end, &s);
		assert_int_equal(s.in, o.workers);
		atomic_store(&s.go, true);
		trace_settle(f->t);
		assert_int_equal(s.g->merged, 0);
		assert_int_equal(s.g->begun, s.g->freed);
		assert_int_equal(s.g->all.n, 0);
	}
}

/*
 * At any moment, the merged events are exactly those before the start of the next pass. What a busy
 * machine decodes in a while is little: each pass gets longer than the last.
 */
static void
check_goes_on(struct trace *t, enum pass_order order, struct gather *g)
{
	struct pass_place resume = { 0, 0 };
	unsigned	 wait = 0;		/* us */
	bool		 done = false;

	for (unsigned i = 0; !done; i++, wait += wait / 8 + 200) {
		struct pass_options	 o = { .order = order, .resume = &resume,
					    .workers = 1 + i % 3 };
		struct pass_result	 result;
		struct pass_job		*p = pass_start(t, &o, NULL, &gather_ops, g);

		usleep(wait);
		done = pass_done(p, &result);
		pass_hold(p);
		pass_close(p);
		pass_stop(p);
		assert_true(g->all.n == 0 || order != PASS_TIME ||
		    (resume.at == g->all.v[g->all.n - 1].row + 1 &&
		    resume.ts == g->all.v[g->all.n - 1].e.ts));
	}
	assert_int_equal(g->all.n, EVENTS);
}

TEST(a_pass_goes_on_where_one_was_closed)
{
	struct written	*f = fixture_open();
	struct gather	*g = gather_new();

	check_goes_on(f->t, PASS_ANY, g);
	for (size_t i = 1; i < g->all.n; i++)
		assert_true(g->all.v[i].e.off > g->all.v[i - 1].e.off);
	g->all.n = 0;
	check_goes_on(f->t, PASS_TIME, g);
	for (size_t i = 0; i < g->all.n; i++)
		assert_int_equal(g->all.v[i].row, i);
}

/* The first call of add() sets stop. */
struct stopping {
	struct trace	*t;
	atomic_bool	 stop;
	uint64_t	 decoded;	/* then */
};

static void *
stopping_begin(void *arg)
{
	return arg;
}

static void
stopping_add(void *state, const struct pass_batch *b)
{
	struct stopping	*s = state;

	(void)b;
	if (!atomic_exchange(&s->stop, true))
		s->decoded = data_decoded(s->t);
}

static int
stopping_merge(void *arg, void *state)
{
	(void)arg;
	(void)state;
	return 0;
}

static void
stopping_free(void *state)
{
	(void)state;
}

static const struct pass_ops	stopping_ops = {
	.begin = stopping_begin, .add = stopping_add, .merge = stopping_merge,
	.free = stopping_free,
};

TEST(a_stop_is_seen_before_the_next_segment_is_decoded)
{
	static const enum pass_order	order[] = { PASS_ANY, PASS_TIME, PASS_FILE };
	struct written			*f = fixture_open();
	struct filter			*all;

	all = data_filter(f->t, "size >= 0", false);
	for (unsigned i = 0; i < 18; i++) {
		struct pass_options	o = { .order = order[i % 3], .workers = 1 + i / 3 % 3,
					    .filter = i < 9 ? all : NULL };
		struct stopping		s = { .t = f->t };
		struct pass_result	result;

		assert_int_equal(pass_run_until(f->t, &o, &stopping_ops, &s, &s.stop, NULL,
		    &result), ERR_CANCELED);
		assert_true(s.stop);
		assert_false(result.lost);
		assert_true(data_decoded(f->t) - s.decoded <= (o.workers - 1) * SCAN_SEGMENT);
	}
}

/* A view that was stopped half made is not damaged: the next request gets all of it. */
TEST(a_view_is_given_up_and_made_anew)
{
	const struct slice_view	*v;
	atomic_bool		 stop = true;
	struct written		*f = fixture_open();
	struct trace		*t;
	uint64_t		 before;

	t = data_open_path(f->path, &(struct trace_options){ .workers = 1 });
	before = data_decoded(t);
	assert_int_equal(view_get_until(t, 0, &stop, &v), 0);
	assert_null(v);
	assert_true(data_decoded(t) - before <= SCAN_SEGMENT);
	assert_int_equal(trace_view_get(t, 0, &v), 1);
	assert_true(v->n > 2 * SCAN_SEGMENT);
	trace_view_put(t, v);
}

TEST(many_workers_keep_the_cap_of_the_views)
{
	struct trace_options	 opt = { .workers = 7, .cache_bytes = 8u << 20 };
	struct pass_result	 result;
	struct written		*f = fixture_open();
	struct trace		*t;
	struct gather		*g = gather_new();
	size_t			 before;

	t = data_open_path(f->path, &opt);
	before = trace_memory(t);
	assert_int_equal(pass_run(t, &(struct pass_options){ .order = PASS_TIME }, &gather_ops, g,
	    &result), 0);
	assert_int_equal(g->all.n, EVENTS);
	assert_true(trace_memory(t) - before <= 8u << 20);
}

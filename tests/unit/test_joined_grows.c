/*
 * Traces that grow while they are joined. At each pause the list, the counts and the gaps are those
 * of joining what is there, and at the end those of joining the whole files. Rows that were final
 * stay. The work is in proportion to what comes, into however many pieces and regions it is cut.
 */
#include <unistd.h>

#include "../support/data.h"
#include "../support/feeder.h"
#include "../support/nt6_writer.h"
#include "../support/test.h"
#include "../support/tier.h"
#include "tnav/base/mem.h"
#include "tnav/engine/joined.h"

#define SOURCES		3u
#define THREADS		4u
#define WAIT_MS		60000

static uint64_t	random_state;

/* A random number below n. */
static size_t
any(size_t n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return n == 0 ? 0 : (size_t)((random_state >> 20) % n);
}

/* ---- traces */

/* Blocks of one thread each, whose times overlap, between two points. */
static void
write_region(struct nt6_writer *w, uint64_t from, uint64_t to, unsigned events, uint32_t *seq)
{
	for (unsigned thread = 0; thread < THREADS; thread++) {
		uint64_t	at = from, left = to - from - 1;
		unsigned	n = 1 + (unsigned)any(events * 2);

		nt6_begin(w, NT6_EVENTS);
		for (unsigned i = 0; i < n; i++) {
			uint64_t	step = any((size_t)(2 * left / (n - i)) + 1);

			step = step > left ? left : step;
			left -= step;
			at = i == 0 ? from + step : step;
			nt6_event(w, &(struct nt6_event){ .mid = 1 + (uint32_t)any(3),
			    .seq = i == 0 ? seq[thread] : 1, .size = (uint32_t)any(20),
			    .thread = 1 + thread, .ticks = at });
		}
		seq[thread] += n;
		nt6_finish(w);
	}
	nt6_point(w, to);
}

static void
write_rows(struct nt6_writer *w, uint32_t from, uint32_t to)
{
	static const char *const	name[] = { "", "One", "Two", "Three" };

	nt6_begin(w, NT6_METADATA);
	for (uint32_t i = from; i <= to; i++)
		nt6_row(w, i, name[i]);
	nt6_finish(w);
}

/* Its third type is described late: what it was called before changes. */
static void
write_trace(struct nt6_writer *w, unsigned regions, unsigned events, uint64_t step)
{
	uint32_t	seq[THREADS] = { 0 };
	uint64_t	at = 1;

	nt6_init(w);
	write_rows(w, 1, 2);
	nt6_begin(w, NT6_THREADS);
	for (unsigned i = 0; i < THREADS; i++)
		nt6_thread(w, 1 + i, 70 + i);
	nt6_finish(w);
	for (unsigned i = 0; i < regions; i++) {
		uint64_t	to = at + 1 + any(step * 2);

		if (i == regions / 2)
			write_rows(w, 3, 3);
		write_region(w, at, to, events, seq);
		at = to;
	}
	nt6_end(w);
}

/* ---- a joined trace as text */

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Types and threads are numbered as they come: add the lines in the order of their text. */
static void
add_sorted(struct buf *out, struct buf *lines)
{
	char	*line[4096], *p = (char *)(uintptr_t)buf_str(lines);
	size_t	 n = 0;

	for (char *s = strtok_r(p, "\n", &p); s != NULL && n < 4096; s = strtok_r(NULL, "\n", &p))
		line[n++] = s;
	qsort(line, n, sizeof *line, by_text);
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "%s\n", line[i]);
}

static void
put_count(struct buf *b, const struct count *c)
{
	buf_printf(b, " %llu %llu %lld %lld\n", (unsigned long long)c->events,
	    (unsigned long long)c->bytes, (long long)c->first, (long long)c->last);
}

/* What identifies its event. */
static void
put_place(struct trace *t, uint64_t row, struct buf *b)
{
	struct event	e;

	assert_int_equal(trace_event(t, row, &e), 1);
	buf_printf(b, "%llu: %lld %llx\n", (unsigned long long)row, (long long)e.ts,
	    (unsigned long long)e.off);
}

static void
put_row(struct trace *t, uint64_t row, struct buf *b)
{
	struct event		e;
	struct thread_stat	s;

	assert_int_equal(trace_event(t, row, &e), 1);
	trace_thread(t, e.thread, &s);
	buf_printf(b, "%llu: %lld %llx %s %llu %u of %u %u\n", (unsigned long long)row,
	    (long long)e.ts, (unsigned long long)e.off, trace_type(t, e.type)->name,
	    (unsigned long long)s.tid, e.seq, s.source, trace_type_source(t, e.type));
}

static void
put_counts(struct trace *t, struct buf *b)
{
	struct buf		*lines = test_buf();
	struct type_stat	*type;
	struct thread_stat	*thread;
	struct gap		*gap;
	struct loss		 loss;
	size_t			 n = trace_type_stats(t, &type);

	for (size_t i = 0; i < n; i++) {
		if (type[i].c.events == 0)
			continue;
		buf_printf(lines, "type %s of %u", trace_type(t, type[i].type)->name,
		    trace_type_source(t, type[i].type));
		put_count(lines, &type[i].c);
	}
	n = trace_thread_stats(t, &thread);
	for (size_t i = 0; i < n; i++) {
		if (thread[i].c.events == 0)
			continue;
		buf_printf(lines, "thread %llu of %u lost %llu", (unsigned long long)thread[i].tid,
		    thread[i].source, (unsigned long long)thread[i].lost);
		put_count(lines, &thread[i].c);
	}
	n = trace_gaps(t, &gap);
	for (size_t i = 0; i < n; i++)
		buf_printf(lines, "gap %llu %lld %lld %llx %u\n", (unsigned long long)gap[i].lost,
		    (long long)gap[i].from, (long long)gap[i].to,
		    (unsigned long long)gap[i].next_off, thread[gap[i].thread].source);
	trace_loss(t, &loss);
	buf_printf(lines, "lost %llu in %llu\n", (unsigned long long)loss.lost,
	    (unsigned long long)loss.gaps);
	add_sorted(b, lines);
	mem_free(type);
	mem_free(thread);
	mem_free(gap);
	test_now(lines);
}

static void
put_all(struct trace *t, struct buf *b)
{
	uint64_t	n = trace_rows(t), row;

	buf_clear(b);
	buf_printf(b, "rows %llu\n", (unsigned long long)n);
	for (uint64_t i = 0; i < n; i++) {
		struct event	e;

		put_row(t, i, b);
		assert_int_equal(trace_event(t, i, &e), 1);
		assert_int_equal(trace_row_of(t, e.ts, e.off, &row), 1);
		assert_int_equal(row, i);
	}
	put_counts(t, b);
}

/* ---- growing */

struct growing {
	struct nt6_writer	 w[SOURCES];
	struct feeder		 f[SOURCES];
	struct trace		*t;
	unsigned		 n;
	int64_t			 silent_ns;	/* never, but in one test */
};

static void
append(struct growing *g, unsigned i, size_t n)
{
	size_t	left = g->w[i].len - (size_t)g->f[i].size;

	n = n > left ? left : n;
	if (n > 0)
		feeder_append(&g->f[i], g->w[i].p + g->f[i].size, n);
}

static uint64_t
bytes_there(const struct growing *g)
{
	uint64_t	n = 0;

	for (unsigned i = 0; i < g->n; i++)
		n += g->f[i].size;
	return n;
}

static uint64_t
bytes_left(const struct growing *g)
{
	uint64_t	n = 0;

	for (unsigned i = 0; i < g->n; i++)
		n += g->w[i].len;
	return n - bytes_there(g);
}

static void
join(struct trace **t, struct trace **source, unsigned n, bool eager, int64_t silent_ns)
{
	struct trace_options	 opt = { .eager = eager };
	struct buf		*why = test_buf();

	assert_int_equal(trace_join(t, source, n, &(struct trace_join){ .clock = CLOCK_TICKS,
	    .silent_ns = silent_ns }, &opt, why), 0);
	test_now(why);
}

/* Begin with so many bytes of each. */
static void
growing_open(struct growing *g, size_t bytes, bool eager)
{
	struct trace	*source[SOURCES];
	struct buf	*why = test_buf();

	for (unsigned i = 0; i < g->n; i++) {
		struct trace_feed	feed;
		struct trace_options	opt = { .workers = 1 + (unsigned)any(2),
					    .eager = eager, .feed = &feed };

		feeder_init(&g->f[i]);
		feed = feeder_feed(&g->f[i]);
		append(g, i, bytes);
		assert_int_equal(trace_open(&source[i], "memory", &opt, why), 0);
	}
	join(&g->t, source, g->n, eager, g->silent_ns);
	assert_true(trace_follow(g->t, true, why));
	trace_index_start(g->t);
}

static void
growing_release(struct growing *g)
{
	trace_close(g->t);
	for (unsigned i = 0; i < g->n; i++) {
		feeder_release(&g->f[i]);
		nt6_release(&g->w[i]);
	}
}

/* Until all that is there is shown. */
static void
wait_seen(struct growing *g)
{
	struct trace_progress	p;
	uint64_t		size = bytes_there(g);

	for (int i = 0; i < WAIT_MS; i++) {
		trace_progress(g->t, &p);
		if ((p.size == size && p.all_shown) || p.complete)
			return;
		usleep(1000);
	}
	fail_msg("byte %llu is not reached", (unsigned long long)size);
}

/* The same of what is there now, joined at once. */
static void
put_fresh(struct growing *g, struct buf *b)
{
	struct trace	*source[SOURCES], *t;
	struct buf	*why = test_buf();

	for (unsigned i = 0; i < g->n; i++)
		assert_int_equal(trace_open_memory(&source[i],
		    (struct span){ g->w[i].p, (size_t)g->f[i].size }, NULL, why), 0);
	join(&t, source, g->n, false, 0);
	assert_true(trace_index_wait(t, -1));
	put_all(t, b);
	trace_close(t);
	test_now(why);
}

static void
growing_write(struct growing *g, unsigned sources, unsigned regions, unsigned events)
{
	*g = (struct growing){ .n = sources, .silent_ns = INT64_MAX };
	for (unsigned i = 0; i < sources; i++)
		write_trace(&g->w[i], 1 + (unsigned)any(regions * 2), events, 1000);
}

TEST(at_each_pause_rows_and_counts_are_those_of_joining_what_is_there)
{
	struct buf	*is = test_buf(), *want = test_buf();
	struct growing	 g;

	random_state = check_seed();
	for (unsigned turn = 0; turn < (check_all() ? 40u : 3u); turn++) {
		growing_write(&g, 2 + (unsigned)any(2), 6, 20);
		growing_open(&g, 400, true);
		while (bytes_left(&g) > 0) {
			for (size_t k = 1 + any(30); k > 0; k--)
				append(&g, (unsigned)any(g.n), 1 + any((size_t)1 << any(9)));
			wait_seen(&g);
			put_all(g.t, is);
			put_fresh(&g, want);
			test_same_text("joined", bytes_there(&g), is, want);
		}
		assert_true(trace_index_wait(g.t, WAIT_MS));
		put_all(g.t, is);
		test_same_text("joined", bytes_there(&g), is, want);
		assert_true(trace_ordered(g.t));
		growing_release(&g);
	}
}

TEST(final_rows_stay_and_come_before_the_end)
{
	struct buf	*is = test_buf(), *want = test_buf();
	struct growing	 g;
	uint64_t	 early = 0;

	random_state = check_seed() + 1;
	for (unsigned turn = 0; turn < (check_all() ? 40u : 3u); turn++) {
		uint64_t		done = 0;
		struct trace_progress	p;

		growing_write(&g, 2 + (unsigned)any(2), 10, 20);
		growing_open(&g, 400, false);
		buf_clear(is);
		while (bytes_left(&g) > 0) {
			for (size_t k = 1 + any(10); k > 0; k--)
				append(&g, (unsigned)any(g.n), 1 + any((size_t)1 << any(9)));
			wait_seen(&g);
			trace_progress(g.t, &p);
			early += bytes_left(&g) > 0 ? p.rows_final - done : 0;
			for (; done < p.rows_final; done++)
				put_place(g.t, done, is);
		}
		assert_true(trace_index_wait(g.t, WAIT_MS));
		for (; done < trace_rows(g.t); done++)
			put_place(g.t, done, is);
		buf_clear(want);
		for (uint64_t i = 0; i < done; i++)
			put_place(g.t, i, want);
		test_same_text("joined", bytes_there(&g), is, want);
		put_all(g.t, is);
		put_fresh(&g, want);
		test_same_text("joined", bytes_there(&g), is, want);
		growing_release(&g);
	}
	assert_true(early > 100);
}

/* The end of the files closed the newest region, in which events of the other file follow. */
TEST(rows_of_files_that_go_on_after_their_end_are_those_of_joining_the_whole)
{
	struct buf	*is = test_buf(), *want = test_buf(), *why = test_buf();

	random_state = check_seed() + 3;
	for (unsigned turn = 0; turn < (check_all() ? 40u : 3u); turn++) {
		struct trace	*source[SOURCES];
		struct growing	 g;

		growing_write(&g, 2, 4, 20);
		for (unsigned i = 0; i < g.n; i++) {
			feeder_init(&g.f[i]);
			append(&g, i, g.w[i].len / 4 + any(g.w[i].len / 2));
			assert_int_equal(trace_open(&source[i], g.f[i].path, NULL, why), 0);
		}
		join(&g.t, source, g.n, false, INT64_MAX);
		assert_true(trace_index_wait(g.t, WAIT_MS));
		assert_true(trace_follow(g.t, true, why));
		for (unsigned i = 0; i < g.n; i++)
			append(&g, i, g.w[i].len);
		assert_true(trace_index_wait(g.t, WAIT_MS));
		put_all(g.t, is);
		put_fresh(&g, want);
		test_same_text("joined", bytes_there(&g), is, want);
		growing_release(&g);
	}
}

/* ---- the cost */

static uint64_t
events_decoded(unsigned regions, uint64_t *events, bool eager)
{
	struct growing		g = { .n = 2, .silent_ns = INT64_MAX };
	struct trace_costs	c;
	struct trace_progress	p;

	for (unsigned i = 0; i < g.n; i++)
		write_trace(&g.w[i], regions, 20, 1000);
	growing_open(&g, 400, eager);
	while (bytes_left(&g) > 0) {
		append(&g, 0, 3000);
		append(&g, 1, 3000);
		wait_seen(&g);
	}
	assert_true(trace_index_wait(g.t, WAIT_MS));
	trace_costs(g.t, &c);
	trace_progress(g.t, &p);
	*events = p.events;
	growing_release(&g);
	return c.view_events;
}

/* Regions of the whole end where one of a source does: in the middle of those of the others. */
TEST(events_are_decoded_a_few_times_for_the_index_however_many_regions_there_are)
{
	uint64_t	few, many, decoded;

	random_state = check_seed() + 2;
	decoded = events_decoded(20, &few, false);
	assert_in_range(decoded, 1, few * 4);
	decoded = events_decoded(200, &many, false);
	assert_true(many > few * 5);
	assert_in_range(decoded, 1, many * 4);
}

/* ---- events that come too late */

/* n events 100 apart, each with a point after it; some, from the third one on, at the time late. */
static void
write_late(struct nt6_writer *w, unsigned n, uint64_t late, unsigned some)
{
	nt6_init(w);
	write_rows(w, 1, 3);
	nt6_begin(w, NT6_THREADS);
	nt6_thread(w, 1, 70);
	nt6_finish(w);
	for (unsigned i = 0; i < n; i++) {
		nt6_begin(w, NT6_EVENTS);
		nt6_event(w, &(struct nt6_event){ .mid = 1, .seq = i, .thread = 1,
		    .ticks = i >= 2 && i < 2 + some ? late : 100 * i + 50 });
		nt6_finish(w);
		nt6_point(w, 100 * i + 100);
	}
	nt6_end(w);
}

/* Is a finding about order told? */
static bool
tells_order(struct trace *t)
{
	struct finding	*list;
	size_t		 n = diag_list(trace_diag(t), &list);
	bool		 told = false;

	for (size_t i = 0; i < n; i++)
		told |= list[i].kind == FIND_ORDER && strstr(list[i].text, "final") != NULL;
	mem_free(list);
	return told;
}

TEST(an_event_that_is_earlier_than_final_rows_is_a_row_after_them_and_a_finding)
{
	struct growing		 g = { .n = 2, .silent_ns = INT64_MAX };
	struct trace_progress	 p;
	struct event		 e;
	uint64_t		 row;

	write_late(&g.w[0], 4, 20, 1);
	write_late(&g.w[1], 4, 0, 0);
	growing_open(&g, 150, true);
	while (bytes_left(&g) > 0) {
		append(&g, 0, 10);
		append(&g, 1, 10);
		wait_seen(&g);
	}
	assert_true(trace_index_wait(g.t, WAIT_MS));
	trace_progress(g.t, &p);
	assert_int_equal(p.events, 8);
	assert_int_equal(trace_rows(g.t), 8);
	for (uint64_t i = 0, at = 0; i < 8; i++) {
		assert_int_equal(trace_event(g.t, i, &e), 1);
		assert_int_equal(trace_row_of(g.t, e.ts, e.off, &row), 1);
		assert_int_equal(row, i);
		if (e.ts == 20)
			assert_true(at >= 150);
		at = (uint64_t)e.ts;
	}
	assert_false(trace_ordered(g.t));
	assert_true(tells_order(g.t));
	growing_release(&g);
}

/* What comes after them, on time, is final at the next point, or only at the end. */
TEST(a_source_whose_events_were_late_eight_times_promises_nothing)
{
	enum { AFTER = 4, END = 4 };		/* events; bytes of the end */

	for (unsigned late = 7; late <= 8; late++) {
		struct growing		 g = { .n = 2, .silent_ns = INT64_MAX };
		struct trace_progress	 p = { .rows_final = 0 };
		unsigned		 n = 2 + late + AFTER;

		for (unsigned i = 0; i < 2; i++) {
			write_late(&g.w[i], n, 20, i == 0 ? late : 0);
			g.w[i].len -= END;
		}
		growing_open(&g, 150, true);
		while (bytes_left(&g) > 0) {
			append(&g, 0, 10);
			append(&g, 1, 10);
			wait_seen(&g);
		}
		for (int i = 0; late < 8 && i < WAIT_MS && p.rows_final < 2 * n; i++) {
			usleep(1000);
			trace_progress(g.t, &p);
		}
		trace_progress(g.t, &p);
		assert_int_equal(trace_rows(g.t), 2 * n);
		if (late < 8)
			assert_int_equal(p.rows_final, 2 * n);
		else
			assert_true(p.rows_final <= 2 * (n - AFTER));
		for (unsigned i = 0; i < 2; i++) {
			g.w[i].len += END;
			append(&g, i, END);
		}
		assert_true(trace_index_wait(g.t, WAIT_MS));
		growing_release(&g);
	}
}

/* ---- a source from which nothing comes */

/* The rows that are final, once there are some; or at once, if there never will be. */
static uint64_t
wait_final(struct growing *g, bool ever)
{
	struct trace_progress	p;

	wait_seen(g);
	for (int i = 0; i < WAIT_MS; i++) {
		trace_progress(g->t, &p);
		if (!ever || p.rows_final > 0)
			return p.rows_final;
		usleep(1000);
	}
	return 0;
}

/* One has its header alone; the limit of silence is one that is reached at once, or never. */
TEST(a_silent_source_holds_nobody_up_and_its_late_events_are_told)
{
	struct buf	*before = test_buf(), *after = test_buf();

	for (unsigned waits = 0; waits < 2; waits++) {
		struct growing	g = { .n = 2, .silent_ns = waits > 0 ? INT64_MAX : 1 };
		uint64_t	final;

		write_late(&g.w[0], 4, 0, 0);
		write_late(&g.w[1], 4, 0, 0);
		growing_open(&g, 150, true);
		append(&g, 0, g.w[0].len - (size_t)g.f[0].size - 1);
		final = wait_final(&g, waits == 0);
		assert_true(waits > 0 ? final == 0 : final > 0);
		buf_clear(before);
		for (uint64_t i = 0; i < final; i++)
			put_place(g.t, i, before);
		append(&g, 1, g.w[1].len);
		append(&g, 0, 1);
		assert_true(trace_index_wait(g.t, WAIT_MS));
		assert_int_equal(trace_rows(g.t), 8);
		buf_clear(after);
		for (uint64_t i = 0; i < final; i++)
			put_place(g.t, i, after);
		test_same_text("joined", bytes_there(&g), after, before);
		assert_int_equal(trace_ordered(g.t), waits > 0);
		assert_int_equal(tells_order(g.t), waits == 0);
		growing_release(&g);
	}
}

/* Its index is made by a thread of its own, which begins to follow them: a signal may come first. */
TEST(what_ends_before_its_sources_are_followed_does_not_follow_them)
{
	const char	*path = data_path("tests/data/features/v6-no-end-block.nettrace");
	struct trace	*source[2], *t;
	struct buf	*why = test_buf();

	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(trace_open(&source[i], path, NULL, why), 0);
	join(&t, source, 2, false, 0);
	assert_true(trace_follow(t, true, why));
	trace_end_feed(t);
	trace_index_start(t);
	assert_true(trace_index_wait(t, WAIT_MS));
	assert_true(trace_rows(t) > 0);
	trace_close(t);
}

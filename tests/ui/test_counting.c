/*
 * Counting in the background: each event goes through it once, whatever comes in between, and none
 * of it on the thread of the keys.
 */
#include <poll.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/nt4_writer.h"
#include "../support/test.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "ui/view/counting.h"
#include "ui/view/view.h"

#define EVENTS		200000u
#define BLOCK		1000u
#define THREADS		3u
#define STEP_NS		2000000
#define HALT_TRIES	50u

static _Thread_local bool	keys_are_here;

struct tally_of_events {
	atomic_uint_fast64_t	added;		/* events that were given to a piece */
	atomic_bool		stuck;		/* who adds them is, until it is let go */
	uint64_t		merged, bytes;
	atomic_uint		on_keys;	/* calls on the thread of the keys */
};

struct piece_of_events {
	struct tally_of_events	*all;
	uint64_t		 n, bytes;
};

static void *
begin(void *arg)
{
	struct piece_of_events	*p = mem_zalloc(1, sizeof *p);

	p->all = arg;
	p->all->on_keys += keys_are_here;
	return p;
}

static void
add(void *state, const struct pass_batch *b)
{
	struct piece_of_events	*p = state;

	p->all->on_keys += keys_are_here;
	atomic_fetch_add(&p->all->added, b->n);
	while (atomic_load(&p->all->stuck))
		(void)poll(NULL, 0, 1);
	p->n += b->n;
	for (uint32_t i = 0; i < b->n; i++)
		p->bytes += b->ev[b->at[i]].size;
}

static int
merge(void *arg, void *state)
{
	struct tally_of_events	*all = arg;
	struct piece_of_events	*p = state;

	all->on_keys += keys_are_here;
	all->merged += p->n;
	all->bytes += p->bytes;
	return 0;
}

static const struct pass_ops	ops = {
	.begin = begin, .add = add, .merge = merge, .free = mem_free,
};

/* ---- a trace, part of which waits at a gate */

struct gate {
	struct nt4_writer	 w;
	size_t			 half;		/* bytes in front of the gate */
	char			 dir[32], path[64];
	atomic_bool		 open;
	bool			 falling;
	struct job		*job;
};

/* The later in the file, the later in time; or the earlier. */
static int64_t
time_of(const struct gate *g, uint64_t i)
{
	return g->falling ? (int64_t)(EVENTS - i) : (int64_t)i + 1;
}

static void
write_events(struct gate *g)
{
	static const struct nt4_field	fields[] = { { NT4_U32, "n" } };

	nt4_begin(&g->w, NULL, "Count", "Number", fields, 1);
	for (uint32_t i = 0; i < EVENTS; i++) {
		uint8_t		payload[4] = { (uint8_t)i, (uint8_t)(i >> 8), (uint8_t)(i >> 16) };
		uint64_t	tid = 10 + i / 100 % THREADS;

		if (i % BLOCK == 0)
			nt4_block(&g->w, "EventBlock", NT4_COMPRESSED);
		nt4_event(&g->w, &(struct nt4_event){ .mid = 1, .tid = tid, .capture = tid,
		    .seq = i + 1, .ts = time_of(g, i), .payload = payload, .size = 4 });
		if ((i + 1) % BLOCK == 0)
			nt4_block_end(&g->w);
		if (i + 1 == EVENTS / 2)
			g->half = g->w.len;
	}
	nt4_end(&g->w);
}

static void
write_trace(void *arg)
{
	struct gate		*g = arg;
	FILE			*f = fopen(g->path, "wb");

	if (f == NULL)
		return;
	(void)fwrite(g->w.p, 1, g->half, f);
	(void)fflush(f);
	while (!atomic_load(&g->open))
		(void)poll(NULL, 0, 1);
	(void)fwrite(g->w.p + g->half, 1, g->w.len - g->half, f);
	fclose(f);
}

static struct trace *
gate_begin_with(struct gate *g, bool open, bool falling)
{
	struct trace	*t;
	struct buf	*why = test_buf();

	memset(g, 0, sizeof *g);
	g->falling = falling;
	write_events(g);
	snprintf(g->dir, sizeof g->dir, "/tmp/tnav-count-XXXXXX");
	assert_non_null(mkdtemp(g->dir));
	snprintf(g->path, sizeof g->path, "%s/fifo", g->dir);
	assert_int_equal(mkfifo(g->path, 0600), 0);
	atomic_init(&g->open, open);
	g->job = job_start(write_trace, g);
	assert_int_equal(trace_open(&t, g->path, NULL, why), 0);
	trace_index_start(t);
	if (open)
		assert_true(trace_index_wait(t, -1));
	return t;
}

static struct trace *
gate_begin(struct gate *g, bool open)
{
	return gate_begin_with(g, open, false);
}

static void
gate_end(struct gate *g, struct trace *t)
{
	trace_close(t);
	job_join(g->job);
	unlink(g->path);
	rmdir(g->dir);
	nt4_release(&g->w);
}

/* What a loop of the viewer does; true: there is nothing more to do now. */
static bool
turn(struct view *v, struct counting *c, struct tally_of_events *n)
{
	(void)view_refresh(v);
	if (counting_follow(c)) {
		counting_forget(c);
		n->merged = n->bytes = 0;
		counting_begin(c, v, &(struct counting_request){ .of = COUNT_SHOWN, .ops = &ops,
		    .arg = n });
	}
	return !counting_step(c, STEP_NS);
}

static void
count_all(struct view *v, struct counting *c, struct tally_of_events *n)
{
	while (!turn(v, c, n) || !v->complete)
		;
}

TEST(each_event_of_a_growing_trace_is_counted_once)
{
	struct tally_of_events	n = { 0 };
	struct counting		c = { 0 };
	struct gate		g;
	struct trace		*t = gate_begin(&g, false);
	struct view		 v;

	view_init(&v, t, false);
	while (!turn(&v, &c, &n) || n.merged == 0)
		;
	assert_false(v.complete);
	assert_true(n.merged <= EVENTS / 2);	/* a part of it can be seen already */
	atomic_store(&g.open, true);
	count_all(&v, &c, &n);
	assert_int_equal(trace_rows(t), EVENTS);
	assert_int_equal(n.merged, EVENTS);
	assert_int_equal(n.bytes, EVENTS * 4);
	assert_int_equal(n.added, EVENTS);
	assert_int_equal(n.on_keys, 0);
	counting_release(&c);
	view_release(&v);
	gate_end(&g, t);
}

TEST(another_filter_or_window_counts_anew_and_what_it_lets_through)
{
	struct tally_of_events	n = { 0 };
	struct counting		c = { 0 };
	struct gate		g;
	struct trace		*t = gate_begin(&g, true);
	struct view		 v;

	view_init(&v, t, false);
	(void)turn(&v, &c, &n);
	assert_true(view_set_filter(&v, "tid = 11"));	/* while it counts all */
	count_all(&v, &c, &n);
	assert_in_range(n.merged, EVENTS / THREADS - 100, EVENTS / THREADS + 100);
	assert_true(view_window(&v, 1001, 4001));
	count_all(&v, &c, &n);
	assert_int_equal(n.merged, 1000);
	assert_true(view_set_filter(&v, NULL));
	count_all(&v, &c, &n);
	assert_int_equal(n.merged, 3000);
	assert_int_equal(n.on_keys, 0);
	counting_release(&c);
	view_release(&v);
	gate_end(&g, t);
}

/* How often a count was halted: the machine may run all of it before the first halt. */
static unsigned
count_with_halts(struct view *v, bool by_rows)
{
	struct tally_of_events	n = { 0 };
	struct counting		c = { 0 };
	unsigned		halts = 0;

	counting_begin(&c, v, &(struct counting_request){ .of = COUNT_ALL, .ops = &ops, .arg = &n,
	    .by_rows = by_rows });
	while (counting_busy(&c)) {
		uint64_t	was = n.merged;

		while (n.merged == was && counting_step(&c, 1))
			;
		counting_halt(&c);
		assert_true(counting_share(&c) <= 1);
		halts++;
	}
	assert_int_equal(n.merged, EVENTS);
	assert_int_equal(n.bytes, EVENTS * 4);
	assert_int_equal(n.on_keys, 0);
	counting_release(&c);
	return halts;
}

/* Halt after halt, in any order of the file and by rows: nothing is left out or counted twice. */
TEST(a_count_that_was_halted_goes_on_where_it_was)
{
	struct gate		g;
	struct trace		*t = gate_begin(&g, true);
	struct view		 v;

	view_init(&v, t, false);
	for (int by_rows = 0; by_rows < 2; by_rows++) {
		unsigned	halts = 0;

		for (unsigned i = 0; i < HALT_TRIES && halts < 2; i++)
			halts = count_with_halts(&v, by_rows != 0);
		assert_true(halts > 1);
	}
	view_release(&v);
	gate_end(&g, t);
}

TEST(what_nobody_steps_stands_still)
{
	struct tally_of_events	n = { 0 };
	struct counting		c = { 0 };
	struct gate		g;
	struct trace		*t = gate_begin(&g, true);
	struct view		 v;
	uint64_t		 was;

	view_init(&v, t, false);
	counting_begin(&c, &v, &(struct counting_request){ .of = COUNT_ALL, .ops = &ops,
	    .arg = &n, .by_rows = true });
	(void)counting_step(&c, 1);
	was = n.merged;
	for (int i = 0; i < 50; i++)
		(void)poll(NULL, 0, 1);
	assert_int_equal(n.merged, was);
	view_stop(&v);				/* Esc: it ends though it waits to merge */
	assert_null(c.job);
	counting_release(&c);
	view_release(&v);
	gate_end(&g, t);
}

/* While a worker is stuck keys halt a count, begin another one, and change window and filter. */
TEST(no_key_waits_for_what_it_halts)
{
	struct tally_of_events	n = { 0 }, others = { 0 };
	struct counting		c = { 0 };
	struct gate		g;
	struct trace		*t = gate_begin(&g, true);
	struct view		 v;

	view_init(&v, t, false);
	atomic_store(&n.stuck, true);
	counting_begin(&c, &v, &(struct counting_request){ .of = COUNT_ALL, .ops = &ops,
	    .arg = &n });
	while (atomic_load(&n.added) == 0)
		(void)counting_step(&c, STEP_NS);
	view_stop(&v);				/* or it would be here for ever */
	assert_null(c.job);
	assert_int_equal(n.merged, 0);
	v.stopped = false;
	assert_true(view_window(&v, 1001, 4001));
	assert_true(view_set_filter(&v, "tid = 11"));
	assert_true(counting_follow(&c));
	counting_begin(&c, &v, &(struct counting_request){ .of = COUNT_SHOWN, .ops = &ops,
	    .arg = &others });
	while (counting_step(&c, STEP_NS))
		;
	assert_int_equal(others.merged, 1000);
	assert_int_equal(n.merged, 0);
	atomic_store(&n.stuck, false);
	counting_release(&c);
	view_release(&v);			/* waits for it */
	assert_int_equal(n.merged, 0);
	assert_int_equal(n.on_keys, 0);
	gate_end(&g, t);
}

/* ---- lanes of a filter */

#define PARTS	60u
#define SLOP	128u		/* events near the border of a part that may be in its neighbour */

/* How many of the first n events are of thread 11, between two times. */
static uint64_t
of_thread_11(const struct gate *g, uint64_t n, int64_t from, int64_t to)
{
	uint64_t	sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += i / 100 % THREADS == 1 && time_of(g, i) >= from && time_of(g, i) < to;
	return sum;
}

static uint64_t
line_sum(const struct tally *y, uint32_t line)
{
	uint64_t	sum = 0;

	for (unsigned k = 0; k < PARTS; k++)
		sum += tally_bin(y, line, k);
	return sum;
}

/* The lane has what is counted so far, where it lies in time; of that what the window has. */
static void
check_lane(const struct gate *g, const struct tally *y, uint32_t line)
{
	uint64_t	counted = y->events[line], n = 0;

	while (of_thread_11(g, n, 0, INT64_MAX) < counted)
		n += 100;
	assert_int_equal(of_thread_11(g, n, 0, INT64_MAX), counted);
	for (unsigned k = 0; k < PARTS; k++) {
		uint64_t	want = of_thread_11(g, n,
				    time_bucket_start(k, y->from, y->to, PARTS),
				    time_bucket_start(k + 1, y->from, y->to, PARTS));
		uint64_t	got = tally_bin(y, line, k);

		assert_true(got + SLOP >= want && got <= want + SLOP);
	}
}

static bool
lanes_turn(struct view *v)
{
	(void)view_refresh(v);
	view_tally_want(v, &v->tallies.lanes, PARTS);
	if (view_tally_busy(v))
		view_tally_step(v, STEP_NS);
	view_tally_want(v, &v->tallies.lanes, PARTS);
	return view_tally_busy(v);
}

static uint32_t
line_of_11(struct trace *t)
{
	struct thread_stat	st;

	for (uint32_t i = 0; i < trace_threads(t); i++) {
		trace_thread(t, i, &st);
		if (st.tid == 11)
			return i;
	}
	return 0;
}

static void
grow(bool falling)
{
	struct gate	 g;
	struct trace	*t = gate_begin_with(&g, false, falling);
	struct view	 v;
	struct tally	*y = &v.tallies.lanes;
	uint32_t	 line;

	view_init(&v, t, false);
	assert_true(view_set_filter(&v, "tid = 11"));
	do {
		while (lanes_turn(&v))
			;
		line = line_of_11(t);
	} while (y->all == NULL || line >= y->lines || y->events[line] < EVENTS / 10);
	assert_false(v.complete);
	assert_true(y->growing);
	check_lane(&g, y, line);
	for (uint32_t i = 0; i < y->lines; i++)
		assert_true(i == line || line_sum(y, i) == 0);
	atomic_store(&g.open, true);
	while (lanes_turn(&v) || !v.complete)
		;
	assert_false(y->growing);
	assert_int_equal(line_sum(y, line), of_thread_11(&g, EVENTS, 0, INT64_MAX));
	view_release(&v);
	gate_end(&g, t);
}

TEST(lanes_of_a_filter_count_while_the_index_grows)
{
	grow(false);
	grow(true);
}

static int
begin_group(void)
{
	keys_are_here = true;
	return 0;
}

GROUP(begin_group, NULL)

/*
 * The head of a trace that is being received (tnav/engine/head.h). What is kept is compared with
 * the same trace, read whole; the room of the rest with what the file system has allocated.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "../support/feeder.h"
#include "../support/nt4_writer.h"
#include "../support/test.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/engine/head.h"
#include "tnav/engine/pass.h"

#define REGIONS		90u
#define EVENTS		600u		/* of a region */
#define PAYLOAD		100u
#define LATE		7u		/* the region in which a type is described */
#define STACKS		250u		/* more than two pages, before the events */
#define FRAMES		5u
#define KEEP		(UINT64_C(512) << 10)
#define WAIT_MS		60000

/* ---- the trace: four threads; stacks and a sequence point in each region */

static void
put_region(struct nt4_writer *w, uint32_t r, uint32_t seq[4])
{
	static const uint64_t	tids[4] = { 10, 11, 12, 13 };
	static uint64_t		ips[STACKS * FRAMES];
	uint32_t		payload[PAYLOAD / 4] = { 0 };

	if (r == LATE) {
		nt4_block(w, "MetadataBlock", NT4_COMPRESSED);
		nt4_metadata(w, 2, "Late", 2, "Two", NULL, 0);
		nt4_block_end(w);
	}
	for (uint32_t i = 0; i < STACKS * FRAMES; i++)
		ips[i] = (uint64_t)r << 32 | i;
	nt4_stacks(w, r * STACKS + 1, STACKS, ips, FRAMES);
	nt4_block(w, "EventBlock", NT4_COMPRESSED);
	for (uint32_t i = 0; i < EVENTS; i++) {
		uint32_t	k = i * 7 % 4;

		payload[0] = r * EVENTS + i;
		nt4_event(w, &(struct nt4_event){ .mid = r >= LATE && i % 3 == 0 ? 2 : 1,
		    .tid = tids[k], .capture = tids[k], .seq = ++seq[k],
		    .stack = r * STACKS + 1 + i % STACKS, .ts = (int64_t)(r * EVENTS + i) + 1,
		    .payload = payload, .size = PAYLOAD });
	}
	nt4_block_end(w);
	nt4_sequence_point(w, (int64_t)((r + 1) * EVENTS), 4, tids, seq);
}

struct kept {
	struct nt4_writer	 w;
	struct feeder		 f;
	struct trace		*t, *whole;
	size_t			 end[REGIONS];	/* bytes up to the end of a region */
};

static void
kept_open(struct kept *k)
{
	struct trace_feed	 feed;
	struct trace_options	 o = { .workers = 2, .eager = true, .feed = &feed };
	struct buf		*why = test_buf();
	uint32_t		 seq[4] = { 0 };

	nt4_begin(&k->w, NULL, "Kept", "One", NULL, 0);
	for (uint32_t r = 0; r < REGIONS; r++) {
		put_region(&k->w, r, seq);
		k->end[r] = k->w.len;
	}
	nt4_end(&k->w);
	feeder_init(&k->f);
	feed = feeder_feed(&k->f);
	feeder_append(&k->f, k->w.p, k->end[0]);
	assert_int_equal(trace_open(&k->t, "kept", &o, why), 0);
	assert_true(trace_follow(k->t, true, NULL));
	trace_index_start(k->t);
	assert_int_equal(trace_open_memory(&k->whole, (struct span){ k->w.p, k->w.len }, NULL,
	    why), 0);
	assert_true(trace_index_wait(k->whole, -1));
}

static void
kept_close(struct kept *k)
{
	trace_close(k->t);
	trace_close(k->whole);
	feeder_release(&k->f);
	nt4_release(&k->w);
}

static void
wait_rows(struct kept *k, uint64_t rows)
{
	struct trace_progress	p = { .rows_final = 0 };

	for (int i = 0; i < WAIT_MS && p.rows_final < rows; i++) {
		trace_progress(k->t, &p);
		usleep(1000);
	}
	assert_true(p.rows_final >= rows);
}

static void
wait_all(struct kept *k)
{
	for (int i = 0; i < WAIT_MS && trace_rows(k->t) < REGIONS * EVENTS; i++)
		usleep(1000);
	assert_int_equal(trace_rows(k->t), REGIONS * EVENTS);
}

/* Append region r. */
static void
grow(struct kept *k, uint32_t r)
{
	feeder_append(&k->f, k->w.p + k->f.size, k->end[r] - (size_t)k->f.size);
	wait_rows(k, r * EVENTS);	/* that of r is closed by what follows it, or not yet */
}

static bool
let_go(struct kept *k)
{
	return trace_let_go(k->t, k->f.fd, &(struct trace_keep){ .bytes = KEEP });
}

static uint64_t
allocated(const struct kept *k)
{
	struct stat	st;

	assert_int_equal(fstat(k->f.fd, &st), 0);
	return (uint64_t)st.st_blocks * 512;
}

/* ---- what is kept */

/* The event in both traces: header, payload, stack, type. */
static void
check_event(struct kept *k, uint64_t row)
{
	uint64_t	ips[2][FRAMES + 1];
	struct event	a, b;
	struct span	pa, pb;

	assert_int_equal(trace_event(k->t, row, &a), 1);
	assert_int_equal(trace_event(k->whole, row, &b), 1);
	assert_int_equal(a.ts, b.ts);
	assert_int_equal(a.off, b.off);
	assert_int_equal(a.seq, b.seq);
	pa = trace_payload(k->t, &a);
	pb = trace_payload(k->whole, &b);
	assert_int_equal(pa.len, PAYLOAD);
	assert_memory_equal(pa.p, pb.p, PAYLOAD);
	assert_int_equal(trace_stack(k->t, &a, ips[0], FRAMES + 1), FRAMES);
	assert_int_equal(trace_stack(k->whole, &b, ips[1], FRAMES + 1), FRAMES);
	assert_memory_equal(ips[0], ips[1], sizeof ips[0][0] * FRAMES);
	assert_string_equal(trace_type(k->t, a.type)->name, trace_type(k->whole, b.type)->name);
	assert_true(trace_type(k->t, a.type)->provider[0] != '\0');
}

/* Counts of a pass over all events: by type and thread, and how many before a row. */
struct tallied {
	uint64_t	events, type[8], thread[8];
	uint64_t	off_least;
};

static void *
tally_begin(void *arg)
{
	struct tallied	*x = mem_zalloc(1, sizeof *x);

	(void)arg;
	x->off_least = UINT64_MAX;
	return x;
}

static void
tally_add(void *state, const struct pass_batch *b)
{
	struct tallied	*x = state;

	for (uint32_t i = 0; i < b->n; i++) {
		const struct event	*e = &b->ev[b->at[i]];

		x->events++;
		x->type[e->type % 8]++;
		x->thread[e->thread % 8]++;
		x->off_least = e->off < x->off_least ? e->off : x->off_least;
	}
}

static int
tally_merge(void *arg, void *state)
{
	struct tallied		*to = arg;
	const struct tallied	*x = state;

	to->events += x->events;
	for (unsigned i = 0; i < 8; i++) {
		to->type[i] += x->type[i];
		to->thread[i] += x->thread[i];
	}
	to->off_least = x->off_least < to->off_least ? x->off_least : to->off_least;
	return 0;
}

static const struct pass_ops	tally_ops = {
	.begin = tally_begin, .add = tally_add, .merge = tally_merge, .free = mem_free,
};

static void
check_counts(struct kept *k, enum pass_order order)
{
	const struct pass_options	 o = { .order = order, .workers = 2 };
	struct tallied			 sum = { .off_least = UINT64_MAX };
	struct pass_result		 result;
	struct trace_head		 head;
	struct type_stat		*type;
	struct thread_stat		*thread;
	struct event			 first;
	size_t				 n;

	trace_head(k->t, &head);
	assert_int_equal(pass_run(k->t, &o, &tally_ops, &sum, &result), 0);
	assert_false(result.lost);
	assert_int_equal(sum.events, trace_rows(k->t) - head.row);
	assert_int_equal(trace_event(k->t, head.row, &first), 1);
	assert_int_equal(sum.off_least, first.off);
	n = trace_type_stats(k->t, &type);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(type[i].c.events, sum.type[i]);
		assert_int_equal(type[i].c.bytes, sum.type[i] * PAYLOAD);
	}
	mem_free(type);
	n = trace_thread_stats(k->t, &thread);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(thread[i].c.events, sum.thread[i]);
		assert_int_equal(thread[i].c.bytes, sum.thread[i] * PAYLOAD);
	}
	mem_free(thread);
}

TEST(rows_that_are_kept_stay_what_they_are)
{
	struct kept		k = { .t = NULL };
	struct trace_head	head, before = { 0 };
	struct event		e;
	int64_t			first, last;
	unsigned		moved = 0;

	kept_open(&k);
	for (uint32_t r = 1; r < REGIONS; r++) {
		grow(&k, r);
		moved += let_go(&k);
		(void)let_go(&k);	/* nothing reads: not even this is needed */
		trace_head(k.t, &head);
		assert_true(head.row >= before.row);
		assert_true(head.row == before.row || head.row % EVENTS == 0);
		before = head;
	}
	assert_true(moved > 10 && moved < REGIONS - 10);	/* not with each region */
	wait_all(&k);
	assert_true(trace_range(k.t, &first, &last));
	assert_int_equal(first, head.row + 1);
	assert_int_equal(trace_row_at(k.t, 1), head.row);
	for (uint64_t row = head.row; row < REGIONS * EVENTS; row += 97)
		check_event(&k, row);
	assert_int_equal(trace_event(k.t, head.row - 1, &e), ERR_IO);
	assert_int_equal(trace_event(k.t, 0, &e), ERR_IO);
	check_counts(&k, PASS_TIME);
	check_counts(&k, PASS_ANY);
	kept_close(&k);
}

TEST(room_on_disk_stays_bounded)
{
	struct kept	k = { .t = NULL };
	uint64_t	most = 0;

	kept_open(&k);
	for (uint32_t r = 1; r < REGIONS; r++) {
		grow(&k, r);
		(void)let_go(&k);
		most = allocated(&k) > most ? allocated(&k) : most;
	}
	assert_true(k.w.len > 8 * KEEP);
	/* The limit, the region that is open, the one that was added, and descriptions. */
	assert_true(most < KEEP + 3 * (k.end[1] - k.end[0]) + (64u << 10));
	kept_close(&k);
}

TEST(what_is_older_is_let_go)
{
	struct kept			k = { .t = NULL };
	const struct trace_keep		keep = { .ns = 20 * EVENTS };	/* a tick is 1 ns */
	struct trace_head		head;

	kept_open(&k);
	for (uint32_t r = 1; r < REGIONS; r++) {
		grow(&k, r);
		(void)trace_let_go(k.t, k.f.fd, &keep);
		trace_head(k.t, &head);
		assert_true(r * EVENTS - head.row <= 20 * EVENTS);
		assert_true(r < 20 ? head.row == 0 : r * EVENTS - head.row >= 16 * EVENTS);
	}
	wait_all(&k);
	check_counts(&k, PASS_TIME);
	kept_close(&k);
}

TEST(a_pinned_view_is_not_emptied)
{
	struct kept			 k = { .t = NULL };
	const struct slice_view		*v;
	uint32_t			 number;

	kept_open(&k);
	grow(&k, 1);
	assert_int_equal(trace_view_get(k.t, 7, &v), 1);
	for (uint32_t r = 2; r < REGIONS; r++) {
		grow(&k, r);
		(void)let_go(&k);
	}
	assert_true(allocated(&k) > 8 * KEEP);
	memcpy(&number, trace_payload(k.t, &v->ev[7 - v->row0]).p, sizeof number);
	assert_int_equal(number, 7);
	trace_view_put(k.t, v);
	(void)let_go(&k);
	(void)let_go(&k);
	assert_true(allocated(&k) < 2 * KEEP);
	kept_close(&k);
}

/* A pass that lets go of what it reads, while it reads. */
struct pushing {
	struct kept	*k;
	bool		 pushed;
	uint64_t	 events, wrong;
};

static void
push_add(void *state, const struct pass_batch *b)
{
	struct pushing	*x = *(struct pushing **)state;

	if (!x->pushed) {
		x->pushed = true;
		assert_true(let_go(x->k));
		assert_false(let_go(x->k));
	}
	for (uint32_t i = 0; i < b->n; i++) {
		const struct event	*e = &b->ev[b->at[i]];
		uint32_t		 number;

		memcpy(&number, trace_payload(x->k->t, e).p, sizeof number);
		x->wrong += number + 1 != e->ts;
		x->events++;
	}
}

static void *
push_begin(void *arg)
{
	void	**state = mem_zalloc(1, sizeof *state);

	*state = arg;
	return state;
}

static int
push_merge(void *arg, void *state)
{
	(void)arg;
	(void)state;
	return 0;
}

static const struct pass_ops	push_ops = {
	.begin = push_begin, .add = push_add, .merge = push_merge, .free = mem_free,
};

static void
check_pushing(enum pass_order order)
{
	const struct pass_options	o = { .order = order, .workers = 1 };
	struct kept			k = { .t = NULL };
	struct pushing			x = { .k = &k };
	struct pass_result		result;

	kept_open(&k);
	grow(&k, REGIONS - 1);
	wait_all(&k);
	assert_int_equal(pass_run(k.t, &o, &push_ops, &x, &result), 0);
	assert_false(result.lost);
	assert_int_equal(x.events, REGIONS * EVENTS);
	assert_int_equal(x.wrong, 0);
	assert_true(allocated(&k) > 8 * KEEP);
	(void)let_go(&k);
	assert_true(allocated(&k) < 2 * KEEP);
	check_counts(&k, order);
	kept_close(&k);
}

TEST(a_pass_reads_what_there_was_when_it_began)
{
	check_pushing(PASS_TIME);
	check_pushing(PASS_ANY);
}


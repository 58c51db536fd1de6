/*
 * Threads read a trace while others read it and while the index is made. They see exactly what was
 * written, and views that one thread has decoded are not decoded again for another. These tests
 * find most in a build with --enable-sanitize=thread.
 */
#include <stdatomic.h>
#include <unistd.h>

#include "../support/nt4_writer.h"
#include "../support/test.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/engine/trace.h"

#define EVENTS		100000u
#define POINT_EVERY	5000u
#define BLOCK_EVERY	700u
#define READERS		4u
#define LOOKS		100u
#define THREADS		4u
#define STACKS		500u

/* Four threads, whose runs of 500 overlap in time. */
static int64_t
time_of(uint32_t n)
{
	return n / 2000 * 2000 + n % 500 * 4 + n / 500 % 4;
}

static uint64_t
frame_of(uint32_t stack)
{
	return 0x1000 + stack;
}

static void
write_stacks(struct nt4_writer *w)
{
	uint64_t	ips[STACKS];

	for (uint32_t i = 0; i < STACKS; i++)
		ips[i] = frame_of(i + 1);
	nt4_stacks(w, 1, STACKS, ips, 1);
}

static void
write_trace(struct nt4_writer *w)
{
	static const struct nt4_field	fields[] = { { NT4_U32, "n" } };
	uint32_t			seqs[THREADS] = { 0 };
	uint64_t			tids[THREADS] = { 10, 11, 12, 13 };

	nt4_begin(w, NULL, "Order", "Number", fields, 1);
	write_stacks(w);
	nt4_block(w, "EventBlock", NT4_COMPRESSED);
	for (uint32_t i = 0; i < EVENTS; i++) {
		uint8_t			payload[4] = { (uint8_t)i, (uint8_t)(i >> 8),
					    (uint8_t)(i >> 16), (uint8_t)(i >> 24) };
		unsigned		k = i / 500 % THREADS;
		struct nt4_event	e = { .mid = 1, .tid = tids[k], .capture = tids[k],
					    .seq = ++seqs[k], .ts = time_of(i),
					    .stack = i % STACKS + 1, .payload = payload,
					    .size = 4 };

		nt4_event(w, &e);
		if (i % BLOCK_EVERY == BLOCK_EVERY - 1) {
			nt4_block_end(w);
			nt4_block(w, "EventBlock", NT4_COMPRESSED);
		}
		if (i % POINT_EVERY == POINT_EVERY - 1) {
			nt4_block_end(w);
			nt4_sequence_point(w, i + 1, THREADS, tids, seqs);
			write_stacks(w);
			nt4_block(w, "EventBlock", NT4_COMPRESSED);
		}
	}
	nt4_block_end(w);
	nt4_end(w);
}

struct reader {
	struct trace	*t;
	unsigned	 seed;
	_Atomic unsigned *wrong;	/* what was not as it should be: asserts are not for jobs */
	bool		 indexing;
};

static void
expect(struct reader *r, bool ok)
{
	if (!ok)
		atomic_fetch_add(r->wrong, 1);
}

static void
check_event(struct reader *r, const struct event *e)
{
	struct span		s = trace_payload(r->t, e);
	struct thread_stat	thread;
	struct block		b;
	uint64_t		ip = 0;
	uint32_t		n;

	expect(r, s.len == 4);
	expect(r, strcmp(trace_info(r->t)->format, "NetTrace V4") == 0);
	n = s.len == 4 ? load_u32le(s.p) : 0;
	expect(r, e->ts == time_of(n));
	expect(r, strcmp(trace_type(r->t, e->type)->name, "Number") == 0);
	trace_thread(r->t, e->thread, &thread);
	expect(r, thread.tid == 10 + n / 500 % THREADS);
	expect(r, trace_stack(r->t, e, &ip, 1) == 1 && ip == frame_of(n % STACKS + 1));
	expect(r, trace_block(r->t, e, &b) && b.off <= e->off && e->off < b.off + b.size);
	expect(r, trace_labels(r->t, e, NULL, 0) == 0);
}

static void
check_view(struct reader *r, const struct slice_view *v)
{
	uint32_t	at = r->seed % v->n;

	for (uint32_t i = 1; i < v->n; i++)
		expect(r, v->ev[i - 1].ts <= v->ev[i].ts);
	check_event(r, &v->ev[at]);
	if (v->final) {
		struct event	e;
		uint64_t	row;

		expect(r, trace_row_of(r->t, v->ev[at].ts, v->ev[at].off, &row) == 1 &&
		    row == v->row0 + at);
		expect(r, trace_event(r->t, row, &e) == 1 && e.off == v->ev[at].off);
	}
}

/* Look here and there while rows come. */
static void
read_some(void *arg)
{
	struct reader	*r = arg;

	for (unsigned i = 0; i < LOOKS || !trace_index_done(r->t); i++) {
		const struct slice_view	*v;
		uint64_t		 rows = trace_rows(r->t);
		int			 got;

		r->seed = r->seed * 1103515245u + 12345u;
		if (rows == 0)
			continue;
		got = trace_view_get(r->t, r->seed % rows, &v);
		if (got != 1) {
			expect(r, got == 0 && r->indexing);	/* fewer rows now */
			continue;
		}
		check_view(r, v);
		trace_view_put(r->t, v);
	}
}

/* Walk over all views from the first to the last. */
static void
read_all(void *arg)
{
	struct reader		*r = arg;
	const struct slice_view	*v;
	uint64_t		 row = 0;

	while (trace_view_get(r->t, row, &v) == 1) {
		expect(r, v->row0 == row);
		row += v->n;
		trace_view_put(r->t, v);
	}
	expect(r, row == EVENTS);
}

static struct trace *
open_trace(const struct nt4_writer *w, size_t cache)
{
	struct trace_options	 o = { .workers = 3, .cache_bytes = cache };
	struct trace		*t;
	struct buf		*why = test_buf();

	assert_int_equal(trace_open_memory(&t, (struct span){ w->p, w->len }, &o, why), 0);
	return t;
}

static unsigned
run_readers(struct trace *t, void (*fn)(void *), unsigned n, bool indexing)
{
	struct reader		 r[READERS];
	struct job		*job[READERS];
	_Atomic unsigned	 wrong = 0;

	for (unsigned i = 0; i < n; i++) {
		r[i] = (struct reader){ .t = t, .seed = i * 7919 + 1, .wrong = &wrong,
		    .indexing = indexing };
		job[i] = job_start(fn, &r[i]);
		assert_non_null(job[i]);
	}
	for (unsigned i = 0; i < n; i++)
		job_join(job[i]);
	return atomic_load(&wrong);
}

TEST(threads_read_while_the_index_is_made)
{
	const size_t		caches[] = { 1, 4u << 20, 0 };
	struct nt4_writer	w;

	write_trace(&w);
	for (size_t i = 0; i < sizeof caches / sizeof *caches; i++) {
		struct trace	*t = open_trace(&w, caches[i]);

		trace_index_start(t);
		assert_int_equal(run_readers(t, read_some, READERS, true), 0);
		assert_true(trace_index_wait(t, -1));
		assert_int_equal(run_readers(t, read_some, READERS, false), 0);
		assert_int_equal(trace_rows(t), EVENTS);
		trace_close(t);
	}
	nt4_release(&w);
}

/* Events decoded for views when so many threads walk over all of them at once. */
static uint64_t
walked(const struct nt4_writer *w, unsigned threads)
{
	struct trace		*t = open_trace(w, 64u << 20);
	struct trace_costs	 before, after;

	assert_true(trace_index_wait(t, -1));
	trace_costs(t, &before);
	assert_int_equal(run_readers(t, read_all, threads, false), 0);
	trace_costs(t, &after);
	trace_close(t);
	assert_true(after.view_events - before.view_events >= EVENTS);
	return after.view_events - before.view_events;
}

TEST(a_view_is_decoded_once_for_all_threads)
{
	struct nt4_writer	w;

	write_trace(&w);
	assert_int_equal(walked(&w, READERS), walked(&w, 1));
	nt4_release(&w);
}

/* With a cap that no view fits in, nothing is kept once it was put. */
TEST(the_cap_holds_with_many_threads)
{
	struct nt4_writer	w;
	struct trace		*t;
	size_t			 empty;

	write_trace(&w);
	t = open_trace(&w, 1);
	assert_true(trace_index_wait(t, -1));
	empty = trace_memory(t);
	assert_int_equal(run_readers(t, read_all, READERS, false), 0);
	assert_int_equal(trace_memory(t), empty);
	trace_close(t);
	nt4_release(&w);
}

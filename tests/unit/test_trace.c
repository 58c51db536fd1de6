/*
 * The engine's rows, compared with the written events sorted by qsort(): regions too large for a
 * slice, a million events of one tick, rows while the index grows.
 */
#include "../support/data.h"
#include "../support/nt4_writer.h"
#include "../support/nt6_writer.h"
#include "../support/test.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/engine/trace.h"

#define EVENTS	300000u

struct written {
	int64_t		ts;
	uint32_t	n;		/* place in the file, and the payload */
};

struct fixture {
	struct nt4_writer	 w;
	struct written		*ev;
	struct trace		*t;
};

/* Time of event n of the file, by the kind of trace. */
typedef int64_t (*time_fn)(uint32_t n);

/* Four threads, whose runs of 500 overlap in time. */
static int64_t
time_overlapping(uint32_t n)
{
	return n / 2000 * 2000 + n % 500 * 4 + n / 500 % 4;
}

static int64_t
time_equal(uint32_t n)
{
	(void)n;
	return 77;
}

/* Nine tenths at one tick, the rest around it. */
static int64_t
time_lumpy(uint32_t n)
{
	return n % 10 ? 5000 : (int64_t)(n / 30);
}

SORT_ORDER(by_time, struct written, RISING(ts) RISING(n))

static void
write_events(struct fixture *f, time_fn at)
{
	static const struct nt4_field	fields[] = { { NT4_U32, "n" } };
	uint32_t			seqs[4] = { 0 };
	struct nt4_writer		*w = &f->w;

	nt4_begin(w, NULL, "Order", "Number", fields, 1);
	nt4_block(w, "EventBlock", NT4_COMPRESSED);
	for (uint32_t i = 0; i < EVENTS; i++) {
		uint8_t			payload[4] = { (uint8_t)i, (uint8_t)(i >> 8),
					    (uint8_t)(i >> 16), (uint8_t)(i >> 24) };
		unsigned		k = i / 500 % 4;
		struct nt4_event	e = { .mid = 1, .tid = 10 + k, .capture = 10 + k,
					    .seq = ++seqs[k], .ts = at(i), .payload = payload,
					    .size = 4 };

		f->ev[i] = (struct written){ e.ts, i };
		nt4_event(w, &e);
		if (i % 3000 == 2999) {
			nt4_block_end(w);
			nt4_block(w, "EventBlock", NT4_COMPRESSED);
		}
	}
	nt4_block_end(w);
	nt4_end(w);
	qsort(f->ev, EVENTS, sizeof *f->ev, by_time);
}

static void
release(void *arg)
{
	struct fixture	*f = arg;

	trace_close(f->t);
	nt4_release(&f->w);
	free(f->ev);
	mem_free(f);
}

static struct fixture *
open_written(time_fn at, unsigned workers)
{
	struct trace_options	 o = { .workers = workers };
	struct fixture		*f = mem_zalloc(1, sizeof *f);
	struct buf		*why = test_buf();

	test_later(release, f);
	f->ev = malloc(EVENTS * sizeof *f->ev);
	write_events(f, at);
	assert_int_equal(trace_open_memory(&f->t, (struct span){ f->w.p, f->w.len }, &o, why), 0);
	trace_index_start(f->t);
	return f;
}

static uint32_t
number_of(struct trace *t, const struct event *e)
{
	struct span	s = trace_payload(t, e);

	assert_int_equal(s.len, 4);
	return load_u32le(s.p);
}

static void
check_all_rows(struct fixture *f)
{
	const struct slice_view	*v;
	uint64_t		 row = 0, row_of;

	assert_true(trace_index_wait(f->t, -1));
	assert_int_equal(trace_rows(f->t), EVENTS);
	while (trace_view_get(f->t, row, &v) == 1) {
		assert_int_equal(v->row0, row);
		assert_true(v->n <= 100000);
		for (uint32_t i = 0; i < v->n; i++) {
			assert_int_equal(v->ev[i].ts, f->ev[row + i].ts);
			assert_int_equal(number_of(f->t, &v->ev[i]), f->ev[row + i].n);
		}
		assert_int_equal(trace_row_of(f->t, v->ev[v->n / 2].ts, v->ev[v->n / 2].off,
		    &row_of), 1);
		assert_int_equal(row_of, row + v->n / 2);
		assert_int_equal(trace_row_of(f->t, v->ev[0].ts, v->ev[0].off + 1, &row_of), 0);
		assert_int_equal(trace_row_of(f->t, v->ev[0].ts - 1, v->ev[0].off, &row_of), 0);
		row += v->n;
		trace_view_put(f->t, v);
	}
	assert_int_equal(row, EVENTS);
	assert_int_equal(trace_row_at(f->t, INT64_MIN), 0);
	assert_int_equal(trace_row_at(f->t, INT64_MAX), EVENTS);
}

TEST(a_region_without_sequence_points_is_in_order)
{
	struct fixture	*f;

	for (unsigned workers = 1; workers <= 3; workers++) {
		f = open_written(time_overlapping, workers);
		check_all_rows(f);
		test_now(f);
	}
}

TEST(events_of_one_tick_keep_the_files_order)
{
	struct fixture	*f = open_written(time_equal, 2);

	check_all_rows(f);
}

TEST(a_lump_of_events_is_cut_and_in_order)
{
	struct fixture	*f = open_written(time_lumpy, 2);

	check_all_rows(f);
}

TEST(time_to_row_is_the_first_row_at_or_after_it)
{
	struct fixture	*f = open_written(time_lumpy, 1);

	assert_true(trace_index_wait(f->t, -1));
	for (int64_t ts = -1; ts < 10010; ts += 7) {
		uint64_t	want = 0;

		while (want < EVENTS && f->ev[want].ts < ts)
			want++;
		assert_int_equal(trace_row_at(f->t, ts), want);
	}
}

/* The rows that appear while the index grows are in order, and final rows do not move. */
TEST(rows_that_appear_while_indexing_are_in_order)
{
	struct fixture		*f = open_written(time_overlapping, 2);
	const struct slice_view	*v;

	while (!trace_index_done(f->t)) {
		uint64_t	n = trace_rows(f->t);

		if (n == 0 || trace_view_get(f->t, n / 2, &v) != 1)
			continue;
		for (uint32_t i = 1; i < v->n; i++)
			assert_true(v->ev[i - 1].ts <= v->ev[i].ts);
		trace_view_put(f->t, v);
	}
	check_all_rows(f);
}

TEST(closing_while_indexing_ends)
{
	struct fixture	*f;

	for (unsigned i = 0; i < 8; i++) {
		f = open_written(time_overlapping, 1 + i % 3);
		test_now(f);
	}
}

TEST(file_order_gives_every_event_once)
{
	struct event	ev[1000];
	struct file_pos	pos = { { 0 } };
	struct fixture	*f = open_written(time_lumpy, 2);
	uint32_t	n = 0;
	int		got;

	assert_true(trace_index_wait(f->t, -1));
	while ((got = trace_file_next(f->t, &pos, ev, 1000)) > 0)
		for (int i = 0; i < got; i++)
			assert_int_equal(number_of(f->t, &ev[i]), n++);
	assert_int_equal(got, 0);
	assert_int_equal(n, EVENTS);
}

TEST(density_adds_up)
{
	uint64_t	bins[8], sum = 0;
	struct fixture	*f = open_written(time_overlapping, 1);
	int64_t		first, last;

	assert_true(trace_index_wait(f->t, -1));
	assert_true(trace_range(f->t, &first, &last));
	trace_density(f->t, first, last + 1, bins, 8);
	for (unsigned i = 0; i < 8; i++) {
		/* A segment of 4,096 events is spread as if it were even. */
		assert_in_range(bins[i], EVENTS / 8 - 4096, EVENTS / 8 + 4096);
		sum += bins[i];
	}
	assert_in_range(sum, EVENTS - EVENTS / 100, EVENTS + EVENTS / 100);
}

/* A window of one tick, so late that the doubles of its ends are the same. */
TEST(density_of_a_late_tick_is_no_more_than_its_events)
{
	struct trace_options	 o = { .workers = 1 };
	struct fixture		*f = mem_zalloc(1, sizeof *f);
	int64_t			 first, last;
	uint64_t		 bins[8];
	uint32_t		 of_thread[8];

	test_later(release, f);
	assert_int_equal(trace_open(&f->t,
	    data_path("tests/data/features/v6-big-ticks.nettrace"), &o, test_buf()), 0);
	trace_index_start(f->t);
	assert_true(trace_index_wait(f->t, -1));
	assert_true(trace_range(f->t, &first, &last));
	trace_density(f->t, last - 1, last, bins, 8);
	trace_thread_density(f->t, last - 1, last, 1, of_thread, 8);
	for (unsigned i = 0; i < 8; i++) {
		assert_true(bins[i] <= 2);
		assert_true(of_thread[i] <= 2);
	}
}

#define THREADS	4u
#define BINS	8u

/* The counts by thread are each whole, and lie where the thread's events do. */
TEST(density_by_thread_adds_up)
{
	uint32_t		bins[THREADS * BINS], want[THREADS][BINS] = { { 0 } };
	struct fixture		*f = open_written(time_overlapping, 2);
	int64_t			first, last;

	assert_true(trace_index_wait(f->t, -1));
	assert_int_equal(trace_threads(f->t), THREADS);
	assert_true(trace_range(f->t, &first, &last));
	for (uint32_t i = 0; i < EVENTS; i++)
		want[f->ev[i].n / 500 % THREADS]
		    [(uint64_t)(f->ev[i].ts - first) * BINS / (uint64_t)(last + 1 - first)]++;
	trace_thread_density(f->t, first, last + 1, THREADS, bins, BINS);
	for (uint32_t k = 0; k < THREADS; k++) {
		struct thread_stat	st;
		uint32_t		sum = 0;

		trace_thread(f->t, k, &st);
		for (uint32_t i = 0; i < BINS; i++) {
			sum += bins[k * BINS + i];
			/* A record has up to 3,000 of a thread, spread as if they were even. */
			assert_in_range(bins[k * BINS + i] + 3000 - want[st.tid - 10][i], 0, 6000);
		}
		assert_in_range(sum, st.c.events - BINS, st.c.events + BINS);
	}
	/* Other threads, and events outside of the window, are not counted. */
	bins[BINS] = 77;
	trace_thread_density(f->t, first - 1000, first, 1, bins, BINS);
	assert_int_equal(bins[0] + bins[BINS - 1], 0);
	assert_int_equal(bins[BINS], 77);
}

/* While the index is made, the density only grows, and never beyond the number of events. */
TEST(density_by_thread_grows_with_the_index)
{
	uint32_t	bins[THREADS], sum, before = 0;
	struct fixture	*f = open_written(time_overlapping, 2);
	bool		done;

	do {
		done = trace_index_done(f->t);
		trace_thread_density(f->t, 0, EVENTS * 2, THREADS, bins, 1);
		sum = bins[0] + bins[1] + bins[2] + bins[3];
		assert_true(sum >= before && sum <= EVENTS);
		before = sum;
	} while (!done);
	assert_int_equal(sum, EVENTS);
}

/* The next name of a block's object at or after a place of the file. */
static const uint8_t *
find_block(const struct fixture *f, const uint8_t *from)
{
	size_t	left = f->w.len - (size_t)(from - f->w.p);

	return memmem(from, left, "EventBlock", 10);
}

/* Each block has 3,000 events; its object begins 15 bytes before its name. */
TEST(every_event_knows_its_block)
{
	struct block	blocks[EVENTS / 3000];
	int64_t		least[EVENTS / 3000];
	const uint8_t	*at;
	struct fixture	*f = open_written(time_lumpy, 2);

	assert_true(trace_index_wait(f->t, -1));
	assert_true(trace_has(f->t, HAS_BLOCKS));
	for (uint64_t row = 0; row < EVENTS; row++) {
		struct event	e;
		struct block	b;
		uint32_t	k;

		assert_int_equal(trace_event(f->t, row, &e), 1);
		assert_true(trace_block(f->t, &e, &b));
		k = number_of(f->t, &e) / 3000;
		if (b.first == e.off) {
			blocks[k] = b;
			least[k] = e.ts;
		}
		assert_in_range(e.ts, b.tmin, b.tmax);
		assert_in_range(e.off, b.off, b.off + b.size - 1);
	}
	at = f->w.p;
	for (uint32_t k = 0; k < EVENTS / 3000; k++, at++) {
		at = find_block(f, at);
		assert_non_null(at);
		assert_int_equal(blocks[k].off, at - f->w.p - 15);
		assert_int_equal(blocks[k].events, 3000);
		assert_int_equal(blocks[k].tmin, least[k]);
		assert_false(blocks[k].one_thread || blocks[k].more);
		assert_string_equal(blocks[k].kind, "EventBlock");
	}
	/* Rows are sorted by time and place: the first one of a block is its earliest event. */
	for (uint64_t row = 0, seen = 0; seen < EVENTS / 3000; row++) {
		uint32_t	k = f->ev[row].n / 3000;
		struct event	e;

		if (least[k] == INT64_MAX)
			continue;
		assert_int_equal(trace_event(f->t, row, &e), 1);
		assert_int_equal(blocks[k].first, e.off);
		least[k] = INT64_MAX;
		seen++;
	}
}

/* The rows of one large block. Threads and types take turns, and times go back and forth. */
static uint64_t
rows_of_a_block(uint32_t events, uint32_t threads, uint32_t types, unsigned workers)
{
	struct nt4_writer	 w;
	struct trace		*t;
	struct loss		 loss;

	nt4_init(&w, NULL);
	nt4_trace(&w, &(struct nt4_trace){ .freq = 1000000000, .pointer_size = 8 });
	nt4_block(&w, "MetadataBlock", NT4_UNCOMPRESSED);
	for (uint32_t i = 0; i < types; i++)
		nt4_metadata(&w, 1 + i, "P", 1 + i, "E", NULL, 0);
	nt4_block_end(&w);
	nt4_block(&w, "EventBlock", NT4_COMPRESSED);
	for (uint32_t i = 0; i < events; i++) {
		uint64_t		tid = 10 + i % threads;
		struct nt4_event	e = { .mid = 1 + i % types, .tid = tid, .capture = tid,
					    .seq = 1 + i / threads, .ts = i ^ 1 };

		nt4_event(&w, &e);
	}
	nt4_block_end(&w);
	t = data_nt4(&w, &(struct trace_options){ .workers = workers });
	trace_loss(t, &loss);
	assert_int_equal(loss.lost, 0);
	assert_true(trace_clean(t));
	assert_int_equal(trace_threads(t), threads);
	return trace_rows(t);
}

TEST(a_block_of_more_runs_ids_or_segments_than_are_read_at_once_is_read_whole)
{
	for (unsigned workers = 1; workers <= 3; workers += 2) {
		assert_int_equal(rows_of_a_block(30000, 2, 1, workers), 30000);
		assert_int_equal(rows_of_a_block(40000, 20000, 1, workers), 40000);
		assert_int_equal(rows_of_a_block(40000, 1, 20000, workers), 40000);
		assert_int_equal(rows_of_a_block(1100000, 1, 1, workers), 1100000);
	}
}

/* The findings of a trace whose second event, behind a sequence point at 100, is at this time. */
static size_t
findings_with_an_event_at(int64_t ts)
{
	struct nt4_writer	 w;
	struct finding		*found;
	struct trace		*t;
	size_t			 n;

	nt4_begin(&w, NULL, "P", "E", NULL, 0);
	nt4_block(&w, "EventBlock", NT4_COMPRESSED);
	nt4_event(&w, &(struct nt4_event){ .mid = 1, .tid = 5, .capture = 5, .seq = 1, .ts = 50 });
	nt4_block_end(&w);
	nt4_sequence_point(&w, 100, 1, (const uint64_t[]){ 5 }, (const uint32_t[]){ 1 });
	nt4_block(&w, "EventBlock", NT4_COMPRESSED);
	nt4_event(&w, &(struct nt4_event){ .mid = 1, .tid = 5, .capture = 5, .seq = 2, .ts = ts });
	nt4_block_end(&w);
	t = data_nt4(&w, &(struct trace_options){ .workers = 1 });
	n = diag_list(trace_diag(t), &found);
	assert_true(n == 0 || found[0].kind == FIND_ORDER);
	mem_free(found);
	return n;
}

TEST(an_event_before_the_sequence_point_that_it_is_behind_is_a_finding)
{
	assert_int_equal(findings_with_an_event_at(99), 1);
	assert_int_equal(findings_with_an_event_at(100), 0);
	assert_int_equal(findings_with_an_event_at(150), 0);
}

/* In V6 a thread has no second numbering: a lower number is said, and it is counted from there on. */
TEST(a_lower_number_of_a_thread_is_a_finding_and_nothing_is_lost)
{
	static const uint32_t	first[] = { 1, 3, 9 };	/* of a block of three events */
	struct finding		*found;
	struct nt6_writer	w;
	struct loss		 loss;
	struct trace		*t;
	size_t			 n;

	nt6_init(&w);
	nt6_begin(&w, NT6_METADATA);
	nt6_row(&w, 1, "E");
	nt6_finish(&w);
	nt6_begin(&w, NT6_THREADS);
	nt6_thread(&w, 1, 5);
	nt6_finish(&w);
	for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
		nt6_begin(&w, NT6_EVENTS);
		for (uint32_t k = 0; k < 3; k++)
			nt6_event(&w, &(struct nt6_event){ .mid = 1, .thread = 1,
			    .seq = k == 0 ? first[i] - 1 : 0, .ticks = k == 0 ? 10 * i + 1 : 1 });
		nt6_finish(&w);
	}
	t = data_nt6(&w, &(struct trace_options){ .workers = 1 });
	n = diag_list(trace_diag(t), &found);
	assert_int_equal(n, 1);
	assert_int_equal(found[0].kind, FIND_SEQUENCE);
	assert_int_equal(found[0].count, 1);
	mem_free(found);
	trace_loss(t, &loss);
	assert_int_equal(loss.lost, 3);		/* 6, 7 and 8 */
	assert_int_equal(loss.gaps, 1);
}

/* The type is known by its name, and that its fields are not is said. */
TEST(fields_that_cannot_be_read_are_a_finding)
{
	const struct nt4_field	 odd[] = { { NT4_U32, "n" }, { (enum nt4_type)2, "odd" } };
	const struct nt4_field	 sound[] = { { NT4_U32, "n" } };
	struct finding		*found;
	struct nt4_writer	 w;
	struct trace		*t;

	nt4_init(&w, NULL);
	nt4_trace(&w, &(struct nt4_trace){ .freq = 1000000000, .pointer_size = 8 });
	nt4_block(&w, "MetadataBlock", NT4_UNCOMPRESSED);
	nt4_metadata(&w, 1, "P", 1, "Odd", odd, 2);
	nt4_metadata(&w, 2, "P", 2, "Sound", sound, 1);
	nt4_block_end(&w);
	t = data_nt4(&w, &(struct trace_options){ .workers = 1 });
	assert_int_equal(diag_list(trace_diag(t), &found), 1);
	assert_int_equal(found[0].kind, FIND_METADATA);
	assert_int_equal(trace_types(t), 2);
	assert_string_equal(trace_type(t, 0)->name, "Odd");
	assert_int_equal(trace_type(t, 0)->nfields, 0);
	assert_int_equal(trace_type(t, 1)->nfields, 1);
	mem_free(found);
}

/* What is said of a type in V5 alone makes a trace of V5; what is not known there does not. */
TEST(an_unknown_tag_of_a_type_is_passed_over)
{
	static const char *const	formats[] = { "NetTrace V4", "NetTrace V5" };

	for (int known = 0; known < 2; known++) {
		struct nt4_writer	 w;
		struct trace		*t;

		nt4_init(&w, NULL);
		nt4_trace(&w, &(struct nt4_trace){ .freq = 1000000000, .pointer_size = 8 });
		w.opcode = 1;
		nt4_block(&w, "MetadataBlock", NT4_UNCOMPRESSED);
		nt4_metadata(&w, 1, "P", 1, "Ev", NULL, 0);	/* no padding */
		w.block[w.nblock - 2] = known ? 1 : 99;
		nt4_block_end(&w);
		t = data_nt4(&w, &(struct trace_options){ .workers = 1 });
		assert_string_equal(trace_info(t)->format, formats[known]);
		assert_int_equal(trace_type(t, 0)->has_opcode, known);
	}
}

/*
 * A file that changes after it was indexed. Its rows can be read any number of times, one by one,
 * in walks or by filters, at the cost of decoding the file a few times. A view that can't be read
 * is noted once for all its rows, and tried again only when the file has changed.
 */
#include <unistd.h>

#include "../support/test.h"
#include "../support/written.h"
#include "tnav/base/err.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/query.h"
#include "tnav/engine/trace.h"

#define EVENTS		60000u
#define POINT_EVERY	5000u
#define BLOCK_EVERY	500u

static void
write_events(struct nt4_writer *w)
{
	static const struct nt4_field	fields[] = { { NT4_U32, "n" } };
	uint64_t			tid = 10;
	uint32_t			seq = 0;

	nt4_begin(w, NULL, "Change", "Number", fields, 1);
	nt4_block(w, "EventBlock", NT4_COMPRESSED);
	for (uint32_t i = 0; i < EVENTS; i++) {
		uint8_t	payload[4] = { (uint8_t)i, (uint8_t)(i >> 8), (uint8_t)(i >> 16), 0 };

		nt4_event(w, &(struct nt4_event){ .mid = 1, .tid = tid, .capture = tid,
		    .seq = ++seq, .ts = i + 1, .payload = payload, .size = 4 });
		if ((i + 1) % BLOCK_EVERY == 0)
			nt4_block_end(w);
		if ((i + 1) % POINT_EVERY == 0)
			nt4_sequence_point(w, i + 1, 1, &tid, &seq);
		if ((i + 1) % BLOCK_EVERY == 0 && i + 1 < EVENTS)
			nt4_block(w, "EventBlock", NT4_COMPRESSED);
	}
	nt4_end(w);
}

static struct written *
open_fixture(void)
{
	struct written	*f = written_open(write_events,
			    &(struct trace_options){ .workers = 1, .cache_bytes = 1 });

	assert_int_equal(trace_rows(f->t), EVENTS);
	return f;
}

/* Overwrite the bytes at off. */
static void
overwrite(const struct written *f, size_t off, const uint8_t *p, size_t len)
{
	FILE	*file = fopen(f->path, "r+b");

	assert_non_null(file);
	assert_int_equal(fseek(file, (long)off, SEEK_SET), 0);
	assert_int_equal(fwrite(p, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
}

static void
overwrite_all(const struct written *f, int byte)
{
	uint8_t	*p = malloc(f->w.len);

	assert_non_null(p);
	memset(p, byte, f->w.len);
	overwrite(f, NT4_HEADER_LEN, p + NT4_HEADER_LEN, f->w.len - NT4_HEADER_LEN);
	free(p);
}

static void
cut(const struct written *f, size_t size)
{
	assert_int_equal(truncate(f->path, (off_t)size), 0);
}

struct spent {
	uint64_t	events, searched;
};

static struct spent
spent_now(const struct written *f)
{
	struct trace_costs	c;

	trace_costs(f->t, &c);
	return (struct spent){ c.view_events, c.searched_bytes };
}

/* Read each row, from both ends; or with a step, because the cache keeps no good views. */
static unsigned
ask_for_rows(const struct written *f, uint64_t step)
{
	unsigned	lost = 0;

	for (uint64_t i = 0; i < EVENTS; i += step) {
		struct event	e = { .size = 0 };
		uint64_t	row = i % 2 ? EVENTS - 1 - i / 2 : i / 2;
		int		r = trace_event(f->t, row, &e);

		assert_true(r == 1 || r == ERR_IO);
		lost += r != 1;
	}
	return lost;
}

static uint64_t
walk_over(const struct written *f)
{
	const struct slice_view	*v;
	uint64_t		 row = 0, seen = 0;
	unsigned		 asked = 0;
	int			 r;

	while ((r = trace_view_walk(f->t, &row, &v)) != 0) {
		assert_true(++asked <= EVENTS / POINT_EVERY + 1);
		if (r < 0)
			continue;
		seen += v->n;
		row = v->row0 + v->n;
		trace_view_put(f->t, v);
	}
	assert_int_equal(row, EVENTS);
	return seen;
}

/* Let a filter decide all rows: those that can't be read are no hits. */
static uint64_t
filter_all(const struct written *f)
{
	struct filter	*filter = filter_own("payload.n >= 0");
	struct query	*q = query_new(f->t, filter, 0, EVENTS, EVENTS / 2);
	uint64_t	 hits;

	while (!query_step(q, INT64_MAX))
		;
	hits = query_hits(q);
	query_free(q);
	return hits;
}

/* No row can be read any more. */
static void
look_at_it(const struct written *f)
{
	struct spent	before = spent_now(f), after;

	assert_int_equal(ask_for_rows(f, 1), EVENTS);
	after = spent_now(f);
	assert_int_equal(after.searched, before.searched);
	assert_true(after.events - before.events <= 2 * EVENTS);
	before = spent_now(f);
	assert_int_equal(walk_over(f), 0);
	assert_int_equal(filter_all(f), 0);
	after = spent_now(f);
	assert_int_equal(after.searched, before.searched);
	assert_true(after.events - before.events <= 2 * EVENTS);
}

TEST(a_file_that_was_overwritten_costs_one_look)
{
	static const int	bytes[] = { 0xff, 0x05, 0x80 };

	for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
		struct written	*f = open_fixture();

		overwrite_all(f, bytes[i]);
		look_at_it(f);
	}
}

TEST(rows_behind_a_cut_cost_one_look)
{
	struct written	*f = open_fixture();

	cut(f, NT4_HEADER_LEN);
	assert_int_equal(trace_refresh(f->t), TRACE_SHRANK);
	look_at_it(f);
}

/* Lost pages read as zeroes, which could decode as events. That never happens. */
TEST(zeroes_of_lost_pages_never_pass_for_events)
{
	struct written	*f = open_fixture();
	size_t		page = (size_t)sysconf(_SC_PAGESIZE);

	cut(f, (f->w.len / 2) & ~(page - 1));
	for (unsigned i = 0; i < 3; i++) {
		struct event	e;

		for (uint64_t row = EVENTS * 3 / 4; row < EVENTS; row++)
			assert_int_equal(trace_event(f->t, row, &e), ERR_IO);
		assert_int_equal(trace_event(f->t, EVENTS / 8, &e), 1);
	}
	/* Nor when the file has its old length again, with other contents. */
	cut(f, f->w.len);
	assert_int_equal(trace_refresh(f->t), TRACE_REWRITTEN);
	for (uint64_t row = EVENTS * 3 / 4; row < EVENTS; row += 100) {
		struct event	e;

		assert_int_equal(trace_event(f->t, row, &e), ERR_IO);
	}
}

TEST(what_failed_is_tried_again_when_the_file_changed)
{
	struct written	*f = open_fixture();
	struct event	e;

	overwrite_all(f, 0xff);
	assert_int_equal(trace_event(f->t, 7, &e), ERR_IO);
	overwrite(f, 0, f->w.p, f->w.len);
	assert_int_equal(trace_event(f->t, 7, &e), ERR_IO);
	overwrite(f, f->w.len, (const uint8_t *)"more", 4);
	assert_int_equal(trace_refresh(f->t), TRACE_GREW);
	assert_int_equal(trace_event(f->t, 7, &e), 1);
	assert_int_equal(ask_for_rows(f, 997), 0);
}

TEST(the_order_of_the_file_goes_on_behind_what_is_lost)
{
	static struct event	ev[100];
	struct file_pos		pos = { { 0 } };
	struct written		*f = open_fixture();
	uint8_t			bad[64];
	uint64_t		seen = 0;
	unsigned		failed = 0;
	int			n;

	memset(bad, 0xff, sizeof bad);
	overwrite(f, f->w.len / 2, bad, sizeof bad);
	while ((n = trace_file_next(f->t, &pos, ev, 100)) != 0) {
		seen += n > 0 ? (uint64_t)n : 0;
		failed += n < 0;
	}
	assert_true(failed > 0 && failed < 5);
	assert_true(seen > EVENTS - 10000 && seen < EVENTS);
}

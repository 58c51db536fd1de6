/*
 * NetPerf V3: files of hand-made bytes, damaged ones, and every prefix of a recorded one.
 */
#include "../support/rows.h"
#include "../support/test.h"
#include "tnav/base/err.h"

#define BLOCK	0x7c		/* offset of the first block's body */
#define SIZE_AT	(BLOCK - 4)	/* ... and of its size */
#define HEAD	56u		/* of an event */
#define HEADERS	94u		/* stream header and Trace object */

/* A file that is being written. */
struct made {
	uint8_t	p[4096];
	size_t	n;
};

static void
le(struct made *m, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		m->p[m->n++] = (uint8_t)(v >> 8 * i);
}

static void
text16(struct made *m, const char *s)
{
	for (; *s != '\0'; s++)
		le(m, (uint8_t)*s, 2);
	le(m, 0, 2);
}

static void
object(struct made *m, const char *name, uint32_t version)
{
	size_t	len = strlen(name);

	memcpy(m->p + m->n, "\4\4\1", 3);
	m->n += 3;
	le(m, version, 4);
	le(m, 0, 4);
	le(m, len, 4);
	memcpy(m->p + m->n, name, len);
	m->n += len;
	le(m, 6, 1);
}

/* Stream header, Trace object, the begin of a block. */
static void
make_head(struct made *m, unsigned pointer_size)
{
	static const uint16_t	utc[8] = { 2018, 3, 5, 9, 17, 48, 9, 998 };

	m->n = 0;
	le(m, 20, 4);
	memcpy(m->p + m->n, "!FastSerialization.1", 20);
	m->n += 20;
	object(m, "Trace", 3);
	for (unsigned i = 0; i < 8; i++)
		le(m, utc[i], 2);
	le(m, 1000, 8);
	le(m, 1000000000, 8);
	le(m, pointer_size, 4);
	le(m, 77, 4);
	le(m, 4, 4);
	le(m, 1000000, 4);
	le(m, 6, 1);
	object(m, "EventBlock", 1);
	le(m, 0, 4);
	assert_int_equal(m->n, BLOCK);
}

static void
make_end(struct made *m)
{
	struct made	size = { .n = 0 };

	le(&size, m->n - BLOCK, 4);
	memcpy(m->p + SIZE_AT, size.p, 4);
	le(m, 6, 1);
	le(m, 1, 1);
}

/* Write the header of an event; its payload is written next. Returns the offset of the event. */
static size_t
event_begin(struct made *m, uint32_t metadata, uint32_t thread, int64_t ts)
{
	size_t	at = m->n;

	le(m, 0, 4);
	le(m, metadata, 4);
	le(m, thread, 4);
	le(m, (uint64_t)ts, 8);
	memset(m->p + m->n, 0, 32);
	m->n += 32;
	le(m, 0, 4);
	return at;
}

static void
patch(struct made *m, size_t at, uint32_t v)
{
	struct made	b = { .n = 0 };

	le(&b, v, 4);
	memcpy(m->p + at, b.p, 4);
}

static void
event_end(struct made *m, size_t at, const uint64_t *stack, unsigned n, unsigned pointer_size)
{
	patch(m, at + HEAD - 4, (uint32_t)(m->n - at - HEAD));
	le(m, n * pointer_size, 4);
	for (unsigned i = 0; i < n; i++)
		le(m, stack[i], pointer_size);
	while (m->n % 4 != 0)
		le(m, 0, 1);
	patch(m, at, (uint32_t)(m->n - at - 4));
}

/* A row: metadata id of provider P, event "E<id>", one 32-bit field. */
static void
row(struct made *m, uint32_t id)
{
	char	name[3] = { 'E', (char)('0' + id), '\0' };
	size_t	at = event_begin(m, 0, 0, 0);

	le(m, id, 4);
	text16(m, "P");
	le(m, id, 4);
	text16(m, name);
	le(m, 0, 8);
	le(m, 0, 4);
	le(m, 4, 4);
	le(m, 1, 4);
	le(m, 10, 4);
	text16(m, "n");
	event_end(m, at, NULL, 0, 8);
}

static size_t
number(struct made *m, uint32_t id, int64_t ts, uint32_t n, unsigned frames)
{
	static const uint64_t	stack[] = { 0x1000, 0x2000, 0x3000 };
	size_t			at = event_begin(m, id, 5, ts);

	le(m, n, 4);
	event_end(m, at, stack, frames, 8);
	return at;
}

static void
check_rows(const struct made *m, const char *rows, const char *findings)
{
	struct rows	*r = rows_open(m->p, m->n, NULL);

	assert_non_null(r->t);
	assert_string_equal(rows_as_text(r), rows);
	assert_string_equal(rows_findings(r), findings);
}

TEST(metadata_rows_stand_among_the_events)
{
	struct made	m;

	make_head(&m, 8);
	row(&m, 1);
	number(&m, 1, 1001, 11, 0);
	row(&m, 2);
	number(&m, 2, 1002, 22, 0);
	number(&m, 1, 1003, 33, 0);
	make_end(&m);
	check_rows(&m, "1001 5 P/E1 {\"n\":11}\n1002 5 P/E2 {\"n\":22}\n"
	    "1003 5 P/E1 {\"n\":33}\n", "");
}

TEST(a_row_may_follow_its_events)
{
	struct made	m;

	make_head(&m, 8);
	number(&m, 1, 1001, 11, 0);
	row(&m, 1);
	make_end(&m);
	check_rows(&m, "1001 5 P/E1 {\"n\":11}\n", "");
}

TEST(a_block_of_rows_alone_has_no_events)
{
	struct made	m;

	make_head(&m, 8);
	row(&m, 1);
	row(&m, 2);
	make_end(&m);
	check_rows(&m, "", "");
}

TEST(stacks_follow_their_events_payload)
{
	static const uint64_t	stack[] = { 0x10, 0xfffffff0 };
	struct made		m;
	struct rows		*r;
	size_t			at;

	for (unsigned size = 4; size <= 8; size += 4) {
		make_head(&m, size);
		row(&m, 1);
		at = event_begin(&m, 1, 5, 1001);
		le(&m, 7, 4);
		le(&m, 0, 1);			/* one byte more, so that the stack lies oddly */
		event_end(&m, at, stack, 2, size);
		at = event_begin(&m, 1, 5, 1002);
		le(&m, 8, 4);
		event_end(&m, at, NULL, 0, size);
		make_end(&m);
		r = rows_open(m.p, m.n, NULL);
		assert_string_equal(rows_stack(r, 0), "10 fffffff0");
		assert_string_equal(rows_stack(r, 1), "");
		assert_string_equal(rows_findings(r), "");
	}
}

TEST(a_stack_that_does_not_fit_its_event_is_none)
{
	static const uint32_t	sizes[] = { 9, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff };

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct made	m;
		struct rows	*r;
		size_t		at, end;

		make_head(&m, 8);
		row(&m, 1);
		at = number(&m, 1, 1001, 11, 1);
		patch(&m, at + HEAD + 4, sizes[i]);
		end = number(&m, 1, 1002, 22, 1);
		make_end(&m);
		r = rows_open(m.p, m.n, NULL);
		assert_string_equal(rows_as_text(r),
		    "1001 5 P/E1 {\"n\":11}\n1002 5 P/E1 {\"n\":22}\n");
		assert_string_equal(rows_stack(r, 0), "");
		assert_string_equal(rows_stack(r, 1), "1000");
		assert_int_equal(diag_total(trace_diag(r->t)), 1);
		assert_true(end > at);
	}
}

TEST(a_payload_is_clipped_to_its_event)
{
	static const uint32_t	sizes[] = { 9, 0x7fffffff, 0x80000000, 0xffffffff };

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct made	m;
		struct rows	*r;
		struct event	e;
		size_t		at;

		make_head(&m, 8);
		row(&m, 1);
		at = number(&m, 1, 1001, 11, 0);
		patch(&m, at + HEAD - 4, sizes[i]);
		number(&m, 1, 1002, 22, 0);
		make_end(&m);
		r = rows_open(m.p, m.n, NULL);
		assert_int_equal(trace_event(r->t, 0, &e), 1);
		assert_int_equal(e.size, 8);
		assert_string_equal(rows_as_text(r),
		    "1001 5 P/E1 {\"n\":11}\n1002 5 P/E1 {\"n\":22}\n");
		assert_int_equal(diag_total(trace_diag(r->t)), 1);
	}
}

TEST(an_event_that_does_not_fit_its_block_ends_it)
{
	static const uint32_t	sizes[] = { 0, 51, 1000, 0x7fffffff, 0x80000000, 0xffffffff };

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct made	 m;
		struct buf	*want = test_buf();
		size_t		 at;

		make_head(&m, 8);
		row(&m, 1);
		number(&m, 1, 1001, 11, 0);
		at = number(&m, 1, 1002, 22, 0);
		patch(&m, at, sizes[i]);
		make_end(&m);
		buf_printf(want, "warning bad-block %zu\n", at);
		check_rows(&m, "1001 5 P/E1 {\"n\":11}\n", buf_str(want));
	}
}

TEST(a_damaged_object_is_stepped_over)
{
	struct made	m;
	struct rows	*r;
	size_t		next;

	make_head(&m, 8);
	row(&m, 1);
	number(&m, 1, 1001, 11, 0);
	next = m.n;
	le(&m, 6, 1);
	object(&m, "EventBlock", 1);
	le(&m, 64, 4);
	le(&m, 0, (unsigned)(-m.n & 3));
	number(&m, 1, 1002, 22, 0);
	le(&m, 6, 1);
	le(&m, 1, 1);
	patch(&m, SIZE_AT, (uint32_t)(next - BLOCK));
	r = rows_open(m.p, m.n, NULL);
	assert_string_equal(rows_as_text(r), "1001 5 P/E1 {\"n\":11}\n1002 5 P/E1 {\"n\":22}\n");
	assert_string_equal(rows_findings(r), "");
	/* The first block's size is wrong: it ends where the next object begins. */
	patch(&m, SIZE_AT, 0xffffffff);
	r = rows_open(m.p, m.n, NULL);
	assert_string_equal(rows_as_text(r), "1001 5 P/E1 {\"n\":11}\n1002 5 P/E1 {\"n\":22}\n");
	assert_string_equal(rows_findings(r), "warning bad-block 94\n");
}

TEST(other_versions_are_refused)
{
	static const uint32_t	least_at = 24 + 3 + 4, version_at = 24 + 3;
	struct made		m;
	struct rows		*r;

	make_head(&m, 8);
	make_end(&m);
	patch(&m, version_at, 2);
	r = rows_open(m.p, m.n, NULL);
	assert_null(r->t);
	assert_int_equal(r->err, ERR_UNSUPPORTED);
	patch(&m, version_at, 4);
	patch(&m, least_at, 4);
	r = rows_open(m.p, m.n, NULL);
	assert_null(r->t);
	assert_int_equal(r->err, ERR_UNSUPPORTED);
}

TEST(the_header_is_read)
{
	const struct trace_info	*in;
	struct made		 m;
	struct rows		*r;

	make_head(&m, 4);
	make_end(&m);
	r = rows_open(m.p, m.n, NULL);
	in = trace_info(r->t);
	assert_string_equal(in->format, "NetPerf V3");
	assert_int_equal(in->version, 3);
	assert_int_equal(in->pointer_size, 4);
	assert_int_equal(in->pid, 77);
	assert_int_equal(in->sync_ts, 1000);
	assert_int_equal(in->sync_utc, 1520617689998000000);
	assert_false(trace_has(r->t, HAS_NUMBERS));
}

TEST(every_prefix_gives_a_prefix_of_the_events)
{
	const char	*name = "traces/netcore21-linux-x64-tracelogging.netperf";
	struct rows	*whole = rows_open_data(name, NULL);
	const char	*all = rows_file_order(whole);
	size_t		 last = 0;

	for (size_t n = 0; n < whole->len; n++) {
		struct rows	*r = rows_open(whole->bytes, n, "netperf3");

		if (n < HEADERS) {
			assert_null(r->t);
			assert_true(r->why.len > 0);
		} else {
			const char	*some = rows_file_order(r);

			assert_true(r->text.len >= last);
			last = r->text.len;
			assert_memory_equal(some, all, last);
			assert_string_not_equal(rows_findings(r), "");
		}
		rows_close(r);
	}
	assert_int_equal(last, whole->text.len);
}

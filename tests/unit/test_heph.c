/*
 * Heph 0.1.0: the format's own example, files of hand-made bytes, damaged ones, and every prefix of
 * a recorded one.
 */
#include "../support/cases.h"
#include "../support/rows.h"
#include "../support/tier.h"
#include "tnav/base/arena.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/trace.h"
#include "tnav/format/format.h"

#define B(s)	s, sizeof s - 1

/* A file that is being written. */
struct made {
	uint8_t	p[200000];
	size_t	n;
};

static void
be(struct made *m, uint64_t v, unsigned bytes)
{
	for (unsigned i = bytes; i-- > 0; )
		m->p[m->n++] = (uint8_t)(v >> 8 * i);
}

static void
bytes(struct made *m, const void *p, size_t len)
{
	memcpy(m->p + m->n, p, len);
	m->n += len;
}

/* An event with attributes as they are; returns where it begins. */
static size_t
event(struct made *m, uint32_t stream, uint32_t counter, uint64_t start, uint64_t end,
    const char *name, size_t name_len, const void *attributes, size_t len)
{
	size_t	at = m->n;

	be(m, 0xC1FC1FB7, 4);
	be(m, 42 + name_len + len, 4);
	be(m, stream, 4);
	be(m, counter, 4);
	be(m, stream * 100, 8);		/* substream */
	be(m, start, 8);
	be(m, end, 8);
	be(m, name_len, 2);
	bytes(m, name, name_len);
	bytes(m, attributes, len);
	return at;
}

static size_t
plain(struct made *m, uint32_t stream, uint32_t counter, uint64_t start, const char *name)
{
	return event(m, stream, counter, start, start + 10, name, strlen(name), "", 0);
}

static void
option(struct made *m, const char *name, const void *value, size_t len)
{
	be(m, 0x75D11D4D, 4);
	be(m, 10 + strlen(name) + len, 4);
	be(m, strlen(name), 2);
	bytes(m, name, strlen(name));
	bytes(m, value, len);
}

static void
epoch(struct made *m, uint64_t ns)
{
	struct made	*v = calloc(1, sizeof *v);

	assert_non_null(v);
	be(v, ns, 8);
	option(m, "epoch", v->p, 8);
	free(v);
}

static void
patch32(struct made *m, size_t at, uint32_t v)
{
	size_t	n = m->n;

	m->n = at;
	be(m, v, 4);
	m->n = n;
}

static void
check_rows(const struct made *m, const char *rows, const char *findings)
{
	struct rows	*r = rows_open(m->p, m->n, "heph");

	assert_non_null(r->t);
	assert_string_equal(rows_as_text(r), rows);
	assert_string_equal(rows_findings(r), findings);
}

/* ---- the format */

TEST(the_example_of_the_document)
{
	static const char	file[] = "\x75\xD1\x1D\x4D\0\0\0\x17\0\5epoch"
				    "\x16\x58\x36\x19\x2c\xe3\x1d\x10"
				    "\xC1\xFC\x1F\xB7\0\0\0\x5B\0\0\0\0\0\0\0\0"
				    "\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\x64\0\0\0\0\0\0\0\xc8"
				    "\0\10My event\0\4Test\1\0\0\0\0\0\0\0\x7b"
				    "\0\5Test2\x83\0\2\x40\x5e\xdd\x2f\x1a\x9f\xbe\x77"
				    "\x40\x88\xa8\0\0\0\0\0";
	struct event_extra	x;
	struct event		e;
	struct rows		*r = rows_open(B(file), NULL);

	assert_non_null(r->t);
	assert_string_equal(rows_as_text(r),
	    "100 0 heph/My event {\"Test\":123,\"Test2\":[123.456,789.0]}\n");
	assert_string_equal(rows_findings(r), "");
	assert_string_equal(trace_info(r->t)->format, "Heph 0.1.0");
	assert_true(trace_info(r->t)->has_sync_utc);
	assert_true(trace_info(r->t)->sync_utc == 0x165836192ce31d10);
	assert_int_equal(trace_event(r->t, 0, &e), 1);
	assert_int_equal(e.dur, 100);
	assert_int_equal(e.seq, 0);
	assert_int_equal(e.size, 41);
	assert_true(trace_event_extra(r->t, &e, &x));
	assert_true(x.has_substream && x.stream == 0 && x.substream == 1);
	assert_true(x.epoch == 0x165836192ce31d10);
	assert_true(trace_clean(r->t));
}

TEST(rows_are_in_the_order_of_starts)
{
	struct made	m = { .n = 0 };

	plain(&m, 1, 0, 50, "child");
	plain(&m, 1, 1, 60, "child");
	plain(&m, 2, 0, 40, "other");
	plain(&m, 1, 2, 10, "parent");
	check_rows(&m, "10 1 heph/parent {}\n40 2 heph/other {}\n50 1 heph/child {}\n"
	    "60 1 heph/child {}\n", "");
}

TEST(counters_begin_at_0_in_each_stream)
{
	struct made	m = { .n = 0 };
	struct loss	loss;
	struct gap	*g;
	struct rows	*r;

	plain(&m, 1, 0, 1, "a");
	plain(&m, 2, 3, 2, "a");
	plain(&m, 1, 2, 3, "a");
	r = rows_open(m.p, m.n, "heph");
	trace_loss(r->t, &loss);
	assert_int_equal(loss.lost, 4);
	assert_int_equal(trace_gaps(r->t, &g), 2);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(g[i].lost, g[i].why == GAP_START ? 3 : 1);
	mem_free(g);
	assert_string_equal(rows_findings(r), "");
}

TEST(a_counter_goes_on_behind_its_wrap)
{
	struct made	m = { .n = 0 };
	struct loss	loss;
	struct rows	*r;

	plain(&m, 1, 0x7ffffff0, 1, "a");
	plain(&m, 1, 0xffffffe0, 2, "a");
	plain(&m, 1, 0xffffffff, 3, "a");
	plain(&m, 1, 0, 4, "a");
	plain(&m, 1, 1, 5, "a");
	r = rows_open(m.p, m.n, "heph");
	trace_loss(r->t, &loss);
	assert_true(loss.lost == 0xffffffe0u - 1 + 0x1e);
}

TEST(an_epoch_holds_from_its_packet_on_the_first_also_before)
{
	static const int64_t	want[] = { 1000, 1000, 2000 };
	struct made		m = { .n = 0 };
	struct event_extra	x;
	struct event		e;
	struct rows		*r;

	plain(&m, 1, 0, 1, "a");
	epoch(&m, 1000);
	plain(&m, 1, 1, 2, "a");
	epoch(&m, 2000);
	plain(&m, 1, 2, 3, "a");
	r = rows_open(m.p, m.n, "heph");
	assert_true(trace_info(r->t)->has_sync_utc && trace_info(r->t)->sync_utc == 1000);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(trace_event(r->t, i, &e), 1);
		assert_true(trace_event_extra(r->t, &e, &x));
		assert_int_equal(x.epoch, want[i]);
		assert_int_equal(x.substream, 100);
	}
}

TEST(options_that_are_bad_are_findings)
{
	struct made	m = { .n = 0 };

	option(&m, "epoch", B("\0\0\0"));
	option(&m, "epoch", B("\xff\xff\xff\xff\xff\xff\xff\xff"));
	option(&m, "shoe size", B("43"));		/* a note */
	plain(&m, 1, 0, 1, "a");
	check_rows(&m, "1 1 heph/a {}\n", "warning time 0\n");
}

TEST(an_event_that_ends_before_it_starts_lasts_0)
{
	struct made	m = { .n = 0 };
	struct event	e;
	struct rows	*r;

	event(&m, 1, 0, 100, 99, B("a"), "", 0);
	event(&m, 1, 1, UINT64_MAX, UINT64_MAX, B("b"), "", 0);
	r = rows_open(m.p, m.n, "heph");
	assert_int_equal(trace_event(r->t, 0, &e), 1);
	assert_int_equal(e.dur, 0);
	assert_int_equal(trace_event(r->t, 1, &e), 1);
	assert_true(e.ts == INT64_MAX);
	assert_int_equal(e.dur, 0);
	assert_string_equal(rows_findings(r), "warning bad-block 0\nwarning bad-block 43\n");
}

TEST(names_are_told_apart_and_any_bytes)
{
	struct made	m = { .n = 0 };
	char		*name = calloc(1, 65535);
	struct event	e;
	struct rows	*r;

	assert_non_null(name);
	memset(name, 'n', 65535);
	event(&m, 1, 0, 1, 2, B(""), "", 0);
	event(&m, 1, 1, 2, 2, B("\xff\0x"), "", 0);
	event(&m, 1, 2, 3, 2, B("\xff\0y"), "", 0);
	event(&m, 1, 3, 4, 4, name, 65535, B("\0\1k\1\0\0\0\0\0\0\0\5"));
	event(&m, 1, 4, 5, 5, name, 65534, "", 0);
	r = rows_open(m.p, m.n, "heph");
	assert_int_equal(trace_types(r->t), 5);
	assert_int_equal(trace_event(r->t, 0, &e), 1);
	assert_string_equal(trace_type(r->t, e.type)->name, "");
	assert_int_equal(trace_event(r->t, 3, &e), 1);
	assert_int_equal(strlen(trace_type(r->t, e.type)->name), 65535);
	assert_int_equal(e.off, 42 + 45 + 45 + 42 + 65535);
	free(name);
}

/* A description may contain bytes that look like a packet's header. */
TEST(a_name_is_found_after_its_look_alikes)
{
	struct made	*name = calloc(1, sizeof *name), m = { .n = 0 };
	struct event	e;
	struct rows	*r;

	assert_non_null(name);
	for (unsigned i = 0; i < 8; i++) {
		be(name, 0xC1FC1FB7, 4);
		be(name, 1, 4);
		bytes(name, "0123456789abcdef0123456789abcdef", 32);
		be(name, (7 - i) * 42, 2);
	}
	event(&m, 1, 0, 1, 2, (char *)name->p, name->n, "", 0);
	r = rows_open(m.p, m.n, "heph");
	assert_int_equal(trace_event(r->t, 0, &e), 1);
	assert_false(trace_type(r->t, e.type)->missing);
	assert_int_equal(trace_type(r->t, e.type)->off, m.n);
	assert_int_equal(e.off, m.n);
	free(name);
}

/* ---- attributes */

static struct rows *
rows_of_attributes(const void *p, size_t len)
{
	struct made	m = { .n = 0 };

	event(&m, 7, 0, 1, 2, B("e"), p, len);
	return rows_open(m.p, m.n, "heph");
}

CASE(attributes)
{
	static const char	 front[] = "1 7 heph/e ";
	struct rows		*r = rows_of_attributes(arg[0].p, arg[0].len);
	const char		*text;

	assert_string_equal(rows_findings(r), "");
	text = rows_as_text(r);
	assert_memory_equal(text, front, sizeof front - 1);
	buf_add(out, text + sizeof front - 1, strlen(text) - sizeof front);
}

CASE(match)
{
	static const char	attributes[] = "\0\1i\2\xff\xff\xff\xff\xff\xff\xff\xf9"
				    "\0\1f\3\x3f\xf8\0\0\0\0\0\0" "\0\1u\1\0\0\0\0\0\0\1\2"
				    "\0\1s\4\0\4zorn";
	struct rows		*r = rows_of_attributes(B(attributes));
	struct filter		*f = data_filter(r->t, case_text(arg[0]), false);
	struct filter_eval	*eval = filter_eval_new(f, r->t);
	struct event		 e;

	assert_int_equal(trace_event(r->t, 0, &e), 1);
	buf_puts(out, filter_match(eval, &e) ? "yes" : "no");
	filter_eval_free(eval);
}

CASES("heph.txt", 35)

/* ---- frames */

/* The end of an open frame: its scan and its decoding must agree. */
static uint64_t
frame_end(const struct format *f, const struct frame *fr)
{
	struct span		 body = source_span(f->source, fr->body, fr->len);
	struct decode_state	 scanned, decoded;
	struct id_list		 ids = { NULL, 0, 0 }, types = { NULL, 0, 0 };
	struct event		*ev = calloc(4096, sizeof *ev);
	struct scan		 s;
	size_t			 n, got = 0;

	assert_non_null(ev);
	format_heph.begin(f, fr, body, &scanned, NULL);
	format_heph.begin(f, fr, body, &decoded, NULL);
	scan_init(&s);
	assert_int_equal(format_heph.scan(f, fr, body, &scanned, &s), 1);
	scan_close(&s);
	while ((n = format_heph.decode(f, fr, body, &decoded, ev, 100, &ids, &types)) > 0)
		got += n;
	assert_int_equal(got, s.events);
	assert_int_equal(decoded.pos, scanned.pos);
	scan_release(&s);
	mem_free(ids.id);
	mem_free(types.id);
	free(ev);
	return fr->body + scanned.pos;
}

TEST(frames_tile_the_file_from_any_packet_on)
{
	struct made	*m = calloc(1, sizeof *m);
	struct arena	 arena = { 0 };
	struct format	 f = { .ops = &format_heph, .arena = &arena };
	struct buf	*why = test_buf();
	uint64_t	 first;
	size_t		 at[4000], n = 0;
	struct source	*s;
	struct frame	 fr;

	assert_non_null(m);
	for (uint32_t i = 0; m->n < 150000 && n < 4000; i++) {
		at[n++] = m->n;
		if (i % 1000 == 0)
			epoch(m, 1);
		else
			plain(m, 1, i, i, "name");
	}
	s = source_of_memory((struct span){ m->p, m->n });
	f.source = s;
	assert_int_equal(format_heph.open(&f, &first, why), 0);
	for (size_t i = 0; i < n; i += 97) {
		uint64_t	off = at[i];

		for (; off < m->n; off = fr.next) {
			assert_int_equal(format_heph.frame(&f, off, &fr), 1);
			assert_true(fr.off == off && fr.next > off && fr.next - off <= 65536);
			assert_false(fr.cut);
			assert_int_equal(fr.open, fr.kind == FRAME_EVENTS);
			if (fr.open)
				fr.next = frame_end(&f, &fr);
			assert_true(fr.next > off && fr.next <= m->n);
			assert_int_equal(fr.kind == FRAME_DATA, fr.next - off == 23);
		}
		assert_true(off == m->n);
	}
	arena_release(&arena);
	source_close(s);
	free(m);
}

/* ---- damage */

TEST(a_wrong_size_costs_its_own_packet_at_the_most)
{
	static const uint32_t	sizes[] = { 0, 7, 41, 42, 44, 88, 90, 1000, 0x7fffffff,
				    0xffffffff };

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct made	m = { .n = 0 };
		struct rows	*r;
		const char	*text;
		size_t		at;

		plain(&m, 1, 0, 1, "one");
		at = plain(&m, 1, 1, 2, "two");
		plain(&m, 1, 2, 3, "three");
		plain(&m, 1, 3, 4, "four");
		patch32(&m, at + 4, sizes[i]);
		r = rows_open(m.p, m.n, "heph");
		text = rows_as_text(r);
		assert_non_null(strstr(text, "heph/one {}"));
		assert_non_null(strstr(text, "heph/three {}"));
		assert_non_null(strstr(text, "heph/four {}"));
		assert_false(trace_clean(r->t));
	}
}

TEST(bytes_between_packets_are_skipped)
{
	struct made	m = { .n = 0 };

	plain(&m, 1, 0, 1, "a");
	bytes(&m, "\xC1\xFC\x1F\xB7 and other things", 20);
	plain(&m, 1, 1, 2, "b");
	check_rows(&m, "1 1 heph/a {}\n2 1 heph/b {}\n", "warning bad-block 43\n");
	m.n = 0;
	bytes(&m, "other things", 12);
	plain(&m, 1, 1, 2, "b");
	check_rows(&m, "2 1 heph/b {}\n", "warning skipped 0\n");
}

TEST(a_description_that_does_not_fit_is_left_out)
{
	struct made	m = { .n = 0 };
	size_t		at;

	plain(&m, 1, 0, 1, "a");
	at = plain(&m, 1, 1, 2, "b");
	m.p[at + 41] = 2;
	plain(&m, 1, 2, 3, "c");
	check_rows(&m, "1 1 heph/a {}\n3 1 heph/c {}\n", "warning bad-block 43\n");
}

TEST(what_is_no_trace_is_refused)
{
	struct rows	*r = rows_open(B("\xC1\xFC\x1F\xB7\0"), NULL);

	assert_null(r->t);
	assert_int_equal(r->err, ERR_TRUNCATED);
	r = rows_open(B("no packet is in here"), "heph");
	assert_null(r->t);
	assert_int_equal(r->err, ERR_FORMAT);
}

TEST(every_prefix_gives_a_prefix_of_the_events)
{
	struct rows	*whole = rows_open_data("traces/actors-1worker.heph", NULL);
	const char	*all = rows_file_order(whole);
	size_t		 last = 0, edge = 0;

	for (size_t n = 8; n <= whole->len; n++) {
		bool		is_end = n - edge >= 8 &&
				    n == edge + (whole->bytes[edge + 6] * 256u + whole->bytes[edge + 7]);
		struct rows	*r;
		const char	*some;

		if (!is_end && n % check_part() != 0)
			continue;
		r = rows_open(whole->bytes, n, "heph");
		assert_non_null(r->t);
		some = rows_file_order(r);
		assert_true(r->text.len >= last);
		last = r->text.len;
		assert_memory_equal(some, all, last);
		/* A file that ends with a packet is complete. */
		if (is_end) {
			assert_true(trace_clean(r->t));
			edge = n;
		} else {
			assert_false(trace_clean(r->t));
			assert_non_null(strstr(rows_findings(r), "warning cut "));
		}
		rows_close(r);
	}
	assert_int_equal(edge, whole->len);
	assert_int_equal(last, whole->text.len);
}

/* Most of the events are there, whichever byte is wrong. */
TEST(one_wrong_byte_costs_one_event)
{
	static const uint8_t	flips[] = { 0x01, 0x80, 0xff };
	struct rows		*whole = rows_open_data("traces/actors-1worker.heph", NULL);
	uint64_t		rows = trace_rows(whole->t);

	for (size_t i = 0; i < whole->len; i += check_part()) {
		for (size_t k = 0; k < sizeof flips; k++) {
			struct rows	*r;

			whole->bytes[i] ^= flips[k];
			r = rows_open(whole->bytes, whole->len, "heph");
			whole->bytes[i] ^= flips[k];
			assert_non_null(r->t);
			assert_true(trace_rows(r->t) + 1 >= rows);
			assert_true(trace_rows(r->t) <= rows + 1);
			rows_close(r);
		}
	}
}

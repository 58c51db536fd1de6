/*
 * NetTrace V6 with hand-made bytes: the stream header, framing and damage, event headers, rows of
 * metadata, threads and labels, sequence points.
 */
#include "../support/bytes.h"
#include "../support/cases.h"
#include "../support/types.h"
#include "tnav/analysis/tables.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/format/format.h"
#include "tnav/io/source.h"

enum { TRACE = 1, EVENTS, METADATA, POINT, STACKS, THREADS, REMOVE, LABELS };

#define FIRST	64u	/* offset after the Trace block that put_trace() writes */

/* ---- bytes */

static void
put_block(struct bytes *b, unsigned kind, const struct bytes *content)
{
	put_le(b, content->n | (uint64_t)kind << 24, 4);
	put(b, content->p, content->n);
}

static void
put_row(struct bytes *b, const struct bytes *row)
{
	put_le(b, row->n, 2);
	put(b, row->p, row->n);
}

static void
put_trace(struct bytes *b, uint32_t major)
{
	static const uint16_t	date[8] = { 2026, 2, 0, 1, 3, 4, 5, 678 };

	put(b, "Nettrace", 8);
	put_le(b, 0, 4);
	put_le(b, major, 4);
	put_le(b, 9, 4);
	put_le(b, 40 | TRACE << 24, 4);
	for (unsigned i = 0; i < 8; i++)
		put_le(b, date[i], 2);
	put_le(b, 1000, 8);
	put_le(b, 1000000, 8);
	put_le(b, 8, 4);
	put_le(b, 0, 4);
}

static void
put_events_header(struct bytes *b, bool compressed)
{
	put_le(b, 20, 2);
	put_le(b, compressed, 2);
	put_le(b, 0, 8);
	put_le(b, 1000, 8);
}

static void
put_full(struct bytes *b, uint32_t metadata, uint32_t seq, uint64_t thread, uint64_t capture,
    uint64_t ts, uint32_t labels, uint32_t size)
{
	put_le(b, 48 + size, 4);
	put_le(b, metadata, 4);
	put_le(b, seq, 4);
	put_le(b, thread, 8);
	put_le(b, capture, 8);
	put_le(b, 300, 4);
	put_le(b, 5, 4);
	put_le(b, ts, 8);
	put_le(b, labels, 4);
	put_le(b, size, 4);
	for (uint32_t i = 0; i < size; i++)
		put_le(b, i, 1);
}

static void
put_end(struct bytes *b)
{
	put_le(b, 0, 4);
}

/* ---- a format with bytes in an exact heap block, and a record of what it commits */

struct opened {
	struct format	 f;
	struct arena	 arena;
	struct source	*source;
	struct buf	*seen;			/* what was committed, as text */
	struct buf	*why;
	uint64_t	 first;
	int		 err;
	char		 kinds[64];		/* of its frames: see walk() */
};

static bool
on_type_known(void *arg, uint64_t id, struct span content, uint64_t off)
{
	(void)arg, (void)id, (void)content, (void)off;
	return false;
}

static void
on_type(void *arg, struct span content, const struct event_type *t)
{
	(void)content;
	buf_printf(arg, "type %llu %s/%s %u level %u version %u keywords 0x%llx",
	    (unsigned long long)t->metadata_id, t->provider, t->name, t->id, t->level, t->version,
	    (unsigned long long)t->keywords);
	if (t->has_opcode)
		buf_printf(arg, " opcode %u", t->opcode);
	if (t->message != NULL)
		buf_printf(arg, " message %s", t->message);
	if (t->description != NULL)
		buf_printf(arg, " about %s", t->description);
	buf_puts(arg, ": ");
	types_put(arg, t->fields, t->nfields);
	buf_putc(arg, '\n');
}

static void
on_lists(void *arg, uint32_t first, uint32_t count, uint64_t off, uint64_t len)
{
	(void)off, (void)len;
	buf_printf(arg, "lists from %u: %u\n", first, count);
}

static void
on_barrier(void *arg, int64_t ts, uint64_t off)
{
	(void)off;
	buf_printf(arg, "point %lld", (long long)ts);
}

static void
on_barrier_thread(void *arg, uint64_t id, uint32_t number)
{
	buf_printf(arg, " %llu:%u", (unsigned long long)id, number);
}

static void
on_barrier_end(void *arg, unsigned flush, uint64_t next)
{
	(void)next;
	buf_printf(arg, " flush %u\n", flush);
}

static void
on_thread(void *arg, const struct thread_decl *d)
{
	buf_printf(arg, "thread %llu", (unsigned long long)d->index);
	if (d->has_pid)
		buf_printf(arg, " pid %llu", (unsigned long long)d->pid);
	if (d->has_tid)
		buf_printf(arg, " tid %llu", (unsigned long long)d->tid);
	if (d->name != NULL)
		buf_printf(arg, " name %s", d->name);
	for (uint32_t i = 0; i < d->nkv; i++)
		buf_printf(arg, " %s=%s", d->kv[i].key, d->kv[i].value);
	buf_putc(arg, '\n');
}

static void
on_thread_remove(void *arg, uint64_t index, uint32_t number, uint64_t off)
{
	(void)off;
	buf_printf(arg, "removed %llu after %u\n", (unsigned long long)index, number);
}

static const struct commit_ops	up = {
	.type_known = on_type_known, .type = on_type, .stacks = on_lists, .labels = on_lists,
	.barrier = on_barrier, .barrier_thread = on_barrier_thread,
	.barrier_end = on_barrier_end, .thread = on_thread, .thread_remove = on_thread_remove,
};

static void
close_bytes(void *arg)
{
	struct opened	*o = arg;

	diag_free(o->f.diag);
	source_close(o->source);
	arena_release(&o->arena);
	mem_free(o);
}

static struct opened *
open_bytes(const uint8_t *p, size_t len)
{
	struct opened	*o = mem_zalloc(1, sizeof *o);

	o->source = source_of_memory(test_exact(p, len));
	o->why = test_buf();
	o->seen = test_buf();
	o->f = (struct format){
		.ops = &format_nettrace6, .source = o->source, .diag = diag_new(),
		.arena = &o->arena, .up = &up, .up_arg = o->seen,
	};
	test_later(close_bytes, o);
	o->err = o->f.ops->open(&o->f, &o->first, o->why);
	return o;
}

/* How many findings there are; above a note. */
static size_t
findings(const struct opened *o, bool bad)
{
	struct finding	*list;
	size_t		 all = diag_list(o->f.diag, &list), n = 0;

	for (size_t i = 0; i < all; i++)
		n += !bad || list[i].severity > SEV_NOTE;
	free(list);
	return n;
}

static void
need_findings(const struct opened *o, size_t all, size_t bad)
{
	assert_int_equal(findings(o, false), all);
	assert_int_equal(findings(o, true), bad);
}

/* Walk all frames and commit them; the kinds in order, 'E' the end, '!' damage. */
static const char *
walk(struct opened *o)
{
	char		*out = o->kinds;
	uint64_t	off = o->first;
	size_t		n = 0;

	assert_int_equal(o->err, ERR_OK);
	while (n < 62 && off < source_size(o->source)) {
		struct frame	fr;
		int		r = o->f.ops->frame(&o->f, off, &fr);

		if (r == 1) {
			assert_true(fr.off == off && fr.next > off && fr.body >= off);
			assert_true(fr.body + fr.len <= source_size(o->source));
			out[n++] = (char)(fr.sub < 10 ? '0' + fr.sub : '?');
			if (fr.cut)
				out[n++] = 'c';
			o->f.ops->commit(&o->f, &fr, source_span(o->source, fr.body, fr.len));
			off = fr.next;
			continue;
		}
		out[n++] = r == 0 ? 'E' : '!';
		if (r == 0)
			off = fr.next;
		else if (!o->f.ops->resync(&o->f, off + 1, &off))
			break;
	}
	out[n] = '\0';
	return out;
}

/* Decode all events of a block; out has room for 16. */
static size_t
decode(const struct bytes *content, struct event *out, struct id_list *ids)
{
	struct opened		*o;
	struct bytes		 file = { .n = 0 };
	struct decode_state	 st;
	struct frame		 fr;
	const char		*text;
	struct span		 body;
	struct id_list		 types = { NULL, 0, 0 };
	size_t			 n;

	put_trace(&file, 6);
	put_block(&file, EVENTS, content);
	o = open_bytes(file.p, file.n);
	assert_int_equal(o->f.ops->frame(&o->f, o->first, &fr), 1);
	body = source_span(o->source, fr.body, fr.len);
	if (o->f.ops->begin(&o->f, &fr, body, &st, &text) < 0)
		return 0;
	n = o->f.ops->decode(&o->f, &fr, body, &st, out, 16, ids, &types);
	return n;
}

/* ---- the stream header */

TEST(versions_but_6_are_refused_and_named)
{
	static const uint32_t	majors[] = { 0, 5, 7, 4000000000u };

	for (size_t i = 0; i < 4; i++) {
		struct bytes	b = { .n = 0 };
		struct opened	*o;
		char		number[16];

		put_trace(&b, majors[i]);
		o = open_bytes(b.p, b.n);
		snprintf(number, sizeof number, "%u", majors[i]);
		assert_int_equal(o->err, ERR_UNSUPPORTED);
		assert_non_null(strstr(buf_str(o->why), number));
	}
}

TEST(every_prefix_of_the_header_is_said_to_be_cut)
{
	struct bytes	b = { .n = 0 };
	struct opened	*o;

	put_trace(&b, 6);
	for (size_t n = 12; n < b.n; n++) {
		assert_int_equal(format_nettrace6.probe((struct span){ b.p, n }), 60);
		assert_int_equal(format_nettrace4.probe((struct span){ b.p, n }), 0);
		o = open_bytes(b.p, n);
		assert_int_equal(o->err, ERR_TRUNCATED);
	}
	o = open_bytes(b.p, b.n);
	assert_int_equal(o->err, ERR_OK);
	assert_int_equal(o->first, FIRST);
	assert_int_equal(o->f.info.freq, 1000000);
	assert_true(o->f.info.has_sync_utc);
}

/* Open a Trace block with these key/values after its fields. count: how many it claims. */
static struct opened *
open_key_values(const char *const *kv, size_t n, uint32_t count)
{
	struct opened	*o;
	struct bytes	b = { .n = 0 };
	size_t		size;

	put_trace(&b, 6);
	b.n -= 4;
	put_le(&b, count, 4);
	for (size_t i = 0; i < n; i++)
		put_text(&b, kv[i]);
	size = b.n - 24;
	b.p[20] = (uint8_t)size;
	o = open_bytes(b.p, b.n);
	assert_int_equal(o->err, ERR_OK);
	return o;
}

TEST(key_values_of_one_key_are_one_list_at_its_first_place)
{
	static const struct key_value	kv[] = {
		{ "a", "1" }, { "b", "2" }, { "a", "3" }, { "c", "4" }, { "b", "" }, { "a", "1" },
	};
	static const char *const	texts[] = {
		"{}", "{\"a\":\"1\"}", "{\"a\":\"1\",\"b\":\"2\"}",
		"{\"a\":[\"1\",\"3\"],\"b\":\"2\"}",
		"{\"a\":[\"1\",\"3\"],\"b\":\"2\",\"c\":\"4\"}",
		"{\"a\":[\"1\",\"3\"],\"b\":[\"2\",\"\"],\"c\":\"4\"}",
		"{\"a\":[\"1\",\"3\",\"1\"],\"b\":[\"2\",\"\"],\"c\":\"4\"}",
	};
	struct buf			b = { 0 };

	for (size_t n = 0; n <= 6; n++) {
		buf_clear(&b);
		key_values_json(&b, kv, n);
		assert_string_equal(buf_str(&b), texts[n]);
	}
	buf_release(&b);
}

TEST(key_values_are_kept_and_numbers_are_strict)
{
	static const char *const	kv[] = {
		"HardwareThreadCount", "12", "ProcessId", "-1x", "ExpectedCPUSamplingRate",
		"4294967296", "x", "a\377b",
	};
	struct opened	*o = open_key_values(kv, 8, 4);

	assert_int_equal(o->f.info.nkv, 4);
	assert_int_equal(o->f.info.processors, 12);
	assert_false(o->f.info.has_pid);
	assert_int_equal(o->f.info.sampling_rate, 0);
	assert_string_equal(o->f.info.kv[1].value, "-1x");
	assert_string_equal(o->f.info.kv[3].value, "a\357\277\275b");
	need_findings(o, 2, 0);

	o = open_key_values(kv, 2, UINT32_MAX);
	assert_int_equal(o->f.info.nkv, 1);
	need_findings(o, 1, 1);
}

/* ---- framing */

static struct bytes
events_block(unsigned n)
{
	struct bytes	c = { .n = 0 };

	put_events_header(&c, false);
	for (unsigned i = 0; i < n; i++)
		put_full(&c, 1, i + 1, 1, 1, 100 + i, 0, 4);
	return c;
}

static struct bytes
point_block(uint32_t flags)
{
	struct bytes	c = { .n = 0 };

	put_le(&c, 77, 8);
	put_le(&c, flags, 4);
	put_le(&c, 2, 4);
	put_var(&c, 1);
	put_var(&c, 9);
	put_var(&c, UINT64_C(1) << 40);
	put_var(&c, UINT32_MAX);
	return c;
}

TEST(unknown_kinds_are_stepped_over_with_a_note)
{
	struct bytes	b = { .n = 0 }, e = events_block(2), noise = { .n = 0 };
	struct opened	*o;

	put(&noise, "0123456789abcdef", 16);
	put_trace(&b, 6);
	put_block(&b, EVENTS, &e);
	put_block(&b, 9, &noise);
	put_block(&b, 200, &noise);
	put_block(&b, EVENTS, &e);
	put_block(&b, 255, &noise);
	put_end(&b);
	o = open_bytes(b.p, b.n);
	assert_string_equal(walk(o), "29?2?E");
	need_findings(o, 3, 0);
}

TEST(each_of_a_run_of_unknown_blocks_is_counted_with_its_bytes)
{
	struct bytes	 b = { .n = 0 }, e = events_block(2), noise = { .n = 0 };
	struct opened	*o;
	struct finding	*list;

	put(&noise, "abc", 3);
	put_trace(&b, 6);
	for (unsigned i = 0; i < 40; i++)
		put_block(&b, 200, &noise);
	put_block(&b, EVENTS, &e);
	put_end(&b);
	o = open_bytes(b.p, b.n);
	walk(o);
	assert_int_equal(diag_list(o->f.diag, &list), 1);
	assert_true(list[0].off == FIRST && list[0].count == 40 && list[0].bytes == UINT64_C(40) * 7);
	free(list);
}

TEST(every_prefix_of_a_file_frames_a_prefix_of_its_blocks)
{
	struct bytes	b = { .n = 0 }, e = events_block(3), s = point_block(0);
	const char	*want = "24242";

	put_trace(&b, 6);
	put_block(&b, EVENTS, &e);
	put_block(&b, POINT, &s);
	put_block(&b, EVENTS, &e);
	put_block(&b, POINT, &s);
	put_block(&b, EVENTS, &e);
	for (size_t n = FIRST; n <= b.n; n++) {
		struct opened	*o = open_bytes(b.p, n);
		size_t		len;

		len = strlen(walk(o));
		if (len > 0 && (o->kinds[len - 1] == 'c' || o->kinds[len - 1] == '!'))
			len--;
		assert_memory_equal(o->kinds, want, len);
	}
}

/*
 * The blocks after a wrong size are found again. If the size leads to four zeroes (64), these are
 * taken for the end, and reading goes on after them.
 */
TEST(a_wrong_size_is_mended_by_the_next_chain_of_blocks)
{
	static const uint32_t	sizes[] = { 28, 29, 4000, 0xffffff, 64 };

	for (size_t i = 0; i < 5; i++) {
		struct bytes	b = { .n = 0 }, e = events_block(3), s = point_block(0);
		struct opened	*o;

		put_trace(&b, 6);
		put_block(&b, EVENTS, &e);
		put_block(&b, POINT, &s);
		put_block(&b, EVENTS, &e);
		put_end(&b);
		b.p[FIRST] = (uint8_t)sizes[i];
		b.p[FIRST + 1] = (uint8_t)(sizes[i] >> 8);
		b.p[FIRST + 2] = (uint8_t)(sizes[i] >> 16);
		o = open_bytes(b.p, b.n);
		assert_string_equal(walk(o), i == 4 ? "2E!42E" : "2c42E");
	}
}

/*
 * What is in a block that the file cuts is not the blocks after a wrong size: two small blocks and the
 * beginning of a third one, or a list of removed threads that ends with the file.
 */
TEST(a_cut_block_that_contains_blocks_is_cut)
{
	struct bytes	b = { .n = 0 }, e = events_block(3), list = { .n = 0 }, point = point_block(0);
	struct opened	*o;
	size_t		ends[4];

	for (unsigned i = 0; i < 40; i++)
		put_le(&list, 1, 1);
	put_block(&e, POINT, &point);
	put_block(&e, POINT, &point);
	ends[0] = e.n + 8;
	put_block(&e, EVENTS, &list);
	put_le(&e, 0, 4);
	ends[1] = e.n + 4 + list.n;
	put_block(&e, REMOVE, &list);
	ends[2] = e.n + 4;
	put_le(&e, 0, 4);
	ends[3] = e.n + 2;
	put_le(&e, UINT32_MAX, 4);
	put_trace(&b, 6);
	put_block(&b, EVENTS, &e);
	for (unsigned i = 0; i < 4; i++) {
		o = open_bytes(b.p, FIRST + 4 + ends[i]);
		assert_string_equal(walk(o), "2c");
	}
}

TEST(noise_between_blocks_is_skipped)
{
	struct bytes	b = { .n = 0 }, e = events_block(3), s = point_block(0);
	struct opened	*o;

	put_trace(&b, 6);
	put_block(&b, EVENTS, &e);
	for (uint32_t i = 0, x = 1; i < 999; i++, x = x * 1664525 + 1013904223)
		put_le(&b, x >> 24, 1);
	put_block(&b, POINT, &s);
	put_block(&b, EVENTS, &e);
	put_end(&b);
	o = open_bytes(b.p, b.n);
	assert_string_equal(walk(o), "2!42E");
}

TEST(a_trace_block_before_noise_is_a_block)
{
	struct bytes	b = { .n = 0 }, e = events_block(3), head = { .n = 0 };
	struct opened	*o;

	put_trace(&b, 6);
	put(&head, b.p + 24, FIRST - 24);
	put_block(&b, EVENTS, &e);
	put_block(&b, 1, &head);
	for (unsigned i = 0; i < 999; i++)
		put_le(&b, 0xff, 1);
	put_block(&b, EVENTS, &e);
	put_end(&b);
	o = open_bytes(b.p, b.n);
	assert_string_equal(walk(o), "21!2E");
}

/* ---- event headers */

TEST(full_headers_give_every_field)
{
	struct bytes	c = { .n = 0 };
	struct event	e[16];
	struct id_list	ids = { NULL, 0, 0 };

	put_events_header(&c, false);
	put_full(&c, 7, 41, UINT64_C(1) << 40, 3, 5, 12, 4);
	put_full(&c, 7u | 1u << 31, 42, 3, 3, UINT64_C(1) << 62, 0, 0);
	assert_int_equal(decode(&c, e, &ids), 2);
	assert_true(e[0].type == 7 && e[0].seq == 41 && e[0].cpu == 300 && e[0].stack == 5);
	assert_true(e[0].ts == 5 && e[0].labels == 12 && e[0].size == 4 && e[0].head == 52);
	assert_true(ids.id[e[0].thread] == UINT64_C(1) << 40 && ids.id[e[0].capture] == 3);
	assert_int_equal(e[0].off, FIRST + 4 + 20 + 52);
	assert_true(e[1].type == 7 && e[1].ts == INT64_C(1) << 62 && e[1].flags == 0);
	free(ids.id);
}

TEST(compressed_headers_keep_what_they_do_not_say)
{
	struct bytes	c = { .n = 0 };
	struct event	e[16];
	struct id_list	ids = { NULL, 0, 0 };

	put_events_header(&c, true);
	/* No flags: metadata 0, and the sequence number still grows. */
	put_le(&c, 0, 1);
	put_var(&c, 10);
	/* Everything. */
	put_le(&c, 1 | 2 | 4 | 8 | 16 | 64 | 128, 1);
	put_var(&c, 7);
	put_var(&c, 40);
	put_var(&c, 3);
	put_var(&c, 300);
	put_var(&c, UINT64_C(1) << 40);
	put_var(&c, 5);
	put_var(&c, 20);
	put_var(&c, 12);
	put_var(&c, 2);
	put(&c, "ab", 2);
	/* The time goes back by one, everything else stays; bit 32 has no meaning. */
	put_le(&c, 32, 1);
	put_var(&c, UINT64_MAX);
	put(&c, "cd", 2);
	assert_int_equal(decode(&c, e, &ids), 3);
	assert_true(e[0].type == 0 && e[0].seq == 1 && e[0].ts == 10 && e[0].size == 0);
	assert_true(e[1].type == 7 && e[1].seq == 42 && e[1].cpu == 300 && e[1].stack == 5);
	assert_true(e[1].ts == 30 && e[1].labels == 12 && e[1].size == 2);
	assert_true(ids.id[e[1].thread] == UINT64_C(1) << 40 && ids.id[e[1].capture] == 3);
	assert_true(e[2].type == 7 && e[2].seq == 43 && e[2].ts == 29 && e[2].labels == 12);
	assert_true(e[2].size == 2 && e[2].flags == 0 && e[2].cpu == 300);
	free(ids.id);
}

TEST(numbers_of_too_many_bits_end_the_block)
{
	static const uint8_t	metadata33[] = { 1, 0xff, 0xff, 0xff, 0xff, 0x10, 0, 0 };
	static const uint8_t	metadata32[] = { 1, 0xff, 0xff, 0xff, 0xff, 0x0f, 0 };
	static const uint8_t	time65[] = { 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		2 };
	static const uint8_t	endless[] = { 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
		0x80, 0x80, 0 };
	static const struct { const uint8_t *p; size_t n, events; } cases[] = {
		{ metadata33, sizeof metadata33, 0 }, { metadata32, sizeof metadata32, 1 },
		{ time65, sizeof time65, 0 }, { endless, sizeof endless, 0 },
	};

	for (size_t i = 0; i < 4; i++) {
		struct bytes	c = { .n = 0 };
		struct event	e[16];
		struct id_list	ids = { NULL, 0, 0 };

		put_events_header(&c, true);
		put(&c, cases[i].p, cases[i].n);
		assert_int_equal(decode(&c, e, &ids), cases[i].events);
		free(ids.id);
	}
}

TEST(scan_and_decode_see_the_same_events)
{
	struct bytes		 b = { .n = 0 }, c = events_block(9);
	struct opened		*o;
	struct frame		 fr;
	struct decode_state	 st;
	const char		*text;
	struct span		 body;
	struct scan		 s;

	put_full(&c, 2, 1, 8, 8, 50, 0, 6);
	c.p[c.n - 6 - 4] = 200;		/* a payload of more than its event has */
	put_trace(&b, 6);
	put_block(&b, EVENTS, &c);
	put_end(&b);
	o = open_bytes(b.p, b.n);
	assert_int_equal(o->f.ops->frame(&o->f, o->first, &fr), 1);
	body = source_span(o->source, fr.body, fr.len);
	assert_int_equal(o->f.ops->begin(&o->f, &fr, body, &st, &text), ERR_OK);
	scan_init(&s);
	assert_int_equal(o->f.ops->scan(&o->f, &fr, body, &st, &s), 1);
	scan_close(&s);
	assert_true(s.events == 10 && s.bytes == 9 * 4 + 6 && s.tmin == 50 && s.tmax == 108);
	assert_true(s.nrun == 2 && s.run[0].n == 9 && s.run[1].capture == 8);
	assert_true(s.types.n == 2 && s.nbad == 1);
	scan_release(&s);
}

/* ---- metadata rows */

/* Commit a metadata block with this row. */
static struct opened *
commit_row(const struct bytes *row)
{
	struct bytes	b = { .n = 0 }, c = { .n = 0 };
	struct opened	*o;

	put_trace(&b, 6);
	put_le(&c, 3, 2);
	put(&c, "xyz", 3);
	put_row(&c, row);
	put_block(&b, METADATA, &c);
	put_end(&b);
	o = open_bytes(b.p, b.n);
	assert_string_equal(walk(o), "3E");
	return o;
}

/* Commit one block of this kind. */
static struct opened *
commit_block(unsigned kind, const struct bytes *content)
{
	struct bytes	b = { .n = 0 };
	struct opened	*o;
	struct frame	fr;

	put_trace(&b, 6);
	put_block(&b, kind, content);
	put_end(&b);
	o = open_bytes(b.p, b.n);
	assert_int_equal(o->f.ops->frame(&o->f, o->first, &fr), 1);
	assert_int_equal(fr.sub, kind);
	o->f.ops->commit(&o->f, &fr, source_span(o->source, fr.body, fr.len));
	return o;
}

CASE(block)
{
	struct bytes	 c = { .n = 0 };
	struct opened	*o;

	put(&c, arg[1].p, arg[1].len);
	o = commit_block((unsigned)case_u64(arg[0]), &c);
	buf_add(out, o->seen->p, o->seen->len);
	buf_printf(out, "findings %zu, %zu", findings(o, false), findings(o, true));
}

/* How many there are of a row. */
CASE(prefixes)
{
	for (size_t n = 0; n < arg[0].len; n++) {
		struct bytes	row = { .n = 0 };

		put(&row, arg[0].p, n);
		assert_int_equal(findings(commit_row(&row), true), 1);
	}
	buf_u64(out, arg[0].len);
}

CASES("nettrace6.txt", 15)

static void
put_field(struct bytes *r, const char *name, const void *type, size_t len)
{
	struct bytes	f = { .n = 0 };

	put_text(&f, name);
	put(&f, type, len);
	put_row(r, &f);
}

TEST(a_type_that_nests_too_deeply_ends_the_fields)
{
	uint8_t		 deep[4000];
	struct bytes	 r = { .n = 0 };
	struct opened	*o;

	memset(deep, 19, sizeof deep);	/* arrays of arrays of ... */
	put(&r, "\1\1P\1\1E\3\0", 8);
	put_field(&r, "a", "\12", 1);
	put_field(&r, "b", deep, sizeof deep);
	put_field(&r, "c", "\12", 1);
	put_le(&r, 2, 2);
	put_le(&r, 8 | 3 << 8, 2);	/* level 3 */
	o = commit_row(&r);
	assert_string_equal(buf_str(o->seen), "type 1 P/E 1 level 3 version 0 keywords 0x0: a:u32\n");
	need_findings(o, 1, 1);
}

static struct bytes
labels_block(uint32_t first, uint32_t count)
{
	struct bytes	c = { .n = 0 };

	put_le(&c, first, 4);
	put_le(&c, count, 4);
	put_le(&c, 3 | 0x80, 1);
	put(&c, "0123456789abcdef", 16);
	put_le(&c, 5, 1);
	put_text(&c, "key");
	put_text(&c, "text");
	put_le(&c, 6 | 0x80, 1);
	put_text(&c, "n");
	put_var(&c, 9);			/* -5 */
	put_le(&c, 8, 1);
	put_le(&c, 0xf0, 8);
	put_le(&c, 9 | 0x80, 1);
	put_le(&c, 2, 1);
	return c;
}

TEST(label_lists_are_found_in_any_order)
{
	struct bytes	c = labels_block(4, 3);
	struct opened	*o = commit_block(LABELS, &c);
	struct span	body = { c.p, c.n };
	struct label	l[8];
	uint64_t	walk_at[2] = { 0, 0 };

	assert_string_equal(buf_str(o->seen), "lists from 4: 3\n");
	need_findings(o, 0, 0);
	for (unsigned pass = 0; pass < 2; pass++) {
		assert_int_equal(o->f.ops->labels(&o->f, body, 2, walk_at, l, 8), 2);
		assert_true(l[0].kind == LABEL_KEYWORDS && l[0].number == 0xf0);
		assert_true(l[1].kind == LABEL_LEVEL && l[1].number == 2);
		assert_int_equal(o->f.ops->labels(&o->f, body, 1, walk_at, l, 8), 2);
		assert_true(l[0].kind == LABEL_TEXT && l[0].key.len == 3 && l[0].text.len == 4);
		assert_true(l[1].kind == LABEL_NUMBER && (int64_t)l[1].number == -5);
		assert_int_equal(o->f.ops->labels(&o->f, body, 0, walk_at, l, 8), 1);
		assert_memory_equal(l[0].text.p, "0123456789abcdef", 16);
	}
	assert_int_equal(o->f.ops->labels(&o->f, body, 3, walk_at, l, 8), 0);
	assert_int_equal(o->f.ops->labels(&o->f, body, 1, walk_at, l, 1), 1);
}

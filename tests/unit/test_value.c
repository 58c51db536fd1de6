/*
 * The walk over payloads, and values as text. Payloads lie in exact heap blocks; what is expected
 * is listed as JSON.
 */
#include "../support/cases.h"
#include "../support/types.h"
#include "tnav/base/limits.h"
#include "tnav/model/program.h"
#include "tnav/model/schema.h"

#define B(s)		s, sizeof s - 1
#define COUNT(a)	(uint32_t)(sizeof (a) / sizeof (a)[0])

static struct event_type
type_of(const struct field *fields, uint32_t n)
{
	return (struct event_type){ .provider = "P", .name = "E", .fields = fields, .nfields = n,
				    .source = SCHEMA_TRACE };
}

static struct arena	programs;

/* The type with its program: after this, it does not change. */
static const struct event_type *
ready(struct event_type *t)
{
	t->program = program_new(&programs, t, NULL);
	return t;
}

/* A type by its fields, or of the built-in table: #ID/VERSION. */
static struct event_type
type_said(struct span text)
{
	const char		*s = case_text(text);
	struct event_type	 t = type_of(NULL, 0);

	if (sscanf(s, "#%u/%u", &t.id, &t.version) == 2) {
		t.provider = "Microsoft-Windows-DotNETRuntime";
		t.name = "";
		t.source = SCHEMA_NONE;
		schema_complete(&t, &programs);
	} else {
		types_parse(&t, &programs, s);
	}
	return t;
}

/* A type, a payload, and marks of the type: encodings that may differ from the declared one. */
CASE(json)
{
	struct event_type	 t = type_said(arg[0]);
	const char		*marks = case_text(arg[2]);
	struct payload_result	 res;

	t.odd_bool = strstr(marks, "bool") != NULL;
	t.odd_date = strstr(marks, "date") != NULL;
	t.odd_real = strstr(marks, "real") != NULL;
	t.odd_text = strstr(marks, "text") != NULL;
	t.pointer_size = strstr(marks, "ptr32") != NULL ? 4 : 8;
	payload_json(out, ready(&t), arg[1], strstr(marks, "names") != NULL, &res);
	if (res.error != NULL)
		buf_printf(out, " !%s", res.error);
	if (res.undecoded > 0)
		buf_printf(out, " +%u", res.undecoded);
	if (res.note != NULL)
		buf_printf(out, " ~%s", res.note);
}

CASE(line)
{
	struct event_type	t = type_said(arg[0]);
	struct payload_result	res;

	payload_line(out, ready(&t), arg[1], &res);
}

CASE(text8)
{
	json_text8(out, arg[0]);
}

CASE(text16)
{
	json_text16(out, arg[0]);
}

CASE(words)
{
	if (!value_words(out, schema_map(case_text(arg[0])), case_u64(arg[1])))
		buf_puts(out, "none");
}

/* The rules for any prefix: no more values than the whole, and all bytes accounted for. */
struct tally {
	size_t		len;
	unsigned	values, nulls;
	int		depth;
};

static int
tally_value(void *arg, const struct value *v)
{
	struct tally	*t = arg;

	assert_true(v->off <= t->len && v->len <= t->len - v->off);
	assert_non_null(v->field);
	if (v->kind == VK_OBJECT_END || v->kind == VK_ARRAY_END)
		t->depth--;
	assert_int_equal(v->depth, t->depth);
	if (v->kind == VK_OBJECT || v->kind == VK_ARRAY)
		t->depth++;
	t->values++;
	t->nulls += v->kind == VK_NULL;
	return 0;
}

static struct tally
tally(const struct event_type *t, const char *bytes, size_t len, struct payload_result *res)
{
	struct event_type	own = *t;
	struct tally	n = { .len = len };
	struct span	s = test_exact(bytes, len);

	assert_int_equal(payload_walk(ready(&own), s, tally_value, &n, res), 0);
	assert_int_equal(n.depth, 0);
	assert_true(n.values <= LIMIT_VALUES);
	assert_true(res->undecoded <= len);
	return n;
}

/* How many there are; none is walked without an error. */
CASE(prefixes)
{
	struct event_type	t = type_said(arg[0]);
	struct payload_result	res;
	const char		*bytes = (const char *)arg[1].p;
	unsigned		whole = tally(&t, bytes, arg[1].len, &res).values;

	assert_null(res.error);
	assert_int_equal(res.undecoded, 0);
	for (size_t n = 0; n < arg[1].len; n++) {
		struct tally	got = tally(&t, bytes, n, &res);

		assert_non_null(res.error);
		assert_true(got.values <= whole);
	}
	buf_u64(out, arg[1].len);
}

CASES("payloads.txt", 75)

/* ---- hostile descriptions and payloads */

TEST(locations_do_not_multiply_bytes)
{
	static const struct field	loc = { .name = "t", .kind = FK_CHAR8, .array = AK_DATALOC,
						.flags = FIELD_TEXT };
	static const struct field	f[] = {
		{ .name = "l", .kind = FK_OBJECT, .array = AK_REST, .fields = &loc, .nfields = 1 },
	};
	struct event_type	 t = type_of(f, 1);
	struct payload_result	 res;
	struct buf		*out = test_buf();
	uint8_t			*p = malloc(65532);

	assert_non_null(p);
	for (size_t i = 0; i < 65532; i += 4)
		memcpy(p + i, "\x00\x00\xfc\xff", 4);	/* all of the payload, each time */
	payload_json(out, ready(&t), (struct span){ p, 65532 }, false, &res);
	assert_non_null(res.error);
	assert_true(out->len < 10 * 65532 * 6);
	free(p);
}

TEST(elements_without_bytes_are_bounded_by_the_budget)
{
	static const struct field	empty = { .name = "", .kind = FK_OBJECT };
	struct field			f[8];
	struct event_type		t;
	struct payload_result		res;

	for (uint32_t i = 0; i < COUNT(f); i++) {
		f[i] = (struct field){ .name = "x", .kind = FK_OBJECT, .array = AK_FIXED,
				       .count = 65535 };
		f[i].inner = i == 0 ? NULL : &f[i - 1];
		t = type_of(&f[i], 1);
		assert_true(tally(&t, B(""), &res).values > (i > 0 ? 90000 : 60000));
		assert_string_equal(res.error, "too many values to decode");
	}
	f[0] = (struct field){ .name = "x", .array = AK_REST, .inner = &empty };
	t = type_of(&f[0], 1);
	tally(&t, B("a"), &res);
	assert_string_equal(res.error,
	    "an array to the end of the payload has elements of zero bytes");
	assert_int_equal(res.undecoded, 1);
	f[0] = (struct field){ .name = "x", .kind = FK_OBJECT, .array = AK_COUNT32 };
	t = type_of(&f[0], 1);
	tally(&t, B("\xff\xff\xff\xff"), &res);
	assert_string_equal(res.error, "too many values to decode");
}

TEST(nesting_stops_at_its_limit)
{
	struct field		f[LIMIT_NESTING + 8];
	struct payload_result	res;
	struct event_type	t;
	char			bytes[2 * COUNT(f) + 1];

	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = i % 2 == 0;		/* each array has one element */
	for (uint32_t i = 0; i < COUNT(f); i++) {
		f[i] = (struct field){ .name = "x", .kind = FK_U8, .array = AK_COUNT16 };
		if (i == 0)
			continue;
		f[i].inner = &f[i - 1];
		t = type_of(&f[i], 1);
		tally(&t, bytes, 2u * (i + 1) + 1, &res);
		if (i <= LIMIT_NESTING)		/* the innermost one is a value */
			assert_null(res.error);
		else
			assert_string_equal(res.error, "the fields are nested too deeply");
	}
	for (uint32_t i = 1; i < COUNT(f); i++) {
		f[i] = (struct field){ .name = "o", .kind = FK_OBJECT, .fields = &f[i - 1],
				       .nfields = 1 };
		t = type_of(&f[i], 1);
		tally(&t, B("\0\0"), &res);
		assert_int_equal(res.error != NULL, i > LIMIT_NESTING);
	}
}

static int
stop_at_third(void *arg, const struct value *v)
{
	(void)v;
	return ++*(int *)arg == 3 ? 77 : 0;
}

TEST(the_caller_can_stop_the_walk)
{
	static const struct field	inner = { .name = "", .kind = FK_U16, .array = AK_COUNT16 };
	static const struct field	f[] = {
		{ .name = "a", .array = AK_COUNT16, .inner = &inner },
		{ .name = "b", .kind = FK_U8 },
	};
	struct event_type		t = type_of(f, 2);
	struct payload_result		res;
	struct span			s = test_exact(B("\x01\0\x02\0\x01\0\x02\0\x03"));
	int				n = 0;

	assert_int_equal(payload_walk(ready(&t), s, stop_at_third, &n, &res), 77);
	assert_int_equal(n, 3);
}

/* Long texts are converted in pieces; a character across two pieces is still one character. */
TEST(long_texts_are_whole_at_any_offset)
{
	struct buf	*out = test_buf(), *text = test_buf();

	for (size_t lead = 4080; lead < 4100; lead++) {
		buf_clear(out);
		buf_clear(text);
		for (size_t i = 0; i < lead; i++)
			buf_putc(text, 'x');
		buf_puts(text, "\xf0\x9f\x98\x80" "end");
		json_text8(out, (struct span){ (const uint8_t *)text->p, text->len });
		assert_int_equal(out->len, text->len + 2);
		assert_memory_equal(out->p + 1, text->p, text->len);

		buf_clear(out);
		buf_clear(text);
		for (size_t i = 0; i < lead / 2; i++)
			buf_add(text, "x", 2);
		buf_add(text, "\x3d\xd8\x00\xde", 4);
		json_text16(out, (struct span){ (const uint8_t *)text->p, text->len });
		assert_int_equal(out->len, lead / 2 + 4 + 2);
		assert_memory_equal(out->p + 1 + lead / 2, "\xf0\x9f\x98\x80\"", 5);
	}
	/* All of it escaped: the room is enough. */
	buf_clear(out);
	buf_clear(text);
	for (size_t i = 0; i < 10000; i++)
		buf_putc(text, '\x01');
	json_text8(out, (struct span){ (const uint8_t *)text->p, text->len });
	assert_int_equal(out->len, 60002);
	buf_clear(out);
	memset(text->p, 0, text->len);
	json_text16(out, (struct span){ (const uint8_t *)text->p, text->len });
	assert_int_equal(out->len, 30002);
}

static int
release(void)
{
	arena_release(&programs);
	return 0;
}

GROUP(NULL, release)

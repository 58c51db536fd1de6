/*
 * The walk over payloads, and values as text. Payloads lie in exact heap blocks; what is expected
 * is written down as JSON.
 */
#include "../support/test.h"
#include "tnav/base/limits.h"
#include "tnav/model/program.h"
#include "tnav/model/schema.h"

#define B(s)		s, sizeof s - 1
#define COUNT(a)	(uint32_t)(sizeof (a) / sizeof (a)[0])
#define RUNTIME		"Microsoft-Windows-DotNETRuntime"
#define BEFORE		"the payload ends before its last field"
#define INSIDE		"the payload ends inside a field"

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

/* error and note: NULL for none. */
static void
check_type(const struct event_type *t, const char *bytes, size_t len, const char *json,
    const char *error, uint32_t undecoded, const char *note)
{
	struct event_type	 own = *t;
	struct payload_result	 res;
	struct span		 s = test_exact(bytes, len);
	struct buf		*out = test_buf();

	payload_json(out, ready(&own), s, false, &res);
	assert_string_equal(buf_str(out), json);
	assert_int_equal(res.undecoded, undecoded);
	if (error != NULL)
		assert_string_equal(res.error, error);
	else
		assert_null(res.error);
	if (note != NULL)
		assert_string_equal(res.note, note);
	else
		assert_null(res.note);
}

static void
check(const struct field *fields, uint32_t n, const char *bytes, size_t len, const char *json,
    const char *error, uint32_t undecoded)
{
	struct event_type	t = type_of(fields, n);

	check_type(&t, bytes, len, json, error, undecoded, NULL);
}

#define CHECK(f, bytes, json, error, left) \
	check(f, COUNT(f), B(bytes), json, error, left)

/* A type of the built-in table. */
static struct event_type
table_type(uint32_t id, uint32_t version)
{
	struct event_type	t = { .provider = RUNTIME, .id = id, .version = version, .name = "",
				      .source = SCHEMA_NONE };
	struct arena		a = { 0 };

	schema_complete(&t, &a);	/* what it sets is the table's */
	arena_release(&a);
	return t;
}

/* ---- each kind */

TEST(integers_of_all_sizes_at_their_edges)
{
	static const struct field	f[] = {
		{ .name = "a", .kind = FK_U8 }, { .name = "b", .kind = FK_I8 },
		{ .name = "c", .kind = FK_U16 }, { .name = "d", .kind = FK_I16 },
		{ .name = "e", .kind = FK_U32 }, { .name = "f", .kind = FK_I32 },
		{ .name = "g", .kind = FK_U64 }, { .name = "h", .kind = FK_I64 },
		{ .name = "p", .kind = FK_PTR },
	};

	CHECK(f, "\xff" "\x80" "\xff\xff" "\x00\x80" "\xff\xff\xff\xff" "\x00\x00\x00\x80"
	    "\xff\xff\xff\xff\xff\xff\xff\xff" "\x00\x00\x00\x00\x00\x00\x00\x80"
	    "\xef\xcd\xab\x89\x67\x45\x23\x01",
	    "{\"a\":255,\"b\":-128,\"c\":65535,\"d\":-32768,\"e\":4294967295,\"f\":-2147483648,"
	    "\"g\":18446744073709551615,\"h\":-9223372036854775808,\"p\":81985529216486895}",
	    NULL, 0);
}

TEST(a_pointer_has_the_traces_size)
{
	static const struct field	f[] = {
		{ .name = "p", .kind = FK_PTR }, { .name = "x", .kind = FK_PAD },
		{ .name = "q", .kind = FK_U8 },
	};
	struct event_type	 t = type_of(f, 3);
	struct span		 s = test_exact(B("\x04\x03\x02\x01\x07"));
	struct payload_result	 res;
	struct buf		*out = test_buf();

	t.pointer_size = 4;
	payload_json(out, ready(&t), s, false, &res);
	assert_string_equal(buf_str(out), "{\"p\":16909060,\"q\":7}");
	assert_null(res.error);
	t.pointer_size = 8;
	check_type(&t, B("\x04\x03\x02\x01\x00\x00\x00\x00" "pad." "\x07"),
	    "{\"p\":16909060,\"q\":7}", NULL, 0, NULL);
}

TEST(any_bit_makes_a_boolean_true)
{
	static const struct field	f[] = {
		{ .name = "a", .kind = FK_BOOL32 }, { .name = "b", .kind = FK_BOOL32 },
		{ .name = "c", .kind = FK_BOOL8 }, { .name = "d", .kind = FK_BOOL8 },
	};

	CHECK(f, "\x00\x01\x00\x00" "\x00\x00\x00\x00" "\x80" "\x00",
	    "{\"a\":true,\"b\":false,\"c\":true,\"d\":false}", NULL, 0);
}

TEST(floats_are_the_shortest_text_and_odd_ones_strings)
{
	static const struct field	f[] = {
		{ .name = "a", .kind = FK_F32 }, { .name = "b", .kind = FK_F32 },
		{ .name = "c", .kind = FK_F64 }, { .name = "d", .kind = FK_F64 },
		{ .name = "e", .kind = FK_F64 },
	};

	CHECK(f, "\xcd\xcc\xcc\x3d" "\x00\x00\xc0\x7f" "\x9a\x99\x99\x99\x99\x99\xb9\x3f"
	    "\x00\x00\x00\x00\x00\x00\xf0\xff" "\x00\x00\x00\x00\x00\x00\xf0\x7f",
	    "{\"a\":0.1,\"b\":\"NaN\",\"c\":0.1,\"d\":\"-Infinity\",\"e\":\"Infinity\"}",
	    NULL, 0);
}

TEST(guid_date_and_decimal)
{
	static const struct field	f[] = {
		{ .name = "g", .kind = FK_GUID }, { .name = "t", .kind = FK_DATETIME },
		{ .name = "d", .kind = FK_DECIMAL },
	};

	CHECK(f, "\x33\x22\x11\x00\x55\x44\x77\x66\x88\x99\xaa\xbb\xcc\xdd\xee\xff"
	    "\x00\x80\x3e\xd5\xde\xb1\x9d\x01"		/* 116444736000000000 */
	    "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10",
	    "{\"g\":\"00112233-4455-6677-8899-aabbccddeeff\","
	    "\"t\":\"1970-01-01T00:00:00.0000000Z\","
	    "\"d\":\"0102030405060708090a0b0c0d0e0f10\"}", NULL, 0);
}

TEST(variable_length_numbers)
{
	static const struct field	f[] = {
		{ .name = "u", .kind = FK_VARU }, { .name = "i", .kind = FK_VARI },
		{ .name = "j", .kind = FK_VARI }, { .name = "k", .kind = FK_VARI },
	};

	CHECK(f, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" "\x01" "\x02"
	    "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
	    "{\"u\":18446744073709551615,\"i\":-1,\"j\":1,\"k\":-9223372036854775808}", NULL, 0);
	CHECK(f, "\xff\x00" "\x81\x80\x00" "\x00" "\xff",
	    "{\"u\":127,\"i\":-1,\"j\":0,\"k\":null}",
	    "a variable-length number has no end", 1);
}

TEST(texts_of_each_kind)
{
	static const struct field	f[] = {
		{ .name = "z16", .kind = FK_UTF16Z }, { .name = "z8", .kind = FK_UTF8Z },
		{ .name = "n8", .kind = FK_STR16 }, { .name = "c16", .kind = FK_CHAR16 },
		{ .name = "c8", .kind = FK_CHAR8 }, { .name = "h", .kind = FK_HEPH_STR },
	};

	CHECK(f, "h\0\xe9\0\x3d\xd8\x4b\xdc\0\0" "ab\0" "\x03\0d\xc3\xa9" "A\0" "z" "\0\x02hi",
	    "{\"z16\":\"h\xc3\xa9\xf0\x9f\x91\x8b\",\"z8\":\"ab\",\"n8\":\"d\xc3\xa9\","
	    "\"c16\":\"A\",\"c8\":\"z\",\"h\":\"hi\"}", NULL, 0);
}

TEST(big_endian_numbers)
{
	static const struct field	f[] = {
		{ .name = "u", .kind = FK_HEPH_U64 }, { .name = "i", .kind = FK_HEPH_I64 },
		{ .name = "f", .kind = FK_HEPH_F64 },
	};

	CHECK(f, "\0\0\0\0\0\0\x01\x02" "\xff\xff\xff\xff\xff\xff\xff\xfe"
	    "\x3f\xf8\0\0\0\0\0\0", "{\"u\":258,\"i\":-2,\"f\":1.5}", NULL, 0);
}

/* ---- arrays and objects */

TEST(arrays_of_plain_values)
{
	static const struct field	f[] = {
		{ .name = "n", .kind = FK_I32, .array = AK_COUNT16 },
		{ .name = "s", .kind = FK_UTF16Z, .array = AK_COUNT32 },
		{ .name = "x", .kind = FK_I16, .array = AK_FIXED, .count = 2 },
		{ .name = "b", .kind = FK_U8, .array = AK_COUNT16 },
		{ .name = "r", .kind = FK_U16, .array = AK_REST },
	};

	CHECK(f, "\x02\0" "\x07\0\0\0" "\xff\xff\xff\xff" "\x02\0\0\0" "p\0\0\0" "\0\0"
	    "\x01\0\xfe\xff" "\x03\0\x00\xff\x10" "\x05\0\x06\0" "!",
	    "{\"n\":[7,-1],\"s\":[\"p\",\"\"],\"x\":[1,-2],\"b\":\"00ff10\",\"r\":[5,6]}",
	    NULL, 1);
}

TEST(arrays_of_characters_are_texts)
{
	static const struct field	f[] = {
		{ .name = "a", .kind = FK_CHAR16, .array = AK_COUNT16, .flags = FIELD_TEXT },
		{ .name = "b", .kind = FK_CHAR8, .array = AK_COUNT16, .flags = FIELD_TEXT },
		{ .name = "c", .kind = FK_CHAR16, .array = AK_FIXED, .count = 3,
		  .flags = FIELD_TEXT },
		{ .name = "d", .kind = FK_CHAR8, .array = AK_FIXED, .count = 4,
		  .flags = FIELD_TEXT },
		{ .name = "e", .kind = FK_CHAR8, .array = AK_FIXED, .count = 2,
		  .flags = FIELD_TEXT },
		{ .name = "end", .kind = FK_U8 },
	};

	/* A counted text may hold a NUL; one of fixed length ends there. */
	CHECK(f, "\x03\0a\0\0\0b\0" "\x03\0" "c\0d" "e\0\0\0f\0" "gh\0i" "jk" "\x2a",
	    "{\"a\":\"a\\u0000b\",\"b\":\"c\\u0000d\",\"c\":\"e\",\"d\":\"gh\",\"e\":\"jk\","
	    "\"end\":42}", NULL, 0);
}

TEST(arrays_of_arrays_and_of_objects)
{
	static const struct field	ints = { .name = "", .kind = FK_I32, .array = AK_COUNT16 };
	static const struct field	rec[] = {
		{ .name = "v", .kind = FK_VARU }, { .name = "s", .kind = FK_UTF8Z },
	};
	static const struct field	f[] = {
		{ .name = "m", .array = AK_COUNT16, .inner = &ints },
		{ .name = "l", .kind = FK_OBJECT, .array = AK_COUNT16, .fields = rec,
		  .nfields = 2 },
		{ .name = "o", .kind = FK_OBJECT, .fields = rec, .nfields = 2 },
		{ .name = "none", .kind = FK_OBJECT },
		{ .name = "end", .kind = FK_U8 },
	};

	CHECK(f, "\x02\0" "\x02\0\x0a\0\0\0\x14\0\0\0" "\x01\0\x1e\0\0\0"
	    "\x02\0" "\xac\x02one\0" "\x05\0" "\x01x\0" "\x07",
	    "{\"m\":[[10,20],[30]],\"l\":[{\"v\":300,\"s\":\"one\"},{\"v\":5,\"s\":\"\"}],"
	    "\"o\":{\"v\":1,\"s\":\"x\"},\"none\":{},\"end\":7}", NULL, 0);
	CHECK(f, "\0\0" "\0\0" "\x01\0" "\x07",
	    "{\"m\":[],\"l\":[],\"o\":{\"v\":1,\"s\":\"\"},\"none\":{},\"end\":7}", NULL, 0);
}

TEST(equal_names_stay_in_order)
{
	static const struct field	f[] = {
		{ .name = "a", .kind = FK_U8 }, { .name = "", .kind = FK_U8 },
		{ .name = "a", .kind = FK_U8 },
	};

	CHECK(f, "\x01\x02\x03", "{\"a\":1,\"\":2,\"a\":3}", NULL, 0);
}

TEST(locations_are_followed_inside_the_payload_only)
{
	static const struct field	f[] = {
		{ .name = "a", .kind = FK_CHAR16, .array = AK_RELLOC, .flags = FIELD_TEXT },
		{ .name = "b", .kind = FK_I32, .array = AK_DATALOC },
		{ .name = "x", .kind = FK_U32 },
	};

	CHECK(f, "\x08\0\x04\0" "\x10\0\x04\0" "\x04\0\0\0" "h\0i\0" "\xfe\xff\xff\xff",
	    "{\"a\":\"hi\",\"b\":[-2],\"x\":4}", NULL, 0);
	/* After the end; not a whole number of elements: the other fields are fine. */
	CHECK(f, "\x00\x10\x04\0" "\x0c\0\x04\0" "\x04\0\0\0" "\x01\0\0\0",
	    "{\"a\":null,\"b\":[1],\"x\":4}", "a location lies outside the payload", 0);
	CHECK(f, "\x08\0\0\0" "\x00\0\x03\0" "\x05\0\0\0",
	    "{\"a\":\"\",\"b\":null,\"x\":5}",
	    "a location does not hold a whole number of elements", 0);
	CHECK(f, "\xff\xff\xff\xff" "\x0c\0\0\0" "\x05\0\0\0",
	    "{\"a\":null,\"b\":[],\"x\":5}", "a location lies outside the payload", 0);
	CHECK(f, "\x08\0", "{\"a\":null,\"b\":null,\"x\":null}", INSIDE, 2);
}

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

/* ---- payloads of other lengths than their fields */

static const struct field	plain[] = {
	{ .name = "a", .kind = FK_I32 }, { .name = "b", .kind = FK_I64 },
	{ .name = "s", .kind = FK_UTF16Z }, { .name = "c", .kind = FK_U16 },
};

TEST(fields_behind_the_end_are_null_and_said)
{
	CHECK(plain, "\x01\0\0\0" "\x02\0\0\0\0\0\0\0" "o\0k\0\0\0" "\x03\0",
	    "{\"a\":1,\"b\":2,\"s\":\"ok\",\"c\":3}", NULL, 0);
	CHECK(plain, "\x01\0\0\0" "\x02\0\0\0\0\0\0\0" "o\0k\0\0\0",
	    "{\"a\":1,\"b\":2,\"s\":\"ok\",\"c\":null}", BEFORE, 0);
	CHECK(plain, "\x01\0\0\0" "\x02\0\0\0\0\0\0\0" "o\0k\0",
	    "{\"a\":1,\"b\":2,\"s\":null,\"c\":null}", "a string has no terminator", 4);
	CHECK(plain, "\x01\0\0\0" "\x02\0\0\0",
	    "{\"a\":1,\"b\":null,\"s\":null,\"c\":null}", INSIDE, 4);
	CHECK(plain, "\x01", "{\"a\":null,\"b\":null,\"s\":null,\"c\":null}", INSIDE, 1);
	CHECK(plain, "", "{\"a\":null,\"b\":null,\"s\":null,\"c\":null}", BEFORE, 0);
	CHECK(plain, "\x01\0\0\0" "\x02\0\0\0\0\0\0\0" "\0\0" "\x03\0" "more",
	    "{\"a\":1,\"b\":2,\"s\":\"\",\"c\":3}", NULL, 4);
}

TEST(a_type_without_fields_leaves_all_bytes)
{
	check(NULL, 0, B("abc"), "{}", NULL, 3);
	check(NULL, 0, B(""), "{}", NULL, 0);
}

TEST(an_array_gives_the_elements_that_fit)
{
	static const struct field	f[] = {
		{ .name = "n", .kind = FK_U16, .array = AK_COUNT32 },
		{ .name = "z", .kind = FK_U8 },
	};
	static const struct field	rec[] = {
		{ .name = "x", .kind = FK_U16 }, { .name = "y", .kind = FK_U16 },
	};
	static const struct field	o[] = {
		{ .name = "n", .kind = FK_OBJECT, .array = AK_COUNT16, .fields = rec,
		  .nfields = 2 },
		{ .name = "z", .kind = FK_U8 },
	};
	static const struct field	h[] = {
		{ .name = "h", .kind = FK_U8, .array = AK_COUNT32 },
	};

	CHECK(f, "\xff\xff\xff\xff" "\x01\0\x02\0\x03", "{\"n\":[1,2],\"z\":null}",
	    "an array is longer than the payload", 1);
	CHECK(o, "\x09\0" "\x01\0\x02\0" "\x03\0\x04",
	    "{\"n\":[{\"x\":1,\"y\":2},{\"x\":3,\"y\":null}],\"z\":null}", INSIDE, 1);
	CHECK(o, "\x09\0" "\x01\0\x02\0", "{\"n\":[{\"x\":1,\"y\":2}],\"z\":null}",
	    "an array is longer than the payload", 0);
	CHECK(h, "\xff\xff\xff\x7f" "\x01\x02", "{\"h\":\"0102\"}",
	    "an array is longer than the payload", 0);
}

TEST(optional_fields_are_absent_at_the_end)
{
	static const struct field	f[] = {
		{ .name = "a", .kind = FK_U8 },
		{ .name = "b", .kind = FK_U16, .flags = FIELD_OPTIONAL },
		{ .name = "c", .kind = FK_U8, .flags = FIELD_OPTIONAL },
	};

	CHECK(f, "\x01", "{\"a\":1}", NULL, 0);
	CHECK(f, "\x01\x02\0", "{\"a\":1,\"b\":2}", NULL, 0);
	CHECK(f, "\x01\x02\0\x03", "{\"a\":1,\"b\":2,\"c\":3}", NULL, 0);
	CHECK(f, "\x01\x02", "{\"a\":1,\"b\":null}", INSIDE, 1);
	CHECK(f, "", "{\"a\":null}", BEFORE, 0);
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

static void
check_prefixes(const struct event_type *t, const char *bytes, size_t len)
{
	struct payload_result	res;
	unsigned		whole = tally(t, bytes, len, &res).values;

	assert_null(res.error);
	assert_int_equal(res.undecoded, 0);
	for (size_t n = 0; n < len; n++) {
		struct tally	got = tally(t, bytes, n, &res);

		assert_non_null(res.error);
		assert_true(got.values <= whole);
	}
}

TEST(every_prefix_of_a_payload_is_walked_and_said_to_be_short)
{
	static const struct field	ints = { .name = "", .kind = FK_I32, .array = AK_COUNT16 };
	static const struct field	rec[] = {
		{ .name = "v", .kind = FK_VARU }, { .name = "s", .kind = FK_UTF16Z },
		{ .name = "g", .kind = FK_GUID },
	};
	static const struct field	deep[] = {
		{ .name = "m", .array = AK_COUNT32, .inner = &ints },
		{ .name = "l", .kind = FK_OBJECT, .array = AK_COUNT16, .fields = rec,
		  .nfields = 3 },
		{ .name = "t", .kind = FK_STR16 },
	};
	struct event_type		t = type_of(plain, COUNT(plain));
	struct event_type		bulk = table_type(15, 0);

	check_prefixes(&t, B("\x01\0\0\0" "\x02\0\0\0\0\0\0\0" "o\0k\0\0\0" "\x03\0"));
	t = type_of(deep, COUNT(deep));
	check_prefixes(&t, B("\x02\0\0\0" "\x01\0\x07\0\0\0" "\x02\0\x08\0\0\0\x09\0\0\0" "\x02\0"
	    "\x81\x01" "a\0\0\0" "0123456789abcdef" "\x05" "\0\0" "0123456789abcdef" "\x02\0hi"));
	check_prefixes(&bulk, B("\x02\0\0\0\x07\0"
	    "11111111" "22222222" "\x03\0\0\0" "\x04\0\0\0" "\x12" "A\0\0\0" "\x00\0\0\0"
	    "11111111" "22222222" "\x03\0\0\0" "\x04\0\0\0" "\x12" "\0\0" "\x02\0\0\0"
	    "33333333" "44444444"));
}

/* ---- the built-in table's types */

TEST(records_count_their_own_arrays)
{
	struct event_type	t = table_type(15, 0);		/* BulkType */

	check_type(&t, B("\x02\0\0\0\x07\0"
	    "\x01\0\0\0\0\0\0\0" "\x02\0\0\0\0\0\0\0" "\x03\0\0\0" "\x04\0\0\0" "\x12" "A\0\0\0"
	    "\x02\0\0\0" "\x08\0\0\0\0\0\0\0" "\x09\0\0\0\0\0\0\0"
	    "\x05\0\0\0\0\0\0\0" "\x06\0\0\0\0\0\0\0" "\x03\0\0\0" "\x04\0\0\0" "\x12" "\0\0"
	    "\0\0\0\0"),
	    "{\"Count\":2,\"ClrInstanceID\":7,\"Values\":["
	    "{\"TypeID\":1,\"ModuleID\":2,\"TypeNameID\":3,\"Flags\":4,\"CorElementType\":18,"
	    "\"Name\":\"A\",\"TypeParameterCount\":2,\"TypeParameters\":[8,9]},"
	    "{\"TypeID\":5,\"ModuleID\":6,\"TypeNameID\":3,\"Flags\":4,\"CorElementType\":18,"
	    "\"Name\":\"\",\"TypeParameterCount\":0,\"TypeParameters\":[]}]}", NULL, 0, NULL);
}

TEST(filler_is_stepped_over)
{
	struct event_type	t = table_type(209, 0);		/* GCFitBucketInfo */

	check_type(&t, B("\0\0" "\x01\0" "\x05\0\0\0\0\0\0\0" "\x01\0"
	    "\x02\0??\x03\0\0\0\x04\0\0\0\0\0\0\0"),
	    "{\"ClrInstanceID\":0,\"BucketKind\":1,\"TotalSize\":5,\"Count\":1,"
	    "\"Values\":[{\"Index\":2,\"Count\":3,\"Size\":4}]}", NULL, 0, NULL);
}

TEST(an_exception_without_its_message_field)
{
	struct event_type	 t = table_type(80, 1);
	const char		*rest = "\"ExceptionEIP\":1,\"ExceptionHRESULT\":2,"
				    "\"ExceptionFlags\":3,\"ClrInstanceID\":4}";
	struct buf		*want = test_buf();

	buf_printf(want, "{\"ExceptionType\":\"T\",\"ExceptionMessage\":\"\",%s", rest);
	check_type(&t, B("T\0\0\0" "\x01\0\0\0\0\0\0\0" "\x02\0\0\0" "\x03\0" "\x04\0"),
	    buf_str(want), NULL, 0, NULL);
	/* The same text from a writer that has the field. */
	check_type(&t, B("T\0\0\0" "\0\0" "\x01\0\0\0\0\0\0\0" "\x02\0\0\0" "\x03\0" "\x04\0"),
	    buf_str(want), NULL, 0, NULL);
	buf_clear(want);
	buf_printf(want, "{\"ExceptionType\":\"T\",\"ExceptionMessage\":\"m\",%s", rest);
	check_type(&t, B("T\0\0\0" "m\0\0\0" "\x01\0\0\0\0\0\0\0" "\x02\0\0\0" "\x03\0" "\x04\0"),
	    buf_str(want), NULL, 0, NULL);
}

/* ---- encodings that differ from the declared one */

TEST(one_byte_booleans_are_taken_only_if_they_alone_fit)
{
	static const struct field	f[] = {
		{ .name = "b", .kind = FK_BOOL32 }, { .name = "n", .kind = FK_U32 },
	};
	struct event_type		t = type_of(f, 2);

	t.odd_bool = true;
	check_type(&t, B("\x01\0\0\0\x07\0\0\0"), "{\"b\":true,\"n\":7}", NULL, 0, NULL);
	check_type(&t, B("\x01\x07\0\0\0"), "{\"b\":true,\"n\":7}", NULL, 0,
	    "booleans of one byte");
	check_type(&t, B("\x01\0\0\0\x07\0"), "{\"b\":true,\"n\":null}", INSIDE, 2, NULL);
	check_type(&t, B("\x01\0\0\0\x07\0\0\0more"), "{\"b\":true,\"n\":7}", NULL, 4, NULL);
	t.odd_bool = false;
	check_type(&t, B("\x01\x07\0\0\0"), "{\"b\":true,\"n\":null}", INSIDE, 1, NULL);
}

TEST(dates_have_8_bytes_unless_only_16_fit)
{
	static const struct field	f[] = {
		{ .name = "d", .kind = FK_DATETIME }, { .name = "n", .kind = FK_U8 },
	};
	struct event_type		t = type_of(f, 2);

	t.odd_date = true;
	check_type(&t, B("\0\0\0\0\0\0\0\0\x07"),
	    "{\"d\":\"1601-01-01T00:00:00.0000000Z\",\"n\":7}", NULL, 0, NULL);
	check_type(&t, B("\xea\x07\x03\0\x03\0\x04\0\x05\0\x06\0\x07\0\x7b\0\x07"),
	    "{\"d\":\"2026-03-04T05:06:07.1230000Z\",\"n\":7}", NULL, 0, "DateTime of 16 bytes");
	/* No such month: the bytes. */
	check_type(&t, B("\xea\x07\x0d\0\x03\0\x04\0\x05\0\x06\0\x07\0\x7b\0\x07"),
	    "{\"d\":\"ea070d000300040005000600" "07007b00\",\"n\":7}", NULL, 0,
	    "DateTime of 16 bytes");
}

TEST(decimals_have_16_bytes_unless_only_doubles_fit)
{
	static const struct field	f[] = {
		{ .name = "d", .kind = FK_DECIMAL }, { .name = "b", .kind = FK_BOOL32 },
	};
	struct event_type		t = type_of(f, 2);

	t.odd_real = t.odd_bool = true;
	check_type(&t, B("\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10"
	    "\x01\0\0\0"), "{\"d\":\"0102030405060708090a0b0c0d0e0f10\",\"b\":true}", NULL, 0,
	    NULL);
	check_type(&t, B("\0\0\0\0\0\0\x04\x40" "\x01\0\0\0"), "{\"d\":2.5,\"b\":true}", NULL, 0,
	    "decimals as doubles");
	/* As .NET writes new { D = 2.5m, B = true }. */
	check_type(&t, B("\0\0\0\0\0\0\x04\x40" "\x01"), "{\"d\":2.5,\"b\":true}", NULL, 0,
	    "booleans of one byte, decimals as doubles");
}

TEST(a_lone_code_unit_that_is_a_counted_text)
{
	static const struct field	f[] = {
		{ .name = "n", .kind = FK_VARU }, { .name = "s", .kind = FK_CHAR8 },
		{ .name = "t", .kind = FK_CHAR8 }, { .name = "b", .kind = FK_BOOL32 },
	};
	struct event_type		t = type_of(f, 3);

	t.odd_text = true;
	check_type(&t, B("\x05" "xy"), "{\"n\":5,\"s\":\"x\",\"t\":\"y\"}", NULL, 0, NULL);
	check_type(&t, B("\x05" "\x02\0hi" "\0\0"), "{\"n\":5,\"s\":\"hi\",\"t\":\"\"}", NULL, 0,
	    "text with a count");
	check_type(&t, B("\x05" "\x02\0hi" "\x01\0"),
	    "{\"n\":5,\"s\":\"\\u0002\",\"t\":\"\\u0000\"}", NULL, 4, NULL);
	t = type_of(f, 4);
	t.odd_text = t.odd_bool = true;
	check_type(&t, B("\x05" "\x02\0hi" "\0\0" "\x01"),
	    "{\"n\":5,\"s\":\"hi\",\"t\":\"\",\"b\":true}", NULL, 0,
	    "booleans of one byte, text with a count");
}

/* ---- hostile descriptions and payloads */

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

/* ---- text */

TEST(json_text_is_valid_whatever_the_bytes)
{
	static const struct {
		const char	*bytes;
		size_t		 len;
		const char	*json;
	} cases[] = {
		{ B(""), "\"\"" },
		{ B("plain ASCII of some length, twice eight"),
		  "\"plain ASCII of some length, twice eight\"" },
		{ B("a\"b\\c\nd\x1b[0m\x7f\tx/"),
		  "\"a\\\"b\\\\c\\u000ad\\u001b[0m\\u007f\\u0009x/\"" },
		{ B("\xc2\x9b" "C1"), "\"\\u009bC1\"" },
		{ B("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
		  "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"" },
		{ B("\xff\xc3\x28\xe2\x82"),
		  "\"\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd\"" },
		{ B("\xed\xa0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
	};
	struct buf	*out = test_buf();

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct span	s = test_exact(cases[i].bytes, cases[i].len);

		buf_clear(out);
		json_text8(out, s);
		assert_string_equal(buf_str(out), cases[i].json);
	}
}

TEST(json_of_utf16_replaces_lone_surrogates)
{
	static const struct {
		const char	*bytes;
		size_t		 len;
		const char	*json;
	} cases[] = {
		{ B("a\0b\0c\0d\0e\0"), "\"abcde\"" },
		{ B("a\0\"\0c\0\\\0e\0\x02\0\x7f\0\x80\0"),
		  "\"a\\\"c\\\\e\\u0002\\u007f\\u0080\"" },
		{ B("\x3d\xd8\x00\xde"), "\"\xf0\x9f\x98\x80\"" },
		{ B("\x3d\xd8"), "\"\xef\xbf\xbd\"" },
		{ B("\x3d\xd8z\0"), "\"\xef\xbf\xbdz\"" },
		{ B("\x00\xde\x3d\xd8"), "\"\xef\xbf\xbd\xef\xbf\xbd\"" },
		{ B("a\0b"), "\"a\xef\xbf\xbd\"" },
		{ B("\xff\xff"), "\"\xef\xbf\xbf\"" },
	};
	struct buf	*out = test_buf();

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct span	s = test_exact(cases[i].bytes, cases[i].len);

		buf_clear(out);
		json_text16(out, s);
		assert_string_equal(buf_str(out), cases[i].json);
	}
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

TEST(words_of_values_and_of_bits)
{
	const struct value_map	*reason = schema_map("GCReason");
	const struct value_map	*flags = schema_map("MethodFlags");
	struct buf		*out = test_buf();

	assert_true(value_words(out, reason, 0));
	assert_string_equal(buf_str(out), "AllocSmall");
	assert_false(value_words(out, reason, 4711));
	buf_clear(out);
	assert_true(value_words(out, flags, 0x9));
	assert_string_equal(buf_str(out), "Dynamic|Jitted");
	buf_clear(out);
	assert_true(value_words(out, flags, 0x1008));
	assert_string_equal(buf_str(out), "Jitted|0x1000");
	buf_clear(out);
	assert_false(value_words(out, flags, 0));
	assert_false(value_words(out, flags, 0x1000));
	assert_int_equal(out->len, 0);
}

TEST(a_line_for_people_and_enum_names_in_json)
{
	struct event_type	t = table_type(1, 2);
	struct payload_result	res;
	struct span		s = test_exact(B("\x07\0\0\0" "\0\0\0\0" "\x01\0\0\0" "\x63\0\0\0"
				    "\0\0" "\xff\0\0\0\0\0\0\0"));
	static const struct field	byte = { .name = "i", .kind = FK_I8 };
	static const struct field	f[] = {
		{ .name = "p", .kind = FK_PTR }, { .name = "t", .kind = FK_UTF8Z },
		{ .name = "l", .kind = FK_U16, .array = AK_COUNT16, .flags = FIELD_HEX },
		{ .name = "o", .kind = FK_OBJECT, .fields = &byte, .nfields = 1 },
	};
	struct buf	*out = test_buf();

	payload_line(out, ready(&t), s, &res);
	assert_string_equal(buf_str(out), "Count=7 Depth=0 Gen0 Reason=1 Induced Type=99 "
	    "ClrInstanceID=0 ClientSequenceNumber=255");
	buf_clear(out);
	payload_json(out, ready(&t), s, true, &res);
	assert_string_equal(buf_str(out), "{\"Count\":7,\"Depth\":\"Gen0\",\"Reason\":\"Induced\","
	    "\"Type\":99,\"ClrInstanceID\":0,\"ClientSequenceNumber\":255}");
	t = type_of(f, 4);
	s = test_exact(B("\x1f\0\0\0\0\0\0\0" "a b\0" "\x02\0\x0a\0\x0b\0" "\xff"));
	buf_clear(out);
	payload_line(out, ready(&t), s, &res);
	assert_string_equal(buf_str(out), "p=0x1f t=a b l=[0xa 0xb] o={i=-1}");
}

static int
release(void)
{
	arena_release(&programs);
	return 0;
}

GROUP(NULL, release)

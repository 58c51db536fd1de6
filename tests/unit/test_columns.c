/*
 * Columns of an array of objects give the numbers of the walk, for payloads cut at any byte.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../support/numbers.h"
#include "tnav/engine/field.h"
#include "tnav/model/payload_columns.h"

#define COUNT(a)	(uint32_t)(sizeof (a) / sizeof (a)[0])

static const struct field	members[] = {
	{ .name = "a", .kind = FK_PTR }, { .name = "b", .kind = FK_U16 },
	{ .name = "pad", .kind = FK_PAD, .count = 3 }, { .name = "c", .kind = FK_I32 },
	{ .name = "ab", .kind = FK_U8 },
};

#define OBJECTS(how, n)	{ .name = "v", .kind = FK_OBJECT, .array = how, .count = n, \
	.fields = members, .nfields = COUNT(members), .slot = FIELD_NO_SLOT }
#define NUMBER(text, of, number) { .name = text, .kind = of, .slot = number }

static const struct field	counted_by_field[] = {
	NUMBER("x", FK_U32, FIELD_NO_SLOT), NUMBER("n", FK_U8, 0), NUMBER("y", FK_PTR, 1),
	OBJECTS(AK_BY_FIELD, 0), { .name = "after", .kind = FK_UTF16Z },
};
static const struct field	counted16[] = { OBJECTS(AK_COUNT16, 0) };
static const struct field	counted32[] = {
	NUMBER("x", FK_U8, FIELD_NO_SLOT), OBJECTS(AK_COUNT32, 0),
};

static const char *const	paths[] = { "v.a", "v.b", "v.ab", "v.none", "w.a" };

static struct event_type
type_of(const struct field *fields, uint32_t n)
{
	return (struct event_type){ .provider = "P", .name = "E", .fields = fields, .nfields = n,
				    .source = SCHEMA_TRACE, .nslots = 2 };
}

/* Returns how many numbers there are in all columns. */
static unsigned
compare(const struct event_type *t, const uint8_t *bytes, size_t len, unsigned pointer_size)
{
	struct payload_columns	*c = payload_columns_new(t, paths, COUNT(paths), pointer_size);
	uint8_t			*p = malloc(len + (len == 0));
	unsigned		 all = 0;

	assert_non_null(c);
	assert_non_null(p);
	if (len > 0)
		memcpy(p, bytes, len);
	for (unsigned i = 0; i < COUNT(paths); i++) {
		struct numbers	want = { .n = 0 };
		uint64_t	v[NUMBERS_MOST];
		unsigned	n = payload_columns_get(c, (struct span){ p, len }, i, v, NUMBERS_MOST);

		field_walk(paths[i], t, (struct span){ p, len }, pointer_size, numbers_add, &want);
		assert_int_equal(n, want.n);
		assert_memory_equal(v, want.v, n * sizeof *v);
		all += n;
	}
	payload_columns_free(c);
	free(p);
	return all;
}

static void
test_columns_of_a_payload_cut_anywhere_are_those_of_the_walk(void **state)
{
	static const struct {
		const struct field	*fields;
		uint32_t		 n, count;	/* count: its offset */
	} type[] = {
		{ counted_by_field, COUNT(counted_by_field), 4 },
		{ counted16, COUNT(counted16), 0 }, { counted32, COUNT(counted32), 1 },
	};
	uint8_t	p[200];

	(void)state;
	for (size_t i = 0; i < sizeof p; i++)
		p[i] = (uint8_t)(i * 37 + 11);
	for (size_t i = 0; i < COUNT(type); i++) {
		struct event_type	t = type_of(type[i].fields, type[i].n);

		for (uint8_t count = 0; count < 8; count++) {
			memset(p + type[i].count, 0, 4);
			p[type[i].count] = count;
			for (size_t len = 0; len <= sizeof p; len++) {
				compare(&t, p, len, 4);
				compare(&t, p, len, 8);
			}
			assert_int_equal(compare(&t, p, sizeof p, 8),
			    3 * (count < NUMBERS_MOST ? count : NUMBERS_MOST));
		}
	}
}

static void
test_places_that_vary_are_left_to_the_walk(void **state)
{
	static const struct field	texts[] = {
		{ .name = "a", .kind = FK_PTR }, { .name = "t", .kind = FK_UTF16Z },
	};
	static const struct field	signs[] = { { .name = "a", .kind = FK_I32 } };
	static const struct field	twice[] = {
		{ .name = "a", .kind = FK_U32 }, { .name = "a", .kind = FK_U32 },
	};
	static const struct field	may_end[] = {
		{ .name = "a", .kind = FK_U32, .flags = FIELD_OPTIONAL },
	};
#define WITH(fields_)	{ .name = "v", .kind = FK_OBJECT, .array = AK_COUNT16, \
	.fields = fields_, .nfields = COUNT(fields_), .slot = FIELD_NO_SLOT }
	static const struct field	bad[][2] = {
		{ { .name = "s", .kind = FK_UTF16Z }, OBJECTS(AK_COUNT16, 0) },
		{ { .name = "s", .kind = FK_U8, .array = AK_COUNT16 }, OBJECTS(AK_COUNT16, 0) },
		{ { .name = "", .kind = FK_U8 }, OBJECTS(AK_COUNT16, 0) },
		{ OBJECTS(AK_COUNT16, 0), OBJECTS(AK_COUNT16, 0) },
		{ NUMBER("n", FK_I8, 0), OBJECTS(AK_BY_FIELD, 0) },
		{ NUMBER("n", FK_U8, 1), OBJECTS(AK_BY_FIELD, 0) },
		{ NUMBER("n", FK_U8, 0), OBJECTS(AK_REST, 0) },
		{ NUMBER("n", FK_U8, 0), OBJECTS(AK_NONE, 0) },
		{ NUMBER("v.a", FK_U8, 0), OBJECTS(AK_COUNT16, 0) },
		{ NUMBER("n", FK_U8, 0), WITH(texts) },
		{ NUMBER("n", FK_U8, 0), WITH(signs) },
		{ NUMBER("n", FK_U8, 0), WITH(twice) },
		{ NUMBER("n", FK_U8, 0), WITH(may_end) },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		struct event_type	t = type_of(bad[i], 2);

		assert_null(payload_columns_new(&t, paths, 1, 8));
	}
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_columns_of_a_payload_cut_anywhere_are_those_of_the_walk),
		cmocka_unit_test(test_places_that_vary_are_left_to_the_walk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

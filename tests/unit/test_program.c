/*
 * Programs of paths: members of arrays of objects for payloads cut at any byte, and the places of
 * numbers. What is expected is computed from the layout.
 */
#include "../support/test.h"
#include "tnav/model/program.h"

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

static struct event_type
type_of(const struct field *fields, uint32_t n, uint8_t pointer_size)
{
	return (struct event_type){ .provider = "P", .name = "E", .fields = fields, .nfields = n,
				    .source = SCHEMA_TRACE, .nslots = 2,
				    .pointer_size = pointer_size };
}

#define MOST	8u

struct numbers {
	uint64_t	v[MOST];
	unsigned	n;
};

static int
add(void *arg, const struct value *v)
{
	struct numbers	*x = arg;

	if (v->kind == VK_UINT)
		x->v[x->n++] = v->u;
	return x->n == MOST;
}

/* The little-endian number of `width` bytes. */
static uint64_t
number_at(const uint8_t *p, unsigned width)
{
	uint64_t	u = 0;

	while (width-- > 0)
		u = u << 8 | p[width];
	return u;
}

/* Members "a", "b" and "ab" of `count` objects that begin at `begin`, in the first len bytes. */
static void
compare(const struct event_type *t, const uint8_t *bytes, size_t len, size_t begin, unsigned count)
{
	const unsigned	pointer = t->pointer_size, each = pointer + 2 + 3 + 4 + 1;
	const struct {
		const char	*path;
		unsigned	 at, width;
	} member[] = { { "v.a", 0, pointer }, { "v.b", pointer, 2 }, { "v.ab", each - 1, 1 },
		{ "v.none", 0, 0 }, { "w.a", 0, 0 } };
	uint8_t		*p = malloc(len + (len == 0));
	struct arena	 arena = { 0 };

	assert_non_null(p);
	if (len > 0)
		memcpy(p, bytes, len);
	for (unsigned i = 0; i < COUNT(member); i++) {
		const struct program	*program = program_new(&arena, t, member[i].path);
		struct numbers		 got = { .n = 0 };
		unsigned		 n = 0;

		(void)program_values(program, (struct span){ p, len }, add, &got);
		for (size_t at = begin + member[i].at; member[i].width > 0 && n < count &&
		    n < MOST && at + member[i].width <= len; at += each, n++) {
			assert_true(n < got.n);
			assert_int_equal(got.v[n], number_at(p + at, member[i].width));
		}
		assert_int_equal(got.n, n);
		assert_int_equal(program_absent(program), member[i].width == 0);
	}
	arena_release(&arena);
	free(p);
}

TEST(members_of_arrays_of_a_payload_cut_anywhere)
{
	static const struct {
		const struct field	*fields;
		uint32_t		 n, count;	/* count: its offset */
		uint32_t		 begin, pointers;	/* of the array, plus pointers */
	} type[] = {
		{ counted_by_field, COUNT(counted_by_field), 4, 5, 1 },
		{ counted16, COUNT(counted16), 0, 2, 0 }, { counted32, COUNT(counted32), 1, 5, 0 },
	};
	uint8_t	p[200];

	for (size_t i = 0; i < sizeof p; i++)
		p[i] = (uint8_t)(i * 37 + 11);
	for (size_t i = 0; i < COUNT(type); i++) {
		for (uint8_t count = 0; count < 8; count++) {
			memset(p + type[i].count, 0, 4);
			p[type[i].count] = count;
			for (size_t len = 0; len <= sizeof p; len++) {
				for (uint8_t size = 4; size <= 8; size += 4) {
					struct event_type	t = type_of(type[i].fields, type[i].n, size);

					compare(&t, p, len, type[i].begin + type[i].pointers * size, count);
				}
			}
		}
	}
}

TEST(a_number_has_a_place_if_only_fixed_sizes_precede_it)
{
	static const struct field	f[] = {
		NUMBER("a", FK_U8, FIELD_NO_SLOT), NUMBER("p", FK_PTR, 0),
		{ .name = "g", .kind = FK_GUID, .array = AK_FIXED, .count = 2 },
		{ .name = "x", .kind = FK_PAD, .count = 3 }, NUMBER("i", FK_I16, FIELD_NO_SLOT),
		{ .name = "s", .kind = FK_UTF16Z }, NUMBER("after", FK_U8, FIELD_NO_SLOT),
	};
	static const struct {
		const char	*path;
		uint32_t	 off, width;
		enum value_kind	 kind;
	} want[] = {
		{ "a", 0, 1, VK_UINT }, { "p", 1, 4, VK_UINT }, { "i", 1 + 4 + 32 + 3, 2, VK_INT },
		{ "s", 0, 0, VK_NULL }, { "after", 0, 0, VK_NULL }, { "g", 0, 0, VK_NULL },
		{ "none", 0, 0, VK_NULL },
	};
	struct event_type	t = type_of(f, COUNT(f), 4);
	struct arena		arena = { 0 };

	for (size_t i = 0; i < COUNT(want); i++) {
		struct payload_place	at = program_place(program_new(&arena, &t, want[i].path));

		assert_int_equal(at.width, want[i].width);
		if (at.width > 0) {
			assert_int_equal(at.off, want[i].off);
			assert_int_equal(at.kind, want[i].kind);
		}
	}
	arena_release(&arena);
}

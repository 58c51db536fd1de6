/*
 * Cursor: the rules of reading. Inputs lie in exact heap blocks, so that a sanitizer sees one
 * byte too far.
 */
#include "../support/test.h"

struct var_case {
	const char	*bytes;
	size_t		 len;
	bool		 ok32, ok64;
	uint64_t	 v;
};

#define B(s)	s, sizeof s - 1

/* Every length from 1 to 11, each at its edges. */
static const struct var_case	var_cases[] = {
	{ B("\x00"), true, true, 0 },
	{ B("\x01"), true, true, 1 },
	{ B("\x7f"), true, true, 127 },
	{ B("\x80\x01"), true, true, 128 },
	{ B("\xff\x7f"), true, true, 16383 },
	{ B("\x80\x00"), true, true, 0 },			/* over-long */
	{ B("\x80\x80\x01"), true, true, 16384 },
	{ B("\xff\xff\x7f"), true, true, 2097151 },
	{ B("\x80\x80\x80\x01"), true, true, 2097152 },
	{ B("\xff\xff\xff\x7f"), true, true, 268435455 },
	{ B("\x80\x80\x80\x80\x01"), true, true, 268435456 },
	{ B("\xff\xff\xff\xff\x0f"), true, true, UINT32_MAX },
	{ B("\x80\x80\x80\x80\x00"), true, true, 0 },
	{ B("\x80\x80\x80\x80\x10"), false, true, UINT64_C(1) << 32 },
	{ B("\xff\xff\xff\xff\x7f"), false, true, (UINT64_C(1) << 35) - 1 },
	{ B("\x80\x80\x80\x80\x80\x00"), false, true, 0 },
	{ B("\xff\xff\xff\xff\xff\x7f"), false, true, (UINT64_C(1) << 42) - 1 },
	{ B("\xff\xff\xff\xff\xff\xff\x7f"), false, true, (UINT64_C(1) << 49) - 1 },
	{ B("\x80\x80\x80\x80\x80\x80\x80\x01"), false, true, UINT64_C(1) << 49 },
	{ B("\xff\xff\xff\xff\xff\xff\xff\x7f"), false, true, (UINT64_C(1) << 56) - 1 },
	{ B("\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), false, true, (UINT64_C(1) << 63) - 1 },
	{ B("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"), false, true, UINT64_C(1) << 63 },
	{ B("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), false, true, UINT64_MAX },
	{ B("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"), false, true, 0 },
	{ B("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02"), false, false, 0 },
	{ B("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), false, false, 0 },
	{ B("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"), false, false, 0 },
	{ B("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), false, false, 0 },
};

static void
check_var(const uint8_t *p, size_t len, bool wide, bool ok, uint64_t v, size_t used)
{
	struct cursor	c = cursor_init((struct span){ p, len }, 1000);
	uint64_t	got = wide ? cursor_varu64(&c) : cursor_varu32(&c);

	assert_int_equal(cursor_ok(&c), ok);
	assert_true(got == (ok ? v : 0));
	if (ok)
		assert_int_equal(cursor_off(&c), 1000 + used);
	else
		assert_int_equal(cursor_left(&c), 0);
}

TEST(varints_of_every_length_read_as_the_table_says)
{
	for (size_t i = 0; i < sizeof var_cases / sizeof *var_cases; i++) {
		const struct var_case	*t = &var_cases[i];
		const uint8_t			*p = test_exact(t->bytes, t->len).p;

		check_var(p, t->len, false, t->ok32, t->v, t->len);
		check_var(p, t->len, true, t->ok64, t->v, t->len);
	}
}

TEST(every_prefix_of_a_varint_fails_cleanly)
{
	for (size_t i = 0; i < sizeof var_cases / sizeof *var_cases; i++) {
		const struct var_case	*t = &var_cases[i];

		for (size_t len = 0; len < t->len; len++) {
			const uint8_t	*p = test_exact(t->bytes, len).p;

			check_var(p, len, false, false, 0, 0);
			check_var(p, len, true, false, 0, 0);
		}
	}
}

TEST(a_varint_leaves_the_bytes_behind_it)
{
	const uint8_t		*p = test_exact("\x80\x01\x2a", 3).p;
	struct cursor	 c = cursor_init((struct span){ p, 3 }, 0);

	assert_int_equal(cursor_varu32(&c), 128);
	assert_int_equal(cursor_u8(&c), 42);
	assert_true(cursor_ok(&c));
}

TEST(numbers_are_little_endian)
{
	static const uint8_t	bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255 };
	const uint8_t			*p = test_exact(bytes, sizeof bytes).p;
	struct cursor		 c = cursor_init((struct span){ p, sizeof bytes }, 7);

	assert_int_equal(cursor_u16le(&c), 0x0201);
	assert_int_equal(cursor_u32le(&c), 0x06050403);
	assert_true(cursor_u64le(&c) == UINT64_C(0x0e0d0c0b0a090807));
	assert_int_equal(cursor_off(&c), 21);
	assert_int_equal(cursor_u8(&c), 255);
	assert_int_equal(cursor_left(&c), 0);
	assert_true(cursor_ok(&c));
}

TEST(failure_is_sticky_even_where_bytes_would_be_left)
{
	const uint8_t		*p = test_exact("\x01\x02\x03", 3).p;
	struct cursor	 c = cursor_init((struct span){ p, 3 }, 0);

	assert_int_equal(cursor_u32le(&c), 0);
	assert_false(cursor_ok(&c));
	assert_int_equal(cursor_u8(&c), 0);
	assert_int_equal(cursor_varu64(&c), 0);
	assert_int_equal(cursor_take(&c, 1).len, 0);
	assert_int_equal(cursor_take(&c, 0).len, 0);
	assert_false(cursor_fits(&c, 0, 1));
	assert_false(cursor_ok(&c));
}

TEST(a_length_near_the_top_of_64_bits_does_not_wrap)
{
	const uint8_t		*p = test_exact("abcd", 4).p;
	struct cursor	 c = cursor_init((struct span){ p, 4 }, 0);

	assert_false(cursor_fits(&c, UINT64_MAX, 2));
	assert_true(cursor_fits(&c, 2, 2));
	assert_false(cursor_fits(&c, 3, 2));
	assert_int_equal(cursor_take(&c, UINT64_MAX).len, 0);
	assert_false(cursor_ok(&c));
}

TEST(utf16_text_ends_at_a_nul_unit_not_at_two_zero_bytes)
{
	/* U+0100 U+0041: between them two zero bytes that are no unit. */
	const uint8_t		*p = test_exact("\x00\x01\x00\x41\x00\x00\x07", 7).p;
	struct cursor	 c = cursor_init((struct span){ p, 7 }, 0);
	struct span	 s = cursor_utf16z(&c);

	assert_true(cursor_ok(&c));
	assert_ptr_equal(s.p, p);
	assert_int_equal(s.len, 4);
	assert_int_equal(cursor_u8(&c), 7);
}

TEST(utf16_text_without_nul_fails)
{
	static const char	text[] = "a\0b\0\0";

	for (size_t len = 0; len <= 5; len++) {
		const uint8_t		*p = test_exact(text, len).p;
		struct cursor	 c = cursor_init((struct span){ p, len }, 0);

		assert_int_equal(cursor_utf16z(&c).len, 0);
		assert_false(cursor_ok(&c));
	}
}

TEST(empty_utf16_text_is_not_a_failure)
{
	const uint8_t		*p = test_exact("\0", 2).p;
	struct cursor	 c = cursor_init((struct span){ p, 2 }, 0);

	assert_int_equal(cursor_utf16z(&c).len, 0);
	assert_true(cursor_ok(&c));
	assert_int_equal(cursor_left(&c), 0);
}

/*
 * Cursor: the rules of reading. Inputs lie in exact heap blocks, so that a sanitizer sees one
 * byte too far.
 */
#include "../support/cases.h"

/* What is read of these bytes; all of them are, or none. */
static void
put_varint(struct buf *out, struct span s, bool wide)
{
	struct cursor	c = cursor_init(s, 1000);
	uint64_t	got = wide ? cursor_varu64(&c) : cursor_varu32(&c);

	if (cursor_ok(&c)) {
		buf_u64(out, got);
		assert_int_equal(cursor_off(&c), 1000 + s.len);
	} else {
		buf_puts(out, "fails");
		assert_true(got == 0);
		assert_int_equal(cursor_left(&c), 0);
	}
}

/* Each prefix fails. */
CASE(varint)
{
	put_varint(out, arg[0], false);
	buf_putc(out, ' ');
	put_varint(out, arg[0], true);
	for (size_t len = 0; len < arg[0].len; len++) {
		struct buf	*b = test_buf();

		put_varint(b, test_exact(arg[0].p, len), false);
		put_varint(b, test_exact(arg[0].p, len), true);
		assert_string_equal(buf_str(b), "failsfails");
	}
}

CASES("varints.txt", 28)

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

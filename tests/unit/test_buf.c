/*
 * Buffer: text and numbers as text. Expected texts are written out; random numbers are compared
 * with what the C library reads back.
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "../support/cases.h"

/* A small generator with a fixed start, so that every run tests the same numbers. */
static uint64_t
next_random(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

static const char *
f64_text(struct buf *b, double v)
{
	buf_clear(b);
	buf_f64(b, v);
	return buf_str(b);
}

static const char *
f32_text(struct buf *b, float v)
{
	buf_clear(b);
	buf_f32(b, v);
	return buf_str(b);
}

CASE(buf_u64)
{
	buf_u64(out, case_u64(arg[0]));
}

CASE(buf_i64)
{
	buf_i64(out, case_i64(arg[0]));
}

CASE(buf_hex)
{
	buf_hex(out, case_u64(arg[0]), 0);
}

CASE(buf_grouped)
{
	buf_grouped(out, case_u64(arg[0]));
}

CASE(buf_f64)
{
	buf_f64(out, case_f64(arg[0]));
}

CASE(buf_f32)
{
	buf_f32(out, (float)case_f64(arg[0]));
}

CASES("numbers.txt", 50)

TEST(text_is_appended_and_ends_in_a_nul)
{
	struct buf	*b = test_buf();

	assert_string_equal(buf_str(b), "");
	buf_puts(b, "ab");
	buf_putc(b, 'c');
	buf_add(b, "d\0e", 3);
	buf_add(b, NULL, 0);
	assert_int_equal(b->len, 6);
	assert_memory_equal(buf_str(b), "abcd\0e", 7);
	buf_clear(b);
	assert_string_equal(buf_str(b), "");
}

TEST(room_for_a_nul_is_always_there)
{
	for (size_t n = 0; n < 300; n++) {
		struct buf	*b = test_buf();

		memset(buf_room(b, n), 'x', n);
		b->len += n;
		assert_true(b->len < b->cap);
		assert_int_equal(strlen(buf_str(b)), n);
	}
}

TEST(printf_takes_text_of_any_length)
{
	static char	big[5001];
	struct buf	b = { 0 };

	memset(big, 'y', sizeof big - 1);
	for (size_t n = 0; n < sizeof big; n += 13) {
		buf_printf(&b, "<%.*s|%d>", (int)n, big, 42);
		assert_int_equal(b.len, n + 5);
		assert_string_equal(buf_str(&b) + n, n ? "y|42>" : "<|42>");
		buf_release(&b);
	}
}

TEST(whole_numbers_are_those_of_printf)
{
	struct buf	*b = test_buf();
	char		 want[64];
	uint64_t	 x = 88172645463325252u;

	for (unsigned i = 0; i < 20000; i++) {
		uint64_t	v = next_random(&x) >> (i % 64);

		buf_clear(b);
		buf_u64(b, v);
		buf_putc(b, ' ');
		buf_i64(b, (int64_t)(0 - v));
		buf_putc(b, ' ');
		buf_hex(b, v, i % 20);
		snprintf(want, sizeof want, "%" PRIu64 " %" PRId64 " %0*" PRIx64, v,
		    (int64_t)(0 - v), (int)(i % 20), v);
		assert_string_equal(buf_str(b), want);
	}
}

TEST(numbers_in_a_sentence_choose_the_form_of_the_next_word)
{
	struct buf	*b = test_buf();

	buf_counts(b, "at least # event{ was|s were} lost in # gap{s}", 1, 1234);
	buf_counts(b, "; # activit{y|ies}, # lack{s|} it, # more{ rows}", 2, 0, 1);
	assert_string_equal(buf_str(b), "at least 1 event was lost in 1,234 gaps"
	    "; 2 activities, 0 lack it, 1 more");
}

TEST(bytes_are_two_hex_digits_each)
{
	struct buf	*b = test_buf();

	buf_bytes_hex(b, "\x00\x0f\xf0\xff\x9a", 5);
	assert_string_equal(buf_str(b), "000ff0ff9a");
	buf_bytes_hex(b, NULL, 0);
	assert_int_equal(b->len, 10);
}

/* Digits of a number's text, without sign, point, leading and trailing zeros and exponent. */
static size_t
digits_of(const char *s)
{
	size_t	n = 0, zeros = 0;

	for (; *s != '\0' && *s != 'e'; s++) {
		if (*s == '0' && n > 0)
			zeros++;
		if (*s >= '1' && *s <= '9') {
			n += zeros + 1;
			zeros = 0;
		}
	}
	return n;
}

static void
check_f64(struct buf *b, double v)
{
	const char	*s = f64_text(b, v);
	char		 fewer[400];
	size_t		 n = digits_of(s);

	assert_true(strtod(s, NULL) == v);
	if (n > 1) {
		snprintf(fewer, sizeof fewer, "%.*g", (int)n - 1, v);
		assert_false(strtod(fewer, NULL) == v);
	}
}

/* The double so many steps behind. */
static double
beside(double v, int steps)
{
	uint64_t	bits;

	memcpy(&bits, &v, sizeof bits);
	bits += (uint64_t)(int64_t)steps;
	memcpy(&v, &bits, sizeof v);
	return v;
}

static double
ten_to(unsigned n)
{
	double	v = 1;

	for (; n > 0; n--)
		v *= 10;
	return v;
}

/* The first precision that reads back, by trying. */
static void
check_tried(struct buf *b, double v)
{
	char	want[320];	/* for any precision */
	int	digits = 15;

	do
		snprintf(want, sizeof want, "%.*g", digits, v);
	while (digits++ < 17 && strtod(want, NULL) != v);
	assert_string_equal(f64_text(b, v), want);
	snprintf(want, sizeof want, "%.*g", digits - 1, -v);
	assert_string_equal(f64_text(b, -v), want);
}

static void
check_tried_f32(struct buf *b, float v)
{
	char	want[64];
	int	digits = 6;

	do
		snprintf(want, sizeof want, "%.*g", digits, (double)v);
	while (digits++ < 9 && strtof(want, NULL) != v);
	assert_string_equal(f32_text(b, v), want);
}

static void
check_f32(struct buf *b, float v)
{
	const char	*s = f32_text(b, v);
	char		 fewer[400];
	size_t		 n = digits_of(s);

	assert_true(strtof(s, NULL) == v);
	if (n > 1) {
		snprintf(fewer, sizeof fewer, "%.*g", (int)n - 1, (double)v);
		assert_false(strtof(fewer, NULL) == v);
	}
}

TEST(any_double_reads_back_and_no_fewer_digits_would)
{
	struct buf	*b = test_buf();
	uint64_t	 x = 88172645463325252u;

	for (unsigned i = 0; i < 30000; i++) {
		uint64_t	bits = next_random(&x);
		double		v;

		memcpy(&v, &bits, sizeof v);
		if (isfinite(v)) {
			check_f64(b, v);
			if (isnormal(v))
				check_tried(b, v);
		}
		check_f64(b, (double)(bits >> 34) / 1000);	/* few decimals */
		check_f64(b, -(double)(bits >> 50) / 1e6);
		check_f64(b, (double)(bits >> 11) * 0x1p-30);
		check_tried(b, ldexp((double)(bits >> 11), -53 - 13 + (int)(i % 64)));
		check_tried(b, beside(ldexp(1, -13 + (int)(i % 64)), (int)(bits % 3) - 1));
		check_tried(b, beside(ten_to(i % 20) / 1e4, (int)(bits % 5) - 2));
		bits >>= 12 + i % 50;				/* subnormal */
		memcpy(&v, &bits, sizeof v);
		check_f64(b, v);
	}
}

/* Where numbers are unevenly near to each other, and where digits round to one more. */
TEST(doubles_and_floats_of_every_exponent_have_the_text_of_printf)
{
	struct buf	*b = test_buf();
	char		 text[32];

	for (int e = DBL_MIN_EXP; e < DBL_MAX_EXP; e++)
		for (int step = 0; step <= 6; step++)
			check_tried(b, beside(ldexp(0.5, e), step - (e > DBL_MIN_EXP ? 3 : 0)));
	for (int e = FLT_MIN_EXP; e < FLT_MAX_EXP; e++)
		for (int step = 0; step < 64; step++)
			check_tried_f32(b, (float)ldexp((double)0x800000 + step, e - 24));
	for (int e = DBL_MIN_10_EXP; e <= DBL_MAX_10_EXP; e++) {
		snprintf(text, sizeof text, "%de%d", 1 + (e & 127), e - 2);
		for (int step = -2; step <= 2; step++)
			check_tried(b, beside(strtod(text, NULL), step));
	}
}

TEST(any_float_reads_back_and_no_fewer_digits_would)
{
	struct buf	*b = test_buf();
	uint64_t	 x = 88172645463325252u;

	for (unsigned i = 0; i < 30000; i++) {
		uint32_t	bits = (uint32_t)next_random(&x);
		float		v;

		memcpy(&v, &bits, sizeof v);
		if (isfinite(v)) {
			check_f32(b, v);
			if (isnormal(v))
				check_tried_f32(b, v);
		}
		check_f32(b, (float)(bits >> 14) / 100);
		check_f32(b, (float)(bits >> 5) / 1e5f);
		bits >>= 9 + i % 20;
		memcpy(&v, &bits, sizeof v);
		check_f32(b, v);
	}
}

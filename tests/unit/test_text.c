/*
 * Text: conversions and cleaning for the terminal. The allowed characters are listed here again as
 * ranges of code points, not by the tables that the module uses.
 */
#include <locale.h>

#define OWN_MAIN
#include "../support/cases.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"

static uint64_t
next_random(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

CASE(clean)
{
	(void)text_clean(out, arg[0], span_is(arg[2], "ascii") ? TEXT_ASCII : TEXT_UTF8,
	    arg[1].len > 0 ? case_u64(arg[1]) : SIZE_MAX);
}

CASE(width)
{
	buf_u64(out, text_width(arg[0], TEXT_UTF8));
}

CASE(utf16)
{
	text_from_utf16(out, arg[0]);
}

CASE(utf8)
{
	text_from_utf8(out, arg[0]);
}

/* The lines that a text becomes, with | between them. */
CASE(lines)
{
	struct span	left = arg[0];

	while (left.len > 0) {
		size_t	n = text_line(left, TEXT_UTF8, case_u64(arg[1]));

		assert_true(n > 0 && n <= left.len);
		buf_printf(out, "%s%.*s", out->len > 0 ? "|" : "", (int)n, (const char *)left.p);
		while (n < left.len && left.p[n] == ' ')
			n++;
		left = (struct span){ left.p + n, left.len - n };
	}
}

CASES("text.txt", 50)

/* Characters that must never reach a terminal, whatever the tables say. */
static bool
is_forbidden(int32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xa0 || c == 0xad || c == 0x61c ||
	    c == 0x34f || c == 0x115f || c == 0x1160 || c == 0x1680 ||
	    (c >= 0x180b && c <= 0x180f) || (c >= 0x2000 && c <= 0x200f) ||
	    (c >= 0x2028 && c <= 0x202f) || (c >= 0x205f && c <= 0x206f) || c == 0x2800 ||
	    c == 0x3000 || c == 0x3164 || (c >= 0xd800 && c <= 0xf8ff) ||
	    (c >= 0xfdd0 && c <= 0xfdef) || (c >= 0xfe00 && c <= 0xfe0f) || c == 0xfeff ||
	    c == 0xffa0 || (c >= 0xfff0 && c <= 0xfffb) || (c & 0xfffe) == 0xfffe ||
	    (c >= 0xe0000 && c <= 0x10ffff);
}

/* Strict UTF-8 only, without a forbidden character; the escaped ones plain ASCII or U+2026. */
static void
assert_safe(const char *p, size_t len, bool escaped)
{
	const uint8_t	*q = (const uint8_t *)p, *end = q + len;

	while (q < end) {
		int32_t	cp;

		q += text_decode(q, end, &cp);
		assert_true(cp >= 0);
		assert_false(is_forbidden(cp));
		assert_true(!escaped || cp < 0x7f || cp == 0x2026);
	}
}

static void
assert_pieces_safe(struct span s, enum text_mode mode)
{
	const uint8_t		*p = s.p, *end = s.p + s.len;
	struct text_scratch	 scratch;
	struct text_piece	 piece;
	size_t			 cells = 0;

	while (p < end) {
		const uint8_t	*before = p;

		assert_true(text_next(&p, end, mode, &scratch, &piece));
		assert_true(p > before && p <= end);
		assert_true(piece.len > 0 && piece.len <= sizeof scratch.b);
		assert_true(piece.cells >= 1 && (piece.escaped || piece.cells <= 2));
		assert_safe(piece.p, piece.len, piece.escaped);
		if (mode == TEXT_ASCII)
			for (size_t i = 0; i < piece.len; i++)
				assert_true((piece.p[i] & 0x80) == 0);
		cells += piece.cells;
	}
	assert_false(text_next(&p, end, mode, &scratch, &piece));
	assert_int_equal(text_width(s, mode), cells);
}

TEST(no_scalar_passes_that_could_harm_a_terminal)
{
	for (int32_t cp = 0; cp <= 0x10ffff; cp++) {
		uint8_t	b[6] = { 'a' };
		size_t	n;

		if (cp >= 0xd800 && cp < 0xe000)
			continue;
		n = text_encode(cp, (char *)b + 1);
		b[1 + n] = 'z';
		assert_pieces_safe((struct span){ b, n + 2 }, TEXT_UTF8);
		assert_pieces_safe((struct span){ b + 1, n }, TEXT_UTF8);
		assert_pieces_safe((struct span){ b + 1, n }, TEXT_ASCII);
	}
}

TEST(no_byte_or_pair_of_bytes_passes_that_could_harm_a_terminal)
{
	for (unsigned i = 0; i < 0x10000; i++) {
		uint8_t		b[2] = { (uint8_t)(i >> 8), (uint8_t)i };
		struct span	s = test_exact(b, 2);

		assert_pieces_safe(s, TEXT_UTF8);
		assert_pieces_safe(s, TEXT_ASCII);
	}
}

/* The text piece by piece. */
static void
assert_by_pieces(struct span s, enum text_mode mode)
{
	const uint8_t		*p = s.p, *end = s.p + s.len;
	struct buf		*whole = test_buf(), *pieces = test_buf();
	struct text_scratch	 scratch;
	struct text_piece	 piece;
	size_t			 cells = 0;

	while (text_next(&p, end, mode, &scratch, &piece)) {
		buf_add(pieces, piece.p, piece.len);
		cells += piece.cells;
	}
	assert_int_equal(text_clean(whole, s, mode, SIZE_MAX), cells);
	assert_int_equal(text_width(s, mode), cells);
	assert_int_equal(whole->len, pieces->len);
	assert_memory_equal(whole->p, pieces->p, pieces->len);
}

TEST(eight_bytes_together_are_what_each_of_them_is_alone)
{
	for (unsigned at = 0; at < 18; at++) {
		for (unsigned v = 0; v < 256; v++) {
			uint8_t	b[18];

			for (unsigned i = 0; i < sizeof b; i++)
				b[i] = (uint8_t)(i % 2 == 0 ? ' ' : '~');
			b[at] = (uint8_t)v;
			assert_by_pieces(test_exact(b, sizeof b), TEXT_UTF8);
			b[(at + 3) % sizeof b] = (uint8_t)(v + 1);
			assert_by_pieces(test_exact(b, sizeof b), TEXT_ASCII);
		}
	}
}

TEST(each_scalar_survives_encoding_and_decoding)
{
	for (int32_t cp = 0; cp <= 0x10ffff; cp++) {
		uint8_t		b[4];
		int32_t		back;
		unsigned	n = text_encode(cp, (char *)b);

		assert_int_equal(n, cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4);
		assert_int_equal(text_decode(b, b + n, &back), n);
		assert_int_equal(back, cp >= 0xd800 && cp < 0xe000 ? 0xfffd : cp);
		for (unsigned cut = 1; cut < n; cut++) {
			assert_int_equal(text_decode(b, b + cut, &back), 1);
			assert_int_equal(back, -1);
		}
	}
}

TEST(a_base_keeps_four_marks_and_a_flood_is_one_ellipsis)
{
	struct buf	*b = test_buf(), *out = test_buf();

	buf_puts(b, "ae");
	for (int i = 0; i < 1000; i++)
		buf_puts(b, "\xcc\x81");
	buf_puts(b, "z");
	assert_int_equal(text_clean(out, (struct span){ (uint8_t *)b->p, b->len }, TEXT_UTF8,
	    SIZE_MAX), 4);
	assert_string_equal(buf_str(out), "ae\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xe2\x80\xa6z");
	buf_clear(out);
	assert_int_equal(text_clean(out, (struct span){ (uint8_t *)b->p, b->len }, TEXT_ASCII,
	    SIZE_MAX), 6);
	assert_string_equal(buf_str(out), "ae...z");
}

static void
random_text(struct buf *b, uint64_t *x)
{
	static const char *const	parts[] = {
		"a", "Z", " ", "e\xcc\x81", "\xcc\x82", "\xe6\xbc\xa2", "\xf0\x9f\x98\x80", "\n",
		"\x1b", "\xff", "\xe2\x80\xae", "\xe2\x80\x8d", "plain words", "\xc2\x85", "\xe2",
	};
	unsigned	n = (unsigned)(next_random(x) % 40);

	buf_clear(b);
	while (n-- > 0) {
		if (next_random(x) % 4 == 0)
			buf_putc(b, (char)next_random(x));
		else
			buf_puts(b, parts[next_random(x) % (sizeof parts / sizeof parts[0])]);
	}
}

TEST(clipping_uses_no_more_cells_than_given_at_any_width)
{
	uint64_t	 x = 20261121;
	struct buf	*b = test_buf(), *out = test_buf();

	for (int round = 0; round < 10000; round++) {
		enum text_mode	mode = round % 2 ? TEXT_ASCII : TEXT_UTF8;
		struct span	s;
		size_t		whole;

		random_text(b, &x);
		s = test_exact(b->p, b->len);
		whole = text_width(s, mode);
		for (size_t max = 1; max <= 200; max += round % 50 ? 13 : 1) {
			size_t	used;

			buf_clear(out);
			used = text_clean(out, s, mode, max);
			assert_true(used <= max);
			assert_int_equal(used == whole, whole <= max);
			assert_safe(out->p, out->len, false);
			/* Cleaned text is clean: it has the same width. */
			assert_int_equal(text_width((struct span){ (uint8_t *)out->p, out->len },
			    TEXT_UTF8), used);
		}
	}
}

TEST(every_utf16_unit_becomes_valid_utf8)
{
	struct buf	*b = test_buf();

	for (unsigned u = 0; u < 0x10000; u++) {
		uint8_t	bytes[2] = { (uint8_t)u, (uint8_t)(u >> 8) };
		int32_t	cp;

		buf_clear(b);
		text_from_utf16(b, (struct span){ bytes, 2 });
		assert_int_equal(text_decode((uint8_t *)b->p, (uint8_t *)b->p + b->len, &cp), b->len);
		assert_int_equal(cp, u >= 0xd800 && u < 0xe000 ? 0xfffd : u);
	}
}

int
main(void)
{
	int	failed = test_run("text, C locale");

	/* The same rules hold where the C library has a say about widths. */
	if (setlocale(LC_CTYPE, "C.UTF-8") != NULL)
		failed += test_run("text, UTF-8 locale");
	return failed;
}

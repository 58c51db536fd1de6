/*
 * Text: conversions and cleaning for the terminal. The allowed characters are listed here again as
 * ranges of code points, not by the tables that the module uses.
 */
#include <locale.h>

#define OWN_MAIN
#include "../support/test.h"
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

static void
assert_cleaned(const char *text, size_t len, enum text_mode mode, size_t max, const char *want)
{
	struct span	 s = test_exact(text, len);
	struct buf	*b = test_buf();

	(void)text_clean(b, s, mode, max);
	assert_string_equal(buf_str(b), want);
}

#define CLEANED(text, want) \
	assert_cleaned(text, sizeof text - 1, TEXT_UTF8, SIZE_MAX, want)
#define CLEANED_ASCII(text, want) \
	assert_cleaned(text, sizeof text - 1, TEXT_ASCII, SIZE_MAX, want)
#define CLIPPED(text, max, want) \
	assert_cleaned(text, sizeof text - 1, TEXT_UTF8, max, want)

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

TEST(bad_utf8_is_told_byte_by_byte)
{
	CLEANED("\x80", "<80>");
	CLEANED("a\xff" "b", "a<FF>b");
	CLEANED("\xc0\xaf", "<C0><AF>");			/* over-long */
	CLEANED("\xe0\x80\xaf", "<E0><80><AF>");
	CLEANED("\xed\xa0\x80", "<ED><A0><80>");		/* a surrogate */
	CLEANED("\xf4\x90\x80\x80", "<F4><90><80><80>");	/* beyond U+10FFFF */
	CLEANED("\xe2\x82", "<E2><82>");			/* cut */
}

TEST(controls_and_invisible_characters_are_spelled)
{
	CLEANED("a\nb\r\t\x1b[31m", "a^Jb^M^I^[[31m");
	assert_cleaned("\0", 1, TEXT_UTF8, SIZE_MAX, "^@");
	CLEANED("\x7f", "^?");
	CLEANED("\xc2\x9b" "31m", "<U+009B>31m");
	CLEANED("x\xe2\x80\xae" "y", "x<U+202E>y");
	CLEANED("\xe2\x80\x8b\xef\xbb\xbf\xc2\xad", "<U+200B><U+FEFF><U+00AD>");
	CLEANED("a\xc2\xa0" "b\xe3\x80\x80", "a<U+00A0>b<U+3000>");
	CLEANED("\xee\x82\xb0\xf3\xa0\x81\x81", "<U+E0B0><U+E0041>");
	CLEANED("\xef\xb8\x8f\xe2\xa0\x80\xe3\x85\xa4", "<U+FE0F><U+2800><U+3164>");
	CLEANED("\xf4\x8f\xbf\xbd", "<U+10FFFD>");
}

TEST(what_is_printable_stays_as_it_is)
{
	CLEANED("GC/Start ~{}", "GC/Start ~{}");
	CLEANED("Gr\xc3\xb6\xc3\x9f" "e \xe6\xbc\xa2\xe5\xad\x97", "Gr\xc3\xb6\xc3\x9f" "e "
	    "\xe6\xbc\xa2\xe5\xad\x97");
	CLEANED("e\xcc\x81x", "e\xcc\x81x");
	CLEANED_ASCII("Gr\xc3\xb6" "e\xcc\x81", "Gr<U+00F6>e<U+0301>");
}

TEST(widths_of_wide_and_combined_characters)
{
	struct buf	*b = test_buf();

	buf_puts(b, "\xe6\xbc\xa2" "e\xcc\x81\xcc\x82z\xf0\x9f\x98\x80");	/* 2 + 1 + 1 + 2 */
	assert_int_equal(text_width((struct span){ (uint8_t *)b->p, b->len }, TEXT_UTF8), 6);
}

TEST(a_base_keeps_four_marks_and_a_flood_is_one_ellipsis)
{
	struct buf	*b = test_buf(), *out = test_buf();

	CLEANED("\xcc\x81", "<U+0301>");	/* without a base */
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

TEST(clipped_text_ends_in_an_ellipsis_inside_the_width)
{
	CLIPPED("abcdef", 6, "abcdef");
	CLIPPED("abcdef", 5, "abcd\xe2\x80\xa6");
	CLIPPED("abcdef", 1, "\xe2\x80\xa6");
	CLIPPED("abcdef", 0, "");
	CLIPPED("", 0, "");
	CLIPPED("ab\x1b", 4, "ab^[");
	CLIPPED("ab\x1b", 3, "ab\xe2\x80\xa6");
	CLIPPED("a\xe6\xbc\xa2", 2, "a\xe2\x80\xa6");	/* no half of a wide one */
	CLIPPED("\xe6\xbc\xa2", 1, "\xe2\x80\xa6");
	CLIPPED("ae\xcc\x81" "e\xcc\x81", 2, "a\xe2\x80\xa6");
	assert_cleaned("abcdef", 6, TEXT_ASCII, 4, "abc~");
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

static void
assert_utf16(const uint16_t *units, size_t n, size_t odd, const char *want, size_t len)
{
	struct buf	*b = test_buf();
	uint8_t		 bytes[64];
	struct span	 s;

	for (size_t i = 0; i < n; i++) {
		bytes[2 * i] = (uint8_t)units[i];
		bytes[2 * i + 1] = (uint8_t)(units[i] >> 8);
	}
	bytes[2 * n] = 'q';
	s = test_exact(bytes, 2 * n + odd);
	text_from_utf16(b, s);
	assert_int_equal(b->len, len);
	assert_memory_equal(b->p, want, len);
}

#define FFFD "\xef\xbf\xbd"

TEST(lone_surrogates_and_odd_bytes_of_utf16_are_replaced)
{
	assert_utf16((uint16_t[]){ 'a', 0x6f22, 0 }, 3, 0, "a\xe6\xbc\xa2\0", 5);
	assert_utf16((uint16_t[]){ 0xd83d, 0xde00 }, 2, 0, "\xf0\x9f\x98\x80", 4);
	assert_utf16((uint16_t[]){ 0xdbff, 0xdfff }, 2, 0, "\xf4\x8f\xbf\xbf", 4);
	assert_utf16((uint16_t[]){ 0xd83d }, 1, 0, FFFD, 3);
	assert_utf16((uint16_t[]){ 0xd83d, 'a' }, 2, 0, FFFD "a", 4);
	assert_utf16((uint16_t[]){ 0xde00, 0xd83d }, 2, 0, FFFD FFFD, 6);
	assert_utf16((uint16_t[]){ 0xd83d, 0xd83d, 0xde00 }, 3, 0, FFFD "\xf0\x9f\x98\x80", 7);
	assert_utf16((uint16_t[]){ 'a' }, 1, 1, "a" FFFD, 4);
	assert_utf16((uint16_t[]){ 0xd83d }, 1, 1, FFFD FFFD, 6);
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

TEST(bad_bytes_of_utf8_are_replaced_and_nuls_kept)
{
	struct span	 s = test_exact("a\0\xff\xe6\xbc\xa2\xe6\xbc", 8);
	struct buf	*b = test_buf();

	text_from_utf8(b, s);
	assert_int_equal(b->len, 14);
	assert_memory_equal(b->p, "a\0" FFFD "\xe6\xbc\xa2" FFFD FFFD, 14);
}

/* The lines that a text becomes, with | between them. */
static void
assert_lines(const char *text, size_t cells, const char *want)
{
	struct span	 s = test_exact(text, strlen(text)), left = s;
	struct buf	*b = test_buf();

	while (left.len > 0) {
		size_t	n = text_line(left, TEXT_UTF8, cells);

		assert_true(n > 0 && n <= left.len);
		buf_printf(b, "%s%.*s", b->len > 0 ? "|" : "", (int)n, (const char *)left.p);
		while (n < left.len && left.p[n] == ' ')
			n++;
		left = (struct span){ left.p + n, left.len - n };
	}
	assert_string_equal(buf_str(b), want);
}

TEST(lines_end_between_words_and_else_within_one)
{
	assert_lines("one two three", 13, "one two three");
	assert_lines("one two three", 12, "one two|three");
	assert_lines("one two three", 7, "one two|three");
	assert_lines("one two three", 6, "one|two|three");
	assert_lines("one two three", 3, "one|two|thr|ee");
	assert_lines("A-Long.Name", 8, "A-Long.|Name");
	assert_lines("RuntimeInformationStart", 22, "RuntimeInformation|Start");
	assert_lines("LONGName", 4, "LONG|Name");
	assert_lines("\xe6\xbc\xa2\xe6\xbc\xa2", 3, "\xe6\xbc\xa2|\xe6\xbc\xa2");
	assert_lines("\xe6\xbc\xa2", 1, "\xe6\xbc\xa2");
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

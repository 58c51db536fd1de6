/*
 * Fuzz target: text on its way to a terminal. Whatever the bytes are, what comes out is valid
 * UTF-8 without controls, measures what it was said to, and is the same piece by piece.
 *
 * Corpus: tests/fuzz/corpus/text.
 */
#include <string.h>

#include "fuzz.h"
#include "tnav/base/text.h"
#include "tnav/base/units.h"

static void
check_clean(const struct buf *b)
{
	const uint8_t	*p = (const uint8_t *)b->p, *end;

	if (b->len == 0)
		return;
	for (end = p + b->len; p < end; ) {
		int32_t	cp;

		p += text_decode(p, end, &cp);
		check(cp >= 0x20 && !(cp >= 0x7f && cp < 0xa0));
		check(!(cp >= 0x200b && cp <= 0x200f) && !(cp >= 0x2028 && cp <= 0x202e));
		check(!(cp >= 0x2060 && cp <= 0x206f) && cp != 0xfeff && cp != 0x61c);
	}
}

static void
one_mode(struct span s, enum text_mode mode)
{
	const uint8_t		*p = s.p, *end = s.len > 0 ? s.p + s.len : s.p;
	struct text_scratch	 scratch;
	struct text_piece	 piece;
	struct buf		 whole = { 0 }, pieces = { 0 };
	size_t			 cells = 0, used;

	used = text_clean(&whole, s, mode, SIZE_MAX);
	while (text_next(&p, end, mode, &scratch, &piece)) {
		check(piece.len > 0 && piece.len <= sizeof scratch.b);
		buf_add(&pieces, piece.p, piece.len);
		cells += piece.cells;
	}
	check(cells == used && text_width(s, mode) == used);
	check(whole.len == pieces.len);
	check(whole.len == 0 || memcmp(whole.p, pieces.p, whole.len) == 0);
	check_clean(&whole);
	for (size_t max = 1; max < 24; max++) {
		buf_clear(&whole);
		check(text_clean(&whole, s, mode, max) <= max);
		check_clean(&whole);
	}
	buf_release(&whole);
	buf_release(&pieces);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span	s = { data, size };
	struct buf	b = { 0 };
	int64_t		ns;
	uint64_t	bytes;

	one_mode(s, TEXT_UTF8);
	one_mode(s, TEXT_ASCII);
	text_from_utf16(&b, s);
	one_mode((struct span){ (uint8_t *)b.p, b.len }, TEXT_UTF8);
	buf_clear(&b);
	text_from_utf8(&b, s);
	one_mode((struct span){ (uint8_t *)b.p, b.len }, TEXT_UTF8);
	buf_release(&b);
	(void)units_parse_dur((const char *)data, size, 1, &ns);
	(void)units_parse_bytes((const char *)data, size, &bytes);
	(void)units_parse_iso((const char *)data, size, &ns);
	return 0;
}

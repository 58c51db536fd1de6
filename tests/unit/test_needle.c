/*
 * Searching bytes for a short text, compared with a comparison at each place.
 */
#include "../support/test.h"
#include "../support/tier.h"
#include "tnav/base/mem.h"
#include "tnav/base/needle.h"

static uint64_t	state_of_random;

static uint32_t
below(uint32_t n)
{
	state_of_random = state_of_random * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(state_of_random >> 33) % n;
}

static bool
finds(const char *text, bool caseless, bool utf16, const char *bytes, size_t len)
{
	struct needle	n;
	uint8_t		*copy = mem_alloc(len);
	bool		 r;

	memcpy(copy, bytes, len);
	assert_true(needle_init(&n, text, strlen(text), caseless, utf16));
	r = needle_in(&n, (struct span){ copy, len });
	mem_free(copy);
	return r;
}

TEST(a_text_is_found_in_both_encodings_and_cases)
{
	assert_true(finds("text", false, false, "a text", 6));
	assert_false(finds("text", false, false, "a Text", 6));
	assert_true(finds("text", true, false, "a TeXt", 6));
	assert_false(finds("text", true, false, "a tex", 5));
	assert_false(finds("text", true, false, "ext", 3));
	assert_true(finds("ab", false, true, "xa\0b\0", 5));		/* not aligned */
	assert_false(finds("ab", false, true, "a\0b", 3));
	assert_false(finds("ab", true, true, "a\1b\0", 4));
	assert_true(finds("ab", true, true, "A\0b\0", 4));
	assert_true(finds("\xce\xa9m", false, true, "\xa9\x03m\0", 4));
	assert_true(finds("\xf0\x9f\x91\x8b", false, true, "\x3d\xd8\x4b\xdc", 4));
	assert_false(finds("ab", false, false, "", 0));
}

/* U+212A folds to k and U+017F to s, though they have more bytes. */
TEST(a_k_and_an_s_may_lie_beyond_ascii)
{
	assert_true(finds("kestrel", true, false, "\xe2\x84\xaa" "estrel", 9));
	assert_true(finds("kestrel", true, false, "KEST\x52" "EL", 7));
	assert_false(finds("kestrel", true, false, "xestrel", 7));
	assert_true(finds("kestrel", true, false, "ke\xc5\xbftrel", 8));
	assert_true(finds("kestrel", true, true, "\x2a\x21" "e\0\x7f\1t\0R\0e\0l\0", 14));
	assert_false(finds("kestrel", true, true, "x\0" "e\0s\0t\0R\0e\0l\0", 14));
	assert_false(finds("kestrel", false, false, "ke\xc5\xbftrel", 8));
}

TEST(what_nothing_can_be_searched_by_is_refused)
{
	struct needle	n;
	char		text[NEEDLE_MOST + 1];

	memset(text, 'a', sizeof text);
	assert_false(needle_init(&n, "", 0, false, false));
	assert_false(needle_init(&n, "ks", 2, true, false));
	assert_false(needle_init(&n, "ks", 2, true, true));
	assert_true(needle_init(&n, "ks", 2, false, true));
	assert_true(needle_init(&n, text, NEEDLE_MOST, false, false));
	assert_false(needle_init(&n, text, NEEDLE_MOST + 1, false, false));
	assert_false(needle_init(&n, text, NEEDLE_MOST / 2 + 1, false, true));
}

/* Every place is given once, in order. */
TEST(all_places_are_found)
{
	state_of_random = check_seed();
	for (unsigned round = 0; round < 20000; round++) {
		bool			 caseless = below(2), utf16 = below(2);
		size_t			 len = 1 + below(4), size = below(40);
		uint8_t			*bytes = mem_alloc(size + 1);
		char			 text[5];
		const uint8_t		*p;
		struct needle		 n;
		struct needle_scan	 s;

		for (size_t i = 0; i < len; i++)
			text[i] = "abc"[below(3)];
		for (size_t i = 0; i < size; i++)
			bytes[i] = (uint8_t)(utf16 && i % 2 ? 0 : "abcABC\0"[below(7)]);
		assert_true(needle_init(&n, text, len, caseless, utf16) && n.sure);
		needle_begin(&s, &n, (struct span){ bytes, size });
		p = needle_next(&s);
		for (size_t at = 0; at + n.len <= size; at++) {
			bool	here = true;

			for (size_t i = 0; i < n.len; i++) {
				uint8_t	c = bytes[at + i];

				if (caseless && c >= 'A' && c <= 'Z')
					c |= 0x20;
				here &= c == n.text[i];
			}
			if (!here)
				continue;
			assert_ptr_equal(p, bytes + at + n.at);
			p = needle_next(&s);
		}
		assert_null(p);
		mem_free(bytes);
	}
}

/*
 * Searching bytes for one short text.
 *
 *	needle	k e s t r e l		the rarest character, here r, is looked for by memchr(), in
 *	            <- ^ ->		both cases; from there the text is compared both ways
 *	bytes	... K e s t r e l ...
 *
 * Invariant: every occurrence is found, whatever its neighbours and alignment. Each byte is
 * compared at most NEEDLE_MOST times.
 */
#include "tnav/base/needle.h"

#include <string.h>

#include "tnav/base/text.h"

/* Roughly how frequent a byte is in payloads; 0 is the rarest. */
static unsigned
frequency(uint8_t c)
{
	static const uint8_t	small[26] = {		/* a to z */
		80, 20, 35, 40, 100, 25, 25, 40, 75, 3, 10, 40, 30, 70, 75, 25, 2, 65, 65, 90, 30,
		12, 15, 6, 20, 2,
	};

	if (c >= 'a' && c <= 'z')
		return small[c - 'a'];
	if (c >= 'A' && c <= 'Z')
		return 2 + small[c - 'A'] / 8;
	if (c == 0)
		return 255;
	if (c == ' ' || c == '.' || c == '/' || c < 0x20 || c == 0xff)
		return 40;
	return (c >= '0' && c <= '9') || c == '-' || c == '_' ? 15 : 5;
}

static bool
is_small(uint8_t c)
{
	return c >= 'a' && c <= 'z';
}

static uint8_t
other_case(const struct needle *n, uint8_t c)
{
	return n->caseless && is_small(c) ? c & 0xdf : c;
}

/* Does a character beyond ASCII fold to this letter? U+212A folds to k, U+017F to s. */
static bool
is_wild(uint8_t c)
{
	return c == 'k' || c == 's';
}

static bool
put_utf16(struct needle *n, const char *text, size_t len)
{
	const uint8_t	*p = (const uint8_t *)text, *end = p + len;
	int32_t		 cp;

	for (n->len = 0; p < end; ) {
		uint32_t	units[2], some = 1;

		p += text_decode(p, end, &cp);
		units[0] = units[1] = (uint32_t)cp;
		if (cp >= 0x10000) {
			units[0] = 0xd800 + (((uint32_t)cp - 0x10000) >> 10);
			units[1] = 0xdc00 + ((uint32_t)cp & 0x3ff);
			some = 2;
		}
		if (cp < 0 || n->len + some * 2 > NEEDLE_MOST)
			return false;
		for (uint32_t i = 0; i < some; i++) {
			n->text[n->len++] = units[i] & 0xff;
			n->text[n->len++] = units[i] >> 8 & 0xff;
		}
	}
	return true;
}

static bool
put_utf8(struct needle *n, const char *text, size_t len)
{
	if (len > NEEDLE_MOST)
		return false;
	memcpy(n->text, text, len);
	n->len = (uint8_t)len;
	return true;
}

/*
 * Choose a neighbour of the searched character: comparing it first rejects most candidates. A
 * neighbour that may match a character beyond ASCII is not used, because its length is not known.
 */
static void
choose_beside(struct needle *n)
{
	uint8_t	step = n->caseless ? n->unit : 1, c;
	bool	behind = n->at + step < n->len;

	n->beside_is = n->beside_fold = 0xff;		/* any byte */
	if (!behind && n->at < step)
		return;
	c = n->text[behind ? n->at + step : n->at - step];
	if (n->caseless && is_wild(c))
		return;
	n->beside = (int8_t)(behind ? step : -step);
	n->beside_is = c;
	n->beside_fold = n->caseless && is_small(c) ? 0x20 : 0;
}

bool
needle_init(struct needle *n, const char *text, size_t len, bool caseless, bool utf16)
{
	unsigned	best = UINT32_MAX;

	*n = (struct needle){ .unit = utf16 ? 2 : 1, .caseless = caseless, .sure = true };
	if (!(utf16 ? put_utf16(n, text, len) : put_utf8(n, text, len)))
		return false;
	for (unsigned i = 0; i < n->len; i += caseless ? n->unit : 1) {
		uint8_t		c = n->text[i];
		unsigned	often = frequency(c);

		if (caseless && c >= 'A' && c <= 'Z')
			n->text[i] = c = c | 0x20;
		if (caseless && is_wild(c)) {
			n->sure = false;
			continue;
		}
		if (caseless && is_small(c))
			often = frequency(c) + frequency(other_case(n, c));
		if (often >= best)
			continue;
		best = often;
		n->at = (uint8_t)i;
	}
	n->first[0] = n->text[n->at];
	n->first[1] = other_case(n, n->first[0]);
	choose_beside(n);
	return best != UINT32_MAX;
}

/* ---- comparing, without case */

enum same { SAME, OTHER, MAYBE };

/* Compare the needle's character at i with the bytes at p. */
static enum same
same_at(const struct needle *n, unsigned i, const uint8_t *p)
{
	uint8_t	c = n->text[i], fold = is_small(c) ? 0x20 : 0;

	if ((p[0] | fold) == c && (n->unit == 1 || p[1] == 0))
		return SAME;
	if (is_wild(c) && (n->unit == 1 ? p[0] >= 0x80 : p[1] != 0))
		return MAYBE;
	return OTHER;
}

/* Does the rest of the needle match after p? Comparing ends at a character of unknown length. */
static bool
fits_after(const struct needle_scan *s, const uint8_t *p)
{
	enum same	same = SAME;

	for (unsigned i = s->n->at; i < s->n->len && same == SAME; i += s->n->unit) {
		if ((size_t)(s->end - p) < s->n->unit)
			return false;
		same = same_at(s->n, i, p);
		p += s->n->unit;
	}
	return same != OTHER;
}

static bool
fits_before(const struct needle_scan *s, const uint8_t *p)
{
	enum same	same = SAME;

	for (unsigned i = s->n->at; i > 0 && same == SAME; ) {
		i -= s->n->unit;
		if ((size_t)(p - s->begin) < s->n->unit)
			return false;
		p -= s->n->unit;
		same = same_at(s->n, i, p);
	}
	return same != OTHER;
}

static bool
fits(const struct needle_scan *s, const uint8_t *p)
{
	const struct needle	*n = s->n;

	if (n->caseless)
		return fits_after(s, p) && fits_before(s, p);
	return (size_t)(p - s->begin) >= n->at && (size_t)(s->end - p) >= (size_t)n->len - n->at &&
	    memcmp(p - n->at, n->text, n->len) == 0;
}

static inline bool
may_fit(const struct needle_scan *s, const uint8_t *p)
{
	const struct needle	*n = s->n;

	if (n->beside < 0 ? p - s->begin < -n->beside : s->end - p <= n->beside)
		return false;
	return (p[n->beside] | n->beside_fold) == n->beside_is;
}

/* ---- the search */

static const uint8_t *
look(const uint8_t *from, const uint8_t *end, uint8_t c)
{
	return from < end ? memchr(from, c, (size_t)(end - from)) : NULL;
}

void
needle_begin(struct needle_scan *s, const struct needle *n, struct span bytes)
{
	s->n = n;
	s->begin = bytes.p;
	s->end = bytes.len > 0 ? bytes.p + bytes.len : bytes.p;
	s->next[0] = look(s->begin, s->end, n->first[0]);
	s->next[1] = n->first[1] != n->first[0] ? look(s->begin, s->end, n->first[1]) : NULL;
}

const uint8_t *
needle_next(struct needle_scan *s)
{
	while (s->next[0] != NULL || s->next[1] != NULL) {
		unsigned	i = s->next[0] == NULL ||
				    (s->next[1] != NULL && s->next[1] < s->next[0]);
		const uint8_t	*p = s->next[i];

		s->next[i] = look(p + 1, s->end, s->n->first[i]);
		if (may_fit(s, p) && fits(s, p))
			return p;
	}
	return NULL;
}

bool
needle_in(const struct needle *n, struct span bytes)
{
	struct needle_scan	s;

	needle_begin(&s, n, bytes);
	return needle_next(&s) != NULL;
}

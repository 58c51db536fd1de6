/*
 * Cursor reads that are too long to be inlined: variable-length numbers and UTF-16 text.
 *
 *   1xxxxxxx 1xxxxxxx ... 0xxxxxxx     seven bits a byte, the lowest first
 *
 * Invariant: base <= p <= end, and p == end once failed, so that every further read gives 0.
 */
#include "tnav/base/cursor.h"

/*
 * At most max bytes, the last of which may be no larger than top: that is what is left of the
 * number's bits there.
 */
static uint64_t
cursor_var(struct cursor *c, unsigned max, uint8_t top)
{
	uint64_t	v = 0;

	for (unsigned i = 0; i < max && c->p < c->end; i++) {
		uint8_t	byte = *c->p++;

		if (i == max - 1 && byte > top)
			break;
		v |= (uint64_t)(byte & 0x7f) << (7 * i);
		if (byte < 0x80)
			return v;
	}
	cursor_fail(c);
	return 0;
}

uint32_t
cursor_varu32(struct cursor *c)
{
	if (c->p < c->end && *c->p < 0x80)
		return *c->p++;
	return (uint32_t)cursor_var(c, 5, 0x0f);
}

uint64_t
cursor_varu64(struct cursor *c)
{
	if (c->p < c->end && *c->p < 0x80)
		return *c->p++;
	return cursor_var(c, 10, 0x01);
}

struct span
cursor_utf16z(struct cursor *c)
{
	struct span	s = { c->p, 0 };
	size_t		left = cursor_left(c);

	for (size_t i = 0; left - i >= 2; i += 2) {
		if (c->p[i] == 0 && c->p[i + 1] == 0) {
			s.len = i;
			c->p += i + 2;
			return s;
		}
	}
	cursor_fail(c);
	return s;
}

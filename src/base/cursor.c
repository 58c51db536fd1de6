/*
 * Cursor reads that are too long to be inlined: variable-length numbers and UTF-16 text.
 *
 *   1xxxxxxx 1xxxxxxx ... 0xxxxxxx     seven bits a byte, the lowest first
 *
 * Invariant: base <= p <= end, and p == end once failed, so that every further read gives 0.
 */
#include "tnav/base/cursor.h"

/*
 * Read a number of at most max bytes. The last of them has room for fewer than seven bits: it may
 * not be larger than top.
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

#define UNITS_ONE	UINT64_C(0x0001000100010001)
#define UNITS_TOP	UINT64_C(0x8000800080008000)

/* The offset of the first 16-bit unit that is 0; len: there is none. */
static size_t
find_nul_unit(const uint8_t *p, size_t len)
{
	size_t	i = 0;

	/* Four units at a time: the lowest bit set in zero is the top bit of the first 0 unit. */
	for (; len - i >= 8; i += 8) {
		uint64_t	units = load_u64le(p + i);
		uint64_t	zero = (units - UNITS_ONE) & ~units & UNITS_TOP;

		if (zero != 0)
			return i + (size_t)__builtin_ctzll(zero) / 16 * 2;
	}
	for (; len - i >= 2; i += 2)
		if (p[i] == 0 && p[i + 1] == 0)
			return i;
	return len;
}

struct span
cursor_utf16z(struct cursor *c)
{
	size_t		left = cursor_left(c);
	struct span	s = { c->p, find_nul_unit(c->p, left) };

	if (s.len == left) {
		s.len = 0;
		cursor_fail(c);
		return s;
	}
	c->p += s.len + 2;
	return s;
}

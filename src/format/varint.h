/*
 * Fast reading of variable-length numbers, for headers of events. Elsewhere the cursor reads them.
 */
#ifndef FORMAT_VARINT_H
#define FORMAT_VARINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Read an unsigned LEB128 of at most 5 (bits 32) or 10 (bits 64) bytes at p. Returns the byte after
 * it, or NULL if it is invalid. If checked, never reads at or beyond end. If not, the caller knows
 * that there are 10 bytes. checked and bits are constants.
 */
static inline const uint8_t *
varint_read(const uint8_t *p, const uint8_t *end, bool checked, unsigned bits, uint64_t *v)
{
	uint64_t	x, b;

	if (checked && p >= end)
		return NULL;
	x = *p++;
	if (__builtin_expect(x < 0x80, 1)) {
		*v = x;
		return p;
	}
	x &= 0x7f;
	for (unsigned shift = 7; shift < bits; shift += 7) {
		if (checked && p >= end)
			return NULL;
		b = *p++;
		if (bits - shift < 7 && b >> (bits - shift) != 0)
			return NULL;
		x |= (b & 0x7f) << shift;
		if (b < 0x80) {
			*v = x;
			return p;
		}
	}
	return NULL;
}

/* Zig-zag: 0, -1, 1, -2 ... are written as 0, 1, 2, 3 ... */
static inline uint64_t
varint_unzigzag(uint64_t v)
{
	return v >> 1 ^ (~(v & 1) + 1);
}

#endif

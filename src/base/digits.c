/*
 * Numbers as text, two decimal digits or eight hexadecimal ones at a time.
 *
 *	1604	2^10 <= v: 3 digits at the least, 10^3 <= v: 4	-> "04" then "16" before it
 *
 * Invariant: at most DIGITS_MOST bytes are written.
 */
#include "tnav/base/digits.h"

#include <string.h>

static const char	pairs[] =
    "00010203040506070809" "10111213141516171819" "20212223242526272829"
    "30313233343536373839" "40414243444546474849" "50515253545556575859"
    "60616263646566676869" "70717273747576777879" "80818283848586878889"
    "90919293949596979899";

static const uint64_t	tens[] = {
	0, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
	UINT64_C(10000000000), UINT64_C(100000000000), UINT64_C(1000000000000),
	UINT64_C(10000000000000), UINT64_C(100000000000000), UINT64_C(1000000000000000),
	UINT64_C(10000000000000000), UINT64_C(100000000000000000),
	UINT64_C(1000000000000000000), UINT64_C(10000000000000000000),
};

/* The number of decimal digits, from the number of bits: 1233 / 4096 is about log10(2). */
static unsigned
count(uint64_t v)
{
	unsigned	bits = 64 - (unsigned)__builtin_clzll(v | 1), n = bits * 1233 >> 12;

	return n + (v >= tens[n]);
}

char *
digits_u64(char *to, uint64_t v)
{
	char	*end, *p;

	if (v < 10) {
		*to = (char)('0' + v);
		return to + 1;
	}
	end = p = to + count(v);
	for (; v >= 100; v /= 100) {
		p -= 2;
		memcpy(p, pairs + v % 100 * 2, 2);
	}
	if (v >= 10)
		memcpy(p - 2, pairs + v * 2, 2);
	else
		p[-1] = (char)('0' + v);
	return end;
}

void
digits_eight(char *to, uint32_t v)
{
	const uint64_t	ones = UINT64_C(0x0101010101010101);
	uint64_t	x = v, letters;

	x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
	x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
	x = (x | x << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	letters = (x + ones * 6) >> 4 & ones;
	x += ones * '0' + letters * ('a' - '0' - 10);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	x = __builtin_bswap64(x);
#endif
	memcpy(to, &x, sizeof x);
}

char *
digits_hex(char *to, uint64_t v)
{
	unsigned	n = (67 - (unsigned)__builtin_clzll(v | 1)) / 4;

	v <<= 64 - 4 * n;
	digits_eight(to, (uint32_t)(v >> 32));
	digits_eight(to + 8, (uint32_t)v);
	return to + n;
}

/*
 * Numbers as text, two decimal digits at a time.
 *
 *	1604	2^10 <= v: 3 digits at the least, 10^3 <= v: 4	-> "04" then "16" before it
 *
 * Invariant: nothing is written but the digits.
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

/* How many decimal digits, from the number of bits: 1233 / 4096 is about log10(2). */
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

char *
digits_hex(char *to, uint64_t v)
{
	char	*end = to + (67 - (unsigned)__builtin_clzll(v | 1)) / 4;

	for (char *p = end; p > to; v >>= 4)
		*--p = "0123456789abcdef"[v & 15];
	return end;
}

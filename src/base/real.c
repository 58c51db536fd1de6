/*
 * Floating-point numbers as text: the fewest digits that read back as the number, as printf()
 * writes them with "%.Ng".
 *
 *	v	m * 2^e; the unit is 2^e
 *	f	v * 10^k, with `most` digits before the point and 64 bits after it
 *	n	f / 10^d, rounded: the most - d digits that are nearest to v
 *	n reads back as v if |f - n * 10^d| is less than half of unit * 10^k
 *
 * Decimal numbers of `least` digits are all different in binary, so the first n from there on that
 * reads back is the shortest.
 *
 * Invariant: f and the unit are below their true values by less than 2 of their last bits. If this
 * error could change how n is rounded or whether it reads back, and for subnormal numbers, the C
 * library is used to try digits. The program keeps LC_NUMERIC at "C", so that the point of
 * snprintf() and strtod() is a point.
 */
#include <float.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tnav/base/buf.h"
#include "tnav/base/digits.h"
#include "tnav/base/text.h"

#define TEXT_MOST	48u	/* more bytes than a number has in any form */
#define DOUBT		16u	/* a difference below this may be an error of f */
#define STEP		16	/* powers of ten between entries of the table */
#define STEPS_BELOW	19	/* entries of the table below 1 */

typedef unsigned __int128	u128;

/* A binary format, and the least and the most digits that its numbers need to be distinct. */
struct real_kind {
	unsigned	bits, least, most;
	double		min;		/* the least number that is not subnormal */
};

static const struct real_kind	real_f64 = { DBL_MANT_DIG, DBL_DIG, DBL_DECIMAL_DIG, DBL_MIN };
static const struct real_kind	real_f32 = { FLT_MANT_DIG, FLT_DIG, FLT_DECIMAL_DIG,
					     (double)FLT_MIN };

/* A number of so many digits, n, whose first digit is multiplied by 10^exponent. */
struct decimal {
	uint64_t	n;
	unsigned	digits;
	int		exponent;
};

static const uint64_t	tens[] = {
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000,
	100000000000, 1000000000000, 10000000000000, 100000000000000, 1000000000000000,
	10000000000000000, 100000000000000000,
};

/* The first 128 bits of 10^-304, 10^-288 ... 10^320, rounded down. */
static const struct { uint64_t high, low; }	powers[] = {
	{ 0x8c71dcd9ba0b4925, 0x9ff0c08b7f1d0b14 },
	{ 0x9becce62836ac577, 0x4ee367f9430aec32 },
	{ 0xad1c8eab5ee43b66, 0xda3243650005eecf },
	{ 0xc0314325637a1939, 0xfa911155fefb5308 },
	{ 0xd5605fcdcf32e1d6, 0xfb1e4a9a90880a64 },
	{ 0xece53cec4a314ebd, 0xa4f8bf5635246428 },
	{ 0x8380dea93da4bc60, 0x4247cb9e59f71e6d },
	{ 0x91ff83775423cc06, 0x7b6306a34627ddcf },
	{ 0xa21727db38cb002f, 0xb8ada00e5a506a7c },
	{ 0xb3f4e093db73a093, 0x59ed216765690f56 },
	{ 0xc7caba6e7c5382c8, 0xfe64a52ee96b8fc0 },
	{ 0xddd0467c64bce4a0, 0xac7cb3f6d05ddbde },
	{ 0xf64335bcf065d37d, 0x4d4617b5ff4a16d5 },
	{ 0x88b402f7fd75539b, 0x11dbcb0218ebb414 },
	{ 0x97c560ba6b0919a5, 0xdccd879fc967d41a },
	{ 0xa87fea27a539e9a5, 0x3f2398d747b36224 },
	{ 0xbb127c53b17ec159, 0x5560c018580d5d52 },
	{ 0xcfb11ead453994ba, 0x67de18eda5814af2 },
	{ 0xe69594bec44de15b, 0x4c2ebe687989a9b3 },
	{ 0x8000000000000000, 0x0000000000000000 },
	{ 0x8e1bc9bf04000000, 0x0000000000000000 },
	{ 0x9dc5ada82b70b59d, 0xf020000000000000 },
	{ 0xaf298d050e4395d6, 0x9670b12b7f410000 },
	{ 0xc2781f49ffcfa6d5, 0x3cbf6b71c76b25fb },
	{ 0xd7e77a8f87daf7fb, 0xdc33745ec97be906 },
	{ 0xefb3ab16c59b14a2, 0xc5cfe94ef3ea101e },
	{ 0x850fadc09923329e, 0x03e2cf6bc604ddb0 },
	{ 0x93ba47c980e98cdf, 0xc66f336c36b10137 },
	{ 0xa402b9c5a8d3a6e7, 0x5f16206c9c6209a6 },
	{ 0xb616a12b7fe617aa, 0x577b986b314d6009 },
	{ 0xca28a291859bbf93, 0x7d7b8f7503cfdcfe },
	{ 0xe070f78d3927556a, 0x85bbe253f47b1417 },
	{ 0xf92e0c3537826145, 0xa7709a56ccdf8a82 },
	{ 0x8a5296ffe33cc92f, 0x82bd6b70d99aaa6f },
	{ 0x9991a6f3d6bf1765, 0xacca6da1e0a8ef29 },
	{ 0xaa7eebfb9df9de8d, 0xddbb901b98feeab7 },
	{ 0xbd49d14aa79dbc82, 0x4b2d8644d8a74e18 },
	{ 0xd226fc195c6a2f8c, 0x73832eec6fff3111 },
	{ 0xe950df20247c83fd, 0x47c6b82ef32a2069 },
	{ 0x81842f29f2cce375, 0xe6a1158300d46640 },
};

/* ---- digits */

/* x * factor / 2^20, rounded down. */
static int
floor_scaled(int x, int factor)
{
	const int64_t	front = INT64_C(1) << 40;

	return (int)((((int64_t)x * factor + front) >> 20) - (front >> 20));
}

/* m * power / 2^shift, as 128 bits of the product of 256 bits. */
static u128
scale(u128 m, size_t power, unsigned shift)
{
	uint64_t	high = (uint64_t)(m >> 64), low = (uint64_t)m;
	u128		a = (u128)low * powers[power].low, b = (u128)high * powers[power].low;
	u128		c = (u128)low * powers[power].high, d = (u128)high * powers[power].high;
	u128		middle = (a >> 64) + (uint64_t)b + (uint64_t)c;

	d += (b >> 64) + (c >> 64) + (middle >> 64);
	return d << (128 - shift) | (middle << 64 | (uint64_t)a) >> shift;
}

/* f for the number m * 2^e, whose first digit is at 10^exponent; *unit: the same for 2^e. */
static u128
real_fixed(uint64_t m, int e, int exponent, unsigned most, u128 *unit)
{
	int		k = (int)most - 1 - exponent + STEP * STEPS_BELOW;
	int		power = k / STEP, ten = k % STEP;
	/* The bits before the point of the power: 3483294 / 2^20 is the binary logarithm of 10. */
	int		before = floor_scaled(STEP * (power - STEPS_BELOW), 3483294);
	unsigned	shift = (unsigned)(63 - e - before);

	*unit = scale(tens[ten], (size_t)power, shift);
	return scale((u128)m * tens[ten], (size_t)power, shift);
}

enum fit { FIT_NO, FIT_YES, FIT_UNSURE };

static enum fit
is_less(u128 a, u128 b)
{
	if (a + DOUBT >= b && b + DOUBT >= a)
		return FIT_UNSURE;
	return a < b ? FIT_YES : FIT_NO;
}

/*
 * Round to a multiple of 10^drop, and find out whether it reads back. near: m is a power of two,
 * below which the distance between numbers is half as large.
 */
static enum fit
real_round(u128 f, u128 unit, bool near, unsigned drop, uint64_t *n)
{
	u128		step = (u128)tens[drop] << 64, off;
	enum fit	down;

	*n = (uint64_t)(f >> 64) / tens[drop];
	off = f - *n * step;
	down = is_less(off * 2, step);
	if (down == FIT_UNSURE)
		return FIT_UNSURE;
	if (down == FIT_NO) {
		off = step - off;
		near = false;
		++*n;
	}
	return drop == 0 ? FIT_YES : is_less(off * (near ? 4 : 2), unit);
}

/* The shortest digits of v, which is positive. False: real_try() must find them. */
static bool
real_digits(double v, const struct real_kind *kind, struct decimal *out)
{
	const unsigned	cut = DBL_MANT_DIG - kind->bits;
	uint64_t	bits, m;
	u128		f, unit;
	enum fit	fit = FIT_NO;
	int		e;

	if (v <= kind->min)
		return false;
	memcpy(&bits, &v, sizeof bits);
	m = UINT64_C(1) << (DBL_MANT_DIG - 1);
	m = (m | (bits & (m - 1))) >> cut;
	e = (int)(bits >> (DBL_MANT_DIG - 1)) - 1075 + (int)cut;
	/* 315653 / 2^20 is the decimal logarithm of 2. The estimate may be one too small. */
	out->exponent = floor_scaled(e + (int)kind->bits - 1, 315653);
	f = real_fixed(m, e, out->exponent, kind->most, &unit);
	if ((uint64_t)(f >> 64) >= tens[kind->most])
		f = real_fixed(m, e, ++out->exponent, kind->most, &unit);
	for (out->digits = kind->least; fit == FIT_NO; out->digits++)
		fit = real_round(f, unit, m == UINT64_C(1) << (kind->bits - 1),
		    kind->most - out->digits, &out->n);
	out->digits--;
	if (out->n == tens[out->digits]) {
		out->n /= 10;
		out->exponent++;
	}
	return fit == FIT_YES;
}

/* ---- forms */

/* Write NaN, an infinity or a signed zero. False: v is another number. */
static bool
real_special(struct buf *b, double v)
{
	if (v != v)
		buf_puts(b, "NaN");
	else if (v > DBL_MAX || v < -DBL_MAX)
		buf_puts(b, v > 0 ? "Infinity" : "-Infinity");
	else if (v == 0)
		buf_puts(b, __builtin_signbit(v) ? "-0.0" : "0");
	else
		return false;
	return true;
}

static bool
real_whole(struct buf *b, double v, const struct real_kind *kind)
{
	double		a = v < 0 ? -v : v;
	uint64_t	m = a < (double)tens[kind->least] ? (uint64_t)a : 0;

	if (m == 0 || (double)m != a)
		return false;
	buf_i64(b, v < 0 ? -(int64_t)m : (int64_t)m);
	return true;
}

/* Append the number without trailing zeros: 0.00125 or 1.25e-05, whichever %g would choose. */
static void
real_put(struct buf *b, const struct decimal *d)
{
	bool		plain = d->exponent >= -4 && d->exponent < (int)d->digits;
	unsigned	behind = (unsigned)((int)d->digits - 1 - (plain ? d->exponent : 0)), len;
	uint64_t	n = d->n;
	char		t[DIGITS_MOST];

	for (; behind > 0 && n % 10 == 0; n /= 10)
		behind--;
	len = (unsigned)(digits_u64(t, n) - t);
	if (len > behind)
		buf_add(b, t, len - behind);
	else
		buf_putc(b, '0');
	if (behind > 0)
		buf_putc(b, '.');
	if (len < behind)
		buf_fill(b, '0', behind - len);
	buf_add(b, t + (len > behind ? len - behind : 0), len > behind ? behind : len);
	if (plain)
		return;
	buf_puts(b, d->exponent < 0 ? "e-" : "e+");
	n = (uint64_t)(d->exponent < 0 ? -d->exponent : d->exponent);
	if (n < 10)
		buf_putc(b, '0');
	buf_u64(b, n);
}

/* Subnormal numbers have fewer bits: they are tried from one digit. */
static void
real_try(struct buf *b, double v, const struct real_kind *kind)
{
	bool	tiny = v < kind->min && v > -kind->min, same = false;
	char	t[TEXT_MOST];

	for (unsigned n = tiny ? 1 : kind->least; n <= kind->most && !same; n++) {
		snprintf(t, sizeof t, "%.*g", (int)n, v);
		same = kind == &real_f32 ? (double)strtof(t, NULL) == v : strtod(t, NULL) == v;
	}
	buf_puts(b, t);
}

static void
real_text(struct buf *b, double v, const struct real_kind *kind)
{
	struct decimal	d;

	if (real_special(b, v) || real_whole(b, v, kind))
		return;
	if (!real_digits(v < 0 ? -v : v, kind, &d)) {
		real_try(b, v, kind);
		return;
	}
	if (v < 0)
		buf_putc(b, '-');
	real_put(b, &d);
}

void
buf_f64(struct buf *b, double v)
{
	real_text(b, v, &real_f64);
}

void
buf_f32(struct buf *b, float v)
{
	real_text(b, (double)v, &real_f32);
}

bool
text_number(struct span text, double *v)
{
	char	digits[64], *end;

	if (text.len == 0 || text.len >= sizeof digits)
		return false;
	memcpy(digits, text.p, text.len);
	digits[text.len] = '\0';
	if (strspn(digits, "+-.0123456789eE") != text.len)
		return false;
	*v = strtod(digits, &end);
	return *end == '\0' && end != digits && *v - *v == 0;
}

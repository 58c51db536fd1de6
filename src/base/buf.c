/*
 * Growing text buffer, and numbers as text.
 *
 *   p | text ... | room, at least 1 for a NUL |
 *     0         len                          cap
 *
 * Invariant: cap == 0 (nothing allocated) or len < cap.
 *
 * Numbers never go through the locale: the program keeps LC_NUMERIC at "C", so that the point
 * of snprintf() and strtod() is a point.
 */
#include "tnav/base/buf.h"

#include <float.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tnav/base/digits.h"
#include "tnav/base/mem.h"

#define NUMBER_MAX	48	/* bytes of a number in any of the forms here, and some to spare */

static const char	digit_pairs[] =
    "00010203040506070809" "10111213141516171819" "20212223242526272829"
    "30313233343536373839" "40414243444546474849" "50515253545556575859"
    "60616263646566676869" "70717273747576777879" "80818283848586878889"
    "90919293949596979899";
static const char	hex_digits[] = "0123456789abcdef";

void
buf_init(struct buf *b)
{
	*b = (struct buf){ 0 };
}

void
buf_release(struct buf *b)
{
	mem_free(b->p);
	buf_init(b);
}

void
buf_clear(struct buf *b)
{
	b->len = 0;
}

char *
buf_room(struct buf *b, size_t n)
{
	size_t	need;

	if (n >= b->cap - b->len) {
		/* What wraps can't be had: SIZE_MAX bytes are refused as any other too many. */
		if (__builtin_add_overflow(b->len, n, &need) || need == SIZE_MAX)
			need = SIZE_MAX - 1;
		b->p = mem_grow(b->p, &b->cap, need + 1, 1);
	}
	return b->p + b->len;
}

void
buf_add(struct buf *b, const void *p, size_t len)
{
	if (len == 0)
		return;
	memcpy(buf_room(b, len), p, len);
	b->len += len;
}

void
buf_puts(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void
buf_putc(struct buf *b, char c)
{
	*buf_room(b, 1) = c;
	b->len++;
}

void
buf_fill(struct buf *b, char c, size_t n)
{
	memset(buf_room(b, n), c, n);
	b->len += n;
}

/* Write v so that its last digit lies before end; returns the first. */
static char *
number_before(char *end, uint64_t v)
{
	while (v >= 100) {
		end -= 2;
		memcpy(end, digit_pairs + v % 100 * 2, 2);
		v /= 100;
	}
	if (v >= 10) {
		end -= 2;
		memcpy(end, digit_pairs + v * 2, 2);
	} else {
		*--end = (char)('0' + v);
	}
	return end;
}

void
buf_u64(struct buf *b, uint64_t v)
{
	char	*to = buf_room(b, DIGITS_MOST);

	b->len += (size_t)(digits_u64(to, v) - to);
}

void
buf_i64(struct buf *b, int64_t v)
{
	if (v < 0)
		buf_putc(b, '-');
	buf_u64(b, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void
buf_hex(struct buf *b, uint64_t v, unsigned min_digits)
{
	unsigned	n = v ? (67u - (unsigned)__builtin_clzll(v)) / 4 : 1;
	char		*p;

	if (n < min_digits)
		n = min_digits < NUMBER_MAX ? min_digits : NUMBER_MAX;
	p = buf_room(b, n);
	b->len += n;
	while (n > 0) {
		p[--n] = hex_digits[v & 15];
		v >>= 4;
	}
}

void
buf_bytes_hex(struct buf *b, const void *p, size_t len)
{
	const uint8_t	*from = p;
	char		*to = buf_room(b, len <= SIZE_MAX / 2 ? len * 2 : SIZE_MAX);

	for (size_t i = 0; i < len; i++) {
		*to++ = hex_digits[from[i] >> 4];
		*to++ = hex_digits[from[i] & 15];
	}
	b->len += len * 2;
}

void
buf_grouped(struct buf *b, uint64_t v)
{
	char	t[NUMBER_MAX], *end = t + sizeof t, *p = number_before(end, v);

	while (p < end) {
		buf_putc(b, *p++);
		if (p < end && (end - p) % 3 == 0)
			buf_putc(b, ',');
	}
}

/* NaN, the infinities, zero with its sign: what has no digits to look for. */
static bool
number_special(struct buf *b, double v)
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

/* m / 10^decimals. */
static void
number_fixed(struct buf *b, bool negative, uint64_t m, unsigned decimals)
{
	char	t[NUMBER_MAX], *end = t + sizeof t, *p;

	memset(t, '0', sizeof t);
	p = number_before(end, m);
	if (p >= end - decimals)
		p = end - decimals - 1;
	if (negative)
		buf_putc(b, '-');
	buf_add(b, p, (size_t)(end - decimals - p));
	if (decimals > 0) {
		buf_putc(b, '.');
		buf_add(b, end - decimals, decimals);
	}
}

static bool
number_whole(struct buf *b, double v)
{
	double		a = v < 0 ? -v : v;
	uint64_t	m = a < 1e15 ? (uint64_t)a : 0;

	if (m == 0 || (double)m != a)
		return false;
	number_fixed(b, v < 0, m, 0);
	return true;
}

/* mantissa * 2^-shift, of which so many decimals are digits. */
struct scaled {
	uint64_t	mantissa;
	unsigned	shift;
};

/* The number of 10^-decimals that is nearest, as printf() rounds; *exact: it reads back as it. */
static uint64_t
scaled_round(const struct scaled *s, unsigned decimals, bool *exact)
{
	bool			near = s->mantissa == UINT64_C(1) << (DBL_MANT_DIG - 1);
	unsigned __int128	ten = 1, all, off;
	uint64_t		n;

	for (unsigned i = 0; i < decimals; i++)
		ten *= 10;
	all = ten * s->mantissa;
	n = (uint64_t)(all >> s->shift);
	off = all - ((unsigned __int128)n << s->shift);
	if (off > (unsigned __int128)1 << (s->shift - 1) ||
	    (off == (unsigned __int128)1 << (s->shift - 1) && (n & 1) != 0)) {
		off = ((unsigned __int128)1 << s->shift) - off;
		near = false;
		n++;
	}
	/* Within half of the way to the next double; below a power of two it is twice as near. */
	*exact = near ? off * 4 < ten : off * 2 < ten;
	return n;
}

/*
 * With DBL_DIG digits or more, in exact arithmetic: numbers of so many digits are all different
 * doubles, so the first precision that reads back is the shortest. The bounds are those of %g's
 * plain notation. False: rounding gives a digit more, or no precision reads back for sure.
 */
static bool
number_exact(struct buf *b, double v)
{
	static const double	tens[] = { 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7,
					   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14 };
	double			a = v < 0 ? -v : v;
	struct scaled		s;
	unsigned		before = 0;	/* digits that stand before 10^-4 */
	uint64_t		bits, least = 100000000000000, n;
	bool			exact = false;

	if (a >= 1e15 || a < 1e-4)
		return false;
	memcpy(&bits, &a, sizeof bits);
	s.mantissa = (bits & ((UINT64_C(1) << (DBL_MANT_DIG - 1)) - 1)) |
	    UINT64_C(1) << (DBL_MANT_DIG - 1);
	s.shift = 1075 - (unsigned)(bits >> (DBL_MANT_DIG - 1));
	while (before < sizeof tens / sizeof tens[0] && a >= tens[before])
		before++;
	for (unsigned digits = DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++, least *= 10) {
		unsigned	decimals = digits + 3 - before;

		n = scaled_round(&s, decimals, &exact);
		if (n < least || n / 10 >= least)
			return false;
		if (!exact)
			continue;
		for (; decimals > 0 && n % 10 == 0; n /= 10)
			decimals--;
		number_fixed(b, v < 0, n, decimals);
		return true;
	}
	return false;
}

/* The same within FLT_DIG digits; up to 10^10 powers of ten are exact in a float. */
static bool
number_short_f32(struct buf *b, float v)
{
	float	a = v < 0 ? -v : v, ten = 1;

	if (a >= 1e6f || a < 1e-4f)
		return false;
	for (unsigned k = 0; k <= 6 && a * ten < 1e6f; k++, ten *= 10) {
		uint32_t	m = (uint32_t)(a * ten + 0.5f);

		if (m > 0 && m < 1000000 && (float)m / ten == a) {
			number_fixed(b, v < 0, m, k);
			return true;
		}
	}
	return false;
}

/*
 * Numbers of DBL_DIG digits are all different doubles, so from there on the first precision that
 * reads back is the shortest; the subnormal ones have fewer bits and are tried from one digit.
 */
void
buf_f64(struct buf *b, double v)
{
	char	t[NUMBER_MAX];
	bool	tiny = v < DBL_MIN && v > -DBL_MIN;

	if (number_special(b, v) || number_whole(b, v) || number_exact(b, v))
		return;
	for (int digits = tiny ? 1 : DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
		snprintf(t, sizeof t, "%.*g", digits, v);
		if (strtod(t, NULL) == v)
			break;
	}
	buf_puts(b, t);
}

void
buf_f32(struct buf *b, float v)
{
	char	t[NUMBER_MAX];
	bool	tiny = v < FLT_MIN && v > -FLT_MIN;

	if (number_special(b, (double)v) || number_short_f32(b, v))
		return;
	for (int digits = tiny ? 1 : FLT_DIG; digits <= FLT_DECIMAL_DIG; digits++) {
		snprintf(t, sizeof t, "%.*g", digits, (double)v);
		if (strtof(t, NULL) == v)
			break;
	}
	buf_puts(b, t);
}

void
buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list	ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void
buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	va_list	again;
	char	*p = buf_room(b, 120);
	int	n;

	va_copy(again, ap);
	n = vsnprintf(p, b->cap - b->len, fmt, ap);
	if (n > 0 && (size_t)n >= b->cap - b->len) {
		p = buf_room(b, (size_t)n);
		n = vsnprintf(p, b->cap - b->len, fmt, again);
	}
	va_end(again);
	if (n > 0)
		b->len += (size_t)n;
}

const char *
buf_str(struct buf *b)
{
	*buf_room(b, 0) = '\0';
	return b->p;
}

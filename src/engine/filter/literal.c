/*
 * Literals of the filter language: a text and all its meanings.
 *
 *	0x10        a number                 2.1s      a number of nanoseconds
 *	10KB        a number of bytes        //1/2     the path of an activity
 *	4bf92f35-…  a GUID                   2026-…    a time
 *
 * The field decides which meaning is used; for payload fields this depends on the event. Invariant:
 * num.kind is NUM_NONE unless the whole text is a number.
 */
#include "engine/filter/ast.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/units.h"

#define NS_S	1000000000

#define EXPONENT_MOST	1000000L	/* greater exponents are clipped: the effect is the same */
#define F32_ROUNDS_UP	0x1.ffffffp127	/* halfway from the largest float to 2^128 */

/* ---- numbers */

static bool
parse_hex(struct filter_literal *l)
{
	uint64_t	v = 0;

	if (l->len < 3 || l->text[0] != '0' || (l->text[1] | 0x20) != 'x')
		return false;
	for (size_t i = 2; i < l->len; i++) {
		int	digit = hex_value(l->text[i]);

		if (digit < 0)
			return false;
		l->overflow |= v >> 60 != 0;
		v = v << 4 | (unsigned)digit;
	}
	l->num = (struct filter_num){ .kind = NUM_U, .u = v };
	return true;
}

static bool
parse_integer(struct filter_literal *l)
{
	bool		minus = l->len > 0 && l->text[0] == '-';
	size_t		i = l->len > 0 && (l->text[0] == '-' || l->text[0] == '+');
	uint64_t	v = 0;
	bool		overflow = false;

	if (i == l->len)
		return false;
	for (; i < l->len; i++) {
		if (!is_digit(l->text[i]))
			return false;
		overflow |= __builtin_mul_overflow(v, 10u, &v);
		overflow |= __builtin_add_overflow(v, (uint64_t)(l->text[i] - '0'), &v);
	}
	l->overflow = overflow || (minus && v > (uint64_t)INT64_MAX + 1);
	l->num = (struct filter_num){ .kind = NUM_U, .u = v };
	if (minus && v > 0)	/* written so that the most negative number does not overflow */
		l->num = (struct filter_num){ .kind = NUM_I, .i = -(int64_t)(v - 1) - 1 };
	return true;
}

/* The exponent after the digits, clipped to EXPONENT_MOST. */
static long
parse_exponent(const char *s)
{
	const char	*e = strpbrk(s, "eE");
	long		 v = e != NULL ? strtol(e + 1, NULL, 10) : 0;

	if (v > EXPONENT_MOST)
		return EXPONENT_MOST;
	return v < -EXPONENT_MOST ? -EXPONENT_MOST : v;
}

/* Append a digit to the whole part. */
static void
add_digit(struct filter_num *n, unsigned digit)
{
	n->huge |= __builtin_mul_overflow(n->whole, 10u, &n->whole);
	n->huge |= __builtin_add_overflow(n->whole, (uint64_t)digit, &n->whole);
}

/* The exact digits of a decimal: a double has 53 bits, a field may have 64. */
static void
parse_digits(struct filter_num *n, const char *s)
{
	long	left = (long)strcspn(s + strspn(s, "+-"), ".eE") + parse_exponent(s);

	n->exact = true;
	n->minus = *s == '-';
	for (s += strspn(s, "+-"); is_digit(*s) || *s == '.'; s++) {
		if (*s == '.')
			continue;
		if (left-- > 0)
			add_digit(n, (unsigned)(*s - '0'));
		else
			n->fraction |= *s != '0';
	}
	while (left-- > 0 && n->whole > 0 && !n->huge)
		add_digit(n, 0);
}

/* Parse 1.5 or -2.5e3: digits, point and exponent only; "nan" and "inf" are texts. */
static bool
parse_float(struct filter_literal *l)
{
	char	*end;
	double	 v;

	if (strspn(l->text, "+-0123456789.eE") != l->len)
		return false;
	v = strtod(l->text, &end);
	if (end == l->text || *end != '\0')
		return false;
	l->overflow = isinf(v);
	l->num = (struct filter_num){ .kind = NUM_F, .f = v };
	parse_digits(&l->num, l->text);
	return true;
}

static bool
parse_united(struct filter_literal *l)
{
	int64_t		ns;
	uint64_t	bytes;

	if (units_parse_dur(l->text, l->len, 1, &ns) == ERR_OK) {
		l->unit = UNIT_TIME;
		l->overflow = ns == INT64_MAX || ns == INT64_MIN;
		l->num = (struct filter_num){ .kind = NUM_I, .i = ns };
		return true;
	}
	if (units_parse_bytes(l->text, l->len, &bytes) == ERR_OK) {
		l->unit = UNIT_BYTES;
		l->num = (struct filter_num){ .kind = NUM_U, .u = bytes };
		return true;
	}
	return false;
}

void
literal_classify(struct filter_literal *l)
{
	l->has_guid = guid_parse(l->guid, l->text, l->len);
	l->has_path = activity_path_parse(&l->path, l->text, l->len);
	l->has_utc = units_parse_utc(l->text, l->len, &l->utc) == ERR_OK;
	/* 32 decimal digits may be a GUID or a trace id. */
	if (l->has_guid)
		return;
	if (!parse_hex(l) && !parse_integer(l) && !parse_float(l))
		(void)parse_united(l);
}

void
literal_release(struct filter_literal *l)
{
	mem_free(l->text);
}

/* ---- the exact order of two numbers of any kind */

static int
order_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Compare a with f, which is not a NaN. */
static int
order_u64_double(uint64_t a, double f)
{
	uint64_t	whole;

	if (f < 0)
		return 1;
	if (f >= 18446744073709551616.0)
		return -1;
	whole = (uint64_t)f;
	if (a != whole)
		return order_u64(a, whole);
	return f > (double)whole ? -1 : 0;
}

/* Compare a with the digits of a literal, without their sign. */
static int
order_u64_digits(uint64_t a, const struct filter_num *n)
{
	if (n->huge)
		return -1;
	if (a != n->whole)
		return order_u64(a, n->whole);
	return n->fraction ? -1 : 0;
}

static bool
is_negative(const struct filter_num *n)
{
	return n->kind == NUM_I && n->i < 0;
}

static uint64_t
magnitude(const struct filter_num *n)
{
	return is_negative(n) ? 0 - n->u : n->u;
}

/* Compare a whole number with a decimal literal. */
static int
order_decimal(const struct filter_num *a, const struct filter_num *b)
{
	bool	minus = b->minus && (b->whole > 0 || b->fraction || b->huge);

	if (is_negative(a) != minus)
		return minus ? 1 : -1;
	return minus ? -order_u64_digits(magnitude(a), b) : order_u64_digits(a->u, b);
}

bool
num_whole(const struct filter_num *n, struct filter_num *whole)
{
	*whole = *n;
	if (n->kind != NUM_F)
		return n->kind != NUM_NONE;
	if (!n->exact || n->fraction || n->huge || (n->minus && n->whole > (uint64_t)INT64_MAX + 1))
		return false;
	*whole = (struct filter_num){ .kind = NUM_U, .u = n->whole };
	if (n->minus && n->whole > 0)
		*whole = (struct filter_num){ .kind = NUM_I, .i = -(int64_t)(n->whole - 1) - 1 };
	return true;
}

/* The shortest text of the largest float, 3.4028235e+38, is above it and must be rounded too. */
double
num_round_f32(double f)
{
	if (fabs(f) <= (double)FLT_MAX)
		return (double)(float)f;
	return fabs(f) < F32_ROUNDS_UP ? copysign((double)FLT_MAX, f) : f;
}

bool
num_compare(const struct filter_num *a, const struct filter_num *b, int *order)
{
	if (a->kind == NUM_NONE || b->kind == NUM_NONE)
		return false;
	if ((a->kind == NUM_F && isnan(a->f)) || (b->kind == NUM_F && isnan(b->f)))
		return false;
	if (a->kind == NUM_F && b->kind == NUM_F)
		*order = a->f < b->f ? -1 : a->f > b->f;
	else if (b->kind == NUM_F && b->exact)
		*order = order_decimal(a, b);
	else if (b->kind == NUM_F)
		*order = is_negative(a) ? -order_u64_double(magnitude(a), -b->f)
		    : order_u64_double(a->u, b->f);
	else if (a->kind == NUM_F)
		*order = is_negative(b) ? order_u64_double(magnitude(b), -a->f)
		    : -order_u64_double(b->u, a->f);
	else if (is_negative(a) != is_negative(b))
		*order = is_negative(a) ? -1 : 1;
	else
		*order = is_negative(a) ? order_u64(magnitude(b), magnitude(a))
		    : order_u64(a->u, b->u);
	return true;
}

/* ---- times */

/* Parse 14:03:22.5, a local time on the day on which the trace begins. */
static int
parse_clock(const struct trace_info *info, const char *s, size_t len, int64_t *utc)
{
	struct buf	b = { 0 };
	struct tm	tm;
	time_t		day = (time_t)(info->sync_utc / NS_S);
	int		err;

	if (len < 5 || !is_digit(s[0]) || !is_digit(s[1]) || s[2] != ':' ||
	    localtime_r(&day, &tm) == NULL)
		return ERR_USAGE;
	buf_printf(&b, "%04d-%02d-%02dT", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
	buf_add(&b, s, len);
	err = units_parse_iso(b.p, b.len, utc);
	buf_release(&b);
	return err;
}

int
filter_parse_time(struct trace *t, const char *s, size_t len, int64_t now_ns, int64_t *ns)
{
	static const struct trace_info	 nothing = { .has_sync_utc = true };
	const struct trace_info		*info = t != NULL ? trace_info(t) : &nothing;
	int64_t				 v;
	bool				 zero = len == 1 && *s == '0';

	/* A bare number is refused: it could mean seconds or nanoseconds. */
	if (len > 0 && (zero || !is_digit(s[len - 1])) &&
	    units_parse_dur(s, len, 0, &v) == ERR_OK) {
		*ns = *s == '+' || *s == '-' ? add_i64(now_ns, v) : v;
		return ERR_OK;
	}
	if (!info->has_sync_utc || (units_parse_iso(s, len, &v) != ERR_OK &&
	    parse_clock(info, s, len, &v) != ERR_OK))
		return ERR_USAGE;
	if (info->sync_utc == INT64_MIN)
		return ERR_USAGE;
	*ns = add_i64(v, -info->sync_utc);
	return ERR_OK;
}

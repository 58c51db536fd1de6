/*
 * Numbers and times in readable forms. All arithmetic is on integers: no result depends on rounding
 * modes. 64 bits are enough, except for the few ticks whose ns do not fit.
 *
 *	12.345678s -> 12 * unit + the fraction, floored to the nanosecond
 *
 * Invariant: parsing takes the whole text or fails; a duration beyond 64 bits is saturated.
 */
#include "tnav/base/units.h"

#include <string.h>
#include <time.h>

#include "tnav/base/err.h"
#include "tnav/base/num.h"

#define NS_S		1000000000
#define TICKS_S		10000000u		/* FILETIME: 100 ns */
#define DAY_S		86400
#define FILETIME_DAYS	134774			/* from 1601 to 1970 */
#define FILETIME_END	2650467744000000000u	/* the year 10000 */

static const uint64_t	pow10_u64[] = {
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
};

/* ---- writing */

/*
 * Write frac with `digits` digits in groups of three. trim: leave out groups of zeros at its end.
 * Only whole groups are left out, so that neighbouring values are equally precise: 3.969 130.
 */
static void
put_fraction(struct buf *out, uint64_t frac, unsigned digits, bool trim)
{
	while (trim && digits > 0 && frac % 1000 == 0) {
		frac /= 1000;
		digits -= 3;
	}
	for (unsigned i = 0; i < digits; i++) {
		if (i == 0)
			buf_putc(out, '.');
		else if (i % 3 == 0)
			buf_putc(out, ' ');
		buf_putc(out, (char)('0' + frac / pow10_u64[digits - 1 - i] % 10));
	}
}

static uint64_t
magnitude(int64_t v)
{
	return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

static uint64_t
divide_rounded(uint64_t v, uint64_t by)
{
	return v / by + (v % by >= by - by / 2);
}

/* Round to the digits that are shown. This may reach the next unit: 999.9996 ms becomes 1 s. */
static uint64_t
rounded(uint64_t v, bool fine)
{
	uint64_t	step = 1;

	if (v >= 10ull * NS_S || (v >= NS_S && !fine))
		step = 1000000;
	else if (v >= 1000000)
		step = 1000;
	return divide_rounded(v, step) * step;
}

/* Whole units, or three digits after the point (six for some seconds). */
void
units_dur(struct buf *out, int64_t ns, bool ascii)
{
	uint64_t	v = rounded(magnitude(ns), true);

	if (ns < 0)
		buf_putc(out, '-');
	if (v < 1000) {
		buf_u64(out, v);
		buf_puts(out, " ns");
	} else if (v < 1000000) {
		buf_u64(out, v / 1000);
		put_fraction(out, v % 1000, 3, true);
		buf_puts(out, ascii ? " us" : " \xc2\xb5s");
	} else if (v < NS_S) {
		buf_u64(out, v / 1000000);
		put_fraction(out, v / 1000 % 1000, 3, true);
		buf_puts(out, " ms");
	} else if (v < 10ull * NS_S) {
		buf_u64(out, v / NS_S);
		put_fraction(out, v / 1000 % 1000000, 6, true);
		buf_puts(out, " s");
	} else {
		buf_grouped(out, v / NS_S);
		put_fraction(out, v / 1000000 % 1000, 3, true);
		buf_puts(out, " s");
	}
}

void
units_dur_aligned(struct buf *out, int64_t ns, bool ascii)
{
	uint64_t	v = rounded(magnitude(ns), false), unit = NS_S;
	const char	*name = " s";

	if (v < NS_S) {
		unit = v < 1000000 ? 1000 : 1000000;
		name = unit == 1000000 ? " ms" : ascii ? " us" : " \xc2\xb5s";
	}
	if (ns < 0)
		buf_putc(out, '-');
	if (v < 1000) {
		buf_u64(out, v);
		buf_puts(out, " ns");
		return;
	}
	buf_grouped(out, v / unit);
	put_fraction(out, v % unit / (unit / 1000), 3, false);
	buf_puts(out, name);
}

void
units_secs(struct buf *out, int64_t ns, unsigned decimals)
{
	uint64_t	v = magnitude(ns), step;

	if (decimals > 9)
		decimals = 9;
	step = pow10_u64[9 - decimals];
	/* Rounding down moves a negative time away from zero. */
	v = v / step + (ns < 0 && v % step != 0);
	if (ns < 0)
		buf_putc(out, '-');
	buf_u64(out, v / pow10_u64[decimals]);
	put_fraction(out, v % pow10_u64[decimals], decimals, false);
}

void
units_secs_exact(struct buf *out, int64_t ns)
{
	uint64_t	v = magnitude(ns);
	size_t		point;

	if (ns < 0)
		buf_putc(out, '-');
	buf_u64(out, v / NS_S);
	point = out->len;
	buf_u64(out, NS_S + v % NS_S);		/* 1 and nine digits */
	out->p[point] = '.';
}

/* Write v in the largest unit that it reaches, each a thousand times the last; one decimal
   below a hundred. */
static void
put_scaled(struct buf *out, uint64_t v, const char *const *names, size_t n)
{
	uint64_t	unit = 1, tenths;
	size_t		i = 0;

	while (i + 1 < n && divide_rounded(v, unit) >= 1000) {
		unit *= 1000;
		i++;
	}
	tenths = i == 0 ? 1000 : divide_rounded(v, unit / 10);
	if (tenths < 1000)
		buf_printf(out, "%u.%u", (unsigned)(tenths / 10), (unsigned)(tenths % 10));
	else
		buf_u64(out, divide_rounded(v, unit));
	if (names[i][0] != '\0')
		buf_putc(out, ' ');
	buf_puts(out, names[i]);
}

void
units_dur_short(struct buf *out, int64_t ns, bool ascii)
{
	const char *const	names[] = { "ns", ascii ? "us" : "\xc2\xb5s", "ms", "s" };

	if (ns < 0)
		buf_putc(out, '-');
	put_scaled(out, magnitude(ns), names, sizeof names / sizeof names[0]);
}

void
units_bytes(struct buf *out, uint64_t bytes)
{
	static const char *const	names[] = { "B", "KB", "MB", "GB", "TB", "PB", "EB" };

	put_scaled(out, bytes, names, sizeof names / sizeof names[0]);
}

void
units_count(struct buf *out, uint64_t n)
{
	static const char *const	names[] = { "", "k", "M", "G", "T", "P", "E" };

	if (n < 1000000)
		buf_grouped(out, n);
	else
		put_scaled(out, n, names, sizeof names / sizeof names[0]);
}

void
units_count_in(struct buf *out, uint64_t n, size_t cells)
{
	static const char *const	names[] = { "", "k", "M", "G", "T", "P", "E" };
	size_t				at = out->len, i = 0;

	buf_grouped(out, n);
	if (out->len - at > cells) {
		out->len = at;
		put_scaled(out, n, names, sizeof names / sizeof names[0]);
	}
	if (out->len - at <= cells)
		return;
	out->len = at;
	for (; n >= 1000; i++)
		n = divide_rounded(n, 1000);
	buf_u64(out, n);
	if (out->len - at + 2 <= cells)
		buf_putc(out, ' ');
	buf_puts(out, names[i]);
}

/* ---- the calendar */

int64_t
units_days(int64_t year, unsigned month, unsigned day)
{
	int64_t		y = month <= 2 ? year - 1 : year;	/* years from March */
	int64_t		era = (y >= 0 ? y : y - 399) / 400;
	int64_t		of_era = y - era * 400;
	int64_t		of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static void
put_date_time(struct buf *out, int64_t days, unsigned sec, uint64_t frac, unsigned decimals)
{
	int64_t		z = days + 719468;
	int64_t		era = (z >= 0 ? z : z - 146096) / 146097;
	int64_t		of_era = z - era * 146097;
	int64_t		y = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int64_t		of_year = of_era - (365 * y + y / 4 - y / 100);
	int		mp = (int)((5 * of_year + 2) / 153);
	int		day = (int)(of_year - (153 * mp + 2) / 5) + 1;
	int		month = mp < 10 ? mp + 3 : mp - 9;
	int		year = (int)(y + era * 400 + (month <= 2));

	buf_printf(out, "%04d-%02d-%02dT%02u:%02u:%02u", year, month, day, sec / 3600,
	    sec / 60 % 60, sec % 60);
	if (decimals > 0)
		buf_printf(out, ".%0*llu", (int)decimals, (unsigned long long)frac);
	buf_putc(out, 'Z');
}

void
units_utc(struct buf *out, int64_t ns, unsigned decimals)
{
	int64_t		sec = ns / NS_S, rest = ns % NS_S, days, of_day;

	if (decimals > 9)
		decimals = 9;
	if (rest < 0) {
		rest += NS_S;
		sec--;
	}
	days = sec / DAY_S;
	of_day = sec % DAY_S;
	if (of_day < 0) {
		of_day += DAY_S;
		days--;
	}
	put_date_time(out, days, (unsigned)of_day, (uint64_t)rest / pow10_u64[9 - decimals],
	    decimals);
}

void
units_local(struct buf *out, int64_t ns, unsigned decimals)
{
	int64_t		sec = ns / NS_S - (ns % NS_S < 0), rest = ns - sec * NS_S;
	time_t		t = (time_t)sec;
	struct tm	tm;

	if (localtime_r(&t, &tm) == NULL) {
		units_utc(out, ns, decimals);
		return;
	}
	buf_printf(out, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
	if (decimals > 0)
		buf_printf(out, ".%0*llu", (int)decimals, (unsigned long long)
		    ((uint64_t)rest / pow10_u64[9 - decimals]));
}

void
units_filetime(struct buf *out, uint64_t filetime)
{
	uint64_t	sec = filetime / TICKS_S;

	if (filetime >= FILETIME_END) {
		buf_u64(out, filetime);
		return;
	}
	put_date_time(out, (int64_t)(sec / DAY_S) - FILETIME_DAYS, (unsigned)(sec % DAY_S),
	    filetime % TICKS_S, 7);
}

/* ---- reading */

struct text_in {
	const char	*p, *end;
};

/* Is the rest of the input equal to s? */
static bool
rest_is(const struct text_in *in, const char *s)
{
	size_t	n = strlen(s);

	return (size_t)(in->end - in->p) == n && memcmp(in->p, s, n) == 0;
}

struct unit {
	const char	*name;
	uint64_t	 size;
};

static const struct unit	dur_units[] = {
	{ "ns", 1 }, { "us", 1000 }, { "\xc2\xb5s", 1000 }, { "\xce\xbcs", 1000 },
	{ "ms", 1000000 }, { "s", NS_S }, { "m", 60ull * NS_S }, { "h", 3600ull * NS_S },
	{ NULL, 0 },
};

static const struct unit	byte_units[] = {
	{ "B", 1 }, { "KB", 1000 }, { "MB", 1000000 }, { "GB", 1000000000 },
	{ "KiB", 1u << 10 }, { "MiB", 1u << 20 }, { "GiB", 1u << 30 },
	{ NULL, 0 },
};

/*
 * DIGITS[.DIGITS][UNIT]: the value in the smallest unit, floored; UINT64_MAX if it is greater.
 * The fraction is taken from its last digit upward: floor((floor(x) + n) / 10) is exact.
 */
static int
parse_scaled(struct text_in in, const struct unit *units, uint64_t bare, uint64_t *out)
{
	const char	*whole = in.p, *frac, *frac_end;
	uint64_t	 v = 0, part = 0, unit = bare;

	while (in.p < in.end && is_digit(*in.p))
		in.p++;
	if (in.p == whole)
		return ERR_USAGE;
	frac = frac_end = in.p;
	if (in.end - in.p >= 2 && in.p[0] == '.' && is_digit(in.p[1])) {
		frac = ++in.p;
		while (in.p < in.end && is_digit(*in.p))
			in.p++;
		frac_end = in.p;
	}
	if (in.p < in.end) {
		while (units->name != NULL && !rest_is(&in, units->name))
			units++;
		if (units->name == NULL)
			return ERR_USAGE;
		unit = units->size;
	}
	for (; whole < in.end && is_digit(*whole); whole++)
		if (__builtin_mul_overflow(v, 10u, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*whole - '0'), &v))
			v = UINT64_MAX;
	while (frac_end > frac)
		part = (part + (uint64_t)(*--frac_end - '0') * unit) / 10;
	if (__builtin_mul_overflow(v, unit, &v) || __builtin_add_overflow(v, part, &v))
		v = UINT64_MAX;
	*out = v;
	return ERR_OK;
}

int
units_parse_dur(const char *s, size_t len, int64_t unit_ns, int64_t *ns)
{
	struct text_in	in = { s, s + len };
	bool		minus = len > 0 && *s == '-';
	uint64_t	v;

	if (len > 0 && (*s == '-' || *s == '+'))
		in.p++;
	if (unit_ns < 0 || parse_scaled(in, dur_units, (uint64_t)unit_ns, &v) != ERR_OK)
		return ERR_USAGE;
	if (v > INT64_MAX)
		*ns = minus ? INT64_MIN : INT64_MAX;
	else
		*ns = minus ? -(int64_t)v : (int64_t)v;
	return ERR_OK;
}

int
units_parse_bytes(const char *s, size_t len, uint64_t *bytes)
{
	struct text_in	in = { s, s + len };
	uint64_t	v;

	if (parse_scaled(in, byte_units, 1, &v) != ERR_OK || v == UINT64_MAX)
		return ERR_USAGE;
	*bytes = v;
	return ERR_OK;
}

/* Exactly n digits. */
static bool
take_digits(struct text_in *in, unsigned n, unsigned *v)
{
	*v = 0;
	for (; n > 0; n--, in->p++) {
		if (in->p >= in->end || !is_digit(*in->p))
			return false;
		*v = *v * 10 + (unsigned)(*in->p - '0');
	}
	return true;
}

static bool
take_char(struct text_in *in, char c)
{
	if (in->p >= in->end || *in->p != c)
		return false;
	in->p++;
	return true;
}

static unsigned
month_days(unsigned year, unsigned month)
{
	if (month == 2)
		return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
	return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

struct iso {
	unsigned	year, month, day, hour, min, sec;
	uint64_t	frac_ns;
};

/* .5 ,519 : digits past the ninth are dropped. */
static bool
take_fraction(struct text_in *in, uint64_t *ns)
{
	unsigned	n = 0;

	*ns = 0;
	if (!take_char(in, '.') && !take_char(in, ','))
		return true;
	for (; in->p < in->end && is_digit(*in->p); in->p++)
		if (n++ < 9)
			*ns = *ns * 10 + (uint64_t)(*in->p - '0');
	if (n > 0 && n < 9)
		*ns *= pow10_u64[9 - n];
	return n > 0;
}

static bool
take_iso(struct text_in *in, struct iso *t)
{
	if (!take_digits(in, 4, &t->year) || !take_char(in, '-') ||
	    !take_digits(in, 2, &t->month) || !take_char(in, '-') ||
	    !take_digits(in, 2, &t->day))
		return false;
	if (t->year == 0 || t->month == 0 || t->month > 12 || t->day == 0 ||
	    t->day > month_days(t->year, t->month))
		return false;
	if (!take_char(in, 'T') && !take_char(in, ' '))
		return true;
	if (!take_digits(in, 2, &t->hour) || !take_char(in, ':') || !take_digits(in, 2, &t->min))
		return false;
	if (take_char(in, ':') &&
	    (!take_digits(in, 2, &t->sec) || !take_fraction(in, &t->frac_ns)))
		return false;
	return t->hour < 24 && t->min < 60 && t->sec < 60;
}

/* Z or +HH:MM or +HHMM; seconds east of Greenwich. */
static bool
take_offset(struct text_in *in, int64_t *east)
{
	bool		minus = in->p < in->end && *in->p == '-';
	unsigned	h, m = 0;

	*east = 0;
	if (take_char(in, 'Z') || take_char(in, 'z'))
		return true;
	if (!take_char(in, '+') && !take_char(in, '-'))
		return false;
	if (!take_digits(in, 2, &h))
		return false;
	if ((take_char(in, ':') || in->p < in->end) && !take_digits(in, 2, &m))
		return false;
	*east = ((int64_t)h * 60 + m) * (minus ? -60 : 60);
	return h < 24 && m < 60;
}

/* The machine's local time as seconds since 1970. */
static bool
local_secs(const struct iso *t, int64_t *sec)
{
	struct tm	tm = {
		.tm_year = (int)t->year - 1900, .tm_mon = (int)t->month - 1,
		.tm_mday = (int)t->day, .tm_hour = (int)t->hour, .tm_min = (int)t->min,
		.tm_sec = (int)t->sec, .tm_isdst = -1, .tm_wday = -1,
	};
	time_t		r = mktime(&tm);

	*sec = (int64_t)r;
	return tm.tm_wday != -1;	/* mktime() sets it unless it failed */
}

int
units_parse_utc(const char *s, size_t len, struct utc *at)
{
	struct text_in	in = { s, s + len };
	struct iso	t = { 0 };
	int64_t		east;

	if (!take_iso(&in, &t))
		return ERR_USAGE;
	if (in.p == in.end) {
		if (!local_secs(&t, &at->sec))
			return ERR_USAGE;
	} else {
		if (!take_offset(&in, &east) || in.p != in.end)
			return ERR_USAGE;
		at->sec = units_days(t.year, t.month, t.day) * DAY_S +
		    (int64_t)(t.hour * 3600 + t.min * 60 + t.sec) - east;
	}
	at->ns = (uint32_t)t.frac_ns;
	return ERR_OK;
}

int
units_parse_iso(const char *s, size_t len, int64_t *ns)
{
	struct utc	at;

	if (units_parse_utc(s, len, &at) != ERR_OK)
		return ERR_USAGE;
	if (__builtin_mul_overflow(at.sec, (int64_t)NS_S, ns) ||
	    __builtin_add_overflow(*ns, (int64_t)at.ns, ns))
		*ns = at.sec < 0 ? INT64_MIN : INT64_MAX;
	return ERR_OK;
}

/* ---- ticks */

static int64_t
saturate(__int128 v)
{
	return v > INT64_MAX ? INT64_MAX : v < INT64_MIN ? INT64_MIN : (int64_t)v;
}

static __int128
div_floor(__int128 a, __int128 b)
{
	__int128	q = a / b;

	return q - (a % b != 0 && (a < 0) != (b < 0));
}

/* Without a division of 128 bits, which is slow. False: more than 64 bits may be needed. */
static bool
ticks_fit(int64_t ticks, int64_t freq, int64_t *ns)
{
	int64_t	sec, rest;

	if (freq == NS_S) {
		*ns = ticks;
		return true;
	}
	if (freq <= NS_S && NS_S % (int)freq == 0)	/* divisions of 32 bits */
		return !__builtin_mul_overflow(ticks, NS_S / (int)freq, ns);
	if (freq > INT64_MAX / NS_S)
		return false;
	sec = ticks / freq;
	rest = ticks % freq;
	if (rest < 0) {
		rest += freq;
		sec--;
	}
	return !__builtin_mul_overflow(sec, NS_S, ns) &&
	    !__builtin_add_overflow(*ns, rest * NS_S / freq, ns);
}

int64_t
units_ticks_ns(int64_t ts, int64_t sync, int64_t freq)
{
	int64_t	ticks, ns;

	if (!__builtin_sub_overflow(ts, sync, &ticks) && ticks_fit(ticks, freq, &ns))
		return ns;
	return saturate(div_floor(((__int128)ts - sync) * NS_S, freq));
}

int64_t
units_ns_ticks(int64_t ns, int64_t sync, int64_t freq)
{
	return saturate(sync - div_floor(-(__int128)ns * freq, NS_S));
}

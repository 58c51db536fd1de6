/*
 * Units: numbers and times written and read. Expected texts are listed; dates are compared with the
 * C library's calendar.
 */
#include <time.h>

#include "../support/cases.h"
#include "tnav/base/err.h"
#include "tnav/base/num.h"
#include "tnav/base/units.h"

CASE(dur)
{
	units_dur(out, case_i64(arg[0]), arg[1].len == 0);
}

CASE(dur_aligned)
{
	units_dur_aligned(out, case_i64(arg[0]), true);
}

CASE(dur_short)
{
	units_dur_short(out, case_i64(arg[0]), true);
}

CASE(secs)
{
	units_secs(out, case_i64(arg[0]), (unsigned)case_u64(arg[1]));
}

CASE(secs_exact)
{
	units_secs_exact(out, case_i64(arg[0]));
}

CASE(bytes)
{
	units_bytes(out, case_u64(arg[0]));
}

CASE(count)
{
	units_count(out, case_u64(arg[0]));
}

CASE(count_in)
{
	units_count_in(out, case_u64(arg[0]), case_u64(arg[1]));
}

CASE(utc)
{
	units_utc(out, case_i64(arg[0]), (unsigned)case_u64(arg[1]));
}

CASE(filetime)
{
	units_filetime(out, case_u64(arg[0]));
}

CASE(parse_dur)
{
	int64_t	ns;

	if (case_good(out, units_parse_dur((const char *)arg[0].p, arg[0].len, 1000, &ns)))
		buf_i64(out, ns);
}

CASE(parse_bytes)
{
	uint64_t	n;

	if (case_good(out, units_parse_bytes((const char *)arg[0].p, arg[0].len, &n)))
		buf_u64(out, n);
}

/* The second argument is a time zone. */
CASE(parse_iso)
{
	int64_t	ns;

	assert_int_equal(setenv("TZ", case_text(arg[1]), 1), 0);
	tzset();
	if (case_good(out, units_parse_iso((const char *)arg[0].p, arg[0].len, &ns)))
		buf_i64(out, ns);
}

CASE(parse_utc)
{
	struct utc	at;

	if (case_good(out, units_parse_utc((const char *)arg[0].p, arg[0].len, &at)))
		buf_printf(out, "%lld %u", (long long)at.sec, (unsigned)at.ns);
}

CASE(u64_of)
{
	buf_u64(out, u64_of(case_f64(arg[0])));
}

CASE(i64_of)
{
	buf_i64(out, i64_of(case_f64(arg[0])));
}

CASE(percent_of)
{
	buf_u64(out, percent_of(case_f64(arg[0])));
}

CASES("units.txt", 170)

TEST(a_count_has_room_in_four_cells)
{
	for (uint64_t n = 1; n < UINT64_MAX / 7; n = n * 7 + 3) {
		struct buf	*b = test_buf();

		units_count_in(b, n, 4);
		assert_true(b->len <= 4);
	}
}

TEST(dates_are_those_of_the_c_library)
{
	struct buf	*b = test_buf();

	for (int64_t sec = -9223372036; sec < 9223372036; sec += 7654321) {
		time_t		t = (time_t)sec;
		struct tm	tm;
		char		want[64];

		assert_non_null(gmtime_r(&t, &tm));
		(void)strftime(want, sizeof want, "%Y-%m-%dT%H:%M:%S.000Z", &tm);
		buf_clear(b);
		units_utc(b, sec * 1000000000, 3);
		assert_string_equal(buf_str(b), want);
		assert_int_equal(units_days(tm.tm_year + 1900, (unsigned)tm.tm_mon + 1,
		    (unsigned)tm.tm_mday) * 86400 + tm.tm_hour * 3600 + tm.tm_min * 60 +
		    tm.tm_sec, sec);
	}
}

TEST(a_month_has_its_days)
{
	static const unsigned	days[] = { 31, 0, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	static const struct {
		unsigned	year, february;
	} years[] = { { 1970, 28 }, { 1972, 29 }, { 2000, 29 }, { 2100, 28 }, { 2026, 28 } };

	for (size_t i = 0; i < sizeof years / sizeof years[0]; i++) {
		for (unsigned month = 1; month <= 12; month++) {
			unsigned	last = month == 2 ? years[i].february : days[month - 1];
			char		day[32];
			int64_t		ns;

			(void)snprintf(day, sizeof day, "%u-%02u-%02uT00:00Z", years[i].year, month, last);
			assert_int_equal(units_parse_iso(day, strlen(day), &ns), ERR_OK);
			(void)snprintf(day, sizeof day, "%u-%02u-%02uT00:00Z", years[i].year, month,
			    last + 1);
			assert_int_equal(units_parse_iso(day, strlen(day), &ns), ERR_USAGE);
		}
	}
}

/* floor((ts - sync) * 10^9 / freq), with 128 bits. */
static int64_t
ns_of(int64_t ts, int64_t sync, int64_t freq)
{
	__int128	a = ((__int128)ts - sync) * 1000000000, q = a / freq;

	q -= a % freq < 0;
	return q > INT64_MAX ? INT64_MAX : q < INT64_MIN ? INT64_MIN : (int64_t)q;
}

TEST(ticks_of_any_clock_are_ns_rounded_down_and_saturated)
{
	static const int64_t	freq[] = {
		1, 3, 7, 1000, 10000000, 2740000, 2533203, 999999999, 1000000000, 1000000001,
		INT64_C(9223372036), INT64_C(9223372037), INT64_MAX,
	};
	static const int64_t	at[] = {
		0, 1, -1, 2, -7, 999, 10000001, -10000001, INT64_C(9223372036),
		INT64_C(-9223372037), INT64_C(92233720368547758), INT64_C(-92233720368547759),
		INT64_MAX, INT64_MIN, INT64_MAX - 1, INT64_MIN + 1,
	};
	size_t			n = sizeof at / sizeof at[0];

	for (size_t f = 0; f < sizeof freq / sizeof freq[0]; f++)
		for (size_t i = 0; i < n * n; i++)
			assert_int_equal(units_ticks_ns(at[i / n], at[i % n], freq[f]),
			    ns_of(at[i / n], at[i % n], freq[f]));
}

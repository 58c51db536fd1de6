/*
 * Units: numbers and times written and read. Expected texts are written out; dates are compared
 * with the C library's calendar.
 */
#include <math.h>
#include <time.h>

#include "../support/test.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/units.h"

static struct buf	text;

static const char *
dur(int64_t ns)
{
	buf_clear(&text);
	units_dur(&text, ns, true);
	return buf_str(&text);
}

static const char *
secs(int64_t ns, unsigned decimals)
{
	buf_clear(&text);
	units_secs(&text, ns, decimals);
	return buf_str(&text);
}

static const char *
bytes(uint64_t n)
{
	buf_clear(&text);
	units_bytes(&text, n);
	return buf_str(&text);
}

static const char *
count(uint64_t n)
{
	buf_clear(&text);
	units_count(&text, n);
	return buf_str(&text);
}

static const char *
count_in(uint64_t n, size_t cells)
{
	buf_clear(&text);
	units_count_in(&text, n, cells);
	return buf_str(&text);
}

TEST(a_count_is_abbreviated_as_far_as_there_is_no_room)
{
	assert_string_equal(count_in(128512, 7), "128,512");
	assert_string_equal(count_in(128512, 6), "129 k");
	assert_string_equal(count_in(128512, 4), "129k");
	assert_string_equal(count_in(15403, 5), "15 k");
	assert_string_equal(count_in(15403, 4), "15 k");
	assert_string_equal(count_in(154030, 4), "154k");
	assert_string_equal(count_in(999600, 5), "1.0 M");
	assert_string_equal(count_in(4812233, 8), "4.8 M");
	assert_string_equal(count_in(999, 3), "999");
	for (uint64_t n = 1; n < UINT64_MAX / 7; n = n * 7 + 3)
		assert_true(strlen(count_in(n, 4)) <= 4);
}

TEST(durations_of_a_column_have_three_digits_after_the_point)
{
	static const struct { int64_t ns; const char *text; } want[] = {
		{ 7, "7 ns" }, { 999, "999 ns" }, { 1000, "1.000 us" }, { 91500, "91.500 us" },
		{ 3100000, "3.100 ms" }, { -3125999, "-3.126 ms" }, { 1000000000, "1.000 s" },
		{ 12345678901234, "12,345.679 s" }, { INT64_MIN, "-9,223,372,036.855 s" },
		{ 999999, "999.999 us" }, { 999999499, "999.999 ms" }, { 999999500, "1.000 s" },
	};

	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		buf_clear(&text);
		units_dur_aligned(&text, want[i].ns, true);
		assert_string_equal(buf_str(&text), want[i].text);
	}
}

TEST(short_durations_have_a_decimal_below_a_hundred)
{
	static const struct { int64_t ns; const char *text; } want[] = {
		{ 0, "0 ns" }, { 999, "999 ns" }, { 1000, "1.0 us" }, { 2789000, "2.8 ms" },
		{ 99949, "99.9 us" }, { 99950, "100 us" }, { 999499, "999 us" },
		{ 999500, "1.0 ms" }, { -3150000, "-3.2 ms" }, { 12345678901234, "12346 s" },
	};

	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		buf_clear(&text);
		units_dur_short(&text, want[i].ns, true);
		assert_string_equal(buf_str(&text), want[i].text);
	}
}

static const char *
utc(int64_t ns, unsigned decimals)
{
	buf_clear(&text);
	units_utc(&text, ns, decimals);
	return buf_str(&text);
}

static const char *
filetime(uint64_t v)
{
	buf_clear(&text);
	units_filetime(&text, v);
	return buf_str(&text);
}

TEST(durations_have_none_three_or_six_digits_and_a_unit)
{
	assert_string_equal(dur(0), "0 ns");
	assert_string_equal(dur(800), "800 ns");
	assert_string_equal(dur(91000), "91 us");
	assert_string_equal(dur(1204000), "1.204 ms");
	assert_string_equal(dur(3100000), "3.100 ms");
	assert_string_equal(dur(2789500), "2.790 ms");
	assert_string_equal(dur(999999499), "999.999 ms");
	assert_string_equal(dur(999999500), "1 s");
	assert_string_equal(dur(1604311000), "1.604 311 s");
	assert_string_equal(dur(3969130000), "3.969 130 s");
	assert_string_equal(dur(3969000000), "3.969 s");
	assert_string_equal(dur(19210000000), "19.210 s");
	assert_string_equal(dur(2000000000), "2 s");
	assert_string_equal(dur(18402000000), "18.402 s");
	assert_string_equal(dur(-3100000), "-3.100 ms");
	assert_string_equal(dur(INT64_MAX), "9,223,372,036.855 s");
	assert_string_equal(dur(INT64_MIN), "-9,223,372,036.855 s");
	buf_clear(&text);
	units_dur(&text, 1500, false);
	assert_string_equal(buf_str(&text), "1.500 \xc2\xb5s");
}

TEST(seconds_are_rounded_down)
{
	assert_string_equal(secs(1604311999, 6), "1.604 311");
	assert_string_equal(secs(1604311999, 3), "1.604");
	assert_string_equal(secs(1604311999, 9), "1.604 311 999");
	assert_string_equal(secs(1999999999, 0), "1");
	assert_string_equal(secs(-1, 0), "-1");
	assert_string_equal(secs(-1, 3), "-0.001");
	assert_string_equal(secs(-1500000000, 1), "-1.5");
	assert_string_equal(secs(0, 3), "0.000");
	assert_string_equal(secs(INT64_MIN, 9), "-9223372036.854 775 808");
}

TEST(bytes_and_counts_are_rounded_to_the_nearest)
{
	assert_string_equal(bytes(0), "0 B");
	assert_string_equal(bytes(999), "999 B");
	assert_string_equal(bytes(1000), "1.0 KB");
	assert_string_equal(bytes(1949), "1.9 KB");
	assert_string_equal(bytes(1950), "2.0 KB");
	assert_string_equal(bytes(99949), "99.9 KB");
	assert_string_equal(bytes(99950), "100 KB");
	assert_string_equal(bytes(999499), "999 KB");
	assert_string_equal(bytes(999500), "1.0 MB");
	assert_string_equal(bytes(999999), "1.0 MB");
	assert_string_equal(bytes(1900000000), "1.9 GB");
	assert_string_equal(bytes(UINT64_MAX), "18.4 EB");
	assert_string_equal(count(7), "7");
	assert_string_equal(count(128512), "128,512");
	assert_string_equal(count(4812233), "4.8 M");
}

TEST(dates_are_those_of_the_c_library)
{
	for (int64_t sec = -9223372036; sec < 9223372036; sec += 7654321) {
		time_t		t = (time_t)sec;
		struct tm	tm;
		char		want[64];

		assert_non_null(gmtime_r(&t, &tm));
		(void)strftime(want, sizeof want, "%Y-%m-%dT%H:%M:%S.000Z", &tm);
		assert_string_equal(utc(sec * 1000000000, 3), want);
		assert_int_equal(units_days(tm.tm_year + 1900, (unsigned)tm.tm_mon + 1,
		    (unsigned)tm.tm_mday) * 86400 + tm.tm_hour * 3600 + tm.tm_min * 60 +
		    tm.tm_sec, sec);
	}
	assert_string_equal(utc(-1, 9), "1969-12-31T23:59:59.999999999Z");
	assert_string_equal(utc(-1, 0), "1969-12-31T23:59:59Z");
	assert_string_equal(utc(INT64_MAX, 9), "2262-04-11T23:47:16.854775807Z");
	assert_string_equal(utc(INT64_MIN, 9), "1677-09-21T00:12:43.145224192Z");
}

TEST(filetimes_of_the_years_1601_to_9999)
{
	assert_string_equal(filetime(0), "1601-01-01T00:00:00.0000000Z");
	assert_string_equal(filetime(116444736000000000), "1970-01-01T00:00:00.0000000Z");
	assert_string_equal(filetime(2650467743999999999u), "9999-12-31T23:59:59.9999999Z");
	assert_string_equal(filetime(2650467744000000000u), "2650467744000000000");
	assert_string_equal(filetime(UINT64_MAX), "18446744073709551615");
}

TEST(exact_seconds_have_nine_digits_after_the_point)
{
	static const struct { int64_t ns; const char *text; }	known[] = {
		{ 0, "0.000000000" }, { 1, "0.000000001" }, { -1, "-0.000000001" },
		{ 999999999, "0.999999999" }, { 1000000000, "1.000000000" },
		{ 1604311000, "1.604311000" }, { -12000000034, "-12.000000034" },
		{ INT64_MAX, "9223372036.854775807" }, { INT64_MIN, "-9223372036.854775808" },
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		buf_clear(&text);
		units_secs_exact(&text, known[i].ns);
		assert_string_equal(buf_str(&text), known[i].text);
	}
}

/* INT64_MIN + 1 means a text that is refused. */
#define REFUSED	(INT64_MIN + 1)

static int64_t
parsed_dur(const char *s)
{
	char	*exact = mem_alloc(strlen(s));
	int64_t	 ns = REFUSED;

	memcpy(exact, s, strlen(s));
	if (units_parse_dur(exact, strlen(s), 1000, &ns) != ERR_OK)
		ns = REFUSED;
	mem_free(exact);
	return ns;
}

TEST(durations_are_read_exactly)
{
	assert_int_equal(parsed_dur("7"), 7000);
	assert_int_equal(parsed_dur("7ns"), 7);
	assert_int_equal(parsed_dur("5us"), 5000);
	assert_int_equal(parsed_dur("5\xc2\xb5s"), 5000);
	assert_int_equal(parsed_dur("5\xce\xbcs"), 5000);
	assert_int_equal(parsed_dur("1500ms"), 1500000000);
	assert_int_equal(parsed_dur("2.1s"), 2100000000);
	assert_int_equal(parsed_dur("-2.1s"), -2100000000);
	assert_int_equal(parsed_dur("+0.5m"), 30000000000);
	assert_int_equal(parsed_dur("1.5h"), 5400000000000);
	assert_int_equal(parsed_dur("0.0000000019s"), 1);
	assert_int_equal(parsed_dur("0.12345678987654321h"), 444444443555);
	assert_int_equal(parsed_dur("9223372036854775807ns"), INT64_MAX);
	assert_int_equal(parsed_dur("9223372036854775808ns"), INT64_MAX);
	assert_int_equal(parsed_dur("99999999999999999999999h"), INT64_MAX);
	assert_int_equal(parsed_dur("-99999999999999999999999h"), INT64_MIN);
}

TEST(what_is_no_duration_is_refused)
{
	static const char *const	bad[] = {
		"", "-", "+", "s", ".5s", "1.", "1.s", "1..2", "1 s", "1sec", "1ss", "0x10",
		"1e3", "--1", "1-", "1\xc2s", "1.5.2s",
	};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_int_equal(parsed_dur(bad[i]), REFUSED);
}

TEST(bytes_are_read_and_too_many_refused)
{
	uint64_t	n;

	assert_int_equal(units_parse_bytes("17", 2, &n), ERR_OK);
	assert_int_equal(n, 17);
	assert_int_equal(units_parse_bytes("10KB", 4, &n), ERR_OK);
	assert_int_equal(n, 10000);
	assert_int_equal(units_parse_bytes("4MiB", 4, &n), ERR_OK);
	assert_int_equal(n, 4194304);
	assert_int_equal(units_parse_bytes("1.5GB", 5, &n), ERR_OK);
	assert_int_equal(n, 1500000000);
	assert_int_equal(units_parse_bytes("-1", 2, &n), ERR_USAGE);
	assert_int_equal(units_parse_bytes("10kb", 4, &n), ERR_USAGE);
	assert_int_equal(units_parse_bytes("99999999999GiB", 14, &n), ERR_USAGE);
	assert_int_equal(units_parse_bytes("", 0, &n), ERR_USAGE);
}

static int64_t
parsed_iso(const char *s)
{
	char	*exact = mem_alloc(strlen(s));
	int64_t	 ns = REFUSED;

	memcpy(exact, s, strlen(s));
	if (units_parse_iso(exact, strlen(s), &ns) != ERR_OK)
		ns = REFUSED;
	mem_free(exact);
	return ns;
}

TEST(iso_times_are_read_with_their_offset)
{
	assert_int_equal(parsed_iso("1970-01-01T00:00:00Z"), 0);
	assert_int_equal(parsed_iso("2026-11-21T12:17:35.519Z"), 1795263455519000000);
	assert_int_equal(parsed_iso("2026-11-21 12:17:35.519Z"), 1795263455519000000);
	assert_int_equal(parsed_iso("2026-11-21T13:17:35.519+01:00"), 1795263455519000000);
	assert_int_equal(parsed_iso("2026-11-21T04:47:35.519-0730"), 1795263455519000000);
	assert_int_equal(parsed_iso("2026-11-21T14:17:35.519+02"), 1795263455519000000);
	assert_int_equal(parsed_iso("2024-02-29T00:00Z"), 1709164800000000000);
	assert_int_equal(parsed_iso("1969-12-31T23:59:59.9999999999Z"), -1);
}

TEST(times_of_any_year_are_read_and_saturated_as_ns)
{
	struct utc	at;

	assert_int_equal(units_parse_utc("1601-01-01T00:00:00.25Z", 23, &at), ERR_OK);
	assert_int_equal(at.sec, -11644473600);
	assert_int_equal(at.ns, 250000000);
	assert_int_equal(units_parse_utc("9999-12-31T23:59:59Z", 20, &at), ERR_OK);
	assert_int_equal(at.sec, 253402300799);
	assert_int_equal(parsed_iso("1601-01-01T00:00:00Z"), INT64_MIN);
	assert_int_equal(parsed_iso("9999-12-31T23:59:59Z"), INT64_MAX);
}

TEST(iso_times_without_offset_are_local)
{
	assert_int_equal(setenv("TZ", "XYZ-3", 1), 0);	/* three hours east */
	tzset();
	assert_int_equal(parsed_iso("1970-01-01T03:00:00"), 0);
	assert_int_equal(parsed_iso("1970-01-02"), 75600000000000);
	assert_int_equal(parsed_iso("1970-01-01T02:59:59"), -1000000000);
	assert_int_equal(unsetenv("TZ"), 0);
	tzset();
}

TEST(what_is_no_date_is_refused)
{
	static const char *const	bad[] = {
		"", "2026", "2026-11", "2026-13-01", "2026-00-01", "2026-02-29T00:00Z", "2026-1-1",
		"2026-11-21T", "2026-11-21T24:00:00Z", "2026-11-21T12:60:00Z", "2026-11-21T12Z",
		"2026-11-21T12:00:00.Z", "2026-11-21T12:00:00Zx", "2026-11-21T12:00:00+25:00",
		"2026-11-21T12:00:00+01:", "0000-01-01T00:00:00Z",
	};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_int_equal(parsed_iso(bad[i]), REFUSED);
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

			(void)snprintf(day, sizeof day, "%u-%02u-%02uT00:00Z", years[i].year, month, last);
			assert_true(parsed_iso(day) != REFUSED);
			(void)snprintf(day, sizeof day, "%u-%02u-%02uT00:00Z", years[i].year, month,
			    last + 1);
			assert_int_equal(parsed_iso(day), REFUSED);
		}
	}
}

TEST(reals_become_integers_saturated)
{
	assert_int_equal(u64_of(2.9), 2);
	assert_int_equal(u64_of(-1), 0);
	assert_int_equal(u64_of(NAN), 0);
	assert_int_equal(u64_of(18446744073709549568.), UINT64_C(18446744073709549568));
	assert_true(u64_of(18446744073709551616.) == UINT64_MAX);
	assert_true(u64_of(INFINITY) == UINT64_MAX);
	assert_int_equal(i64_of(-2.9), -2);
	assert_int_equal(i64_of(NAN), 0);
	assert_int_equal(i64_of(9223372036854774784.), INT64_C(9223372036854774784));
	assert_int_equal(i64_of(9223372036854775808.), INT64_MAX);
	assert_int_equal(i64_of(-9223372036854775808.), INT64_MIN);
	assert_int_equal(i64_of(-INFINITY), INT64_MIN);
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

TEST(what_goes_on_is_never_done_to_a_hundred_percent)
{
	assert_int_equal(percent_of(0), 0);
	assert_int_equal(percent_of(-0.5), 0);
	assert_int_equal(percent_of(0.299), 29);
	assert_int_equal(percent_of(0.9999), 99);
	assert_int_equal(percent_of(1), 100);
}

static int
end_group(void)
{
	buf_release(&text);
	return 0;
}

GROUP(NULL, end_group)

/*
 * Numbers and times in readable forms. All times inside the program are int64
 * nanoseconds since the trace's sync time, or raw ticks where a name says ts.
 */
#ifndef TNAV_BASE_UNITS_H
#define TNAV_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"

/* 1.604 311 s, 3.100 ms, 3 ms: rounded; 0, 3 or 6 digits after the point. ascii: "us" for µs. */
void	units_dur(struct buf *out, int64_t ns, bool ascii);
/* The same for a column: always three digits after the point, except for nanoseconds. */
void	units_dur_aligned(struct buf *out, int64_t ns, bool ascii);
/* In few cells, rounded: 0.8 µs, 91 ms, 12.3 s. */
void	units_dur_short(struct buf *out, int64_t ns, bool ascii);
/* Seconds with decimals digits (0, 3, 6 or 9) in groups of three: "1.604 311". Rounds down. */
void	units_secs(struct buf *out, int64_t ns, unsigned decimals);
/* 1.604311000: without digit grouping for awk, always nine decimals. */
void	units_secs_exact(struct buf *out, int64_t ns);
void	units_bytes(struct buf *out, uint64_t bytes);		/* 1.9 GB, powers of 1000 */
void	units_count(struct buf *out, uint64_t n);		/* 4.8 M, 128,512 below a million */
/* In at most so many cells, of which there are at least 4: 128,512, else 129 k, else 129k. */
void	units_count_in(struct buf *out, uint64_t n, size_t cells);
/* ISO 8601 UTC with decimals digits: 2026-11-21T12:17:35.519Z. ns since 1970; any value. */
void	units_utc(struct buf *out, int64_t ns, unsigned decimals);
/* The time of day in the local zone: 14:03:22.519. ns since 1970; decimals up to 9. */
void	units_local(struct buf *out, int64_t ns, unsigned decimals);
/* FILETIME (100 ns since 1601) with seven decimals and Z; out of years 1..9999: the number. */
void	units_filetime(struct buf *out, uint64_t filetime);

/*
 * Parse "2.1s", "1500ms", "5us", "7", ...: units ns us µs ms s m h. A bare number takes
 * unit_ns. Whole text or failure; *ns is saturated. Returns 0 or ERR_USAGE.
 */
int	units_parse_dur(const char *s, size_t len, int64_t unit_ns, int64_t *ns);
/* "10KB" "4MiB" "17": bytes. Returns 0 or ERR_USAGE. */
int	units_parse_bytes(const char *s, size_t len, uint64_t *bytes);

/* A time of any year: seconds since 1970, plus 0 to 999999999 ns. */
struct utc {
	int64_t		sec;
	uint32_t	ns;
};

/* Their order, to sort and to search by. */
static inline int
utc_compare(struct utc a, struct utc b)
{
	if (a.sec != b.sec)
		return a.sec < b.sec ? -1 : 1;
	return a.ns < b.ns ? -1 : a.ns > b.ns;
}

/* ISO date and time, with or without Z or offset (without: the machine's local time).
   Returns 0 or ERR_USAGE. */
int	units_parse_utc(const char *s, size_t len, struct utc *at);
/* The same as ns since 1970, saturated: 64 bits reach from 1677 to 2262. */
int	units_parse_iso(const char *s, size_t len, int64_t *ns);

/* Ticks of a clock as ns since `sync`, and back: rounded down, saturated. freq: ticks per second,
   positive. */
int64_t	units_ticks_ns(int64_t ts, int64_t sync, int64_t freq);
int64_t	units_ns_ticks(int64_t ns, int64_t sync, int64_t freq);

/* Days since 1970 of a proleptic Gregorian date; month 1..12. */
int64_t	units_days(int64_t year, unsigned month, unsigned day);

#endif

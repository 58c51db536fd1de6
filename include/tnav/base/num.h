/*
 * Small helpers for numbers.
 */
#ifndef TNAV_BASE_NUM_H
#define TNAV_BASE_NUM_H

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t
min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t
max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The bits of a number from its first 1 on; 0: none. */
static inline unsigned
bits_of(uint64_t v)
{
	return v > 0 ? 64 - (unsigned)__builtin_clzll(v) : 0;
}

/* The least rank, from 1, with at least this part of n numbers up to it; of none: 1. */
static inline uint64_t
nearest_rank(uint64_t n, uint32_t part, uint32_t whole)
{
	uint64_t	rank = (uint64_t)(((unsigned __int128)n * part + whole - 1) / whole);

	return max_u64(rank, 1);
}

/* Saturated. */
static inline uint64_t
add_u64(uint64_t a, uint64_t b)
{
	uint64_t	sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* Saturated: the difference of two times may need more than 64 bits. */
static inline int64_t
add_i64(int64_t a, int64_t b)
{
	int64_t	sum;

	if (__builtin_add_overflow(a, b, &sum))
		return b > 0 ? INT64_MAX : INT64_MIN;
	return sum;
}

static inline int64_t
sub_i64(int64_t a, int64_t b)
{
	int64_t	difference;

	if (__builtin_sub_overflow(a, b, &difference))
		return b < 0 ? INT64_MAX : INT64_MIN;
	return difference;
}

/* Without the decimals, saturated; what is not a number: 0. */
static inline uint64_t
u64_of(double v)
{
	if (!(v > 0))
		return 0;
	return v < 0x1p64 ? (uint64_t)v : UINT64_MAX;
}

static inline int64_t
i64_of(double v)
{
	if (v >= -0x1p63 && v < 0x1p63)
		return (int64_t)v;
	return v > 0 ? INT64_MAX : v < 0 ? INT64_MIN : 0;
}

/* ASCII digits only, whatever the locale. */
static inline bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Whole percent that are done: 100 only where all is. */
static inline unsigned
percent_of(double share)
{
	return share > 0 ? (unsigned)(share * 100) : 0;
}

/* The value of a hexadecimal digit; -1: it is none. */
static inline int
hex_value(char c)
{
	if (is_digit(c))
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

#endif

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

/* Saturated: times at both ends of what 64 bits hold are further apart than that. */
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

/* Digits are those of ASCII alone, whatever the locale. */
static inline bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* What a hexadecimal digit stands for; -1: it is none. */
static inline int
hex_value(char c)
{
	if (is_digit(c))
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

#endif

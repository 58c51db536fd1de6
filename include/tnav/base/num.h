/*
 * Small things of numbers.
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

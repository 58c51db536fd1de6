/*
 * Numbers as text, written to memory with room for DIGITS_MOST bytes. All return the new end.
 */
#ifndef TNAV_BASE_DIGITS_H
#define TNAV_BASE_DIGITS_H

#include <stdint.h>

#define DIGITS_MOST	20u

char	*digits_u64(char *to, uint64_t v);	/* decimal */
char	*digits_hex(char *to, uint64_t v);	/* lower case, no prefix */
void	 digits_eight(char *to, uint32_t v);	/* all eight hexadecimal digits */

static inline char *
digits_i64(char *to, int64_t v)
{
	if (v < 0)
		*to++ = '-';
	return digits_u64(to, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

#endif

/*
 * Numbers as text into memory that the caller has made room in. Both give the new end.
 */
#ifndef TNAV_BASE_DIGITS_H
#define TNAV_BASE_DIGITS_H

#include <stdint.h>

#define DIGITS_MOST	20u		/* bytes of any of them */

char	*digits_u64(char *to, uint64_t v);	/* decimal */
char	*digits_hex(char *to, uint64_t v);	/* lower case, no prefix */

#endif

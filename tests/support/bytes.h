/*
 * Bytes of files, put together by hand: numbers and texts as formats have them.
 */
#ifndef TNAV_TESTS_BYTES_H
#define TNAV_TESTS_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* A number as n bytes, the least first; with 7 bits a byte, all but the last marked. How many. */
unsigned	bytes_le(uint8_t out[8], uint64_t v, unsigned n);
unsigned	bytes_var(uint8_t out[10], uint64_t v);

/* Some of them, which may be copied and changed. A zeroed one is empty; too many fail the test. */
struct bytes {
	uint8_t	p[8192];
	size_t	n;
};

void	put(struct bytes *b, const void *p, size_t len);
void	put_le(struct bytes *b, uint64_t v, unsigned n);
void	put_var(struct bytes *b, uint64_t v);
void	put_text(struct bytes *b, const char *s);	/* its length before it */

#endif

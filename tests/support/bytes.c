/*
 * Bytes of files, put together by hand.
 */
#include "bytes.h"

#include "asserts.h"

unsigned
bytes_le(uint8_t out[8], uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		out[i] = (uint8_t)(v >> 8 * i);
	return n;
}

unsigned
bytes_var(uint8_t out[10], uint64_t v)
{
	unsigned	n = 0;

	for (; v >= 0x80; v >>= 7)
		out[n++] = (uint8_t)((v & 0x7f) | 0x80);
	out[n++] = (uint8_t)v;
	return n;
}

void
put(struct bytes *b, const void *p, size_t len)
{
	assert_true(len <= sizeof b->p - b->n);
	if (len > 0)
		memcpy(b->p + b->n, p, len);
	b->n += len;
}

void
put_le(struct bytes *b, uint64_t v, unsigned n)
{
	uint8_t	out[8];

	put(b, out, bytes_le(out, v, n));
}

void
put_var(struct bytes *b, uint64_t v)
{
	uint8_t	out[10];

	put(b, out, bytes_var(out, v));
}

void
put_text(struct bytes *b, const char *s)
{
	put_var(b, strlen(s));
	put(b, s, strlen(s));
}

/*
 * A byte buffer that grows, for text. It always has room for a NUL after len. A zeroed one is
 * empty.
 */
#ifndef TNAV_BASE_BUF_H
#define TNAV_BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tnav/base/cursor.h"

struct buf {
	char	*p;
	size_t	 len, cap;
};

void	buf_release(struct buf *b);
void	buf_clear(struct buf *b);		/* len = 0; keeps the memory */
char	*buf_grow(struct buf *b, size_t n);	/* buf_room() if there is no room */
void	buf_add(struct buf *b, const void *p, size_t len);
void	buf_puts(struct buf *b, const char *s);
void	buf_u64(struct buf *b, uint64_t v);	/* decimal */
void	buf_i64(struct buf *b, int64_t v);
void	buf_hex(struct buf *b, uint64_t v, unsigned min_digits);	/* lower case, no prefix */
void	buf_f64(struct buf *b, double v);	/* shortest text that reads back the same; "-0.0"
						   because some readers take "-0" as an integer */
void	buf_f32(struct buf *b, float v);	/* likewise, as a float */
void	buf_bytes_hex(struct buf *b, const void *p, size_t len);
void	buf_grouped(struct buf *b, uint64_t v);	/* 1,234,567 */
/*
 * Numbers in a sentence: buf_counts(b, "# event{s} lost in # gap{s}", lost, gaps).
 *	#		the next number, as by buf_grouped()
 *	{one|many}	the form for this number; {many}: for one there is nothing
 */
#define buf_counts(b, words, ...)	buf_counted(b, words, (const uint64_t[]){ __VA_ARGS__ })
void	buf_counted(struct buf *b, const char *words, const uint64_t *n);
/* Add the form from p on, for one or for many. Returns its end: } */
const char *buf_form(struct buf *b, const char *p, bool one);
void	buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void	buf_vprintf(struct buf *b, const char *fmt, va_list ap)
	    __attribute__((format(printf, 2, 0)));
const char *buf_str(struct buf *b);		/* NUL-terminated */

/* n writable bytes at p + len; then add to len. */
static inline char *
buf_room(struct buf *b, size_t n)
{
	return n < b->cap - b->len ? b->p + b->len : buf_grow(b, n);
}

static inline void
buf_putc(struct buf *b, char c)
{
	*buf_room(b, 1) = c;
	b->len++;
}

/* n times. Most are few: these are written at once. */
#define FILL_USUAL	16u
static inline void
buf_fill(struct buf *b, char c, size_t n)
{
	if (n <= FILL_USUAL)
		memset(buf_room(b, FILL_USUAL), c, FILL_USUAL);
	else
		memset(buf_room(b, n), c, n);
	b->len += n;
}

static inline void
buf_span(struct buf *b, struct span s)
{
	buf_add(b, s.p, s.len);
}

/* A number of so many bytes, the lowest ones first. */
static inline void
buf_le(struct buf *b, uint64_t v, unsigned bytes)
{
	char	*p = buf_room(b, bytes);

	for (unsigned i = 0; i < bytes; i++)
		p[i] = (char)(v >> 8 * i & 0xff);
	b->len += bytes;
}

/* A number as LEB128 at p, where there are VARINT_MOST bytes; returns the byte after it. */
#define VARINT_MOST	10u
static inline char *
varint_write(char *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (char)((v & 0x7f) | 0x80);
	*p++ = (char)v;
	return p;
}

static inline void
buf_varint(struct buf *b, uint64_t v)
{
	b->len = (size_t)(varint_write(buf_room(b, VARINT_MOST), v) - b->p);
}

static inline struct span
span_of_buf(const struct buf *b)
{
	return (struct span){ (const uint8_t *)b->p, b->len };
}

/* The bytes from offset at on. A buffer to which nothing was added has no memory. */
static inline struct span
span_of_buf_from(const struct buf *b, size_t at)
{
	return (struct span){ b->p != NULL ? (const uint8_t *)b->p + at : NULL, b->len - at };
}

#endif

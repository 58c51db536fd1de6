/*
 * Growing text buffer, and whole numbers as text; real.c has the others.
 *
 *   p | text ... | room, at least 1 for a NUL |
 *     0         len                          cap
 *
 * Invariant: cap == 0 (nothing allocated) or len < cap.
 *
 * Numbers never go through the locale: the program keeps LC_NUMERIC at "C", so that the point of
 * vsnprintf() is a point.
 */
#include "tnav/base/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tnav/base/digits.h"
#include "tnav/base/mem.h"

#define HEX_MOST	48u	/* hexadecimal digits, zeros before the number among them */

static const char	hex_digits[] = "0123456789abcdef";

void
buf_release(struct buf *b)
{
	mem_free(b->p);
	*b = (struct buf){ 0 };
}

void
buf_clear(struct buf *b)
{
	b->len = 0;
}

char *
buf_grow(struct buf *b, size_t n)
{
	size_t	need;

	/* On overflow ask for SIZE_MAX bytes: the allocator refuses them. */
	if (__builtin_add_overflow(b->len, n, &need) || need == SIZE_MAX)
		need = SIZE_MAX - 1;
	b->p = mem_grow(b->p, &b->cap, need + 1, 1);
	return b->p + b->len;
}

void
buf_add(struct buf *b, const void *p, size_t len)
{
	if (len == 0)
		return;
	memcpy(buf_room(b, len), p, len);
	b->len += len;
}

void
buf_puts(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void
buf_u64(struct buf *b, uint64_t v)
{
	char	*to = buf_room(b, DIGITS_MOST);

	b->len += (size_t)(digits_u64(to, v) - to);
}

void
buf_i64(struct buf *b, int64_t v)
{
	if (v < 0)
		buf_putc(b, '-');
	buf_u64(b, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void
buf_hex(struct buf *b, uint64_t v, unsigned min_digits)
{
	unsigned	n = v ? (67u - (unsigned)__builtin_clzll(v)) / 4 : 1;
	char		*p;

	if (n < min_digits)
		n = min_digits < HEX_MOST ? min_digits : HEX_MOST;
	p = buf_room(b, n);
	b->len += n;
	while (n > 0) {
		p[--n] = hex_digits[v & 15];
		v >>= 4;
	}
}

void
buf_bytes_hex(struct buf *b, const void *p, size_t len)
{
	const uint8_t	*from = p;
	char		*to = buf_room(b, len <= SIZE_MAX / 2 ? len * 2 : SIZE_MAX);

	for (size_t i = 0; i < len; i++) {
		*to++ = hex_digits[from[i] >> 4];
		*to++ = hex_digits[from[i] & 15];
	}
	b->len += len * 2;
}

void
buf_grouped(struct buf *b, uint64_t v)
{
	char		t[DIGITS_MOST];
	const char	*p = t, *end = digits_u64(t, v);

	while (p < end) {
		buf_putc(b, *p++);
		if (p < end && (end - p) % 3 == 0)
			buf_putc(b, ',');
	}
}

const char *
buf_form(struct buf *b, const char *p, bool one)
{
	size_t		 len = strcspn(p, "|}");
	const char	*many = p[len] == '|' ? p + len + 1 : p, *end = many + strcspn(many, "}");

	if (!one)
		buf_add(b, many, (size_t)(end - many));
	else if (many > p)
		buf_add(b, p, len);
	return end;
}

void
buf_counted(struct buf *b, const char *words, const uint64_t *n)
{
	bool	one = false;

	for (const char *p = words; *p != '\0'; p++) {
		if (*p == '{') {
			p = buf_form(b, p + 1, one);
		} else if (*p != '#') {
			buf_putc(b, *p);
		} else {
			one = *n == 1;
			buf_grouped(b, *n++);
		}
	}
}

void
buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list	ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void
buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	va_list	again;
	char	*p = buf_room(b, 120);
	int	n;

	va_copy(again, ap);
	n = vsnprintf(p, b->cap - b->len, fmt, ap);
	if (n > 0 && (size_t)n >= b->cap - b->len) {
		p = buf_room(b, (size_t)n);
		n = vsnprintf(p, b->cap - b->len, fmt, again);
	}
	va_end(again);
	if (n > 0)
		b->len += (size_t)n;
}

const char *
buf_str(struct buf *b)
{
	*buf_room(b, 0) = '\0';
	return b->p;
}

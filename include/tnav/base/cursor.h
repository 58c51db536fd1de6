/*
 * A reading position over borrowed bytes. It never reads outside [p, end). It fails sticky: after
 * one short read, every read returns 0 and cursor_ok() is false, so a record is read completely and
 * tested once. All numbers are little-endian unless the name says be.
 */
#ifndef TNAV_BASE_CURSOR_H
#define TNAV_BASE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct span {
	const uint8_t	*p;
	size_t		 len;
};

static inline struct span
span_of(const char *s)
{
	return (struct span){ (const uint8_t *)s, strlen(s) };
}

/* By bytes, then by length: less than, equal to or greater than 0. */
static inline int
spans_compare(struct span a, struct span b)
{
	size_t	n = a.len < b.len ? a.len : b.len;
	int	d = n > 0 ? memcmp(a.p, b.p, n) : 0;

	return d != 0 ? d : (a.len > b.len) - (a.len < b.len);
}

static inline bool
spans_equal(struct span a, struct span b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}

/* Is it this text? NULL: no. */
static inline bool
span_is(struct span s, const char *text)
{
	return text != NULL && spans_equal(s, span_of(text));
}

static inline bool
span_begins(struct span s, const char *with)
{
	size_t	len = strlen(with);

	return s.len >= len && memcmp(s.p, with, len) == 0;
}

static inline bool
span_ends(struct span s, const char *with)
{
	size_t	len = strlen(with);

	return s.len >= len && memcmp(s.p + s.len - len, with, len) == 0;
}

struct cursor {
	const uint8_t	*p, *end;
	uint64_t	 off;	/* file offset of p at cursor_init; see cursor_off() */
	const uint8_t	*base;
	bool		 failed;
};

static inline struct cursor
cursor_init(struct span s, uint64_t off)
{
	const uint8_t	*end = s.len > 0 ? s.p + s.len : s.p;	/* p may be NULL then */

	return (struct cursor){ .p = s.p, .end = end, .off = off, .base = s.p };
}

static inline bool
cursor_ok(const struct cursor *c)
{
	return !c->failed;
}

static inline size_t
cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->p);
}

/* The file offset of the next byte. */
static inline uint64_t
cursor_off(const struct cursor *c)
{
	return c->off + (uint64_t)(c->p - c->base);
}

static inline void
cursor_fail(struct cursor *c)
{
	c->failed = true;
	c->p = c->end;
}

/* Do count records of at least min bytes each fit in what is left? */
static inline bool
cursor_fits(const struct cursor *c, uint64_t count, size_t min)
{
	return !c->failed && (min == 0 || count <= cursor_left(c) / min);
}

/* The next len bytes, or an empty span and failure. */
static inline struct span
cursor_take(struct cursor *c, uint64_t len)
{
	struct span	s = { c->p, 0 };

	if (c->failed || len > cursor_left(c)) {
		cursor_fail(c);
		return s;
	}
	s.len = (size_t)len;
	c->p += len;
	return s;
}

static inline void
cursor_skip(struct cursor *c, uint64_t len)
{
	(void)cursor_take(c, len);
}

static inline uint8_t
cursor_u8(struct cursor *c)
{
	struct span	s = cursor_take(c, 1);

	return s.len ? s.p[0] : 0;
}

static inline uint16_t
load_u16le(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t
load_u32le(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t
load_u64le(const uint8_t *p)
{
	return load_u32le(p) | (uint64_t)load_u32le(p + 4) << 32;
}

static inline uint16_t
load_u16be(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t
load_u32be(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

static inline uint64_t
load_u64be(const uint8_t *p)
{
	return (uint64_t)load_u32be(p) << 32 | load_u32be(p + 4);
}

static inline uint16_t
cursor_u16le(struct cursor *c)
{
	struct span	s = cursor_take(c, 2);

	return s.len ? load_u16le(s.p) : 0;
}

static inline uint32_t
cursor_u32le(struct cursor *c)
{
	struct span	s = cursor_take(c, 4);

	return s.len ? load_u32le(s.p) : 0;
}

static inline uint64_t
cursor_u64le(struct cursor *c)
{
	struct span	s = cursor_take(c, 8);

	return s.len ? load_u64le(s.p) : 0;
}

/*
 * Unsigned LEB128. A number that does not end within 5 (10) bytes, or has bits beyond 32 (64),
 * fails. Over-long forms within that length are fine.
 */
uint32_t	cursor_varu32(struct cursor *c);
uint64_t	cursor_varu64(struct cursor *c);

/* UTF-16LE text up to and with its NUL unit; the span is the text without it. No NUL: fails. */
struct span	cursor_utf16z(struct cursor *c);

#endif

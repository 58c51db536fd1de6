/*
 * Text of unknown origin. Bytes of a trace are shown only after an allow-list, which decides by
 * code point alone:
 *
 *	bytes ->  piece             piece      piece       piece
 *	          'e' + <= 4 marks  '漢' (2)   "^[" (esc)  "<U+202E>" (esc)
 *
 * Invariant: a piece is never empty, holds no byte below 0x20, no DEL, no C1 control and no
 * character that reorders, hides or joins its neighbours; its cells are what a terminal uses.
 */
#include "tnav/base/text.h"

#include <string.h>
#include <strings.h>
#include <utf8proc.h>
#include <wchar.h>

#define MARKS_KEPT	4u
#define REPLACEMENT	0xfffd
#define ELLIPSIS	"\xe2\x80\xa6"

/* ---- conversions */

unsigned
text_encode(int32_t cp, char out[4])
{
	uint32_t	c = (uint32_t)cp;

	if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		c = REPLACEMENT;
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3f));
		out[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3f));
	out[2] = (char)(0x80 | (c >> 6 & 0x3f));
	out[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

unsigned
text_decode(const uint8_t *p, const uint8_t *end, int32_t *cp)
{
	unsigned	n;
	uint32_t	c = p[0], least;

	*cp = -1;
	if (c < 0x80) {
		*cp = (int32_t)c;
		return 1;
	}
	if (c >= 0xc2 && c < 0xe0) {
		n = 2;
		c &= 0x1f;
		least = 0x80;
	} else if (c >= 0xe0 && c < 0xf0) {
		n = 3;
		c &= 0x0f;
		least = 0x800;
	} else if (c >= 0xf0 && c < 0xf5) {
		n = 4;
		c &= 0x07;
		least = 0x10000;
	} else {
		return 1;
	}
	if ((size_t)(end - p) < n)
		return 1;
	for (unsigned i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 1;
		c = c << 6 | (p[i] & 0x3fu);
	}
	if (c < least || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 1;
	*cp = (int32_t)c;
	return n;
}

/* The pointer of an empty span may be NULL; adding to it would be undefined. */
static const uint8_t *
span_end(struct span s)
{
	return s.len > 0 ? s.p + s.len : s.p;
}

const uint8_t *
text_skip_ascii(const uint8_t *p, const uint8_t *end)
{
	while (end - p >= 8 && (load_u64le(p) & UINT64_C(0x8080808080808080)) == 0)
		p += 8;
	while (p < end && *p < 0x80)
		p++;
	return p;
}

static void
add_scalar(struct buf *out, int32_t cp)
{
	char	b[4];

	buf_add(out, b, text_encode(cp, b));
}

/* Append the ASCII text at byte i, four units at a time; returns the offset after it. */
static size_t
add_ascii16(struct buf *out, struct span s, size_t i)
{
	char	*to = buf_room(out, (s.len - i) / 2), *from = to;

	for (; s.len - i >= 8; i += 8, to += 4) {
		uint64_t	x = load_u64le(s.p + i);

		if ((x & UINT64_C(0xff80ff80ff80ff80)) != 0)
			break;
		to[0] = (char)x;
		to[1] = (char)(x >> 16);
		to[2] = (char)(x >> 32);
		to[3] = (char)(x >> 48);
	}
	for (; s.len - i >= 2 && s.p[i] < 0x80 && s.p[i + 1] == 0; i += 2)
		*to++ = (char)s.p[i];
	out->len += (size_t)(to - from);
	return i;
}

void
text_from_utf16(struct buf *out, struct span s)
{
	size_t	i = 0;

	while (i + 2 <= s.len) {
		uint32_t	u = load_u16le(s.p + i);

		if (u < 0x80) {
			i = add_ascii16(out, s, i);
			continue;
		}
		i += 2;
		if (u >= 0xd800 && u < 0xdc00 && i + 2 <= s.len) {
			uint32_t	low = load_u16le(s.p + i);

			if (low >= 0xdc00 && low < 0xe000) {
				u = 0x10000 + ((u - 0xd800) << 10) + (low - 0xdc00);
				i += 2;
			}
		}
		add_scalar(out, (int32_t)u);	/* replaces a lone surrogate */
	}
	if (i < s.len)
		add_scalar(out, REPLACEMENT);
}

void
text_from_utf8(struct buf *out, struct span s)
{
	const uint8_t	*p = s.p, *end = span_end(s);
	char		*to = buf_room(out, s.len), *from = to;

	/* Mostly ASCII. */
	for (; end - p >= 8 && (load_u64le(p) & UINT64_C(0x8080808080808080)) == 0; p += 8, to += 8)
		memcpy(to, p, 8);
	while (p < end && *p < 0x80)
		*to++ = (char)*p++;
	out->len += (size_t)(to - from);
	while (p < end) {
		const uint8_t	*good = p;
		int32_t		 cp = 0;

		for (p = text_skip_ascii(p, end); p < end; p = text_skip_ascii(p, end)) {
			unsigned	n = text_decode(p, end, &cp);

			if (cp < 0)
				break;
			p += n;
		}
		buf_add(out, good, (size_t)(p - good));
		if (p < end) {
			add_scalar(out, REPLACEMENT);
			p++;
		}
	}
}

/* ---- the allow-list */

enum allow { ALLOW_NONE, ALLOW_BASE, ALLOW_MARK };

/*
 * In a UTF-8 locale, terminals take widths from the C library's table or a similar one; this
 * program takes them from utf8proc's. A character whose widths differ would shift the rest of the
 * row.
 */
static bool
locale_agrees(int32_t cp, int width)
{
	return MB_CUR_MAX <= 1 || wcwidth((wchar_t)cp) == width;
}

/* Characters that are printable by category, but show nothing or combine with a neighbour. */
static bool
is_trap(int32_t cp)
{
	return cp == 0x2800				/* Braille blank */
	    || cp == 0x1d159				/* null notehead */
	    || (cp >= 0x1f1e6 && cp <= 0x1f1ff)		/* regional indicators pair to flags */
	    || (cp >= 0x1f3fb && cp <= 0x1f3ff);	/* skin tones change the one before */
}

static enum allow
allow(int32_t cp, unsigned *cells)
{
	const utf8proc_property_t	*prop = utf8proc_get_property(cp);
	int				 width = (int)prop->charwidth;

	*cells = (unsigned)width;
	if (prop->ignorable || is_trap(cp))
		return ALLOW_NONE;
	switch (prop->category) {
	case UTF8PROC_CATEGORY_CN:
	case UTF8PROC_CATEGORY_CC:
	case UTF8PROC_CATEGORY_CF:
	case UTF8PROC_CATEGORY_CS:
	case UTF8PROC_CATEGORY_CO:
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
	case UTF8PROC_CATEGORY_ZS:	/* unusual blanks; U+0020 is handled before */
		return ALLOW_NONE;
	case UTF8PROC_CATEGORY_MN:
	case UTF8PROC_CATEGORY_ME:
		return width == 0 && locale_agrees(cp, 0) ? ALLOW_MARK : ALLOW_NONE;
	default:
		return (width == 1 || width == 2) && locale_agrees(cp, width)
		    ? ALLOW_BASE : ALLOW_NONE;
	}
}

static bool
mark_at(const uint8_t *p, const uint8_t *end, unsigned *n)
{
	int32_t		cp;
	unsigned	cells;

	if (p >= end || *p < 0x80)
		return false;
	*n = text_decode(p, end, &cp);
	return cp >= 0 && allow(cp, &cells) == ALLOW_MARK;
}

/* ---- pieces */

static void
put_escape(struct text_piece *out, struct text_scratch *s, const char *pre, uint32_t v,
    unsigned digits, const char *post)
{
	static const char	hex[] = "0123456789ABCDEF";
	size_t			n = 0;

	while (digits < 6 && v >> (4 * digits) != 0)
		digits++;
	while (*pre != '\0')
		s->b[n++] = *pre++;
	while (digits-- > 0)
		s->b[n++] = hex[v >> (4 * digits) & 0xf];
	while (*post != '\0')
		s->b[n++] = *post++;
	*out = (struct text_piece){ s->b, n, (unsigned)n, true };
}

static bool
is_plain(uint8_t c)
{
	return c >= 0x20 && c < 0x7f;
}

/* Are all eight? A greater one has its highest bit in x or x + 1, a less one in x - ' '. */
static inline bool
are_plain(uint64_t x)
{
	const uint64_t	ones = UINT64_C(0x0101010101010101);

	return ((x | (x + ones) | (x - ones * ' ')) & ones << 7) == 0;
}

/* A piece of the base character of n bytes at *p and the marks that it may keep. */
static void
put_base(const uint8_t **p, const uint8_t *end, unsigned n, unsigned cells, bool marks,
    struct text_scratch *s, struct text_piece *out)
{
	size_t	len = n;

	memcpy(s->b, *p, n);
	*p += n;
	for (unsigned i = 0; marks && i < MARKS_KEPT && mark_at(*p, end, &n); i++) {
		memcpy(s->b + len, *p, n);
		len += n;
		*p += n;
	}
	*out = (struct text_piece){ s->b, len, cells, false };
}

/*
 * Marks without a base that may keep them: up to MARKS_KEPT are escaped one by one. A longer run
 * becomes one ellipsis, so that it can't fill the row.
 */
static bool
put_mark_flood(const uint8_t **p, const uint8_t *end, enum text_mode mode,
    struct text_scratch *s, struct text_piece *out)
{
	const uint8_t	*q = *p;
	unsigned	 n, marks = 0;

	while (marks <= MARKS_KEPT && mark_at(q, end, &n)) {
		q += n;
		marks++;
	}
	if (marks <= MARKS_KEPT)
		return false;
	while (mark_at(q, end, &n))
		q += n;
	*p = q;
	memcpy(s->b, ELLIPSIS, 3);
	*out = (struct text_piece){ s->b, 3, 1, true };
	if (mode == TEXT_ASCII)
		*out = (struct text_piece){ "...", 3, 3, true };
	return true;
}

bool
text_next(const uint8_t **p, const uint8_t *end, enum text_mode mode,
    struct text_scratch *s, struct text_piece *out)
{
	int32_t		cp;
	unsigned	n, cells;

	if (*p >= end)
		return false;
	if (is_plain(**p)) {
		put_base(p, end, 1, 1, mode == TEXT_UTF8, s, out);
		return true;
	}
	n = text_decode(*p, end, &cp);
	if (cp < 0) {
		put_escape(out, s, "<", **p, 2, ">");
	} else if (cp < 0x80) {
		s->b[0] = '^';
		s->b[1] = (char)(cp ^ 0x40);
		*out = (struct text_piece){ s->b, 2, 2, true };
	} else {
		enum allow	a = allow(cp, &cells);

		if (a == ALLOW_BASE && mode == TEXT_UTF8) {
			put_base(p, end, n, cells, true, s, out);
			return true;
		}
		if (a == ALLOW_MARK && put_mark_flood(p, end, mode, s, out))
			return true;
		put_escape(out, s, "<U+", (uint32_t)cp, 4, ">");
	}
	*p += n;
	return true;
}

/* ---- whole texts */

/*
 * How many bytes at p are printable ASCII that nothing after them changes. The last one before
 * a byte above ASCII is left out: a mark may follow it.
 */
static size_t
plain_run(const uint8_t *p, const uint8_t *end)
{
	const uint8_t	*q = p;

	while (end - q >= 8 && are_plain(load_u64le(q)))
		q += 8;
	while (q < end && is_plain(*q))
		q++;
	if (q > p && q < end && *q >= 0x80)
		q--;
	return (size_t)(q - p);
}

/* The last point of the output that leaves a free cell for the ellipsis. */
struct clip_point {
	size_t	len, used;
};

static size_t
clip(struct buf *out, struct clip_point at, enum text_mode mode)
{
	out->len = at.len;
	buf_puts(out, mode == TEXT_ASCII ? "~" : ELLIPSIS);
	return at.used + 1;
}

size_t
text_clean(struct buf *out, struct span s, enum text_mode mode, size_t max_cells)
{
	const uint8_t		*p = s.p, *end = span_end(s);
	struct text_scratch	 scratch;
	struct text_piece	 piece;
	size_t			 used = 0;
	struct clip_point	 safe = { out->len, 0 };

	if (max_cells == 0)
		return 0;
	while (p < end) {
		size_t	run = plain_run(p, end);

		if (run > 0) {
			size_t	take = run < max_cells - used ? run : max_cells - used;

			buf_add(out, p, take);
			p += take;
			used += take;
			if (take > 0 && used < max_cells)
				safe = (struct clip_point){ out->len, used };
			else if (take > 0)
				safe = (struct clip_point){ out->len - 1, used - 1 };
			if (take < run)
				return clip(out, safe, mode);
			continue;
		}
		if (!text_next(&p, end, mode, &scratch, &piece))
			break;
		if (piece.cells > max_cells - used)
			return clip(out, safe, mode);
		buf_add(out, piece.p, piece.len);
		used += piece.cells;
		if (used < max_cells)
			safe = (struct clip_point){ out->len, used };
	}
	return used;
}

bool
text_is_clean(const char *s, size_t len)
{
	const uint8_t		*p = (const uint8_t *)s, *end = p + len;
	struct text_scratch	 scratch;
	struct text_piece	 piece;

	while (text_next(&p, end, TEXT_UTF8, &scratch, &piece))
		if (piece.escaped)
			return false;
	return true;
}

size_t
text_width(struct span s, enum text_mode mode)
{
	const uint8_t		*p = s.p, *end = span_end(s);
	struct text_scratch	 scratch;
	struct text_piece	 piece;
	size_t			 used = 0;

	while (p < end) {
		size_t	run = plain_run(p, end);

		p += run;
		used += run;
		if (text_next(&p, end, mode, &scratch, &piece))
			used += piece.cells;
	}
	return used;
}

size_t
text_line(struct span s, enum text_mode mode, size_t cells)
{
	const uint8_t		*p = s.p, *end = span_end(s), *word = s.p, *hump = s.p, *was;
	struct text_scratch	 scratch;
	struct text_piece	 piece;
	size_t			 used = 0;

	for (was = p; text_next(&p, end, mode, &scratch, &piece); was = p) {
		used += piece.cells;
		if (*was == ' ')
			word = was;
		if (was > s.p && *was >= 'A' && *was <= 'Z' && was[-1] >= 'a' && was[-1] <= 'z')
			hump = was;
		if (used > cells && *was != ' ')
			break;
		if (*was == '-' || *was == '.' || *was == '/')
			word = p;
	}
	if (used <= cells || was == end)
		return s.len;
	if (word > s.p)
		return (size_t)(word - s.p);
	if (hump > s.p)
		return (size_t)(hump - s.p);
	return was > s.p ? (size_t)(was - s.p) : (size_t)(p - s.p);
}

struct span
text_rest(struct span s, size_t line)
{
	s = (struct span){ s.p + line, s.len - line };
	while (s.len > 0 && *s.p == ' ')
		s = (struct span){ s.p + 1, s.len - 1 };
	return s;
}

bool
text_same(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return strcmp(a, b) == 0;
}

/* ---- words for the shell */

/*
 * $'...': all bytes except plain ones as three octal digits, which cannot merge with what follows.
 * Quotes and ! are escaped, too, since line editors may change them.
 */
static void
put_escaped_word(struct buf *out, const char *s)
{
	buf_puts(out, "$'");
	for (; *s != '\0'; s++) {
		unsigned char	c = (unsigned char)*s;

		if (c >= ' ' && c <= '~' && strchr("\\'!", c) == NULL)
			buf_putc(out, (char)c);
		else
			buf_printf(out, "\\%03o", c);
	}
	buf_putc(out, '\'');
}

const char *
text_base_name(const char *path)
{
	const char	*slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

bool
text_has_ending(struct span name, const char *ending)
{
	size_t	len = strlen(ending);

	return name.len > len &&
	    strncasecmp((const char *)name.p + name.len - len, ending, len) == 0;
}

void
text_quote(struct buf *out, const char *s)
{
	buf_putc(out, '\'');
	for (; *s != '\0'; s++) {
		if (*s == '\'')
			buf_puts(out, "'\\''");
		else
			buf_putc(out, *s);
	}
	buf_putc(out, '\'');
}

void
text_shell(struct buf *out, const char *s)
{
	static const char	plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./:=+,@%-";

	if (s[0] != '\0' && s[strspn(s, plain)] == '\0') {
		buf_puts(out, s);
		return;
	}
	if (!text_is_clean(s, strlen(s))) {
		put_escaped_word(out, s);
		return;
	}
	text_quote(out, s);
}

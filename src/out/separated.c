/*
 * Text in CSV, TSV and Markdown.
 *
 *	text		csv (RFC 4180)	tsv
 *	plain		plain		plain
 *	a,"b"		"a,""b"""	a,"b"
 *	TAB LF		"TAB LF"	\t\n
 *	ESC [		"ESC ["		ESC [
 *	=A1		"'=A1"		=A1
 *
 * Most text is printable ASCII, which is unchanged. It is handled eight bytes at a time.
 */
#include "out/separated.h"

#include <string.h>

#include "tnav/base/text.h"

#define ONES		UINT64_C(0x0101010101010101)
#define HIGHS		UINT64_C(0x8080808080808080)
#define REPLACEMENT	"\xef\xbf\xbd"

/* Not 0 if a byte of v is c; the same for the functions below. */
static inline uint64_t
any_is(uint64_t v, char c)
{
	uint64_t	x = v ^ (ONES * (uint8_t)c);

	return (x - ONES) & ~x & HIGHS;
}

/* A control character, DEL, or not ASCII. */
static inline uint64_t
any_odd(uint64_t v)
{
	return (((v - ONES * 0x20) & ~v) | v | (v + ONES)) & HIGHS;
}

static inline bool
is_odd(uint8_t c)
{
	return c < 0x20 || c >= 0x7f;
}

/* The number of leading bytes that are printable ASCII, and neither a nor b. */
static inline size_t
plain_len(const uint8_t *p, size_t len, char a, char b)
{
	size_t		i = 0;
	uint64_t	v;

	for (; len - i >= sizeof v; i += sizeof v) {
		v = load_u64le(p + i);
		if ((any_odd(v) | any_is(v, a) | any_is(v, b)) != 0)
			break;
	}
	while (i < len && !is_odd(p[i]) && p[i] != (uint8_t)a && p[i] != (uint8_t)b)
		i++;
	return i;
}

/* Copy the non-ASCII character at p. Returns its length, and advances out. */
static size_t
put_wide(char **out, const uint8_t *p, const uint8_t *end)
{
	int32_t		cp;
	unsigned	n = text_decode(p, end, &cp);

	if (cp < 0) {
		memcpy(*out, REPLACEMENT, 3);
		*out += 3;
	} else {
		memcpy(*out, p, n);
		*out += n;
	}
	return n;
}

/* ---- CSV */

static size_t
digits_len(const uint8_t *p, const uint8_t *end)
{
	const uint8_t	*q = p;

	while (q < end && *q >= '0' && *q <= '9')
		q++;
	return (size_t)(q - p);
}

/* -1.5e3 and the like: what a spreadsheet reads as a number is not a formula. */
static bool
is_plain_number(struct span s)
{
	const uint8_t	*p = s.p + 1, *end = s.p + s.len;	/* after the sign */
	size_t		 digits = digits_len(p, end), more;

	p += digits;
	if (p < end && *p == '.') {
		more = digits_len(p + 1, end);
		digits += more;
		p += 1 + more;
	}
	if (digits > 0 && p < end && (*p == 'e' || *p == 'E')) {
		p++;
		if (p < end && (*p == '-' || *p == '+'))
			p++;
		digits = digits_len(p, end);
		p += digits;
	}
	return digits > 0 && p == end;
}

static bool
is_formula(struct span s)
{
	if (s.len == 0 || memchr("=+-@\t\r", s.p[0], 6) == NULL)
		return false;
	return (s.p[0] != '-' && s.p[0] != '+') || !is_plain_number(s);
}

static bool
needs_quotes(const uint8_t *p, const uint8_t *end)
{
	while (p < end && *p != '"' && *p != ',' && (*p >= 0x80 || !is_odd(*p)))
		p++;
	return p < end;
}

/* Sets the top bit of each byte of v that is a quote. */
static inline uint64_t
quotes_in(uint64_t v)
{
	uint64_t	x = v ^ ONES * '"';

	return ~(((x & ~HIGHS) + ~HIGHS) | x) & HIGHS;
}

/*
 * Copy the eight bytes at p; those marked in hits are quotes, which are doubled. Writes eight bytes
 * at a time, and overwrites those after a quote. May read up to eight bytes after the eighth.
 */
static inline char *
put_eight(char *to, const uint8_t *p, uint64_t hits)
{
	unsigned	left = sizeof hits;

	memcpy(to, p, sizeof hits);
	while (hits != 0) {
		unsigned	n = (unsigned)__builtin_ctzll(hits) / 8 + 1;

		to += n;
		*to++ = '"';
		p += n;
		memcpy(to, p, sizeof hits);
		left -= n;
		hits = hits >> (8 * n - 1) >> 1;
	}
	return to + left;
}

/* Copy a byte; a quote is doubled. */
static inline char *
put_byte(char *to, uint8_t c)
{
	to[0] = (char)c;
	to[1] = '"';
	return to + 1 + (c == '"');
}

/* Copy ASCII with doubled quotes, up to the first non-ASCII byte. Returns how many bytes of p
   were copied. */
static size_t
put_quoted(char **out, const uint8_t *p, size_t len)
{
	size_t		i = 0;
	uint64_t	v;
	char		*to = *out;

	for (; len - i >= 2 * sizeof v; i += sizeof v) {
		v = load_u64le(p + i);
		if ((v & HIGHS) != 0)
			break;
		to = put_eight(to, p + i, quotes_in(v));
	}
	for (; i < len && p[i] < 0x80; i++)
		to = put_byte(to, p[i]);
	*out = to;
	return i;
}

void
csv_text(struct buf *out, struct span text, bool guard)
{
	size_t		 n = plain_len(text.p, text.len, '"', ',');
	const uint8_t	*p = text.p, *end = text.p + text.len;
	bool		 formula = guard && is_formula(text);
	bool		 quotes = formula || needs_quotes(p + n, end);
	char		*to;

	if (n == text.len && !quotes) {
		buf_add(out, p, n);
		return;
	}
	to = buf_room(out, text.len * 3 + 3 + sizeof(uint64_t));
	if (quotes)
		*to++ = '"';
	if (formula)
		*to++ = '\'';
	while (p < end) {
		n = put_quoted(&to, p, (size_t)(end - p));
		p += n;
		if (n == 0)
			p += put_wide(&to, p, end);
	}
	if (quotes)
		*to++ = '"';
	out->len = (size_t)(to - out->p);
}

void
csv_json(struct buf *out, struct span json)
{
	const uint8_t	*p = json.p, *end = json.p + json.len;
	char		*to;

	if (!needs_quotes(p, end)) {
		buf_add(out, p, json.len);
		return;
	}
	to = buf_room(out, json.len * 2 + 2 + sizeof(uint64_t));
	*to++ = '"';
	for (; (size_t)(end - p) >= 2 * sizeof(uint64_t); p += sizeof(uint64_t))
		to = put_eight(to, p, quotes_in(load_u64le(p)));
	while (p < end)
		to = put_byte(to, *p++);
	*to++ = '"';
	out->len = (size_t)(to - out->p);
}

/* ---- TSV */

void
tsv_text(struct buf *out, struct span text)
{
	const uint8_t	*p = text.p, *end = text.p + text.len;
	char		*to = buf_room(out, text.len * 3);

	while (p < end) {
		size_t	n = plain_len(p, (size_t)(end - p), '\\', '\\');

		memcpy(to, p, n);
		to += n;
		p += n;
		if (p == end)
			break;
		if (*p >= 0x80) {
			p += put_wide(&to, p, end);
			continue;
		}
		if (*p == '\\' || *p == '\t' || *p == '\n' || *p == '\r')
			*to++ = '\\';
		*to = (char)*p;
		if (*p == '\t')
			*to = 't';
		else if (*p == '\n')
			*to = 'n';
		else if (*p == '\r')
			*to = 'r';
		to++;
		p++;
	}
	out->len = (size_t)(to - out->p);
}

void
tsv_json(struct buf *out, struct span json)
{
	if (json.len == 0 || memchr(json.p, '\\', json.len) == NULL)
		buf_add(out, json.p, json.len);
	else
		tsv_text(out, json);
}

/* ---- Markdown */

void
markdown_text(struct buf *out, struct span text)
{
	while (text.len > 0 && text.p[0] == ' ') {	/* what aligns a column */
		text.p++;
		text.len--;
	}
	for (size_t i = 0; i < text.len; i++) {
		char	c = (char)text.p[i];

		if (strchr("\\|*_`<>[]&~#", c) != NULL && c != '\0')
			buf_putc(out, '\\');
		buf_putc(out, c == '\n' ? ' ' : c);
	}
}

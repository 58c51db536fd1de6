/*
 * Values as JSON and as readable text.
 *
 *   UTF-16LE  'G' 0 'r' 0 0xfc 0 ...  -> four units at a time while they are plain ASCII,
 *                                        else one character at a time
 *
 * Invariant: the text between the quotes of a JSON string is valid UTF-8, in which quotes,
 * backslashes and control characters are escaped.
 * The forms: doc/tnav.1.in, "JSON lines".
 */
#include "tnav/model/value.h"

#include <math.h>

#include "tnav/base/digits.h"
#include "tnav/base/text.h"
#include "tnav/base/units.h"

#define CHUNK		4096u	/* bytes of a text that are escaped at a time; even */
#define ESCAPED_MAX	6u	/* the most output for a byte of UTF-8 or a unit of UTF-16 */
#define REPLACEMENT	0xfffd

#define BYTES(c)	(UINT64_C(0x0101010101010101) * (c))
#define UNITS(c)	(UINT64_C(0x0001000100010001) * (c))

/* ---- JSON texts */

/* Are these eight ASCII bytes without need of an escape? Sums below 0x80 do not carry over. */
static bool
plain_bytes(uint64_t x)
{
	uint64_t	high = BYTES(0x80);

	if (x & high)
		return false;
	return ((x + BYTES(0x60)) & ((x ^ BYTES('"')) + BYTES(0x7f)) &
	    ((x ^ BYTES('\\')) + BYTES(0x7f)) & ((x ^ BYTES(0x7f)) + BYTES(0x7f)) & high) == high;
}

/* The same for four units of UTF-16. */
static bool
plain_units(uint64_t x)
{
	uint64_t	high = UNITS(0x80);

	if (x & UNITS(0xff80))
		return false;
	return ((x + UNITS(0x60)) & ((x ^ UNITS('"')) + UNITS(0x7f)) &
	    ((x ^ UNITS('\\')) + UNITS(0x7f)) & ((x ^ UNITS(0x7f)) + UNITS(0x7f)) & high) == high;
}

/* Write one character, escaped if JSON or a terminal needs it. Returns the new end. */
static char *
json_put(char *to, int32_t cp)
{
	static const char	hex[] = "0123456789abcdef";

	if (cp == '"' || cp == '\\') {
		*to++ = '\\';
		*to++ = (char)cp;
		return to;
	}
	if (cp >= 0x20 && cp < 0x7f) {
		*to++ = (char)cp;
		return to;
	}
	if (cp >= 0 && cp < 0xa0) {
		memcpy(to, "\\u00", 4);
		to[4] = hex[cp >> 4];
		to[5] = hex[cp & 15];
		return to + 6;
	}
	return to + text_encode(cp < 0 ? REPLACEMENT : cp, to);
}

/* Write the characters that begin in [*at, stop), of a text that ends at end. */
static char *
json_put8(char *to, const uint8_t **at, const uint8_t *stop, const uint8_t *end)
{
	const uint8_t	*p = *at;

	while (p < stop) {
		int32_t	cp;

		if (stop - p >= 8 && plain_bytes(load_u64le(p))) {
			memcpy(to, p, 8);
			p += 8;
			to += 8;
		} else if (*p < 0x80) {
			to = json_put(to, *p++);
		} else if (stop < end && stop - p < 4) {
			break;		/* it may end after stop: no room is reserved */
		} else {
			p += text_decode(p, end, &cp);
			to = json_put(to, cp);
		}
	}
	*at = p;
	return to;
}

void
json_text8(struct buf *out, struct span s)
{
	const uint8_t	*p = s.p, *end = s.len > 0 ? p + s.len : p;

	buf_putc(out, '"');
	while (p < end) {
		const uint8_t	*stop = end - p > CHUNK ? p + CHUNK : end;
		char		*to = buf_room(out, (size_t)(stop - p) * ESCAPED_MAX), *from = to;

		to = json_put8(to, &p, stop, end);
		out->len += (size_t)(to - from);
	}
	buf_putc(out, '"');
}

/* Names are short and frequent, so the room for all of it is reserved once. */
void
json_name(struct buf *out, struct span s)
{
	const uint8_t	*p = s.p, *end = s.len > 0 ? p + s.len : p;
	char		*from = buf_room(out, s.len * ESCAPED_MAX + 3), *to = from;

	*to++ = '"';
	to = json_put8(to, &p, end, end);
	*to++ = '"';
	*to++ = ':';
	out->len += (size_t)(to - from);
}

/* The character at byte *i; *i moves past it. */
static int32_t
utf16_next(struct span s, size_t *i)
{
	uint32_t	u = load_u16le(s.p + *i), low;

	*i += 2;
	if (u < 0xd800 || u >= 0xe000)
		return (int32_t)u;
	if (u >= 0xdc00 || s.len - *i < 2)
		return REPLACEMENT;
	low = load_u16le(s.p + *i);
	if (low < 0xdc00 || low >= 0xe000)
		return REPLACEMENT;
	*i += 2;
	return (int32_t)(0x10000 + ((u - 0xd800) << 10) + (low - 0xdc00));
}

void
json_text16(struct buf *out, struct span s)
{
	size_t	i = 0;

	buf_putc(out, '"');
	while (s.len - i >= 2) {
		size_t	stop = s.len - i > CHUNK ? i + CHUNK : s.len & ~(size_t)1;
		char	*to = buf_room(out, (stop - i) / 2 * ESCAPED_MAX), *from = to;

		/* A pair that straddles stop writes four of the six bytes reserved for a unit. */
		while (i < stop) {
			uint64_t	x = stop - i >= 8 ? load_u64le(s.p + i) : UINT64_MAX;

			if (plain_units(x)) {
				x |= x >> 8;
				to[0] = (char)x;
				to[1] = (char)(x >> 16);
				to[2] = (char)(x >> 32);
				to[3] = (char)(x >> 48);
				to += 4;
				i += 8;
			} else {
				to = json_put(to, utf16_next(s, &i));
			}
		}
		out->len += (size_t)(to - from);
	}
	if (i < s.len)
		buf_puts(out, "\xef\xbf\xbd");
	buf_putc(out, '"');
}

/* ---- single values */

#define GUID_TEXT	36u		/* 12345678-1234-1234-1234-123456789012 */

void
guid_text(struct buf *out, const uint8_t g[16])
{
	char	*to = buf_room(out, GUID_TEXT);

	/* Eight digits at a time: what a part has too many, the next one overwrites. */
	digits_eight(to, load_u32le(g));
	to[8] = '-';
	digits_eight(to + 9, (uint32_t)load_u16le(g + 4) << 16);
	to[13] = '-';
	digits_eight(to + 14, (uint32_t)load_u16le(g + 6) << 16);
	to[18] = '-';
	digits_eight(to + 19, load_u32be(g + 8));
	to[23] = '-';
	digits_eight(to + 24, load_u32be(g + 10));
	digits_eight(to + 28, load_u32be(g + 12));
	out->len += GUID_TEXT;
}

/* Write year, month, day of week, day, hour, minute, second, millisecond; hex if invalid. */
static void
systemtime_text(struct buf *out, const uint8_t t[16])
{
	unsigned	year = load_u16le(t), month = load_u16le(t + 2), day = load_u16le(t + 6);
	unsigned	hour = load_u16le(t + 8), minute = load_u16le(t + 10);
	unsigned	second = load_u16le(t + 12), ms = load_u16le(t + 14);

	if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31 ||
	    hour > 23 || minute > 59 || second > 59 || ms > 999)
		buf_bytes_hex(out, t, 16);
	else
		buf_printf(out, "%04u-%02u-%02uT%02u:%02u:%02u.%03u0000Z", year, month, day, hour,
		    minute, second, ms);
}

bool
value_words(struct buf *out, const struct value_map *map, uint64_t v)
{
	uint64_t	left = v;
	size_t		start = out->len;

	for (uint32_t i = 0; i < map->n; i++) {
		const struct value_name	*n = &map->values[i];

		if (n->value == v) {
			out->len = start;
			buf_puts(out, n->name);
			return true;
		}
		if (!map->bits || n->value == 0 || (v & n->value) != n->value)
			continue;
		if (out->len > start)
			buf_putc(out, '|');
		buf_puts(out, n->name);
		left &= ~n->value;
	}
	if (out->len == start)
		return false;
	if (left != 0) {
		buf_puts(out, "|0x");
		buf_hex(out, left, 1);
	}
	return true;
}

bool
value_number_words(struct buf *out, const struct value *v)
{
	const struct value_map	*map = v->field->map;
	uint64_t		 u = v->u;

	if (map == NULL)
		return false;
	if (map->bits && v->len < 8)
		u &= (UINT64_C(1) << v->len * 8) - 1;
	return value_words(out, map, u);
}

void
value_number_text(struct buf *out, const struct value *v)
{
	if (v->field->flags & FIELD_HEX || v->field->kind == FK_PTR) {
		buf_puts(out, "0x");
		buf_hex(out, v->kind == VK_INT && v->len < 8 ?
		    v->u & ((UINT64_C(1) << v->len * 8) - 1) : v->u, 1);
	} else if (v->kind == VK_INT) {
		buf_i64(out, v->i);
	} else {
		buf_u64(out, v->u);
	}
}

/* The greatest number of its size often stands for something, which its words say. */
static bool
is_greatest(const struct value *v)
{
	return v->kind == VK_UINT && v->len > 0 && v->len <= 8 &&
	    v->u == UINT64_MAX >> (64 - v->len * 8);
}

static void
float_text(struct buf *out, const struct value *v)
{
	if (v->kind == VK_F32)
		buf_f32(out, (float)v->f);
	else
		buf_f64(out, v->f);
}

void
value_text(struct buf *out, const struct value *v)
{
	size_t	start;

	switch (v->kind) {
	case VK_NULL:
		buf_puts(out, "null");
		break;
	case VK_BOOL:
		buf_puts(out, v->u ? "true" : "false");
		break;
	case VK_UINT: case VK_INT:
		if (is_greatest(v) && value_number_words(out, v))
			break;
		value_number_text(out, v);
		start = out->len;
		buf_putc(out, ' ');
		if (!value_number_words(out, v))
			out->len = start;
		break;
	case VK_F32: case VK_F64:
		float_text(out, v);
		break;
	case VK_GUID:
		guid_text(out, v->bytes.p);
		break;
	case VK_FILETIME:
		units_filetime(out, v->u);
		break;
	case VK_SYSTEMTIME:
		systemtime_text(out, v->bytes.p);
		break;
	case VK_TEXT16:
		text_from_utf16(out, v->bytes);
		break;
	case VK_TEXT8:
		text_from_utf8(out, v->bytes);
		break;
	case VK_BYTES:
		buf_bytes_hex(out, v->bytes.p, v->bytes.len);
		break;
	case VK_OBJECT: case VK_OBJECT_END: case VK_ARRAY: case VK_ARRAY_END:
		break;
	}
}

void
value_json(struct buf *out, const struct value *v, bool enum_names)
{
	size_t	start = out->len;

	switch (v->kind) {
	case VK_UINT: case VK_INT:
		if (enum_names && v->field->map != NULL) {
			/* Words of the tables need no escape. */
			buf_putc(out, '"');
			if (value_number_words(out, v)) {
				buf_putc(out, '"');
				return;
			}
			out->len = start;
		}
		if (v->kind == VK_INT)
			buf_i64(out, v->i);
		else
			buf_u64(out, v->u);
		return;
	case VK_TEXT16:
		json_text16(out, v->bytes);
		return;
	case VK_TEXT8:
		json_text8(out, v->bytes);
		return;
	case VK_F32: case VK_F64:
		if (isfinite(v->f)) {
			float_text(out, v);
			/* Attributes have no declared type: ".0" shows that a value is a float. */
			if (v->field->kind == FK_HEPH_F64 &&
			    strcspn(buf_str(out) + start, ".e") == out->len - start)
				buf_puts(out, ".0");
			return;
		}
		break;
	case VK_NULL: case VK_BOOL:
	case VK_OBJECT: case VK_OBJECT_END: case VK_ARRAY: case VK_ARRAY_END:
		value_text(out, v);
		return;
	case VK_GUID: case VK_FILETIME: case VK_SYSTEMTIME: case VK_BYTES:
		break;
	}
	buf_putc(out, '"');
	value_text(out, v);
	buf_putc(out, '"');
}

void
value_name_text(struct buf *out, const struct field *f, uint32_t i)
{
	const struct value_name	*v = &f->map->values[i];
	bool			 is_signed = f->kind == FK_I8 || f->kind == FK_I16 ||
				    f->kind == FK_I32 || f->kind == FK_I64 || f->kind == FK_VARI;

	if (is_signed)
		buf_printf(out, "%lld %s", (long long)v->value, v->name);
	else
		buf_printf(out, "%llu %s", (unsigned long long)v->value, v->name);
}

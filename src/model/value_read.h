/*
 * The layout of values in a payload, for the walk over all values (value.c) and for plans
 * (payload_plan.c, payload_line.c). Private to the model.
 *
 * Some writers encode a value differently from what the metadata declares. A variant is a set of
 * such differences. It is used if the payload does not fit the declared encoding, variant 0, but
 * fits the variant exactly.
 */
#ifndef MODEL_VALUE_READ_H
#define MODEL_VALUE_READ_H

#include <string.h>

#include "tnav/base/limits.h"
#include "tnav/model/value.h"

/* With more elements the walk's budget of values may run out: plans leave them to the walk. */
#define VALUE_ELEMENTS_MAX	(LIMIT_VALUES / 2)

#define VARIANT_BOOL	0x1u	/* booleans of one byte */
#define VARIANT_DATE	0x2u	/* DateTime of 16 bytes */
#define VARIANT_TEXT	0x4u	/* a lone CHAR8 is a text with a u16 count */
#define VARIANT_REAL	0x8u	/* decimals are doubles */
#define VARIANTS	0x10u

/* All differences that the type's payloads may have. */
unsigned	value_variants(const struct event_type *t);
/* Bytes of one value of each kind; 0: it varies. */
void		value_sizes(uint8_t size[FK_KINDS], unsigned pointer_size, unsigned variant);
/*
 * Find the bytes that a location refers to. unit: the size of an element, 0: any. base: the offset
 * from which the location counts. *left: how many bytes the locations of the payload may still
 * refer to. Returns NULL, or why the location is bad.
 */
const char	*value_locate(struct span payload, uint64_t base, uint32_t loc, unsigned unit,
		    uint64_t *left, struct span *data);
uint64_t	 value_located(struct span payload);	/* the initial value of *left */
/* The field for an attribute's type byte (Heph); NULL: no such type. */
const struct field *value_attribute(uint8_t type);

/* The part of the payload that is decoded: at most 4 GiB; p is never NULL. */
static inline struct span
value_payload(struct span payload)
{
	if (payload.len > UINT32_MAX)
		payload.len = UINT32_MAX;
	if (payload.len == 0)
		payload.p = (const uint8_t *)"";
	return payload;
}

/* Bytes of padding. */
static inline uint32_t
value_pad(const struct field *f, unsigned pointer_size)
{
	if (f->count > 0)
		return f->count;
	return pointer_size == 8 ? 4 : 0;
}

static inline uint32_t
value_u16be(struct cursor *c)
{
	uint32_t	u = cursor_u16le(c);

	return u >> 8 | (u & 0xff) << 8;
}

/* Read UTF-8 text and its NUL; the span is without the NUL. Fails if there is none. */
static inline struct span
value_utf8z(struct cursor *c)
{
	const uint8_t	*nul = cursor_left(c) > 0 ? memchr(c->p, 0, cursor_left(c)) : NULL;
	struct span	 s = { c->p, 0 };

	if (nul == NULL) {
		cursor_fail(c);
		return s;
	}
	s.len = (size_t)(nul - c->p);
	c->p = nul + 1;
	return s;
}

/* ---- one value */

static inline double
bits_f64(uint64_t bits)
{
	double	f;

	memcpy(&f, &bits, sizeof f);
	return f;
}

static inline double
bits_f32(uint32_t bits)
{
	float	f;

	memcpy(&f, &bits, sizeof f);
	return (double)f;
}

static inline void
value_set_uint(struct value *v, uint64_t u)
{
	v->kind = VK_UINT;
	v->u = u;
}

static inline void
value_set_int(struct value *v, int64_t i)
{
	v->kind = VK_INT;
	v->i = i;
}

static inline void
value_set_f64(struct value *v, uint64_t bits)
{
	v->kind = VK_F64;
	v->f = bits_f64(bits);
}

static inline void
value_set_bytes(struct value *v, enum value_kind kind, const uint8_t *p, size_t len)
{
	v->kind = kind;
	v->bytes = (struct span){ p, len };
}

static inline void
value_set_counted(struct value *v, struct cursor *c, uint32_t len)
{
	v->kind = VK_TEXT8;
	v->bytes = cursor_take(c, len);
}

/* Read a value without a fixed size. False: it does not end within the payload. */
static inline bool
value_read_variable(struct value *v, struct cursor *c)
{
	uint64_t	u;

	switch (v->field->kind) {
	case FK_VARU:
		value_set_uint(v, cursor_varu64(c));
		break;
	case FK_VARI:
		u = cursor_varu64(c);
		value_set_int(v, (int64_t)(u >> 1 ^ (0 - (u & 1))));
		break;
	case FK_UTF16Z:
		v->kind = VK_TEXT16;
		v->bytes = cursor_utf16z(c);
		break;
	case FK_UTF8Z:
		v->kind = VK_TEXT8;
		v->bytes = value_utf8z(c);
		break;
	case FK_HEPH_STR:
		value_set_counted(v, c, value_u16be(c));
		break;
	default:	/* FK_STR16, and FK_CHAR8 in VARIANT_TEXT */
		value_set_counted(v, c, cursor_u16le(c));
		break;
	}
	return cursor_ok(c);
}

/*
 * Read one value of n bytes that is neither an array nor an object; n 0: its size varies. False: it
 * does not fit.
 */
static inline bool
value_read(struct value *v, struct cursor *c, unsigned n)
{
	const uint8_t	*p = c->p;

	if (n == 0)
		return value_read_variable(v, c);
	if (n > cursor_left(c))
		return false;
	c->p += n;
	switch (v->field->kind) {
	case FK_BOOL8: case FK_BOOL32:
		v->kind = VK_BOOL;
		v->u = (n == 1 ? p[0] : load_u32le(p)) != 0;
		break;
	case FK_U8:
		value_set_uint(v, p[0]);
		break;
	case FK_I8:
		value_set_int(v, (int8_t)p[0]);
		break;
	case FK_U16:
		value_set_uint(v, load_u16le(p));
		break;
	case FK_I16:
		value_set_int(v, (int16_t)load_u16le(p));
		break;
	case FK_U32:
		value_set_uint(v, load_u32le(p));
		break;
	case FK_I32:
		value_set_int(v, (int32_t)load_u32le(p));
		break;
	case FK_U64:
		value_set_uint(v, load_u64le(p));
		break;
	case FK_I64:
		value_set_int(v, (int64_t)load_u64le(p));
		break;
	case FK_PTR:
		value_set_uint(v, n == 4 ? load_u32le(p) : load_u64le(p));
		break;
	case FK_F32:
		v->kind = VK_F32;
		v->f = bits_f32(load_u32le(p));
		break;
	case FK_F64:
		value_set_f64(v, load_u64le(p));
		break;
	case FK_HEPH_U64:
		value_set_uint(v, load_u64be(p));
		break;
	case FK_HEPH_I64:
		value_set_int(v, (int64_t)load_u64be(p));
		break;
	case FK_HEPH_F64:
		value_set_f64(v, load_u64be(p));
		break;
	case FK_DATETIME:
		value_set_bytes(v, VK_SYSTEMTIME, p, n);
		if (n == 8) {
			v->kind = VK_FILETIME;
			v->u = load_u64le(p);
		}
		break;
	case FK_GUID:
		value_set_bytes(v, VK_GUID, p, n);
		break;
	case FK_CHAR16:
		value_set_bytes(v, VK_TEXT16, p, n);
		break;
	case FK_CHAR8:
		value_set_bytes(v, VK_TEXT8, p, n);
		break;
	default:	/* FK_DECIMAL */
		if (n == 8)
			value_set_f64(v, load_u64le(p));
		else
			value_set_bytes(v, VK_BYTES, p, n);
		break;
	}
	return true;
}

/* ---- arrays of bytes or characters that are one value */

static inline bool
value_is_run(const struct field *f)
{
	if (f->inner != NULL)
		return false;
	return f->kind == FK_BYTES || f->kind == FK_U8 ||
	    (f->flags & FIELD_TEXT && (f->kind == FK_CHAR16 || f->kind == FK_CHAR8));
}

static inline size_t
text_until_nul(struct span s, unsigned unit)
{
	size_t	n = 0;

	while (n + unit <= s.len && (s.p[n] != 0 || s.p[n + unit - 1] != 0))
		n += unit;
	return n;
}

/* The length of a located text often includes its NUL. */
static inline size_t
text_without_nul(struct span s, unsigned unit)
{
	size_t	n = s.len;

	while (n >= unit && s.p[n - 1] == 0 && s.p[n - unit] == 0)
		n -= unit;
	return n;
}

/* Set the value of such an array; located: its bytes lie elsewhere in the payload. */
static inline void
value_run(struct value *v, struct span bytes, unsigned unit, bool located)
{
	const struct field	*f = v->field;

	v->kind = f->kind == FK_CHAR16 ? VK_TEXT16 : f->kind == FK_CHAR8 ? VK_TEXT8 : VK_BYTES;
	v->bytes = bytes;
	if (v->kind != VK_BYTES && f->array == AK_FIXED)
		v->bytes.len = text_until_nul(bytes, unit);
	else if (v->kind != VK_BYTES && located)
		v->bytes.len = text_without_nul(bytes, unit);
}

#endif

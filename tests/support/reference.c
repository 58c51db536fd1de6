/*
 * A second reader of payloads, by recursion over the fields: an object is its fields, an array its
 * elements, and everything else is a number, a text or some bytes. The programs of the model are
 * compared with it.
 *
 *   fields   a:u32   r:{x:u8, s:utf16z}[2]                          b:u16
 *   payload  a a a a  x s s 0 0  x 0 0                              b b
 *   values   a=7  ARRAY  OBJECT x s END  OBJECT x s END  ARRAY_END  b=9
 *
 * Invariant: every container that begins also ends, even if the payload does not.
 */
#include "reference.h"

#include <stdio.h>
#include <string.h>

#include "tnav/base/limits.h"

enum variant {
	ODD_BOOL = 1,		/* booleans of one byte */
	ODD_DATE = 2,		/* DateTime of 16 bytes */
	ODD_TEXT = 4,		/* a lone CHAR8 is a text with a u16 count */
	ODD_REAL = 8,		/* decimals are doubles */
};

static const char *const	variant_names[] = {
	"booleans of one byte", "DateTime of 16 bytes", "text with a count", "decimals as doubles",
};
#define VARIANTS	16u

#define LOCATED_MAX	4u	/* times the payload that locations may refer to */
#define ATTRIBUTE_ARRAY	0x80u

/* What one value is in the file and as a value; size 0: it varies. */
static const struct shape {
	uint8_t		size;
	bool		big_endian;
	enum value_kind	kind;
} shapes[FK_KINDS] = {
	[FK_BOOL8] = { 1, false, VK_BOOL }, [FK_BOOL32] = { 4, false, VK_BOOL },
	[FK_CHAR16] = { 2, false, VK_TEXT16 }, [FK_CHAR8] = { 1, false, VK_TEXT8 },
	[FK_U8] = { 1, false, VK_UINT }, [FK_I8] = { 1, false, VK_INT },
	[FK_U16] = { 2, false, VK_UINT }, [FK_I16] = { 2, false, VK_INT },
	[FK_U32] = { 4, false, VK_UINT }, [FK_I32] = { 4, false, VK_INT },
	[FK_U64] = { 8, false, VK_UINT }, [FK_I64] = { 8, false, VK_INT },
	[FK_PTR] = { 8, false, VK_UINT },
	[FK_F32] = { 4, false, VK_F32 }, [FK_F64] = { 8, false, VK_F64 },
	[FK_GUID] = { 16, false, VK_GUID }, [FK_DATETIME] = { 8, false, VK_FILETIME },
	[FK_DECIMAL] = { 16, false, VK_BYTES }, [FK_BYTES] = { 1, false, VK_BYTES },
	[FK_HEPH_U64] = { 8, true, VK_UINT }, [FK_HEPH_I64] = { 8, true, VK_INT },
	[FK_HEPH_F64] = { 8, true, VK_F64 },
};

struct reader {
	struct cursor	 c;			/* offsets are those of the payload */
	struct span	 payload;
	struct span	 name;			/* of the current attribute */
	value_fn	 fn;			/* NULL: only measure */
	void		*arg;
	const char	*error;			/* the first one */
	uint64_t	 located;		/* bytes that locations may still refer to */
	uint32_t	 budget;		/* values that may still be given, ends included */
	uint32_t	 cut;			/* offset of the field that did not fit */
	uint32_t	 reach;			/* end of the furthest located bytes */
	unsigned	 variant, pointer_size;
	unsigned	 depth;			/* containers around */
	bool		 spent;			/* the budget is used up */
	uint32_t	 nslots;
	uint64_t	 slot[FIELD_NO_SLOT];
};

static void	read_item(struct reader *r, const struct field *f, bool element);

/* ---- small steps */

static uint32_t
offset(const struct reader *r)
{
	return (uint32_t)cursor_off(&r->c);
}

/* Where what is read now ends. */
static uint32_t
end_of(const struct reader *r)
{
	return r->c.failed ? r->cut : offset(r);
}

static void
remark(struct reader *r, const char *error)
{
	if (r->error == NULL)
		r->error = error;
}

/* The field at off does not fit, so the fields after it have no known place. */
static void
cut(struct reader *r, uint32_t off, const char *error)
{
	remark(r, error);
	r->cut = off;
	cursor_fail(&r->c);
}

static bool
spend(struct reader *r, uint32_t n)
{
	if (r->budget < n) {
		remark(r, "too many values to decode");
		r->spent = true;
		return false;
	}
	r->budget -= n;
	return true;
}

static void
give(struct reader *r, struct value v)
{
	v.depth = r->depth;
	v.attribute = r->name.p != NULL;
	v.name = v.attribute ? r->name : span_of(v.field->name);
	if (r->fn != NULL)
		(void)r->fn(r->arg, &v);
}

/* A missing element is not given. */
static void
give_null(struct reader *r, const struct field *f, uint32_t off, bool element)
{
	if (!element && spend(r, 1))
		give(r, (struct value){ .kind = VK_NULL, .field = f, .off = off });
}

static unsigned
size_of(const struct reader *r, enum field_kind kind)
{
	if (kind == FK_PTR)
		return r->pointer_size == 4 ? 4 : 8;
	if (kind == FK_BOOL32 && r->variant & ODD_BOOL)
		return 1;
	if (kind == FK_DATETIME && r->variant & ODD_DATE)
		return 16;
	if (kind == FK_DECIMAL && r->variant & ODD_REAL)
		return 8;
	return shapes[kind].size;
}

static uint32_t
read_u16be(struct cursor *c)
{
	uint32_t	u = cursor_u16le(c);

	return u >> 8 | (u & 0xff) << 8;
}

/* ---- one value */

static void
set_number(struct value *v, struct span s, bool big_endian)
{
	uint64_t	u = 0;
	unsigned	unused = 64 - 8 * (unsigned)s.len;
	float		f;

	for (size_t i = 0; i < s.len; i++)
		u |= (uint64_t)s.p[big_endian ? s.len - 1 - i : i] << 8 * i;
	v->u = v->kind == VK_BOOL ? u != 0 : u;
	if (v->kind == VK_INT)
		v->i = (int64_t)(u << unused) >> unused;
	if (v->kind == VK_F32) {
		memcpy(&f, &(uint32_t){ (uint32_t)u }, sizeof f);
		v->f = (double)f;
	}
}

static void
read_sized(struct reader *r, struct value *v, unsigned size)
{
	enum field_kind	kind = v->field->kind;
	struct span	s = cursor_take(&r->c, size);

	v->kind = shapes[kind].kind;
	if (kind == FK_DATETIME && size == 16)
		v->kind = VK_SYSTEMTIME;
	if (kind == FK_DECIMAL && size == 8)
		v->kind = VK_F64;
	if (v->kind == VK_GUID || v->kind == VK_SYSTEMTIME || v->kind == VK_TEXT16 ||
	    v->kind == VK_TEXT8 || v->kind == VK_BYTES)
		v->bytes = s;
	else if (s.len > 0)
		set_number(v, s, shapes[kind].big_endian);
}

/* A text up to its NUL; fails without one. */
static struct span
read_utf8z(struct cursor *c)
{
	size_t		n = strnlen((const char *)c->p, cursor_left(c));
	struct span	s = cursor_take(c, n + 1);

	s.len = n;
	return s;
}

static void
read_varying(struct reader *r, struct value *v)
{
	struct cursor	*c = &r->c;
	uint64_t	 u;

	switch (v->field->kind) {
	case FK_VARU:
		v->kind = VK_UINT;
		v->u = cursor_varu64(c);
		break;
	case FK_VARI:
		v->kind = VK_INT;
		u = cursor_varu64(c);
		v->i = (int64_t)(u >> 1 ^ (0 - (u & 1)));
		break;
	case FK_UTF16Z:
		v->kind = VK_TEXT16;
		v->bytes = cursor_utf16z(c);
		break;
	case FK_UTF8Z:
		v->kind = VK_TEXT8;
		v->bytes = read_utf8z(c);
		break;
	default:	/* with a count of bytes */
		v->kind = VK_TEXT8;
		u = v->field->kind == FK_HEPH_STR ? read_u16be(c) : cursor_u16le(c);
		v->bytes = cursor_take(c, u);
		break;
	}
}

/* Why the value at off could not be read. */
static const char *
why(const struct reader *r, const struct field *f, uint32_t off)
{
	if (off >= cursor_off(&r->c))
		return "the payload ends before its last field";
	if (f->kind == FK_UTF16Z || f->kind == FK_UTF8Z)
		return "a string has no terminator";
	if (f->kind == FK_VARU || f->kind == FK_VARI)
		return "a variable-length number has no end";
	return "the payload ends inside a field";
}

static void
read_one(struct reader *r, const struct field *f, bool element)
{
	uint32_t	off = offset(r);
	struct value	v = { .field = f, .element = element, .off = off };
	bool		counted = f->kind == FK_CHAR8 && !element && r->variant & ODD_TEXT;
	unsigned	size = counted ? 0 : size_of(r, f->kind);

	if (!spend(r, 1))
		return;
	if (size == 0)
		read_varying(r, &v);
	else
		read_sized(r, &v, size);
	if (r->c.failed) {
		cut(r, off, why(r, f, off));
		r->budget++;
		give_null(r, f, off, element);
		return;
	}
	v.len = offset(r) - off;
	if (f->slot < r->nslots)
		r->slot[f->slot] = v.u;
	give(r, v);
}

/* It gives no value, but it is work. */
static void
read_pad(struct reader *r, const struct field *f)
{
	uint32_t	off = offset(r);

	if (!spend(r, 1))
		return;
	cursor_skip(&r->c, f->count > 0 ? f->count : r->pointer_size == 8 ? 4 : 0);
	if (r->c.failed)
		cut(r, off, "the payload ends inside a field");
}

/* ---- objects */

static bool
too_deep(struct reader *r, const struct field *f, bool element)
{
	if (r->depth < LIMIT_NESTING)
		return false;
	cut(r, offset(r), "the fields are nested too deeply");
	give_null(r, f, offset(r), element);
	return true;
}

/* Do these fields need exactly the rest of the payload? */
static bool
fit_exactly(const struct reader *r, const struct field *f, uint32_t n)
{
	uint64_t	need = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (f[i].array != AK_NONE || size_of(r, f[i].kind) == 0)
			return false;
		need += size_of(r, f[i].kind);
	}
	return need == cursor_left(&r->c);
}

static void
read_fields(struct reader *r, const struct field *f, uint32_t n)
{
	for (uint32_t i = 0; i < n && !r->spent; i++, f++) {
		if (f->flags & FIELD_OPTIONAL && cursor_left(&r->c) == 0)
			return;
		if (r->c.failed && (f->kind != FK_PAD || f->array != AK_NONE))
			give_null(r, f, offset(r), false);
		else if (r->c.failed)
			continue;
		else if (!(f->flags & FIELD_IF_FITS) || !fit_exactly(r, f + 1, n - i - 1))
			read_item(r, f, false);
		else if (spend(r, 1))
			give(r, (struct value){ .kind = VK_TEXT16, .field = f, .off = offset(r),
			    .bytes = { r->c.p, 0 } });
	}
}

/* Could these fields have no bytes at all? */
static bool
may_be_empty(const struct reader *r, const struct field *f, uint32_t n, unsigned depth)
{
	bool	empty = depth < LIMIT_NESTING;

	for (uint32_t i = 0; i < n && empty && !(f[i].flags & FIELD_OPTIONAL); i++) {
		if (f[i].array == AK_FIXED)
			empty = f[i].count == 0;
		else if (f[i].array != AK_NONE)
			empty = f[i].array == AK_BY_FIELD || f[i].array == AK_REST;
		else if (f[i].kind == FK_OBJECT)
			empty = may_be_empty(r, f[i].fields, f[i].nfields, depth + 1);
		else
			empty = f[i].kind == FK_PAD && f[i].count == 0 && r->pointer_size == 4;
	}
	return empty;
}

static void
read_object(struct reader *r, const struct field *f, bool element)
{
	struct value	v = { .kind = VK_OBJECT, .field = f, .element = element,
			      .off = offset(r) };

	if (element && cursor_left(&r->c) == 0 && !may_be_empty(r, f->fields, f->nfields, 0)) {
		cut(r, v.off, "an array is longer than the payload");
		return;
	}
	if (too_deep(r, f, element) || !spend(r, 2))
		return;
	give(r, v);
	r->depth++;
	read_fields(r, f->fields, f->nfields);
	r->depth--;
	v.kind = VK_OBJECT_END;
	v.len = end_of(r) - v.off;
	give(r, v);
}

/* ---- arrays */

struct array {
	uint64_t	n;		/* elements */
	bool		to_end;		/* as many as there are */
	bool		clipped;	/* fewer than it should have */
	bool		located;
	struct cursor	back;		/* located: where reading goes on */
	uint32_t	off;
};

/* Follow a location: r->c becomes the bytes that it refers to. */
static void
locate(struct reader *r, const struct field *f, unsigned size, struct array *a)
{
	uint64_t	at = f->array == AK_RELLOC ? cursor_off(&r->c) + 4 : 0, len;
	uint32_t	location = cursor_u32le(&r->c);

	at += location & 0xffff;
	len = location >> 16;
	if (!cursor_ok(&r->c))
		return;
	if (at > r->payload.len || len > r->payload.len - at) {
		remark(r, "a location lies outside the payload");
	} else if (size > 0 && len % size != 0) {
		remark(r, "a location does not hold a whole number of elements");
	} else if (len > r->located) {
		remark(r, "locations share too many bytes");
	} else {
		r->located -= len;
		a->located = true;
		a->back = r->c;
		r->c = cursor_init((struct span){ r->payload.p + at, (size_t)len }, at);
		a->off = (uint32_t)at;
	}
}

static void
come_back(struct reader *r, const struct array *a)
{
	uint32_t	end = (uint32_t)(r->c.off + (uint64_t)(r->c.end - r->c.base));

	if (!a->located)
		return;
	if (end > r->reach)
		r->reach = end;
	r->c = a->back;
}

/* How many elements there are; those of a fixed size are clipped. False: there is no array. */
static bool
count_elements(struct reader *r, const struct field *f, unsigned size, struct array *a)
{
	if (f->array == AK_RELLOC || f->array == AK_DATALOC)
		locate(r, f, size, a);
	else if (f->array == AK_FIXED)
		a->n = f->count;
	else if (f->array == AK_BY_FIELD)
		a->n = f->count < r->nslots ? r->slot[f->count] : 0;
	else if (f->array == AK_COUNT32)
		a->n = cursor_u32le(&r->c);
	else if (f->array == AK_COUNT16BE)
		a->n = read_u16be(&r->c);
	else if (f->array == AK_COUNT16)
		a->n = cursor_u16le(&r->c);
	else
		a->to_end = true;
	if (!cursor_ok(&r->c))
		cut(r, a->off, why(r, f, a->off));
	else if (f->array == AK_RELLOC || f->array == AK_DATALOC)
		a->to_end = a->located;
	if (!cursor_ok(&r->c) || ((f->array == AK_RELLOC || f->array == AK_DATALOC) && !a->located))
		return false;
	if (a->to_end)
		a->n = UINT64_MAX;
	if (size > 0 && a->n > cursor_left(&r->c) / size) {
		a->n = cursor_left(&r->c) / size;
		a->clipped = !a->to_end;
	}
	return true;
}

/* Bytes or characters that are one value: without what follows a NUL, or without NULs at the end. */
static void
read_run(struct reader *r, const struct field *f, const struct array *a, bool element, size_t unit)
{
	struct value	v = { .kind = VK_BYTES, .field = f, .element = element, .off = a->off };
	struct span	s;
	size_t		n = 0;

	if (!spend(r, 1))
		return;
	s = cursor_take(&r->c, a->n * unit);
	v.len = offset(r) - a->off;
	if (f->kind == FK_CHAR16 || f->kind == FK_CHAR8)
		v.kind = shapes[f->kind].kind;
	if (v.kind != VK_BYTES && f->array == AK_FIXED) {
		while (n + unit <= s.len && (s.p[n] != 0 || s.p[n + unit - 1] != 0))
			n += unit;
		s.len = n;
	} else if (v.kind != VK_BYTES && a->located) {
		while (s.len >= unit && s.p[s.len - 1] == 0 && s.p[s.len - unit] == 0)
			s.len -= unit;
	}
	v.bytes = s;
	give(r, v);
}

static void
read_element(struct reader *r, const struct field *f)
{
	if (f->inner != NULL)
		read_item(r, f->inner, true);
	else if (f->kind == FK_OBJECT)
		read_object(r, f, true);
	else if (f->kind == FK_PAD)
		read_pad(r, f);
	else
		read_one(r, f, true);
}

static void
read_elements(struct reader *r, const struct field *f, const struct array *a, bool element)
{
	struct value	 v = { .kind = VK_ARRAY, .field = f, .element = element, .off = a->off };
	const uint8_t	*at = NULL;

	if (!spend(r, 2))
		return;
	give(r, v);
	r->depth++;
	for (uint64_t i = 0; i < a->n && !r->spent && !r->c.failed; i++) {
		if (a->to_end && cursor_left(&r->c) == 0)
			break;
		if (a->to_end && at == r->c.p) {
			remark(r, "an array to the end of the payload has elements of zero bytes");
			break;
		}
		at = r->c.p;
		read_element(r, f);
	}
	r->depth--;
	v.kind = VK_ARRAY_END;
	v.len = end_of(r) - a->off;
	give(r, v);
}

static void
read_array(struct reader *r, const struct field *f, bool element)
{
	bool		nested = f->inner != NULL || f->kind == FK_OBJECT || f->kind == FK_PAD;
	bool		text = f->flags & FIELD_TEXT && (f->kind == FK_CHAR16 || f->kind == FK_CHAR8);
	unsigned	size = nested ? 0 : size_of(r, f->kind);
	struct array	a = { .off = offset(r) };

	if (!count_elements(r, f, size, &a)) {
		give_null(r, f, a.off, element);
		return;
	}
	if (nested && r->depth >= LIMIT_NESTING) {
		come_back(r, &a);
		(void)too_deep(r, f, element);
		return;
	}
	if (!nested && (text || f->kind == FK_BYTES || f->kind == FK_U8))
		read_run(r, f, &a, element, size);
	else
		read_elements(r, f, &a, element);
	if (a.clipped)
		cut(r, offset(r), "an array is longer than the payload");
	come_back(r, &a);
}

/* ---- attributes: payloads that contain their own description (Heph) */

static const struct field *
field_of_attribute(uint8_t type)
{
#define ATTRIBUTE(k, a)	{ .name = "", .kind = k, .array = a, .slot = FIELD_NO_SLOT }
	static const struct field	fields[][2] = {
		{ ATTRIBUTE(FK_HEPH_U64, AK_NONE), ATTRIBUTE(FK_HEPH_U64, AK_COUNT16BE) },
		{ ATTRIBUTE(FK_HEPH_I64, AK_NONE), ATTRIBUTE(FK_HEPH_I64, AK_COUNT16BE) },
		{ ATTRIBUTE(FK_HEPH_F64, AK_NONE), ATTRIBUTE(FK_HEPH_F64, AK_COUNT16BE) },
		{ ATTRIBUTE(FK_HEPH_STR, AK_NONE), ATTRIBUTE(FK_HEPH_STR, AK_COUNT16BE) },
	};
	unsigned	i = type & ~ATTRIBUTE_ARRAY;

	return i >= 1 && i <= 4 ? &fields[i - 1][(type & ATTRIBUTE_ARRAY) != 0] : NULL;
}

static void
read_attributes(struct reader *r)
{
	while (cursor_left(&r->c) > 0 && !r->spent) {
		uint32_t		 off = offset(r);
		struct span		 name = cursor_take(&r->c, read_u16be(&r->c));
		const struct field	*f = field_of_attribute(cursor_u8(&r->c));

		if (!cursor_ok(&r->c) || f == NULL) {
			cut(r, off, cursor_ok(&r->c) ? "an attribute has an unknown type" :
			    "the payload ends inside a field");
			break;
		}
		r->name = name;
		read_item(r, f, false);
	}
	r->name = (struct span){ NULL, 0 };
}

/* ---- the whole */

static void
read_item(struct reader *r, const struct field *f, bool element)
{
	if (f->array != AK_NONE || f->kind == FK_BYTES)
		read_array(r, f, element);
	else if (f->kind == FK_OBJECT)
		read_object(r, f, element);
	else if (f->kind == FK_ATTRIBUTES && !element)
		read_attributes(r);
	else if (f->kind == FK_PAD)
		read_pad(r, f);
	else
		read_one(r, f, element);
}

/* Read all in this variant; how many bytes are left. */
static uint32_t
read_payload(struct reader *r, const struct event_type *t, struct span payload, unsigned variant)
{
	uint32_t	end;

	payload.len = payload.len < UINT32_MAX ? payload.len : UINT32_MAX;
	if (payload.len == 0)
		payload.p = (const uint8_t *)"";
	*r = (struct reader){ .c = cursor_init(payload, 0), .payload = payload,
	    .fn = r->fn, .arg = r->arg, .located = (uint64_t)payload.len * LOCATED_MAX,
	    .budget = LIMIT_VALUES, .variant = variant, .pointer_size = t->pointer_size == 4 ? 4 : 8,
	    .nslots = t->nslots < FIELD_NO_SLOT ? t->nslots : FIELD_NO_SLOT };
	read_fields(r, t->fields, t->nfields);
	end = end_of(r) > r->reach ? end_of(r) : r->reach;
	return (uint32_t)payload.len - end;
}

/* The first variant that takes the whole payload, beginning with 0, the declared one; else 0. */
static unsigned
choose_variant(const struct event_type *t, struct span payload)
{
	unsigned	odd = (t->odd_bool ? ODD_BOOL : 0u) | (t->odd_date ? ODD_DATE : 0u) |
			    (t->odd_text ? ODD_TEXT : 0u) | (t->odd_real ? ODD_REAL : 0u);

	for (unsigned variant = 0; variant < VARIANTS && odd != 0; variant++) {
		struct reader	r = { .fn = NULL };

		if ((variant & ~odd) == 0 && read_payload(&r, t, payload, variant) == 0 &&
		    r.error == NULL)
			return variant;
	}
	return 0;
}

int
reference_walk(const struct event_type *t, struct span payload, value_fn fn, void *arg,
    struct payload_result *res)
{
	static char	note[128];
	unsigned	variant = choose_variant(t, payload);
	struct reader	r = { .fn = fn, .arg = arg };
	size_t		n = 0;

	res->undecoded = read_payload(&r, t, payload, variant);
	res->error = r.error;
	for (unsigned i = 0; i < 4; i++)
		if (variant >> i & 1)
			n += (size_t)snprintf(note + n, sizeof note - n, "%s%s", n > 0 ? ", " : "",
			    variant_names[i]);
	res->note = n > 0 ? note : NULL;
	return 0;
}

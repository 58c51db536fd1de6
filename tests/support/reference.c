/*
 * The walk over a payload, slow and plain: it interprets the fields of a type one by one. The
 * programs of the model are compared with it.
 *
 *   fields   a:u32   r:{x:u8, s:utf16z}[2]                          b:u16
 *   payload  a a a a  x s s 0 0  x 0 0                              b b
 *   values   a=7  ARRAY  OBJECT x s END  OBJECT x s END  ARRAY_END  b=9
 *
 * Invariant: every container that begins also ends, even if the walk is cut short.
 */
#include "reference.h"

#include <string.h>

#include "tnav/base/limits.h"

#define VARIANT_BOOL	0x1u	/* booleans of one byte */
#define VARIANT_DATE	0x2u	/* DateTime of 16 bytes */
#define VARIANT_TEXT	0x4u	/* a lone CHAR8 is a text with a u16 count */
#define VARIANT_REAL	0x8u	/* decimals are doubles */
#define VARIANTS	0x10u

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

#define LOCATED_MAX	4u

static const char	error_location[] = "a location lies outside the payload";
static const char	error_overlap[] = "locations share too many bytes";
static const char	error_element[] = "a location does not hold a whole number of elements";

/* Bytes of one value as declared; 0: it varies, or depends on the size of pointers. */
static const uint8_t	declared_sizes[FK_KINDS] = {
	[FK_BOOL8] = 1, [FK_BOOL32] = 4, [FK_CHAR16] = 2, [FK_CHAR8] = 1,
	[FK_U8] = 1, [FK_I8] = 1, [FK_U16] = 2, [FK_I16] = 2, [FK_U32] = 4, [FK_I32] = 4,
	[FK_U64] = 8, [FK_I64] = 8, [FK_F32] = 4, [FK_F64] = 8, [FK_GUID] = 16,
	[FK_DATETIME] = 8, [FK_DECIMAL] = 16, [FK_BYTES] = 1,
	[FK_HEPH_U64] = 8, [FK_HEPH_I64] = 8, [FK_HEPH_F64] = 8,
};

static unsigned
value_variants(const struct event_type *t)
{
	return (t->odd_bool ? VARIANT_BOOL : 0) | (t->odd_date ? VARIANT_DATE : 0) |
	    (t->odd_text ? VARIANT_TEXT : 0) | (t->odd_real ? VARIANT_REAL : 0);
}

static void
value_sizes(uint8_t size[FK_KINDS], unsigned pointer_size, unsigned variant)
{
	memcpy(size, declared_sizes, sizeof declared_sizes);
	size[FK_PTR] = pointer_size == 4 ? 4 : 8;
	if (variant & VARIANT_BOOL)
		size[FK_BOOL32] = 1;
	if (variant & VARIANT_DATE)
		size[FK_DATETIME] = 16;
	if (variant & VARIANT_REAL)
		size[FK_DECIMAL] = 8;
}

static uint64_t
value_located(struct span payload)
{
	return (uint64_t)payload.len * LOCATED_MAX;
}

static const char *
value_locate(struct span payload, uint64_t base, uint32_t loc, unsigned unit, uint64_t *left,
    struct span *data)
{
	uint64_t	at = base + (loc & 0xffff), len = loc >> 16;

	if (at > payload.len || len > payload.len - at)
		return error_location;
	if (unit > 0 && len % unit != 0)
		return error_element;
	if (len > *left)
		return error_overlap;
	*left -= len;
	*data = (struct span){ payload.p + at, (size_t)len };
	return NULL;
}

/* ---- attributes (Heph) */

#define ATTRIBUTE_ARRAY	0x80u

static const struct field *
value_attribute(uint8_t type)
{
	static const struct field	one[] = {
		{ .name = "", .kind = FK_HEPH_U64, .slot = FIELD_NO_SLOT },
		{ .name = "", .kind = FK_HEPH_I64, .slot = FIELD_NO_SLOT },
		{ .name = "", .kind = FK_HEPH_F64, .slot = FIELD_NO_SLOT },
		{ .name = "", .kind = FK_HEPH_STR, .slot = FIELD_NO_SLOT },
	};
	static const struct field	many[] = {
		{ .name = "", .kind = FK_HEPH_U64, .array = AK_COUNT16BE, .slot = FIELD_NO_SLOT },
		{ .name = "", .kind = FK_HEPH_I64, .array = AK_COUNT16BE, .slot = FIELD_NO_SLOT },
		{ .name = "", .kind = FK_HEPH_F64, .array = AK_COUNT16BE, .slot = FIELD_NO_SLOT },
		{ .name = "", .kind = FK_HEPH_STR, .array = AK_COUNT16BE, .slot = FIELD_NO_SLOT },
	};
	unsigned	i = type & ~ATTRIBUTE_ARRAY;

	if (i < 1 || i > sizeof one / sizeof *one)
		return NULL;
	return type & ATTRIBUTE_ARRAY ? &many[i - 1] : &one[i - 1];
}
/* TEXT and REAL do not occur together: they belong to different formats. */
static const char *const	variant_notes[VARIANTS] = {
	[VARIANT_BOOL] = "booleans of one byte",
	[VARIANT_DATE] = "DateTime of 16 bytes",
	[VARIANT_TEXT] = "text with a count",
	[VARIANT_BOOL | VARIANT_DATE] = "booleans of one byte, DateTime of 16 bytes",
	[VARIANT_BOOL | VARIANT_TEXT] = "booleans of one byte, text with a count",
	[VARIANT_DATE | VARIANT_TEXT] = "DateTime of 16 bytes, text with a count",
	[VARIANT_BOOL | VARIANT_DATE | VARIANT_TEXT] =
	    "booleans of one byte, DateTime of 16 bytes, text with a count",
	[VARIANT_REAL] = "decimals as doubles",
	[VARIANT_BOOL | VARIANT_REAL] = "booleans of one byte, decimals as doubles",
	[VARIANT_DATE | VARIANT_REAL] = "DateTime of 16 bytes, decimals as doubles",
	[VARIANT_BOOL | VARIANT_DATE | VARIANT_REAL] =
	    "booleans of one byte, DateTime of 16 bytes, decimals as doubles",
};

static const char	error_before[] = "the payload ends before its last field";
static const char	error_inside[] = "the payload ends inside a field";
static const char	error_text[] = "a string has no terminator";
static const char	error_number[] = "a variable-length number has no end";
static const char	error_array[] = "an array is longer than the payload";
static const char	error_nesting[] = "the fields are nested too deeply";
static const char	error_values[] = "too many values to decode";
static const char	error_attribute[] = "an attribute has an unknown type";
static const char	error_empty[] = "an array to the end of the payload has elements of zero "
    "bytes";

/* What is being read: the event (the first frame), an object or an array of these. */
struct frame {
	const struct field	*f;		/* the container; NULL: the event */
	const struct field	*next;		/* the next field; NULL: this is an array */
	uint64_t		 left;		/* fields or elements to come */
	const uint8_t		*at;		/* to_end: where the last element began */
	struct cursor		 back;		/* located: where the walk continues */
	uint32_t		 off;
	bool			 element, located, to_end;
};

struct walk {
	struct cursor	 c;			/* offsets are those of the payload */
	struct span	 payload;
	struct span	 name;			/* name of the current attribute */
	value_fn	 fn;			/* NULL: only measure */
	void		*arg;
	const char	*error;			/* the first one */
	uint64_t	 located;		/* bytes that locations may still refer to */
	uint32_t	 budget;		/* values that may still be given, ends included */
	uint32_t	 cut;			/* offset of the field that did not fit */
	uint32_t	 reach;			/* end of the furthest located bytes */
	unsigned	 variant;
	unsigned	 depth;			/* frames in use */
	bool		 spent;			/* the budget is used up */
	uint32_t	 nslots;
	uint8_t		 size[FK_KINDS];
	uint64_t	 slot[FIELD_NO_SLOT];
	struct frame	 stack[LIMIT_NESTING + 1];
};

/* ---- small steps */

static uint32_t
walk_off(const struct walk *w)
{
	return (uint32_t)cursor_off(&w->c);
}

static void
walk_remark(struct walk *w, const char *error)
{
	if (w->error == NULL)
		w->error = error;
}

/* The field at off does not fit, so the fields after it have no known place. */
static void
walk_cut(struct walk *w, uint32_t off, const char *error)
{
	walk_remark(w, error);
	w->cut = off;
	cursor_fail(&w->c);
}

static bool
walk_spend(struct walk *w, uint32_t n)
{
	if (w->budget < n) {
		walk_remark(w, error_values);
		w->spent = true;
		return false;
	}
	w->budget -= n;
	return true;
}

static int
walk_give(struct walk *w, const struct value *v)
{
	struct value	named = *v;

	if (w->fn == NULL)
		return 0;
	named.attribute = v->name.p != NULL;
	if (!named.attribute)
		named.name = span_of(v->field->name);
	return w->fn(w->arg, &named);
}

static int
walk_null(struct walk *w, const struct field *f, uint32_t off, bool element)
{
	struct value	v = { .kind = VK_NULL, .field = f, .element = element, .name = w->name,
			      .depth = w->depth - 1, .off = off };

	/* A missing element is not given. */
	if (element || !walk_spend(w, 1))
		return 0;
	return walk_give(w, &v);
}

/* ---- one value */

/* Read one value that is neither an array nor an object. False: it does not fit. */
static bool
walk_read(struct walk *w, struct value *v)
{
	const struct field	*f = v->field;
	bool			 counted = f->kind == FK_CHAR8 && !v->element &&
				    (w->variant & VARIANT_TEXT) != 0;

	return value_read(v, &w->c, counted ? 0 : w->size[f->kind]);
}

/* Why the value at off could not be read. */
static const char *
walk_why(const struct walk *w, const struct field *f, uint32_t off)
{
	if (off >= cursor_off(&w->c) && cursor_left(&w->c) == 0)
		return error_before;
	if (f->kind == FK_UTF16Z || f->kind == FK_UTF8Z)
		return error_text;
	return f->kind == FK_VARU || f->kind == FK_VARI ? error_number : error_inside;
}

static int
walk_scalar(struct walk *w, const struct field *f, bool element)
{
	struct value	v = { .kind = VK_NULL };
	uint32_t	off = walk_off(w);

	if (!walk_spend(w, 1))
		return 0;
	v.field = f;
	v.name = w->name;
	v.element = element;
	v.depth = w->depth - 1;
	v.off = off;
	if (!walk_read(w, &v)) {
		walk_cut(w, off, walk_why(w, f, off));
		w->budget++;
		return walk_null(w, f, off, element);
	}
	v.len = walk_off(w) - off;
	if (f->slot < w->nslots)
		w->slot[f->slot] = v.u;
	return walk_give(w, &v);
}

/* ---- containers */

/* Go back to the place after a location. A failure inside its data does not matter here. */
static void
walk_return(struct walk *w, const struct cursor *back)
{
	uint32_t	end = (uint32_t)(w->c.off + (uint64_t)(w->c.end - w->c.base));

	if (end > w->reach)
		w->reach = end;
	w->c = *back;
}

/* Begin or end a container. The budget for both is taken when it begins. */
static int
walk_bracket(struct walk *w, const struct field *f, enum value_kind kind, bool element,
    uint32_t off, uint32_t len)
{
	struct value	v = { .kind = kind, .field = f, .element = element, .name = w->name,
			      .depth = w->depth - 1, .off = off, .len = len };

	return walk_give(w, &v);
}

/* Push an object, or an array of objects or arrays. */
static int
walk_enter(struct walk *w, const struct frame *fr)
{
	bool	array = fr->next == NULL, deep = w->depth > LIMIT_NESTING;
	int	rc;

	if (deep || !walk_spend(w, 2)) {
		if (fr->located)
			walk_return(w, &fr->back);
		if (!deep)
			return 0;
		walk_cut(w, walk_off(w), error_nesting);
		return walk_null(w, fr->f, walk_off(w), fr->element);
	}
	rc = walk_bracket(w, fr->f, array ? VK_ARRAY : VK_OBJECT, fr->element, fr->off, 0);
	w->stack[w->depth++] = *fr;
	return rc;
}

static int
walk_leave(struct walk *w)
{
	const struct frame	*fr = &w->stack[--w->depth];
	bool			 array = fr->next == NULL;
	uint32_t		 end = w->c.failed ? w->cut : walk_off(w);

	if (fr->f == NULL)
		return 0;
	if (fr->located)
		walk_return(w, &fr->back);
	return walk_bracket(w, fr->f, array ? VK_ARRAY_END : VK_OBJECT_END, fr->element, fr->off,
	    end - fr->off);
}

/* Could a record of these fields have no bytes at all? Called only when no bytes are left. */
static bool
fields_may_be_empty(const struct walk *w, const struct field *f, uint32_t n, unsigned depth)
{
	bool	empty = depth < LIMIT_NESTING;

	for (uint32_t i = 0; i < n && empty && !(f[i].flags & FIELD_OPTIONAL); i++) {
		if (f[i].array == AK_FIXED)
			empty = f[i].count == 0;
		else if (f[i].array != AK_NONE)
			empty = f[i].array == AK_BY_FIELD || f[i].array == AK_REST;
		else if (f[i].kind == FK_OBJECT)
			empty = fields_may_be_empty(w, f[i].fields, f[i].nfields, depth + 1);
		else
			empty = f[i].kind == FK_PAD && f[i].count == 0 && w->size[FK_PTR] == 4;
	}
	return empty;
}

static int
walk_object(struct walk *w, const struct field *f, bool element)
{
	static const struct field	none;
	struct frame			fr = { .f = f, .next = f->nfields > 0 ? f->fields : &none,
					       .left = f->nfields, .off = walk_off(w),
					       .element = element };

	if (element && cursor_left(&w->c) == 0 &&
	    !fields_may_be_empty(w, f->fields, f->nfields, 0)) {
		walk_cut(w, fr.off, error_array);
		return 0;
	}
	return walk_enter(w, &fr);
}

/*
 * Follow a location: then w->c has exactly the bytes that it refers to, and *back is the place
 * after the location. False: the location is bad, w->c is equal to *back, and the error is set.
 */
static bool
walk_locate(struct walk *w, const struct field *f, unsigned size, struct cursor *back)
{
	uint64_t	base = f->array == AK_RELLOC ? cursor_off(&w->c) + 4 : 0;
	uint32_t	loc = cursor_u32le(&w->c);
	struct span	data;
	const char	*why;

	*back = w->c;
	if (!cursor_ok(&w->c))
		return false;
	why = value_locate(w->payload, base, loc, size, &w->located, &data);
	if (why != NULL) {
		walk_remark(w, why);
		return false;
	}
	w->c = cursor_init(data, (uint64_t)(data.p - w->payload.p));
	return true;
}

/* Give an array of bytes or characters, which is one value. */
static int
walk_run(struct walk *w, const struct field *f, struct frame *fr, unsigned unit)
{
	struct value	v = { .field = f, .element = fr->element, .depth = w->depth - 1,
			      .off = fr->off };

	if (!walk_spend(w, 1))
		return 0;
	value_run(&v, cursor_take(&w->c, fr->left * unit), unit, fr->located);
	v.len = walk_off(w) - fr->off;
	return walk_give(w, &v);
}

/* Give an array of plain values, which needs no frame. */
static int
walk_plain(struct walk *w, const struct field *f, struct frame *fr)
{
	int	rc;

	if (!walk_spend(w, 2))
		return 0;
	rc = walk_bracket(w, f, VK_ARRAY, fr->element, fr->off, 0);
	w->depth++;
	while (rc == 0 && fr->left > 0 && !w->spent && !w->c.failed &&
	    !(fr->to_end && cursor_left(&w->c) == 0)) {
		rc = walk_scalar(w, f, true);
		fr->left--;
	}
	w->depth--;
	if (rc == 0)
		rc = walk_bracket(w, f, VK_ARRAY_END, fr->element, fr->off,
		    (w->c.failed ? w->cut : walk_off(w)) - fr->off);
	return rc;
}

/*
 * Set fr->left to the number of elements. If they have a fixed size, it is clipped to those that
 * fit, and *clipped is set. False: there is no array, and the error is set.
 */
static bool
walk_count(struct walk *w, const struct field *f, unsigned size, struct frame *fr, bool *clipped)
{
	switch (f->array) {
	case AK_COUNT16:
		fr->left = cursor_u16le(&w->c);
		break;
	case AK_COUNT16BE:
		fr->left = value_u16be(&w->c);
		break;
	case AK_COUNT32:
		fr->left = cursor_u32le(&w->c);
		break;
	case AK_FIXED:
		fr->left = f->count;
		break;
	case AK_BY_FIELD:
		fr->left = f->count < w->nslots ? w->slot[f->count] : 0;
		break;
	case AK_RELLOC: case AK_DATALOC:
		fr->located = walk_locate(w, f, size, &fr->back);
		fr->to_end = true;
		break;
	case AK_NONE: case AK_REST:
		fr->to_end = true;
		break;
	}
	if (!cursor_ok(&w->c)) {
		walk_cut(w, fr->off, walk_why(w, f, fr->off));
		return false;
	}
	if ((f->array == AK_RELLOC || f->array == AK_DATALOC) && !fr->located)
		return false;
	if (fr->located)
		fr->off = walk_off(w);
	if (fr->to_end)
		fr->left = UINT64_MAX;
	if (size > 0 && fr->left > cursor_left(&w->c) / size) {
		fr->left = cursor_left(&w->c) / size;
		*clipped = !fr->to_end;
	}
	return true;
}

static int
walk_array(struct walk *w, const struct field *f, bool element)
{
	bool		 framed = f->inner != NULL || f->kind == FK_OBJECT || f->kind == FK_PAD;
	unsigned	 size = framed ? 0 : w->size[f->kind];
	struct frame	 fr = { .f = f, .off = walk_off(w), .element = element };
	bool		 clipped = false;
	int		 rc;

	if (!walk_count(w, f, size, &fr, &clipped))
		return walk_null(w, f, fr.off, element);
	if (framed)
		return walk_enter(w, &fr);
	rc = value_is_run(f) ? walk_run(w, f, &fr, size) : walk_plain(w, f, &fr);
	if (clipped)
		walk_cut(w, walk_off(w), error_array);
	if (fr.located)
		walk_return(w, &fr.back);
	return rc;
}

/* ---- attributes: payloads that contain their own description (Heph) */

static int
walk_attributes(struct walk *w)
{
	int	rc = 0;

	while (rc == 0 && cursor_left(&w->c) > 0 && !w->spent) {
		uint32_t		 off = walk_off(w);
		struct span		 name = cursor_take(&w->c, value_u16be(&w->c));
		uint8_t			 type = cursor_u8(&w->c);
		const struct field	*f = value_attribute(type);

		if (!cursor_ok(&w->c) || f == NULL) {
			walk_cut(w, off, cursor_ok(&w->c) ? error_attribute : error_inside);
			break;
		}
		w->name = name;
		rc = f->array != AK_NONE ? walk_array(w, f, false) : walk_scalar(w, f, false);
	}
	w->name = (struct span){ NULL, 0 };
	return rc;
}

/* ---- the loop */

static void
walk_pad(struct walk *w, const struct field *f)
{
	uint32_t	n = value_pad(f, w->size[FK_PTR]);
	uint32_t	off = walk_off(w);

	/* It gives no value, but it is work. */
	if (!walk_spend(w, 1))
		return;
	cursor_skip(&w->c, n);
	if (!cursor_ok(&w->c))
		walk_cut(w, off, error_inside);
}

static int
walk_item(struct walk *w, const struct field *f, bool element)
{
	if (f->array != AK_NONE || f->kind == FK_BYTES)
		return walk_array(w, f, element);
	if (f->kind == FK_OBJECT)
		return walk_object(w, f, element);
	if (f->kind == FK_ATTRIBUTES && !element)
		return walk_attributes(w);
	if (f->kind == FK_PAD) {
		walk_pad(w, f);
		return 0;
	}
	return walk_scalar(w, f, element);
}

/* Do the n fields after it need exactly the rest of the payload? */
static bool
walk_rest_fits(const struct walk *w, const struct field *f, uint64_t n)
{
	uint64_t	need = 0;

	for (uint64_t i = 0; i < n; i++) {
		if (f[i].array != AK_NONE || w->size[f[i].kind] == 0)
			return false;
		need += w->size[f[i].kind];
	}
	return need == cursor_left(&w->c);
}

/* The next field of an object or of the event. */
static int
walk_field(struct walk *w, struct frame *fr)
{
	const struct field	*f = fr->next++;
	uint32_t		 off = walk_off(w);

	fr->left--;
	if (f->flags & FIELD_OPTIONAL && cursor_left(&w->c) == 0) {
		fr->left = 0;
		return 0;
	}
	if (w->c.failed)
		return f->kind == FK_PAD && f->array == AK_NONE ? 0 : walk_null(w, f, off, false);
	if (f->flags & FIELD_IF_FITS && walk_rest_fits(w, f + 1, fr->left)) {
		struct value	v = { .kind = VK_TEXT16, .field = f, .depth = w->depth - 1,
				      .off = off, .bytes = { w->c.p, 0 } };

		return walk_spend(w, 1) ? walk_give(w, &v) : 0;
	}
	return walk_item(w, f, false);
}

/* Is this container at its end? */
static bool
frame_done(struct walk *w, struct frame *fr)
{
	if (fr->left == 0 || w->spent)
		return true;
	if (fr->next != NULL)
		return false;
	if (w->c.failed || (fr->to_end && cursor_left(&w->c) == 0))
		return true;
	if (fr->to_end && fr->at == w->c.p) {
		walk_remark(w, error_empty);
		return true;
	}
	fr->at = w->c.p;
	return false;
}

static int
walk_element(struct walk *w, struct frame *fr)
{
	const struct field	*f = fr->f;

	fr->left--;
	if (f->inner != NULL)
		return walk_item(w, f->inner, true);
	if (f->kind == FK_OBJECT)
		return walk_object(w, f, true);
	walk_pad(w, f);
	return 0;
}

static int
walk_all(struct walk *w, const struct field *fields, uint32_t n)
{
	int	rc = 0;

	if (n == 0)
		return 0;
	w->stack[0] = (struct frame){ .next = fields, .left = n };
	w->depth = 1;
	while (rc == 0 && w->depth > 0) {
		struct frame	*fr = &w->stack[w->depth - 1];

		if (frame_done(w, fr))
			rc = walk_leave(w);
		else
			rc = fr->next != NULL ? walk_field(w, fr) : walk_element(w, fr);
	}
	return rc;
}

/* Set everything except the stack, whose frames are written before they are read. */
static void
walk_init(struct walk *w, const struct event_type *t, struct span payload, unsigned pointer_size,
    unsigned variant)
{
	payload = value_payload(payload);
	w->c = cursor_init(payload, 0);
	w->payload = payload;
	w->name = (struct span){ NULL, 0 };
	w->fn = NULL;
	w->arg = NULL;
	w->error = NULL;
	w->located = value_located(payload);
	w->budget = LIMIT_VALUES;
	w->cut = w->reach = 0;
	w->variant = variant;
	w->depth = 0;
	w->spent = false;
	w->nslots = t->nslots < FIELD_NO_SLOT ? t->nslots : FIELD_NO_SLOT;
	memset(w->slot, 0, w->nslots * sizeof w->slot[0]);
	value_sizes(w->size, pointer_size, variant);
}

static uint32_t
walk_undecoded(const struct walk *w)
{
	uint64_t	end = w->c.failed ? w->cut : cursor_off(&w->c);

	if (end < w->reach)
		end = w->reach;
	return (uint32_t)(w->payload.len - end);
}

/* The first variant that takes the whole payload, beginning with 0, the declared one; else 0. */
static unsigned
walk_choose(struct walk *w, const struct event_type *t, struct span payload, unsigned pointer_size,
    unsigned odd)
{
	for (unsigned variant = 0; variant < VARIANTS; variant++) {
		if ((variant & ~odd) != 0)
			continue;
		walk_init(w, t, payload, pointer_size, variant);
		walk_all(w, t->fields, t->nfields);
		if (w->error == NULL && walk_undecoded(w) == 0)
			return variant;
	}
	return 0;
}

int
reference_walk(const struct event_type *t, struct span payload, value_fn fn, void *arg,
    struct payload_result *res)
{
	struct walk	w;
	unsigned	pointer_size = t->pointer_size, odd = value_variants(t);
	unsigned	variant = odd ? walk_choose(&w, t, payload, pointer_size, odd) : 0;
	int		rc;

	walk_init(&w, t, payload, pointer_size, variant);
	w.fn = fn;
	w.arg = arg;
	rc = walk_all(&w, t->fields, t->nfields);
	res->undecoded = walk_undecoded(&w);
	res->error = w.error;
	res->note = variant_notes[variant];
	return rc;
}

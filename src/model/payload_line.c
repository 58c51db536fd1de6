/*
 * Payloads as lines, by a plan: one step per field of the type, with the names formatted once.
 *
 *	fields	a:u32			s:utf16z		l:u8[u16 count]
 *	step	"a=" LINE_NUMBER 4	" s=" LINE_TEXT16	" l=" LINE_RUN
 *
 * The room for all names and numbers, and for the most that the payload's bytes can grow to, is
 * reserved once. A value that is written through the buffer may move it; then the room is reserved
 * again.
 *
 * Invariant: a payload that does not fit the steps is left to the walk, so every line is equal to
 * that of payload_line(); tests/fuzz/fuzz_value.c compares the two.
 */
#include "tnav/model/payload_line.h"

#include <string.h>

#include "model/value_read.h"
#include "tnav/base/digits.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"

#define CHUNK		16u	/* names are copied so many bytes at a time */
#define GROWTH		3u	/* the most bytes that a byte of a payload becomes: U+FFFD */
#define VALUE_ROOM	32u	/* bytes of a value without texts: a number and its separators */
#define UNITS(c)	(UINT64_C(0x0001000100010001) * (c))
#define BYTES(c)	(UINT64_C(0x0101010101010101) * (c))

enum line_kind {
	LINE_UINT, LINE_INT, LINE_HEX,	/* of a fixed size */
	LINE_BOOL,
	LINE_VARU,
	LINE_TEXT16, LINE_TEXT8,	/* up to their NUL */
	LINE_COUNTED, LINE_COUNTED_BE,	/* UTF-8 with a count */
	LINE_VALUE,			/* any other, through value_read() and value_text() */
	LINE_RUN,			/* an array that is one value: bytes or a text */
	LINE_ARRAY,			/* an array of plain values */
	LINE_PAD,
	LINE_ATTRIBUTES,
};

struct line_step {
	const struct field	*f;
	uint32_t		 name;		/* its offset in names, */
	uint32_t		 name_len;	/* ... with a blank before it and '=' after it */
	uint32_t		 width;		/* bytes of the value, or of an array's element */
	uint8_t			 kind;		/* enum line_kind */
	bool			 optional;	/* it and all after it may be absent at the end */
};

struct line_plan {
	bool			 walk;		/* there is no plan: use payload_line() */
	bool			 exact;		/* the fields must take the whole payload, else
						   another variant may fit it */
	uint32_t		 n;
	size_t			 room;		/* bytes for names and numbers */
	struct line_plan	*builtin;	/* plan of the object `builtin`, or NULL */
	const struct event_type	*type;		/* set if builtin is */
	unsigned		 pointer_size;
	struct buf		 names;		/* CHUNK bytes may be read past its end */
	struct line_step	 step[];
};

/* ---- making a plan */

static enum line_kind
number_kind(const struct field *f)
{
	if (f->map != NULL)
		return LINE_VALUE;
	switch (f->kind) {
	case FK_U8: case FK_U16: case FK_U32: case FK_U64:
		return f->flags & FIELD_HEX ? LINE_HEX : LINE_UINT;
	case FK_I8: case FK_I16: case FK_I32: case FK_I64:
		return f->flags & FIELD_HEX ? LINE_VALUE : LINE_INT;
	case FK_PTR:
		return LINE_HEX;
	case FK_BOOL8: case FK_BOOL32:
		return LINE_BOOL;
	case FK_VARU:
		return f->flags & FIELD_HEX ? LINE_VALUE : LINE_VARU;
	case FK_UTF16Z:
		return LINE_TEXT16;
	case FK_UTF8Z:
		return LINE_TEXT8;
	case FK_STR16:
		return LINE_COUNTED;
	case FK_HEPH_STR:
		return LINE_COUNTED_BE;
	default:
		return LINE_VALUE;
	}
}

/* False: left to the walk. */
static bool
array_kind(const struct field *f, struct line_step *s)
{
	if (f->inner != NULL || f->kind == FK_OBJECT || f->kind == FK_PAD ||
	    f->kind == FK_ATTRIBUTES)
		return false;
	if (f->array == AK_BY_FIELD || f->array == AK_RELLOC || f->array == AK_DATALOC)
		return false;
	s->kind = value_is_run(f) ? LINE_RUN : LINE_ARRAY;
	return s->width > 0 || s->kind == LINE_ARRAY;
}

static bool
step_make(struct line_plan *p, const struct event_type *t, uint32_t i, const uint8_t *size,
    bool first)
{
	const struct field	*f = &t->fields[i];
	struct line_step	*s = &p->step[p->n];
	size_t			 at = p->names.len;

	*s = (struct line_step){ .f = f, .width = size[f->kind], .name = (uint32_t)at,
	    .optional = (f->flags & FIELD_OPTIONAL) != 0 };
	if (f->kind == FK_ATTRIBUTES) {
		s->kind = LINE_ATTRIBUTES;
		return t->nfields == 1 && f->array == AK_NONE;
	}
	if (f->array != AK_NONE || f->kind == FK_BYTES) {
		if (!array_kind(f, s))
			return false;
	} else if (f->kind == FK_PAD) {
		s->kind = LINE_PAD;
		s->width = value_pad(f, size[FK_PTR]);
		return true;
	} else if (f->kind == FK_OBJECT) {
		return false;
	} else {
		s->kind = (uint8_t)number_kind(f);
	}
	if (!first)
		buf_putc(&p->names, ' ');
	payload_name(&p->names, span_of(f->name));
	s->name_len = (uint32_t)(p->names.len - at);
	return true;
}

/* Make the plan of the object's fields as that of a type which has only these. */
static void
builtin_plan(struct line_plan *p, const struct event_type *t, unsigned pointer_size)
{
	const struct field	*o = builtin_object(t);
	struct event_type	 type = { .provider = "", .name = "", .fields = o->fields,
					  .nfields = o->nfields };

	p->builtin = line_plan_new(&type, pointer_size);
	p->type = t;
	p->pointer_size = pointer_size;
}

struct line_plan *
line_plan_new(const struct event_type *t, unsigned pointer_size)
{
	struct line_plan	*p = mem_zalloc(1, sizeof *p + t->nfields * sizeof p->step[0]);
	uint8_t			 size[FK_KINDS];
	bool			 first = true;

	buf_init(&p->names);
	value_sizes(size, pointer_size, 0);
	p->exact = value_variants(t) != 0;
	p->walk = t->nfields > LIMIT_FIELDS;
	for (uint32_t i = 0; i < t->nfields && !p->walk; i++) {
		p->walk = (t->fields[i].flags & FIELD_IF_FITS) != 0 ||
		    !step_make(p, t, i, size, first);
		first &= p->step[i].kind == LINE_PAD;
		p->n++;
	}
	p->room = p->names.len + (size_t)p->n * VALUE_ROOM + CHUNK;
	memset(buf_room(&p->names, CHUNK), 0, CHUNK);
	if (t->builtin != NULL)
		builtin_plan(p, t, pointer_size);
	return p;
}

void
line_plan_free(struct line_plan *p)
{
	if (p == NULL)
		return;
	line_plan_free(p->builtin);
	buf_release(&p->names);
	mem_free(p);
}

/* ---- writing */

/* A line that is being written. `to` points into the memory of out, which has enough room. */
struct line {
	struct cursor	 c;		/* of the payload */
	struct buf	*out;
	char		*to;
	size_t		 room;		/* bytes for names and numbers */
	uint32_t	 elements;	/* elements of arrays, and attributes, so far */
	bool		 bare;		/* leave out names and texts, */
	uint64_t	 small;		/* ... and unsigned numbers below this */
};

static void
line_room(struct line *l)
{
	l->to = buf_room(l->out, l->room + cursor_left(&l->c) * GROWTH);
}

/* Add what was written to the buffer. After the buffer was changed, call line_room() again. */
static void
line_flush(struct line *l)
{
	l->out->len = (size_t)(l->to - l->out->p);
}

static inline void
line_name(struct line *l, const char *name, uint32_t len)
{
	memcpy(l->to, name, CHUNK);
	if (len > CHUNK)
		memcpy(l->to + CHUNK, name + CHUNK, len - CHUNK);
	l->to += len;
}

static void
line_value(struct line *l, const struct value *v)
{
	if (l->bare && (v->kind == VK_TEXT8 || v->kind == VK_TEXT16))
		return;
	line_flush(l);
	value_text(l->out, v);
	line_room(l);
}

/* Write ASCII text up to its NUL, four units at a time; false: it is not ASCII or has no NUL. */
static inline bool
line_ascii16(struct line *l)
{
	const uint8_t	*p = l->c.p, *end = l->c.end;
	char		*to = l->to;
	uint64_t	 x;

	for (; end - p >= 8; p += 8, to += 4) {
		x = load_u64le(p);
		if (((x | (x - UNITS(1))) & UNITS(0xff80)) != 0)
			break;
		x = (x | x >> 8) & UINT64_C(0x0000ffff0000ffff);
		x |= x >> 16;
		to[0] = (char)x;
		to[1] = (char)(x >> 8);
		to[2] = (char)(x >> 16);
		to[3] = (char)(x >> 24);
	}
	for (; end - p >= 2 && p[1] == 0 && p[0] - 1u < 0x7f; p += 2)
		*to++ = (char)p[0];
	if (end - p < 2 || p[0] != 0 || p[1] != 0)
		return false;
	l->c.p = p + 2;
	l->to = to;
	return true;
}

static bool
line_text16(struct line *l)
{
	struct span	s;

	if (!l->bare && line_ascii16(l))
		return true;
	s = cursor_utf16z(&l->c);
	if (l->bare)
		return cursor_ok(&l->c);
	line_flush(l);
	text_from_utf16(l->out, s);
	line_room(l);
	return cursor_ok(&l->c);
}

/* UTF-8, mostly ASCII, eight bytes at a time: there is room for some bytes too many. */
static void
line_utf8(struct line *l, struct span s)
{
	const uint8_t	*p = s.p, *end = s.p + s.len;
	char		*to = l->to;

	if (l->bare)
		return;
	for (; end - p >= 8; p += 8, to += 8) {
		uint64_t	x = load_u64le(p);

		if ((x & BYTES(0x80)) != 0)
			break;
		memcpy(to, p, sizeof x);
	}
	while (p < end && *p < 0x80)
		*to++ = (char)*p++;
	l->to = to;
	if (p == end)
		return;
	line_flush(l);
	text_from_utf8(l->out, (struct span){ p, (size_t)(end - p) });
	line_room(l);
}

static bool
line_counted(struct line *l, uint32_t len)
{
	struct span	s = cursor_take(&l->c, len);

	line_utf8(l, s);
	return cursor_ok(&l->c);
}

static bool
line_text8(struct line *l)
{
	struct span	s = value_utf8z(&l->c);

	if (cursor_ok(&l->c))
		line_utf8(l, s);
	return cursor_ok(&l->c);
}

static void
line_int(struct line *l, int64_t i)
{
	if (i < 0)
		*l->to++ = '-';
	l->to = digits_u64(l->to, i < 0 ? 0 - (uint64_t)i : (uint64_t)i);
}

static void
line_hex(struct line *l, uint64_t u)
{
	memcpy(l->to, "0x", 2);
	l->to = digits_hex(l->to + 2, u);
}

static uint64_t
load_uint(const uint8_t *p, uint32_t width)
{
	if (width == 4)
		return load_u32le(p);
	if (width == 8)
		return load_u64le(p);
	return width == 2 ? load_u16le(p) : p[0];
}

static int64_t
load_int(const uint8_t *p, uint32_t width)
{
	if (width == 4)
		return (int32_t)load_u32le(p);
	if (width == 8)
		return (int64_t)load_u64le(p);
	return width == 2 ? (int16_t)load_u16le(p) : (int8_t)p[0];
}

static bool
line_any(struct line *l, const struct field *f, uint32_t width, bool element)
{
	struct value	v = { .field = f, .element = element,
			      .off = (uint32_t)cursor_off(&l->c) };

	if (!value_read(&v, &l->c, width))
		return false;
	v.len = (uint32_t)cursor_off(&l->c) - v.off;
	line_value(l, &v);
	return true;
}

/* Read the number of elements; false: they do not fit, or there are too many. */
static bool
read_count(struct line *l, const struct field *f, uint32_t width, uint64_t *n)
{
	uint64_t	fit = width > 0 ? cursor_left(&l->c) / width : UINT64_MAX;

	switch (f->array) {
	case AK_COUNT16:
		*n = cursor_u16le(&l->c);
		break;
	case AK_COUNT16BE:
		*n = value_u16be(&l->c);
		break;
	case AK_COUNT32:
		*n = cursor_u32le(&l->c);
		break;
	case AK_FIXED:
		*n = f->count;
		break;
	default:	/* up to the payload's end */
		*n = fit;
		return true;
	}
	return cursor_ok(&l->c) && (width == 0 || *n <= cursor_left(&l->c) / width);
}

static bool
line_run(struct line *l, const struct field *f, uint32_t width)
{
	struct value	v = { .field = f };
	uint64_t	n;

	if (!read_count(l, f, width, &n))
		return false;
	value_run(&v, cursor_take(&l->c, n * width), width, false);
	if (v.kind == VK_TEXT8)
		line_utf8(l, v.bytes);
	else
		line_value(l, &v);
	return true;
}

static bool
line_array(struct line *l, const struct field *f, uint32_t width)
{
	uint64_t	n;
	bool		to_end = f->array == AK_NONE || f->array == AK_REST, good = true;

	if (!read_count(l, f, width, &n))
		return false;
	*l->to++ = '[';
	for (uint64_t i = 0; i < n && good && !(to_end && cursor_left(&l->c) == 0); i++) {
		if (i > 0)
			*l->to++ = ' ';
		good = l->elements++ < VALUE_ELEMENTS_MAX && line_any(l, f, width, true);
	}
	*l->to++ = ']';
	return good;
}

static bool
line_attribute(struct line *l, const struct field *f)
{
	uint32_t	width = f->kind == FK_HEPH_STR ? 0 : 8;

	if (f->array != AK_NONE)
		return line_array(l, f, width);
	if (f->kind == FK_HEPH_STR)
		return line_counted(l, value_u16be(&l->c));
	if (f->kind == FK_HEPH_F64)
		return line_any(l, f, width, false);
	if (cursor_left(&l->c) < width)
		return false;
	if (f->kind == FK_HEPH_U64)
		l->to = digits_u64(l->to, load_u64be(l->c.p));
	else
		line_int(l, (int64_t)load_u64be(l->c.p));
	l->c.p += width;
	return true;
}

static bool
line_attributes(struct line *l)
{
	for (bool first = true; cursor_left(&l->c) > 0; first = false) {
		struct span		 name = cursor_take(&l->c, value_u16be(&l->c));
		const struct field	*f = value_attribute(cursor_u8(&l->c));

		if (!cursor_ok(&l->c) || f == NULL || l->elements++ >= VALUE_ELEMENTS_MAX / 4)
			return false;
		if (!first)
			*l->to++ = ' ';
		line_utf8(l, name);
		if (name.len > 0 && !l->bare)
			*l->to++ = '=';
		if (!line_attribute(l, f))
			return false;
	}
	return true;
}

static inline bool
line_step(struct line *l, const struct line_step *s)
{
	const uint8_t	*p = l->c.p;

	switch ((enum line_kind)s->kind) {
	case LINE_TEXT16:
		return line_text16(l);
	case LINE_TEXT8:
		return line_text8(l);
	case LINE_COUNTED:
		return line_counted(l, cursor_u16le(&l->c));
	case LINE_COUNTED_BE:
		return line_counted(l, value_u16be(&l->c));
	case LINE_VALUE:
		return line_any(l, s->f, s->width, false);
	case LINE_RUN:
		return line_run(l, s->f, s->width);
	case LINE_ARRAY:
		return line_array(l, s->f, s->width);
	case LINE_ATTRIBUTES:
		return line_attributes(l);
	case LINE_VARU:
		l->to = digits_u64(l->to, cursor_varu64(&l->c));
		return cursor_ok(&l->c);
	case LINE_UINT: case LINE_INT: case LINE_HEX: case LINE_BOOL: case LINE_PAD:
		break;
	}
	if (cursor_left(&l->c) < s->width)
		return false;
	l->c.p += s->width;
	if (s->kind == LINE_UINT) {
		uint64_t	u = load_uint(p, s->width);

		if (u >= l->small)
			l->to = digits_u64(l->to, u);
	} else if (s->kind == LINE_HEX) {
		line_hex(l, load_uint(p, s->width));
	} else if (s->kind == LINE_INT) {
		line_int(l, load_int(p, s->width));
	} else if (s->kind == LINE_BOOL) {
		bool	is = load_uint(p, s->width) != 0;

		memcpy(l->to, is ? "true" : "false", 5);
		l->to += is ? 4 : 5;
	}
	return true;
}

/* Write a line as l.bare and l.small say; the rest of l is set here. */
static bool
line_put(struct line l, const struct line_plan *p, struct span payload, struct buf *out,
    uint32_t *undecoded)
{
	size_t		start = out->len;
	bool		good = !p->walk;

	if (p->walk)
		return false;
	payload = value_payload(payload);
	l.c = cursor_init(payload, 0);
	l.out = out;
	l.room = p->room;
	line_room(&l);
	for (uint32_t i = 0; i < p->n && good; i++) {
		const struct line_step	*s = &p->step[i];

		if (s->optional && cursor_left(&l.c) == 0)
			break;
		if (l.bare)
			*l.to++ = ' ';
		else
			line_name(&l, p->names.p + s->name, s->name_len);
		good = line_step(&l, s);
	}
	line_flush(&l);
	if (!good || (p->exact && cursor_left(&l.c) > 0)) {
		out->len = start;
		return false;
	}
	*undecoded = (uint32_t)cursor_left(&l.c);
	return true;
}

bool
line_plan_put(const struct line_plan *p, struct span payload, struct buf *out,
    uint32_t *undecoded)
{
	return line_put((struct line){ .bare = false }, p, payload, out, undecoded);
}

bool
line_plan_numbers(const struct line_plan *p, struct span payload, size_t shortest,
    struct buf *out)
{
	struct line	bare = { .bare = true, .small = shortest > 1 };
	uint32_t	undecoded;

	for (size_t i = 1; i < shortest && bare.small <= UINT64_MAX / 10; i++)
		bare.small *= 10;
	if (!line_put(bare, p, payload, out, &undecoded))
		return false;
	if (undecoded > 0) {
		buf_putc(out, ' ');
		buf_u64(out, undecoded);
	}
	if (p->builtin == NULL || !builtin_fits(p->type, p->pointer_size, &payload))
		return true;
	buf_putc(out, ' ');
	return line_put(bare, p->builtin, payload, out, &undecoded);
}

void
line_plan_builtin(const struct line_plan *p, struct span payload, struct buf *out)
{
	size_t		start = out->len;
	uint32_t	undecoded;

	if (p->builtin == NULL || !builtin_fits(p->type, p->pointer_size, &payload))
		return;
	buf_puts(out, " builtin={");
	/* The layouts have only fields of fixed size, so this does not fail. */
	if (line_plan_put(p->builtin, payload, out, &undecoded))
		buf_putc(out, '}');
	else
		out->len = start;
}

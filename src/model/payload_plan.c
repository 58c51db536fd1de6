/*
 * Payloads by plan: the steps to one field, compiled once per type.
 *
 *	fields	 a:u32  b:u16  s:utf16z  c:u8[u16 count]  d:u32
 *	of d	 fixed 6       text16    counted 1        read 4
 *
 * If a type's payloads may be encoded in several variants (value_read.h), each variant has steps
 * for the whole payload, because the first one that fits exactly is used. Objects, arrays of
 * objects and counts in another field have no steps: they are left to the walk. In a payload of
 * attributes (Heph) the plan looks for the name; an attribute that is an array or occurs twice is
 * left to the walk.
 *
 * Invariant: for every payload the result is equal to that of the walk;
 * tests/fuzz/fuzz_payload_plan.c compares the two.
 */
#include "tnav/model/payload_plan.h"

#include <string.h>

#include "model/value_read.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/model/path.h"

#define STEPS_MAX	32u
#define LAYOUTS_MAX	4u

enum step_kind {
	STEP_FIXED,		/* bytes */
	STEP_TEXT16, STEP_TEXT8,
	STEP_NUMBER,		/* of variable length */
	STEP_COUNT16, STEP_COUNT16BE, STEP_COUNT32,	/* a count, then count * bytes */
	STEP_RELATIVE, STEP_LOCATION,	/* a location of 4 bytes; bytes: size of an element */
	STEP_REST,		/* up to the end; bytes: size of an element */
};

struct step {
	uint32_t	bytes;
	uint8_t		kind;		/* enum step_kind */
	bool		optional;	/* its field may be absent at the payload's end */
	bool		values;		/* each element is a value of its own */
	bool		alone;		/* may not be merged with its neighbours */
};

struct layout {
	uint32_t	first, n;	/* its steps in plan.step */
	uint32_t	target;		/* number of steps before the field */
	uint32_t	optional;	/* 1 + the last step that may be absent, 0: none */
	uint8_t		width;		/* bytes of the field or its elements, 0: it varies */
	bool		counted;	/* the field is a CHAR8 that is a text with a count */
};

struct payload_plan {
	const struct field	*f;	/* NULL: there is none, or it is left to the walk */
	bool			 walk;
	char			*name;	/* of the attribute, for a type of attributes; or NULL */
	size_t			 name_len;
	uint32_t		 nlayouts;
	struct payload_place	number;	/* its place, if that is the same in every payload */
	bool			text16;	/* it is a UTF-16 text that always begins at text_off */
	uint32_t		text_off;
	struct layout		 layout[LAYOUTS_MAX];
	struct step		 step[];
};

/* ---- making a plan */

struct maker {
	const struct event_type	*t;
	uint32_t		 field;		/* index of the requested field */
	uint8_t			 size[FK_KINDS];
	unsigned		 variant;
	struct step		 step[LAYOUTS_MAX * STEPS_MAX];
	uint32_t		 n, first;
};

/* Append a step, or merge it with the last one; false: too many. */
static bool
add_step(struct maker *m, struct step s)
{
	struct step	*last = m->n > m->first ? &m->step[m->n - 1] : NULL;

	if (last != NULL && last->kind == STEP_FIXED && s.kind == STEP_FIXED && !s.optional &&
	    !last->alone && !s.alone && s.bytes <= UINT32_MAX - last->bytes) {
		last->bytes += s.bytes;
		return true;
	}
	if (m->n - m->first == STEPS_MAX)
		return false;
	m->step[m->n++] = s;
	return true;
}

static bool
is_counted(const struct maker *m, const struct field *f)
{
	return f->kind == FK_CHAR8 && f->array == AK_NONE && m->variant & VARIANT_TEXT;
}

/* The step over one value; false: there is no such step. */
static bool
scalar_step(const struct maker *m, const struct field *f, struct step *s)
{
	s->bytes = m->size[f->kind];
	if (s->bytes > 0 && !is_counted(m, f))
		return true;
	s->bytes = 1;
	switch (f->kind) {
	case FK_PAD:
		s->bytes = value_pad(f, m->size[FK_PTR]);
		return true;
	case FK_VARU: case FK_VARI:
		s->kind = STEP_NUMBER;
		return true;
	case FK_UTF16Z:
		s->kind = STEP_TEXT16;
		return true;
	case FK_UTF8Z:
		s->kind = STEP_TEXT8;
		return true;
	case FK_STR16: case FK_CHAR8:
		s->kind = STEP_COUNT16;
		return true;
	case FK_HEPH_STR:
		s->kind = STEP_COUNT16BE;
		return true;
	default:
		return false;
	}
}

static bool
array_step(const struct maker *m, const struct field *f, struct step *s)
{
	uint64_t	all;

	s->bytes = m->size[f->kind];
	s->values = !value_is_run(f);
	if (f->inner != NULL || f->kind == FK_PAD || s->bytes == 0)
		return false;
	switch (f->array) {
	case AK_FIXED:
		all = (uint64_t)f->count * s->bytes;
		s->bytes = (uint32_t)all;
		return all <= UINT32_MAX && (!s->values || f->count < LIMIT_FIELDS / 4);
	case AK_COUNT16:
		s->kind = STEP_COUNT16;
		return true;
	case AK_COUNT16BE:
		s->kind = STEP_COUNT16BE;
		return true;
	case AK_COUNT32:
		s->kind = STEP_COUNT32;
		return true;
	case AK_RELLOC: case AK_DATALOC:
		s->kind = f->array == AK_RELLOC ? STEP_RELATIVE : STEP_LOCATION;
		return !s->values;
	case AK_NONE: case AK_REST:
		s->kind = STEP_REST;
		return true;
	case AK_BY_FIELD:
		break;
	}
	return false;
}

static bool
is_array(const struct field *f)
{
	return f->array != AK_NONE || f->kind == FK_BYTES;
}

/*
 * Make the steps over fields 0 to n - 1 in m's variant. whole: the size of all fields decides
 * whether the variant fits, so the steps go on after the requested field.
 */
static bool
layout_make(struct maker *m, struct layout *l, uint32_t n, bool whole)
{
	*l = (struct layout){ .first = m->n };
	m->first = m->n;
	for (uint32_t i = 0; i < n; i++) {
		const struct field	*f = &m->t->fields[i];
		struct step		 s = { .kind = STEP_FIXED, .alone = i == m->field };
		bool			 optional = (f->flags & FIELD_OPTIONAL) != 0;

		s.optional = optional;
		if (f->flags & FIELD_IF_FITS || (whole && optional))
			return false;
		if (!(is_array(f) ? array_step(m, f, &s) : scalar_step(m, f, &s)))
			return false;
		if (s.kind == STEP_REST && i + 1 < n)
			return false;
		if (whole && (s.kind == STEP_RELATIVE || s.kind == STEP_LOCATION))
			return false;
		if (i == m->field) {
			l->target = m->n - m->first;
			l->width = m->size[f->kind];
			l->counted = is_counted(m, f);
		}
		if (optional)
			l->optional = m->n - m->first + 1;
		if (i == m->field && !whole)
			break;
		if (!add_step(m, s))
			return false;
	}
	l->n = m->n - m->first;
	return true;
}

/* Find the only field that the path leads to; nfields: none. False: left to the walk. */
static bool
find_field(const struct event_type *t, const char *path, uint32_t *found)
{
	*found = t->nfields;
	for (uint32_t i = 0; i < t->nfields; i++) {
		const struct field	*f = &t->fields[i];
		const char		*rest = path_step(path, span_of(f->name));

		if (f->kind == FK_ATTRIBUTES)
			return false;
		if (rest == NULL)
			continue;
		if (*rest != '\0' || *found != t->nfields)
			return false;
		*found = i;
	}
	return true;
}

static bool
field_is_simple(const struct field *f)
{
	return f->inner == NULL && f->kind != FK_OBJECT && f->kind != FK_PAD &&
	    (!is_array(f) || value_is_run(f));
}

/* Layouts for each variant that could apply, in the order in which the walk tries them. */
static bool
layouts_make(struct payload_plan *p, struct maker *m, unsigned pointer_size)
{
	unsigned	odd = value_variants(m->t);
	uint32_t	n = odd != 0 ? m->t->nfields : m->field + 1;

	for (unsigned variant = 0; variant <= odd; variant++) {
		if ((variant & ~odd) != 0)
			continue;
		if (p->nlayouts == LAYOUTS_MAX)
			return false;
		m->variant = variant;
		value_sizes(m->size, pointer_size, variant);
		if (!layout_make(m, &p->layout[p->nlayouts++], n, odd != 0))
			return false;
	}
	return true;
}

/* The kind of the field's values if they are whole numbers of a fixed size, else VK_NULL. */
static enum value_kind
number_kind(const struct field *f)
{
	switch (f->kind) {
	case FK_BOOL8: case FK_BOOL32:
		return VK_BOOL;
	case FK_U8: case FK_U16: case FK_U32: case FK_U64: case FK_PTR:
		return VK_UINT;
	case FK_I8: case FK_I16: case FK_I32: case FK_I64:
		return VK_INT;
	default:
		return VK_NULL;
	}
}

/* Set p->number or p->text_off if the field comes after fields of fixed size only. */
static void
find_place(struct payload_plan *p, const struct maker *m)
{
	const struct layout	*l = &p->layout[0];
	enum value_kind		 kind = number_kind(p->f);
	uint32_t		 off = l->target == 1 ? m->step[0].bytes : 0;

	if (is_array(p->f) || p->nlayouts > 1 || l->target > 1 ||
	    (l->target == 1 && m->step[0].kind != STEP_FIXED))
		return;
	p->text16 = p->f->kind == FK_UTF16Z;
	p->text_off = off;
	if (kind == VK_NULL)
		return;
	p->number.off = off;
	p->number.width = l->width;
	p->number.kind = (uint8_t)kind;
}

/* Attributes have no members: the path is the name of one. */
static struct payload_plan *
attribute_plan_new(const char *path)
{
	struct payload_plan	*p = mem_zalloc(1, sizeof *p);

	p->name = mem_strdup(path);
	p->name_len = strlen(path);
	return p;
}

struct payload_plan *
payload_plan_new(const struct event_type *t, const char *path, unsigned pointer_size)
{
	struct payload_plan	 p = { .f = NULL };
	struct payload_plan	*made;
	struct maker		 m = { .t = t };

	if (t->nfields == 1 && t->fields[0].kind == FK_ATTRIBUTES &&
	    t->fields[0].array == AK_NONE && t->builtin == NULL && path[0] != '\0')
		return attribute_plan_new(path);
	p.walk = t->nfields > LIMIT_FIELDS || !find_field(t, path, &m.field);
	p.walk |= !p.walk && m.field == t->nfields && t->builtin != NULL;
	if (!p.walk && m.field < t->nfields) {
		p.f = &t->fields[m.field];
		p.walk = !field_is_simple(p.f) || !layouts_make(&p, &m, pointer_size);
		if (!p.walk)
			find_place(&p, &m);
	}
	if (p.walk)
		m.n = 0;
	made = mem_zalloc(1, sizeof *made + m.n * sizeof m.step[0]);
	*made = p;
	memcpy(made->step, m.step, m.n * sizeof m.step[0]);
	return made;
}

void
payload_plan_free(struct payload_plan *p)
{
	if (p != NULL)
		mem_free(p->name);
	mem_free(p);
}

const struct field *
payload_plan_field(const struct payload_plan *p)
{
	return p->walk ? NULL : p->f;
}

bool
payload_plan_absent(const struct payload_plan *p)
{
	return p->f == NULL && !p->walk && p->name == NULL;
}

/* ---- reading */

struct reading {
	struct cursor	 c;
	struct span	 payload;
	uint64_t	 located;	/* bytes that locations may still refer to */
	uint64_t	 elements;	/* values that the walk would have given */
};

static uint64_t
read_count(struct cursor *c, enum array_kind kind)
{
	if (kind == AK_COUNT32)
		return cursor_u32le(c);
	return kind == AK_COUNT16BE ? value_u16be(c) : cursor_u16le(c);
}

static void
step_count(struct reading *r, const struct step *s, enum array_kind kind)
{
	uint64_t	n = read_count(&r->c, kind), fit = cursor_left(&r->c) / s->bytes;

	if (s->values)
		r->elements += n < fit ? n : fit;
	if (n > fit)
		cursor_fail(&r->c);
	else
		cursor_skip(&r->c, n * s->bytes);
}

/* The bytes that the location at the cursor refers to; false: it is bad. */
static bool
read_location(struct reading *r, bool relative, unsigned unit, struct span *data)
{
	uint64_t	base = relative ? cursor_off(&r->c) + 4 : 0;
	uint32_t	loc = cursor_u32le(&r->c);

	return cursor_ok(&r->c) &&
	    value_locate(r->payload, base, loc, unit, &r->located, data) == NULL;
}

/* Skip one step; the cursor fails where the walk's does. */
static inline void
step_over(struct reading *r, const struct step *s)
{
	struct cursor	*c = &r->c;
	struct span	 data;

	switch ((enum step_kind)s->kind) {
	case STEP_FIXED:
		cursor_skip(c, s->bytes);
		break;
	case STEP_TEXT16:
		(void)cursor_utf16z(c);
		break;
	case STEP_TEXT8:
		(void)value_utf8z(c);
		break;
	case STEP_NUMBER:
		(void)cursor_varu64(c);
		break;
	case STEP_COUNT16:
		step_count(r, s, AK_COUNT16);
		break;
	case STEP_COUNT16BE:
		step_count(r, s, AK_COUNT16BE);
		break;
	case STEP_COUNT32:
		step_count(r, s, AK_COUNT32);
		break;
	case STEP_RELATIVE:
		(void)read_location(r, true, s->bytes, &data);
		break;
	case STEP_LOCATION:
		(void)read_location(r, false, s->bytes, &data);
		break;
	case STEP_REST:
		r->elements += s->values ? cursor_left(c) / s->bytes : 0;
		cursor_skip(c, cursor_left(c) / s->bytes * s->bytes);
		break;
	}
}

static struct reading
reading_begin(struct span payload)
{
	return (struct reading){ .c = cursor_init(payload, 0), .payload = payload,
	    .located = value_located(payload) };
}

/* The first variant that takes the whole payload, else the declared one; NULL: ask the walk. */
static const struct layout *
choose_layout(const struct payload_plan *p, struct span payload)
{
	for (uint32_t k = 0; k < p->nlayouts && p->nlayouts > 1; k++) {
		const struct layout	*l = &p->layout[k];
		struct reading		 r = reading_begin(payload);

		for (uint32_t i = 0; i < l->n && cursor_ok(&r.c); i++)
			step_over(&r, &p->step[l->first + i]);
		if (r.elements > VALUE_ELEMENTS_MAX)
			return NULL;
		if (cursor_ok(&r.c) && cursor_left(&r.c) == 0)
			return l;
	}
	return &p->layout[0];
}

static enum payload_at
no_value(struct value *v, uint32_t off)
{
	v->kind = VK_NULL;
	v->off = off;
	return PAYLOAD_NULL;
}

static enum payload_at
read_run(struct reading *r, unsigned unit, struct value *v)
{
	enum array_kind	 kind = v->field->array;
	struct span	 data = { NULL, 0 };
	uint64_t	 n = UINT64_MAX;
	bool		 located = kind == AK_RELLOC || kind == AK_DATALOC;

	if (kind == AK_FIXED)
		n = v->field->count;
	else if (kind == AK_COUNT16 || kind == AK_COUNT16BE || kind == AK_COUNT32)
		n = read_count(&r->c, kind);
	else if (located && !read_location(r, kind == AK_RELLOC, unit, &data))
		return no_value(v, v->off);
	if (!cursor_ok(&r->c))
		return no_value(v, v->off);
	if (located) {
		v->off = (uint32_t)(data.p - r->payload.p);
		v->len = (uint32_t)data.len;
	} else {
		if (n > cursor_left(&r->c) / unit)
			n = cursor_left(&r->c) / unit;
		data = cursor_take(&r->c, n * unit);
		v->len = (uint32_t)cursor_off(&r->c) - v->off;
	}
	value_run(v, data, unit, located);
	return PAYLOAD_VALUE;
}

static enum payload_at
read_field(const struct layout *l, struct reading *r, struct value *v)
{
	if (v->field->flags & FIELD_OPTIONAL && cursor_left(&r->c) == 0)
		return PAYLOAD_ABSENT;
	v->off = (uint32_t)cursor_off(&r->c);
	if (is_array(v->field))
		return read_run(r, l->width, v);
	if (!value_read(v, &r->c, l->counted ? 0 : l->width))
		return no_value(v, v->off);
	v->len = (uint32_t)cursor_off(&r->c) - v->off;
	return PAYLOAD_VALUE;
}

/* ---- attributes */

/* Skip the value of an attribute; the cursor fails where the walk's does. */
static void
attribute_over(struct reading *r, const struct field *f)
{
	uint64_t	n = 1;

	if (f->array != AK_NONE)
		n = value_u16be(&r->c);
	r->elements += n;
	if (f->kind != FK_HEPH_STR) {
		cursor_skip(&r->c, n * 8);
		return;
	}
	for (uint64_t i = 0; i < n && cursor_ok(&r->c); i++)
		cursor_skip(&r->c, value_u16be(&r->c));
}

static enum payload_at
read_attribute(const struct payload_plan *p, struct reading *r, struct value *v)
{
	struct cursor	*c = &r->c;
	bool		 found = false;

	while (cursor_left(c) > 0) {
		struct span		 name = cursor_take(c, value_u16be(c));
		const struct field	*f = value_attribute(cursor_u8(c));

		if (!cursor_ok(c) || f == NULL || r->elements > VALUE_ELEMENTS_MAX)
			return PAYLOAD_WALK;
		if (name.len != p->name_len || memcmp(name.p, p->name, name.len) != 0) {
			attribute_over(r, f);
			continue;
		}
		if (found || f->array != AK_NONE)
			return PAYLOAD_WALK;
		found = true;
		*v = (struct value){ .field = f, .name = name, .off = (uint32_t)cursor_off(c) };
		if (!value_read(v, c, f->kind == FK_HEPH_STR ? 0 : 8))
			return PAYLOAD_WALK;
		v->len = (uint32_t)cursor_off(c) - v->off;
	}
	if (!cursor_ok(c))
		return PAYLOAD_WALK;
	return found ? PAYLOAD_VALUE : PAYLOAD_ABSENT;
}

enum payload_at
payload_plan_get(const struct payload_plan *p, struct span payload, struct value *v)
{
	const struct layout	*l;
	struct reading		 r;

	if (p->name != NULL) {
		r = reading_begin(value_payload(payload));
		return read_attribute(p, &r, v);
	}
	if (p->f == NULL || p->walk)
		return p->walk ? PAYLOAD_WALK : PAYLOAD_ABSENT;
	*v = (struct value){ .field = p->f, .off = p->number.off, .len = p->number.width };
	if (payload_plan_number(p, payload, &v->kind, &v->u))
		return PAYLOAD_VALUE;
	payload = value_payload(payload);
	l = choose_layout(p, payload);
	if (l == NULL)
		return PAYLOAD_WALK;
	r = reading_begin(payload);
	*v = (struct value){ .field = p->f };
	for (uint32_t i = 0; i < l->target; i++) {
		const struct step	*s = &p->step[l->first + i];

		if (s->optional && cursor_left(&r.c) == 0)
			return PAYLOAD_ABSENT;
		step_over(&r, s);
		if (r.elements > VALUE_ELEMENTS_MAX)
			return PAYLOAD_WALK;
		if (!cursor_ok(&r.c))
			return i + 1 < l->optional ? PAYLOAD_ABSENT :
			    no_value(v, (uint32_t)payload.len);
	}
	return read_field(l, &r, v);
}

bool
payload_plan_number(const struct payload_plan *p, struct span payload, enum value_kind *kind,
    uint64_t *u)
{
	return p->number.width != 0 && payload_place_number(p->number, payload, kind, u);
}

bool
payload_plan_text16(const struct payload_plan *p, struct span payload, struct span *text)
{
	struct cursor	c;

	if (!p->text16 || p->text_off >= payload.len || payload.len > UINT32_MAX)
		return false;
	c = cursor_init((struct span){ payload.p + p->text_off, payload.len - p->text_off }, 0);
	*text = cursor_utf16z(&c);
	return cursor_ok(&c);
}

struct payload_place
payload_plan_place(const struct payload_plan *p)
{
	return p->number;
}

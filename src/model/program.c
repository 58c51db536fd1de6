/*
 * The compiler of programs: fields become steps.
 *
 *	fields		a:u32   r:{x:u8, s:utf16z}[2]			b:u16
 *	all values	value   array object value value end end	value
 *	path "r.s"	skip 4  array object skip 1 value end end
 *
 * The fields of an object follow its step; an END closes it. The steps after the last one that
 * gives something are left out of the program of a path. Fields that are not given and have a
 * fixed size are merged, unless their size depends on the variant or another field needs them.
 *
 * Invariant: the steps of a type are linear in its fields, and nest at most LIMIT_NESTING deep.
 */
#include "tnav/model/program.h"

#include <string.h>

#include "model/steps.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/model/path.h"

struct maker {
	struct program		 p;
	struct arena		*arena;
	bool			 beside;	/* the path leaves out the name of an object */
	const uint8_t		*size;
	struct step		*step;
	size_t			 n, cap;
	size_t			 keep;		/* steps up to the last one that gives values */
	uint32_t		 given;		/* steps that give values */
	uint64_t		 off;		/* of the next field of the event, or UNPLACED */
	uint64_t		 values;	/* before it */
};

#define UNPLACED	UINT64_MAX
#define FIXED_MOST	1024u	/* elements of an array that is merged with other fields */

/* Where a field is in relation to the path. */
struct reach {
	const char	*rest;		/* of the path: "" at it, NULL: not on it */
	const char	*parent;	/* the same of what it lies in */
	bool		 inside;	/* within an object that is given */
	bool		 element;
	unsigned	 depth;		/* containers around it */
};

/* ---- sizes */

#define SIZES(pointer, variant) { \
	[FK_BOOL8] = 1, [FK_BOOL32] = (variant) & VARIANT_BOOL ? 1 : 4, \
	[FK_CHAR16] = 2, [FK_CHAR8] = 1, [FK_U8] = 1, [FK_I8] = 1, [FK_U16] = 2, [FK_I16] = 2, \
	[FK_U32] = 4, [FK_I32] = 4, [FK_U64] = 8, [FK_I64] = 8, [FK_PTR] = (pointer), \
	[FK_F32] = 4, [FK_F64] = 8, [FK_GUID] = 16, \
	[FK_DATETIME] = (variant) & VARIANT_DATE ? 16 : 8, \
	[FK_DECIMAL] = (variant) & VARIANT_REAL ? 8 : 16, [FK_BYTES] = 1, \
	[FK_HEPH_U64] = 8, [FK_HEPH_I64] = 8, [FK_HEPH_F64] = 8, \
}
#define SIZES_4(pointer, variant)	SIZES(pointer, variant), SIZES(pointer, (variant) + 1), \
	SIZES(pointer, (variant) + 2), SIZES(pointer, (variant) + 3)
#define SIZES_ALL(pointer)	{ SIZES_4(pointer, 0), SIZES_4(pointer, 4), SIZES_4(pointer, 8), \
	SIZES_4(pointer, 12) }

const uint8_t *
sizes_of(bool small_pointers, unsigned variant)
{
	static const uint8_t	all[2][VARIANTS][FK_KINDS] = { SIZES_ALL(8), SIZES_ALL(4) };

	return all[small_pointers][variant];
}

/* Does the size of a value depend on the variant? */
static bool
is_odd(const struct maker *m, const struct field *f)
{
	return (f->kind == FK_BOOL32 && m->p.odd & VARIANT_BOOL) ||
	    (f->kind == FK_DATETIME && m->p.odd & VARIANT_DATE) ||
	    (f->kind == FK_DECIMAL && m->p.odd & VARIANT_REAL) ||
	    (f->kind == FK_CHAR8 && m->p.odd & VARIANT_TEXT);
}

static uint32_t
pad_size(const struct maker *m, const struct field *f)
{
	if (f->count > 0)
		return f->count;
	return m->p.small ? 0 : 4;
}

/* The bytes and values of a field of a fixed size without steps inside. False: they vary. */
static bool
fixed_size(const struct maker *m, const struct step *s, uint64_t *bytes, uint32_t *values)
{
	const struct field	*f = s->f;

	*values = 1;
	*bytes = s->kind == STEP_PAD ? s->bytes : m->size[f->kind];
	if (s->kind == STEP_RUN || s->kind == STEP_LIST)
		*bytes *= f->count;
	if (s->kind == STEP_LIST)
		*values = f->count + 2;
	if ((s->kind == STEP_RUN || s->kind == STEP_LIST) && (f->array != AK_FIXED ||
	    f->count > FIXED_MOST))
		return false;
	return s->kind != STEP_ATTRIBUTES && !is_odd(m, f) && !(s->flags & STEP_MAYBE) &&
	    (s->kind == STEP_PAD || m->size[f->kind] > 0);
}

/* Could a record of these fields have no bytes at all? */
static bool
may_be_empty(const struct maker *m, const struct field *f, uint32_t n, unsigned depth)
{
	bool	empty = depth < LIMIT_NESTING;

	for (uint32_t i = 0; i < n && empty && !(f[i].flags & FIELD_OPTIONAL); i++) {
		if (f[i].array == AK_FIXED)
			empty = f[i].count == 0;
		else if (f[i].array != AK_NONE)
			empty = f[i].array == AK_BY_FIELD || f[i].array == AK_REST;
		else if (f[i].kind == FK_OBJECT)
			empty = may_be_empty(m, f[i].fields, f[i].nfields, depth + 1);
		else
			empty = f[i].kind == FK_PAD && f[i].count == 0 && m->p.small;
	}
	return empty;
}

/* ---- steps */

static void
step_add(struct maker *m, struct step s)
{
	ARRAY_ADD(m->step, m->n, m->cap, s);
	if (s.flags & STEP_GIVEN) {
		m->given++;
		m->keep = m->n;
	}
}

/* Add a step of a fixed size that gives nothing: mostly to the one before it. */
static void
skip_add(struct maker *m, uint64_t bytes, uint32_t values)
{
	struct step	*last = m->n > 0 ? &m->step[m->n - 1] : NULL;

	if (last == NULL || last->kind != STEP_SKIP || bytes > UINT32_MAX - last->bytes) {
		step_add(m, (struct step){ .kind = STEP_SKIP, .bytes = (uint32_t)bytes,
		    .n = values });
		return;
	}
	last->bytes += (uint32_t)bytes;
	last->n += values;
}

static bool
is_array(const struct field *f)
{
	return f->array != AK_NONE || f->kind == FK_BYTES;
}

static enum step_kind
kind_of(const struct field *f, bool element)
{
	if (is_array(f)) {
		if (f->inner != NULL || f->kind == FK_OBJECT || f->kind == FK_PAD)
			return STEP_ARRAY;
		return is_run(f) ? STEP_RUN : STEP_LIST;
	}
	if (f->kind == FK_OBJECT)
		return STEP_OBJECT;
	if (f->kind == FK_ATTRIBUTES && !element)
		return STEP_ATTRIBUTES;
	return f->kind == FK_PAD ? STEP_PAD : STEP_VALUE;
}

static bool
is_here(const struct maker *m, const struct reach *at)
{
	return m->p.path.p == NULL || (at->rest != NULL && *at->rest == '\0');
}

static bool
is_plain(const char *name)
{
	while (*name >= ' ' && *name < 0x7f && *name != '"' && *name != '\\')
		name++;
	return *name == '\0';
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

/* Copy the step's name to where it lies within its label. */
static void
label_make(struct maker *m, struct step *s)
{
	size_t	n = s->name.len;
	char	*label = arena_alloc(m->arena, n + 2);

	label[0] = ' ';
	memcpy(label + 1, s->name.p, n);
	label[n + 1] = '=';
	s->name.p = (const uint8_t *)label + 1;
	s->flags |= STEP_LABEL;
}

static struct step
step_of(struct maker *m, const struct field *f, enum step_kind kind, const struct reach *at)
{
	struct step	s = { .f = f, .kind = (uint8_t)kind,
			      .number = (uint8_t)number_kind(f), .name = span_of(f->name) };

	if (is_plain(f->name))
		s.flags = STEP_PLAIN;
	if (s.flags & STEP_PLAIN && s.name.len > 0 && m->p.path.p == NULL && kind != STEP_PAD)
		label_make(m, &s);
	if (at->element)
		s.flags |= STEP_ELEMENT;
	else
		s.flags |= (f->flags & FIELD_OPTIONAL ? STEP_OPTIONAL : 0) |
		    (f->flags & FIELD_IF_FITS ? STEP_MAYBE : 0);
	if (kind == STEP_PAD) {
		s.bytes = pad_size(m, f);
		return s;
	}
	if (is_here(m, at) || at->inside)
		s.flags |= STEP_GIVEN;
	if (!is_here(m, at) && at->inside)
		s.flags |= STEP_NESTED;
	if (kind == STEP_ATTRIBUTES && m->p.path.p != NULL) {
		s.bytes = at->parent != NULL ? (uint32_t)(at->parent - (const char *)m->p.path.p) :
		    NO_PATH;
	}
	return s;
}

/* ---- fields of the event itself */

/* Note the field at the path, and its place if only fields of fixed sizes precede it. */
static void
note_given(struct maker *m, const struct step *s)
{
	m->p.only = s->f;
	if (s->kind == STEP_VALUE && s->number != VK_NULL && m->p.odd == 0 &&
	    m->off <= UINT32_MAX)
		m->p.place = (struct payload_place){ (uint32_t)m->off, m->size[s->f->kind],
		    s->number };
}

/* Is its field always there, with the same encoding? */
static bool
is_constant(const struct maker *m, const struct step *s)
{
	return !(s->flags & (STEP_OPTIONAL | STEP_MAYBE)) &&
	    !(s->f->kind == FK_CHAR8 && m->p.odd & VARIANT_TEXT && !(s->flags & STEP_ELEMENT));
}

/* The kind of step for a field that is not merged with others; needed: for its value. */
static enum step_kind
kind_of_step(const struct maker *m, const struct step *s, bool element, bool needed)
{
	if (s->kind == STEP_RUN && s->f->array == AK_FIXED && is_constant(m, s))
		return STEP_FIXED;
	if (s->kind != STEP_VALUE)
		return (enum step_kind)s->kind;
	if (!is_constant(m, s))
		return STEP_ODD;
	return s->flags & STEP_GIVEN && !element && !needed &&
	    is_digits((enum value_kind)s->number, s->f) ? STEP_NUMBER : STEP_VALUE;
}

/* Add a step that has no steps inside. */
static void
leaf_make(struct maker *m, struct step *s, const struct reach *at)
{
	uint64_t	bytes;
	uint32_t	values;
	bool		fixed = fixed_size(m, s, &bytes, &values) && bytes <= UINT32_MAX;
	bool		needed = s->kind == STEP_VALUE && s->f->slot < m->p.nslots;

	if (at->depth == 0 && s->flags & STEP_GIVEN && s->kind <= STEP_RUN)
		note_given(m, s);
	if (fixed && (s->flags & ~STEP_PLAIN) == 0 && !needed) {
		skip_add(m, bytes, values);
	} else {
		s->kind = (uint8_t)kind_of_step(m, s, at->element, needed);
		step_add(m, *s);
	}
	if (s->kind == STEP_ATTRIBUTES && s->bytes != NO_PATH) {
		m->given++;		/* one may have the name */
		m->keep = m->n;
	}
	if (at->depth > 0)
		return;
	m->off = fixed && m->off != UNPLACED ? m->off + bytes : UNPLACED;
	m->values += fixed ? values : 0;
	if (m->values > LIMIT_VALUES / 2)
		m->off = UNPLACED;	/* the machine may stop before the field */
}

/* ---- fields */

static void	fields_make(struct maker *m, const struct field *f, uint32_t n,
		    const struct reach *at);

/* after: how many fields follow it in its object. */
static void
field_make(struct maker *m, const struct field *f, enum step_kind kind, uint32_t after,
    const struct reach *at)
{
	struct step	s = step_of(m, f, kind, at);
	struct reach	in = { .rest = at->rest, .inside = at->inside, .depth = at->depth + 1,
			       .element = kind == STEP_ARRAY };
	size_t		first = m->n;

	s.n = after;
	if (kind != STEP_ARRAY && kind != STEP_OBJECT) {
		leaf_make(m, &s, at);
		return;
	}
	if (at->depth >= LIMIT_NESTING)
		s.flags |= STEP_DEEP;
	if (kind == STEP_OBJECT && at->element && !may_be_empty(m, f->fields, f->nfields, 0))
		s.flags |= STEP_FILLED;
	step_add(m, s);
	if (s.flags & STEP_DEEP)
		;	/* nothing inside it is read */
	else if (kind == STEP_OBJECT) {
		in.inside |= m->p.path.p != NULL && is_here(m, at);
		fields_make(m, f->fields, f->nfields, &in);
	} else if (f->inner != NULL) {
		field_make(m, f->inner, kind_of(f->inner, true), 0, &in);
	} else {
		field_make(m, f, f->kind == FK_OBJECT ? STEP_OBJECT : STEP_PAD, 0, &in);
	}
	step_add(m, (struct step){ .kind = STEP_END });
	m->step[first].inside = (uint32_t)(m->n - 1 - first);
	if (m->keep > first)
		m->keep = m->n;
	if (at->depth == 0)
		m->off = UNPLACED;
}

static void
fields_make(struct maker *m, const struct field *f, uint32_t n, const struct reach *at)
{
	for (uint32_t i = 0; i < n; i++) {
		enum step_kind	kind = kind_of(&f[i], false);
		struct reach	in = *at;

		in.parent = at->rest;
		if (at->rest != NULL)
			in.rest = path_step(at->rest, span_of(f[i].name));
		if (in.rest == NULL && m->beside && f[i].flags & FIELD_BESIDE && at->depth == 0)
			in.rest = at->rest;
		field_make(m, &f[i], kind, n - 1 - i, &in);
	}
}

/* ---- programs */

static const struct program *
make(struct arena *a, const struct event_type *t, const char *path, const struct program *builtin,
    bool beside)
{
	struct maker	 m = { .arena = a, .beside = beside };
	struct reach	 at = { .rest = path };
	struct program	*p;

	if (path != NULL) {
		at.rest = arena_strndup(a, path, strlen(path));
		m.p.path = span_of(at.rest);
	}
	m.p.small = t->pointer_size == 4;
	m.p.odd = (t->odd_bool ? VARIANT_BOOL : 0) | (t->odd_date ? VARIANT_DATE : 0) |
	    (t->odd_text ? VARIANT_TEXT : 0) | (t->odd_real ? VARIANT_REAL : 0);
	m.p.whole = path != NULL ? t->program : NULL;
	m.p.nslots = t->nslots < FIELD_NO_SLOT ? t->nslots : FIELD_NO_SLOT;
	m.p.builtin = builtin;
	m.p.layout = t->builtin;
	m.p.id = t->id;
	m.size = sizes_of(m.p.small, 0);
	fields_make(&m, t->fields, t->nfields, &at);
	m.p.n = (uint32_t)(path != NULL ? m.keep : m.n);
	if (path == NULL || m.given != 1 || builtin != NULL)
		m.p.only = NULL;
	if (m.p.only == NULL)
		m.p.place.width = 0;
	p = arena_alloc(a, sizeof *p + m.p.n * sizeof *p->step);
	*p = m.p;
	p->step = (struct step *)(p + 1);
	if (p->n > 0)
		memcpy(p->step, m.step, p->n * sizeof *p->step);
	mem_free(m.step);
	return p;
}

const struct program *
program_new(struct arena *a, const struct event_type *t, const char *path)
{
	const struct program	*builtin = NULL;
	struct event_type	 object = { .fields = builtin_object(t), .nfields = 1 };

	if (t->builtin != NULL && t->pointer_size != 4)
		builtin = make(a, &object, path, NULL, path != NULL && path_is_beside(path, t));
	if (builtin != NULL && program_absent(builtin))
		builtin = NULL;
	return make(a, t, path, builtin, false);
}

bool
program_absent(const struct program *p)
{
	return p->n == 0 && p->builtin == NULL;
}

const struct field *
program_field(const struct program *p)
{
	return p->only;
}

struct payload_place
program_place(const struct program *p)
{
	return p->place;
}

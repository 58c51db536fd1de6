/*
 * The machine that runs programs: its state, and its loop, which is inlined together with the
 * function that receives the values. program_run.c has its other parts. Private to the model.
 */
#ifndef MODEL_MACHINE_H
#define MODEL_MACHINE_H

#include <string.h>

#include "model/steps.h"
#include "tnav/base/limits.h"

/* Takes the number of a STEP_NUMBER. */
typedef void (*number_fn)(void *arg, const struct step *s, uint64_t u);

/* Otherwise the compiler makes one loop for all, which calls the function through a pointer. */
#define MACHINE_INLINE	static inline __attribute__((always_inline))

/* An object or an array that is being read. */
struct container {
	const struct step	*s;		/* the container */
	uint64_t		 left;		/* ARRAY: elements to come */
	const uint8_t		*at;		/* to_end: where the last element began */
	struct cursor		 back;		/* located: where the run continues */
	uint32_t		 off;
	bool			 located, to_end;
};

struct machine {
	struct cursor		 c;		/* offsets are those of the payload */
	const uint8_t		*size;		/* by kind, in the variant */
	const struct step	*next, *end;
	value_fn		 fn;
	void			*arg;
	uint32_t		 budget;	/* values that may still be given, ends included */
	unsigned		 depth;		/* frames in use */
	uint32_t		 nslots;
	bool			 spent;		/* the budget is used up */
	bool			 counted;	/* a lone CHAR8 is a text with a count */
	const char		*error;		/* the first one */
	struct span		 payload;
	struct span		 path;		/* the program's */
	uint64_t		 located;	/* bytes that locations may still refer to */
	uint32_t		 cut;		/* offset of the field that did not fit */
	uint32_t		 reach;		/* end of the furthest located bytes */
	uint64_t		 slot[FIELD_NO_SLOT];
	struct container	 stack[LIMIT_NESTING];
};

/* Set everything except the stack, whose frames are written before they are read. */
void	machine_init(struct machine *m, const struct program *p, struct span payload,
	    unsigned variant);
/* The program of all values. */
const struct program *machine_program(const struct event_type *t);
/* The variant that the payload has, of a type that has several. */
unsigned machine_variant(const struct program *p, struct span payload);
/* Run a step of any kind: m->next has been set to the one after it. */
int	machine_step(struct machine *m, const struct step *s);
/* The value at off could not be read. */
int	machine_cut(struct machine *m, const struct step *s, uint32_t off);
void	machine_result(const struct machine *m, unsigned variant, struct payload_result *res);

/* ---- one value */

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

/* Read the number of a step, of n bytes. False: it does not fit. */
MACHINE_INLINE bool
number_read(const struct step *s, struct cursor *c, unsigned n, uint64_t *u)
{
	if (n > cursor_left(c))
		return false;
	*u = payload_number(c->p, n, (enum value_kind)s->number);
	c->p += n;
	return true;
}

/*
 * Read one value of n bytes that is neither an array nor an object, nor the number of a step; n 0:
 * its size varies. False: it does not fit.
 */
MACHINE_INLINE bool
value_read(struct value *v, struct cursor *c, unsigned n)
{
	const uint8_t	*p = c->p;

	if (n == 0)
		return value_read_variable(v, c);
	if (n > cursor_left(c))
		return false;
	c->p += n;
	switch (v->field->kind) {
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

static inline size_t
text_until_nul(struct span s, unsigned unit)
{
	const uint8_t	*nul = unit == 1 && s.len > 0 ? memchr(s.p, 0, s.len) : NULL;
	size_t		 n = 0;

	if (unit == 1)
		return nul != NULL ? (size_t)(nul - s.p) : s.len;
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

/* ---- the loop */

static inline uint32_t
run_off(const struct machine *m)
{
	return (uint32_t)(m->c.p - m->payload.p);
}

/* Bytes of a STEP_FIXED. */
static inline uint64_t
run_bytes(const struct machine *m, const struct step *s)
{
	return (uint64_t)s->f->count * m->size[s->f->kind];
}

/* Set all of a value but its kind and content. */
static inline void
value_set(struct value *v, const struct machine *m, const struct step *s, uint32_t off,
    uint32_t len)
{
	v->field = s->f;
	v->name = s->name;
	v->attribute = (s->flags & STEP_ATTRIBUTE) != 0;
	v->plain_name = (s->flags & STEP_PLAIN) != 0;
	v->labelled = (s->flags & STEP_LABEL) != 0;
	v->element = (s->flags & STEP_ELEMENT) != 0;
	v->nested = (s->flags & STEP_NESTED) != 0;
	v->depth = m->depth;
	v->off = off;
	v->len = len;
}

/* Read and give a value of `size` bytes; 0: its size varies. */
MACHINE_INLINE int
machine_value(struct machine *m, const struct step *s, unsigned size, value_fn give)
{
	const struct field	*f = s->f;
	uint32_t		 off = run_off(m);
	struct value		 v;

	v.field = f;
	v.kind = (enum value_kind)s->number;
	if (m->budget == 0 || !(v.kind != VK_NULL ? number_read(s, &m->c, size, &v.u) :
	    value_read(&v, &m->c, size)))
		return machine_cut(m, s, off);
	m->budget--;
	if (f->slot < m->nslots)
		m->slot[f->slot] = v.u;
	if ((s->flags & STEP_GIVEN) == 0)
		return 0;
	value_set(&v, m, s, off, run_off(m) - off);
	return give(m->arg, &v);
}

/* Give an array of bytes or characters, which is one value. */
MACHINE_INLINE int
machine_bytes(struct machine *m, const struct step *s, uint32_t off, uint64_t bytes, bool located,
    value_fn give)
{
	struct value	v;

	if (m->budget == 0)
		return machine_cut(m, s, off);
	m->budget--;
	v.field = s->f;
	value_run(&v, cursor_take(&m->c, bytes), m->size[s->f->kind], located);
	if ((s->flags & STEP_GIVEN) == 0)
		return 0;
	value_set(&v, m, s, off, run_off(m) - off);
	return give(m->arg, &v);
}

/*
 * Give the values of a payload to fn, in a variant. Those of a STEP_NUMBER go to number, unless it
 * is NULL. res may be NULL.
 */
MACHINE_INLINE int
machine_run_in(const struct program *p, struct span payload, unsigned variant, value_fn fn,
    number_fn number, void *arg, struct payload_result *res)
{
	const struct step	*s = p->step;
	struct machine		 m;
	uint64_t		 u;
	int			 rc = 0;

	machine_init(&m, p, payload, variant);
	m.fn = fn;
	m.arg = arg;
	while (s < m.end && rc == 0) {
		if (number != NULL && s->kind == STEP_NUMBER && m.budget > 0 &&
		    number_read(s, &m.c, m.size[s->f->kind], &u)) {
			m.budget--;
			number(arg, s, u);
			s++;
		} else if (s->kind <= STEP_VALUE && !m.c.failed) {
			rc = machine_value(&m, s, m.size[s->f->kind], fn);
			s++;
		} else if (s->kind == STEP_FIXED && !m.c.failed &&
		    run_bytes(&m, s) <= cursor_left(&m.c)) {
			rc = machine_bytes(&m, s, run_off(&m), run_bytes(&m, s), false, fn);
			s++;
		} else {
			m.next = s + s->inside + 1;
			rc = machine_step(&m, s);
			s = m.next;
		}
	}
	if (res != NULL)
		machine_result(&m, variant, res);
	return rc;
}

/* The same in the variant that fits. */
MACHINE_INLINE int
machine_run(const struct program *p, struct span payload, value_fn fn, number_fn number,
    void *arg, struct payload_result *res)
{
	unsigned	variant = p->odd != 0 ? machine_variant(p, payload) : 0;

	return machine_run_in(p, payload, variant, fn, number, arg, res);
}

/* The same for the object `builtin`, if the payload has it. */
MACHINE_INLINE int
machine_run_builtin(const struct program *p, struct span payload, value_fn fn, number_fn number,
    void *arg)
{
	if (p->builtin == NULL || !builtin_fits(p->layout, p->id, &payload))
		return 0;
	return machine_run_in(p->builtin, payload, 0, fn, number, arg, NULL);
}

#endif

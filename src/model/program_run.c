/*
 * The machine that runs programs: steps and a payload in, values out, in order.
 *
 *   steps    value   array object value value end end	value
 *   payload  a a a a  x s s 0 0  x 0 0			b b
 *   values   a=7  ARRAY  OBJECT x s END  OBJECT x s END  ARRAY_END  b=9
 *
 * Containers of records or arrays are kept on a stack of frames. Arrays of plain values are one
 * loop. Data that lies elsewhere in the payload (RELLOC, DATALOC) is read through a cursor of its
 * own; then the machine goes back to where it was.
 *
 * Invariant: every byte is read through m->c, which never leaves the payload. Every step of every
 * loop takes bytes or budget. Every container that begins also ends, even if the run is cut short.
 * All locations of a payload together refer to at most LOCATED_MAX times its bytes.
 * Format: NetTrace V4/V5 "Metadata event encoding"; V6 "TypeCode"; Heph, "Event Packet".
 */
#include "model/machine.h"

#define LOCATED_MAX	4u

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
static const char	error_location[] = "a location lies outside the payload";
static const char	error_overlap[] = "locations share too many bytes";
static const char	error_element[] = "a location does not hold a whole number of elements";

/* ---- small steps */

static void
run_remark(struct machine *m, const char *error)
{
	if (m->error == NULL)
		m->error = error;
}

/* The field at off does not fit, so the fields after it have no known place. */
static void
run_cut(struct machine *m, uint32_t off, const char *error)
{
	run_remark(m, error);
	m->cut = off;
	cursor_fail(&m->c);
}

static bool
run_spend(struct machine *m, uint64_t n)
{
	if (m->budget < n) {
		run_remark(m, error_values);
		m->spent = true;
		m->budget = 0;
		return false;
	}
	m->budget -= (uint32_t)n;
	return true;
}

/* Give a value without content: null, or the begin or the end of a container. */
static int
run_give(struct machine *m, const struct step *s, enum value_kind kind, uint32_t off, uint32_t len)
{
	struct value	v = { .kind = kind };

	if ((s->flags & STEP_GIVEN) == 0)
		return 0;
	value_set(&v, m, s, off, len);
	return m->fn(m->arg, &v);
}

static int
run_null(struct machine *m, const struct step *s, uint32_t off)
{
	/* A missing element is not given. */
	if (s->flags & STEP_ELEMENT || !run_spend(m, 1))
		return 0;
	return run_give(m, s, VK_NULL, off, 0);
}

/* ---- one value */

/* Why the value at off could not be read. */
static const char *
run_why(const struct machine *m, const struct field *f, uint32_t off)
{
	if (off >= run_off(m) && cursor_left(&m->c) == 0)
		return error_before;
	if (f->kind == FK_UTF16Z || f->kind == FK_UTF8Z)
		return error_text;
	return f->kind == FK_VARU || f->kind == FK_VARI ? error_number : error_inside;
}

int
machine_cut(struct machine *m, const struct step *s, uint32_t off)
{
	if (m->budget == 0) {
		(void)run_spend(m, 1);
		return 0;
	}
	run_cut(m, off, run_why(m, s->f, off));
	return run_null(m, s, off);
}

static int
run_value(struct machine *m, const struct step *s)
{
	return machine_value(m, s, m->size[s->f->kind], m->fn);
}

static int
run_odd(struct machine *m, const struct step *s)
{
	if (m->counted && s->f->kind == FK_CHAR8)
		return machine_value(m, s, 0, m->fn);
	return run_value(m, s);
}

/* ---- containers */

/* Go back to the place after a location. A failure inside its data does not matter here. */
static void
run_return(struct machine *m, const struct cursor *back)
{
	uint32_t	end = (uint32_t)(m->c.off + (uint64_t)(m->c.end - m->c.base));

	if (end > m->reach)
		m->reach = end;
	m->c = *back;
}

/* Begin an object or an array: the next step is the first one inside an object, but an array's END
   first finds out whether there are elements. The budget for both brackets is taken here. */
static int
run_enter(struct machine *m, const struct container *fr)
{
	const struct step	*s = fr->s;
	bool			 array = s->kind == STEP_ARRAY, deep = s->flags & STEP_DEEP;
	int			 rc;

	if (deep || !run_spend(m, 2)) {
		if (fr->located)
			run_return(m, &fr->back);
		if (!deep)
			return 0;
		run_cut(m, run_off(m), error_nesting);
		return run_null(m, s, run_off(m));
	}
	rc = run_give(m, s, array ? VK_ARRAY : VK_OBJECT, fr->off, 0);
	m->stack[m->depth++] = *fr;
	m->next = s + (array ? s->inside : 1);
	return rc;
}

/* Is this container at its end? */
static bool
frame_done(struct machine *m, struct container *fr)
{
	if (fr->s->kind == STEP_OBJECT || fr->left == 0 || m->spent || m->c.failed ||
	    (fr->to_end && cursor_left(&m->c) == 0))
		return true;
	if (fr->to_end && fr->at == m->c.p) {
		run_remark(m, error_empty);
		return true;
	}
	fr->at = m->c.p;
	return false;
}

static int
run_end(struct machine *m)
{
	struct container	*fr = &m->stack[m->depth - 1];
	bool			 array = fr->s->kind == STEP_ARRAY;
	uint32_t		 end;

	if (!frame_done(m, fr)) {
		fr->left--;
		m->next = fr->s + 1;
		return 0;
	}
	m->depth--;
	end = m->c.failed ? m->cut : run_off(m);
	if (fr->located)
		run_return(m, &fr->back);
	return run_give(m, fr->s, array ? VK_ARRAY_END : VK_OBJECT_END, fr->off, end - fr->off);
}

static int
run_object(struct machine *m, const struct step *s)
{
	struct container	fr = { .s = s, .off = run_off(m) };

	if (s->flags & STEP_FILLED && cursor_left(&m->c) == 0) {
		run_cut(m, fr.off, error_array);
		return 0;
	}
	return run_enter(m, &fr);
}

/* ---- arrays */

/*
 * Find the bytes that a location refers to; size: that of an element, 0: any. base: the offset from
 * which the location counts. Returns NULL, or why the location is bad.
 */
static const char *
find_located(struct machine *m, uint64_t base, uint32_t loc, unsigned size, struct span *data)
{
	uint64_t	at = base + (loc & 0xffff), len = loc >> 16;

	if (at > m->payload.len || len > m->payload.len - at)
		return error_location;
	if (size > 0 && len % size != 0)
		return error_element;
	if (len > m->located)
		return error_overlap;
	m->located -= len;
	*data = (struct span){ m->payload.p + at, (size_t)len };
	return NULL;
}

/*
 * Follow a location: then m->c has exactly the bytes that it refers to, and *back is the place
 * after the location. False: the location is bad, m->c is equal to *back, and the error is set.
 */
static bool
run_locate(struct machine *m, const struct field *f, unsigned size, struct cursor *back)
{
	uint64_t	base = f->array == AK_RELLOC ? cursor_off(&m->c) + 4 : 0;
	uint32_t	loc = cursor_u32le(&m->c);
	struct span	data;
	const char	*why;

	*back = m->c;
	if (!cursor_ok(&m->c))
		return false;
	why = find_located(m, base, loc, size, &data);
	if (why != NULL) {
		run_remark(m, why);
		return false;
	}
	m->c = cursor_init(data, (uint64_t)(data.p - m->payload.p));
	return true;
}

/*
 * Set fr->left to the number of elements. If they have a fixed size, it is clipped to those that
 * fit, and *clipped is set. False: there is no array, and the error is set.
 */
static bool
run_count(struct machine *m, const struct field *f, unsigned size, struct container *fr,
    bool *clipped)
{
	switch (f->array) {
	case AK_COUNT16:
		fr->left = cursor_u16le(&m->c);
		break;
	case AK_COUNT16BE:
		fr->left = value_u16be(&m->c);
		break;
	case AK_COUNT32:
		fr->left = cursor_u32le(&m->c);
		break;
	case AK_FIXED:
		fr->left = f->count;
		break;
	case AK_BY_FIELD:
		fr->left = f->count < m->nslots ? m->slot[f->count] : 0;
		break;
	case AK_RELLOC: case AK_DATALOC:
		fr->located = run_locate(m, f, size, &fr->back);
		fr->to_end = true;
		break;
	case AK_NONE: case AK_REST:
		fr->to_end = true;
		break;
	}
	if (!cursor_ok(&m->c)) {
		run_cut(m, fr->off, run_why(m, f, fr->off));
		return false;
	}
	if ((f->array == AK_RELLOC || f->array == AK_DATALOC) && !fr->located)
		return false;
	if (fr->located)
		fr->off = run_off(m);
	if (fr->to_end)
		fr->left = UINT64_MAX;
	if (size > 0 && fr->left > cursor_left(&m->c) / size) {
		fr->left = cursor_left(&m->c) / size;
		*clipped = !fr->to_end;
	}
	return true;
}

/* Give an array of plain values, which needs no frame. */
static int
run_list(struct machine *m, struct container *fr, unsigned size)
{
	const struct step	*s = fr->s;
	struct step		 element = *s;
	int			 rc;

	if (!run_spend(m, 2))
		return 0;
	if (size > 0 && (s->flags & STEP_GIVEN) == 0 && s->f->slot >= m->nslots) {
		if (run_spend(m, fr->left))
			cursor_skip(&m->c, fr->left * size);
		return 0;
	}
	element.flags |= STEP_ELEMENT;
	rc = run_give(m, s, VK_ARRAY, fr->off, 0);
	m->depth++;
	while (rc == 0 && fr->left > 0 && !m->spent && !m->c.failed &&
	    !(fr->to_end && cursor_left(&m->c) == 0)) {
		rc = run_value(m, &element);
		fr->left--;
	}
	m->depth--;
	if (rc == 0)
		rc = run_give(m, s, VK_ARRAY_END, fr->off,
		    (m->c.failed ? m->cut : run_off(m)) - fr->off);
	return rc;
}

static int
run_array(struct machine *m, const struct step *s)
{
	unsigned		 size = s->kind == STEP_ARRAY ? 0 : m->size[s->f->kind];
	struct container	 fr = { .s = s, .off = run_off(m) };
	bool			 clipped = false;
	int			 rc;

	if (!run_count(m, s->f, size, &fr, &clipped))
		return run_null(m, s, fr.off);
	if (s->kind == STEP_ARRAY)
		return run_enter(m, &fr);
	rc = s->kind == STEP_LIST ? run_list(m, &fr, size) :
	    machine_bytes(m, s, fr.off, fr.left * size, fr.located, m->fn);
	if (clipped)
		run_cut(m, run_off(m), error_array);
	if (fr.located)
		run_return(m, &fr.back);
	return rc;
}

/* ---- attributes: payloads that contain their own description (Heph) */

#define ATTRIBUTE_ARRAY	0x80u

/* The field for an attribute's type byte; NULL: no such type. */
static const struct field *
attribute_field(uint8_t type)
{
#define OF_EACH_KIND(how) { \
	{ .name = "", .kind = FK_HEPH_U64, .array = (how), .slot = FIELD_NO_SLOT }, \
	{ .name = "", .kind = FK_HEPH_I64, .array = (how), .slot = FIELD_NO_SLOT }, \
	{ .name = "", .kind = FK_HEPH_F64, .array = (how), .slot = FIELD_NO_SLOT }, \
	{ .name = "", .kind = FK_HEPH_STR, .array = (how), .slot = FIELD_NO_SLOT }, \
}
	static const struct field	all[2][4] = { OF_EACH_KIND(AK_NONE),
		OF_EACH_KIND(AK_COUNT16BE) };
	unsigned	i = type & ~ATTRIBUTE_ARRAY;

	return i >= 1 && i <= 4 ? &all[type >= ATTRIBUTE_ARRAY][i - 1] : NULL;
}

/* How an attribute is given: is it at the path? */
static uint16_t
attribute_flags(const struct machine *m, const struct step *all, struct span name)
{
	uint16_t	flags = all->flags & (STEP_GIVEN | STEP_NESTED);
	struct span	rest;

	if (m->path.p == NULL)
		return flags;
	if (all->bytes != NO_PATH) {
		rest.p = m->path.p + all->bytes;
		rest.len = m->path.len - all->bytes;
		if (spans_equal(name, rest))
			return STEP_GIVEN;
	}
	return flags & STEP_NESTED ? flags : 0;
}

static int
run_attributes(struct machine *m, const struct step *all)
{
	int	rc = 0;

	while (rc == 0 && cursor_left(&m->c) > 0 && !m->spent) {
		uint32_t		 off = run_off(m);
		struct step		 s = { .kind = STEP_VALUE };

		s.name = cursor_take(&m->c, value_u16be(&m->c));
		s.f = attribute_field(cursor_u8(&m->c));
		if (!cursor_ok(&m->c) || s.f == NULL) {
			run_cut(m, off, cursor_ok(&m->c) ? error_attribute : error_inside);
			break;
		}
		s.flags = attribute_flags(m, all, s.name) | STEP_ATTRIBUTE;
		if (s.f->array != AK_NONE) {
			s.kind = STEP_LIST;
			rc = run_array(m, &s);
		} else if (s.flags & STEP_GIVEN) {
			rc = run_value(m, &s);
		} else if (run_spend(m, 1)) {
			cursor_skip(&m->c, s.f->kind == FK_HEPH_STR ? value_u16be(&m->c) : 8);
		}
	}
	return rc;
}

/* ---- the loop */

/* Skip the bytes of n values. They give nothing, but they are work. */
static void
run_skip(struct machine *m, uint32_t bytes, uint32_t n)
{
	uint32_t	off = run_off(m);

	if (!run_spend(m, n))
		return;
	cursor_skip(&m->c, bytes);
	if (!cursor_ok(&m->c))
		run_cut(m, off, error_inside);
}

/* Do the n fields after it need exactly the rest of the payload? */
static bool
rest_fits(const struct machine *m, const struct field *f, uint32_t n)
{
	uint64_t	need = 0;

	for (uint32_t i = 1; i <= n; i++) {
		if (f[i].array != AK_NONE || m->size[f[i].kind] == 0)
			return false;
		need += m->size[f[i].kind];
	}
	return need == cursor_left(&m->c);
}

static int
run_absent(struct machine *m, const struct step *s)
{
	struct value	v = { .kind = VK_TEXT16, .bytes = { m->c.p, 0 } };

	if (!run_spend(m, 1) || (s->flags & STEP_GIVEN) == 0)
		return 0;
	value_set(&v, m, s, run_off(m), 0);
	return m->fn(m->arg, &v);
}

/* A step that is neither left out nor in the way of the end. */
static int
run_step(struct machine *m, const struct step *s)
{
	switch ((enum step_kind)s->kind) {
	case STEP_NUMBER: case STEP_VALUE:
		return run_value(m, s);
	case STEP_ODD:
		return run_odd(m, s);
	case STEP_FIXED: case STEP_RUN: case STEP_LIST: case STEP_ARRAY:
		return run_array(m, s);
	case STEP_OBJECT:
		return run_object(m, s);
	case STEP_END:
		return run_end(m);
	case STEP_ATTRIBUTES:
		return run_attributes(m, s);
	case STEP_PAD:
		run_skip(m, s->bytes, 1);
		break;
	case STEP_SKIP:
		run_skip(m, s->bytes, s->n);
		break;
	}
	return 0;
}

int
machine_step(struct machine *m, const struct step *s)
{
	if (s->kind == STEP_END)
		return run_end(m);
	if (m->spent || (s->flags & STEP_OPTIONAL && cursor_left(&m->c) == 0)) {
		m->next = m->end;
		if (m->depth > 0) {
			s = m->stack[m->depth - 1].s;
			m->next = s + s->inside;
		}
		return 0;
	}
	if (m->c.failed) {
		if (s->kind == STEP_SKIP)
			(void)run_spend(m, s->n);
		return s->kind == STEP_SKIP || s->kind == STEP_PAD ? 0 :
		    run_null(m, s, run_off(m));
	}
	if (s->flags & STEP_MAYBE && rest_fits(m, s->f, s->n))
		return run_absent(m, s);
	return run_step(m, s);
}

/* ---- a run */

void
machine_init(struct machine *m, const struct program *p, struct span payload, unsigned variant)
{
	if (payload.len > UINT32_MAX)
		payload.len = UINT32_MAX;
	if (payload.len == 0)
		payload.p = (const uint8_t *)"";
	/* One by one: a struct that is copied right after it was stored stalls the processor. */
	m->c.p = m->c.base = payload.p;
	m->c.end = payload.p + payload.len;
	m->c.off = 0;
	m->c.failed = false;
	m->size = sizes_of(p->small, variant);
	m->next = p->step;
	m->end = p->n > 0 ? p->step + p->n : p->step;	/* NULL: no step */
	m->budget = LIMIT_VALUES;
	m->depth = 0;
	m->nslots = p->nslots;
	m->spent = false;
	m->counted = (variant & VARIANT_TEXT) != 0;
	m->error = NULL;
	m->payload.p = payload.p;
	m->payload.len = payload.len;
	m->path.p = p->path.p;
	m->path.len = p->path.len;
	m->located = (uint64_t)payload.len * LOCATED_MAX;
	m->cut = m->reach = 0;
	for (uint32_t i = 0; i < m->nslots; i++)
		m->slot[i] = 0;
}

static uint32_t
run_undecoded(const struct machine *m)
{
	uint64_t	end = m->c.failed ? m->cut : cursor_off(&m->c);

	if (end < m->reach)
		end = m->reach;
	return (uint32_t)(m->payload.len - end);
}

static int
give_nothing(void *arg, const struct value *v)
{
	(void)arg, (void)v;
	return 0;
}

/* The first one that takes the whole payload, beginning with 0, the declared one; else 0. */
unsigned
machine_variant(const struct program *p, struct span payload)
{
	struct payload_result	res;

	if (p->whole != NULL)
		p = p->whole;
	for (unsigned variant = 0; variant < VARIANTS; variant++) {
		if ((variant & ~p->odd) != 0)
			continue;
		(void)machine_run_in(p, payload, variant, give_nothing, NULL, NULL, &res);
		if (res.error == NULL && res.undecoded == 0)
			return variant;
	}
	return 0;
}

void
machine_result(const struct machine *m, unsigned variant, struct payload_result *res)
{
	*res = (struct payload_result){ .undecoded = run_undecoded(m), .error = m->error,
	    .note = variant_notes[variant] };
}

/* ---- all values */

const struct program *
machine_program(const struct event_type *t)
{
	static const struct program	none;

	return t->program != NULL ? t->program : &none;
}

int
payload_walk(const struct event_type *t, struct span payload, value_fn fn, void *arg,
    struct payload_result *res)
{
	return machine_run(machine_program(t), payload, fn, NULL, arg, res);
}

int
payload_walk_all(const struct event_type *t, struct span payload, value_fn fn, void *arg,
    struct payload_result *res)
{
	int	rc = payload_walk(t, payload, fn, arg, res);

	return rc != 0 ? rc : machine_run_builtin(machine_program(t), payload, fn, NULL, arg);
}

/* ---- values at a path */

/* The values of the payload, then those of the object `builtin`. */
MACHINE_INLINE int
run_both(const struct program *p, struct span payload, value_fn fn, void *arg)
{
	int	rc = p->n > 0 ? machine_run(p, payload, fn, NULL, arg, NULL) : 0;

	return rc != 0 ? rc : machine_run_builtin(p, payload, fn, NULL, arg);
}

int
program_walk(const struct program *p, struct span payload, value_fn fn, void *arg)
{
	return run_both(p, payload, fn, arg);
}

struct plain {
	value_fn	 fn;
	void		*arg;
};

static int
give_plain(void *arg, const struct value *v)
{
	struct plain	*x = arg;

	if (v->nested || v->kind == VK_NULL || v->kind == VK_OBJECT_END ||
	    v->kind == VK_ARRAY_END)
		return 0;
	return x->fn(x->arg, v);
}

int
program_values(const struct program *p, struct span payload, value_fn fn, void *arg)
{
	return program_walk(p, payload, give_plain, &(struct plain){ fn, arg });
}

MACHINE_INLINE int
take_first(void *arg, const struct value *v)
{
	struct value	*first = arg;

	if (v->nested || v->kind == VK_NULL || v->kind >= VK_OBJECT)
		return 0;
	*first = *v;
	return 1;
}

bool
program_first(const struct program *p, struct span payload, struct value *v)
{
	return run_both(p, payload, take_first, v) != 0;
}

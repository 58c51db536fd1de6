/*
 * Probes compare the values of a field with a term.
 *
 *	ints in (5, 3)    walk: 1 no, 2 no, 3 hit -> stop
 *	ints != 9         walk: 1 no, 2 no, 3 no  -> present and not hit
 *
 * Invariant: a probe only changes from absent to present, and from no hit to hit. So the order of
 * values does not matter, and a walk may stop at the first hit.
 */
#include "engine/filter/probe.h"

#include "engine/filter/operators.h"

#include <string.h>
#include <strings.h>

#include "tnav/base/units.h"

bool
probe_result(const struct probe *p)
{
	return p->present && p->hit != p->term->negate;
}

void
probe_regex(struct probe *p, struct span text)
{
	int	r = regex_find(p->term->re, probe_match(p->env), text, 0, NULL, NULL);

	if (r < 0)
		p->env->limit_hit = true;
	p->hit |= r > 0;
}

/* Gives the order of a value and a literal; false: they have none. */
typedef bool (*order_fn)(const void *value, const struct filter_literal *l, int *order);

static void
probe_order(struct probe *p, const void *value, order_fn fn)
{
	const struct filter_term	*term = p->term;
	int				 order;

	if (term->op == FO_RANGE) {
		const struct filter_literal	*from = &term->lits[0], *to = &term->lits[1];

		p->hit |= (from->open || (fn(value, from, &order) && order >= 0)) &&
		    (to->open || (fn(value, to, &order) && order < 0));
		return;
	}
	if (!p->hit)
		p->hit = fn(value, term->lits, &order) && operator_holds(term->holds, order);
}

/* The usual case: compare two unsigned whole numbers. False: it is a different case. */
static inline bool
probe_whole(struct probe *p, uint64_t v)
{
	const struct filter_literal	*l = p->term->lits;
	uint64_t			 u;

	if (p->term->nlits != 1 || l->num.kind != NUM_U || p->term->op > FO_GE)
		return false;
	u = l->num.u;
	p->present = true;
	switch (p->term->op) {
	case FO_EQ:
		p->hit |= v == u;
		break;
	case FO_LT:
		p->hit |= v < u;
		break;
	case FO_LE:
		p->hit |= v <= u;
		break;
	case FO_GT:
		p->hit |= v > u;
		break;
	default:
		p->hit |= v >= u;
	}
	return true;
}

static bool
num_order(const void *value, const struct filter_literal *l, int *order)
{
	return num_compare(value, &l->num, order);
}

static bool
text_is(struct span s, const struct filter_literal *l)
{
	return spans_equal(s, literal_text(l));
}

static bool
hex_is(struct span s, const struct filter_literal *l)
{
	return s.len == l->len && strncasecmp((const char *)s.p, l->text, s.len) == 0;
}

/* Is the text one of the literals? FO_EQ. */
static bool
text_equals(struct probe *p, struct span text, enum set_texts which)
{
	const struct filter_term	*term = p->term;

	if (term->set != NULL)
		return filter_set_text(term->set, which, text, &p->env->steps);
	return which == SET_FOLD ? hex_is(text, term->lits) : text_is(text, term->lits);
}

bool
probe_folded(struct probe *p, struct span text)
{
	return text_equals(p, text, SET_FOLD);
}

void
probe_span(struct probe *p, struct span text)
{
	p->present = true;
	if (p->term->op == FO_HAS)
		p->hit = true;
	else if (p->term->op == FO_TEXT)
		p->term->fits(p, text);
	if (p->term->op == FO_EQ && !p->hit)
		p->hit = text_equals(p, text, SET_ALL);
}

void
probe_text(struct probe *p, const char *text)
{
	if (text != NULL)
		probe_span(p, span_of(text));
}

/* Does a match of the pattern end after the first `front` bytes of the text? */
static bool
reaches(struct probe *p, struct span text, size_t front)
{
	size_t	from, to;
	int	r = 1;

	for (size_t start = 0; r > 0 && start <= front; start = from + 1) {
		r = regex_find(p->term->re, probe_match(p->env), text, start, &from, &to);
		if (r > 0 && to > front)
			return true;
	}
	p->env->limit_hit |= r < 0;
	return false;
}

void
probe_qualified(struct probe *p, const char *front, struct span name)
{
	struct buf	*b = &p->env->text;
	size_t		 n = strlen(front) + 1;

	if (n == 1 || p->hit || (p->term->op != FO_EQ && p->term->op != FO_TEXT))
		return;
	buf_clear(b);
	buf_printf(b, "%s/", front);
	buf_add(b, name.p, name.len);
	if (p->term->op == FO_EQ)
		probe_span(p, span_of_buf(b));
	else
		p->hit |= reaches(p, span_of_buf(b), n);
}

void
probe_hex(struct probe *p, struct span text)
{
	probe_span(p, text);
	if (p->term->op == FO_EQ && !p->hit)
		p->hit = text_equals(p, text, SET_FOLD);
}

static void
probe_num(struct probe *p, struct filter_num n)
{
	p->present = true;
	if (p->term->op == FO_HAS) {
		p->hit = true;
	} else if (p->term->op == FO_TEXT) {
		buf_clear(&p->env->text);
		if (n.kind == NUM_I)
			buf_i64(&p->env->text, n.i);
		else
			buf_u64(&p->env->text, n.u);
		p->term->fits(p, span_of_buf(&p->env->text));
	} else if (p->term->set != NULL) {
		p->hit |= filter_set_number(p->term->set, &n, false, &p->env->steps);
	} else {
		probe_order(p, &n, num_order);
	}
}

void
probe_u64(struct probe *p, uint64_t v)
{
	if (!probe_whole(p, v))
		probe_num(p, (struct filter_num){ .kind = NUM_U, .u = v });
}

void
probe_i64(struct probe *p, int64_t v)
{
	probe_num(p, (struct filter_num){ .kind = NUM_I, .i = v });
}

void
probe_address(struct probe *p, uint64_t v)
{
	if (p->term->op != FO_TEXT) {
		probe_u64(p, v);
		return;
	}
	p->present = true;
	buf_clear(&p->env->text);
	buf_puts(&p->env->text, "0x");
	buf_hex(&p->env->text, v, 1);
	p->term->fits(p, span_of_buf(&p->env->text));
}

bool
has_bits(uint64_t value, uint64_t bits)
{
	return bits != 0 && (value & bits) == bits;
}

/* ---- values of a payload */

static struct utc
utc_of_filetime(uint64_t v)
{
	return (struct utc){ (int64_t)(v / 10000000) - INT64_C(134774) * 86400,
	    (uint32_t)(v % 10000000) * 100 };
}

/* p: eight u16, year, month, day of the week, day, hour, minute, second, millisecond. */
static bool
utc_of_systemtime(const uint8_t *p, struct utc *utc)
{
	unsigned	month = load_u16le(p + 2), day = load_u16le(p + 6);
	unsigned	ms = load_u16le(p + 14);

	if (month < 1 || month > 12 || day < 1 || day > 31)
		return false;
	utc->sec = ((units_days(load_u16le(p), month, day) * 24 + load_u16le(p + 8)) * 60 +
	    load_u16le(p + 10)) * 60 + load_u16le(p + 12) + ms / 1000;
	utc->ns = ms % 1000 * 1000000;
	return true;
}

static bool
utc_order(struct utc utc, const struct filter_literal *l, int *order)
{
	*order = utc_compare(utc, l->utc);
	return l->has_utc;
}

static bool
value_order(const void *value, const struct filter_literal *l, int *order)
{
	const struct value	*v = value;
	struct filter_num	 n = { .kind = NUM_U, .u = v->u }, rounded;
	struct utc		 utc;

	switch (v->kind) {
	case VK_BOOL: case VK_UINT:
		return num_compare(&n, &l->num, order);
	case VK_INT:
		n = (struct filter_num){ .kind = NUM_I, .i = v->i };
		return num_compare(&n, &l->num, order);
	case VK_F32:
		/* A literal 0.1 means the 32-bit float nearest to it. */
		n = (struct filter_num){ .kind = NUM_F, .f = v->f };
		rounded = l->num;
		if (rounded.kind == NUM_F)
			rounded.f = num_round_f32(rounded.f);
		return num_compare(&n, &rounded, order);
	case VK_F64:
		n = (struct filter_num){ .kind = NUM_F, .f = v->f };
		return num_compare(&n, &l->num, order);
	case VK_FILETIME:
		return utc_order(utc_of_filetime(v->u), l, order);
	case VK_SYSTEMTIME:
		return utc_of_systemtime(v->bytes.p, &utc) && utc_order(utc, l, order);
	default:
		return false;
	}
}

/* A number in the form of its map's values: a sum of bits has no sign. */
static uint64_t
mapped_number(const struct value *v)
{
	if (v->field->map->bits && v->len < 8)
		return v->u & ((UINT64_C(1) << v->len * 8) - 1);
	return v->u;
}

/* The words of a number that has them, else the value's text. Stored in env->text. */
static struct span
value_in_words(struct probe_env *env, const struct value *v)
{
	buf_clear(&env->text);
	if ((v->kind != VK_UINT && v->kind != VK_INT) || v->field->map == NULL ||
	    !value_words(&env->text, v->field->map, mapped_number(v)))
		value_text(&env->text, v);
	return span_of_buf(&env->text);
}

static bool
value_equals(struct probe *p, const struct value *v)
{
	const struct filter_literal	*l = p->term->lits;
	int				 order;
	struct span			 text;

	if (value_order(v, l, &order))
		return order == 0;
	if (v->kind == VK_GUID)
		return l->has_guid && memcmp(v->bytes.p, l->guid, sizeof l->guid) == 0;
	text = value_in_words(p->env, v);
	/* Words and digits are compared without case, texts with it. */
	if (v->kind == VK_TEXT8 || v->kind == VK_TEXT16)
		return text_equals(p, text, SET_ALL);
	return text_equals(p, text, SET_FOLD);
}

/* The literals to compare the text of a value with, if its number or time was not found. */
static enum set_texts
texts_for(const struct value *v)
{
	switch (v->kind) {
	case VK_BYTES:
		return SET_FOLD;
	case VK_BOOL: case VK_UINT: case VK_INT:
		return SET_NO_NUMBER;
	case VK_F32: case VK_F64:
		return v->f == v->f ? SET_NO_NUMBER : SET_FOLD;	/* a NaN is not a number */
	case VK_FILETIME: case VK_SYSTEMTIME:
		return SET_NO_TIME;
	default:
		return SET_ALL;
	}
}

/* The same for several literals: each kind of value has its own order. */
static bool
value_in_set(struct probe *p, const struct value *v)
{
	const struct filter_set	*set = p->term->set;
	uint64_t		*steps = &p->env->steps;
	enum set_texts		 which = texts_for(v);
	struct filter_num	 n = { .kind = NUM_U, .u = v->u };
	struct utc		 utc;
	bool			 found = false;

	switch (v->kind) {
	case VK_GUID:
		return filter_set_guid(set, v->bytes.p, steps);
	case VK_BOOL: case VK_UINT:
		found = filter_set_number(set, &n, false, steps);
		break;
	case VK_INT: case VK_F32: case VK_F64:
		n.kind = v->kind == VK_INT ? NUM_I : NUM_F;
		found = filter_set_number(set, &n, v->kind == VK_F32, steps);
		break;
	case VK_FILETIME:
		found = filter_set_utc(set, utc_of_filetime(v->u), steps);
		break;
	case VK_SYSTEMTIME:
		if (utc_of_systemtime(v->bytes.p, &utc))
			found = filter_set_utc(set, utc, steps);
		else
			which = SET_FOLD;
		break;
	default:
		break;
	}
	return found || (!filter_set_empty(set, which) &&
	    filter_set_text(set, which, value_in_words(p->env, v), steps));
}

static bool
value_has_bits(const struct value *v, const struct filter_literal *l)
{
	const struct value_map	*map = v->field->map;

	if (v->kind != VK_UINT && v->kind != VK_INT)
		return false;
	if (l->num.kind != NUM_NONE)
		return l->num.kind == NUM_U && has_bits(v->u, l->num.u);
	for (uint32_t i = 0; map != NULL && i < map->n; i++)
		if (strcasecmp(map->values[i].name, l->text) == 0)
			return has_bits(mapped_number(v), map->values[i].value);
	return false;
}

/* The pattern is searched in a number and in its name, separately. */
static void
probe_value_text(struct probe *p, const struct value *v)
{
	struct buf	*b = &p->env->text;
	bool		 number = v->kind == VK_UINT || v->kind == VK_INT;

	buf_clear(b);
	if (number)
		value_number_text(b, v);
	else
		value_text(b, v);
	p->term->fits(p, span_of_buf(b));
	if (!number || p->hit || v->field->map == NULL)
		return;
	buf_clear(b);
	if (value_number_words(b, v))
		p->term->fits(p, span_of_buf(b));
}

/* Give one value of a payload, not a container. */
static void
probe_value(struct probe *p, const struct value *v)
{
	const struct filter_term	*term = p->term;

	if ((v->kind == VK_UINT || (v->kind == VK_INT && v->i >= 0)) && probe_whole(p, v->u))
		return;
	p->present = true;
	switch (term->op) {
	case FO_HAS:
		p->hit = true;
		break;
	case FO_TEXT:
		probe_value_text(p, v);
		break;
	case FO_EQ:
		if (!p->hit)
			p->hit = term->set != NULL ? value_in_set(p, v) : value_equals(p, v);
		break;
	case FO_BITS:
		p->hit |= value_has_bits(v, &term->lits[0]);
		break;
	default:
		probe_order(p, v, value_order);
	}
}

/* Stop the walk at the first hit, or, for "has", at the first value. */
static int
on_value(void *arg, const struct value *v)
{
	struct probe	*p = arg;

	if (v->kind != VK_OBJECT && v->kind != VK_ARRAY)
		probe_value(p, v);
	else
		p->present = true;
	return p->hit || p->term->op == FO_HAS;
}

void
probe_payload(struct probe *p, const struct program *program, struct span payload)
{
	(void)program_values(program, payload, on_value, p);
	p->hit |= p->term->op == FO_HAS && p->present;
}

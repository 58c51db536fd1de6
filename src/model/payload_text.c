/*
 * Whole payloads as text: one JSON object, or "key=value key=value".
 *
 *	{"Count":3,"Where":{"Id":7}}		Count=3 Where={Id=7}
 *
 * A payload of attributes in which a name occurs twice is written by attributes_json() instead.
 *
 * Invariant: every bracket is closed, because the walk ends each container that it begins.
 */
#include <string.h>

#include "model/machine.h"
#include "tnav/base/digits.h"
#include "tnav/base/text.h"

#define SEEN_MOST	16u	/* names that are compared one by one */
#define VALUE_ROOM	32u	/* bytes of a number */

struct payload_out {
	struct buf	*out;
	bool		 enum_names;
	bool		 first;		/* nothing was written in the innermost container */
	struct span	 seen[SEEN_MOST];	/* names of attributes so far */
	unsigned	 nseen;
	bool		 merge;		/* a name may have occurred twice */
};

/* Write the end of a container. False: the value is none. */
static inline bool
put_end(struct buf *out, enum value_kind kind, bool *first)
{
	if (kind != VK_OBJECT_END && kind != VK_ARRAY_END)
		return false;
	buf_putc(out, kind == VK_OBJECT_END ? '}' : ']');
	*first = false;
	return true;
}

/* Write the begin of a container. False: the value is none. */
static inline bool
put_begin(struct buf *out, enum value_kind kind, bool *first)
{
	*first = kind == VK_OBJECT || kind == VK_ARRAY;
	if (*first)
		buf_putc(out, kind == VK_OBJECT ? '{' : '[');
	return *first;
}

/* Copy a name; most have 4 to 16 bytes, which are two words that overlap. */
static inline char *
put_name(char *to, struct span name)
{
	size_t	n = name.len;

	if (n >= 8 && n <= 16) {
		memcpy(to, name.p, 8);
		memcpy(to + n - 8, name.p + n - 8, 8);
	} else if (n >= 4 && n < 8) {
		memcpy(to, name.p, 4);
		memcpy(to + n - 4, name.p + n - 4, 4);
	} else {
		memcpy(to, name.p, n);
	}
	return to + n;
}

/* ---- JSON */

/* Note an attribute's name. Unlike the fields of a type, attributes may have equal names. */
static void
payload_note(struct payload_out *o, struct span name)
{
	if (o->nseen == SEEN_MOST)
		o->merge = true;
	for (unsigned i = 0; i < o->nseen && !o->merge; i++)
		o->merge = spans_equal(o->seen[i], name);
	if (!o->merge)
		o->seen[o->nseen++] = name;
}

static void
put_key(struct buf *out, const struct value *v)
{
	char	*to;

	if (!v->plain_name) {
		json_name(out, v->name);
		return;
	}
	to = buf_room(out, v->name.len + 3);
	*to = '"';
	memcpy(put_name(to + 1, v->name), "\":", 2);
	out->len += v->name.len + 3;
}

MACHINE_INLINE int
json_value(void *arg, const struct value *v)
{
	struct payload_out	*o = arg;

	if (put_end(o->out, v->kind, &o->first))
		return 0;
	if (!o->first)
		buf_putc(o->out, ',');
	if (v->attribute && !v->element)
		payload_note(o, v->name);
	if (!v->element)
		put_key(o->out, v);
	if (!put_begin(o->out, v->kind, &o->first))
		value_json(o->out, v, o->enum_names);
	return 0;
}

void
payload_json(struct buf *out, const struct event_type *t, struct span payload, bool enum_names,
    struct payload_result *res)
{
	struct payload_out	o;
	size_t			start = out->len;

	o.out = out;
	o.first = true;
	o.enum_names = enum_names;
	o.nseen = 0;
	o.merge = false;
	buf_putc(out, '{');
	(void)machine_run(machine_program(t), payload, json_value, NULL, &o, res);
	buf_putc(out, '}');
	if (o.merge && t->nfields == 1 && t->fields[0].kind == FK_ATTRIBUTES) {
		out->len = start;
		attributes_json(out, t, payload, res);
	}
}

bool
builtin_json(struct buf *out, const struct event_type *t, struct span payload)
{
	struct payload_out	o = { .out = out, .first = true };
	size_t			start = out->len, key = strlen("\"builtin\":");

	(void)machine_run_builtin(machine_program(t), payload, json_value, NULL, &o);
	if (out->len == start)
		return false;
	memmove(out->p + start, out->p + start + key, out->len - start - key);
	out->len -= key;
	return true;
}

/* ---- lines */

struct line {
	struct buf	*out;
	bool		 first;		/* nothing was written in the innermost container */
};

static inline bool
is_hex(const struct field *f)
{
	return f->flags & FIELD_HEX || f->kind == FK_PTR;
}

/* A number of a kind for which is_digits() is true. */
static inline void
put_digits(struct buf *out, enum value_kind kind, const struct field *f, uint64_t u)
{
	char	*to = buf_room(out, VALUE_ROOM);

	if (kind == VK_BOOL) {
		memcpy(to, u ? "true" : "false", 5);
		to += u ? 4 : 5;
	} else if (is_hex(f)) {
		memcpy(to, "0x", 2);
		to = digits_hex(to + 2, u);
	} else {
		bool	negative = kind == VK_INT && u >> 63;

		*to = '-';
		to = digits_u64(to + negative, negative ? 0 - u : u);
	}
	out->len = (size_t)(to - out->p);
}

static void
put_value(struct buf *out, const struct value *v)
{
	if (is_digits(v->kind, v->field))
		put_digits(out, v->kind, v->field, v->u);
	else
		value_text(out, v);
}

/* Write what precedes a value. */
static void
line_name(struct line *l, struct span name)
{
	if (!l->first)
		buf_putc(l->out, ' ');
	l->first = false;
	if (name.len == 0)
		return;
	text_from_utf8(l->out, name);
	buf_putc(l->out, '=');
}

/* The same of a name that lies within its label. */
MACHINE_INLINE void
line_label(struct line *l, struct span name)
{
	struct span	label = { name.p - !l->first, name.len + 1 + !l->first };

	l->first = false;
	put_name(buf_room(l->out, label.len), label);
	l->out->len += label.len;
}

MACHINE_INLINE void
line_number(void *arg, const struct step *s, uint64_t u)
{
	struct line	*l = arg;

	if (s->flags & STEP_LABEL)
		line_label(l, s->name);
	else
		line_name(l, s->name);
	put_digits(l->out, (enum value_kind)s->number, s->f, u);
}

static int
line_value(void *arg, const struct value *v)
{
	struct line	*l = arg;

	if (put_end(l->out, v->kind, &l->first))
		return 0;
	if (v->element)
		line_name(l, (struct span){ NULL, 0 });
	else if (v->labelled)
		line_label(l, v->name);
	else
		line_name(l, v->name);
	if (!put_begin(l->out, v->kind, &l->first))
		put_value(l->out, v);
	return 0;
}

void
payload_line(struct buf *out, const struct event_type *t, struct span payload,
    struct payload_result *res)
{
	struct line	l = { .out = out, .first = true };

	(void)machine_run(machine_program(t), payload, line_value, line_number, &l, res);
}

void
builtin_line(struct buf *out, const struct event_type *t, struct span payload)
{
	struct line	l = { .out = out };

	(void)machine_run_builtin(machine_program(t), payload, line_value, line_number, &l);
}

/* ---- the values that are not texts */

struct numbers {
	struct buf	*out;
	uint64_t	 small;		/* unsigned numbers below this are left out */
};

/* Is it an unsigned number too small to matter? */
static inline bool
is_small(const struct numbers *x, enum value_kind kind, const struct field *f, uint64_t u)
{
	return kind == VK_UINT && u < x->small && !is_hex(f) && f->map == NULL;
}

MACHINE_INLINE void
numbers_number(void *arg, const struct step *s, uint64_t u)
{
	struct numbers	*x = arg;

	if (is_small(x, (enum value_kind)s->number, s->f, u))
		return;
	buf_putc(x->out, ' ');
	put_digits(x->out, (enum value_kind)s->number, s->f, u);
}

static int
numbers_value(void *arg, const struct value *v)
{
	struct numbers	*x = arg;

	if (v->kind == VK_TEXT8 || v->kind == VK_TEXT16 || v->kind >= VK_OBJECT ||
	    is_small(x, v->kind, v->field, v->u))
		return 0;
	buf_putc(x->out, ' ');
	put_value(x->out, v);
	return 0;
}

void
payload_numbers(struct buf *out, const struct event_type *t, struct span payload, size_t shortest)
{
	struct numbers		x = { .out = out, .small = shortest > 1 };
	struct payload_result	res;

	for (size_t i = 1; i < shortest && x.small <= UINT64_MAX / 10; i++)
		x.small *= 10;
	(void)machine_run(machine_program(t), payload, numbers_value, numbers_number, &x, &res);
	if (res.undecoded > 0) {
		buf_putc(out, ' ');
		buf_u64(out, res.undecoded);
	}
	(void)machine_run_builtin(machine_program(t), payload, numbers_value, numbers_number, &x);
}

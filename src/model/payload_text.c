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
static bool
put_end(struct buf *out, const struct value *v, bool *first)
{
	if (v->kind != VK_OBJECT_END && v->kind != VK_ARRAY_END)
		return false;
	buf_putc(out, v->kind == VK_OBJECT_END ? '}' : ']');
	*first = false;
	return true;
}

/* Write the begin of a container. False: the value is none. */
static bool
put_begin(struct buf *out, const struct value *v, bool *first)
{
	*first = v->kind == VK_OBJECT || v->kind == VK_ARRAY;
	if (*first)
		buf_putc(out, v->kind == VK_OBJECT ? '{' : '[');
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

	if (put_end(o->out, v, &o->first))
		return 0;
	if (!o->first)
		buf_putc(o->out, ',');
	if (v->attribute && !v->element)
		payload_note(o, v->name);
	if (!v->element)
		put_key(o->out, v);
	if (!put_begin(o->out, v, &o->first))
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
	(void)machine_run(machine_program(t), payload, json_value, &o, res);
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

	(void)machine_run_builtin(machine_program(t), payload, json_value, &o);
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
	bool		 bare;		/* leave out names and texts, */
	uint64_t	 small;		/* ... and unsigned numbers below this */
};

static inline bool
is_hex(const struct field *f)
{
	return f->flags & FIELD_HEX || f->kind == FK_PTR;
}

/* A value that is a short text: at most VALUE_ROOM bytes. Returns the end; NULL: it is another. */
static inline char *
put_short(char *to, const struct value *v)
{
	if ((v->kind == VK_UINT || v->kind == VK_INT) && v->field->map == NULL) {
		if (is_hex(v->field)) {
			if (v->kind == VK_INT)
				return NULL;
			memcpy(to, "0x", 2);
			return digits_hex(to + 2, v->u);
		}
		if (v->kind == VK_UINT || v->i >= 0)
			return digits_u64(to, v->u);
		*to = '-';
		return digits_u64(to + 1, 0 - v->u);
	}
	if (v->kind != VK_BOOL)
		return NULL;
	memcpy(to, v->u ? "true" : "false", 5);
	return to + (v->u ? 4 : 5);
}

static bool
is_left_out(const struct line *l, const struct value *v)
{
	return l->bare && (v->kind == VK_TEXT8 || v->kind == VK_TEXT16 ||
	    (v->kind == VK_UINT && v->u < l->small && !is_hex(v->field) &&
	    v->field->map == NULL));
}

MACHINE_INLINE int
line_value(void *arg, const struct value *v)
{
	struct line	*l = arg;
	struct buf	*out = l->out;
	bool		 named = !v->element && !l->bare && v->name.len > 0;
	char		*to, *end;

	if (put_end(out, v, &l->first))
		return 0;
	to = buf_room(out, v->name.len + VALUE_ROOM);
	if (!l->first)
		*to++ = ' ';
	if (named && !v->plain_name) {
		out->len = (size_t)(to - out->p);
		text_from_utf8(out, v->name);
		to = buf_room(out, VALUE_ROOM);
	} else if (named) {
		to = put_name(to, v->name);
	}
	if (named)
		*to++ = '=';
	l->first = false;
	end = is_left_out(l, v) ? to : put_short(to, v);
	out->len = (size_t)((end != NULL ? end : to) - out->p);
	if (end == NULL && !put_begin(out, v, &l->first))
		value_text(out, v);
	return 0;
}

/* res NULL: only the object `builtin`. */
static void
line_put(struct line *l, const struct event_type *t, struct span payload,
    struct payload_result *res)
{
	const struct program	*p = machine_program(t);

	if (res != NULL)
		(void)machine_run(p, payload, line_value, l, res);
	else if (p->builtin != NULL)
		(void)machine_run_builtin(p, payload, line_value, l);
}

void
payload_line(struct buf *out, const struct event_type *t, struct span payload,
    struct payload_result *res)
{
	struct line	l = { .out = out, .first = true };

	line_put(&l, t, payload, res);
}

void
builtin_line(struct buf *out, const struct event_type *t, struct span payload)
{
	struct line	l = { .out = out };

	line_put(&l, t, payload, NULL);
}

void
payload_numbers(struct buf *out, const struct event_type *t, struct span payload, size_t shortest)
{
	struct line		l = { .out = out, .bare = true, .small = shortest > 1 };
	struct payload_result	res;

	for (size_t i = 1; i < shortest && l.small <= UINT64_MAX / 10; i++)
		l.small *= 10;
	line_put(&l, t, payload, &res);
	if (res.undecoded > 0) {
		buf_putc(out, ' ');
		buf_u64(out, res.undecoded);
	}
	line_put(&l, t, payload, NULL);
}

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

#include "tnav/base/text.h"
#include "tnav/model/payload_line.h"

#define SEEN_MOST	16u	/* names that are compared one by one */

struct payload_out {
	struct buf	*out;
	bool		 json, enum_names;
	bool		 first;		/* nothing was written in the innermost container */
	struct span	 seen[SEEN_MOST];	/* names of attributes so far */
	unsigned	 nseen;
	bool		 merge;		/* a name may have occurred twice */
};

/* Most names are ASCII, so the room for all of it is reserved once. */
void
payload_name(struct buf *out, struct span name)
{
	char	*to;

	if (name.len == 0)
		return;
	if (text_skip_ascii(name.p, name.p + name.len) != name.p + name.len) {
		text_from_utf8(out, name);
		buf_putc(out, '=');
		return;
	}
	to = buf_room(out, name.len + 1);
	memcpy(to, name.p, name.len);
	to[name.len] = '=';
	out->len += name.len + 1;
}

static void
payload_key(struct payload_out *o, struct span name)
{
	if (o->json)
		json_name(o->out, name);
	else
		payload_name(o->out, name);
}

/* Note an attribute's name. Unlike the fields of a type, attributes may have equal names. */
static void
payload_note(struct payload_out *o, struct span name)
{
	if (o->nseen == SEEN_MOST)
		o->merge = true;
	for (unsigned i = 0; i < o->nseen && !o->merge; i++)
		o->merge = o->seen[i].len == name.len &&
		    memcmp(o->seen[i].p, name.p, name.len) == 0;
	if (!o->merge)
		o->seen[o->nseen++] = name;
}

static int
payload_value(void *arg, const struct value *v)
{
	struct payload_out	*o = arg;

	if (v->kind == VK_OBJECT_END || v->kind == VK_ARRAY_END) {
		buf_putc(o->out, v->kind == VK_OBJECT_END ? '}' : ']');
		o->first = false;
		return 0;
	}
	if (!o->first)
		buf_putc(o->out, o->json ? ',' : ' ');
	if (!v->element) {
		if (v->name.p != NULL && o->json)
			payload_note(o, v->name);
		payload_key(o, value_name(v));
	}
	o->first = v->kind == VK_OBJECT || v->kind == VK_ARRAY;
	if (o->first)
		buf_putc(o->out, v->kind == VK_OBJECT ? '{' : '[');
	else if (o->json)
		value_json(o->out, v, o->enum_names);
	else
		value_text(o->out, v);
	return 0;
}

void
payload_json(struct buf *out, const struct event_type *t, struct span payload,
    unsigned pointer_size, bool enum_names, struct payload_result *res)
{
	struct payload_out	o;
	size_t			start = out->len;

	o.out = out;
	o.json = o.first = true;
	o.enum_names = enum_names;
	o.nseen = 0;
	o.merge = false;
	buf_putc(out, '{');
	payload_walk(t, payload, pointer_size, payload_value, &o, res);
	buf_putc(out, '}');
	if (o.merge && t->nfields == 1 && t->fields[0].kind == FK_ATTRIBUTES) {
		out->len = start;
		attributes_json(out, t, payload, pointer_size, res);
	}
}

void
payload_line(struct buf *out, const struct event_type *t, struct span payload,
    unsigned pointer_size, struct payload_result *res)
{
	struct payload_out	o;

	o.out = out;
	o.json = o.enum_names = o.merge = false;
	o.first = true;
	payload_walk(t, payload, pointer_size, payload_value, &o, res);
}

void
builtin_line(struct buf *out, const struct event_type *t, struct span payload,
    unsigned pointer_size)
{
	struct payload_out	o = { .out = out };

	if (t->builtin != NULL)
		(void)builtin_walk(t, payload, pointer_size, payload_value, &o);
}

bool
builtin_json(struct buf *out, const struct event_type *t, struct span payload,
    unsigned pointer_size)
{
	struct payload_out	o = { .out = out, .json = true, .first = true };
	size_t			start = out->len, key = strlen("\"builtin\":");

	if (t->builtin == NULL)
		return false;
	(void)builtin_walk(t, payload, pointer_size, payload_value, &o);
	if (out->len == start)
		return false;
	memmove(out->p + start, out->p + start + key, out->len - start - key);
	out->len -= key;
	return true;
}

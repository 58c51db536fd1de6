/*
 * The possible values of a payload field, by the types of the trace.
 *
 *	Reason	u32, GCReason		1, Induced		"Inducd" is impossible: near Induced
 *		u32, SuspendReason	6, SuspendForGC
 *	o	{ a, deep }		nothing
 *	Value	text, u32		anything
 *
 * Invariant: no event has a value that is equal to an impossible one.
 */
#include "engine/filter/vocabulary.h"

#include <string.h>
#include <strings.h>

#include "tnav/base/limits.h"
#include "tnav/model/path.h"
#include "tnav/model/value.h"

#define FIELDS_NAMED	3u	/* fields of an object named in an error */

/* ---- collecting */

static void
add_map(struct path_fields *h, const struct value_map *map)
{
	unsigned	i = 0;

	while (i < h->nmaps && h->map[i] != map)
		i++;
	if (map == NULL || i < h->nmaps)
		return;
	if (h->nmaps < VOCAB_MAPS_MAX)
		h->map[h->nmaps++] = map;
	else
		h->more = true;
}

static unsigned
kind_of(const struct field *f)
{
	bool	array = f->array != AK_NONE;

	switch (f->kind) {
	case FK_U8:
		return array ? VOCAB_OTHER : VOCAB_NUMBER;	/* an array of u8 is bytes */
	case FK_I8: case FK_U16: case FK_I16: case FK_U32: case FK_I32: case FK_U64:
	case FK_I64: case FK_PTR: case FK_VARU: case FK_VARI:
		return VOCAB_NUMBER;
	case FK_BOOL8: case FK_BOOL32:
		return VOCAB_BOOL;
	case FK_F32: case FK_F64:
		return VOCAB_FLOAT;
	case FK_GUID:
		return VOCAB_GUID;
	case FK_DATETIME:
		return VOCAB_DATE;
	case FK_CHAR16: case FK_CHAR8: case FK_UTF16Z: case FK_UTF8Z: case FK_STR16:
		return VOCAB_TEXT;
	case FK_OBJECT:
		return VOCAB_OBJECT;
	default:
		return VOCAB_OTHER;
	}
}

static void
on_field(void *arg, const struct field *f)
{
	struct path_fields	*h = arg;
	unsigned		 inner = 0;

	while (f != NULL && f->inner != NULL && inner++ < LIMIT_NESTING)
		f = f->inner;
	if (f == NULL) {
		h->kinds |= VOCAB_OTHER;
		return;
	}
	h->kinds |= kind_of(f);
	h->unnamed |= f->map == NULL;
	add_map(h, f->map);
	if (f->kind == FK_OBJECT)
		h->object = f;
}

void
vocab_find(struct path_fields *h, struct trace *t, const char *path)
{
	uint32_t	n = trace_types(t);

	*h = (struct path_fields){ .kinds = 0 };
	for (uint32_t i = 0; i < n; i++) {
		const struct event_type	*type = trace_type(t, i);

		path_each(path, type->fields, type->nfields, 0, on_field, h);
		if (type->builtin == NULL)
			continue;
		path_each(path, builtin_object(type), 1, 0, on_field, h);
		if (path_is_beside(path, type))
			path_each(path, builtin_object(type)->fields, builtin_object(type)->nfields,
			    1, on_field, h);
	}
	if (h->kinds == 0 || h->more)
		h->kinds |= VOCAB_OTHER;
}

/* ---- words */

static bool
is_word(const char *word, const char *s, size_t len)
{
	return strlen(word) == len && strncasecmp(word, s, len) == 0;
}

static bool
map_has(const struct path_fields *h, const char *s, size_t len)
{
	for (unsigned i = 0; i < h->nmaps; i++)
		for (uint32_t k = 0; k < h->map[i]->n; k++)
			if (is_word(h->map[i]->values[k].name, s, len))
				return true;
	return false;
}

/* Is it a list of words, and a number for bits without one: Jitted|Dynamic|0x40? */
static bool
are_words(const struct path_fields *h, const struct filter_literal *l)
{
	const char	*s = l->text, *end = s + l->len;

	for (const char *next; s < end; s = next + 1) {
		next = memchr(s, '|', (size_t)(end - s));
		if (next == NULL)
			next = end;
		if (!map_has(h, s, (size_t)(next - s)) &&
		    (s == l->text || next - s < 3 || strncmp(s, "0x", 2) != 0))
			return false;
	}
	return l->len > 0;
}

static bool
is_number(const struct filter_literal *l)
{
	const char	*s = l->text;

	if (l->num.kind != NUM_NONE || !l->quoted)
		return l->num.kind != NUM_NONE;
	s += *s == '-' || *s == '+';
	return *s >= '0' && *s <= '9';
}

static bool
is_no_number(const struct filter_literal *l)
{
	return is_word("NaN", l->text, l->len) || is_word("Infinity", l->text, l->len) ||
	    is_word("-Infinity", l->text, l->len);
}

static bool
is_bool(const struct filter_literal *l)
{
	return is_word("true", l->text, l->len) || is_word("false", l->text, l->len);
}

/* ---- possible values */

bool
vocab_may_be(const struct path_fields *h, const struct filter_literal *l)
{
	if (h->kinds & (VOCAB_OTHER | VOCAB_TEXT))
		return true;
	if (h->kinds & (VOCAB_NUMBER | VOCAB_FLOAT | VOCAB_BOOL) && is_number(l))
		return true;
	if (h->kinds & VOCAB_FLOAT && is_no_number(l))
		return true;
	if (h->kinds & VOCAB_BOOL && is_bool(l))
		return true;
	if (h->kinds & VOCAB_GUID && l->has_guid)
		return true;
	if (h->kinds & VOCAB_DATE && l->has_utc)
		return true;
	return are_words(h, l);
}

bool
vocab_has_order(const struct path_fields *h)
{
	return (h->kinds & (VOCAB_NUMBER | VOCAB_FLOAT | VOCAB_BOOL | VOCAB_DATE |
	    VOCAB_OTHER)) != 0;
}

bool
vocab_is_date(const struct path_fields *h)
{
	return h->kinds == VOCAB_DATE;
}

bool
vocab_has_bits(const struct path_fields *h)
{
	bool	bits = h->kinds & VOCAB_OTHER || (h->kinds & VOCAB_NUMBER && h->unnamed);

	for (unsigned i = 0; i < h->nmaps; i++)
		bits |= h->map[i]->bits;
	return bits;
}

bool
vocab_has_word(const struct path_fields *h, const struct filter_literal *l)
{
	return (h->kinds & VOCAB_OTHER) != 0 || map_has(h, l->text, l->len);
}

/* ---- messages */

static void
put_near(struct buf *out, const struct path_fields *h, const char *text)
{
	struct near	near;

	near_init(&near, text, 0);
	for (unsigned i = 0; i < h->nmaps; i++)
		for (uint32_t k = 0; k < h->map[i]->n; k++)
			near_text(&near, h->map[i]->values[k].name);
	if (h->kinds & VOCAB_BOOL) {
		near_text(&near, "true");
		near_text(&near, "false");
	}
	near_put(&near, out);
}

void
vocab_explain(struct buf *out, const struct path_fields *h, const struct filter_literal *l)
{
	if (h->nmaps > 0)
		buf_printf(out, " has no value \"%s\"", l->text);
	else if (h->kinds & VOCAB_BOOL)
		buf_puts(out, " is true or false");
	else if (h->kinds & (VOCAB_NUMBER | VOCAB_FLOAT))
		buf_printf(out, " is a number; \"%s\" is not", l->text);
	else if (h->kinds & VOCAB_GUID)
		buf_printf(out, " is a GUID; \"%s\" is not", l->text);
	else if (h->kinds & VOCAB_DATE)
		buf_puts(out, " is a date; write 2026-11-21T14:03:22Z");
	else
		buf_puts(out, " cannot be compared with this");
	put_near(out, h, l->text);
}

void
vocab_explain_object(struct buf *out, const struct path_fields *h, const char *path)
{
	const struct field	*o = h->object;
	unsigned		 named = 0;

	buf_printf(out, "%s is an object with fields", path);
	for (uint32_t i = 0; o != NULL && i < o->nfields && named < FIELDS_NAMED; i++) {
		if (o->fields[i].kind == FK_PAD || o->fields[i].name[0] == '\0')
			continue;
		buf_printf(out, "%s%s.%s", named == 0 ? ": " : ", ", path, o->fields[i].name);
		named++;
	}
}

/*
 * Fuzz target: any description of fields over any payload.
 *
 *   size of description | description: a byte or three a field | payload
 *
 * The description is built within the limits that the decoders keep (fields, nesting); whatever
 * it says, the walk stays inside the payload, closes what it opens, keeps its budget, and what it
 * makes of it is text. The program of all values gives the values of the slow reference, the
 * program of a path those of them that are at the path, and the line is the text of these values.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/reference.h"
#include "fuzz.h"
#include "tnav/base/arena.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/model/path.h"
#include "tnav/model/program.h"
#include "tnav/model/schema.h"

#define FIELDS_MAX	64u		/* of one object */

struct maker {
	struct cursor	c;
	struct arena	arena;
	uint32_t	fields;		/* that may still be made */
	uint32_t	nslots, named;
};

static const char *const	field_names[] = {
	"name \"\x01", "a", "b", "c", "d", "e", "f", "g", "a.b", "ab",
	"of fourteen ..", "of fifteen ....", "of sixteen .....", "\xc3\xa9", "of more than sixteen",
};

#define NAMES	(sizeof field_names / sizeof *field_names)

static const struct value_name	names[] = { { 0, "none" }, { 1, "one" }, { 4, "four" } };
static const struct value_map	maps[] = {
	{ "v", false, 3, names }, { "b", true, 3, names },
};

static void	make_field(struct maker *m, struct field *f, unsigned depth);

static void
make_object(struct maker *m, struct field *f, unsigned depth)
{
	struct field	*inner;
	uint32_t	 n = cursor_u8(&m->c) % (FIELDS_MAX + 1);

	if (depth >= LIMIT_NESTING || n > m->fields)
		n = 0;
	m->fields -= n;
	inner = arena_alloc(&m->arena, (n + 1) * sizeof *inner);
	for (uint32_t i = 0; i < n; i++)
		make_field(m, &inner[i], depth + 1);
	f->fields = inner;
	f->nfields = n;
}

static void
make_field(struct maker *m, struct field *f, unsigned depth)
{
	unsigned	kind = cursor_u8(&m->c), how = cursor_u8(&m->c);

	f->name = kind & 0x80 ? field_names[m->named++ % NAMES] : "";
	f->kind = (enum field_kind)((kind & 0x7f) % FK_KINDS);
	f->array = (enum array_kind)(how % (AK_DATALOC + 1));
	f->flags = how >> 4;
	f->slot = FIELD_NO_SLOT;
	if (f->array == AK_NONE && m->nslots < FIELD_NO_SLOT && how & 0x08) {
		f->slot = (uint8_t)m->nslots++;
		f->map = &maps[how >> 7];
	} else if (f->array == AK_NONE && kind & 0x80 && how & 0x80) {
		f->map = &maps[0];
	}
	if (f->array == AK_FIXED)
		f->count = cursor_u16le(&m->c);
	else if (f->array == AK_BY_FIELD || f->kind == FK_PAD)
		f->count = cursor_u8(&m->c);
	if (f->array != AK_NONE && how & 0x08 && depth < LIMIT_NESTING && m->fields > 0) {
		struct field	*inner = arena_alloc(&m->arena, sizeof *inner);

		m->fields--;
		make_field(m, inner, depth + 1);
		f->inner = inner;
	}
	if (f->kind == FK_OBJECT)
		make_object(m, f, depth);
}

struct seen {
	size_t		len;		/* of the payload */
	uint32_t	values;
	unsigned	depth;
	uint64_t	open;		/* a bit a container: an array? */
};

static int
see(void *arg, const struct value *v)
{
	struct seen	*s = arg;
	bool		 array = v->kind == VK_ARRAY || v->kind == VK_ARRAY_END;

	check(v->field != NULL);
	check(v->off <= s->len && v->len <= s->len - v->off);
	check(++s->values <= LIMIT_VALUES);
	if (v->kind == VK_OBJECT_END || v->kind == VK_ARRAY_END) {
		check(s->depth > 0);
		check((s->open >> --s->depth & 1) == array);
	}
	check(v->depth == s->depth);
	check(v->element == (s->depth > 0 && (s->open >> (s->depth - 1) & 1) != 0));
	if (v->kind == VK_OBJECT || v->kind == VK_ARRAY) {
		s->open &= ~(UINT64_C(1) << s->depth);
		s->open |= (uint64_t)array << s->depth++;
		check(s->depth <= LIMIT_NESTING + 1);
	}
	return 0;
}

/* ---- values of two readers */

struct list {
	struct value	*v;
	size_t		 n, cap;
};

static int
list_add(void *arg, const struct value *v)
{
	struct list	*l = arg;

	ARRAY_ADD(l->v, l->n, l->cap, *v);
	return 0;
}

static bool
has_bytes(enum value_kind k)
{
	return k == VK_GUID || k == VK_SYSTEMTIME || k == VK_TEXT16 || k == VK_TEXT8 ||
	    k == VK_BYTES;
}

static void
check_same(const struct value *a, const struct value *b)
{
	check(a->kind == b->kind && a->off == b->off && a->len == b->len && a->depth == b->depth);
	check(a->element == b->element && a->attribute == b->attribute && a->nested == b->nested);
	check(a->field == b->field || (a->attribute && a->field->kind == b->field->kind));
	check(spans_equal(a->name, b->name));
	if (has_bytes(a->kind))
		check(a->bytes.len == b->bytes.len &&
		    (a->bytes.len == 0 || a->bytes.p == b->bytes.p));
	else if (a->kind > VK_NULL && a->kind < VK_OBJECT)
		check(a->u == b->u);
}

static void
check_lists(const struct list *a, const struct list *b)
{
	check(a->n == b->n);
	for (size_t i = 0; i < a->n; i++)
		check_same(&a->v[i], &b->v[i]);
}

/* ---- the values at a path */

/* The containers around a value: what of the path they leave, and whether they are given. */
struct around {
	const char	*rest[LIMIT_NESTING + 3];
	bool		 inside[LIMIT_NESTING + 3];	/* an object that is given */
	bool		 given[LIMIT_NESTING + 3], nested[LIMIT_NESTING + 3];
};

static void
find_at_path(const struct list *all, const char *path, struct list *found)
{
	struct around	a = { .rest[0] = path };

	for (size_t i = 0; i < all->n; i++) {
		struct value	 v = all->v[i];
		unsigned	 d = v.depth;
		const char	*rest = a.rest[d];
		bool		 here;

		if (v.kind != VK_OBJECT_END && v.kind != VK_ARRAY_END) {
			if (rest != NULL && !v.element)
				rest = path_step(rest, v.name);
			here = rest != NULL && *rest == '\0';
			a.given[d] = here || a.inside[d];
			a.nested[d] = !here && a.inside[d];
			a.rest[d + 1] = rest;
			a.inside[d + 1] = a.inside[d] || (here && v.kind == VK_OBJECT);
		}
		v.nested = a.nested[d];
		if (a.given[d])
			(void)list_add(found, &v);
	}
}

/* The first value that is neither nested, missing nor a container, or NULL. */
static const struct value *
first_of(const struct list *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (!l->v[i].nested && l->v[i].kind != VK_NULL && l->v[i].kind < VK_OBJECT)
			return &l->v[i];
	return NULL;
}

static void
check_path(const struct event_type *t, struct span payload, const struct list *all,
    const char *path)
{
	struct arena		 arena = { 0 };
	struct list		 want = { .n = 0 }, got = { .n = 0 };
	const struct program	*p;
	const struct value	*first;
	struct payload_place	 at;
	struct value		 v;
	enum value_kind		 kind;
	uint64_t		 u;

	p = program_new(&arena, t, path);
	find_at_path(all, path, &want);
	check(program_walk(p, payload, list_add, &got) == 0);
	check_lists(&want, &got);
	check(!program_absent(p) || want.n == 0);
	first = first_of(&want);
	check(program_first(p, payload, &v) == (first != NULL));
	if (first != NULL)
		check_same(first, &v);
	if (program_field(p) != NULL)
		check(want.n <= 1 && (want.n == 0 || want.v[0].field == program_field(p)));
	at = program_place(p);
	if (at.width != 0 && payload_place_number(at, payload, &kind, &u))
		check(first != NULL && first->kind == kind && first->u == u);
	mem_free(want.v);
	mem_free(got.v);
	arena_release(&arena);
}

/* ---- texts */

static void
check_json(const struct buf *out)
{
	check(out->len >= 2 && out->p[0] == '{' && out->p[out->len - 1] == '}');
	for (size_t i = 0; i < out->len; i++)
		check((uint8_t)out->p[i] >= 0x20 && out->p[i] != 0x7f);
}

/* The values as JSON, or as a line. */
static void
put_values(struct buf *out, const struct list *l, bool json)
{
	bool	first = true;

	for (size_t i = 0; i < l->n; i++) {
		const struct value	*v = &l->v[i];
		bool			 end = v->kind == VK_OBJECT_END || v->kind == VK_ARRAY_END;
		bool			 begin = v->kind == VK_OBJECT || v->kind == VK_ARRAY;
		bool			 array = v->kind == VK_ARRAY || v->kind == VK_ARRAY_END;

		if (!first && !end)
			buf_putc(out, json ? ',' : ' ');
		first = begin;
		if (!end && !v->element && json)
			json_name(out, v->name);
		if (!end && !v->element && !json && v->name.len > 0) {
			text_from_utf8(out, v->name);
			buf_putc(out, '=');
		}
		if (begin || end)
			buf_putc(out, array ? "[]"[end] : "{}"[end]);
		else if (json)
			value_json(out, v, true);
		else
			value_text(out, v);
	}
}

/* Each word of the numbers stands in the line, or is the number of bytes that are left. */
static void
check_numbers(const struct event_type *t, struct span payload, const struct buf *line,
    uint32_t left)
{
	struct buf	out = { 0 };
	char		*word, *rest = NULL, bytes[16];

	snprintf(bytes, sizeof bytes, "%u", left);
	payload_numbers(&out, t, payload, 2);
	for (word = strtok_r((char *)(uintptr_t)buf_str(&out), " ", &rest); word != NULL;
	    word = strtok_r(NULL, " ", &rest))
		check(strcmp(word, bytes) == 0 || strpbrk(word, "{}[]") != NULL ||
		    memmem(line->p, line->len, word, strlen(word)) != NULL);
	buf_release(&out);
}

static void
check_texts(const struct event_type *t, struct span payload, const struct list *all,
    uint32_t left)
{
	bool			attributes = t->nfields == 1 && t->fields[0].kind == FK_ATTRIBUTES;
	struct payload_result	res;
	struct buf		out = { 0 }, want = { 0 };

	payload_json(&out, t, payload, true, &res);
	check_json(&out);
	check(res.undecoded == left);
	buf_putc(&want, '{');
	put_values(&want, all, true);
	buf_putc(&want, '}');
	check(attributes || spans_equal(span_of_buf(&out), span_of_buf(&want)));
	buf_clear(&out);
	buf_clear(&want);
	payload_line(&out, t, payload, &res);
	put_values(&want, all, false);
	check(attributes || spans_equal(span_of_buf(&out), span_of_buf(&want)));
	check_numbers(t, payload, &out, res.undecoded);
	buf_release(&out);
	buf_release(&want);
}

static void
check_type(const struct event_type *t, struct span payload)
{
	struct payload_result	res, again;
	struct seen		s = { .len = payload.len };
	struct list		want = { .n = 0 }, got = { .n = 0 };
	char			member[64];

	check(payload_walk(t, payload, see, &s, &res) == 0);
	check(s.depth == 0);
	check(res.undecoded <= payload.len);
	check(reference_walk(t, payload, list_add, &want, &again) == 0);
	check(again.undecoded == res.undecoded && (again.error == NULL) == (res.error == NULL) &&
	    (res.error == NULL || strcmp(again.error, res.error) == 0));
	check((again.note == NULL) == (res.note == NULL) &&
	    (res.note == NULL || strcmp(again.note, res.note) == 0));
	check(payload_walk(t, payload, list_add, &got, &res) == 0);
	check_lists(&want, &got);
	check_texts(t, payload, &want, res.undecoded);
	for (size_t i = 0; i < NAMES; i++) {
		check_path(t, payload, &want, field_names[i]);
		snprintf(member, sizeof member, "%s.%s", field_names[i],
		    field_names[(i + payload.len) % NAMES]);
		check_path(t, payload, &want, member);
	}
	mem_free(want.v);
	mem_free(got.v);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
	struct maker		m = { .c = cursor_init((struct span){ p, len }, 0),
				      .fields = 1024 };
	struct span		description, payload;
	struct field		root = { .name = "" };
	struct event_type	t = { .provider = "P", .name = "E", .source = SCHEMA_TRACE };
	struct cursor		all = m.c;

	if (len < 3)
		return 0;
	t.pointer_size = cursor_u8(&all) & 1 ? 4 : 8;
	description = cursor_take(&all, cursor_u16le(&all) % (cursor_left(&all) + 1));
	m.c = cursor_init(description, 0);
	make_object(&m, &root, 0);
	t.fields = root.fields;
	t.nfields = root.nfields;
	schema_complete(&t, &m.arena);
	t.nslots = m.nslots;
	t.program = program_new(&m.arena, &t, NULL);
	payload = cursor_take(&all, cursor_left(&all));
	check_type(&t, payload);
	arena_release(&m.arena);
	return 0;
}

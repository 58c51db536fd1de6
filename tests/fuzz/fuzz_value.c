/*
 * Fuzz target: any description of fields over any payload.
 *
 *   size of description | description: a byte or three a field | payload
 *
 * The description is built within the limits that the decoders keep (fields, nesting); whatever
 * it says, the walk stays inside the payload, closes what it opens, keeps its budget, and what it
 * makes of it is text. The plan of each field and the columns of each array give what the walk
 * gives of them, and the plan of the whole line the line that the walk gives.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/numbers.h"
#include "fuzz.h"
#include "tnav/base/arena.h"
#include "tnav/base/limits.h"
#include "tnav/engine/field.h"
#include "tnav/model/payload_columns.h"
#include "tnav/model/payload_line.h"
#include "tnav/model/payload_plan.h"
#include "tnav/model/schema.h"
#include "tnav/model/value.h"

#define FIELDS_MAX	64u		/* of one object */

struct maker {
	struct cursor	c;
	struct arena	arena;
	uint32_t	fields;		/* that may still be made */
	uint32_t	nslots, named;
};

static const char *const	field_names[] = {
	"name \"\x01", "a", "b", "c", "d", "e", "f", "g", "a.b", "ab",
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

/* ---- one field by its plan */

struct wanted {
	const char	*name;
	struct value	 v;
	unsigned	 n;
};

static bool
is_named(const struct value *v, const char *name)
{
	struct span	s = value_name(v);

	return s.len == strlen(name) && memcmp(s.p, name, s.len) == 0;
}

static int
see_one(void *arg, const struct value *v)
{
	struct wanted	*w = arg;

	if (v->depth > 0 || v->kind == VK_ARRAY_END || v->kind == VK_OBJECT_END ||
	    !is_named(v, w->name))
		return 0;
	w->v = *v;
	w->n++;
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
	check(a->kind == b->kind && a->field == b->field && a->off == b->off);
	check(a->len == b->len && a->depth == b->depth && a->element == b->element);
	check(a->name.p == b->name.p && a->name.len == b->name.len);
	if (has_bytes(a->kind))
		check(a->bytes.len == b->bytes.len &&
		    (a->bytes.len == 0 || a->bytes.p == b->bytes.p));
	else if (a->kind != VK_NULL)
		check(a->u == b->u);
}

static void
check_plan(const struct event_type *t, struct span payload, unsigned pointer_size,
    const char *name)
{
	struct payload_plan	*plan = payload_plan_new(t, name, pointer_size);
	struct wanted		 w = { .name = name };
	struct payload_result	 res;
	struct value		 v;
	enum payload_at		 at = payload_plan_get(plan, payload, &v);
	enum value_kind		 kind;
	uint64_t		 u;
	struct span		 text;

	if (payload_plan_number(plan, payload, &kind, &u))
		check(at == PAYLOAD_VALUE && v.kind == kind && v.u == u);
	if (payload_plan_text16(plan, payload, &text))
		check(at == PAYLOAD_VALUE && v.kind == VK_TEXT16 && v.bytes.p == text.p &&
		    v.bytes.len == text.len);
	check(!payload_plan_absent(plan) || at == PAYLOAD_ABSENT);
	payload_plan_free(plan);
	if (at == PAYLOAD_WALK)
		return;
	(void)payload_walk(t, payload, pointer_size, see_one, &w, &res);
	check(w.n == (at != PAYLOAD_ABSENT));
	if (at == PAYLOAD_ABSENT)
		return;
	check((at == PAYLOAD_NULL) == (v.kind == VK_NULL));
	check_same(&v, &w.v);
}

static void
check_json(const struct buf *out)
{
	check(out->len >= 2 && out->p[0] == '{' && out->p[out->len - 1] == '}');
	for (size_t i = 0; i < out->len; i++)
		check((uint8_t)out->p[i] >= 0x20 && out->p[i] != 0x7f);
}

/* ---- members of objects by their columns */

static void
check_column(const struct event_type *t, struct span payload, unsigned pointer_size,
    const char *object, const char *member)
{
	char			 text[64];
	const char		*path = text;
	struct payload_columns	*c;
	struct numbers		 want = { .n = 0 };
	uint64_t		 v[NUMBERS_MOST];

	snprintf(text, sizeof text, "%s.%s", object, member);
	c = payload_columns_new(t, &path, 1, pointer_size);
	if (c == NULL)
		return;
	field_walk(path, t, payload, pointer_size, numbers_add, &want);
	check(payload_columns_get(c, payload, 0, v, NUMBERS_MOST) == want.n);
	check(memcmp(v, want.v, want.n * sizeof *v) == 0);
	payload_columns_free(c);
}

/* Each word of the numbers stands in the line, and they can be had where the line can. */
static void
check_numbers(const struct line_plan *plan, struct span payload, const struct buf *line, bool can,
    uint32_t left)
{
	struct buf	out;
	char		*word, *rest = NULL, bytes[16];

	buf_init(&out);
	buf_u64(&out, left);
	snprintf(bytes, sizeof bytes, "%s", buf_str(&out));
	buf_clear(&out);
	check(line_plan_numbers(plan, payload, 2, &out) == can);
	for (word = strtok_r((char *)(uintptr_t)buf_str(&out), " ", &rest); can && word != NULL;
	    word = strtok_r(NULL, " ", &rest))
		check(strcmp(word, bytes) == 0 ||
		    memmem(line->p, line->len, word, strlen(word)) != NULL);
	buf_release(&out);
}

/* line: that of the walk. */
static void
check_line(const struct event_type *t, struct span payload, unsigned pointer_size,
    const struct buf *line, uint32_t left)
{
	struct line_plan	*plan = line_plan_new(t, pointer_size);
	struct buf		 out;
	uint32_t		 undecoded = UINT32_MAX;
	bool			 can;

	buf_init(&out);
	buf_puts(&out, "before ");
	can = line_plan_put(plan, payload, &out, &undecoded);
	check_numbers(plan, payload, line, can, undecoded);
	if (can) {
		check(undecoded == left && out.len == 7 + line->len);
		check(line->len == 0 || memcmp(out.p + 7, line->p, line->len) == 0);
	} else {
		check(out.len == 7);
	}
	buf_release(&out);
	line_plan_free(plan);
}

static void
check_type(const struct event_type *t, struct span payload, unsigned pointer_size)
{
	struct payload_result	res, again;
	struct seen		s = { .len = payload.len };
	struct buf		out;

	check(payload_walk(t, payload, pointer_size, see, &s, &res) == 0);
	check(s.depth == 0);
	check(res.undecoded <= payload.len);
	buf_init(&out);
	payload_json(&out, t, payload, pointer_size, true, &again);
	check_json(&out);
	check(again.undecoded == res.undecoded && again.error == res.error);
	buf_clear(&out);
	payload_line(&out, t, payload, pointer_size, &again);
	check_line(t, payload, pointer_size, &out, again.undecoded);
	buf_release(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
	struct maker		m = { .c = cursor_init((struct span){ p, len }, 0),
				      .fields = 1024 };
	struct span		description, payload;
	struct field		root = { .name = "" };
	struct event_type	t = { .provider = "P", .name = "E", .source = SCHEMA_TRACE };
	unsigned		pointer_size;
	struct cursor		all = m.c;

	if (len < 3)
		return 0;
	pointer_size = cursor_u8(&all) & 1 ? 4 : 8;
	description = cursor_take(&all, cursor_u16le(&all) % (cursor_left(&all) + 1));
	m.c = cursor_init(description, 0);
	arena_init(&m.arena);
	make_object(&m, &root, 0);
	t.fields = root.fields;
	t.nfields = root.nfields;
	schema_complete(&t, &m.arena);
	t.nslots = m.nslots;
	payload = cursor_take(&all, cursor_left(&all));
	check_type(&t, payload, pointer_size);
	for (size_t i = 0; i < NAMES; i++)
		check_plan(&t, payload, pointer_size, field_names[i]);
	for (size_t i = 0; i < NAMES; i++)
		check_column(&t, payload, pointer_size, field_names[i],
		    field_names[(i + len) % NAMES]);
	arena_release(&m.arena);
	return 0;
}

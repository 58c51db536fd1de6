/*
 * Descriptions of fields as text: see the header.
 */
#include "types.h"

#include <ctype.h>

#include "asserts.h"

static const char *const	kinds[FK_KINDS] = {
	[FK_BOOL8] = "bool8", [FK_BOOL32] = "bool32", [FK_CHAR16] = "char16", [FK_CHAR8] = "char8",
	[FK_U8] = "u8", [FK_I8] = "i8", [FK_U16] = "u16", [FK_I16] = "i16", [FK_U32] = "u32",
	[FK_I32] = "i32", [FK_U64] = "u64", [FK_I64] = "i64", [FK_PTR] = "ptr", [FK_F32] = "f32",
	[FK_F64] = "f64", [FK_GUID] = "guid", [FK_DATETIME] = "date", [FK_DECIMAL] = "decimal",
	[FK_VARU] = "varu", [FK_VARI] = "vari", [FK_UTF16Z] = "utf16z", [FK_UTF8Z] = "utf8z",
	[FK_STR16] = "str16", [FK_BYTES] = "bytes", [FK_PAD] = "pad", [FK_OBJECT] = "object",
	[FK_HEPH_U64] = "heph-u64", [FK_HEPH_I64] = "heph-i64", [FK_HEPH_F64] = "heph-f64",
	[FK_HEPH_STR] = "heph-str", [FK_ATTRIBUTES] = "attributes",
};
static const char *const	arrays[] = {
	[AK_NONE] = "", [AK_COUNT16] = "u16", [AK_COUNT32] = "u32", [AK_FIXED] = "",
	[AK_BY_FIELD] = "slot", [AK_REST] = "*", [AK_RELLOC] = "rel", [AK_DATALOC] = "data",
	[AK_COUNT16BE] = "u16be",
};
static const char	marks[] = "x?^\"";		/* by the bits of FIELD_... */

struct parser {
	const char	*p;
	struct arena	*arena;
};

/* The word at p, up to one of the ends. */
static const char *
word(struct parser *ps, const char *ends)
{
	size_t		 n = strcspn(ps->p, ends);
	const char	*w = arena_strndup(ps->arena, ps->p, n);

	ps->p += n;
	return w;
}

static unsigned
number_of(const char *w, const char *const *words, unsigned n)
{
	unsigned	i = 0;

	while (i < n && strcmp(words[i], w) != 0)
		i++;
	if (i == n)
		fail_msg("no %s in a type", w);
	return i;
}

static void	parse_list(struct parser *ps, const struct field **fields, uint32_t *n);

static void
parse_array(struct parser *ps, struct field *f)
{
	const char	*w;

	if (f->array != AK_NONE) {
		struct field	*inner = arena_alloc(ps->arena, sizeof *inner);

		*inner = *f;
		inner->name = "";
		f->inner = inner;
		f->kind = FK_BOOL8;
	}
	ps->p++;
	w = word(ps, "]");
	ps->p++;
	if (isdigit((unsigned char)*w)) {
		f->array = AK_FIXED;
		f->count = (uint32_t)strtoul(w, NULL, 10);
	} else {
		f->array = (enum array_kind)number_of(w, arrays, AK_COUNT16BE + 1);
	}
}

static void
parse_field(struct parser *ps, struct field *f)
{
	*f = (struct field){ .name = word(ps, ":"), .slot = FIELD_NO_SLOT };
	if (*++ps->p == '{') {
		ps->p++;
		f->kind = FK_OBJECT;
		parse_list(ps, &f->fields, &f->nfields);
		ps->p++;
	} else {
		f->kind = (enum field_kind)number_of(word(ps, " [}x?^\""), kinds, FK_KINDS);
	}
	while (*ps->p == '[')
		parse_array(ps, f);
	for (; *ps->p != '\0' && strchr(" }", *ps->p) == NULL; ps->p++)
		f->flags |= 1u << (unsigned)(strchr(marks, *ps->p) - marks);
}

static void
parse_list(struct parser *ps, const struct field **fields, uint32_t *n)
{
	struct field	*f = arena_alloc(ps->arena, 32 * sizeof *f);

	for (*n = 0; *ps->p != '\0' && *ps->p != '}'; ++*n) {
		assert_true(*n < 32);
		parse_field(ps, &f[*n]);
		ps->p += strspn(ps->p, " ");
	}
	*fields = f;
}

void
types_parse(struct event_type *t, struct arena *a, const char *text)
{
	struct parser	ps = { text, a };

	parse_list(&ps, &t->fields, &t->nfields);
	assert_int_equal(*ps.p, '\0');
}

static void
put_type(struct buf *out, const struct field *f)
{
	bool	counted = f->array == AK_FIXED || f->array == AK_BY_FIELD;

	if (f->inner != NULL) {
		put_type(out, f->inner);
	} else if (f->kind == FK_OBJECT) {
		buf_putc(out, '{');
		types_put(out, f->fields, f->nfields);
		buf_putc(out, '}');
	} else {
		buf_puts(out, kinds[f->kind]);
	}
	if (f->array != AK_NONE)
		buf_printf(out, "[%s", arrays[f->array]);
	if (counted || f->kind == FK_PAD)
		buf_u64(out, f->count);
	if (f->array != AK_NONE)
		buf_putc(out, ']');
}

void
types_put(struct buf *out, const struct field *f, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++, f++) {
		buf_printf(out, "%s%s:", i > 0 ? " " : "", f->name);
		put_type(out, f);
		for (unsigned k = 0; k < sizeof marks - 1; k++)
			if (f->flags >> k & 1)
				buf_putc(out, marks[k]);
		if (f->slot != FIELD_NO_SLOT)
			buf_printf(out, "@%u", f->slot);
		if (f->map != NULL)
			buf_printf(out, "=%s", f->map->name);
	}
}

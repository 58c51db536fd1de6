/*
 * The fields that a row of metadata describes, in their three layouts.
 *
 *	V1 to V4   list = u32 count, fields   field =           type  name
 *	V5         list = u32 count, fields   field = u32 size  name  type
 *	V6         list = u16 count, fields   field = u16 size  name  type
 *
 *	type = code | OBJECT list | ARRAY type | FIXED_ARRAY type u16 count
 *
 * In V5 the size includes itself, in V6 it doesn't. A code is a u8 in V6, else a u32.
 *
 * Invariant: fields never nest deeper than LIMIT_NESTING or number more than LIMIT_FIELDS.
 * Format: NetTrace V4, "Metadata event encoding"; V6, "Metadata block".
 */
#include "format/fields.h"

#include <string.h>

#include "tnav/base/limits.h"
#include "tnav/base/text.h"

/* ---- names */

const char *
name_keep(struct format *f, struct buf *b)
{
	const char	*name = arena_strndup(f->arena, b->len ? b->p : "", b->len);

	buf_release(b);
	return name;
}

const char *
name_read_utf16z(struct format *f, struct cursor *c)
{
	struct span	s = cursor_utf16z(c);
	struct buf	b = { 0 };

	if (s.len > LIMIT_NAME)
		s.len = LIMIT_NAME;
	text_from_utf16(&b, s);
	return name_keep(f, &b);
}

const char *
name_from_utf8(struct format *f, struct span s)
{
	struct buf	b = { 0 };

	if (s.len > LIMIT_NAME)
		s.len = LIMIT_NAME;
	while (s.len > 0) {
		const uint8_t	*nul = memchr(s.p, 0, s.len);
		size_t		 n = nul != NULL ? (size_t)(nul - s.p) : s.len;

		text_from_utf8(&b, (struct span){ .p = s.p, .len = n });
		if (nul != NULL)
			buf_puts(&b, "\xef\xbf\xbd");
		n += nul != NULL;
		s.p += n;
		s.len -= n;
	}
	return name_keep(f, &b);
}

struct span
name_take_utf8(struct cursor *c)
{
	return cursor_take(c, cursor_varu32(c));
}

const char *
name_read_utf8(struct format *f, struct cursor *c)
{
	return name_from_utf8(f, name_take_utf8(c));
}

/* ---- types */

enum {
	CODE_OBJECT = 1, CODE_ARRAY = 19, CODE_FIXED_ARRAY = 22, CODE_RELLOC = 24, CODE_DATALOC = 25
};

/* The values of System.TypeCode that the formats use, and their own additions. */
static const struct type_code {
	uint32_t	code;
	enum field_kind	kind;
	enum { ALL, BEFORE_V6, FROM_V6 } in;
} type_codes[] = {
	{ CODE_OBJECT, FK_OBJECT, ALL }, { 3, FK_BOOL32, ALL }, { 4, FK_CHAR16, ALL },
	{ 5, FK_I8, ALL }, { 6, FK_U8, ALL }, { 7, FK_I16, ALL }, { 8, FK_U16, ALL },
	{ 9, FK_I32, ALL }, { 10, FK_U32, ALL }, { 11, FK_I64, ALL }, { 12, FK_U64, ALL },
	{ 13, FK_F32, ALL }, { 14, FK_F64, ALL }, { 15, FK_DECIMAL, BEFORE_V6 },
	{ 16, FK_DATETIME, ALL }, { 17, FK_GUID, ALL }, { 18, FK_UTF16Z, ALL },
	{ 20, FK_VARI, FROM_V6 }, { 21, FK_VARU, FROM_V6 }, { 23, FK_CHAR8, FROM_V6 },
	{ 26, FK_BOOL8, FROM_V6 },
};

static bool
kind_of(uint32_t code, enum fields_layout layout, enum field_kind *kind)
{
	for (size_t i = 0; i < sizeof type_codes / sizeof *type_codes; i++) {
		if (type_codes[i].code != code)
			continue;
		*kind = type_codes[i].kind;
		return type_codes[i].in != (layout == FIELDS_V6 ? BEFORE_V6 : FROM_V6);
	}
	return false;
}

static enum array_kind
array_of(uint32_t code, enum fields_layout layout)
{
	if (code == CODE_ARRAY)
		return AK_COUNT16;
	if (layout < FIELDS_V6)
		return AK_NONE;
	switch (code) {
	case CODE_FIXED_ARRAY:
		return AK_FIXED;
	case CODE_RELLOC:
		return AK_RELLOC;
	case CODE_DATALOC:
		return AK_DATALOC;
	default:
		return AK_NONE;
	}
}

/* ---- fields */

static bool	read_list(struct fields_row *r, struct cursor *c, unsigned depth,
		    const struct field **out, uint32_t *n);
static bool	read_type(struct fields_row *r, struct cursor *c, unsigned depth, struct field *fd);

static bool
read_array(struct fields_row *r, struct cursor *c, unsigned depth, struct field *fd)
{
	struct field	*inner = arena_alloc(r->f->arena, sizeof *inner);

	if (!read_type(r, c, depth + 1, inner))
		return false;
	if (fd->array == AK_FIXED)
		fd->count = cursor_u16le(c);
	if (inner->array != AK_NONE) {
		inner->name = "";
		fd->inner = inner;
		return cursor_ok(c);
	}
	fd->kind = inner->kind;
	fd->fields = inner->fields;
	fd->nfields = inner->nfields;
	if (fd->kind == FK_CHAR16 || fd->kind == FK_CHAR8)
		fd->flags |= FIELD_TEXT;
	return cursor_ok(c);
}

static bool
read_type(struct fields_row *r, struct cursor *c, unsigned depth, struct field *fd)
{
	uint32_t	code = r->layout == FIELDS_V6 ? cursor_u8(c) : cursor_u32le(c);

	if (depth > LIMIT_NESTING)
		return false;
	fd->slot = FIELD_NO_SLOT;
	fd->array = array_of(code, r->layout);
	if (fd->array != AK_NONE)
		return read_array(r, c, depth, fd);
	if (!kind_of(code, r->layout, &fd->kind))
		return false;
	if (fd->kind == FK_OBJECT)
		return read_list(r, c, depth + 1, &fd->fields, &fd->nfields);
	return cursor_ok(c);
}

/* Read one field. In V6, c has exactly the bytes of the field; in V5 its size comes first. */
static bool
read_field(struct fields_row *r, struct cursor *c, unsigned depth, struct field *fd)
{
	uint64_t	at = cursor_off(c);
	uint32_t	size = r->layout == FIELDS_V5 ? cursor_u32le(c) : 0;

	if (r->layout == FIELDS_V6)
		fd->name = name_read_utf8(r->f, c);
	else if (r->layout == FIELDS_V5)
		fd->name = name_read_utf16z(r->f, c);
	if (!read_type(r, c, depth, fd))
		return false;
	if (r->layout == FIELDS_V4)
		fd->name = name_read_utf16z(r->f, c);
	if (size > cursor_off(c) - at)		/* skip additions of newer writers */
		cursor_skip(c, size - (cursor_off(c) - at));
	return r->layout == FIELDS_V6 || cursor_ok(c);
}

static bool
read_list(struct fields_row *r, struct cursor *c, unsigned depth, const struct field **out,
    uint32_t *n)
{
	bool		 v6 = r->layout == FIELDS_V6, ok = true;
	uint32_t	 count = v6 ? cursor_u16le(c) : cursor_u32le(c);
	struct field	*list;

	*out = NULL;
	*n = 0;
	/* The least size of a field: a size, an empty name and a code, or the last two. */
	if (!cursor_fits(c, count, v6 ? 4 : 6) || count > LIMIT_FIELDS - r->n) {
		cursor_fail(c);
		return false;
	}
	r->n += count;
	list = arena_alloc(r->f->arena, count * sizeof *list);
	for (uint32_t i = 0; i < count && (ok || v6) && cursor_ok(c); i++) {
		struct cursor	one = *c;

		if (v6) {
			uint64_t	off = cursor_off(c) + 2;

			one = cursor_init(cursor_take(c, cursor_u16le(c)), off);
		}
		ok = ok && cursor_ok(c) && read_field(r, &one, depth, &list[i]);
		*n += ok;
		if (!v6)
			*c = one;
	}
	*out = list;
	return ok && cursor_ok(c);
}

bool
fields_read(struct fields_row *r, struct cursor *c, const struct field **out, uint32_t *n)
{
	bool	ok = read_list(r, c, 0, out, n);

	if (!ok && r->layout != FIELDS_V6)
		*n = 0;
	return ok;
}

void
fields_type(struct format *f, const struct event_type *t, struct span content, size_t bytes,
    const char *text)
{
	struct event_type	own = *t;

	if (text != NULL)
		diag_add(f->diag, SEV_WARN, FIND_METADATA, t->off, bytes, "%s", text);
	if (t->name == NULL)
		return;
	own.damaged = text != NULL;
	f->up->type(f->up_arg, content, &own);
}

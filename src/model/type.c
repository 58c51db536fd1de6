/*
 * The names of the model's enumerations.
 *
 * Invariant: every name is a constant, and every number is accepted.
 */
#include "tnav/model/type.h"

#include <inttypes.h>
#include <stddef.h>

#include "tnav/model/info.h"

#define COUNT(a)	(sizeof (a) / sizeof (a)[0])

static const char *const	source_words[] = {
	[SCHEMA_TRACE] = "metadata in the trace",
	[SCHEMA_BUILTIN] = "built-in manifest",
	[SCHEMA_OLDER] = "built-in manifest, an older version",
	[SCHEMA_NONE] = "no schema",
};

/* Types of values, independent of their encoding: a LEB128 is an integer, any string a text. */
static const char *const	kind_names[FK_KINDS] = {
	[FK_BOOL8] = "bool", [FK_BOOL32] = "bool", [FK_CHAR16] = "char", [FK_CHAR8] = "char",
	[FK_U8] = "u8", [FK_I8] = "i8", [FK_U16] = "u16", [FK_I16] = "i16",
	[FK_U32] = "u32", [FK_I32] = "i32", [FK_U64] = "u64", [FK_I64] = "i64",
	[FK_PTR] = "pointer", [FK_F32] = "f32", [FK_F64] = "f64", [FK_GUID] = "guid",
	[FK_DATETIME] = "date", [FK_DECIMAL] = "decimal", [FK_VARU] = "u64", [FK_VARI] = "i64",
	[FK_UTF16Z] = "text", [FK_UTF8Z] = "text", [FK_STR16] = "text", [FK_BYTES] = "bytes",
	[FK_PAD] = "padding", [FK_OBJECT] = "object", [FK_HEPH_U64] = "u64",
	[FK_HEPH_I64] = "i64", [FK_HEPH_F64] = "f64", [FK_HEPH_STR] = "text",
	[FK_ATTRIBUTES] = "attributes",
};

static const char *const	level_names[] = {
	"LogAlways", "critical", "error", "warning", "informational", "verbose",
};

static const char *const	gap_whys[] = {
	[GAP_NUMBERS] = "gap",
	[GAP_START] = "start",
	[GAP_BARRIER] = "barrier",
	[GAP_REMOVE] = "remove",
};

static const char *const	gap_words[] = {
	[GAP_NUMBERS] = "sequence numbers",
	[GAP_START] = "first sequence number",
	[GAP_BARRIER] = "sequence point",
	[GAP_REMOVE] = "end of the thread",
};

void
field_type_text(struct buf *out, const struct field *f)
{
	bool	whole = f->kind == FK_BYTES || (f->flags & FIELD_TEXT) != 0;

	if (f->inner != NULL)
		field_type_text(out, f->inner);
	else if ((f->flags & FIELD_TEXT) != 0)
		buf_puts(out, "text");
	else
		buf_puts(out, (size_t)f->kind < COUNT(kind_names) ? kind_names[f->kind] : "?");
	if (f->array == AK_FIXED && !whole)
		buf_printf(out, "[%" PRIu32 "]", f->count);
	else if (f->array != AK_NONE && !whole)
		buf_puts(out, "[]");
	if (f->map != NULL)
		buf_printf(out, " %s", f->map->name);
}

const char *
schema_source_words(enum schema_source s)
{
	return (size_t)s < COUNT(source_words) ? source_words[s] : "?";
}

const char *
level_name(unsigned level)
{
	return level < COUNT(level_names) ? level_names[level] : NULL;
}

const char *
gap_why_name(enum gap_why w)
{
	return (size_t)w < COUNT(gap_whys) ? gap_whys[w] : "?";
}

const char *
gap_why_words(enum gap_why w)
{
	return (size_t)w < COUNT(gap_words) ? gap_words[w] : "?";
}

const char *
opcode_name(unsigned opcode)
{
	static const char *const	names[] = {
		"Info", "Start", "Stop", "DCStart", "DCStop", "Extension", "Reply", "Resume",
		"Suspend", "Send",
	};

	if (opcode == 240)
		return "Receive";
	return opcode < sizeof names / sizeof names[0] ? names[opcode] : NULL;
}
